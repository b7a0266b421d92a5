// Measures how long the GPU takes for a part of a frame, without stalling it.
#pragma once

#include <array>
#include <chrono>
#include <optional>

#include "render/gl/objects.hpp"

namespace kinescope::render {

enum class TimerKind {
  query,   // OpenGL timestamps
  finish,  // glFinish and a clock: for software renderers, whose queries return nothing useful
};

const char* timer_kind_name(TimerKind kind);  // "query", "finish": the names in the timings file

// Call begin() before and end() after the commands, once a frame; timers may nest and overlap.
class GpuTimer {
 public:
  explicit GpuTimer(TimerKind kind);
  explicit GpuTimer(bool software) : GpuTimer(software ? TimerKind::finish : TimerKind::query) {}

  TimerKind kind() const { return kind_; }
  void begin();
  void end();
  // The latest result in milliseconds: from this frame (finish), or from some frames ago (query).
  std::optional<double> latest_ms();

 private:
  static constexpr std::size_t ring = 8;
  struct Pair {
    Handle<DeleteQuery> begin, end;
    bool pending = false;
  };
  TimerKind kind_;
  std::array<Pair, ring> pairs_;
  std::size_t next_ = 0;
  bool open_ = false;
  std::chrono::steady_clock::time_point start_;
  std::optional<double> latest_ms_;
};

}  // namespace kinescope::render
