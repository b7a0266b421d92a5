#include "sim/glimmer/rivals/pivot_layouts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kinescope/in_parallel.hpp"
#include "sim/core/principal_axes.hpp"

namespace kinescope::sim::glimmer {
namespace {

// Eigenvalues up to this part of the first count as 0: δ² of float32 has errors of 1e-7.
constexpr double negligible = 1e-6;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Replaces A [L × L] by its symmetric square root; returns false if A is not positive definite.
bool square_root(std::vector<double>& a, std::size_t L) {
  const auto size = static_cast<std::int64_t>(L);
  const SymmetricEigen eigen = symmetric_eigen(a, size);
  if (!(eigen.values.back() > 1e-3 * eigen.values.front())) return false;
  std::fill(a.begin(), a.end(), 0.0);
  for (std::size_t r = 0; r < L; ++r)
    for (std::size_t c = 0; c < L; ++c)
      for (std::size_t k = 0; k < L; ++k)
        a[r * L + c] += eigen.vectors[r * L + k] * std::sqrt(eigen.values[k]) * eigen.vectors[c * L + k];
  return true;
}

// B A⁻¹, the solution X of X A = B, for symmetric positive definite A; both [L × L].
std::vector<double> divide(const std::vector<double>& b, const std::vector<double>& a, std::size_t L) {
  const SymmetricEigen eigen = symmetric_eigen(a, static_cast<std::int64_t>(L));
  std::vector<double> inverse(L * L), result(L * L);
  for (std::size_t r = 0; r < L; ++r)
    for (std::size_t c = 0; c < L; ++c)
      for (std::size_t k = 0; k < L; ++k)
        inverse[r * L + c] += eigen.vectors[r * L + k] / eigen.values[k] * eigen.vectors[c * L + k];
  for (std::size_t r = 0; r < L; ++r)
    for (std::size_t c = 0; c < L; ++c)
      for (std::size_t k = 0; k < L; ++k) result[r * L + c] += b[r * L + k] * inverse[k * L + c];
  return result;
}

// The doubly centred −½ δ² of all points to the pivots, [points × k].
std::vector<double> centred(const Pivots& pivots, std::size_t points) {
  const std::size_t k = pivots.count();
  std::vector<double> column_mean(k), c(points * k);
  double whole = 0;
  for (std::size_t p = 0; p < k; ++p) whole += column_mean[p] = mean_of(pivots.squares(p));
  whole /= static_cast<double>(k);
  in_parallel(points, 512, [&](std::size_t i) {
    double row_mean = 0;
    for (std::size_t p = 0; p < k; ++p) row_mean += pivots.squares(p)[i];
    row_mean /= static_cast<double>(k);
    for (std::size_t p = 0; p < k; ++p)
      c[i * k + p] = -0.5 * (pivots.squares(p)[i] - row_mean - column_mean[p] + whole);
  });
  return c;
}

// AᵀA for A [rows × k], added over fixed blocks of rows. Each block is computed tile by tile, because with 300 columns
// the sums for all pairs of columns do not fit into a core's cache.
std::vector<double> gram(const std::vector<double>& a, std::size_t rows, std::size_t k) {
  constexpr std::size_t block = 2048, tile = 64;
  std::vector<std::vector<double>> parts((rows + block - 1) / block);
  in_parallel(parts.size(), 1, [&](std::size_t b) {
    std::vector<double> sum(k * k);
    for (std::size_t up = 0; up < k; up += tile)
      for (std::size_t left = 0; left <= up; left += tile)
        for (std::size_t i = b * block; i < std::min(rows, (b + 1) * block); ++i)
          for (std::size_t p = up; p < std::min(k, up + tile); ++p) {
            const double *row = a.data() + i * k, factor = row[p];
            double* to = sum.data() + p * k;
            const std::size_t end = std::min(p + 1, left + tile);
            for (std::size_t q = left; q < end; ++q) to[q] += factor * row[q];
          }
    parts[b] = std::move(sum);
  });
  std::vector<double> whole(k * k);
  for (const std::vector<double>& part : parts)
    for (std::size_t e = 0; e < whole.size(); ++e) whole[e] += part[e];
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t q = 0; q < p; ++q) whole[q * k + p] = whole[p * k + q];
  return whole;
}

}  // namespace

