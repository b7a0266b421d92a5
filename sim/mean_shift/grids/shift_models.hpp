// Linear models of the shift of pixels by bins, on the CPU: many pixels are moved by one sum.
//
// Where a pixel shifts to is a smooth function of its place y. Space is divided into cells, and in each cell that a
// pixel comes to, the function is computed once at the cell's centre z, with its derivative:
//
//   shift(y) ≈ shift(z) + (2 ln 2 · C − 1) (y − z)          C: the covariance of the bins around z, weighted by 2^−q
//
// (in the internal units of formulas.hpp, in which K = 2^−q). The error is of second order in the cell's side. Cells
// are `coarse_side` bandwidths wide; pixels that shift less than `coarse_shift` take cells of `fine_side`, and those
// that shift less than `fine_shift` the sums over bins themselves. So all that decides where a pixel comes to rest is
// computed from these. A model depends on its cell only, not on the pixels or their order; so a result does not depend
// on the number of threads.
//
// Cells of one column of places share their centres' x and y. For these, bins are first added up by their colours,
// `pool_side` bandwidths wide, each with its weight in space and the mean of its differences, and so fewer are left to
// be summed for each cell. To second order that changes nothing but the colours' variance.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "sim/mean_shift/point_kernels.hpp"
#include "sim/mean_shift/prepare.hpp"

namespace kinescope::sim::mean_shift {

inline constexpr int bin_columns = 5;
inline constexpr double coarse_side = 0.4, coarse_shift = 0.06;  // bandwidths
inline constexpr double fine_side = 0.15, fine_shift = bin_error;
inline constexpr double pool_side = 0.5;
// Only the first iterations use models: those that follow have few pixels, and where models of two cells meet a pixel
// may go to and fro.
inline constexpr int model_iterations = 150;

struct ShiftModel {
  float weight = 0;  // ΣK
  float shift[bin_columns] = {};
  float slope[bin_columns * (bin_columns + 1) / 2] = {};  // the derivative's lower triangle, row by row
};

// The shift at `from` a model's centre. Returns its squared length.
inline float shift_by_model(const ShiftModel& model, const float* from, float* by) {
  for (int c = 0; c < bin_columns; ++c) by[c] = model.shift[c];
  const float* slope = model.slope;
  for (int c = 0; c < bin_columns; ++c) {
    for (int e = 0; e < c; ++e, ++slope) by[c] += *slope * from[e], by[e] += *slope * from[c];
    by[c] += *slope++ * from[c];
  }
  float square = 0;
  for (int c = 0; c < bin_columns; ++c) square += by[c] * by[c];
  return square;
}

// The model at a place by a plain sum over the bins near it.
ShiftModel model_at(const Cloud& bins, const CellGrid& cells, const float* at);

class ShiftModels {
 public:
  // Forgets all models. Then models are those of the plan's bins, if it has any. O(bins).
  void begin(const Prepared& prepared, const Plan& plan);

  // Sees to it that the first `count` points of a launch have models. `bins` and `cells` are the plan's. O(count), and
  // for each new cell the number of colours around it. On all threads.
  void find(const Cloud& bins, const CellGrid& cells, const Shifted& shifted, std::int64_t count);

  // A point's shift and ΣK, by its model; if the weight is negative, sums over bins are needed.
  struct Shift {
    float by[bin_columns] = {}, weight = -1;
  };
  // That of the launch's point number `place`; null: there are no models.
  const Shift* shift(std::int64_t place) const { return usable_ ? &shifts_[static_cast<std::size_t>(place)] : nullptr; }

  std::int64_t size() const { return static_cast<std::int64_t>(models_.size()); }

 private:
  // The cells of a level: the coarse ones, or the fine ones.
  struct Level {
    float side = 0, inverse_side = 0, least_square = 0;  // no model is used for a squared shift below this
    float origin[bin_columns] = {};
    std::uint64_t cells[bin_columns] = {}, first_key = 0;

    std::uint64_t along(int c, float y) const {
      const auto cell = static_cast<std::int64_t>((y - origin[c]) * inverse_side);
      const auto last = static_cast<std::int64_t>(cells[c]) - 1;
      return static_cast<std::uint64_t>(cell < 0 ? 0 : cell < last ? cell : last);
    }
    float centre(int c, std::uint64_t cell) const { return origin[c] + (static_cast<float>(cell) + 0.5f) * side; }
    std::uint64_t colours() const { return cells[2] * cells[3] * cells[4]; }
    std::uint64_t key(const float* y) const;
    void centre_of(std::uint64_t key, float* at) const;
  };
  struct Fresh {
    std::uint64_t key;
    std::int64_t slot;
  };
  class Pool;

  void shift_in(const Level& level, const Shifted& shifted, std::int64_t count);
  void forget();
  std::int64_t claim(std::uint64_t key);
  void make_room(std::int64_t count);
  void compute_fresh(const Cloud& bins, const CellGrid& cells, const Level& level);

  Level levels_[2];
  int iterations_left_ = 0;
  bool usable_ = false;              // whether keys fit into 64 bits
  std::vector<std::uint64_t> keys_;  // [slots] 0: empty
  std::vector<std::int32_t> index_;  // [slots] of the model
  std::vector<ShiftModel> models_;
  std::vector<Fresh> fresh_;  // claimed slots without a model
  std::atomic<std::int64_t> freshes_ = 0;
  std::vector<std::int64_t> slots_;   // of a launch's points in the level at hand; −1: none
  std::vector<Shift> shifts_;         // of a launch's points
  std::vector<std::int32_t> colour_;  // [bins] number of the colour in which a bin is pooled
  std::int32_t colours_ = 0;
};

// Shifts a pixel by its model, or where it has none by the bins.
struct ModelShift {
  BinShift<bin_columns> by_bins;
  const ShiftModels& models;

  LargestSquare operator()(std::int64_t place) const {
    const Shifted& shifted = by_bins.shifted;
    if (shifted.idle()) return {};
    const ShiftModels::Shift* by = models.shift(place);
    if (!by || by->weight < 0) return by_bins(place);
    const std::int64_t i = shifted.point(place);
    float y[bin_columns];
    shifted.read<bin_columns>(i, y);
    return shifted.shift<bin_columns>(i, y, by->by, by->weight);
  }
};

}  // namespace kinescope::sim::mean_shift
