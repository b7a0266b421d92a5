#include "render/gl/objects.hpp"

#include <algorithm>
#include <string>

#include "kinescope/error.hpp"

namespace kinescope::render {

namespace {

template <class Create>
GLuint created(Create create) {
  GLuint name = 0;
  create(1, &name);
  return name;
}

// OpenGL has no buffers of 0 bytes, but an empty set of points still needs one to bind.
GLsizeiptr held_bytes(std::size_t bytes) {
  return GLsizeiptr(std::max<std::size_t>(bytes, 4));
}

}  // namespace

Buffer::Buffer(std::size_t bytes, const void* data, GLbitfield flags)
    : handle_(created(glCreateBuffers)), bytes_(bytes) {
  glNamedBufferStorage(name(), held_bytes(bytes), data, flags);
  GLint64 held = 0;
  glGetNamedBufferParameteri64v(name(), GL_BUFFER_SIZE, &held);
  if (std::size_t(held) < bytes)
    throw sim::run_error("out of graphics memory: a buffer of " + std::to_string(bytes >> 20) +
                         " MiB was refused; try fewer points");
}

BufferView Buffer::view() const {
  return {name(), 0, held_bytes(bytes_)};
}

// The bytes are copied from a buffer of their own: after glNamedBufferSubData NVIDIA's driver (580) lets the next draw
// read the old bytes, if the buffer was not bound in the draw before.
void Buffer::write(std::size_t offset, std::size_t bytes, const void* data) {
  if (bytes == 0) return;
  const Buffer fresh(bytes, data);
  glCopyNamedBufferSubData(fresh.name(), name(), 0, GLintptr(offset), GLsizeiptr(bytes));
}

void Buffer::read(std::size_t offset, std::size_t bytes, void* data) const {
  if (bytes > 0) glGetNamedBufferSubData(name(), GLintptr(offset), GLsizeiptr(bytes), data);
}

void Buffer::clear() {
  const GLuint zero = 0;
  glClearNamedBufferData(name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

void Buffer::reserve(std::size_t bytes, GLbitfield flags) {
  if (!handle_ || bytes_ < bytes) *this = Buffer(bytes, nullptr, flags);
}

void Buffer::hold(std::span<const std::uint32_t> words) {
  reserve(words.size_bytes());
  write(0, words.size_bytes(), words.data());
}

void BufferView::bind_storage(GLuint binding) const {
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, offset, bytes);
}

void BufferView::read(std::size_t from, std::size_t count, void* data) const {
  if (count > 0) glGetNamedBufferSubData(buffer, offset + GLintptr(from), GLsizeiptr(count), data);
}

Texture::Texture(GLenum target, glm::ivec2 size) : size_(size) {
  GLuint made = 0;
  glCreateTextures(target, 1, &made);
  handle_ = Handle<DeleteTexture>(made);
}

int Texture::levels_of(int size) {
  int levels = 1;
  while (size > 1) size /= 2, ++levels;
  return levels;
}

void Texture::filter(bool mipmaps, bool repeat) const {
  set(GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
  set(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    set(axis, repeat ? GL_REPEAT : GL_CLAMP_TO_EDGE);
}

Texture Texture::flat(glm::ivec2 size, GLenum format, int levels, bool repeat) {
  Texture image(GL_TEXTURE_2D, size);
  glTextureStorage2D(image.name(), levels, format, size.x, size.y);
  image.filter(levels > 1, repeat);
  if (format == GL_DEPTH_COMPONENT32F)
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) image.set(filter, GL_NEAREST);
  return image;
}

Texture Texture::layered(glm::ivec2 size, int layers, GLenum format, int levels, bool repeat) {
  Texture image(GL_TEXTURE_2D_ARRAY, size);
  glTextureStorage3D(image.name(), levels, format, size.x, size.y, layers);
  image.filter(levels > 1, repeat);
  return image;
}

Texture Texture::solid(glm::ivec3 size, GLenum format, bool repeat) {
  Texture image(GL_TEXTURE_3D, {size.x, size.y});
  glTextureStorage3D(image.name(), 1, format, size.x, size.y, size.z);
  image.filter(false, repeat);
  return image;
}

Texture Texture::multisampled(glm::ivec2 size, GLenum format, int samples) {
  if (samples == 1) return flat(size, format);
  Texture image(GL_TEXTURE_2D_MULTISAMPLE, size);
  glTextureStorage2DMultisample(image.name(), samples, format, size.x, size.y, GL_TRUE);
  return image;
}

void Texture::write(GLenum format, GLenum type, const void* pixels) {
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(name(), 0, 0, 0, size_.x, size_.y, format, type, pixels);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

VertexArray::VertexArray() : handle_(created(glCreateVertexArrays)) {}

void VertexArray::attribute(GLuint index, int numbers, std::size_t offset, GLuint binding) const {
  glEnableVertexArrayAttrib(name(), index);
  glVertexArrayAttribFormat(name(), index, numbers, GL_FLOAT, GL_FALSE, GLuint(offset));
  glVertexArrayAttribBinding(name(), index, binding);
}

Fence Fence::place() {
  Fence fence;
  fence.sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();  // without it, a fence that is only polled might never be reached
  return fence;
}

void Fence::reset() {
  if (sync_) glDeleteSync(std::exchange(sync_, nullptr));
}

bool Fence::signalled() const {
  if (!sync_) return true;
  const GLenum status = glClientWaitSync(sync_, 0, 0);
  return status == GL_ALREADY_SIGNALED || status == GL_CONDITION_SATISFIED;
}

void Fence::wait() const {
  constexpr GLuint64 second = 1'000'000'000;
  while (sync_) {
    const GLenum status = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, second);
    if (status != GL_TIMEOUT_EXPIRED) return;
  }
}

}  // namespace kinescope::render