std::vector<double> pivot_layout(const Pivots& pivots, std::size_t points, std::size_t L) {
  const std::size_t k = pivots.count();
  const std::vector<double> c = centred(pivots, points);
  const SymmetricEigen eigen = symmetric_eigen(gram(c, points, k), static_cast<std::int64_t>(k));
  std::size_t rank = 0;
  while (rank < std::min(L, k) && eigen.values[rank] > negligible * negligible * eigen.values.front() &&
         eigen.values[rank] > 0)
    ++rank;
  std::vector<double> x(points * L);
  if (rank == 0) return x;
  std::vector<double> y(points * rank);
  in_parallel(points, 512, [&](std::size_t i) {
    for (std::size_t l = 0; l < rank; ++l)
      for (std::size_t p = 0; p < k; ++p) y[i * rank + l] += c[i * k + p] * eigen.vectors[p * k + l];
  });
  // P are the pivots' rows of Y minus their mean. C = Y A Pᵀ, with Y = C V, holds if A Pᵀ = Vᵀ; in least squares, A =
  // Vᵀ P (Pᵀ P)⁻¹.
  std::vector<double> mean(rank), vp(rank * rank), pp(rank * rank);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t l = 0; l < rank; ++l) mean[l] += y[pivots[p] * rank + l] / static_cast<double>(k);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t b = 0; b < rank; ++b) {
      const double at = y[pivots[p] * rank + b] - mean[b];
      for (std::size_t a = 0; a < rank; ++a) {
        vp[a * rank + b] += eigen.vectors[p * k + a] * at;
        pp[a * rank + b] += (y[pivots[p] * rank + a] - mean[a]) * at;
      }
    }
  std::vector<double> a = divide(vp, pp, rank);
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t q = 0; q < r; ++q) a[r * rank + q] = a[q * rank + r] = 0.5 * (a[r * rank + q] + a[q * rank + r]);
  if (!std::all_of(a.begin(), a.end(), [](double value) { return std::isfinite(value); }) || !square_root(a, rank)) {
    std::fill(a.begin(), a.end(), 0.0);
    for (std::size_t l = 0; l < rank; ++l) {
      const double length = std::sqrt(eigen.values[l]),
                   expected = length * std::sqrt(static_cast<double>(points) / static_cast<double>(k));
      a[l * rank + l] = std::sqrt(expected) / length;
    }
  }
  in_parallel(points, 512, [&](std::size_t i) {
    for (std::size_t l = 0; l < rank; ++l)
      for (std::size_t m = 0; m < rank; ++m) x[i * L + l] += y[i * rank + m] * a[m * rank + l];
  });
  return x;
}

std::vector<double> landmark_layout(const Pivots& pivots, std::size_t points, std::size_t L) {
  const std::size_t k = pivots.count();
  std::vector<double> mean(k), b(k * k);
  double whole = 0;
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t q = 0; q < k; ++q) {
      const double square = 0.5 * (pivots.squares(p)[pivots[q]] + pivots.squares(q)[pivots[p]]);
      b[p * k + q] = square;
      mean[p] += square / static_cast<double>(k);
    }
  for (const double each : mean) whole += each / static_cast<double>(k);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t q = 0; q < k; ++q) b[p * k + q] = -0.5 * (b[p * k + q] - mean[p] - mean[q] + whole);
  const SymmetricEigen eigen = symmetric_eigen(b, static_cast<std::int64_t>(k));
  std::vector<double> x(points * L);
  in_parallel(points, 512, [&](std::size_t i) {
    for (std::size_t l = 0; l < std::min(L, k); ++l) {
      if (!(eigen.values[l] > negligible * eigen.values.front())) break;
      double sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += eigen.vectors[p * k + l] * (pivots.squares(p)[i] - mean[p]);
      x[i * L + l] = -0.5 * sum / std::sqrt(eigen.values[l]);
    }
  });
  return x;
}

PivotRival::PivotRival(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed, PivotLayout* lay_out)
    : distances_(data, parameters),
      figure_(distances_),
      pivots_(distances_, seed),
      wanted_(std::min(data.points, static_cast<std::size_t>(parameters.pivots.value()))),
      L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
      lay_out_(lay_out) {
  layout_.resize(data.points * L_);
  figure_name_ = figure_.exact() ? "stress, all pairs" : "stress, sampled";
  seen_.figure = figure_.stress(layout_, L_);
}

void PivotRival::step() {
  const bool more = pivots_.add();
  seen_.converged = !more || pivots_.count() == wanted_;
  seen_.fraction = static_cast<double>(pivots_.count()) / static_cast<double>(wanted_);
  // With many pivots, computing a layout takes longer than adding a pivot: its time grows with the square of their
  // number. So not every pivot gets a layout. With 300 pivots, all layouts together take some four times as long as the
  // last one.
  constexpr std::size_t always = 8;
  const std::size_t count = pivots_.count(), every = std::max(always, std::bit_floor(count) / 4);
  if (!seen_.converged && count > always && count % every != 0) return;
  layout_ = lay_out_(pivots_, distances_.points(), L_);
  const StressFigure::Value value = figure_.of(layout_, L_);
  for (double& coordinate : layout_) coordinate *= value.scale;
  seen_.figure = value.stress;
}

namespace {

template <PivotLayout* lay_out>
std::unique_ptr<Rival> pivot_rival(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  return std::make_unique<PivotRival>(data, parameters, seed, lay_out);
}

}  // namespace

extern const LayoutMethod pivot_mds_method = {
    .name = "pivot-mds", .label = "Pivot MDS", .parameters = "pivots", .make = pivot_rival<pivot_layout>};
extern const LayoutMethod landmark_method = {
    .name = "landmark", .parameters = "pivots", .make = pivot_rival<landmark_layout>};

}  // namespace kinescope::sim::glimmer
