// The landscape's parts on either backend, without a simulation: for programs that want only a terrain or a surface,
// and for tests and timings. Every call waits until its work is done.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/landscape/landscape_parameters.hpp"
#include "kinescope/landscape/mesh.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim::landscape {

struct TerrainSettings {
  std::uint64_t seed = 1;
  int levels = 10;  // n of 2^n + 1
  float roughness = 0.55f, relief = 350;
  Shape shape = Shape::hills;
};

struct TerrainData {
  int size = 0;                        // heights along a side
  std::vector<float> heights;          // [size²] m
  std::vector<std::uint32_t> normals;  // [size²] packed by pack_normal
};

struct CubicGrid {
  float corner[3] = {0, 0, 0};
  float side = 1;
  int nodes = 64;  // along a side, 2 at least
};

class Parts {
 public:
  virtual ~Parts() = default;

  virtual TerrainData terrain(const TerrainSettings& settings) = 0;
  // [nodes³], x fastest.
  virtual std::vector<float> field(const CubicGrid& grid, const std::vector<Ball>& balls) = 0;
  virtual SurfaceData surface(const CubicGrid& grid, const std::vector<Ball>& balls, float iso,
                              std::size_t vertex_capacity) = 0;
  virtual SurfaceData surface(const CubicGrid& grid, const std::vector<float>& values, float iso,
                              std::size_t vertex_capacity) = 0;

  // Mean seconds of one operation, over `repetitions` enqueued one after another; one more is done before for warming
  // up. The result stays in the executor's memory. `vertices` gets the number of the surface's vertices.
  virtual double time_terrain(const TerrainSettings& settings, int repetitions) = 0;
  virtual double time_surface(const CubicGrid& grid, const std::vector<Ball>& balls, float iso, int repetitions,
                              std::size_t& vertices) = 0;
  // The same for the surface of a wavy sphere, whose field is given at all nodes.
  virtual double time_dense_surface(int nodes, int repetitions, std::size_t& vertices) = 0;
};

std::unique_ptr<Parts> make_parts_cpu(int threads);
std::unique_ptr<Parts> make_parts_cuda(int device);

}  // namespace kinescope::sim::landscape
