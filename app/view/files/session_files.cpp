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
  return open(path, load_session(path));
}

bool SessionFiles::open(const std::string& path, SavedSession saved) {
  const sim::SimulationKind* kind = find_simulation(saved.simulation);
  if (!kind) throw sim::file_error(path, "there is no simulation '" + saved.simulation + "'");
  std::unique_ptr<sim::ParameterSet> parameters = first_parameters(*kind);
  for (const auto& [name, text] : saved.parameters) {
    try {
      set_parameter(*kind, *parameters, name, text);
    } catch (const sim::Error& error) {
      throw sim::file_error(path, error.what());
    }
  }
  if (saved.course)
    session_.open(*kind, saved.data, replay_of(path, *kind, saved, *parameters), saved.seed);
  else
    session_.open(*kind, saved.data, std::move(parameters), saved.seed);
  opening_ = std::move(saved);
  return !has_changed(*opening_);
}

void SessionFiles::reload(Contributors& contributors, const Pace& pace) {
  if (!session_.data() || !session_.stamp()) return;
  opening_ = chosen(contributors, pace);
  session_.reload();
}

void SessionFiles::begin_run(Contributors& contributors, Pace& pace) {
  const auto opened = std::exchange(opening_, std::nullopt);
  if (!opened) return;
  if (opened->course)  // it was repeated with the parameters of the simulation alone
    for (const auto& [name, text] : opened->parameters)
      if (sim::Parameter* parameter = session_.parameters().find(name)) parameter->set(text);
  pace.now = opened->pace;
  KeptState view = KeptState::reading(opened->view);
  contributors.keep_state(view);
}

SavedSession SessionFiles::chosen(Contributors& contributors, const Pace& pace) const {
  KeptState view = KeptState::writing();
  contributors.keep_state(view);
  SavedSession saved{session_.kind().name, session_.request(), {}, session_.seed(), pace.now, view.texts()};
  for (const sim::Parameter* parameter : session_.parameters().all())
    saved.parameters[parameter->name()] = parameter->text();
  return saved;
}

SavedSession SessionFiles::now(Contributors& contributors, const Pace& pace, const Past& past) const {
  SavedSession saved = chosen(contributors, pace);
  // A session says what was done, so that it gives the same everywhere.
  if (const auto* normalize = session_.parameters().find<sim::NormalizeParameter>();
      normalize && normalize->is_automatic())
    saved.parameters[normalize->name()] = session_.made_parameters().find<sim::NormalizeParameter>()->text();
  if (!session_.runner()) return saved;
  Chapter chapter = session_.runner()->chapters().back();
  if (const Moment* moment = past.moment()) {
    chapter.end = moment->snapshot->progress;
    chapter.story.events.resize(std::min(chapter.story.events.size(), moment->events));
  }
  saved.course = saved_course(chapter, saved.parameters);
  return saved;
}

void SessionFiles::keep_last(Contributors& contributors, const Pace& pace, const Past& past) const {
  const std::string path = last_session_path();
  if (path.empty() || leads_elsewhere(path, session_beginning)) return;
  error_of([&] { save_session(path, now(contributors, pace, past)); });
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
