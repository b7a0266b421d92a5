#include "sim/mean_shift/grids/shift_models.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <oneapi/tbb/parallel_sort.h>

#include "sim/core/in_parallel.hpp"
#include "sim/mean_shift/screen/places.hpp"

namespace kinescope::sim::mean_shift {
namespace {

using lanes::Float8;
constexpr int seconds = bin_columns * (bin_columns + 1) / 2;
constexpr double steepness = 2 * std::numbers::ln2;  // of the derivative, see shift_models.hpp
constexpr std::size_t least_shared = 3;              // cells with the same x and y for which bins are pooled

// Σ w, Σ w d and Σ w d dᵀ, of which only the lower triangle.
struct Moments {
  Float8 weight = {}, first[bin_columns] = {}, second[seconds] = {};

  void add(Float8 w, const Float8* d) {
    weight += w;
    int k = 0;
    for (int c = 0; c < bin_columns; ++c) {
      const Float8 wd = w * d[c];
      first[c] += wd;
      for (int e = 0; e <= c; ++e, ++k) second[k] = lanes::fma(wd, d[e], second[k]);
    }
  }

  ShiftModel model() const {
    ShiftModel model;
    const double total = lanes::sum_as_double(weight);
    if (!(total > 0)) return model;
    model.weight = static_cast<float>(total);
    double mean[bin_columns];
    for (int c = 0, k = 0; c < bin_columns; ++c) {
      mean[c] = lanes::sum_as_double(first[c]) / total;
      model.shift[c] = static_cast<float>(mean[c]);
      for (int e = 0; e <= c; ++e, ++k) {
        const double covariance = lanes::sum_as_double(second[k]) / total - mean[c] * mean[e];
        model.slope[k] = static_cast<float>(steepness * covariance - (c == e ? 1 : 0));
      }
    }
    return model;
  }
};

}  // namespace

ShiftModel model_at(const Cloud& bins, const CellGrid& cells, const float* at) {
  Moments moments;
  cells.near(at, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; j += 8) {
      Float8 between[bin_columns];
      const Float8 w = exp2_negative(square_distance<bin_columns>(bins, j, at, between));
      moments.add(lanes::keep_first(w * lanes::load<Float8>(bins.weight + j), end - j), between);
    }
  });
  return moments.model();
}

// The bins around a place in x and y, added up by colours.
class ShiftModels::Pool {
 public:
  void collect(const Cloud& bins, const CellGrid& cells, const std::vector<std::int32_t>& colour, std::int32_t colours,
               const float* at) {
    if (entry_of_.size() < static_cast<std::size_t>(colours)) entry_of_.resize(static_cast<std::size_t>(colours), -1);
    sums_.clear(), present_.clear();
    cells.near(at, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = begin; j < end; j += 8) {
        const Float8 x = lanes::load<Float8>(bins.x + j) - at[0],
                     y = lanes::load<Float8>(bins.x + bins.stride + j) - at[1];
        const Float8 w = exp2_negative(lanes::fma(x, x, y * y)) * lanes::load<Float8>(bins.weight + j);
        const int present = static_cast<int>(std::min<std::int64_t>(8, end - j));
        for (int l = 0; l < present; ++l) add(bins, j + l, colour[static_cast<std::size_t>(j + l)], w[l], x[l], y[l]);
      }
    });
    for (const std::int32_t each : present_) entry_of_[static_cast<std::size_t>(each)] = -1;
    lay_out();
  }

  // The model at the place and a colour.
  ShiftModel model(const float* colour) const {
    Float8 total = {}, colours[3] = {}, places[2] = {}, squares[6] = {}, spread[3] = {}, across[6] = {};
    for (std::size_t j = 0; j < stride_; j += 8) {
      const auto row = [&](int r) { return lanes::load<Float8>(&rows_[static_cast<std::size_t>(r) * stride_ + j]); };
      Float8 d[3], q = {};
      for (int c = 0; c < 3; ++c) {
        d[c] = row(1 + c) - colour[c];
        q = lanes::fma(d[c], d[c], q);
      }
      const Float8 w = exp2_negative(q) * row(0);
      total += w;
      const Float8 x = w * row(4), y = w * row(5);
      places[0] += x, places[1] += y;
      for (int k = 0; k < 3; ++k) spread[k] = lanes::fma(w, row(6 + k), spread[k]);
      for (int c = 0, k = 0; c < 3; ++c) {
        const Float8 wd = w * d[c];
        colours[c] += wd;
        across[2 * c] = lanes::fma(x, d[c], across[2 * c]);
        across[2 * c + 1] = lanes::fma(y, d[c], across[2 * c + 1]);
        for (int e = 0; e <= c; ++e, ++k) squares[k] = lanes::fma(wd, d[e], squares[k]);
      }
    }
    const Float8* c = colours;
    const Float8 *a = across, *s = squares;
    return Moments{
        total,
        {places[0], places[1], c[0], c[1], c[2]},
        {spread[0], spread[1], spread[2], a[0], a[1], s[0], a[2], a[3], s[1], s[2], a[4], a[5], s[3], s[4], s[5]}}
        .model();
  }

 private:
  static constexpr int values = 9;  // w, and of r, g, b, x, y, xx, yx, yy the sum or the mean
  struct Sum {
    float value[values] = {};
  };

  void add(const Cloud& bins, std::int64_t j, std::int32_t colour, float w, float x, float y) {
    std::int32_t& entry = entry_of_[static_cast<std::size_t>(colour)];
    if (entry < 0) {
      entry = static_cast<std::int32_t>(sums_.size());
      sums_.emplace_back(), present_.push_back(colour);
    }
    float* sum = sums_[static_cast<std::size_t>(entry)].value;
    const float wx = w * x, wy = w * y;
    sum[0] += w;
    for (int c = 0; c < 3; ++c) sum[1 + c] += w * bins.x[(2 + c) * bins.stride + j];
    sum[4] += wx, sum[5] += wy;
    sum[6] += wx * x, sum[7] += wy * x, sum[8] += wy * y;
  }

  void lay_out() {
    stride_ = (sums_.size() + 7) / 8 * 8;
    rows_.assign(values * stride_, 0.0f);
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      const float* sum = sums_[j].value;
      rows_[j] = sum[0];
      for (std::size_t r = 1; r < values; ++r) rows_[r * stride_ + j] = sum[0] > 0 ? sum[r] / sum[0] : 0.0f;
    }
  }

  std::vector<std::int32_t> entry_of_, present_;  // [colours] index of its sum, −1: none; the colours that have one
  std::vector<Sum> sums_;
  std::vector<float> rows_;  // [values × stride_]
  std::size_t stride_ = 0;
};

