#include "render/points/host_passes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "kinescope/executors/lanes.hpp"
#include "render/gl/mapping.hpp"

namespace kinescope::render {
namespace {

namespace lanes = sim::lanes;
using lanes::Float8;
using lanes::Int8;
using std::clamp, std::log, std::max, std::min;
#include "shaders/points/reach.glsl"
constexpr std::size_t block = 256;  // points that are placed before they are drawn, so that memory answers meanwhile
#include "shaders/points/coverage.glsl"

// Where the points of a block are: pixels from the canvas's lower left corner, or a NaN for a point without a place;
// the pixel that holds the point, or -1 if it is not in the canvas; and the rank in space, as in point.glsl.
struct Places {
  alignas(32) std::array<float, block> x, y;
  alignas(32) std::array<std::int32_t, block> pixel;
  alignas(32) std::array<std::uint32_t, block> rank;
};

struct Work {
  const PointFrame& frame;
  const float* positions;
  const std::uint32_t* emphases;  // null: all are normal
  const std::uint32_t* colours;
  HostPasses::Output output;
  std::uint64_t* uppermost;

  void place(std::size_t first, std::size_t count, Places& places) const;
  template <class Draw>
  void each(std::size_t first, std::size_t last, Draw draw) const;
  void find_uppermost(std::size_t first, std::size_t last) const;
  void add_sums(std::size_t first, std::size_t last) const;
};

// One point as it is drawn; `rank` as in point.glsl.
struct Spot {
  std::size_t index;
  float x, y, radius, reach;
  bool highlighted;
  std::uint32_t rank;
  std::int32_t pixel;  // that holds it, or -1
};

template <class T>
inline void store(T* to, Int8 value) {
  std::memcpy(to, &value, sizeof value);
}

inline Float8 column_of(const float* rows, std::size_t stride, int column) {
  if (column < 0) return lanes::broadcast(0);
  const float* at = rows + column;
  const std::size_t s = stride;
  return Float8{at[0], at[s], at[2 * s], at[3 * s], at[4 * s], at[5 * s], at[6 * s], at[7 * s]};
}

void Work::place(std::size_t first, std::size_t count, Places& places) const {
  const PointBuffers& points = frame.points;
  const std::size_t stride = points.row();
  const glm::mat4& m = frame.clip_from_world;
  const glm::vec2 size(frame.canvas.whole()), origin(frame.canvas.tile_origin);
  const int column_z = points.dimensions == 3 ? points.columns[2] : -1;
  const glm::ivec2 canvas = frame.canvas.size;
  std::array<float, 3 * 8> tail;  // the last points of all, padded to eight
  for (std::size_t k = 0; k < count; k += 8) {
    const float* rows = positions + (first + k) * stride;
    std::array<int, 3> columns{points.columns[0], points.columns[1], column_z};
    std::size_t row = stride;
    if (count - k < 8) {
      row = 3;
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t c = 0; c < 3; ++c)
          tail[3 * i + c] = i < count - k && columns[c] >= 0 ? rows[i * stride + std::size_t(columns[c])] : 0;
      rows = tail.data();
      columns = {0, 1, 2};
    }
    const Float8 x = column_of(rows, row, columns[0]), y = column_of(rows, row, columns[1]),
                 z = column_of(rows, row, columns[2]);
    const auto clip = [&](int i) { return m[0][i] * x + m[1][i] * y + m[2][i] * z + m[3][i]; };
    const Float8 w = clip(3), not_finite = 0 * x + 0 * y + 0 * z;  // 0, or NaN
    const Float8 depth = lanes::min(lanes::max(0.5f * (clip(2) / w) + 0.5f, lanes::broadcast(0)), lanes::broadcast(1)),
                 px = (0.5f * (clip(0) / w) + 0.5f) * size.x - origin.x + not_finite,
                 py = (0.5f * (clip(1) / w) + 0.5f) * size.y - origin.y + not_finite;
    const Int8 inside = (px >= 0) & (py >= 0) & (px < float(canvas.x)) & (py < float(canvas.y));
    const Int8 pixel = __builtin_convertvector(lanes::keep(py, inside), Int8) * canvas.x +
                       __builtin_convertvector(lanes::keep(px, inside), Int8);
    lanes::store(&places.x[k], px);
    lanes::store(&places.y[k], py);
    store(&places.pixel[k], pixel | ~inside);
    store(&places.rank[k], 0x3f800001 - reinterpret_cast<Int8>(depth + 0));
  }
}

// Calls draw(spot) for the points that may show in the canvas, later ones first, so that in the plane most points find
// the pixel taken.
template <class Draw>
void Work::each(std::size_t first, std::size_t last, Draw draw) const {
  Places places;
  const bool in_space = frame.points.dimensions == 3;
  const float radius = frame.radius, larger = highlighted_radius(radius), larger_reach = highlighted_reach(radius);
  const float width = float(frame.canvas.size.x), height = float(frame.canvas.size.y);
  while (last > first) {
    const std::size_t begin = last - std::min(last - first, block);
    place(begin, last - begin, places);
    if (uppermost)
      for (std::size_t k = 0; k < last - begin; ++k) __builtin_prefetch(uppermost + std::max(places.pixel[k], 0), 1);
    for (std::size_t i = last; i-- > begin;) {
      const std::uint32_t emphasis = emphases ? emphases[i] : 1;
      if (emphasis == 0 || colours[i] >> 24 == 0) continue;
      const bool highlighted = emphasis == std::uint32_t(Emphasis::highlighted);
      const std::size_t k = i - begin;
      Spot spot{i, places.x[k], places.y[k], radius, radius + 0.5f, highlighted, 0, places.pixel[k]};
      if (highlighted) spot.radius = larger, spot.reach = larger_reach;
      if (!(spot.x > -spot.reach && spot.y > -spot.reach && spot.x < width + spot.reach &&
            spot.y < height + spot.reach))
        continue;
      spot.rank = in_space ? places.rank[k] : (highlighted ? 0x80000000u : 0u) | std::uint32_t(i + 1);
      draw(spot);
    }
    last = begin;
  }
}

void raise(std::uint64_t& place, std::uint64_t value) {
  const std::atomic_ref<std::uint64_t> shared(place);
  std::uint64_t held = shared.load(std::memory_order_relaxed);
  while (held < value && !shared.compare_exchange_weak(held, value, std::memory_order_relaxed)) {
  }
}

struct Box {
  int left, bottom, right, top;
};
inline Box around(const Spot& spot, float reach, glm::ivec2 size) {
  // The conversion rounds towards 0, which is not below the canvas's first pixel.
  return {std::max(int(spot.x - reach), 0), std::max(int(spot.y - reach), 0),
          std::min(int(std::max(spot.x + reach, -1.0f)), size.x - 1),
          std::min(int(std::max(spot.y + reach, -1.0f)), size.y - 1)};
}

float away_from(const Spot& spot, int x, int y) {
  const float dx = float(x) + 0.5f - spot.x, dy = float(y) + 0.5f - spot.y;
  return std::sqrt(dx * dx + dy * dy);
}

void Work::find_uppermost(std::size_t first, std::size_t last) const {
  const glm::ivec2 size = frame.canvas.size;
  const bool single = frame.single_pixel();
  each(first, last, [&](const Spot& spot) {
    const std::uint64_t own = std::uint64_t(spot.rank) << 32 | std::uint64_t(spot.index + 1);
    if (single) {
      if (spot.pixel >= 0) raise(uppermost[spot.pixel], own);
      return;
    }
    const float whole = spot.radius - 0.5f;  // within this distance a pixel is covered completely
    if (whole < 0) return;
    const Box box = around(spot, whole, size);
    for (int y = box.bottom; y <= box.top; ++y)
      for (int x = box.left; x <= box.right; ++x)
        if (away_from(spot, x, y) <= whole)
          raise(uppermost[std::size_t(y) * std::size_t(size.x) + std::size_t(x)], own);
  });
}

void Work::add_sums(std::size_t first, std::size_t last) const {
  const glm::ivec2 size = frame.canvas.size;
  const bool single = frame.single_pixel(), opaque = frame.opacity >= 1;
  const glm::vec3 ink = to_float(ink_colour(frame.background));
  each(first, last, [&](const Spot& spot) {
    if (single && spot.pixel < 0) return;
    const Box box = around(spot, single ? 0 : spot.reach, size);
    const std::uint32_t packed = colours[spot.index];
    glm::vec3 colour = glm::vec3(packed & 255, packed >> 8 & 255, packed >> 16 & 255) / 255.0f;
    if (spot.highlighted) colour = colour * 0.6f + ink * 0.4f;
    for (int y = box.bottom; y <= box.top; ++y)
      for (int x = box.left; x <= box.right; ++x) {
        const std::size_t at = std::size_t(y) * std::size_t(size.x) + std::size_t(x);
        if (opaque && spot.rank <= std::uint32_t(uppermost[at] >> 32)) continue;
        const float away = single ? 0 : away_from(spot, x, y);
        if (opaque && spot.radius - 0.5f >= away) continue;
        const float cover = single ? 1 : coverage_of(spot.radius, spot.reach, away);
        if (cover <= 0) continue;
        const float weight = output.fixed_point * optical_depth(opaque ? cover : cover * frame.opacity);
        const auto amount = [&](float part) { return std::uint32_t(weight * part + 0.5f); };
        if (amount(1) == 0) continue;
        for (int c = 0; c < 4; ++c)
          std::atomic_ref(output.sums[4 * at + std::size_t(c)])
              .fetch_add(amount(c < 3 ? colour[c] : 1), std::memory_order_relaxed);
      }
  });
}

}  // namespace

