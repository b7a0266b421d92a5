#include "sim/mean_shift/measured_error.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "kinescope/executors/lanes.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr double pairs = 1e8, most_pairs = 2e8;  // 1e8 take about 0.15 s of one thread
constexpr std::size_t least_points = 8, most_points = 1000;
constexpr std::uint64_t error_sample_seed = 21;
// A point that moves less than this, in bandwidths, stays within 10^-7 of its place for the 10^6 iterations that a run
// can have at most.
constexpr double exactly_at_rest = 1e-13;
constexpr double no_weight = 80;  // exp(−80) is beyond a double's digits for any number of points

using Place = std::array<double, maximum_dimensions>;
using lanes::Double4;
using lanes::Long4;

// 1/k! for k = 0 … 13.
constexpr std::array<double, 14> taylor = [] {
  std::array<double, 14> coefficients{1};
  for (std::size_t k = 1; k < coefficients.size(); ++k) coefficients[k] = coefficients[k - 1] / double(k);
  return coefficients;
}();

// e^x for −no_weight ≤ x ≤ 0, to a unit or two in the last place: x = n ln 2 + r with |r| ≤ ½ ln 2, and Taylor's
// polynomial for e^r.
inline Double4 exponential(Double4 x) {
  const Double4 n = lanes::round(x * 1.4426950408889634);
  const Double4 r = lanes::fma(n, lanes::broadcast4(-1.9082149292705877e-10),
                               lanes::fma(n, lanes::broadcast4(-0.6931471803691238), x));
  Double4 sum = lanes::broadcast4(taylor.back());
  for (std::size_t k = taylor.size() - 1; k-- > 0;) sum = lanes::fma(sum, r, lanes::broadcast4(taylor[k]));
  const Long4 exponent = __builtin_convertvector(__builtin_convertvector(n, lanes::Int4), Long4) << 52;
  return Double4(Long4(sum) + exponent);
}

template <Kernel kernel>
inline Double4 weight_of(Double4 square) {
  if constexpr (kernel == Kernel::gaussian) {
    const Double4 x = -0.5 * square;
    return x > -no_weight ? exponential(lanes::max(x, lanes::broadcast4(-no_weight))) : Double4{};
  }
  if constexpr (kernel == Kernel::epanechnikov) return lanes::max(1 - square, Double4{});
  return square <= double(flat_limit) ? Double4{} + 1 : Double4{};
}

double sum_of(Double4 v) {
  return (v[0] + v[2]) + (v[1] + v[3]);
}

// Exact sums in double, over four data points at a time. Coordinates are in bandwidths, minus the columns' medians.
class ExactSums {
 public:
  ExactSums(const Dataset& data, const Prepared& prepared, const std::vector<double>& widths, Kernel kernel)
      : columns_(widths.size()),
        kernel_(kernel),
        stride_((prepared.points + 3) / 4 * 4),
        weight_(stride_, 0.0),
        x_(columns_ * stride_) {
    for (std::size_t i = 0; i < prepared.points; ++i) {
      weight_[i] = prepared.weight.empty() ? 1 : double(prepared.weight[i]);
      for (std::size_t c = 0; c < columns_; ++c) {
        const auto column = static_cast<std::size_t>(prepared.columns[c]);
        const double value = prepared.owner.empty()
                                 ? data.value(i, column) - prepared.centre[c]
                                 : double(prepared.raw[c * static_cast<std::size_t>(prepared.stride) + i]);
        x_[c * stride_ + i] = value / widths[c];
      }
    }
  }

  // The place of a point after so many iterations; none if these are more than `most`, and it still moves after `most`.
  std::optional<Place> shifted(std::size_t point, std::int64_t iterations, std::int64_t most) const {
    if (kernel_ == Kernel::gaussian) return shifted_by<Kernel::gaussian>(point, iterations, most);
    if (kernel_ == Kernel::epanechnikov) return shifted_by<Kernel::epanechnikov>(point, iterations, most);
    return shifted_by<Kernel::flat>(point, iterations, most);
  }

