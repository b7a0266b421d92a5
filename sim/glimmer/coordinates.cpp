#include "sim/glimmer/coordinates.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "sim/core/random.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t probe_points = 1024, probe_partners = 8;
constexpr std::int64_t most_coordinates = 128;
constexpr std::int64_t few_columns = 16;  // of so many nothing is to be saved

// Error of δ̂ that is allowed, as a part of the stress of the principal coordinates in the layout's dimensions, which is
// known before the layout's own, and higher. At this bound MNIST takes 24 coordinates and 30 topics 32.
constexpr double tolerance = 0.002;

template <class F>
void parallel_blocks(std::size_t count, std::size_t size, F f) {
  oneapi::tbb::parallel_for(std::size_t{0}, (count + size - 1) / size,
                            [&](std::size_t b) { f(b * size, std::min(count, (b + 1) * size)); });
}

// The last slots and pairs of them: what is tried on them was not fitted to them, where there are more points than the
// sample has.
struct Probe {
  std::size_t count, columns;
  std::vector<float> rows;  // [count × columns]
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<double> delta;

  Probe(const RowScaling& scaling, const std::vector<std::int32_t>& permutation, std::size_t width, Metric metric)
      : count(std::min(permutation.size(), probe_points)), columns(width), rows(count * width) {
    const std::size_t first = permutation.size() - count;
    parallel_blocks(count, 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        scaling(static_cast<std::size_t>(permutation[first + i]), rows.data() + i * columns);
    });
    for (std::size_t step = 1; step <= std::min(probe_partners, count - 1); ++step)
      for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(i, (i + step) % count);
    delta.resize(pairs.size());
    parallel_blocks(pairs.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        delta[k] = distance(row(pairs[k].first), row(pairs[k].second), columns, metric);
    });
  }
  const float* row(std::size_t i) const { return rows.data() + i * columns; }
  double mean_square() const {
    double sum = 0;
    for (const double value : delta) sum += value * value;
    return delta.empty() ? 0 : sum / static_cast<double>(delta.size());
  }
};

// Rows less their mean on axes [columns × k]: the coordinates, and the squared length of the whole row.
struct Projection {
  const std::vector<float>& mean;
  const std::vector<float>& axes;
  std::size_t columns, k;

