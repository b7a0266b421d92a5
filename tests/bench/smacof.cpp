#include "tests/bench/smacof.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <oneapi/tbb/parallel_for.h>

#include "kinescope/random.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::quality {
namespace {

constexpr int mixed_steps = 6;
constexpr int stall_steps = 10;
constexpr int maximum_steps = 2000;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  const std::size_t n = a.size();
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// Returns Σ (d − δ)² at x, and writes the Guttman transform of x to `next`. Takes one unordered pair at a time, so that
// δ is read once.
template <int L>
double guttman(const Distances& distances, const Vector& x, Vector& next) {
  const std::int64_t n = distances.points;
  std::fill(next.begin(), next.end(), 0.0);
  const double *x0 = x.data(), *x1 = x0 + n, *x2 = x0 + (L - 1) * n;
  double *to0 = next.data(), *to1 = to0 + n, *to2 = to0 + (L - 1) * n;
  double total = 0;
  for (std::int64_t i = 1; i < n; ++i) {
    const float* delta = distances.row(i);
    const double a0 = x0[i], a1 = x1[i], a2 = x2[i];
    double error_square = 0, sum0 = 0, sum1 = 0, sum2 = 0;
#pragma omp simd reduction(+ : error_square, sum0, sum1, sum2)
    for (std::int64_t j = 0; j < i; ++j) {
      const double u0 = a0 - x0[j], u1 = a1 - x1[j], u2 = L == 3 ? a2 - x2[j] : 0.0;
      const double d = std::sqrt(u0 * u0 + u1 * u1 + u2 * u2 + 1e-30);  // coincident points do not pull each other
      const double wanted = delta[j], error = d - wanted, weight = wanted / d;
      error_square += error * error;
      sum0 += weight * u0, sum1 += weight * u1;
      to0[j] -= weight * u0, to1[j] -= weight * u1;
      if (L == 3) sum2 += weight * u2, to2[j] -= weight * u2;
    }
    to0[i] += sum0, to1[i] += sum1;
    if (L == 3) to2[i] += sum2;
    total += error_square;
  }
  for (double& value : next) value /= static_cast<double>(n);
  return total;
}

// Anderson mixing: keeps the differences of the last steps, and finds the mixture of them with the least residual.
class Mixing {
 public:
  void clear() { stored_ = 0; }

  // Called after a step from (image_before, residual_before) to (image, residual).
  void store(const Vector& image, const Vector& residual, const Vector& image_before, const Vector& residual_before) {
    const std::size_t k = static_cast<std::size_t>(stored_++ % mixed_steps);
    images_[k].resize(image.size());
    residuals_[k].resize(image.size());
    for (std::size_t e = 0; e < image.size(); ++e) {
      images_[k][e] = image[e] - image_before[e];
      residuals_[k][e] = residual[e] - residual_before[e];
    }
  }

  Vector mix(const Vector& image, const Vector& residual) const {
    const int m = std::min(stored_, mixed_steps);
    Vector result = image;
    std::array<std::array<double, mixed_steps + 1>, mixed_steps> system{};
    for (int a = 0; a < m; ++a) {
      for (int b = 0; b <= a; ++b) system[a][b] = system[b][a] = dot(residuals_[a], residuals_[b]);
      system[a][m] = dot(residuals_[a], residual);
    }
    for (int a = 0; a < m; ++a) system[a][a] *= 1 + 1e-10;
    for (int a = 0; a < m; ++a) {  // positive definite, so no pivoting is needed
      if (!(system[a][a] > 0)) return image;
      for (int b = 0; b < m; ++b) {
        if (b == a) continue;
        const double factor = system[b][a] / system[a][a];
        for (int c = a; c <= m; ++c) system[b][c] -= factor * system[a][c];
      }
    }
    for (int a = 0; a < m; ++a) {
      const double share = system[a][m] / system[a][a];
      for (std::size_t e = 0; e < result.size(); ++e) result[e] -= share * images_[a][e];
    }
    return result;
  }

 private:
  int stored_ = 0;
  std::array<Vector, mixed_steps> images_, residuals_;
};

template <int L>
Minimum descend(const Distances& distances, Vector x, double gain) {
  Vector image(x.size()), residual(x.size()), trial(x.size()), trial_image(x.size()), trial_residual(x.size());
  Mixing mixing;
  std::vector<double> values = {guttman<L>(distances, x, image)};
  for (std::size_t e = 0; e < x.size(); ++e) residual[e] = image[e] - x[e];
  while (values.size() < maximum_steps && values.back() > 1e-13 * distances.square) {
    trial = mixing.mix(image, residual);
    double value = guttman<L>(distances, trial, trial_image);
    if (!(value < values.back())) {
      mixing.clear();
      trial = image;
      value = guttman<L>(distances, trial, trial_image);
    }
    for (std::size_t e = 0; e < x.size(); ++e) trial_residual[e] = trial_image[e] - trial[e];
    mixing.store(trial_image, trial_residual, image, residual);
    x.swap(trial), image.swap(trial_image), residual.swap(trial_residual);
    values.push_back(value);
    if (values.size() > stall_steps && values[values.size() - 1 - stall_steps] - value < gain * value) break;
  }
  return {distances.square > 0 ? values.back() / distances.square : 0, std::move(x)};
}

void centre(Vector& x, std::int64_t n) {
  for (auto column = x.begin(); column != x.end(); column += n) {
    const double mean = std::accumulate(column, column + n, 0.0) / static_cast<double>(n);
    std::for_each(column, column + n, [&](double& value) { value -= mean; });
  }
}

// −½ J δ² J times a centred vector.
Vector times_products(const Distances& distances, const Vector& v) {
  const std::int64_t n = distances.points;
  Vector result(v.size());
  for (std::int64_t i = 1; i < n; ++i) {
    const float* delta = distances.row(i);
    const double own = v[static_cast<std::size_t>(i)];
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < i; ++j) {
      const double half = -0.5 * static_cast<double>(delta[j]) * static_cast<double>(delta[j]);
      sum += half * v[j];
      result[j] += half * own;
    }
    result[static_cast<std::size_t>(i)] += sum;
  }
  centre(result, n);
  return result;
}

