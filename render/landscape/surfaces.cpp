#include "render/landscape/surfaces.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {

Surfaces::Surfaces(const Quality& quality, int samples) : quality_(quality), samples_(samples) {
  if (quality.reduced)
    sky_shader_ = Shader({"landscape/screen_vertex.glsl", "landscape/sky_fragment.glsl"});
  else
    light_shader_ = Shader({"landscape/light_compute.glsl"}, shading_definitions(quality, samples));
}

void Surfaces::resize(glm::ivec2 size) {
  if (lit_ && lit_.size() == size) return;
  lit_ = Target(size);
  if (quality_.reduced) return;
  const auto texture = [&](GLenum format) {
    return samples_ > 1 ? MipTexture::multisampled(size, format, samples_) : MipTexture::flat(size, format);
  };
  depth_ = texture(GL_DEPTH_COMPONENT32F);
  albedo_ = texture(GL_RGBA8);
  normal_ = texture(GL_RGBA8);
  framebuffer_ = Handle<DeleteFramebuffer>(new_framebuffer());
  const GLuint name = framebuffer_.name();
  glNamedFramebufferTexture(name, GL_DEPTH_ATTACHMENT, depth_.name(), 0);
  glNamedFramebufferTexture(name, GL_COLOR_ATTACHMENT0, albedo_.name(), 0);
  glNamedFramebufferTexture(name, GL_COLOR_ATTACHMENT1, normal_.name(), 0);
  const GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glNamedFramebufferDrawBuffers(name, 2, buffers);
  check_complete(name, size);
}

void Surfaces::begin() {
  const GLuint name = quality_.reduced ? lit_.name() : framebuffer_.name();
  const float nothing[4] = {0, 0, 0, 0};
  // Of surfaces only the kind: colours are read where something stands.
  glClearNamedFramebufferfv(name, GL_COLOR, quality_.reduced ? 0 : 1, nothing);
  glClearNamedFramebufferfv(name, GL_DEPTH, 0, nothing);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  glViewport(0, 0, lit_.size().x, lit_.size().y);
}

void Surfaces::light(bool with_clouds) {
  Shader& shader = quality_.reduced ? sky_shader_ : light_shader_;
  shader.set("with_clouds", with_clouds);
  shader.use();
  if (quality_.reduced) return draw_sky();
  depth_.bind(unit::drawn_depth);
  albedo_.bind(unit::drawn_albedo);
  normal_.bind(unit::drawn_normal);
  lit_.colour().bind_image(0, GL_RGBA16F);
  const glm::ivec2 size = lit_.size();
  dispatch_over(size);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
  glBlitNamedFramebuffer(framebuffer_.name(), lit_.name(), 0, 0, size.x, size.y, 0, 0, size.x, size.y,
                         GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

void Surfaces::draw_sky() {
  no_vertices_.bind();
  glDepthFunc(GL_GEQUAL);
  glDepthMask(GL_FALSE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_GREATER);
}

std::vector<std::string> shading_definitions(const Quality& quality, int samples) {
  std::vector<std::string> lines{"SAMPLES " + std::to_string(samples)};
  if (quality.reduced) lines.push_back("REDUCED 1");
  return lines;
}

}  // namespace kinescope::render::landscape
