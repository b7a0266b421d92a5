#include "app/view/files/session_files.hpp"

#include <filesystem>
#include <utility>

#include "app/io/preset.hpp"
#include "app/io/session_data.hpp"
#include "app/io/settings.hpp"
#include "app/runs/registry.hpp"
#include "app/view/files/saved_course.hpp"
#include "app/view/files/saving.hpp"
#include "kinescope/data/normalize.hpp"

namespace kinescope::app {

bool SessionFiles::open(const std::string& path) {
  SavedSession saved = load_session(path);
  const sim::SimulationKind* kind = find_simulation(saved.simulation);
  if (!kind) throw sim::file_error(path, "there is no simulation '" + saved.simulation + "'");
  std::unique_ptr<sim::ParameterSet> parameters = first_parameters(*kind);
  read_preset(path, *kind, *parameters);
  if (saved.course)
    session_.open(*kind, saved.data, replay_of(path, *kind, saved, *parameters), saved.seed);
  else
    session_.open(*kind, saved.data, std::move(parameters), saved.seed);
  opening_ = std::move(saved);
  return !has_changed(*opening_);
}

void SessionFiles::reload(Contributors& contributors, const Pace& pace) {
  if (!session_.data() || !session_.stamp()) return;
  opening_ = now(contributors, pace);
  session_.reload();
}

void SessionFiles::begin_run(Contributors& contributors, Pace& pace) {
  const auto opened = std::exchange(opening_, std::nullopt);
  if (!opened) return;
  for (const auto& [name, text] : opened->parameters)  // those of the view, too
    if (sim::Parameter* parameter = session_.parameters().find(name)) parameter->set(text);
  pace.now = opened->pace;
  KeptState view = KeptState::reading(opened->view);
  contributors.keep_state(view);
}

SavedSession SessionFiles::now(Contributors& contributors, const Pace& pace, bool settled) const {
  KeptState view = KeptState::writing();
  contributors.keep_state(view);
  SavedSession saved{session_.kind().name, session_.request(), {}, session_.seed(), pace.now, view.texts()};
  for (const sim::Parameter* parameter : session_.parameters().all())
    saved.parameters[parameter->name()] = parameter->text();
  // A session says what was done, so that it gives the same everywhere.
  if (const auto* normalize = session_.parameters().find<sim::NormalizeParameter>();
      settled && normalize && normalize->is_automatic())
    saved.parameters[normalize->name()] = session_.made_parameters().find<sim::NormalizeParameter>()->text();
  if (settled && session_.runner()) {
    const Chapter chapter = session_.runner()->chapters().back();
    if (chapter.end.iteration > 0) saved.course = saved_course(chapter, saved.parameters);
  }
  return saved;
}

void SessionFiles::keep_last(Contributors& contributors, const Pace& pace) const {
  const std::string path = last_session_path();
  if (path.empty() || leads_elsewhere(path, session_beginning)) return;
  error_of([&] { save_session(path, now(contributors, pace)); });
}

void SessionFiles::offer_last(DataPanel& panel) {
  const std::string path = last_session_path();
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return;
  try {
    const SavedSession last = load_session(path);
    const sim::SimulationKind* kind = find_simulation(last.simulation);
    const std::string& source = last.data.source;
    if (!kind) return;
    panel.offer_session(path, source.empty() ? kind->title : kind->title + " · " + short_name(source));
  } catch (const std::exception&) {  // a damaged session is not offered, and must not prevent the start
  }
}

}  // namespace kinescope::app