void HostPasses::run(const PointFrame& frame, const Output& output) {
  constexpr std::size_t chunk = 1 << 16;  // points
  const std::size_t count = frame.points.count, pixels = frame.pixels();
  const HostView positions(frame.points.positions), emphases(frame.points.emphasis), colours(frame.colours);
  uppermost_.resize(output.nearest ? pixels : 0);
  const Work work{frame,
                  positions.as<float>(),
                  emphases.as<std::uint32_t>(),
                  colours.as<std::uint32_t>(),
                  output,
                  output.nearest ? uppermost_.data() : nullptr};
  const auto over = [&](std::size_t all, auto&& part) {
    cpu_.tasks("draw points", std::int64_t((all + chunk - 1) / chunk),
               [&](std::int64_t k) { part(std::size_t(k) * chunk, std::min((std::size_t(k) + 1) * chunk, all)); });
  };
  if (output.sums) std::fill(output.sums, output.sums + 4 * pixels, 0u);
  if (output.nearest) {
    std::fill(uppermost_.begin(), uppermost_.end(), 0u);
    over(count, [&](std::size_t first, std::size_t last) { work.find_uppermost(first, last); });
  }
  if (output.sums) over(count, [&](std::size_t first, std::size_t last) { work.add_sums(first, last); });
  if (output.nearest)
    over(pixels, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        output.nearest[i] = std::uint32_t(uppermost_[i] >> 32);
        if (output.winners) output.winners[i] = std::uint32_t(uppermost_[i]);
      }
    });
}

}  // namespace kinescope::render
