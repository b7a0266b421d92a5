// Move-only owners of OpenGL objects. All need a current context, also at destruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glad/gl.h>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <utility>

namespace kinescope::render {

// Owns one object name; `Delete` deletes it.
template <class Delete>
class Handle {
 public:
  Handle() = default;
  explicit Handle(GLuint name) : name_(name) {}
  Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~Handle() {
    if (name_) Delete{}(name_);
  }
  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

struct DeleteBuffer {
  void operator()(GLuint name) const { glDeleteBuffers(1, &name); }
};
struct DeleteTexture {
  void operator()(GLuint name) const { glDeleteTextures(1, &name); }
};
struct DeleteFramebuffer {
  void operator()(GLuint name) const { glDeleteFramebuffers(1, &name); }
};
struct DeleteVertexArray {
  void operator()(GLuint name) const { glDeleteVertexArrays(1, &name); }
};
struct DeleteQuery {
  void operator()(GLuint name) const { glDeleteQueries(1, &name); }
};

// A part of a buffer that somebody else owns; buffer 0 means that there is none.
struct BufferView {
  GLuint buffer = 0;
  GLintptr offset = 0;  // a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT
  GLsizeiptr bytes = 0;
  explicit operator bool() const { return buffer != 0; }
  void bind_storage(GLuint binding) const;
  void read(std::size_t from, std::size_t count,
            void* data) const;  // in bytes; waits until pending writes to it are done
};

// A buffer of fixed size. `flags` are glNamedBufferStorage's.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes, const void* data = nullptr, GLbitfield flags = 0);

  GLuint name() const { return handle_.name(); }
  std::size_t bytes() const { return bytes_; }
  explicit operator bool() const { return bool(handle_); }
  BufferView view() const;  // all of it
  void write(std::size_t offset, std::size_t bytes, const void* data);
  void read(std::size_t offset, std::size_t bytes, void* data) const;  // waits until pending writes to it are done
  void clear();                                                        // all bytes 0
  void bind_storage(GLuint binding) const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, name()); }
  void hold(std::span<const std::uint32_t> words);  // grows if necessary, then writes the words at offset 0
  // Makes the buffer at least this large; growing loses the content. `flags` as above, the same in each call.
  void reserve(std::size_t bytes, GLbitfield flags = 0);

 private:
  Handle<DeleteBuffer> handle_;
  std::size_t bytes_ = 0;
};

// A texture of any kind with its mipmaps; linearly filtered, except depths.
class Texture {
 public:
  Texture() = default;
  static Texture flat(glm::ivec2 size, GLenum format, int levels = 1, bool repeat = false);
  static Texture layered(glm::ivec2 size, int layers, GLenum format, int levels, bool repeat);
  static Texture solid(glm::ivec3 size, GLenum format, bool repeat);
  static Texture multisampled(glm::ivec2 size, GLenum format, int samples);  // a plain 2-D texture if `samples` is 1

  GLuint name() const { return handle_.name(); }
  glm::ivec2 size() const { return size_; }
  explicit operator bool() const { return bool(handle_); }
  void bind(GLuint unit) const { glBindTextureUnit(unit, name()); }
  void bind_image(GLuint unit, GLenum format, GLenum access = GL_WRITE_ONLY) const {
    glBindImageTexture(unit, name(), 0, GL_TRUE, 0, access, format);
  }
  void set(GLenum parameter, GLint value) const { glTextureParameteri(name(), parameter, value); }
  void make_mipmaps() const { glGenerateTextureMipmap(name()); }
  static int levels_of(int size);
  // Writes a 2-D texture; rows from the bottom up, tightly packed.
  void write(GLenum format, GLenum type, const void* pixels);

 private:
  Texture(GLenum target, glm::ivec2 size);
  void filter(bool mipmaps, bool repeat) const;
  Handle<DeleteTexture> handle_;
  glm::ivec2 size_{0, 0};
};

// A vertex array. Most have no attributes: their shaders fetch vertices from storage buffers by gl_VertexID.
class VertexArray {
 public:
  VertexArray();
  GLuint name() const { return handle_.name(); }
  void bind() const { glBindVertexArray(name()); }
  // An attribute of `numbers` floats, at this offset in each vertex of the buffer bound at `binding`.
  void attribute(GLuint index, int numbers, std::size_t offset, GLuint binding) const;

 private:
  Handle<DeleteVertexArray> handle_;
};

// Signalled when all commands issued before it have finished.
class Fence {
 public:
  Fence() = default;
  Fence(Fence&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
  Fence& operator=(Fence&& other) noexcept {
    std::swap(sync_, other.sync_);
    return *this;
  }
  ~Fence() { reset(); }
  static Fence place();
  void reset();
  explicit operator bool() const { return sync_ != nullptr; }
  bool signalled() const;  // does not wait; true for an empty fence
  void wait() const;

 private:
  GLsync sync_ = nullptr;
};

}  // namespace kinescope::render
