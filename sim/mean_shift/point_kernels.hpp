// One iteration of one point by each method, as functors for an executor's launches; and the functors for starting,
// publishing and sorting.
#pragma once

#include "kinescope/executors/run_state.hpp"
#include "sim/mean_shift/formulas.hpp"
#include "sim/mean_shift/grids/cells.hpp"
#include "sim/mean_shift/grids/field.hpp"

namespace kinescope::sim::mean_shift {

// The squared length of the largest shift.
struct LargestSquare {
  float square = 0;
  KINESCOPE_HD LargestSquare operator+(LargestSquare other) const {
    return {other.square > square ? other.square : square};
  }
};

// When points come to rest, in a run until convergence; the same rule for all methods and both backends.
//
// A point rests if its place did not change: the same sums would follow, so it would never move again. It also rests
// after a shift s below `length`, if less than `reach` of its way is left. Near a mode shifts shrink by a factor, and
// what is left is a geometric series: s²/(s' − s), if the shift before was s'. On a flat ridge shifts hardly shrink,
// and after a saddle they grow, so a point that creeps goes on however little it moves. A point at rest keeps its place
// and its weight; its error is about `reach`, more where its shifts have a small part that shrinks more slowly.
struct Rest {
  float length = 0, reach = 0;  // internal units; if `length` is 0, no point rests
  // The squared shift, at least, that a moving point counts as. Above the tolerance: the run goes on until all rest.
  float least_square = 0;
  float* latest = nullptr;  // [points] lengths of the latest shifts; 0: none, so the first shift is never the last
};

// The shifted points. Coordinate c of point i is y[c · stride + i]. weight[i] is Σ K at the place where the point was
// before its latest shift; it is negative if the point has come to rest.
struct Shifted {
  float* y;
  float* weight;
  std::int64_t stride;
  const RunState* run;
  bool move;  // false: only weights are written, even if the run has converged
  Rest rest = {};
  // The points of a launch: `moving` has those that take part, in order; null: all points.
  const std::int32_t* moving = nullptr;
  const std::int64_t* number = nullptr;  // how many `moving` has

  KINESCOPE_HD bool idle() const { return move && run->converged; }
  KINESCOPE_HD std::int64_t point(std::int64_t place) const { return moving ? moving[place] : place; }
  KINESCOPE_HD std::int64_t present(std::int64_t points) const { return moving ? *number : points; }

  template <int K>
  KINESCOPE_HD void read(std::int64_t i, float* at) const {
    for (int c = 0; c < K; ++c) at[c] = y[c * stride + i];
  }

  // Moves point i from `at`, unless its weight is zero.
  template <int K>
  KINESCOPE_HD LargestSquare shift(std::int64_t i, const float* at, const Sums<K>& sums) const {
    const bool any = sums.weight > 0;
    float by[K];
    for (int c = 0; c < K; ++c) by[c] = any ? static_cast<float>(sums.moment[c] / sums.weight) : 0.0f;
    return shift<K>(i, at, by, static_cast<float>(sums.weight));
  }

  template <int K>
  KINESCOPE_HD LargestSquare shift(std::int64_t i, const float* at, const float* by, float total) const {
    weight[i] = weight[i] < 0 ? -total : total;
    if (!move) return {};
    LargestSquare length;
    bool changed = false;
    for (int c = 0; c < K; ++c) {
      const float to = at[c] + by[c];
      changed = changed || to != at[c];
      y[c * stride + i] = to;
      length.square = lanes::fma(by[c], by[c], length.square);
    }
    return rest.length > 0 ? ended(i, length, changed) : length;
  }

  KINESCOPE_HD LargestSquare ended(std::int64_t i, LargestSquare length, bool changed) const {
    const float shift = std::sqrt(length.square), before = rest.latest[i];
    rest.latest[i] = shift;
    if (changed && !(shift < rest.length && length.square <= rest.reach * (before - shift)))
      return length + LargestSquare{rest.least_square};
    weight[i] = -weight[i];
    return changed ? length : LargestSquare{};
  }
};

template <Kernel kernel, int K>
struct NaiveShift {
  Cloud cloud;
  Shifted shifted;

