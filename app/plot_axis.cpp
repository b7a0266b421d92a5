#include "app/plot_axis.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "app/output.hpp"

namespace kinescope::app {
namespace {

using Interval = std::pair<double, double>;

std::optional<Interval> range_of(std::span<const double> values, bool positive_only) {
  std::optional<Interval> range;
  for (const double value : values) {
    if (!std::isfinite(value) || (positive_only && value <= 0)) continue;
    if (!range) range = {value, value};
    range->first = std::min(range->first, value);
    range->second = std::max(range->second, value);
  }
  return range;
}

AxisTicks linear_ticks(std::span<const double> values, int labels) {
  auto [least, greatest] = range_of(values, false).value_or(Interval{0, 1});
  if (greatest - least <= 1e-9 * std::max(std::abs(least), std::abs(greatest))) {
    const double half = least == 0 ? 0.5 : std::abs(least) / 2;
    least -= half;
    greatest += half;
  }
  const double step = round_up((greatest - least) / std::max(1, labels - 1));
  // The values themselves may lie on multiples: rounding must not add another step.
  const auto first = static_cast<long>(std::floor(least / step + 1e-9));
  const auto last = static_cast<long>(std::ceil(greatest / step - 1e-9));
  AxisTicks ticks;
  for (long k = first; k <= last; ++k) ticks.major.push_back(static_cast<double>(k) * step);
  ticks.minimum = std::min(ticks.major.front(), least);
  ticks.maximum = std::max(ticks.major.back(), greatest);
  return ticks;
}

AxisTicks logarithmic_ticks(std::span<const double> values, int labels) {
  const auto [least, greatest] = range_of(values, true).value_or(Interval{0.1, 1});
  int first = static_cast<int>(std::floor(std::log10(least) + 1e-9));
  int last = static_cast<int>(std::ceil(std::log10(greatest) - 1e-9));
  if (first == last) --first;
  const int every = std::max(1, (last - first + labels - 2) / std::max(1, labels - 1));
  while ((last - first) % every != 0) ++last;  // both ends are labelled
  AxisTicks ticks;
  ticks.scale = AxisScale::logarithmic;
  for (int decade = first; decade <= last; ++decade) {
    const double power = std::pow(10.0, decade);
    ((decade - first) % every == 0 ? ticks.major : ticks.minor).push_back(power);
    if (every == 1 && decade < last)
      for (int digit = 2; digit < 10; ++digit) ticks.minor.push_back(digit * power);
  }
  ticks.minimum = ticks.major.front();
  ticks.maximum = ticks.major.back();
  return ticks;
}

std::string power_of_ten(int exponent) {
  static constexpr const char* superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += superscripts[digit - '0'];
  return text;
}

}  // namespace

double round_up(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

double AxisTicks::place(double value) const {
  if (scale == AxisScale::linear) return (value - minimum) / (maximum - minimum);
  if (!(value > 0)) return 0;
  return (std::log10(value) - std::log10(minimum)) / (std::log10(maximum) - std::log10(minimum));
}

AxisTicks choose_ticks(AxisScale scale, std::span<const double> values, int labels) {
  return scale == AxisScale::linear ? linear_ticks(values, labels) : logarithmic_ticks(values, labels);
}

std::string tick_label(const AxisTicks& ticks, double value) {
  if (ticks.scale == AxisScale::logarithmic) {
    const int exponent = static_cast<int>(std::lround(std::log10(value)));
    if (exponent < -3 || exponent > 6) return power_of_ten(exponent);
    return exponent < 0 ? fmt::format("{:.{}f}", value, -exponent)
                        : count_text(static_cast<std::size_t>(std::lround(value)));
  }
  const double step = ticks.major.size() > 1 ? ticks.major[1] - ticks.major[0] : 1;
  const double size = std::max(std::abs(ticks.minimum), std::abs(ticks.maximum));
  if (size >= 1e7 || size < 1e-4) return fmt::format("{:.4g}", std::abs(value) < step / 2 ? 0.0 : value);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const std::string text = fmt::format("{:.{}f}", std::abs(value) < step / 2 ? 0.0 : value, decimals);
  return decimals == 0 && value >= 1000 ? count_text(static_cast<std::size_t>(std::lround(value))) : text;
}

}  // namespace kinescope::app
