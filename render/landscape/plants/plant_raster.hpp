// Draws the triangles of plants near the eye with compute shaders, into the samples of the GBuffer. Data-centre GPUs
// have many times more cores for compute shaders than for drawing, and small triangles leave the latter partly idle.
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
  // Finds each sample's nearest depth and the triangle that has it: in one round with 64-bit atomics, else in two.
  // Instances, vertices and indices must be bound, and GBuffer::gather() must have been called.
  void draw(const GBuffer& g_buffer);

  static constexpr std::size_t most_triangles = 1 << 24;  // of all meshes

 private:
  void draw_round(bool naming);

  bool wide_atomics_;
  Shader triangles_shader_, tiles_shader_;
  Buffer batches_, tiles_;
};

}  // namespace kinescope::render::landscape