std::uint64_t ShiftModels::Level::key(const float* y) const {
  std::uint64_t key = 0;
  for (const int c : {1, 0, 2, 3, 4}) key = key * cells[c] + along(c, y[c]);
  return first_key + key;
}

void ShiftModels::Level::centre_of(std::uint64_t key, float* at) const {
  key -= first_key;
  for (const int c : {4, 3, 2, 0, 1}) {
    at[c] = centre(c, key % cells[c]);
    key /= cells[c];
  }
}

void ShiftModels::forget() {
  usable_ = false;
  keys_ = {}, index_ = {}, models_ = {}, fresh_ = {}, slots_ = {}, shifts_ = {};
}

void ShiftModels::begin(const Prepared& prepared, const Plan& plan) {
  forget();
  iterations_left_ = model_iterations;
  usable_ = plan.method == Method::bins;
  if (!usable_) return;
  std::uint64_t next = 1;
  for (int l = 0; l < 2; ++l) {
    Level& level = levels_[l];
    level.side = static_cast<float>((l == 0 ? coarse_side : fine_side) * gaussian_bandwidth);
    level.inverse_side = 1 / level.side;
    level.least_square = static_cast<float>(std::pow((l == 0 ? coarse_shift : fine_shift) * gaussian_bandwidth, 2));
    level.first_key = next;
    double total = 1;
    for (std::size_t c = 0; c < bin_columns; ++c) {
      level.origin[c] = static_cast<float>(prepared.minimum[c] * plan.scale[c]);
      const double cells = std::floor((prepared.maximum[c] - prepared.minimum[c]) * plan.scale[c] / level.side) + 1;
      level.cells[c] = static_cast<std::uint64_t>(std::min(cells, 0x1p62));
      total *= cells;
    }
    if (!(total < 0x1p62)) return void(usable_ = false);
    next += static_cast<std::uint64_t>(total);
  }
  keys_.assign(std::bit_ceil(5 * prepared.points / 2), 0);
  index_.resize(keys_.size());

  const auto side = static_cast<float>(pool_side * gaussian_bandwidth);
  const Bins& bins = plan.bins;
  std::vector<std::uint64_t> cell(static_cast<std::size_t>(bins.count));
  for (std::size_t j = 0; j < cell.size(); ++j) {
    for (std::size_t c = 2; c < bin_columns; ++c) {
      const float from = bins.x[c * static_cast<std::size_t>(bins.stride) + j] - levels_[0].origin[c];
      cell[j] = (cell[j] << 21) + static_cast<std::uint64_t>(std::clamp(from / side, 0.0f, float((1 << 21) - 1)));
    }
  }
  std::vector<std::uint64_t> distinct = cell;
  oneapi::tbb::parallel_sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  colours_ = static_cast<std::int32_t>(distinct.size());
  colour_.resize(cell.size());
  in_parallel(cell.size(), 1024, [&](std::size_t j) {
    colour_[j] =
        static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), cell[j]) - distinct.begin());
  });
}

