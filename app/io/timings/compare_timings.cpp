#include "app/io/timings/compare_timings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "app/io/output.hpp"
#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A series and its places in ascending order of their values.
struct Sorted {
  std::span<const double> values;
  std::vector<std::uint32_t> order;

  explicit Sorted(std::span<const double> series) : values(series), order(series.size()) {
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t place) { return series[place]; });
  }
  std::size_t rank(double part) const {  // nearest, from 1, as percentiles() has it
    return std::clamp<std::size_t>(std::size_t(std::ceil(part * double(values.size()))), 1, values.size());
  }
  double quantile(double part) const { return values[order[rank(part) - 1]]; }
};

// Politis and White's length of blocks for the mean of a series, by its autocovariances with their flat-top window.
double politis_white(const std::vector<double>& series) {
  const std::size_t n = series.size();
  const double mean = std::accumulate(series.begin(), series.end(), 0.0) / double(n);
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < n; ++i) sum += (series[i] - mean) * (series[i - lag] - mean);
    return sum / double(n);
  };
  std::vector<double> covariances{covariance(0)};
  if (covariances[0] == 0) return 1;
  const auto after = std::max<std::size_t>(5, std::size_t(std::ceil(std::sqrt(std::log10(double(n))))));
  const std::size_t most = std::size_t(std::ceil(std::sqrt(double(n)))) + after;
  const double negligible = 2 * std::sqrt(std::log10(double(n)) / double(n)) * covariances[0];
  std::size_t last = 0;  // the last lag whose correlation counts: `after` negligible ones follow
  for (std::size_t lag = 1; lag <= most && lag <= last + after; ++lag) {
    covariances.push_back(covariance(lag));
    if (std::abs(covariances[lag]) >= negligible) last = lag;
  }
  const std::size_t window = std::min(2 * std::max<std::size_t>(last, 1), most);
  while (covariances.size() <= window) covariances.push_back(covariance(covariances.size()));
  double sum = covariances[0], slope = 0;
  for (std::size_t lag = 1; lag <= window; ++lag) {
    const double place = double(lag) / double(window), weight = place <= 0.5 ? 1 : 2 * (1 - place);
    sum += 2 * weight * covariances[lag];
    slope += 2 * weight * double(lag) * covariances[lag];
  }
  if (sum == 0) return 1;
  const double length = std::cbrt(1.5 * slope * slope / (sum * sum) * double(n));
  return std::clamp(std::ceil(length), 1.0, std::ceil(std::min(3 * std::sqrt(double(n)), double(n) / 3)));
}

double usual_block(const Sorted& series, double part) {
  const double quantile = series.quantile(part);
  std::vector<double> below;
  for (const double value : series.values) below.push_back(value <= quantile ? 1 : 0);
  return politis_white(below);
}

// The quantile of blocks drawn at random.
double resampled(const Sorted& series, double part, std::size_t block, const sim::Random& random, std::uint64_t index,
                 std::vector<std::uint32_t>& changes) {
  const std::size_t n = series.values.size();
  // How often each place was drawn, as differences from the place before.
  changes.assign(n + 1, 0);
  std::uint32_t draw = 0;
  for (std::size_t drawn = 0; drawn < n; drawn += block) {
    const std::size_t begin = sim::uniform_below(random.words(index, draw++)[0], std::uint32_t(n)),
                      end = begin + std::min(block, n - drawn);
    ++changes[begin];
    --changes[std::min(end, n)];
    if (end > n) ++changes[0], --changes[end - n];
  }
  for (std::size_t i = 1; i < n; ++i) changes[i] += changes[i - 1];
  std::size_t seen = 0;
  const std::size_t rank = series.rank(part);
  for (const std::uint32_t place : series.order)
    if ((seen += changes[place]) >= rank) return series.values[place];
  return series.values[series.order.back()];
}

// The 97.5 % point of Student's t (Abramowitz and Stegun 26.7.5), divided by the normal distribution's.
double student_widening(double degrees) {
  constexpr double z = 1.959963985, z2 = z * z;
  return 1 + (z2 + 1) / (4 * degrees) + ((5 * z2 + 16) * z2 + 3) / (96 * degrees * degrees) +
         (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * degrees * degrees * degrees);
}

std::string shown_percent(double part) {
  return 100 * part < 9.95 ? fmt::format("{:.1f}", 100 * part) : fmt::format("{:.0f}", 100 * part);
}

std::string change_text(double ratio) {
  return shown_percent(std::abs(ratio - 1)) + (ratio < 1 ? " % less" : " % more");
}

