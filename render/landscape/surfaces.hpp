// The solid part of a view, from its surfaces to their light. Where a GPU draws, drawing leaves of each sample the
// depth, and of what is no ground the colour, the normal and the kind (shaders/landscape/drawn.glsl); the light falls
// on it afterwards, by compute, once for each surface in a pixel: data-centre GPUs compute on many times more cores
// than they draw with. Software, to which that is the same, lights what it draws at once.
//
//   surfaces.resize(size)
//   surfaces.begin(); ... draw ...; surfaces.light(...); surfaces.lit() is the picture
#pragma once

#include <string>
#include <vector>

#include "render/landscape/quality.hpp"
#include "render/landscape/targets.hpp"
#include "render/shader.hpp"

namespace kinescope::render::landscape {

class Surfaces {
 public:
  Surfaces(const Quality& quality, int samples);
  void resize(glm::ivec2 size);

  void begin();  // binds what is drawn to, with nothing on it
  // For the view whose block is bound; `with_clouds`: their layer is bound.
  void light(bool with_clouds);
  const Target& lit() const { return lit_; }  // linear light, and one sample's depth
  const MipTexture& depth() const { return quality_.reduced ? lit_.depth() : depth_; }  // of all samples

 private:
  void draw_sky();

  Quality quality_;
  int samples_;
  Shader light_shader_, sky_shader_;  // the one or the other
  MipTexture depth_, albedo_, normal_;
  Handle<DeleteFramebuffer> framebuffer_;
  Target lit_;
  VertexArray no_vertices_;
};

// Of the shaders that read or light surfaces.
std::vector<std::string> shading_definitions(const Quality& quality, int samples = 1);

}  // namespace kinescope::render::landscape
