#include "render/landscape/targets.hpp"

#include <algorithm>
#include <string>

#include "sim/core/error.hpp"

namespace kinescope::render::landscape {
namespace {

GLuint new_texture(GLenum target) {
  GLuint name = 0;
  glCreateTextures(target, 1, &name);
  return name;
}

}  // namespace

GLuint new_framebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return name;
}

void dispatch_over(glm::ivec2 size, int layers) {
  glDispatchCompute(GLuint(size.x + 7) / 8, GLuint(size.y + 7) / 8, GLuint(layers));
}

void check_complete(GLuint framebuffer, glm::ivec2 size) {
  if (glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw sim::run_error("a picture of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                         " pixels is more than this OpenGL draws");
}

int MipTexture::levels_of(int size) {
  int levels = 1;
  while (size > 1) size /= 2, ++levels;
  return levels;
}

MipTexture::MipTexture(GLenum target, glm::ivec2 size) : handle_(new_texture(target)), size_(size) {}

void MipTexture::filter(bool mipmaps, bool repeat) const {
  set(GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
  set(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    set(axis, repeat ? GL_REPEAT : GL_CLAMP_TO_EDGE);
}

MipTexture MipTexture::flat(glm::ivec2 size, GLenum format, int levels, bool repeat) {
  MipTexture image(GL_TEXTURE_2D, size);
  glTextureStorage2D(image.name(), levels, format, size.x, size.y);
  image.filter(levels > 1, repeat);
  return image;
}

MipTexture MipTexture::layered(glm::ivec2 size, int layers, GLenum format, int levels, bool repeat) {
  MipTexture image(GL_TEXTURE_2D_ARRAY, size);
  glTextureStorage3D(image.name(), levels, format, size.x, size.y, layers);
  image.filter(levels > 1, repeat);
  return image;
}

MipTexture MipTexture::solid(glm::ivec3 size, GLenum format, bool repeat) {
  MipTexture image(GL_TEXTURE_3D, {size.x, size.y});
  glTextureStorage3D(image.name(), 1, format, size.x, size.y, size.z);
  image.filter(false, repeat);
  return image;
}

MipTexture MipTexture::multisampled(glm::ivec2 size, GLenum format, int samples) {
  MipTexture image(GL_TEXTURE_2D_MULTISAMPLE, size);
  glTextureStorage2DMultisample(image.name(), samples, format, size.x, size.y, GL_TRUE);
  return image;
}

Target::Target(glm::ivec2 size, bool with_depth, GLenum format)
    : colour_(MipTexture::flat(size, format)), framebuffer_(new_framebuffer()) {
  if (with_depth) {
    depth_ = MipTexture::flat(size, GL_DEPTH_COMPONENT32F);
    depth_.set(GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    depth_.set(GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }
  attach(depth_);
}

Target Target::over(const Target& other) {
  Target target(other.size(), false);
  target.attach(other.depth_);
  return target;
}

void Target::attach(const MipTexture& depth) const {
  glNamedFramebufferTexture(name(), GL_COLOR_ATTACHMENT0, colour_.name(), 0);
  if (depth) glNamedFramebufferTexture(name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
  check_complete(name(), size());
}

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name());
  glViewport(0, 0, size().x, size().y);
}

}  // namespace kinescope::render::landscape
