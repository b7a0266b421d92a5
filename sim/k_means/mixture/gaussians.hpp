// A mixture of K Gaussians fitted by the EM algorithm (A. Dempster, N. Laird, D. Rubin, 1977), the formulas on plain
// values.
//
//   p(x) = Σ_k π_k N(x; μ_k, Σ_k)                     Σ_k: full, or diagonal
//   E:  r_ik = π_k N(x_i; μ_k, Σ_k) / p(x_i)
//   M:  n_k = Σ_i r_ik,  π_k = n_k / N,  μ_k = Σ_i r_ik x_i / n_k,
//       Σ_k = Σ_i r_ik (x_i − μ_k)(x_i − μ_k)ᵀ / n_k + ridge
//
// The ridge is 1e-6 of each column's variance, on the diagonal, so that a Gaussian on equal rows keeps a width. With W
// the inverse of Σ's Cholesky factor, ln N = Σ ln W_jj − ½ |W (x − μ)|² − ½ d ln 2π.
//
// Everything is in double and about the columns' centres. Sums are taken over blocks of points, and the blocks' sums
// are added in their order, so that they have the same bits on any number of threads.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/run_state.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {

inline constexpr double ridge_part = 1e-6;

// How many points a block has at least, and how many sums all blocks have at most, if they are more than one: 32 MB.
inline constexpr std::int64_t least_block = 4 * panel, most_sums = 1 << 22;

// Where an entry of a lower triangle is stored, column ≤ row.
KINESCOPE_HD inline std::int64_t triangle_at(std::int64_t row, std::int64_t column) {
  return row * (row + 1) / 2 + column;
}

// What decides when the run is over, and what it has found.
struct MixtureControl {
  double likelihood = -INFINITY;  // ln p of a point in the input's units, the mean over all, by the present Gaussians
  double units = 0;               // Σ ln of the columns' units, which densities in normalized units lack
  double least_gain = 0;          // converged once an iteration raises the mean by less; −∞: never
  std::int64_t limit = 0;         // of iterations
};

struct MixtureView {
  Points points;
  int clusters = 0;
  bool full = true;
  const float* centre = nullptr;  // [d]
  const double* ridge = nullptr;  // [d]
  double* shares = nullptr;       // [K × N] r_ik
  double* sizes = nullptr;        // [K] n_k
  double* means = nullptr;        // [K × d] μ about the centre
  double* covariances = nullptr;  // [K × entries()] lower triangles, or diagonals
  double* factors = nullptr;      // [K × entries()] W likewise
  double* constants = nullptr;    // [K] what ln N adds that does not depend on x, and ln π
  double* sums = nullptr;         // [blocks() × K × terms()] and [K × terms()]
  MixtureControl* control = nullptr;
  RunState* state = nullptr;
  HistoryPoint* history = nullptr;
  std::int64_t capacity = 0;

  KINESCOPE_HD int dimensions() const { return points.dimensions; }
  KINESCOPE_HD std::int64_t entries() const { return full ? triangle_at(dimensions(), 0) : dimensions(); }
  KINESCOPE_HD std::int64_t terms() const { return entries() > dimensions() ? entries() : dimensions() + 1; }
  KINESCOPE_HD std::int64_t block_points() const {
    const std::int64_t most_blocks = most_sums / (clusters * terms());
    const std::int64_t panels = most_blocks > 1 ? (points.panels() + most_blocks - 1) / most_blocks : points.panels();
    return panels * panel > least_block ? panels * panel : least_block;
  }
  KINESCOPE_HD std::int64_t blocks() const { return (points.count + block_points() - 1) / block_points(); }
  KINESCOPE_HD double* totals() const { return sums + blocks() * clusters * terms(); }
  KINESCOPE_HD double offset(std::int64_t i, int c) const {
    return static_cast<double>(points.first_column(i)[c * panel]) - static_cast<double>(centre[c]);
  }
  // A Gaussian to which hardly a point belongs keeps its place and width.
  KINESCOPE_HD bool is_empty(int k) const { return !(sizes[k] > 1e-9); }
};

