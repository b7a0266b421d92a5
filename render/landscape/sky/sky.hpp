// The sky: tables of the light in the air, recomputed on the GPU when the sun has moved, and the light that the sky
// sends to surfaces.
#pragma once

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/frame_block.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

// The directions of the sun and the moon, and which of them lights the scene.
struct Heavens {
  glm::vec3 sun{0, 0, 1}, moon{0, 0, 1};
  glm::vec3 key{0, 0, 1};  // whichever of the two lights the scene
  bool by_sun = true;
  float night = 0;  // 0 by day … 1 once the sky is dark
};
// Degrees: azimuth clockwise from north, elevation above the horizon.
Heavens heavens_at(float sun_azimuth, float sun_elevation);
glm::vec3 direction_of(float azimuth, float elevation);

class Sky {
 public:
  explicit Sky(const Quality& quality);
  // Needs the frame's block bound. Recomputes the tables and the light if the sun or the clouds have changed, and binds
  // them.
  void prepare(const Heavens& heavens, float cloud_cover);
  // The factor on light that suits what prepare() computed. Waits for it.
  float exposure() const;

 private:
  Quality quality_;
  Shader transmittance_shader_, sky_view_shader_, light_shader_;
  Texture transmittance_, sky_view_;
  Buffer light_;
  float elevation_ = -100;
  glm::vec4 lit_for_{0};
};

}  // namespace kinescope::render::landscape
