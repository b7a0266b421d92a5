// The solid part of a view, from its surfaces to their light. Where a GPU draws, drawing leaves of each sample the
// depth, and of what is not terrain the colour, the normal and the kind (shaders/landscape/g_buffer/drawn.glsl); the
// light falls on it afterwards, by compute, once for each surface in a pixel: data-centre GPUs compute on many times
// more cores than they draw with. In between compute may draw too. Software, to which that is the same, lights what it
// draws at once.
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

  void begin();  // binds what is drawn to, with nothing on it
  // The samples as compute draws on them (shaders/landscape/g_buffer/samples.glsl), bound for it, for light() and for
  // the water.
  void gather_terrain() { gather(true); }
  void gather() { gather(false); }
  void place_samples(Shader& shader) const;  // where in their pixel they are
  // For the view whose block is bound; `with_clouds`: their layer is bound.
  void light(bool with_clouds);
  const Framebuffer& lit() const { return lit_; }  // linear light, and one sample's depth

 private:
  void gather(bool terrain_only);
  void draw_sky();
  void leave_depth();

  Quality quality_;
  int samples_;
  Shader light_shader_, gather_shader_, depth_shader_;
  Shader sky_shader_;  // of software, instead of the others
  Texture depth_, albedo_, normal_;
  Buffer samples_buffer_;
  std::vector<glm::vec2> sample_places_;
  Handle<DeleteFramebuffer> framebuffer_;
  Framebuffer lit_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
