// The one axis of all plots, printed or on the screen: where values lie, round ticks, and their labels.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kinescope::app {

// from_zero: proportional to log(1 + x), so that the axis begins at 0.
enum class AxisScale { linear, logarithmic, from_zero };

struct AxisTicks {
  AxisScale scale = AxisScale::linear;
  double minimum = 0, maximum = 1;  // the range; minimum < maximum
  std::vector<double> major;        // ascending; these have labels
  std::vector<double> minor;        // ascending; without labels, and none of them is a major tick

  // The position of `value` on the axis: 0 at the minimum, 1 at the maximum. A value that a logarithmic axis cannot
  // show is at 0.
  double place(double value) const;
};

// Whether a logarithmic axis can show `value`: it must be above 0 and finite.
bool has_logarithm(double value);

// A range that covers all finite values and ends on ticks: multiples of a round step on a linear axis, whole decades on
// a logarithmic one, which ignores zeros and negative values. About `labels` of the ticks are major, at least two.
AxisTicks choose_ticks(AxisScale scale, std::span<const double> values, int labels);

// Round ticks within a fixed range, about `labels` of them. A logarithmic axis (`low` > 0) has whole powers of ten; if
// fewer than two are in the range, 1, 2 and 5 times a power of ten; if these are too few as well, three values between
// the ends.
AxisTicks ticks_within(double low, double high, int labels, AxisScale scale = AxisScale::linear);

// Round numbers are 1, 2 or 5 times a power of ten. round_up gives the smallest that is not below `least`, round_down
// the greatest that is not above `most`. The arguments must be above 0.
double round_up(double least);
double round_down(double most);

// "0.25", "1,000", "10⁻⁷", "2·10⁶" for a tick of the axis. With `brief`, a logarithmic axis writes powers of ten from
// 10⁴ on as powers, not as 10,000.
std::string tick_label(const AxisTicks& ticks, double value, bool brief = false);

}  // namespace kinescope::app
