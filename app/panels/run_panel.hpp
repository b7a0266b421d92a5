// The panel at the bottom: run, pause, step, restart, pace; the curve of the figure of merit; how long frames take.
#pragma once

#include <optional>
#include <string>

#include "app/io/timings.hpp"
#include "app/runs/runner.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

// What was pressed, here or on the keyboard.
struct RunActions {
  bool toggle_running = false, step = false, restart = false;
  bool save_result = false, save_session = false, save_picture = false, record = false, frame_all = false;
  bool moment_back = false, moment_forward = false, play_timeline = false, go_live = false;
};

struct RunPanelState {
  const sim::SimulationKind& kind;
  Runner* runner;  // null before the first run
  const sim::Progress& progress;
  const sim::History& history;
  const Timings& timings;
  std::string notice;  // a message that passes; "": none
  bool recording;
  bool saving;                     // a result is being written to its file
  std::string no_result;           // why the result of what is shown cannot be saved; "": it can
  std::optional<long> shown;       // the iteration of the earlier moment that is shown; none: the live one is
  std::string measured_name = "";  // of a second figure that the scene measures, on the first one's scale; "": none
  std::vector<CurveMark> marks = {};
};

// "Paused · Level 2 of 3 · Refining · 1,250 points · iteration 184"; cut 1: without the points, cut 2: nor what it is
// about.
std::string progress_text(const sim::Progress& progress, bool paused, int cut);

// The left part: buttons and pace. `pace` is changed by the slider.
void draw_run_controls(Ui& ui, const RunPanelState& view, double& pace, double default_pace, RunActions& actions);
// The middle: the status line and the curve on a logarithmic scale, its levels marked.
void draw_curve(Ui& ui, const RunPanelState& view);
// The right: percentiles over the last frames. `brief`: without a heading, below tabs that say what they are.
void draw_timings(Ui& ui, const RunPanelState& view, bool brief = false);

}  // namespace kinescope::app
