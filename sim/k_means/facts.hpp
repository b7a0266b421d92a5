// Facts about the columns, found before a run: ranges, exact sums, and the scales of the whole numbers in which sums
// are taken. They have the same bits on both backends, however the points are cut into parts, because extremes and sums
// of whole numbers do not depend on any order.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kinescope/array.hpp"
#include "sim/k_means/points.hpp"
#include "sim/k_means/prepare.hpp"

namespace kinescope::sim::k_means {

struct ValueRange {
  float lowest = INFINITY, highest = -INFINITY;

  KINESCOPE_HD friend ValueRange operator+(const ValueRange& a, const ValueRange& b) {
    return {a.lowest < b.lowest ? a.lowest : b.lowest, a.highest > b.highest ? a.highest : b.highest};
  }
};

// of(value) of one point's value in one column.
template <class Of>
struct InColumn {
  Points points;
  int column;
  Of of;

  KINESCOPE_HD auto operator()(std::int64_t i) const { return of(points.first_column(i)[column * panel]); }
};

struct RangeOfValue {
  KINESCOPE_HD ValueRange operator()(float x) const { return {x, x}; }
};
struct FixedValue {
  float scale;
  KINESCOPE_HD std::int64_t operator()(float x) const { return to_fixed(x, scale); }
};
struct FixedSquare {
  float centre;
  double scale;
  KINESCOPE_HD std::int64_t operator()(float x) const {
    const double offset = static_cast<double>(x) - centre;
    return to_fixed(offset * offset, scale);
  }
};

template <class T>
struct AddTo {
  T* to;
  KINESCOPE_HD void operator()(const T& part) const { *to = *to + part; }
};

// For each column, the sum over all points of of(column)(value). `of` returns a functor for a column. points_cpu.hpp
// has another one for the CPU.
template <class T, Executor E, class Of>
std::vector<T> over_columns(E& executor, PointParts<E>& parts, const char* label, Of of) {
  const int d = parts.all().dimensions;
  Array<T, E> sums(executor, std::vector<T>(static_cast<std::size_t>(d)));
  parts.for_each([&](const Points& points) {
    for (int c = 0; c < d; ++c)
      executor.reduce(label, points.count, T{}, InColumn<decltype(of(c))>{points, c, of(c)}, AddTo<T>{sums.data() + c});
  });
  return sums.download();
}

// Three passes over the points. Throws Error (input) if squared distances would overflow float32 or vanish in it.
template <Executor E>
Prepared prepare(E& executor, PointParts<E>& parts, const Dataset& data) {
  Prepared prepared;
  for (const ValueRange& range :
       over_columns<ValueRange>(executor, parts, "ranges", [](int) { return RangeOfValue{}; })) {
    prepared.lowest.push_back(range.lowest);
    prepared.highest.push_back(range.highest);
    prepared.scale.push_back(fixed_scale(std::fmax(std::fabs(range.lowest), std::fabs(range.highest)), data.points));
  }
  const double square_scale = 0x1p60 / inertia_limit(data, prepared, {}), N = static_cast<double>(data.points);
  prepared.totals = over_columns<std::int64_t>(executor, parts, "totals",
                                               [&](int c) { return FixedValue{prepared.scale[std::size_t(c)]}; });
  double rounding = 0;  // Σ over the columns of (mean − centre)²
  for (std::size_t c = 0; c < data.dimensions; ++c) {
    const double mean = static_cast<double>(prepared.totals[c]) / static_cast<double>(prepared.scale[c]) / N;
    prepared.centre.push_back(static_cast<float>(mean));
    rounding += (mean - prepared.centre[c]) * (mean - prepared.centre[c]);
  }
  for (const std::int64_t square : over_columns<std::int64_t>(executor, parts, "squares", [&](int c) {
         return FixedSquare{prepared.centre[std::size_t(c)], square_scale};
       }))
    prepared.total_square += static_cast<double>(square) / square_scale;
  prepared.mean_variance = std::fmax(0.0, prepared.total_square / N - rounding) / static_cast<double>(data.dimensions);
  return prepared;
}

}  // namespace kinescope::sim::k_means