 private:
  template <Kernel kernel>
  std::optional<Place> shifted_by(std::size_t point, std::int64_t iterations, std::int64_t most) const {
    Place y{};
    for (std::size_t c = 0; c < columns_; ++c) y[c] = x_[c * stride_ + point];
    for (std::int64_t t = 0; t < std::min(iterations, most); ++t) {
      const double moved = columns_ == 1   ? shift<kernel, 1>(y)
                           : columns_ == 2 ? shift<kernel, 2>(y)
                           : columns_ == 3 ? shift<kernel, 3>(y)
                                           : shift<kernel, maximum_dimensions>(y);
      if (moved <= exactly_at_rest) return y;
    }
    return iterations <= most ? std::optional(y) : std::nullopt;
  }

  // One iteration of the point y, with up to K columns. Returns how far it moved.
  template <Kernel kernel, std::size_t K>
  double shift(Place& y) const {
    const std::size_t columns = K <= 3 ? K : columns_;
    Double4 total = {}, moment[K] = {}, between[K];
    for (std::size_t j = 0; j < stride_; j += 4) {
      Double4 square = {};
      for (std::size_t c = 0; c < columns; ++c) {
        between[c] = lanes::load4(&x_[c * stride_ + j]) - y[c];
        square = lanes::fma(between[c], between[c], square);
      }
      const Double4 w = weight_of<kernel>(square) * lanes::load4(&weight_[j]);
      total += w;
      for (std::size_t c = 0; c < columns; ++c) moment[c] = lanes::fma(w, between[c], moment[c]);
    }
    const double weight = sum_of(total);
    double moved = 0;
    for (std::size_t c = 0; weight > 0 && c < columns; ++c) {
      const double step = sum_of(moment[c]) / weight;
      y[c] += step;
      moved = std::hypot(moved, step);
    }
    return moved;
  }

  std::size_t columns_;
  Kernel kernel_;
  std::size_t stride_;
  std::vector<double> weight_, x_;  // [stride_], [columns × stride_]; points past the last have no weight
};

// Chooses `size` points: half of them have the lowest densities, the others are drawn from all points. Some may be
// both.
std::vector<std::size_t> choose_points(std::span<const float> densities, std::size_t size) {
  std::vector<std::size_t> chosen(densities.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const std::size_t thin = std::min(chosen.size(), (size + 1) / 2);
  std::partial_sort(
      chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(thin), chosen.end(),
      [&](std::size_t a, std::size_t b) { return densities[a] != densities[b] ? densities[a] < densities[b] : a < b; });
  chosen.resize(thin);
  const Permutation anywhere(densities.size(), error_sample_seed);
  for (std::size_t i = 0; chosen.size() < std::min(size, densities.size()); ++i) chosen.push_back(anywhere(i));
  return chosen;
}

}  // namespace

MeasuredError measure_error(const Dataset& data, const Prepared& prepared, const Plan& plan,
                            MeanShiftParameters& parameters, const Arrived& arrived) {
  if (prepared.points == 0 || arrived.iterations == 0) return {};
  const auto most = static_cast<std::int64_t>(most_pairs / (least_points * double(prepared.points)));
  if (most == 0) return {};
  const double each = double(prepared.points) * double(std::min(arrived.iterations, most));
  const std::size_t columns = prepared.columns.size();
  std::vector<double> widths(columns, plan.bandwidth);
  if (is_image(data) && columns == 5) widths[0] = widths[1] = parameters.space_bandwidth.value();
  const ExactSums sums(data, prepared, widths, parameters.kernel.value());
  const auto size = static_cast<std::size_t>(std::clamp(pairs / each, double(least_points), double(most_points)));
  const std::vector<std::size_t> chosen = choose_points(arrived.densities, size);
  std::vector<double> errors(chosen.size());
  std::atomic<bool> all_known = true;
  in_parallel(chosen.size(), 1, [&](std::size_t i) {
    const std::optional<Place> exact = sums.shifted(chosen[i], arrived.iterations, most);
    if (!exact) all_known = false;
    for (std::size_t c = 0; exact && c < columns; ++c) {
      const double place = arrived.places[c * prepared.points + chosen[i]] / plan.scale[c] / widths[c];
      errors[i] = std::hypot(errors[i], place - (*exact)[c]);
    }
  });
  if (!all_known) return {};
  const auto beyond = std::count_if(errors.begin(), errors.end(), [&](double e) { return !(e <= plan.error_bound); });
  return {errors.size(), *std::max_element(errors.begin(), errors.end()), double(beyond) / double(errors.size())};
}

}  // namespace kinescope::sim::mean_shift
