// Textures and framebuffers of the landscape's passes.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "render/gl/objects.hpp"

namespace kinescope::render::landscape {

// A texture of any kind with its mipmaps.
class MipTexture {
 public:
  MipTexture() = default;
  static MipTexture flat(glm::ivec2 size, GLenum format, int levels = 1, bool repeat = false);
  static MipTexture layered(glm::ivec2 size, int layers, GLenum format, int levels, bool repeat);
  static MipTexture solid(glm::ivec3 size, GLenum format, bool repeat);
  static MipTexture multisampled(glm::ivec2 size, GLenum format, int samples);

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

 private:
  MipTexture(GLenum target, glm::ivec2 size);
  void filter(bool mipmaps, bool repeat) const;
  Handle<DeleteTexture> handle_;
  glm::ivec2 size_{0, 0};
};

// A colour, in linear light if nothing else is asked for, and perhaps a reversed 32-bit depth.
class Target {
 public:
  Target() = default;
  explicit Target(glm::ivec2 size, bool with_depth = true, GLenum format = GL_RGBA16F);
  // With the depth of another one, which must outlive it.
  static Target over(const Target& other);

  glm::ivec2 size() const { return colour_.size(); }
  GLuint name() const { return framebuffer_.name(); }
  explicit operator bool() const { return bool(framebuffer_); }
  const MipTexture& colour() const { return colour_; }
  const MipTexture& depth() const { return depth_; }
  void bind() const;  // and the viewport over all of it

 private:
  void attach(const MipTexture& depth) const;
  MipTexture colour_, depth_;
  Handle<DeleteFramebuffer> framebuffer_;
};

GLuint new_framebuffer();
void check_complete(GLuint framebuffer, glm::ivec2 size);  // throws sim::Error (run) if it cannot be drawn to

// The program in use, over all pixels of an image: groups of 8 × 8.
void dispatch_over(glm::ivec2 size, int layers = 1);

}  // namespace kinescope::render::landscape