// Orthogonal iteration. Forty steps come near enough for a start.
Vector classical_scaling(const Distances& distances, int L) {
  const std::int64_t n = distances.points;
  std::vector<Vector> axes;
  std::vector<double> lengths(static_cast<std::size_t>(L));
  for (int l = 0; l < L; ++l) {
    axes.emplace_back(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) axes.back()[static_cast<std::size_t>(i)] = Random(17, 30).normal(i, l);
    centre(axes.back(), n);
  }
  for (int step = 0; step < 40; ++step)
    for (std::size_t l = 0; l < axes.size(); ++l) {
      if (step > 0) axes[l] = times_products(distances, axes[l]);
      for (std::size_t k = 0; k < l; ++k) {
        const double share = dot(axes[k], axes[l]);
        for (std::size_t e = 0; e < axes[l].size(); ++e) axes[l][e] -= share * axes[k][e];
      }
      lengths[l] = std::sqrt(dot(axes[l], axes[l]));
      for (double& value : axes[l]) value /= std::max(lengths[l], 1e-300);
    }
  Vector x;
  for (std::size_t l = 0; l < axes.size(); ++l)
    for (std::size_t i = 0; i < axes[l].size(); ++i)  // with noise, so that a flat layout can leave its line
      x.push_back(axes[l][i] * std::sqrt(lengths[l]) + 1e-4 * Random(17, 31).normal(i, static_cast<std::uint32_t>(l)));
  return x;
}

}  // namespace

Distances distances(const Dataset& data, GlimmerParameters& parameters) {
  const glimmer::Prepared prepared = glimmer::prepare(data, parameters, 1);
  const glimmer::Rows rows{prepared.values.data(), prepared.stride, parameters.metric.value()};
  Distances result;
  const auto n = result.points = static_cast<std::int64_t>(data.points);
  result.permutation = prepared.permutation;
  result.lower.resize(static_cast<std::size_t>(n * (n - 1) / 2));
  std::vector<double> squares(data.points);
  oneapi::tbb::parallel_for(std::int64_t{1}, n, [&](std::int64_t i) {
    float* row = result.lower.data() + i * (i - 1) / 2;
    for (std::int64_t j = 0; j < i; ++j) {
      row[j] = rows.distance(i, j);
      squares[static_cast<std::size_t>(i)] += double(row[j]) * row[j];
    }
  });
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0),
               pairs = static_cast<double>(result.lower.size());
  if (!(sum > 0)) return result;
  const double mean = std::sqrt(sum / pairs);
  for (float& delta : result.lower) delta = static_cast<float>(delta / mean);
  result.unit = mean * prepared.unit;
  result.square = pairs;
  return result;
}

Minimum smacof_from(const Distances& distances, int L, Minimum from, double gain) {
  return L == 2 ? descend<2>(distances, std::move(from.x), gain) : descend<3>(distances, std::move(from.x), gain);
}

Minimum smacof(const Distances& distances, int L, int start, double gain) {
  Minimum from;
  if (start == 0) {
    from.x = classical_scaling(distances, L);
  } else {
    const auto size = static_cast<std::size_t>(L * distances.points);
    for (std::size_t e = 0; e < size; ++e)
      from.x.push_back(0.5 * Random(static_cast<std::uint64_t>(start), 29).normal(e));
  }
  centre(from.x, distances.points);
  return smacof_from(distances, L, std::move(from), gain);
}

std::vector<float> as_layout(const Distances& distances, int L, const Minimum& minimum) {
  std::vector<float> layout(minimum.x.size());
  for (std::int64_t i = 0; i < distances.points; ++i)
    for (int l = 0; l < L; ++l)
      layout[static_cast<std::size_t>(distances.permutation[static_cast<std::size_t>(i)] * L + l)] =
          static_cast<float>(minimum.x[static_cast<std::size_t>(l * distances.points + i)] * distances.unit);
  return layout;
}

Minimum as_start(const Distances& distances, int L, const std::vector<float>& layout) {
  Minimum start;
  start.x.resize(layout.size());
  for (std::int64_t i = 0; i < distances.points; ++i)
    for (int l = 0; l < L; ++l)
      start.x[static_cast<std::size_t>(l * distances.points + i)] =
          layout[static_cast<std::size_t>(distances.permutation[static_cast<std::size_t>(i)] * L + l)] / distances.unit;
  return start;
}

}  // namespace kinescope::sim::quality
