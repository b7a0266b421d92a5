#include "sim/glimmer/rivals/classic_scaling.hpp"

#include <algorithm>
#include <cmath>

#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_basis = 403;
constexpr std::size_t spare = 8;  // vectors beyond L, so that close eigenvalues do not slow convergence
constexpr int most_steps = 300;
// The iteration has converged when |B v − λ v| is at most this part of the largest eigenvalue, for each of the L axes.
constexpr double residual_limit = 1e-9;

// Subtracts each column's mean from V [n × count].
void centre(std::vector<double>& v, std::size_t n, std::size_t count) {
  std::vector<double> mean(count);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < count; ++k) mean[k] += v[i * count + k];
  for (double& value : mean) value /= static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < count; ++k) v[i * count + k] -= mean[k];
}

// Modified Gram–Schmidt, twice; a column that depends on those before it becomes 0.
void make_orthonormal(std::vector<double>& v, std::size_t n, std::size_t count) {
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += v[i * count + a] * v[i * count + b];
    return sum;
  };
  for (std::size_t k = 0; k < count; ++k) {
    const double before = dot(k, k);
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t j = 0; j < k; ++j) {
        const double share = dot(j, k);
        for (std::size_t i = 0; i < n; ++i) v[i * count + k] -= share * v[i * count + j];
      }
    const double square = dot(k, k), factor = square > 1e-24 * before ? 1 / std::sqrt(square) : 0;
    for (std::size_t i = 0; i < n; ++i) v[i * count + k] *= factor;
  }
}

// V ← V W for W [count × count], row-major.
void turn(std::vector<double>& v, std::size_t n, std::size_t count, const std::vector<double>& w) {
  in_parallel(n, 512, [&](std::size_t i) {
    double row[64];
    for (std::size_t k = 0; k < count; ++k) {
      row[k] = 0;
      for (std::size_t r = 0; r < count; ++r) row[k] += v[i * count + r] * w[r * count + k];
    }
    std::copy_n(row, count, v.begin() + static_cast<std::ptrdiff_t>(i * count));
  });
}

}  // namespace

CentredProducts::CentredProducts(const InputDistances& distances, const Dataset& data)
    : distances_(distances),
      pairs_(distances.euclidean_rows() ? std::vector<float>() : all_pairs(distances, data, "classic")) {}

std::vector<double> CentredProducts::times(const std::vector<double>& v, std::size_t count) const {
  std::vector<double> from = v;
  centre(from, distances_.points(), count);
  std::vector<double> to = distances_.euclidean_rows() ? times_rows(from, count) : times_squares(from, count);
  centre(to, distances_.points(), count);
  return to;
}

std::vector<double> CentredProducts::times_rows(const std::vector<double>& v, std::size_t count) const {
  const float* const rows = distances_.euclidean_rows();
  const std::size_t n = distances_.points(), h = distances_.row_stride();
  const double unit_square = distances_.unit() * distances_.unit();
  constexpr std::size_t block = 4096;
  std::vector<std::vector<double>> parts((n + block - 1) / block);
  in_parallel(parts.size(), 1, [&](std::size_t b) {
    std::vector<double> sum(h * count);
    for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i)
      for (std::size_t c = 0; c < h; ++c)
        for (std::size_t k = 0; k < count; ++k)
          sum[c * count + k] += static_cast<double>(rows[i * h + c]) * v[i * count + k];
    parts[b] = std::move(sum);
  });
  std::vector<double> on_columns(h * count), to(n * count);
  for (const std::vector<double>& part : parts)
    for (std::size_t e = 0; e < part.size(); ++e) on_columns[e] += part[e];
  in_parallel(n, 512, [&](std::size_t i) {
    for (std::size_t c = 0; c < h; ++c)
      for (std::size_t k = 0; k < count; ++k)
        to[i * count + k] += unit_square * static_cast<double>(rows[i * h + c]) * on_columns[c * count + k];
  });
  return to;
}