  KINESCOPE_HD LargestSquare operator()(std::int64_t place) const {
    if (shifted.idle()) return {};
    const std::int64_t i = shifted.point(place);
    float y[K];
    shifted.read<K>(i, y);
    Sums<K> sums;
    add_one_by_one<kernel, K>(cloud, 0, cloud.count, y, sums);
    return shifted.shift<K>(i, y, sums);
  }
};

template <Kernel kernel, int K>
struct GridShift {
  Cloud cloud;  // sorted by cell
  CellGrid cells;
  Shifted shifted;

  KINESCOPE_HD LargestSquare operator()(std::int64_t place) const {
    if (shifted.idle()) return {};
    const std::int64_t i = shifted.point(place);
    float y[K];
    shifted.read<K>(i, y);
    Sums<K> sums;
    cells.near(y, [&](std::int64_t begin, std::int64_t end) { add_range<kernel, K>(cloud, begin, end, y, sums); });
    return shifted.shift<K>(i, y, sums);
  }
};

// Shifts a pixel by the bins of its picture (bins.hpp); `cells` are over x and y.
template <int K>
struct BinShift {
  Cloud cloud;
  CellGrid cells;
  Shifted shifted;

  KINESCOPE_HD LargestSquare operator()(std::int64_t place) const {
    if (shifted.idle()) return {};
    const std::int64_t i = shifted.point(place);
    float y[K];
    shifted.read<K>(i, y);
    NearSums<K> near;
    cells.near(y, [&](std::int64_t begin, std::int64_t end) { near.add(cloud, begin, end, y); });
    Sums<K> sums;
    near.add_to(sums);
    return shifted.shift<K>(i, y, sums);
  }
};

// Below this Σ K the absolute errors of the field are noticeable. It happens only after a live change of bandwidth,
// because otherwise a point starts with at least its own weight of 1, and its density never falls.
inline constexpr float thin = 1e-3f;
// If the data have at most `exact_limit` points, such a point is shifted by exact sums. If there are more, it is
// shifted by the field's values, or stays where it is if it weighs less than `nothing`.
inline constexpr std::int64_t exact_limit = 1 << 18;
inline constexpr float nothing = 1e-5f;

template <int K, int P>
struct FieldShift {
  Cloud cloud;
  FieldGrid grid;
  const Node* field;
  Shifted shifted;

  KINESCOPE_HD LargestSquare operator()(std::int64_t place) const {
    if (shifted.idle()) return {};
    const std::int64_t i = shifted.point(place);
    float y[K];
    shifted.read<K>(i, y);
    const Node node = interpolate<K, P>(grid, field, y);
    const float total = node.value[0];
    if (!(total > thin)) return thin_shift(i, y, node);
    const float inverse = 1.0f / total;
    float by[K];
    for (int c = 0; c < K; ++c) by[c] = node.value[c + 1] * inverse;
    return shifted.shift<K>(i, y, by, total);
  }

  KINESCOPE_HD LargestSquare thin_shift(std::int64_t i, const float* y, const Node& node) const {
    Sums<K> sums;
    if (cloud.count <= exact_limit) {
      add_range<Kernel::gaussian, K>(cloud, 0, cloud.count, y, sums);
    } else if (node.value[0] > nothing) {
      sums.weight = node.value[0];
      for (int c = 0; c < K; ++c) sums.moment[c] = node.value[c + 1];
    }
    return shifted.shift<K>(i, y, sums);
  }
};

// Ends an iteration: called by one thread once all points have moved.
struct EndIteration {
  RunState* run;
  HistoryPoint* history;
  std::int64_t capacity;
  float unit;               // bandwidths per internal unit
  float tolerance;          // largest shift of a converged run, in bandwidths
  std::int64_t stop_after;  // the iteration to stop after; 0: run until converged
  std::int64_t limit;       // the iteration after which the run ends in any case
  bool moved;               // false: the weights were only measured, and no iteration ends