// All of a point's share goes to its label: the beginning.
struct ShareByLabel {
  MixtureView view;
  const std::uint32_t* labels;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    for (int k = 0; k < view.clusters; ++k)
      view.shares[k * view.points.count + i] = labels[i] == static_cast<std::uint32_t>(k);
  }
};

// E for a point; the result is ln p(x).
struct Share {
  MixtureView view;

  KINESCOPE_HD double operator()(std::int64_t i) const {
    if (view.state->converged) return 0;
    const std::int64_t N = view.points.count;
    double highest = -INFINITY, sum = 0;
    for (int k = 0; k < view.clusters; ++k) {
      const double value = view.constants[k] - 0.5 * square(i, k);
      view.shares[k * N + i] = value;
      highest = value > highest ? value : highest;
    }
    for (int k = 0; k < view.clusters; ++k) sum += std::exp(view.shares[k * N + i] - highest);
    const double density = highest + std::log(sum);
    for (int k = 0; k < view.clusters; ++k) view.shares[k * N + i] = std::exp(view.shares[k * N + i] - density);
    return density;
  }

  // |W (x − μ)|²
  KINESCOPE_HD double square(std::int64_t i, int k) const {
    const int d = view.dimensions();
    const double *mean = view.means + k * d, *factor = view.factors + k * view.entries();
    double sum = 0;
    for (int j = 0; j < d; ++j) {
      double y = 0;
      if (view.full)
        for (int c = 0; c <= j; ++c) y += *factor++ * (view.offset(i, c) - mean[c]);
      else
        y = factor[j] * (view.offset(i, j) - mean[j]);
      sum += y * y;
    }
    return sum;
  }
};

// Ends E: notes the likelihood, and decides whether the run is over.
struct EndShare {
  MixtureView view;

  KINESCOPE_HD void operator()(double sum) const {
    RunState& state = *view.state;
    if (state.converged) return;
    MixtureControl& control = *view.control;
    const double before = control.likelihood;
    control.likelihood = sum / static_cast<double>(view.points.count) - control.units;
    state.record(static_cast<float>(control.likelihood), view.history, view.capacity);
    if (control.likelihood - before < control.least_gain)
      state.converged = 1;
    else if (state.iteration >= control.limit)
      state.converged = 1, state.cut = std::isfinite(control.least_gain);
    const float done = static_cast<float>(state.iteration) / static_cast<float>(control.limit);
    state.fraction = state.converged ? 1 : done;
  }
};

// A sum over a block of points. e = (block · K + k) · terms + term
template <bool second_moments>
struct SumBlock {
  MixtureView view;

  KINESCOPE_HD void operator()(std::int64_t e) const {
    if (view.state->converged) return;
    const std::int64_t term = e % view.terms();
    const int k = static_cast<int>(e / view.terms() % view.clusters), d = view.dimensions();
    if (term >= (second_moments ? view.entries() : d + 1)) {
      view.sums[e] = 0;  // SumBlocks adds it
      return;
    }
    int row = static_cast<int>(term), column = row;  // of second moments
    if (second_moments && view.full) {
      row = static_cast<int>((std::sqrt(8.0 * static_cast<double>(term) + 1) - 1) / 2);
      while (triangle_at(row + 1, 0) <= term) ++row;
      while (triangle_at(row, 0) > term) --row;
      column = static_cast<int>(term - triangle_at(row, 0));
    }
    const std::int64_t block = view.block_points(), first = e / view.terms() / view.clusters * block;
    const std::int64_t end = first + block < view.points.count ? first + block : view.points.count;
    const double row_mean = view.centre[row % d] + view.means[k * d + row % d];
    const double column_mean = view.centre[column % d] + view.means[k * d + column % d];
    double sum[running] = {};
    for (std::int64_t i = first; i < end; i += panel) {
      const int count = static_cast<int>(end - i < panel ? end - i : panel);
      const double* share = view.shares + k * view.points.count + i;
      const float* x = view.points.first_column(i);
      if (second_moments)
        add(count, sum, [&](int j) {
          return share[j] * (double(x[row * panel + j]) - row_mean) * (double(x[column * panel + j]) - column_mean);
        });
      else if (term == 0)
        add(count, sum, [&](int j) { return share[j]; });
      else
        add(count, sum, [&](int j) { return share[j] * (double(x[(term - 1) * panel + j]) - view.centre[term - 1]); });
    }
    double total = 0;
    for (const double each : sum) total += each;
    view.sums[e] = total;
  }

