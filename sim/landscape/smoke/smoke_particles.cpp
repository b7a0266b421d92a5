#include "sim/landscape/smoke/smoke_particles.hpp"

#include <glm/geometric.hpp>

namespace kinescope::sim::landscape {

SmokeFlow make_flow(std::uint64_t seed, const glm::vec3& chimney_mouth) {
  SmokeFlow flow;
  for (int c = 0; c < 3; ++c) {
    flow.mouth[c] = chimney_mouth[c];
    flow.corner[c] = chimney_mouth[c] - (c < 2 ? smoke_cube_side / 2 : 0);
  }
  const Random random(seed, flow_stream);
  for (int m = 0; m < SmokeFlow::modes; ++m) {
    const auto draw = [&](int n) {
      return random.uniform64(static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(n));
    };
    // Eddies from 14 m down to 2.5 m; the smaller they are, the weaker.
    const double wavelength = 14 * std::pow(2.5 / 14, double(m) / (SmokeFlow::modes - 1));
    const double height = 2 * draw(0) - 1;
    const SineCosine around = portable_sincospi(2 * draw(1)), turned = portable_sincospi(2 * draw(2));
    const double level = std::sqrt(1 - height * height);
    const glm::dvec3 k(level * around.cosine, level * around.sine, height);
    const glm::dvec3 side =
        glm::normalize(glm::cross(k, std::fabs(height) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0)));
    const glm::dvec3 across = turned.cosine * side + turned.sine * glm::cross(k, side);
    const double speed = 0.62 * std::pow(wavelength / 14, 0.4);
    flow.mode[m] = {static_cast<float>(k.x / wavelength),
                    static_cast<float>(k.y / wavelength),
                    static_cast<float>(k.z / wavelength),
                    static_cast<float>(draw(3)),
                    static_cast<float>(0.9 / wavelength * (2 * draw(4) - 1)),
                    static_cast<float>(speed * across.x),
                    static_cast<float>(speed * across.y),
                    static_cast<float>(speed * across.z)};
  }
  return flow;
}

}  // namespace kinescope::sim::landscape
