#include "render/landscape/g_buffer.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {

GBuffer::GBuffer(const Quality& quality, int samples) : quality_(quality), samples_(samples) {
  if (quality.reduced) {
    const std::vector<std::string> files{"landscape/screen_vertex.glsl", "landscape/sky/sky_fragment.glsl"};
    sky_shader_ = Shader(files, quality.definitions());
    day_sky_shader_ = Shader(files, quality.definitions(1, "DAY 1"));
    return;
  }
  const std::vector<std::string> defined = quality.definitions(samples);
  light_shader_ = Shader({"landscape/g_buffer/light_compute.glsl"}, defined);
  gather_shader_ = Shader({"landscape/g_buffer/samples_compute.glsl"}, defined);
  depth_shader_ = Shader({"landscape/screen_vertex.glsl", "landscape/g_buffer/samples_fragment.glsl"}, defined);
}

void GBuffer::resize(glm::ivec2 size) {
  if (lit_ && lit_.size() == size) return;
  lit_ = Framebuffer(size, {.depth = true, .format = GL_RGBA16F});
  if (quality_.reduced) return;
  depth_ = Texture::multisampled(size, GL_DEPTH_COMPONENT32F, samples_);
  albedo_ = Texture::multisampled(size, GL_RGBA8, samples_);
  normal_ = Texture::multisampled(size, GL_RGBA8, samples_);
  framebuffer_ = make_framebuffer();
  const GLuint name = framebuffer_.name();
  glNamedFramebufferTexture(name, GL_DEPTH_ATTACHMENT, depth_.name(), 0);
  glNamedFramebufferTexture(name, GL_COLOR_ATTACHMENT0, albedo_.name(), 0);
  glNamedFramebufferTexture(name, GL_COLOR_ATTACHMENT1, normal_.name(), 0);
  const GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glNamedFramebufferDrawBuffers(name, 2, buffers);
  require_complete(name, size);
  seen_depth_ = Texture::flat(size, GL_R32F);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) seen_depth_.set(filter, GL_NEAREST);
  samples_buffer_ = Buffer(std::size_t(size.x) * std::size_t(size.y) * std::size_t(samples_) * 8);
  sample_places_.assign(std::size_t(samples_), glm::vec2(0.5f));
  if (samples_ == 1) return;
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  for (int i = 0; i < samples_; ++i)
    glGetMultisamplefv(GL_SAMPLE_POSITION, GLuint(i), &sample_places_[std::size_t(i)].x);
}

void GBuffer::place_samples(Shader& shader) const {
  shader.set("sample_places", sample_places_);
}

void GBuffer::gather(bool terrain_only) {
  if (quality_.reduced) return;
  gather_shader_.set("terrain_only", terrain_only);
  depth_.bind(drawn_depth_unit);
  samples_buffer_.bind_storage(samples_binding);
  gather_shader_.use();
  dispatch_over(lit_.size());
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void GBuffer::begin() {
  const GLuint name = quality_.reduced ? lit_.name() : framebuffer_.name();
  const float nothing[4] = {0, 0, 0, 0};
  // On a GPU, colour and normal need no clearing: they are read only where something was drawn.
  if (quality_.reduced) glClearNamedFramebufferfv(name, GL_COLOR, 0, nothing);
  glClearNamedFramebufferfv(name, GL_DEPTH, 0, nothing);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  glViewport(0, 0, lit_.size().x, lit_.size().y);
}

void GBuffer::light(bool with_clouds, bool by_night) {
  Shader& shader = !quality_.reduced ? light_shader_ : by_night ? sky_shader_ : day_sky_shader_;
  shader.set("with_clouds", with_clouds);
  if (quality_.reduced) {
    shader.use();
    return draw_sky();
  }
  place_samples(shader);
  albedo_.bind(drawn_albedo_unit);
  normal_.bind(drawn_normal_unit);
  seen_depth_.bind_image(1, GL_R32F);
  compute_image(shader, lit_.colour(), GL_RGBA16F, GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
}

void GBuffer::leave_depth() {
  if (quality_.reduced) return;  // lit_ was drawn with its depth
  lit_.bind();
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glDepthFunc(GL_ALWAYS);
  depth_shader_.use();
  no_vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_GREATER);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void GBuffer::draw_sky() {
  no_vertices_.bind();
  glDepthFunc(GL_GEQUAL);
  glDepthMask(GL_FALSE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_GREATER);
}

}  // namespace kinescope::render::landscape
