// Parts for any executor.
#pragma once

#include <algorithm>
#include <chrono>

#include "kinescope/executors/executor.hpp"
#include "kinescope/landscape/parts.hpp"
#include "sim/landscape/smoke/field_kernels.hpp"
#include "sim/landscape/smoke/smoke_particles.hpp"
#include "sim/landscape/smoke/smoke_surface.hpp"
#include "sim/landscape/terrain/terrain.hpp"

namespace kinescope::sim::landscape {

// A field that is positive inside a sphere with a wavy radius.
struct WavySphere {
  float* values;
  std::int32_t nodes;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const float scale = 1.0f / static_cast<float>(nodes - 1);
    const float x = static_cast<float>(i % nodes) * scale - 0.5f,
                y = static_cast<float>(i / nodes % nodes) * scale - 0.5f;
    const float z = static_cast<float>(i / nodes / nodes) * scale - 0.5f;
    values[i] = 0.38f - std::sqrt(x * x + y * y + z * z) +
                0.03f * sine_turns(3 * x) * sine_turns(4 * y + 0.1f) * sine_turns(5 * z + 0.2f);
  }
};

template <Executor E>
class PartsOf : public Parts {
 public:
  explicit PartsOf(int processor) : executor_(processor) {}

  TerrainData terrain(const TerrainSettings& settings) override {
    TerrainField<E> field(executor_, settings);
    field.generate();
    return {field.size(), field.heights(), field.normals()};
  }

  std::vector<float> field(const CubicGrid& grid, const std::vector<Ball>& balls) override {
    SmokeSurface<E> surface(executor_, place(grid));
    const Array<Ball, E> own(executor_, std::span<const Ball>(balls));
    surface.sum(own.data(), std::int64_t(balls.size()), largest(balls), 0.5f);
    const auto nodes = static_cast<std::size_t>(grid.nodes);
    std::vector<float> values(nodes * nodes * nodes);
    executor_.copy_out(values.data(), surface.values(), values.size() * sizeof(float));
    return values;
  }

  SurfaceData surface(const CubicGrid& grid, const std::vector<Ball>& balls, float iso,
                      std::size_t vertex_capacity) override {
    SmokeSurface<E> surface(executor_, place(grid));
    const Array<Ball, E> own(executor_, std::span<const Ball>(balls));
    surface.sum(own.data(), std::int64_t(balls.size()), largest(balls), iso);
    OwnSurface<E> memory(executor_, vertex_capacity);
    surface.extract(iso, memory.view());
    return memory.download();
  }

  SurfaceData surface(const CubicGrid& grid, const std::vector<float>& values, float iso,
                      std::size_t vertex_capacity) override {
    SmokeSurface<E> surface(executor_, place(grid));
    const Array<float, E> own(executor_, std::span<const float>(values));
    OwnSurface<E> memory(executor_, vertex_capacity);
    surface.extract_dense(own.data(), iso, memory.view());
    return memory.download();
  }

  double time_terrain(const TerrainSettings& settings, int repetitions) override {
    TerrainField<E> field(executor_, settings);
    return timed(repetitions, [&] { field.generate(); });
  }

  double time_surface(const CubicGrid& grid, const std::vector<Ball>& balls, float iso, int repetitions,
                      std::size_t& vertices) override {
    SmokeSurface<E> surface(executor_, place(grid));
    const Array<Ball, E> own(executor_, std::span<const Ball>(balls));
    OwnSurface<E> memory(executor_, std::size_t{1} << 24);
    const double seconds = timed(repetitions, [&] {
      surface.sum(own.data(), std::int64_t(balls.size()), largest(balls), iso);
      surface.extract(iso, memory.view());
    });
    vertices = memory.draw.download()[5];
    return seconds;
  }

  double time_dense_surface(int nodes, int repetitions, std::size_t& vertices) override {
    SmokeSurface<E> surface(executor_, place({{0, 0, 0}, 1, nodes}));
    const std::int64_t count = std::int64_t{nodes} * nodes * nodes;
    Array<float, E> values(executor_, static_cast<std::size_t>(count));
    executor_.for_each("values", count, WavySphere{values.data(), nodes});
    OwnSurface<E> memory(executor_, std::size_t{1} << 24);
    const double seconds = timed(repetitions, [&] { surface.extract_dense(values.data(), 0, memory.view()); });
    vertices = memory.draw.download()[5];
    return seconds;
  }

 private:
  static GridPlace place(const CubicGrid& grid) { return make_grid(grid.corner, grid.side, grid.nodes); }
  static float largest(const std::vector<Ball>& balls) {
    float radius = 0;
    for (const Ball& ball : balls) radius = std::max(radius, ball.radius);
    return radius;
  }

  template <class F>
  double timed(int repetitions, F enqueue) {
    using Clock = std::chrono::steady_clock;
    enqueue();
    executor_.wait();
    const auto began = Clock::now();
    for (int i = 0; i < repetitions; ++i) enqueue();
    executor_.wait();
    return std::chrono::duration<double>(Clock::now() - began).count() / repetitions;
  }

  E executor_;
};

}  // namespace kinescope::sim::landscape
