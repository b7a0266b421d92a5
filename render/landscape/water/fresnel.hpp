// How much of the light a water surface reflects: the twin of shaders/landscape/water/fresnel.glsl, for tests.
#pragma once

#include <algorithm>

namespace kinescope::render::landscape {

inline constexpr float water_reflectance = 0.02f;

// `cosine` of the angle between view and normal; 1 at grazing, water_reflectance at vertical view (Schlick 1994).
inline float fresnel(float cosine) {
  const float c = std::clamp(1 - cosine, 0.0f, 1.0f);
  return water_reflectance + (1 - water_reflectance) * (c * c * c * c * c);
}

}  // namespace kinescope::render::landscape