// Forgets all models if there might be too many with those of `count` points.
void ShiftModels::make_room(std::int64_t count) {
  slots_.resize(std::max(slots_.size(), static_cast<std::size_t>(count)));
  shifts_.resize(slots_.size()), fresh_.resize(slots_.size());
  if (models_.size() + 2 * static_cast<std::size_t>(count) <= keys_.size() / 8 * 7) return;
  if (models_.empty()) return;
  models_.clear();
  std::fill(keys_.begin(), keys_.end(), 0);
}

// The slot of a key. If it is new, it will get a model by compute_fresh().
std::int64_t ShiftModels::claim(std::uint64_t key) {
  const std::uint64_t mask = keys_.size() - 1;
  for (std::uint64_t slot = mix_place(0, static_cast<std::int64_t>(key)) & mask;; slot = (slot + 1) & mask) {
    const std::atomic_ref<std::uint64_t> here(keys_[slot]);
    std::uint64_t seen = here.load(std::memory_order_relaxed);
    if (seen == 0 && here.compare_exchange_strong(seen, key, std::memory_order_relaxed)) {
      fresh_[static_cast<std::size_t>(freshes_.fetch_add(1, std::memory_order_relaxed))] = {
          key, static_cast<std::int64_t>(slot)};
      return static_cast<std::int64_t>(slot);
    }
    if (seen == key) return static_cast<std::int64_t>(slot);
  }
}

void ShiftModels::compute_fresh(const Cloud& bins, const CellGrid& cells, const Level& level) {
  const auto begin = fresh_.begin(), end = begin + freshes_.exchange(0);
  oneapi::tbb::parallel_sort(begin, end, [](const Fresh& a, const Fresh& b) { return a.key < b.key; });
  const std::size_t before = models_.size(), count = static_cast<std::size_t>(end - begin);
  models_.resize(before + count);
  std::vector<std::size_t> columns;  // where cells with the same x and y begin
  for (std::size_t k = 0; k < count; ++k) {
    index_[static_cast<std::size_t>(fresh_[k].slot)] = static_cast<std::int32_t>(before + k);
    const auto column = [&](std::size_t at) { return (fresh_[at].key - level.first_key) / level.colours(); };
    if (k == 0 || column(k) != column(k - 1)) columns.push_back(k);
  }
  columns.push_back(count);
  in_parallel(columns.size() - 1, 16, [&](std::size_t g) {
    thread_local Pool pool;
    float at[bin_columns];
    const bool pooled = columns[g + 1] - columns[g] >= least_shared;
    level.centre_of(fresh_[columns[g]].key, at);
    if (pooled) pool.collect(bins, cells, colour_, colours_, at);
    for (std::size_t k = columns[g]; k < columns[g + 1]; ++k) {
      level.centre_of(fresh_[k].key, at);
      models_[before + k] = pooled ? pool.model(at + 2) : model_at(bins, cells, at);
    }
  });
}

// Shifts by the models of a level the points of a launch that are in one of its slots. The models lie far apart in
// memory, so they are asked for some points ahead.
void ShiftModels::shift_in(const Level& level, const Shifted& shifted, std::int64_t count) {
  constexpr std::size_t ahead = 16;
  in_parallel_ranges(static_cast<std::size_t>(count), 1024, [&](std::size_t begin, std::size_t end) {
    const auto model_of = [&](std::size_t place) -> const ShiftModel* {
      return slots_[place] < 0 ? nullptr : &models_[static_cast<std::size_t>(index_[std::size_t(slots_[place])])];
    };
    for (std::size_t place = begin; place < end; ++place) {
      if (place + 2 * ahead < end && slots_[place + 2 * ahead] >= 0)
        __builtin_prefetch(&index_[static_cast<std::size_t>(slots_[place + 2 * ahead])]);
      if (const ShiftModel* next = place + ahead < end ? model_of(place + ahead) : nullptr) {
        __builtin_prefetch(next);
        __builtin_prefetch(next->slope + 10);
      }
      const ShiftModel* model = model_of(place);
      if (!model) continue;
      float y[bin_columns];
      shifted.read<bin_columns>(shifted.point(static_cast<std::int64_t>(place)), y);
      for (int c = 0; c < bin_columns; ++c) y[c] -= level.centre(c, level.along(c, y[c]));
      Shift& to = shifts_[place];
      to.weight = shift_by_model(*model, y, to.by) < level.least_square ? -1 : model->weight;
    }
  });
}

void ShiftModels::find(const Cloud& bins, const CellGrid& cells, const Shifted& shifted, std::int64_t count) {
  if (!usable_ || count == 0) return;
  if (iterations_left_-- == 0) return forget();
  make_room(count);
  for (const Level& level : levels_) {
    in_parallel(static_cast<std::size_t>(count), 1024, [&](std::size_t place) {
      float y[bin_columns];
      shifted.read<bin_columns>(shifted.point(static_cast<std::int64_t>(place)), y);
      const bool here = &level == levels_ || shifts_[place].weight < 0;
      slots_[place] = here ? claim(level.key(y)) : -1;
    });
    compute_fresh(bins, cells, level);
    shift_in(level, shifted, count);
  }
}

}  // namespace kinescope::sim::mean_shift
