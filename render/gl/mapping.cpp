#include "render/gl/mapping.hpp"

#include "kinescope/error.hpp"

namespace kinescope::render {
namespace {

GLint parameter(GLuint buffer, GLenum name) {
  GLint value = 0;
  glGetNamedBufferParameteriv(buffer, name, &value);
  return value;
}

}  // namespace

HostView::HostView(const BufferView& view) {
  if (!view) return;
  if (parameter(view.buffer, GL_BUFFER_MAPPED) != 0) {
    if ((parameter(view.buffer, GL_BUFFER_ACCESS_FLAGS) & GL_MAP_READ_BIT) != 0) {
      void* mapped = nullptr;
      GLint64 first = 0;
      glGetNamedBufferPointerv(view.buffer, GL_BUFFER_MAP_POINTER, &mapped);
      glGetNamedBufferParameteri64v(view.buffer, GL_BUFFER_MAP_OFFSET, &first);
      data_ = static_cast<const std::byte*>(mapped) + (view.offset - first);
    }
  } else if ((parameter(view.buffer, GL_BUFFER_STORAGE_FLAGS) & GL_MAP_READ_BIT) != 0) {
    data_ = static_cast<const std::byte*>(glMapNamedBufferRange(view.buffer, view.offset, view.bytes, GL_MAP_READ_BIT));
    if (data_) unmap_ = view.buffer;
  }
  if (data_) return;
  copy_.resize(std::size_t(view.bytes));
  view.read(0, copy_.size(), copy_.data());
  data_ = copy_.data();
}

HostView::~HostView() {
  if (unmap_) glUnmapNamedBuffer(unmap_);
}

HostSpace::HostSpace(const Buffer& buffer, std::size_t bytes)
    : name_(buffer.name()),
      data_(glMapNamedBufferRange(buffer.name(), 0, GLsizeiptr(bytes), GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) {
  if (!data_) throw sim::run_error("out of graphics memory: a buffer cannot be mapped");
}

HostSpace::~HostSpace() {
  glUnmapNamedBuffer(name_);
}

}  // namespace kinescope::render
