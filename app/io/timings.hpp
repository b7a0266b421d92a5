// How long frames take: percentiles for the panel, one row a frame for --timings.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/data/output_file.hpp"

namespace kinescope::app {

double seconds_since(std::chrono::steady_clock::time_point begin);

struct FrameTiming {
  double cpu_ms = 0;  // the window's thread without waiting: events, panels, upload, drawing commands. Where software
                      // draws (`timer` is finish), drawing is left out: it runs on this very thread
  double gpu_ms = 0;  // OpenGL and CUDA together
  double sim_ms = 0;  // the simulation's computing since the last frame
  double upload_ms = 0;  // copying what was published
  double draw_ms = 0;    // issuing the commands that draw the picture
  double panels_ms = 0;  // panels and legend
  double frame_ms = 0;   // since the last frame was done, with all waiting
  std::size_t points = 0;
  long iterations = 0;  // done by the simulation since the last frame; 0: nothing moved in this frame
};

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0;
};

// Nearest-rank percentiles; zeros for no values.
Percentiles percentiles(std::vector<double> values);

class Timings {
 public:
  static constexpr std::size_t window = 240;  // frames that percentiles look back at

  void add(const FrameTiming& timing) { ring_[frames_++ % window] = timing; }
  Percentiles of(double FrameTiming::*part) const;

 private:
  std::array<FrameTiming, window> ring_{};
  std::size_t frames_ = 0;
};

// Median times of the parts of a picture over a run, in the order in which the parts were first named: of all frames
// or, in long runs, of at least 4,096 at equal distances, so that a run that never ends takes no more memory.
class PassTimes {
 public:
  static constexpr std::size_t most_kept = 8192;  // of each part

  void add(const std::vector<std::pair<std::string, double>>& pass_ms);
  std::vector<std::pair<std::string, double>> medians() const;

 private:
  struct Pass {
    std::string name;
    std::vector<double> kept;
    std::size_t frames = 0, stride = 1;  // one of `stride` frames is kept
  };
  std::vector<Pass> passes_;
};

// The columns of the file.
inline constexpr const char* timings_header =
    "frame,cpu_ms,gpu_ms,sim_ms,upload_ms,draw_ms,panels_ms,points,timer,iterations,frame_ms";

// The file of --timings (docs/manual/files.md), written beside its name while the run goes on, and renamed when it is
// over.
class TimingsFile {
 public:
  // `timer` is "query" or "finish". Throws sim::Error (input) if the file cannot be written.
  TimingsFile(const std::string& path, std::string timer);
  void add(const FrameTiming& timing);  // an error is kept for finish()
  void finish();                        // throws sim::Error

 private:
  std::string timer_;
  sim::OutputFile file_;
  std::size_t frames_ = 0;
  std::optional<sim::Error> error_;
};

}  // namespace kinescope::app
