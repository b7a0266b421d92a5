#include "app/plot/plot_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "sim/data/text.hpp"

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
  AxisTicks ticks{.scale = AxisScale::logarithmic};
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

// Ticks in the range from `low` to `high`, which must be above 0.
std::vector<double> logarithmic_ticks_within(double low, double high, int labels) {
  const double from = std::log10(low), to = std::log10(high);
  const int first = static_cast<int>(std::ceil(from - 1e-9)), last = static_cast<int>(std::floor(to + 1e-9));
  std::vector<double> ticks;
  if (last > first) {
    const int every = 1 + (last - first) / std::max(1, labels);
    for (int power = first; power <= last; power += every) ticks.push_back(std::pow(10.0, power));
    return ticks;
  }
  for (int power = static_cast<int>(std::floor(from)); power <= last; ++power)
    for (const double part : {1.0, 2.0, 5.0})
      if (const double value = part * std::pow(10.0, power); value >= low && value <= high) ticks.push_back(value);
  // A range that holds fewer than two of them is so short that equal steps look almost even on it.
  if (ticks.size() < 2) ticks = ticks_within(low, high, std::min(labels, 4), AxisScale::linear).major;
  const double least = (to - from) / (labels + 1);  // between two labels
  double last_place = -std::numeric_limits<double>::infinity();
  std::erase_if(ticks, [&](double value) {
    const bool near = std::log10(value) < last_place + least;
    if (!near) last_place = std::log10(value);
    return near;
  });
  return ticks;
}

// 0, and powers of ten up to `high`.
std::vector<double> ticks_from_zero(double high, int labels) {
  const int last = static_cast<int>(std::floor(std::log10(std::max(high, 1.0)) + 1e-9));
  const int every = std::max(1, (last + labels - 2) / std::max(1, labels - 1));
  std::vector<double> ticks{0};
  for (int power = every; power <= last; power += every) ticks.push_back(std::pow(10.0, power));
  return ticks;
}

// Returns the first of the `factors` times the power of ten at or below `near` that `suits`; `near` if none does.
template <class Suits>
double round_number(double near, std::initializer_list<double> factors, Suits suits) {
  const double decade = std::pow(10.0, std::floor(std::log10(near)));
  for (const double factor : factors)
    if (suits(factor * decade)) return factor * decade;
  return near;
}

// A tick is a round number, so few digits say it whole.
std::string round_number_text(double value) {
  return value >= 1000 ? sim::with_commas(static_cast<std::size_t>(std::lround(value))) : fmt::format("{:.6g}", value);
}

std::string logarithmic_label(double value, bool brief) {
  const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  const double mantissa = value / std::pow(10.0, exponent);
  if (std::abs(mantissa - 1) < 1e-6) {
    if (exponent < -3 || exponent > (brief ? 3 : 6)) return sim::power_of_ten(exponent);
    return exponent < 0 ? fmt::format("{:.{}f}", value, -exponent)
                        : sim::with_commas(static_cast<std::size_t>(std::lround(value)));
  }
  if (exponent >= -3 && exponent < 5) return round_number_text(value);
  return round_number_text(mantissa) + "·" + sim::power_of_ten(exponent);
}

}  // namespace

double round_up(double least) {
  return round_number(least, {1, 2, 5, 10}, [&](double value) { return value >= least * (1 - 1e-9); });
}

double round_down(double most) {
  return round_number(most, {5, 2, 1}, [&](double value) { return value <= most * (1 + 1e-9); });
}

double AxisTicks::place(double value) const {
  if (scale == AxisScale::linear) return (value - minimum) / (maximum - minimum);
  if (!(value > 0)) return 0;
  if (scale == AxisScale::from_zero) return std::log1p(value) / std::log1p(maximum);
  return (std::log10(value) - std::log10(minimum)) / (std::log10(maximum) - std::log10(minimum));
}

bool has_logarithm(double value) {
  return value > 0 && std::isfinite(value);
}

AxisTicks choose_ticks(AxisScale scale, std::span<const double> values, int labels) {
  return scale == AxisScale::linear ? linear_ticks(values, labels) : logarithmic_ticks(values, labels);
}

AxisTicks ticks_within(double low, double high, int labels, AxisScale scale) {
  const std::array ends{std::min(low, high), std::max(low, high)};
  AxisTicks ticks;
  if (scale == AxisScale::linear) {
    const double slack = 1e-6 * (ends[1] - ends[0]);
    // A round step may leave a single tick in the range: then a smaller step is tried.
    for (int wanted = labels; wanted < labels + 8; ++wanted) {
      ticks = linear_ticks(ends, wanted);
      std::erase_if(ticks.major, [&](double value) { return value < ends[0] - slack || value > ends[1] + slack; });
      if (ticks.major.size() > 2) break;
    }
  } else if (scale == AxisScale::logarithmic) {
    ticks.major = logarithmic_ticks_within(ends[0], ends[1], labels);
  } else {
    ticks.major = ticks_from_zero(ends[1], labels);
  }
  ticks.scale = scale;
  ticks.minimum = ends[0];
  ticks.maximum = ends[1];
  return ticks;
}

std::string tick_label(const AxisTicks& ticks, double value, bool brief) {
  if (ticks.scale != AxisScale::linear) return value > 0 ? logarithmic_label(value, brief) : "0";
  const double step = ticks.major.size() > 1 ? ticks.major[1] - ticks.major[0] : 1;
  const double size = std::max(std::abs(ticks.minimum), std::abs(ticks.maximum));
  const bool few_digits_differ = step > 1e-3 * size;
  if ((size >= 1e7 || size < 1e-4) && few_digits_differ)
    return fmt::format("{:.4g}", std::abs(value) < step / 2 ? 0.0 : value);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  if (decimals > 0 || std::abs(value) < 1000)
    return fmt::format("{:.{}f}", std::abs(value) < step / 2 ? 0.0 : value, decimals);
  return (value < 0 ? "-" : "") + sim::with_commas(static_cast<std::size_t>(std::lround(std::abs(value))));
}

}  // namespace kinescope::app