  // `block` [count × columns] is overwritten; to [count × k], norms [count].
  void operator()(float* block, std::size_t count, float* to, float* norms) const {
    for (std::size_t i = 0; i < count; ++i) {
      float* row = block + i * columns;
      float sum[8] = {};
      std::size_t h = 0;
      for (; h + 8 <= columns; h += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) {
          row[h + lane] -= mean[h + lane];
          sum[lane] = std::fma(row[h + lane], row[h + lane], sum[lane]);
        }
      for (; h < columns; ++h) row[h] -= mean[h], sum[0] = std::fma(row[h], row[h], sum[0]);
      norms[i] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
    const auto rows = static_cast<Eigen::Index>(count), wide = static_cast<Eigen::Index>(columns),
               narrow = static_cast<Eigen::Index>(k);
    Eigen::Map<Matrix>(to, rows, narrow).noalias() =
        Eigen::Map<const Matrix>(block, rows, wide) * Eigen::Map<const Matrix>(axes.data(), wide, narrow);
  }
};

// The part Σ(δ − δ̂)²/Σδ² of the probe for each number of coordinates 8, 16, … of `projected` [count × k].
std::vector<double> errors_of(const Probe& probe, RowFormula formula, const std::vector<float>& projected,
                              const std::vector<float>& norms, std::size_t k) {
  std::vector<double> errors(k / 8);
  double size = 0;
  for (std::size_t pair = 0; pair < probe.pairs.size(); ++pair) {
    const auto [i, j] = probe.pairs[pair];
    const float *a = projected.data() + i * k, *b = projected.data() + j * k;
    float sum = 0;
    for (std::size_t e = 0; e < errors.size(); ++e) {
      for (std::size_t h = 8 * e; h < 8 * e + 8; ++h) sum = std::fma(a[h], b[h], sum);
      const double error = probe.delta[pair] - std::sqrt(square_distance(formula, sum, norms[i], norms[j]));
      errors[e] += error * error;
    }
    size += probe.delta[pair] * probe.delta[pair];
  }
  for (double& error : errors) error = size > 0 ? error / size : 0;
  return errors;
}

// The scale of the first L of the probe's coordinates [count × k] that lowers their stress most, and that stress.
struct BestScale {
  double factor = 1, stress = 0;
};

BestScale best_scale(const Probe& probe, const std::vector<float>& projected, std::size_t k, std::size_t L) {
  double product = 0, square = 0, size = 0;
  for (std::size_t pair = 0; pair < probe.pairs.size(); ++pair) {
    const auto [i, j] = probe.pairs[pair];
    double d = 0;
    for (std::size_t l = 0; l < std::min(L, k); ++l) {
      const double difference = double(projected[i * k + l]) - projected[j * k + l];
      d += difference * difference;
    }
    product += std::sqrt(d) * probe.delta[pair], square += d;
    size += probe.delta[pair] * probe.delta[pair];
  }
  if (!(square > 0) || !(size > 0)) return {};
  return {product / square, 1 - product * product / square / size};
}

class Maker {
 public:
  Maker(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : scaling_(data, parameters),
        metric_(parameters.metric.value()),
        points_(data.points),
        columns_(data.dimensions),
        L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
        seed_(seed) {}

  Coordinates make(const std::vector<std::int64_t>& levels) {
    result_.permutation = slots_of(points_, seed_);
    const Probe probe(scaling_, result_.permutation, columns_, metric_);
    const double mean_square = probe.mean_square();
    result_.scale = mean_square > 0 ? static_cast<float>(1 / std::sqrt(mean_square)) : 1.0f;
    result_.unit = scaling_.unit() / result_.scale;
    const bool cosine = metric_ == Metric::cosine;
    PrincipalAxes principal = axes_of_sample(scaling_, result_.permutation, columns_, true, mean_);
    if (levels.size() > 1 && metric_ != Metric::manhattan && static_cast<std::int64_t>(columns_) > few_columns) {
      if (!cosine) {
        choose(probe, principal, RowFormula::products);
      } else {
        std::vector<float> zero;
        PrincipalAxes about_zero = axes_of_sample(scaling_, result_.permutation, columns_, false, zero);
        std::swap(zero, mean_);
        choose(probe, about_zero, RowFormula::cosine);
        std::swap(zero, mean_);
      }
    }
    result_.reference.resize(points_ * L_);
    if (principal.found() == 0) principal.find(static_cast<std::int64_t>(L_));
    const bool own_axes = width_ == 0 || cosine;  // the reference is not among the coordinates
    if (own_axes) set_reference(principal, probe);
    if (width_ > 0)
      project(!own_axes);
    else
      copy_rows();
    result_.held_out = hold_out(scaling_, columns_, metric_, result_, width_ == 0, seed_, levels);
    return std::move(result_);
  }

 private:
  // Sets width_, axes_ where few enough coordinates do.
  void choose(const Probe& probe, PrincipalAxes& principal, RowFormula formula) {
    double allowed = -1;
    const auto most = std::min<std::int64_t>(most_coordinates, static_cast<std::int64_t>(columns_) / 2);
    for (std::int64_t wanted = 16; wanted / 2 < most; wanted *= 2) {
      principal.find(wanted);
      const auto found = static_cast<std::size_t>(principal.found());
      std::vector<float> projected, norms;
      project_probe(probe, principal, projected, norms);
      if (allowed < 0) allowed = tolerance * best_scale(probe, projected, found, L_).stress;
      const std::vector<double> errors = errors_of(probe, formula, projected, norms, found);
      for (std::size_t e = 0; e < errors.size(); ++e)
        if (errors[e] <= allowed && static_cast<std::int64_t>(8 * e + 8) <= most) {
          keep_axes(principal, 8 * e + 8, formula);
          if (formula == RowFormula::products)
            result_.reference_scale = static_cast<float>(best_scale(probe, projected, found, L_).factor);
          return;
        }
    }
  }

  void keep_axes(const PrincipalAxes& principal, std::size_t k, RowFormula formula) {
    const auto found = static_cast<std::size_t>(principal.found());
    width_ = k;
    axes_.resize(columns_ * k);
    for (std::size_t c = 0; c < columns_; ++c)
      for (std::size_t a = 0; a < k; ++a) axes_[c * k + a] = principal.axes()[c * found + a];
    axes_mean_ = mean_;
    result_.formula = formula;
  }

  void project_probe(const Probe& probe, const PrincipalAxes& principal, std::vector<float>& projected,
                     std::vector<float>& norms) const {
    const auto found = static_cast<std::size_t>(principal.found());
    projected.resize(probe.count * found);
    norms.resize(probe.count);
    const Projection projection{mean_, principal.axes(), columns_, found};
    parallel_blocks(probe.count, 64, [&](std::size_t begin, std::size_t end) {
      std::vector<float> block(probe.row(begin), probe.row(begin) + (end - begin) * columns_);
      projection(block.data(), end - begin, projected.data() + begin * found, norms.data() + begin);
    });
  }

  void set_reference(const PrincipalAxes& principal, const Probe& probe) {
    std::vector<float> projected, norms;
    project_probe(probe, principal, projected, norms);
    const auto found = static_cast<std::size_t>(principal.found());
    result_.reference_scale = static_cast<float>(best_scale(probe, projected, found, L_).factor);
    const Projection projection{mean_, principal.axes(), columns_, found};
    over_rows([&](std::size_t begin, std::size_t count, std::vector<float>& block) {
      std::vector<float> coordinates(count * found), lengths(count);
      projection(block.data(), count, coordinates.data(), lengths.data());
      take_reference(begin, count, coordinates, found);
    });
  }

  void take_reference(std::size_t begin, std::size_t count, const std::vector<float>& coordinates, std::size_t k) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t l = 0; l < std::min(L_, k); ++l)
        result_.reference[(begin + i) * L_ + l] = result_.scale * coordinates[i * k + l];
  }

