#include "app/view/files/saved_course.hpp"

#include <algorithm>

#include "app/io/preset.hpp"

namespace kinescope::app {
namespace {

Texts texts_of(const sim::ParameterSet& values) {
  Texts texts;
  for (const sim::Parameter* parameter : values.all()) texts[parameter->name()] = parameter->text();
  return texts;
}

// The values that are others than in `than`.
Texts others(Texts values, const Texts& than) {
  std::erase_if(values, [&](const auto& each) {
    const auto same = than.find(each.first);
    return same != than.end() && same->second == each.second;
  });
  return values;
}

}  // namespace

SavedCourse saved_course(const Chapter& chapter, const Texts& end) {
  Texts now = texts_of(*chapter.story.begin);
  SavedCourse course{std::max(0L, chapter.end.iteration), chapter.end.converged, others(now, end), {}};
  for (const RunEvent& event : chapter.story.events) {
    SavedCourse::Event& saved = course.events.emplace_back(SavedCourse::Event{event.iteration, {}, event.stimulus});
    if (!event.values) continue;
    Texts values = texts_of(*event.values);
    saved.values = others(values, now);
    now = std::move(values);
  }
  // The host may not know yet how far a device has come.
  if (!course.events.empty()) course.iteration = std::max(course.iteration, course.events.back().iteration);
  return course;
}

Replay replay_of(const std::string& path, const sim::SimulationKind& kind, const SavedSession& session,
                 sim::ParameterSet& values) {
  const SavedCourse& course = *session.course;
  const auto set = [&](const Texts& texts) {
    try {
      for (const auto& [name, text] : texts) set_parameter(kind, values, name, text);
    } catch (const sim::Error& error) {
      throw sim::file_error(path, error.what());
    }
  };
  set(session.parameters);
  set(course.begin);
  Replay replay{course.iteration, {copy_of(kind, values), {}}, std::nullopt, course.ended};
  for (const SavedCourse::Event& event : course.events) {
    set(event.values);
    RunEvent& told = replay.story.events.emplace_back(RunEvent{event.iteration, nullptr, event.touch});
    if (!event.touch) told.values = copy_of(kind, values);
  }
  return replay;
}

}  // namespace kinescope::app