void note_difference(std::vector<std::string>& notes, const RecordedTimings& a, const RecordedTimings& b) {
  if (a.timer != b.timer)
    notes.push_back(fmt::format(
        "Graphics and the window's time were measured in different ways: A's with the timer '{}', B's with '{}'",
        a.timer, b.timer));
  const auto points = [](const RecordedTimings& recorded) { return recorded.frames.back().points; };
  if (points(a) != points(b))
    notes.push_back(fmt::format("A drew {}, B {}", sim::count_of(points(a), "point"), sim::with_commas(points(b))));
  if (any_moves(a.frames) != any_moves(b.frames))
    notes.push_back(fmt::format("The simulation moved only in {}", any_moves(a.frames) ? "A" : "B"));
  else if (!any_moves(a.frames))
    notes.emplace_back("The simulation moved in no frame, so all frames are compared");
}

std::vector<FrameTiming> enough_frames(const RecordedTimings& recorded, const std::string& name) {
  std::vector<FrameTiming> frames = moving_frames(recorded.frames);
  if (frames.size() < least_frames)
    throw sim::input_error(fmt::format("{}: {} in which the simulation moved; a comparison needs at least {}", name,
                                       sim::count_of(frames.size(), "frame"), least_frames));
  return frames;
}

std::vector<double> times_of(const std::vector<FrameTiming>& frames, const TimingPart& part) {
  std::vector<double> times;
  for (const FrameTiming& frame : frames) times.push_back(frame.*part.ms);
  return times;
}

}  // namespace

Ratio quantile_ratio(std::span<const double> a, std::span<const double> b, double part) {
  const Sorted first(a), second(b);
  Ratio ratio{nan, nan, nan};
  if (first.quantile(part) <= 0 || second.quantile(part) <= 0) return ratio;
  ratio.value = second.quantile(part) / first.quantile(part);
  const double shorter = double(std::min(a.size(), b.size()));
  const double length = 2 * std::max(usual_block(first, part), usual_block(second, part));
  ratio.block = std::max<std::size_t>(1, std::size_t(std::min(length, shorter / 5)));
  const std::size_t resamples = std::clamp<std::size_t>(100'000'000 / std::max(a.size(), b.size()), 400, 2000);
  std::vector<double> logarithms(resamples);
  sim::in_parallel_ranges(resamples, 16, [&](std::size_t begin, std::size_t end) {
    const sim::Random draws_a(1, 0), draws_b(1, 1);
    std::vector<std::uint32_t> changes;
    for (std::size_t i = begin; i < end; ++i) {
      const double before = resampled(first, part, ratio.block, draws_a, i, changes);
      logarithms[i] = std::log(resampled(second, part, ratio.block, draws_b, i, changes)) - std::log(before);
      if (std::isnan(logarithms[i])) logarithms[i] = 0;  // both took no time
    }
  });
  std::ranges::sort(logarithms);
  const double middle = std::log(ratio.value);
  const double widening = student_widening(std::max(1.0, shorter / double(ratio.block) - 1));
  const auto bound = [&](double share) {
    const double at = logarithms[std::size_t(std::lround(share * double(resamples - 1)))];
    return std::exp(middle + widening * (at - middle));
  };
  ratio.low = bound(0.025);
  ratio.high = bound(0.975);
  return ratio;
}

std::string verdict(const Ratio& ratio, bool brief) {
  if (!ratio.known()) return brief ? "–" : "nothing to compare";
  if (!ratio.differs())
    return brief ? "no difference"
                 : fmt::format("no difference that these frames show (95 %: {} … {})", change_text(ratio.low),
                               change_text(ratio.high));
  if (ratio.value >= 2) {
    const std::string times = fmt::format("{:.3g} times", ratio.value);
    return brief ? times : fmt::format("{} the time (95 %: {:.3g} … {:.3g})", times, ratio.low, ratio.high);
  }
  if (brief) return change_text(ratio.value);
  const auto [least, most] = std::minmax({std::abs(ratio.low - 1), std::abs(ratio.high - 1)});
  return fmt::format("{} time (95 %: {} … {} %)", change_text(ratio.value), shown_percent(least), shown_percent(most));
}

std::string TimingsComparison::overall(std::string_view frames_of_b) const {
  const Ratio& frames = parts.front().median;
  return fmt::format("{} {}",
                     frames.differs() ? fmt::format("{} take", frames_of_b) : "Whole frames:", verdict(frames));
}

TimingsComparison compare_timings(const RecordedTimings& a, const RecordedTimings& b, const std::string& name_a,
                                  const std::string& name_b) {
  const std::vector<FrameTiming> frames_a = enough_frames(a, name_a), frames_b = enough_frames(b, name_b);
  TimingsComparison comparison;
  note_difference(comparison.notes, a, b);
  const bool tail = std::min(frames_a.size(), frames_b.size()) >= least_frames_p95;
  for (const TimingPart& part : timing_parts) {
    const std::vector<double> times_a = times_of(frames_a, part), times_b = times_of(frames_b, part);
    comparison.parts.push_back({&part, percentiles(times_a), percentiles(times_b),
                                quantile_ratio(times_a, times_b, 0.5),
                                tail ? quantile_ratio(times_a, times_b, 0.95) : Ratio{nan, nan, nan}});
  }
  return comparison;
}

}  // namespace kinescope::app
