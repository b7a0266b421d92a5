// How long frames take: percentiles for the panel, one row a frame for --timings.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

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

// Median times of the parts of a picture over a run, in the order in which the parts were first named.
class PassTimes {
 public:
  void add(const std::vector<std::pair<std::string, double>>& pass_ms);
  std::vector<std::pair<std::string, double>> medians() const;

 private:
  std::vector<std::pair<std::string, std::vector<double>>> passes_;
};

// The file of --timings (docs/manual/files.md), written beside its name and renamed when the run is over.
class TimingsFile {
 public:
  // `timer` is "query" or "finish".
  TimingsFile(std::string path, std::string timer) : path_(std::move(path)), timer_(std::move(timer)) {}
  void add(const FrameTiming& timing) { rows_.push_back(timing); }
  void write() const;  // throws sim::Error (input) if it cannot be written

 private:
  std::string path_, timer_;
  std::vector<FrameTiming> rows_;
};

}  // namespace kinescope::app
