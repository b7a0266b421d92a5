// How much is drawn: everything on a GPU, less by a software renderer.
#pragma once

#include <string>
#include <vector>

namespace kinescope::render::landscape {

struct Quality {
  // Shaders leave out what is expensive (bloom, second lookups of materials, wide shadow edges), and light surfaces
  // while they draw them.
  bool reduced = false;
  float scale = 1;       // size of the drawn picture divided by the size of the shown one
  int samples = 2;       // samples per pixel; the remaining edges are smoothed at the end
  int patch_cells = 24;  // along each side of a patch of the terrain
  int material_size = 512, noise_size = 512, cloud_noise_size = 64, cloud_field_size = 512;
  int cascades = 4, shadow_size = 1536, hill_shadow_size = 1024, hill_shadow_steps = 64;
  float shadow_distance = 700;  // m
  int cloud_divisor = 2, cloud_steps = 64;
  int smoke_steps = 72, smoke_shade_size = 48;
  int water_divisor = 2;          // the reflection's picture is smaller than the whole by this factor
  bool plants_by_compute = true;  // compute shaders draw the plants near the eye; else OpenGL does
  bool post_by_host = false;      // the processor maps and enlarges the picture: set for a reduced one by software
  bool wide_atomics = false;      // 64-bit atomics: set if the driver has them
  bool plants_reflected = true, bloom = true, light_shafts = true, grass = true;
  int anisotropy = 8;      // 1 for software: Mesa's loops over a footprint may not terminate
  float plant_detail = 2;  // factor on the distances up to which plants are drawn whole (Renderer::plants_seen)

  // The definitions that shaders are compiled with.
  std::vector<std::string> definitions(int samples_drawn = 1, const char* more = nullptr) const {
    std::vector<std::string> lines{"SAMPLES " + std::to_string(samples_drawn)};
    if (reduced) lines.push_back("REDUCED 1");
    if (wide_atomics) lines.push_back("WIDE_ATOMICS 1");
    if (more) lines.push_back(more);
    return lines;
  }

  static Quality full() { return {}; }
  static Quality reduced_for_software() {
    Quality q;
    q.reduced = true;
    q.scale = 0.6f;
    q.samples = 1;
    q.patch_cells = 8;
    q.material_size = 256;
    q.noise_size = 256;
    q.cloud_noise_size = 32;
    q.cloud_field_size = 256;
    q.cascades = 1;
    q.shadow_size = 1024;
    q.hill_shadow_size = 256;
    q.hill_shadow_steps = 32;
    q.shadow_distance = 160;
    q.cloud_divisor = 3;
    q.cloud_steps = 48;
    q.smoke_steps = 20;
    q.smoke_shade_size = 20;
    q.plants_by_compute = q.plants_reflected = q.bloom = q.light_shafts = q.grass = false;
    q.plant_detail = 0.18f;
    return q;
  }
};

}  // namespace kinescope::render::landscape
