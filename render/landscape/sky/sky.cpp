#include "render/landscape/sky/sky.hpp"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>

namespace kinescope::render::landscape {
namespace {

constexpr glm::ivec2 transmittance_size{256, 64};
}  // namespace

glm::vec3 direction_of(float azimuth, float elevation) {
  const float a = glm::radians(azimuth), e = glm::radians(elevation);
  return {std::sin(a) * std::cos(e), std::cos(a) * std::cos(e), std::sin(e)};
}

Heavens heavens_at(float sun_azimuth, float sun_elevation) {
  Heavens heavens;
  heavens.sun = direction_of(sun_azimuth, sun_elevation);
  // The moon is up at night, away from the sun, and never high.
  heavens.moon = direction_of(sun_azimuth + 145, std::clamp(8 - 0.6f * sun_elevation, -20.0f, 34.0f));
  heavens.by_sun = sun_elevation > -3.5f;
  heavens.key = heavens.by_sun ? heavens.sun : heavens.moon;
  const float dark = std::clamp((-sun_elevation - 2) / 12, 0.0f, 1.0f);
  heavens.night = dark * dark * (3 - 2 * dark);
  return heavens;
}

Sky::Sky(const Quality& quality)
    : quality_(quality),
      transmittance_shader_({"landscape/sky/transmittance_compute.glsl"}),
      sky_view_shader_({"landscape/sky/sky_view_compute.glsl"}),
      light_shader_({"landscape/sky/sky_light_compute.glsl"}),
      transmittance_(Texture::flat(transmittance_size, GL_RGBA16F)),
      sky_view_(Texture::flat(quality.reduced ? glm::ivec2(96, 96) : glm::ivec2(192, 160), GL_RGBA16F)),
      light_(sizeof(LightBlock)) {
  compute_image(transmittance_shader_, transmittance_, GL_RGBA16F);
}

void Sky::prepare(const Heavens& heavens, float cloud_cover) {
  transmittance_.bind(transmittance_unit);
  const float elevation = std::asin(std::clamp(heavens.sun.z, -1.0f, 1.0f));
  if (elevation != elevation_) {
    elevation_ = elevation;
    sky_view_shader_.set("sun_elevation", elevation);
    sky_view_shader_.set("steps", quality_.reduced ? 20 : 36);
    compute_image(sky_view_shader_, sky_view_, GL_RGBA16F);
  }
  sky_view_.bind(sky_view_unit);
  if (const glm::vec4 now{heavens.sun, cloud_cover}; now != lit_for_) {
    lit_for_ = now;
    light_.bind_storage(0);
    light_shader_.use();
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  }
  glBindBufferBase(GL_UNIFORM_BUFFER, light_binding, light_.name());
}

float Sky::exposure() const {
  LightBlock light;
  light_.read(0, sizeof light, &light);
  return light.exposure.x;
}

}  // namespace kinescope::render::landscape
