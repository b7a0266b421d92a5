// Compares the frames of two recordings, A and B: by how much B's times differ, and whether these frames show that they
// differ at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/timings/recorded_timings.hpp"

namespace kinescope::app {

// Fewer frames in which the simulation moved are not compared: the intervals would be too narrow. Synthetic frames that
// resembled their predecessors (correlation 0.5) showed a difference where there was none in 5 % of the pairs from 100
// frames on, for the 95th percentile from 1,000 on.
inline constexpr std::size_t least_frames = 100, least_frames_p95 = 1000;

// B's quantile divided by A's, with its 95 % interval; NaN if it is not known.
struct Ratio {
  double value, low, high;
  std::size_t block = 0;  // consecutive frames that were drawn together

  bool known() const { return low <= high; }
  bool differs() const { return low > 1 || high < 1; }
};

// The ratio of the `part` quantiles (nearest rank) of two series of times.
//
// The interval is a bootstrap of 2,000 resamples (400 of long series). Frames resemble those before them, so blocks of
// consecutive frames are drawn, around the end to the beginning: single frames would make the interval too narrow. How
// long the blocks are follows from the series: twice the length of Politis and White ("Automatic block-length selection
// for the dependent bootstrap", 2004, corrected 2009) for the series of whether a frame is below the quantile, of which
// a quantile's error is a multiple; the longer one of A's and B's, and at most a fifth of the frames. The interval is
// widened by Student's t of as many values as there are blocks. Twice, and t: of synthetic series of 300 and 1,000
// frames whose neighbours correlate by 0 … 0.95, 3 to 7 % then showed a difference where there was none; without
// either, up to 24 %. The same series give the same interval.
//
// Takes O(resamples · frames), on all threads.
Ratio quantile_ratio(std::span<const double> a, std::span<const double> b, double part);

// "12 % less time (95 %: 9 … 15 %)", "2.31 times the time (95 %: 2.2 … 2.4)", "no difference that these frames show
// (95 %: 1 % less … 2 % more)". `brief`: "12 % less", "2.31 times", "no difference".
std::string verdict(const Ratio& ratio, bool brief = false);

struct ComparedPart {
  const TimingPart* part;
  Percentiles a, b;
  Ratio median, p95;
};

struct TimingsComparison {
  std::vector<ComparedPart> parts;  // as timing_parts
  std::vector<std::string> notes;   // what makes A and B differ beside their speed, in sentences

  // About whole frames, by their median. The subject: "B's frames".
  std::string overall(std::string_view frames_of_b) const;
};

// Compares the frames that moving_frames() leaves. Throws sim::Error (input) if these are too few; `name_a` and
// `name_b` begin the message.
TimingsComparison compare_timings(const RecordedTimings& a, const RecordedTimings& b, const std::string& name_a,
                                  const std::string& name_b);

}  // namespace kinescope::app