  // Several running sums, which the CPU's compiler can put into one register.
  static constexpr int running = 8;
  template <class Value>
  KINESCOPE_HD static void add(int count, double* sum, Value value) {
    int j = 0;
    for (; j + running <= count; j += running)
      for (int l = 0; l < running; ++l) sum[l] += value(j + l);
    for (; j < count; ++j) sum[0] += value(j);
  }
};

// Adds the blocks' sums. e = k · terms + term
struct SumBlocks {
  MixtureView view;
  KINESCOPE_HD void operator()(std::int64_t e) const {
    if (view.state->converged) return;
    double sum = 0;
    for (std::int64_t b = 0; b < view.blocks(); ++b) sum += view.sums[b * view.clusters * view.terms() + e];
    view.totals()[e] = sum;
  }
};

struct MoveMean {
  MixtureView view;
  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (view.state->converged) return;
    const double* total = view.totals() + k * view.terms();
    view.sizes[k] = total[0];
    for (int c = 0; c < view.dimensions() && !view.is_empty(static_cast<int>(k)); ++c)
      view.means[k * view.dimensions() + c] = total[1 + c] / total[0];
  }
};

// Σ_k, its factor's inverse and what follows from them. O(d³) for a full one.
struct Reshape {
  MixtureView view;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (view.state->converged) return;
    const int d = view.dimensions();
    double *covariance = view.covariances + k * view.entries(), *factor = view.factors + k * view.entries();
    const double* total = view.totals() + k * view.terms();
    if (!view.is_empty(static_cast<int>(k)))
      for (int j = 0; j < d; ++j)
        for (int c = view.full ? 0 : j; c <= j; ++c) {
          const std::int64_t at = view.full ? triangle_at(j, c) : j;
          covariance[at] = total[at] / view.sizes[k] + (c == j ? view.ridge[j] : 0);
        }
    double log_determinant = 0;  // of W
    for (int j = 0; j < d; ++j) {
      if (view.full)
        invert_row(j, covariance, factor);
      else
        factor[j] = 1 / std::sqrt(covariance[j]);
      log_determinant += std::log(factor[view.full ? triangle_at(j, j) : j]);
    }
    const double share = view.sizes[k] / static_cast<double>(view.points.count);
    view.constants[k] = log_determinant - 0.5 * d * std::log(2 * 3.14159265358979323846) + std::log(share);
  }

  // Row j of L, by Cholesky's recursion on the rows of W above it, then row j of W. With W the inverse of L,
  // L_jc = Σ_m≤c W_cm Σ_jm.
  KINESCOPE_HD void invert_row(int j, const double* covariance, double* w) const {
    double* row = w + triangle_at(j, 0);
    double left = covariance[triangle_at(j, j)];
    for (int c = 0; c < j; ++c) {
      double sum = 0;
      for (int m = 0; m <= c; ++m) sum += w[triangle_at(c, m)] * covariance[triangle_at(j, m)];
      row[c] = sum;
      left -= sum * sum;
    }
    const double inverse = 1 / std::sqrt(left > view.ridge[j] * 1e-3 ? left : view.ridge[j] * 1e-3);
    // W_jm = −W_jj Σ_c≥m L_jc W_cm; ascending, because L_jm is not needed past column m.
    for (int m = 0; m < j; ++m) {
      double sum = 0;
      for (int c = m; c < j; ++c) sum += row[c] * w[triangle_at(c, m)];
      row[m] = -inverse * sum;
    }
    row[j] = inverse;
  }
};

// The Gaussian to which most of a point belongs, the first of equal ones.
struct LabelByShare {
  MixtureView view;
  std::uint32_t* to;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    int best = 0;
    for (int k = 1; k < view.clusters; ++k)
      if (view.shares[k * view.points.count + i] > view.shares[best * view.points.count + i]) best = k;
    to[i] = static_cast<std::uint32_t>(best);
  }
};

}  // namespace kinescope::sim::k_means
