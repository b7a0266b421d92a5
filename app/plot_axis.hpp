// Axes of printed plots: a range that covers the data and ends on ticks, the ticks, and their labels.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kinescope::app {

enum class AxisScale { linear, logarithmic };

struct AxisTicks {
  AxisScale scale = AxisScale::linear;
  double minimum = 0, maximum = 1;  // of the range; minimum < maximum, both of them ticks
  std::vector<double> major;        // ascending; those that get a label
  std::vector<double> minor;        // ascending; without label; none of them is a major one

  // Where `value` lies, 0 at the minimum and 1 at the maximum; what a logarithmic axis cannot show lies at 0.
  double place(double value) const;
};

// A range that covers all finite values: on a linear axis it ends on multiples of a round step, on a logarithmic one on
// whole decades, where zeros and negative values take no part. About `labels` of the ticks are major, at least two.
AxisTicks choose_ticks(AxisScale scale, std::span<const double> values, int labels);

// 1, 2 or 5 times a power of ten, not below `least`, which is above 0.
double round_up(double least);

// "0.25", "1,000", "10⁻⁷"; for a tick among its axis' ticks.
std::string tick_label(const AxisTicks& ticks, double value);

}  // namespace kinescope::app
