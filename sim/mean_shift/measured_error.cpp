#include "sim/mean_shift/measured_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/core/in_parallel.hpp"
#include "sim/core/permutation.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr double pairs = 1e8, most_pairs = 2e8;  // 1e8 take about 0.15 s on two cores
constexpr std::size_t least_points = 8, most_points = 1000;
constexpr std::uint64_t error_sample_seed = 21;
constexpr double no_weight = 80;  // exp(−80) is beyond a double's digits for any number of points

using Place = std::array<double, maximum_dimensions>;

double kernel_weight(Kernel kernel, double square) {
  if (kernel == Kernel::gaussian) return 0.5 * square < no_weight ? std::exp(-0.5 * square) : 0;
  if (kernel == Kernel::epanechnikov) return std::max(0.0, 1 - square);
  return square <= flat_limit ? 1 : 0;
}

// The points in bandwidths, less the columns' medians: [points × columns].
class ExactSums {
 public:
  ExactSums(const Dataset& data, const Prepared& prepared, const std::vector<double>& widths, Kernel kernel)
      : columns_(widths.size()), kernel_(kernel), weight_(prepared.weight), x_(prepared.points * columns_) {
    for (std::size_t i = 0; i < prepared.points; ++i)
      for (std::size_t c = 0; c < columns_; ++c) {
        const auto column = static_cast<std::size_t>(prepared.columns[c]);
        const double value = prepared.owner.empty()
                                 ? data.values[i * data.dimensions + column] - prepared.centre[c]
                                 : double(prepared.raw[c * static_cast<std::size_t>(prepared.stride) + i]);
        x_[i * columns_ + c] = value / widths[c];
      }
  }

  Place shifted(std::size_t point, std::int64_t iterations) const {
    Place y{};
    std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(point * columns_), columns_, y.begin());
    for (std::int64_t t = 0; t < iterations; ++t) {
      double total = 0;
      Place moment{}, between{};
      for (std::size_t j = 0; j * columns_ < x_.size(); ++j) {
        double square = 0;
        for (std::size_t c = 0; c < columns_; ++c)
          between[c] = x_[j * columns_ + c] - y[c], square += between[c] * between[c];
        double w = kernel_weight(kernel_, square);
        if (w == 0) continue;
        if (!weight_.empty()) w *= weight_[j];
        total += w;
        for (std::size_t c = 0; c < columns_; ++c) moment[c] += w * between[c];
      }
      for (std::size_t c = 0; total > 0 && c < columns_; ++c) y[c] += moment[c] / total;
    }
    return y;
  }

 private:
  std::size_t columns_;
  Kernel kernel_;
  const std::vector<float>& weight_;
  std::vector<double> x_;
};

// Half of them the thinnest, the others anywhere; some may be both.
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
  const double each = double(prepared.points) * double(arrived.iterations);
  if (!(each > 0) || least_points * each > most_pairs) return {};
  const std::size_t columns = prepared.columns.size();
  std::vector<double> widths(columns, plan.bandwidth);
  if (is_image(data) && columns == 5) widths[0] = widths[1] = parameters.space_bandwidth.value();
  const ExactSums sums(data, prepared, widths, parameters.kernel.value());
  const auto size = static_cast<std::size_t>(std::clamp(pairs / each, double(least_points), double(most_points)));
  const std::vector<std::size_t> chosen = choose_points(arrived.densities, size);
  std::vector<double> errors(chosen.size());
  in_parallel(chosen.size(), 1, [&](std::size_t i) {
    const Place exact = sums.shifted(chosen[i], arrived.iterations);
    for (std::size_t c = 0; c < columns; ++c) {
      const double place = arrived.places[c * prepared.points + chosen[i]] / plan.scale[c] / widths[c];
      errors[i] = std::hypot(errors[i], place - exact[c]);
    }
  });
  const auto beyond = std::count_if(errors.begin(), errors.end(), [&](double e) { return !(e <= plan.error_bound); });
  return {errors.size(), *std::max_element(errors.begin(), errors.end()), double(beyond) / double(errors.size())};
}

}  // namespace kinescope::sim::mean_shift
