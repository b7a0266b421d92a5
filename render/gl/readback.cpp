#include "render/gl/readback.hpp"

#include "kinescope/error.hpp"

namespace kinescope::render {

Readback::Readback(std::size_t bytes) {
  constexpr GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  buffer_ = Buffer(bytes, nullptr, flags | GL_CLIENT_STORAGE_BIT);
  mapped_ = static_cast<const std::uint32_t*>(glMapNamedBufferRange(buffer_.name(), 0, GLsizeiptr(bytes), flags));
  if (!mapped_) throw sim::run_error("out of memory for reading back from the GPU");
}

void Readback::request(GLuint buffer, GLintptr offset) {
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glCopyNamedBufferSubData(buffer, buffer_.name(), offset, 0, GLsizeiptr(buffer_.bytes()));
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_ = Fence::place();
}

const std::uint32_t* Readback::take(bool wait) {
  if (!fence_) return nullptr;
  if (wait)
    fence_.wait();
  else if (!fence_.signalled())
    return nullptr;
  fence_.reset();
  return mapped_;
}

}  // namespace kinescope::render
