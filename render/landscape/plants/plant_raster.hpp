// Draws the triangles of plants near the eye by compute shaders, into the samples of the GBuffer: data-centre GPUs
// compute on many times more cores than they draw with, and small triangles do not keep the latter busy.
//
//   raster.begin(); ... culling appends batches of triangles ...; raster.draw(g_buffer)
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/g_buffer.hpp"

namespace kinescope::render::landscape {

class PlantRaster {
 public:
  PlantRaster(const Quality& quality, int samples);

  void begin();  // empties the list of batches and binds it for plant_cull_compute.glsl
  // Finds the nearest depths and the triangles that have them: in one round with 64-bit atomics, else in two.
  // Instances, vertices and indices must be bound, and the surfaces gathered.
  void draw(const GBuffer& g_buffer);

  static constexpr std::size_t most_triangles = 1 << 24;  // of all meshes

 private:
  void draw_round(bool naming);

  bool wide_atomics_;
  Shader triangles_shader_, tiles_shader_;
  Buffer batches_, tiles_;
};

}  // namespace kinescope::render::landscape
