// The terrain: large forms from the shape and the seed, midpoint displacement to (2^n + 1)² heights, two Gaussians,
// normals. It can be used without a simulation: TerrainField<Cpu> or TerrainField<Cuda> and generate().
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/functors.hpp"
#include "kinescope/landscape/landscape.hpp"
#include "kinescope/landscape/landscape_parameters.hpp"
#include "kinescope/landscape/parts.hpp"
#include "sim/landscape/terrain/terrain_strips.hpp"

namespace kinescope::sim::landscape {

// The large forms: [(2^5 + 1)²] heights in metres, 0 … relief. They suit a sea level of about a sixth of the relief.
std::vector<float> control_heights(const TerrainSettings& settings);
TerrainForm terrain_form(const TerrainSettings& settings);

struct HeightRange {
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
  KINESCOPE_HD HeightRange operator+(HeightRange other) const {
    return {low < other.low ? low : other.low, high > other.high ? high : other.high};
  }
};

// Makes a disc level and blends it into the ground around it; launched over a square of nodes.
struct LevelSpot {
  float* heights;
  std::int32_t size, first_x, first_y, width;
  float spacing, x, y, inner, outer, height;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t column = first_x + i % width, row = first_y + i / width;
    const float dx = static_cast<float>(column) * spacing - x, dy = static_cast<float>(row) * spacing - y;
    const float distance = std::sqrt(dx * dx + dy * dy);
    float part = (outer - distance) / (outer - inner);
    part = part < 0 ? 0.0f : part > 1 ? 1.0f : part;
    part = part * part * (3.0f - 2.0f * part);
    float& here = heights[row * size + column];
    here = here + part * (height - here);
  }
};

struct TerrainNormals {
  const float* heights;
  std::uint32_t* normals;
  std::int32_t size, first_x, first_y, width;
  float spacing;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t x = first_x + i % width, y = first_y + i / width;
    const std::int64_t left = x > 0 ? x - 1 : x, right = x < size - 1 ? x + 1 : x;
    const std::int64_t under = y > 0 ? y - 1 : y, over = y < size - 1 ? y + 1 : y;
    const float across = (heights[y * size + right] - heights[y * size + left]) / (float(right - left) * spacing);
    const float along = (heights[over * size + x] - heights[under * size + x]) / (float(over - under) * spacing);
    normals[y * size + x] = pack_normal(across, along);
  }
};

struct FindRange {
  const float* heights;
  KINESCOPE_HD HeightRange operator()(std::int64_t i) const { return {heights[i], heights[i]}; }
};

struct TakeEvery {
  const float* from;
  float* to;
  std::int32_t size, width, stride;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    to[i] = from[(i / width) * stride * size + (i % width) * stride];
  }
};

template <Executor E>
class TerrainField {
 public:
  TerrainField(E& executor, const TerrainSettings& settings)
      : executor_(executor), settings_(settings), size_((1 << settings.levels) + 1) {
    heights_ = Array<float, E>(executor_, nodes());
    normals_ = Array<std::uint32_t, E>(executor_, nodes());
    range_ = Array<HeightRange, E>(executor_, 1);
    const std::vector<float> control = control_heights(settings_);
    control_ = Array<float, E>(executor_, std::span<const float>(control));
    for (int before = 1; before <= 2; ++before)
      if (const int made = settings_.levels - before; made > control_level)
        between_[made % 2] = Array<float, E>(
            executor_, (std::size_t{1} << made) * (std::size_t{1} << made) + (std::size_t{2} << made) + 1);
  }

  // Enqueues everything: one launch for each level.
  void generate() {
    const TerrainForm form = terrain_form(settings_);
    RefineStrip pass{form.seed,          form.roughness, 0,       control_level, control_.data(),
                     1 << control_level, nullptr,        nullptr, 1 / spacing()};
    const auto launch = [&] {
      // Long segments repeat fewer rows, short ones give more parallel work.
      pass.rows = std::clamp(pass.cells / (pass.normals ? 64 : 128), pass.normals ? 4 : 2, 48);
      launch_warps(executor_, pass.normals ? "terrain" : "coarse terrain", pass);
    };
    for (int level = control_level + 1; level < settings_.levels; ++level) {
      pass.level = level;
      pass.term = form.term[level];
      pass.to = between_[level % 2].data();
      launch();
      pass.from = pass.to;
      pass.cells *= 2;
    }
    pass.to = heights_.data();
    pass.normals = normals_.data();
    pass.finer = settings_.levels > control_level;
    if (!pass.finer) pass.cells /= 2;
    pass.level = settings_.levels;
    pass.term = form.term[pass.level];
    launch();
  }

  // Levels the disc of radius `inner` around (x, y); the ground slopes from there to radius `outer`.
  void level_spot(float x, float y, float inner, float outer, float height) {
    const int first_x = clamp_node((x - outer) / spacing() - 1), first_y = clamp_node((y - outer) / spacing() - 1);
    const int width = std::min({static_cast<int>(2 * outer / spacing()) + 4, size_ - first_x, size_ - first_y});
    const std::int64_t count = std::int64_t{width} * width;
    executor_.for_each(
        "level", count,
        LevelSpot{heights_.data(), size_, first_x, first_y, width, spacing(), x, y, inner, outer, height});
    const int wider_x = std::max(first_x - 1, 0), wider_y = std::max(first_y - 1, 0);
    const int wider = std::min({width + 2, size_ - wider_x, size_ - wider_y});
    executor_.for_each("normals", std::int64_t{wider} * wider,
                       TerrainNormals{heights_.data(), normals_.data(), size_, wider_x, wider_y, wider, spacing()});
  }

  // Waits for the result.
  HeightRange range() {
    executor_.reduce("range", static_cast<std::int64_t>(nodes()), HeightRange{}, FindRange{heights_.data()},
                     Store<HeightRange>{range_.data()});
    return range_.download().front();
  }

  // Every stride-th height of every stride-th row; waits.
  std::vector<float> sampled(int stride) {
    const int width = (size_ - 1) / stride + 1;
    Array<float, E> taken(executor_, static_cast<std::size_t>(width) * static_cast<std::size_t>(width));
    executor_.for_each("sample", std::int64_t{width} * width,
                       TakeEvery{heights_.data(), taken.data(), size_, width, stride});
    return taken.download();
  }

  int size() const { return size_; }
  std::size_t nodes() const { return static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_); }
  float spacing() const { return terrain_side / static_cast<float>(size_ - 1); }
  TerrainHeights terrain_heights() const { return {heights_.data(), size_, spacing(), 1 / spacing()}; }
  std::vector<float> heights() const { return heights_.download(); }  // waits
  std::vector<std::uint32_t> normals() const { return normals_.download(); }
  const float* data() const { return heights_.data(); }

 private:
  int clamp_node(float x) const { return std::clamp(static_cast<int>(std::floor(x)), 0, size_ - 1); }

  E& executor_;
  TerrainSettings settings_;
  int size_;
  Array<float, E> control_, between_[2], heights_;  // between_: two buffers, used for even and odd levels
  Array<std::uint32_t, E> normals_;
  Array<HeightRange, E> range_;
};

}  // namespace kinescope::sim::landscape
