// Carries out what a person has requested with controls, with keys or in the picture.
#include <utility>

#include "app/view/recording/screenshot.hpp"
#include "app/view/workbench.hpp"

namespace kinescope::app {

void Workbench::act_on_input() {
  act(std::exchange(actions_, {}));
  if (const std::string wanted = data_panel_.take_wanted(); !wanted.empty()) open_file(wanted);
  if (data_panel_.take_wants_dialog()) ask_for_file();
  if (const std::string chosen = file_dialog_.take_chosen(); !chosen.empty()) {
    settings_.folder = file_dialog_.folder();
    open_file(chosen);
  }
  fulfil(scene_->take_requests());
  for (const auto& feature : features_) fulfil(feature->take_requests());
}

void Workbench::fulfil(Requests requests) {
  for (const sim::Remedy& wish : requests.wishes) parameter_panel_.set(session_, wish.parameter, wish.value);
  if (requests.table) save_table(std::move(*requests.table));
  for (std::any& input : requests.inputs)
    if (session_.runner()) session_.runner()->send(std::move(input));
}

void Workbench::act(const RunActions& actions) {
  Runner* runner = session_.runner();
  if (actions.frame_all) scene_->frame_all();
  if (actions.save_picture) save_picture(1);
  if (actions.record) recording_ ? end_recording() : start_recording(new_file_name(save_folder(), ".mp4"));
  if (!runner) return;
  if (actions.toggle_running || actions.step || actions.restart) dismiss();
  if (actions.toggle_running) {
    if (run_.progress.converged) restart();  // running on from the end means running once more
    runner->set_running(run_.progress.converged || !runner->running());
  }
  look_back(actions);
  if (actions.step) runner->step();
  if (actions.restart) restart();
  // A later run of the same data runs or is paused as this run is. A pause because this run failed does not count.
  if (!runner->failed()) session_.runner_options().running = runner->running();
  if (actions.save_result) save_result();
  if (actions.save_session) save_session_file();
}

void Workbench::restart() {
  if (session_.rewinding()) session_.cancel();
  session_.runner()->restart();
  comparison_.restart();
}

// Moves along the timeline. An action on the run itself (step, restart) shows the live run again.
void Workbench::look_back(const RunActions& actions) {
  Playback& playback = past_.playback();
  if (actions.moment_back) playback.back(past_.timeline());
  if (actions.moment_forward) playback.forward(past_.timeline());
  if (actions.play_timeline) playback.toggle(past_.timeline());
  if (actions.go_live || actions.step || actions.restart) playback.go_live();
}

// Opens the refused data in another way, or sets a parameter and lets the run go on.
void Workbench::apply(const sim::Remedy& remedy) {
  if (remedy.reopens()) return session_.open_refused(remedy);
  parameter_panel_.set(session_, remedy.parameter, remedy.value);
  if (session_.runner()) session_.runner()->set_running(true);
}

}  // namespace kinescope::app
