#include "render/landscape/plants/plant_raster.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

constexpr std::size_t most_batches = 1 << 20, most_tiles = 1 << 20, entry_bytes = 2 * sizeof(std::uint32_t);
constexpr GLuint groups = 2048;  // enough to fill any GPU; each takes one batch after another

}  // namespace

PlantRaster::PlantRaster(const Quality& quality, int samples)
    : wide_atomics_(quality.wide_atomics),
      triangles_shader_({"landscape/plants/plant_raster_compute.glsl"}, quality.definitions(samples)),
      tiles_shader_({"landscape/plants/plant_raster_compute.glsl"}, quality.definitions(samples, "TILES 1")),
      batches_((most_batches + 1) * entry_bytes),
      tiles_(most_tiles * entry_bytes) {}

void PlantRaster::begin() {
  const std::uint32_t none[2] = {0, 0};
  batches_.write(0, sizeof none, none);
  batches_.bind_storage(batches_binding);
}

void PlantRaster::draw(const GBuffer& g_buffer) {
  batches_.bind_storage(batches_binding);
  tiles_.bind_storage(tiles_binding);
  g_buffer.place_samples(triangles_shader_);
  g_buffer.place_samples(tiles_shader_);
  draw_round(false);
  if (!wide_atomics_) draw_round(true);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void PlantRaster::draw_round(bool naming) {
  const std::uint32_t none = 0;
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  batches_.write(sizeof none, sizeof none, &none);
  for (Shader* shader : {&triangles_shader_, &tiles_shader_}) {
    shader->set("naming", naming);
    shader->use();
    glDispatchCompute(groups, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
}

}  // namespace kinescope::render::landscape
