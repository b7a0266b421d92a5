// What a person can ask of the workbench, with keys, controls or in the picture, and how it is done.
#include <any>
#include <utility>

#include "app/io/picture_state.hpp"
#include "app/runs/registry.hpp"
#include "app/view/workbench.hpp"

// GLFW comes after glad, which the workbench includes.
#include <GLFW/glfw3.h>

namespace kinescope::app {
namespace {

void restart(Session& session, Comparison& comparison) {
  if (session.rewinding()) session.cancel();
  session.runner()->restart();
  comparison.restart();
}

// Moves along the timeline. An action on the run itself (step, restart) shows the live run again.
void look_back(Past& past, const RunActions& actions) {
  Playback& playback = past.playback();
  if (actions.moment_back) playback.back(past.timeline());
  if (actions.moment_forward) playback.forward(past.timeline());
  if (actions.play_timeline) playback.toggle(past.timeline());
  if (actions.go_live || actions.step || actions.restart) playback.go_live();
}

// Does what was asked of the run, of which there is one.
void steer(Session& session, Past& past, Comparison& comparison, bool converged, const RunActions& actions) {
  Runner& runner = *session.runner();
  if (actions.toggle_running) {
    if (converged) restart(session, comparison);  // running on from the end means running once more
    runner.set_running(converged || !runner.running());
  }
  look_back(past, actions);
  if (actions.step) runner.step();
  if (actions.restart) restart(session, comparison);
  // A later run of the same data runs or is paused as this run is. A pause because this run failed does not count.
  if (!runner.failed()) session.runner_options().running = runner.running();
}

}  // namespace

// A new key is a line of this table.
Commands Workbench::commands() {
  const auto ask = [this](bool RunActions::*action) { return [this, action] { actions_.*action = true; }; };
  // Escape closes one thing at a time, the topmost first.
  const auto close = [this] {
    if (keys_help_.shown())
      keys_help_.show(false);
    else if (!ui_.keys.id.empty())
      ui_.keys.id.clear();
    else if (notices_.has_banner())
      notices_.dismiss();
    else if (session_.loading())
      session_.cancel();
    else if (!contributors_.close_something())
      panels_.show();
  };
  std::vector<Command> scenes;
  for (const sim::SimulationKind* kind : simulation_kinds())
    scenes.push_back({kind->title, {'1' + int(scenes.size())}, [this, kind] { session_.show(*kind); }, "Scene"});
  using A = RunActions;
  const Key ctrl_o{.code = 'O', .ctrl = true}, ctrl_s{.code = 'S', .ctrl = true}, r{.code = 'R', .ctrl = false};
  const Key f12{.code = GLFW_KEY_F12, .shift = false}, shift_f12{.code = GLFW_KEY_F12, .shift = true};
  return Commands({
      {"Ctrl P",
       "Find a command, a parameter, data",
       {{"Find a command", {.code = 'P', .ctrl = true}, [this] { show_palette(); }}}},
      {"Space", "Run, pause", {{"Run or pause", {GLFW_KEY_SPACE}, ask(&A::toggle_running)}}},
      {".", "One iteration", {{"One iteration", {GLFW_KEY_PERIOD, true}, ask(&A::step)}}},
      {"R", "Restart", {{"Restart", r, ask(&A::restart)}}},
      {"[ ], P, L",
       "Timeline: back, forward; play; live",
       {{"Timeline: back", {GLFW_KEY_LEFT_BRACKET, true}, ask(&A::moment_back)},
        {"Timeline: forward", {GLFW_KEY_RIGHT_BRACKET, true}, ask(&A::moment_forward)},
        {"Timeline: play", {.code = 'P', .ctrl = false}, ask(&A::play_timeline)},
        {"Timeline: live", {'L'}, ask(&A::go_live)}}},
      {"Ctrl Z, Ctrl Shift Z",
       "Undo, do it again",
       {{"Undo", {.code = 'Z', .repeats = true, .ctrl = true, .shift = false}, [this] { history_.undo(); }},
        {"Do it again", {.code = 'Z', .repeats = true, .ctrl = true, .shift = true}, [this] { history_.redo(); }}}},
      {"F", "Show everything", {{"Show everything", {.code = 'F', .ctrl = false}, ask(&A::frame_all)}}},
      {"Ctrl F",
       "Find rows",
       {{"Find rows",
         {.code = 'F', .ctrl = true},
         [this] {
           if (contributors_.find()) panels_.show_sides();
         }}}},
      {"1 … 5", "Switch scene", std::move(scenes)},
      {"Tab", "Hide or show the panels", {{"Hide or show the panels", {GLFW_KEY_TAB}, [this] { panels_.toggle(); }}}},
      {"↑ ↓, ← →", "Choose a control, change it"},
      {"Ctrl O", "Open a file", {{"Open a file", ctrl_o, [this] { opening_.ask(); }}}},
      {"F5",
       "Read the file again",
       {{"Read the file again", {GLFW_KEY_F5}, [this] { session_files_.reload(contributors_, pace_); }}}},
      {"Ctrl Shift C, V",
       "Copy the state as text; paste one",
       {{"Copy the state",
         {.code = 'C', .ctrl = true, .shift = true},
         [this] {
           ImGui::SetClipboardText(portable_text(session_files_.now(contributors_, pace_, past_)).c_str());
           notices_.say("The state is in the clipboard");
         }},
        {"Paste a state",
         {.code = 'V', .ctrl = true, .shift = true},
         [this] {
           const char* const text = ImGui::GetClipboardText();
           opening_.offer("The clipboard", text ? text : "");
         }}}},
      {"Ctrl S", "Save the session", {{"Save the session", ctrl_s, ask(&A::save_session)}}},
      {"F9", "Record a video; stop", {{"Record a video, or stop", {GLFW_KEY_F9}, ask(&A::record)}}},
      {"F12",
       "Save the picture (Shift: 4×)",
       {{"Save the picture", f12, ask(&A::save_picture)},
        {"Save the picture, 4× as large", shift_f12, ask(&A::save_large_picture)}}},
      {"Ctrl E",
       "A figure for print",
       {{"Figure for print", {.code = 'E', .ctrl = true}, [this] { figure_dialog_.show(); }}}},
      {"Drag", "Move; in 3-D, turn"},
      {"Shift drag, right drag", "Move"},
      {"Ctrl drag", "Select (Shift: add)"},
      {"Wheel", "Zoom"},
      {"Click", "Keep a row; hide a class"},
      {"Alt click", "Place a probe on a sheet"},
      {"W A S D, Q E", "Move in a landscape"},
      {"Double-click", "Reset a parameter"},
      {"Ctrl-click", "Type a value"},
      {"Esc", "Close, or clear the selection", {{"Close, or clear the selection", {GLFW_KEY_ESCAPE}, close}}},
      {"F1", "This help", {{"Keys and mouse", {GLFW_KEY_F1}, [this] { keys_help_.show(!keys_help_.shown()); }}}},
  });
}

// Draws the preview of the figure dialog, and what was chosen there.
void Workbench::save_figure() {
  if (!session_.runner()) return;
  figure_dialog_.update(run_.progress.iteration,
                        [this](render::Background background) { return figure_source(background); });
  const std::optional<WantedFigure> wanted = figure_dialog_.take();
  if (!wanted) return;
  const FigureSource source = figure_source(wanted->background);
  const std::string state = wanted->with_state ? picture_state() : "";
  try {
    if (wanted->copy)
      saving_.copy(figure_picture(wanted->options, source), state, !wanted->options.transparent);
    else
      saving_.figure(wanted->ending,
                     [&](const std::string& path) { return figure_writer(path, wanted->options, source, state); });
  } catch (const sim::Error& error) {
    notices_.complain(error);
  }
}

void Workbench::act_on_input() {
  if (const auto run = palette_.take()) run();
  const RunActions actions = std::exchange(actions_, {});
  if (actions.frame_all) contributors_.scene().frame_all();
  if (actions.save_picture || actions.save_large_picture) {
    times_.record().note(FrameEvent::pictured);
    const int times = actions.save_large_picture ? 4 : 1;
    saving_.picture([&] { return picture(picture_box_.pixels() * times, ui_.scale * float(times)); }, picture_state());
  }
  save_figure();
  if (actions.record) recordings_.toggle(picture_box_);
  if (session_.runner()) {
    if (actions.toggle_running || actions.step || actions.restart) notices_.dismiss();
    if (actions.restart) times_.record().note(FrameEvent::restarted);
    steer(session_, past_, comparison_, run_.progress.converged, actions);
    if (actions.save_result) saving_.result(past_, contributors_.scene());
    if (actions.save_session) saving_.session(session_files_.now(contributors_, pace_, past_));
  }
  if (const std::string wanted = data_panel_.take_wanted(); !wanted.empty()) opening_.open(wanted);
  if (data_panel_.take_wants_dialog()) opening_.ask();
  opening_.poll();
  for (Requests& requests : contributors_.take_requests()) {
    for (const sim::Remedy& wish : requests.wishes) parameter_panel_.set(session_, wish.parameter, wish.value);
    if (requests.table) saving_.table(std::move(requests.table));
    if (requests.open) session_.open(std::move(*requests.open));
    contributors_.scene().choose_rows(requests.rows);
    for (std::any& input : requests.inputs)
      if (session_.runner()) session_.runner()->send(std::move(input));
  }
}

}  // namespace kinescope::app
