// Textures and framebuffers of the landscape's passes.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "render/objects.hpp"

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

// Colour in linear light (RGBA16F) and a reversed 32-bit depth, perhaps multisampled.
class Target {
 public:
  Target() = default;
  Target(glm::ivec2 size, int samples, bool with_depth = true, GLenum format = GL_RGBA16F);

  glm::ivec2 size() const { return colour_.size(); }
  GLuint name() const { return framebuffer_.name(); }
  // The resolved picture; of a multisampled target after resolve().
  const MipTexture& colour() const { return resolved_ ? resolved_colour_ : colour_; }
  const MipTexture& depth() const { return resolved_ ? resolved_depth_ : depth_; }
  void bind() const;                   // and the viewport over all of it
  void clear(glm::vec3 colour) const;  // and the depth: nothing is there
  void resolve(GLbitfield what = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT) const;

 private:
  MipTexture colour_, depth_, resolved_colour_, resolved_depth_;
  Handle<DeleteFramebuffer> framebuffer_, resolved_;
};

GLuint new_framebuffer();

// The program in use, over all pixels of an image: groups of 8 × 8.
void dispatch_over(glm::ivec2 size, int layers = 1);

}  // namespace kinescope::render::landscape
