// The opaque surfaces of a view. On a GPU, drawing stores the depth of each sample, and the colour, normal and kind of
// everything but terrain (shaders/landscape/g_buffer/drawn.glsl). Compute shaders then light each surface in a pixel
// once, because data-centre GPUs have many times more cores for compute shaders than for drawing. Before that, compute
// shaders may draw too. A software renderer gains nothing from this, so it lights surfaces while it draws them.
//
//   g_buffer.resize(size)
//   g_buffer.begin(); ... OpenGL draws the terrain ...; g_buffer.gather_terrain()
//   ... OpenGL draws what stands on it ...; g_buffer.gather(); ... compute draws ...
//   g_buffer.light(...); g_buffer.lit() is the picture
#pragma once

#include <string>
#include <vector>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class GBuffer {
 public:
  GBuffer(const Quality& quality, int samples);
  void resize(glm::ivec2 size);

  void begin();  // binds the framebuffer and clears it
  // Copies the drawn depths into the samples on which compute shaders draw (shaders/landscape/g_buffer/samples.glsl).
  // Leaves the samples bound for these shaders, for light() and for the water.
  void gather_terrain() { gather(true); }
  void gather() { gather(false); }
  void place_samples(Shader& shader) const;  // sets the samples' positions within a pixel
  // Lights the view whose block is bound; `with_clouds`: the layer of clouds is bound.
  void light(bool with_clouds, bool by_night);
  const Framebuffer& lit() const { return lit_; }  // linear light
  // The depth of one sample of each pixel, 0 where the sky is; valid after light().
  const Texture& depth() const { return quality_.reduced ? lit_.depth() : seen_depth_; }
  // Writes that depth into the depth buffer of lit(), so that OpenGL can draw more.
  void leave_depth();

 private:
  void gather(bool terrain_only);
  void draw_sky();

  Quality quality_;
  int samples_;
  Shader light_shader_, gather_shader_, depth_shader_;
  Shader sky_shader_, day_sky_shader_;  // for software, instead of the others; by day it computes no stars
  Texture depth_, albedo_, normal_, seen_depth_;
  Buffer samples_buffer_;
  std::vector<glm::vec2> sample_places_;
  Handle<DeleteFramebuffer> framebuffer_;
  Framebuffer lit_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
