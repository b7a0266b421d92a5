// The fields of a run as kernels see them, and functors for the executors: for the initial values, a stimulus by hand,
// the rows of the space-time picture, publishing, and the largest |v|.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/functors.hpp"
#include "kinescope/simulation.hpp"
#include "sim/fitzhugh_nagumo/formulas.hpp"
#include "sim/fitzhugh_nagumo/march.hpp"
#include "sim/fitzhugh_nagumo/plan.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// Two buffers for each field: steps read one and write the other (March::current says which one holds the solution).
template <class T>
struct Fields {
  T* v[2];
  T* w[2];
};

// A disc of nodes whose v is held at 1: the last node of an axon (radius 0), or the middle of a sheet. Radius −1: none.
struct Held {
  std::int64_t x = 0, y = 0, radius = -1;

  KINESCOPE_HD bool holds(std::int64_t i, std::int64_t j = 0) const {
    return (i - x) * (i - x) + (j - y) * (j - y) <= radius * radius && radius >= 0;
  }
};

// The initial v and w. w is 0 except behind a broken wave, where it keeps the wave from turning back.
struct Beginning {
  Case start;
  std::int64_t nodes;
  double dx;
  Held held;

  struct Values {
    double v, w;
  };

  KINESCOPE_HD double impulse(double distance_square) const { return std::exp(-distance_square / 10); }

  KINESCOPE_HD Values line(std::int64_t i) const {
    const double x = static_cast<double>(i) * dx, middle = 0.5 * static_cast<double>(nodes - 1) * dx;
    if (held.holds(i)) return {1, 0};
    if (start == Case::divergent || start == Case::front) return {impulse((x - middle) * (x - middle)), 0};
    if (start != Case::impulses) return {0, 0};
    const double from_nearest = x - 200 * std::floor(x / 200) - 100;
    return {impulse(from_nearest * from_nearest), 0};
  }

  KINESCOPE_HD Values sheet(std::int64_t i, std::int64_t j) const {
    const double middle = 0.5 * static_cast<double>(nodes - 1) * dx;
    const double x = static_cast<double>(i) * dx - middle, y = static_cast<double>(j) * dx - middle;
    if (held.holds(i, j)) return {1, 0};
    if (start == Case::divergent) return {impulse(x * x + y * y), 0};
    if (start == Case::impulses) {
      const double u = x - 200 * std::floor(x / 200) - 100, t = y - 200 * std::floor(y / 200) - 100;
      return {impulse(u * u + t * t), 0};
    }
    // A wave that runs to the right and has no upper half (y > 0), so that its free end winds up.
    if (start != Case::spiral || y > 0) return {0, 0};
    return {x > -10 && x < 0 ? 1.0 : 0.0, x < -8 && x > -100 ? 0.15 : 0.0};
  }
};

template <class T>
struct Begin {
  Fields<T> fields;
  Beginning beginning;
  bool sheet;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const auto values = sheet ? beginning.sheet(i % beginning.nodes, i / beginning.nodes) : beginning.line(i);
    fields.v[0][i] = static_cast<T>(values.v);
    fields.w[0][i] = static_cast<T>(values.w);
  }
};

// Raises v to the stimulus' value, less towards the rim. A value below 0 sets v and w to 0, the state of rest.
template <class T>
struct Paint {
  Fields<T> fields;
  const March* march;
  Stimulus stimulus;
  std::int64_t nodes;
  double dx;
  bool sheet;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    double x = static_cast<double>(sheet ? i % nodes : i) * dx - stimulus.x;
    double y = sheet ? static_cast<double>(i / nodes) * dx - stimulus.y : 0;
    // Makes (x, y) the offset from the nearest point of the stroke.
    const double length_square = stimulus.stroke_x * stimulus.stroke_x + stimulus.stroke_y * stimulus.stroke_y;
    if (length_square > 0) {
      double part = (x * stimulus.stroke_x + y * stimulus.stroke_y) / length_square;
      part = part < 0 ? 0 : part > 1 ? 1 : part;
      x -= part * stimulus.stroke_x;
      y -= part * stimulus.stroke_y;
    }
    const double square = (x * x + y * y) / (stimulus.radius * stimulus.radius);
    if (!(square < 1)) return;
    T& v = fields.v[march->current][i];
    if (stimulus.value < 0) {
      v = fields.w[march->current][i] = 0;
      return;
    }
    const T painted = static_cast<T>(stimulus.value * (1 - square) * (1 - square));
    v = painted > v ? painted : v;
  }
};

