#include "app/view/frame_times.hpp"

#include <algorithm>
#include <utility>

namespace kinescope::app {

void FrameTimes::begin_frame(double events_ms) {
  waiting_ms_ = std::max(0.0, 1e3 * seconds_since(ended_) - events_ms);
}

// If OpenGL draws in software, drawing runs on this thread and is not counted as the window's own work.
void FrameTimes::add(const FrameParts& parts, Session& session, const Contributions& scene, const WatchedRun& run) {
  FrameTiming timing;
  timing.upload_ms = session.buffers() ? session.buffers()->upload_ms() : 0;
  timing.sim_ms = session.runner() ? session.runner()->take_sim_ms() : 0;
  timing.gpu_ms = gpu_timer_.latest_ms().value_or(0);
  // The value arrives some frames late on a GPU.
  sim::Trace& spans = *trace();
  if (const std::int64_t now = spans.now_ns(); spans.enabled())
    spans.add({"draw", now - std::int64_t(1e6 * timing.gpu_ms), now, sim::Trace::Track::graphics});
  if (session.runner() && session.runner()->backend() == sim::Backend::cuda) timing.gpu_ms += timing.sim_ms;
  timing.cpu_ms = parts.events_ms + parts.total_ms - (software_ ? parts.draw_ms : 0);
  timing.draw_ms = parts.draw_ms;
  timing.panels_ms = parts.panels_ms;
  timing.points = run.points(session.data().get());
  timing.iterations = std::max(0L, run.progress.iteration - std::exchange(iteration_, run.progress.iteration));
  timing.frame_ms = 1e3 * seconds_since(std::exchange(measured_, std::chrono::steady_clock::now()));
  if (!session.runner()) return;
  timings_.add(timing);
  // Software draws all of the picture and of the panels between the timer's ends; both are on this thread.
  RecordedFrame recorded{.timing = timing, .waiting_ms = std::min(waiting_ms_, timing.frame_ms)};
  recorded.drawing_ms = software_ ? std::max(0.0, timing.gpu_ms - timing.panels_ms) : timing.draw_ms;
  recorded.other_ms = std::max(0.0, timing.frame_ms - recorded.waiting_ms - recorded.work_ms());
  record_.add(recorded);
  // Made with the first row: before it, Ctrl-C ends the program at once.
  if (!options_.timings.empty() && !timings_file_)
    timings_file_.emplace(options_.timings, render::timer_kind_name(gpu_timer_.kind()));
  if (timings_file_) timings_file_->add(timing);
  if (!options_.report.empty() && scene.pass_ms) pass_times_.add(scene.pass_ms());
  ++frames_;
}

void FrameTimes::write_trace() {
  if (frames_ > 0) trace_file_.write();
}

void FrameTimes::finish_timings() {
  if (timings_file_) timings_file_->finish();
}

sim::Report FrameTimes::drawing() const {
  sim::Report passes, drawing;
  for (const auto& [name, ms] : pass_times_.medians()) passes.entries.emplace_back(name, ms);
  if (!passes.entries.empty()) drawing.entries.emplace_back("pass_ms", passes);
  return drawing;
}

}  // namespace kinescope::app
