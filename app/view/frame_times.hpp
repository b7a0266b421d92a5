// How long frames take, and what is written about it: the percentiles of the panel, --timings, --trace, and the medians
// of a picture's passes for --report.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/io/timings.hpp"
#include "app/io/trace_file.hpp"
#include "app/runs/session.hpp"
#include "app/runs/watched_run.hpp"
#include "app/scenes/contributions.hpp"
#include "app/view/timings/frame_record.hpp"
#include "app/view/view.hpp"
#include "kinescope/report.hpp"
#include "render/gl/timer.hpp"

namespace kinescope::app {

// What the window's thread did for a frame.
struct FrameParts {
  double events_ms = 0;                             // before the frame
  double total_ms = 0, draw_ms = 0, panels_ms = 0;  // all of the frame; commands that draw; panels
};

class FrameTimes {
 public:
  // `options` must outlive this. `software`: OpenGL draws in software.
  FrameTimes(const ViewOptions& options, bool software)
      : options_(options), software_(software), trace_file_(options.trace), gpu_timer_(software) {}

  const std::shared_ptr<sim::Trace>& trace() const { return trace_file_.trace(); }
  render::GpuTimer& gpu_timer() { return gpu_timer_; }
  bool software() const { return software_; }
  const Timings& recent() const { return timings_; }
  long frames() const { return frames_; }  // frames that showed something
  FrameRecord& record() { return record_; }

  // Call at the beginning of each frame, after events that took so long.
  void begin_frame(double events_ms);
  // Call when all is measured of the frame, which showed `run` by a scene that adds `scene`.
  void add(const FrameParts& parts, Session& session, const Contributions& scene, const WatchedRun& run);
  void write_trace();  // writes the spans of this frame
  void end_frame() { ended_ = std::chrono::steady_clock::now(); }

  // Each throws sim::Error if its file could not be written.
  void finish_timings();
  void finish_trace() { trace_file_.finish(); }
  sim::Report drawing() const;  // the part of the report

 private:
  const ViewOptions& options_;
  const bool software_;
  TraceFile trace_file_;
  render::GpuTimer gpu_timer_;
  Timings timings_;
  FrameRecord record_;
  // When the frame before was measured, and when it ended; before the first frame, when this was made.
  std::chrono::steady_clock::time_point measured_ = std::chrono::steady_clock::now(), ended_ = measured_;
  double waiting_ms_ = 0;  // between the frames
  std::optional<TimingsFile> timings_file_;
  PassTimes pass_times_;
  long frames_ = 0;
  long iteration_ = 0;  // in the last frame
};

}  // namespace kinescope::app