// For launches of one step: keeps v as a row of the space-time picture if the next row belongs to the step just done.
template <class T>
struct KeepRow {
  Fields<T> fields;
  const March* march;
  const RunState* run;
  Rows rows;

  KINESCOPE_HD void operator()(std::int64_t column) const {
    if (!due()) return;
    rows.values[march->row * rows.columns + column] =
        static_cast<float>(fields.v[march->current ^ 1][rows.node(column)]);
  }
  KINESCOPE_HD bool due() const {
    return march->steps > 0 && run->iteration + march->steps == march->row_at && march->row < march->rows;
  }
};

// Row 0: the initial v.
template <class T>
struct KeepFirstRow {
  Fields<T> fields;
  Rows rows;
  KINESCOPE_HD void operator()(std::int64_t column) const {
    rows.values[column] = static_cast<float>(fields.v[0][rows.node(column)]);
  }
};

// Used when the end of a run changes: fills each row of `to` with the row of `before` that is nearest in time.
struct MoveRows {
  const float* before;
  float* to;
  std::int64_t columns, rows_before, rows, known;  // rows of `to` from `known` on become 0: not reached
  double time_ratio;                               // time between rows: now / before

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t row = i / columns;
    const auto from = static_cast<std::int64_t>(static_cast<double>(row) * time_ratio + 0.5);
    to[i] = row < known && from < rows_before ? before[from * columns + i % columns] : 0;
  }
};

template <class T>
struct Publish {
  Fields<T> fields;
  const March* march;
  float* v;
  float* w;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    v[i] = static_cast<float>(fields.v[march->current][i]);
    w[i] = static_cast<float>(fields.w[march->current][i]);
  }
};

struct PublishRows {
  Rows rows;
  const March* march;
  std::int64_t to_rows, to_columns;
  float* to;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t row = i / to_columns, column = i % to_columns;
    const std::int64_t from = march->rows > 1 ? (row * (march->rows - 1) + (to_rows - 1) / 2) / (to_rows - 1) : 0;
    const std::int64_t from_column = to_columns > 1 ? column * (rows.columns - 1) / (to_columns - 1) : 0;
    to[i] = from < march->row ? rows.values[from * rows.columns + from_column] : NAN;
  }
};

// The largest |v|, where a NaN counts as larger than all numbers. Terms may be added in any order.
struct LargestMagnitude {
  float value = 0;
  KINESCOPE_HD friend LargestMagnitude operator+(LargestMagnitude a, LargestMagnitude b) {
    return {larger(a.value, b.value)};
  }
};

// The largest difference between the two published solutions; 0 while v is null.
struct LargestDifference {
  const float *v, *beside;
  KINESCOPE_HD LargestMagnitude operator()(std::int64_t i) const { return {v ? std::fabs(v[i] - beside[i]) : 0.0f}; }
};

struct NoteLargest {
  March* march;
  std::int32_t solution;
  KINESCOPE_HD void operator()(LargestMagnitude total) const {
    if (march->steps == 0) return;
    // As bits, a NaN of either sign is above all numbers.
    march->largest[solution] = total.value != total.value ? 0x7FC00000u : bits_of(total.value);
  }
};

}  // namespace kinescope::sim::fitzhugh_nagumo
