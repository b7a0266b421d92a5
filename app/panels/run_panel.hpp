// The panel at the bottom: run, pause, step, restart, pace; the curve of the figure of merit; how long frames take.
#pragma once

#include <optional>
#include <string>

#include "app/io/timings.hpp"
#include "app/runs/runner.hpp"
#include "app/runs/watched_run.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

// The actions that were requested, by buttons of this panel or by keys.
struct RunActions {
  bool toggle_running = false, step = false, restart = false;
  bool save_result = false, save_session = false, record = false, frame_all = false;
  bool save_picture = false, save_large_picture = false;  // large: four times as wide and as high as on the screen
  bool moment_back = false, moment_forward = false, play_timeline = false, go_live = false;
};

struct RunPanelState {
  const sim::SimulationKind& kind;
  Runner* runner;  // null before the first run
  const WatchedRun& run;
  const Timings& timings;
  std::string notice;  // a temporary message; "": none
  bool recording;
  bool saving;                // a result is being written to its file
  std::string no_result;      // why the result of the moment shown cannot be saved; "": it can
  std::optional<long> shown;  // the iteration of the earlier moment shown; none: the live run is shown
  std::vector<CurveMark> marks = {};
  std::string phase_meaning = {};
};

// "Paused · Level 2 of 3 · Refining · 1,250 points · iteration 184". With `cut` 1 the points and the note are left out,
// with `cut` 2 also the level and the phase. A paused run has no phase "running".
std::string progress_text(const sim::Progress& progress, bool paused, int cut);

// The left part: buttons and pace. `pace` is changed by the slider.
void draw_run_controls(Ui& ui, const RunPanelState& view, double& pace, double default_pace, RunActions& actions);
// The middle: the status line and the curve on a logarithmic scale, its levels marked.
void draw_curve(Ui& ui, const RunPanelState& view);
// The right: percentiles over the last frames. `brief`: without the heading "Frame times", for use below a tab of that
// name. True when it was pressed, to see each frame.
bool draw_timings(Ui& ui, const RunPanelState& view, bool brief = false);

}  // namespace kinescope::app