std::vector<double> CentredProducts::times_squares(const std::vector<double>& v, std::size_t count) const {
  constexpr std::size_t block =
      32;  // rows at a time: for a single one, each δ beyond the diagonal would be a cache miss
  const std::size_t n = distances_.points();
  std::vector<double> to(n * count);
  in_parallel((n + block - 1) / block, 1, [&](std::size_t b) {
    const std::size_t begin = b * block, end = std::min(n, begin + block);
    const auto add = [&](float delta, std::size_t i, std::size_t j) {
      const double half = -0.5 * double(delta) * double(delta);
      for (std::size_t k = 0; k < count; ++k) to[i * count + k] += half * v[j * count + k];
    };
    for (std::size_t j = 0; j < n; ++j) {
      const float* before = pairs_.data() + j * (j - 1) / 2;
      for (std::size_t i = begin; i < std::min(end, j); ++i) add(before[i], i, j);
      for (std::size_t i = std::max(begin, j + 1); i < end; ++i) add(pairs_[i * (i - 1) / 2 + j], i, j);
    }
  });
  return to;
}

double CentredProducts::trace() const {
  const std::size_t n = distances_.points();
  const float* const rows = distances_.euclidean_rows();
  double sum = 0;
  if (!rows) {
    for (const float delta : pairs_) sum += double(delta) * double(delta);
    return sum / double(n);
  }
  const std::size_t h = distances_.row_stride();
  std::vector<double> mean(h);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < h; ++c) mean[c] += static_cast<double>(rows[i * h + c]) / double(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < h; ++c) {
      const double offset = static_cast<double>(rows[i * h + c]) - mean[c];
      sum += offset * offset;
    }
  return distances_.unit() * distances_.unit() * sum;
}

ClassicScaling::ClassicScaling(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
    : distances_(data, parameters),
      figure_(distances_),
      products_(distances_, data),
      n_(data.points),
      L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
      width_(std::min(n_, L_ + spare)),
      basis_(n_ * width_) {
  const Random random(seed, stream_basis);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t k = 0; k < width_; ++k) basis_[i * width_ + k] = random.normal(i, static_cast<std::uint32_t>(k));
  make_orthonormal(basis_, n_, width_);
  layout_.resize(n_ * L_);
  figure_name_ = figure_.exact() ? "stress, all pairs" : "stress, sampled";
  seen_.figure = figure_.stress(layout_, L_);
}

void ClassicScaling::step() {
  const std::size_t w = width_;
  std::vector<double> image = products_.times(basis_, w), ritz(w * w);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t a = 0; a < w; ++a)
      for (std::size_t b = 0; b < w; ++b) ritz[a * w + b] += basis_[i * w + a] * image[i * w + b];
  for (std::size_t a = 0; a < w; ++a)
    for (std::size_t b = 0; b < a; ++b) ritz[a * w + b] = ritz[b * w + a] = 0.5 * (ritz[a * w + b] + ritz[b * w + a]);
  const SymmetricEigen eigen = symmetric_eigen(ritz, static_cast<std::int64_t>(w));
  turn(basis_, n_, w, eigen.vectors);
  turn(image, n_, w, eigen.vectors);
  std::fill(layout_.begin(), layout_.end(), 0.0);
  double worst = 0;
  values_.assign(eigen.values.begin(), eigen.values.begin() + static_cast<std::ptrdiff_t>(std::min(L_, w)));
  for (std::size_t l = 0; l < std::min(L_, w); ++l) {
    const double value = std::max(0.0, eigen.values[l]), length = std::sqrt(value);
    double square = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      layout_[i * L_ + l] = length * basis_[i * w + l];
      const double rest = image[i * w + l] - eigen.values[l] * basis_[i * w + l];
      square += rest * rest;
    }
    if (value > 0) worst = std::max(worst, std::sqrt(square));
  }
  const double first = std::max({std::abs(eigen.values.front()), std::abs(eigen.values.back()), 1e-300});
  seen_.figure = figure_.stress(layout_, L_);
  seen_.converged = worst <= residual_limit * first || ++steps_ >= most_steps;
  seen_.fraction = seen_.converged ? 1 : std::clamp(std::log(worst / first) / std::log(residual_limit), 0.0, 1.0);
  shift_ = std::max(shift_, -1.1 * eigen.values.back());
  for (std::size_t e = 0; e < basis_.size(); ++e) basis_[e] = image[e] + shift_ * basis_[e];
  make_orthonormal(basis_, n_, w);
}

void ClassicScaling::add_to(Report& report) const {
  const double all = products_.trace();
  std::vector<double> shares;
  for (const double value : values_) shares.push_back(all > 0 ? value / all : 0);
  report.add("eigenvalues", values_);
  report.add("shares", std::move(shares));
}

extern const LayoutMethod classic_method = {.name = "classic", .make = rival_of<ClassicScaling>};

}  // namespace kinescope::sim::glimmer