  // f(first slot, count, rows [count × columns]) for all points.
  template <class F>
  void over_rows(F f) {
    parallel_blocks(points_, 256, [&](std::size_t begin, std::size_t end) {
      thread_local std::vector<float> block;
      block.resize((end - begin) * columns_);
      for (std::size_t i = begin; i < end; ++i)
        scaling_(static_cast<std::size_t>(result_.permutation[i]), block.data() + (i - begin) * columns_);
      f(begin, end - begin, block);
    });
  }

  void project(bool with_reference) {
    const std::size_t k = width_;
    result_.width = static_cast<std::int64_t>(k);
    result_.rows.resize(points_ * k);
    result_.norms.resize(points_);
    const Projection projection{axes_mean_, axes_, columns_, k};
    over_rows([&](std::size_t begin, std::size_t count, std::vector<float>& block) {
      std::vector<float> coordinates(count * k);
      projection(block.data(), count, coordinates.data(), result_.norms.data() + begin);
      std::copy(coordinates.begin(), coordinates.end(), result_.rows.begin() + static_cast<std::ptrdiff_t>(begin * k));
      if (with_reference) take_reference(begin, count, coordinates, k);
    });
  }

  void copy_rows() {
    result_.formula = metric_ == Metric::euclidean   ? RowFormula::differences
                      : metric_ == Metric::manhattan ? RowFormula::manhattan
                                                     : RowFormula::cosine;
    result_.width = static_cast<std::int64_t>(columns_);
    result_.rows.resize(points_ * columns_);
    over_rows([&](std::size_t begin, std::size_t, const std::vector<float>& block) {
      std::copy(block.begin(), block.end(), result_.rows.begin() + static_cast<std::ptrdiff_t>(begin * columns_));
    });
  }

  RowScaling scaling_;
  Metric metric_;
  std::size_t points_, columns_, L_;
  std::uint64_t seed_;
  std::size_t width_ = 0;  // coordinates that are kept; 0: the rows
  std::vector<float> mean_, axes_, axes_mean_;
  Coordinates result_;
};

}  // namespace

double distance(const float* a, const float* b, std::size_t columns, Metric metric) {
  float sum[8] = {};
  const auto add = [&](RowFormula formula) {
    std::size_t h = 0;
    for (; h + 8 <= columns; h += 8)
      for (std::size_t lane = 0; lane < 8; ++lane) sum[lane] = add_column(formula, sum[lane], a[h + lane], b[h + lane]);
    for (; h < columns; ++h) sum[0] = add_column(formula, sum[0], a[h], b[h]);
    const float total = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    return std::sqrt(square_distance(formula, total, 0.0f, 0.0f));
  };
  switch (metric) {
    case Metric::euclidean:
      return add(RowFormula::differences);
    case Metric::manhattan:
      return add(RowFormula::manhattan);
    case Metric::cosine:
      return add(RowFormula::cosine);
  }
  return 0;
}

Coordinates make_coordinates(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed,
                             const std::vector<std::int64_t>& levels) {
  return Maker(data, parameters, seed).make(levels);
}

}  // namespace kinescope::sim::glimmer