  KINESCOPE_HD void operator()(LargestSquare largest) const {
    if (!moved || run->converged) return;
    const float shift = std::sqrt(largest.square) * unit;
    run->record(shift, history, capacity);
    if (stop_after > 0) {
      run->fraction = static_cast<float>(run->iteration) / static_cast<float>(stop_after);
      run->converged = run->iteration >= stop_after;
    } else {
      run->fraction = shift > tolerance ? tolerance / shift : 1.0f;
      run->converged = shift < tolerance || run->iteration >= limit;
    }
    run->cut = run->converged && !(shift < tolerance);
  }
};

// Converts the data to internal units; point i is taken from order[i] if `order` is set.
struct ScaleColumns {
  const float* raw;
  float* x;
  std::int64_t stride;
  std::int32_t columns;
  float scale[maximum_dimensions];
  const std::int32_t* order;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t from = order ? order[i] : i;
    for (int c = 0; c < columns; ++c) x[c * stride + i] = raw[c * stride + from] * scale[c];
  }
};

// Maps the rows of the data to the slots of the points.
struct RowOrder {
  const std::int32_t* row_of = nullptr;   // [points] the row of the point in each slot, if each row is a point
  const std::int32_t* slot_of = nullptr;  // [rows] the slot of each row's point, if rows share points
  // i runs over rows if slot_of is set, else over points. If both are null, rows and slots are the same.
  KINESCOPE_HD std::int64_t row(std::int64_t i) const { return row_of ? row_of[i] : i; }
  KINESCOPE_HD std::int64_t slot(std::int64_t i) const { return slot_of ? slot_of[i] : i; }
};

// Publishes the first `width` columns of positions, in the data's units and the input's order.
struct PublishRows {
  const float* from;
  std::int64_t stride;
  RowOrder order;
  std::int32_t width;
  float scale[maximum_dimensions], centre[maximum_dimensions];
  float* to;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t row = order.row(i), slot = order.slot(i);
    for (int c = 0; c < width; ++c) to[row * width + c] = lanes::fma(from[c * stride + slot], scale[c], centre[c]);
  }
};

// Publishes the last three columns as a colour, one byte each: r, g, b and 255.
struct PublishColours {
  PublishRows rows;  // `to` unused
  std::uint32_t* to;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t slot = rows.order.slot(i);
    std::uint32_t colour = 0xFF000000u;
    for (int k = 0; k < 3; ++k) {
      const int c = rows.width - 3 + k;
      const float value = lanes::fma(rows.from[c * rows.stride + slot], rows.scale[c], rows.centre[c]) + 0.5f;
      colour |= static_cast<std::uint32_t>(value > 0 ? value < 255 ? value : 255.0f : 0.0f) << (8 * k);
    }
    to[rows.order.row(i)] = colour;
  }
};

// Publishes the absolute values, times a factor, in the input's order.
struct PublishValues {
  const float* from;
  RowOrder order;
  float factor;
  float* to;

  KINESCOPE_HD void operator()(std::int64_t i) const { to[order.row(i)] = factor * std::fabs(from[order.slot(i)]); }
};

template <class T>
struct Gather {
  const T* from;
  const std::int32_t* order;  // null: copies them in the same order
  T* to;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = from[order ? order[i] : i]; }
};

struct InvertOrder {
  const std::int32_t* order;
  std::int32_t* inverse;
  KINESCOPE_HD void operator()(std::int64_t i) const { inverse[order[i]] = static_cast<std::int32_t>(i); }
};

// Which points a launch is for: those that do not rest, or if `leader` is set, those that follow no other.
struct TakesPart {
  const float* weight;
  const std::int32_t* leader;
  KINESCOPE_HD bool operator()(std::int32_t i) const { return leader ? leader[i] == i : !(weight[i] < 0); }
};

struct Enumerate {
  std::int32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = static_cast<std::int32_t>(i); }
};

// Lets points that have come to rest move again.
struct Wake {
  float* weight;
  KINESCOPE_HD void operator()(std::int64_t i) const { weight[i] = std::fabs(weight[i]); }
};

}  // namespace kinescope::sim::mean_shift
