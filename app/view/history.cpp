#include "app/view/history.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <functional>
#include <utility>

#include "app/io/output.hpp"
#include "app/panels/data_panel.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/parameter.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t most_steps = 1000;
constexpr double rest_seconds = 0.25;  // after which turns of the wheel, or keys held down, are one step

// The words for what scenes and features keep, where their keys are not clear by themselves.
constexpr std::pair<const char*, const char*> view_words[] = {
    {"camera", "Move the view"}, {"eye", "Move the view"},
    {"selection", "Select"},     {"row", "Keep a row"},
    {"hidden", "Hide or show"},  {"compare", "Compare"},
    {"colour_by", "Colour by"},  {"mode", "Draw as"},
    {"look", "Draw as"},         {"field", "Colour of the ground"},
    {"map", "Colours"},          {"probes", "Probes"},
};

std::string words_of(const std::string& key) {
  for (const auto& [name, words] : view_words)
    if (key == name) return words;
  std::string words = key;
  std::ranges::replace(words, '_', ' ');
  return upper_first(words);
}

bool is_short(const std::string& text) {
  return !text.empty() && text.size() <= 24 && text.find_first_not_of("0123456789 -.") != std::string::npos;
}

std::string change_of_texts(const Texts& before, const Texts& after, bool values) {
  std::string found;
  std::size_t changes = 0;
  const auto note = [&](const std::string& key, const std::string& text) {
    if (changes++ == 0) found = words_of(key) + (values || is_short(text) ? ": " + text : "");
  };
  const auto follows = [](const std::string& camera) { return camera.ends_with(" follows"); };
  for (const auto& [key, text] : after) {
    const auto old = before.find(key);
    const bool is_new = old == before.end();
    if (is_new || (old->second != text && !(follows(old->second) && follows(text)))) note(key, text);
  }
  for (const auto& [key, text] : before)
    if (!after.contains(key)) note(key, "");
  return changes < 2 ? found : fmt::format("{} and {} more", found, changes - 1);
}

}  // namespace

std::string name_of_change(const SavedSession& before, const SavedSession& after) {
  if (before.data.source != after.data.source && !after.data.source.empty())
    return "Open " + short_name(after.data.source);
  if (before.simulation != after.simulation) {
    const sim::SimulationKind* const kind = find_simulation(after.simulation);
    return "Show " + (kind ? kind->title : after.simulation);
  }
  if (std::string change = change_of_texts(before.parameters, after.parameters, true); !change.empty()) return change;
  if (before.data.label != after.data.label) return "Label: " + after.data.label;
  SavedSession same = before;
  same.view = after.view, same.pace = after.pace;
  if (session_text(same) != session_text(after)) return "Columns";
  return change_of_texts(before.view, after.view, false);
}

History::History(bool records, Session& session, SessionFiles& files, Contributors& contributors, Pace& pace,
                 Notices& notices)
    : records_(records),
      session_(session),
      files_(files),
      contributors_(contributors),
      pace_(pace),
      notices_(notices) {}

History::State History::now() {
  State state{files_.chosen(contributors_, pace_), session_.place(), false};
  state.finished = session_.runner()->done();
  return state;
}

bool History::is_held() const {
  const ImGuiIO& io = ImGui::GetIO();
  return std::ranges::any_of(io.MouseDown, std::identity()) || io.MouseWheel != 0 ||
         std::ranges::any_of(io.KeysDown, std::identity());
}

void History::before_input() {
  if (!records_ || !session_.runner() || !is_held() || std::exchange(touched_, true)) return;
  if (session_.loading() || goal_) return;
  if (steps_.empty())
    steps_.push_back({"Begin", now()});
  else
    steps_[at_].state = now();
}

void History::frame(double seconds) {
  if (!records_ || !session_.runner()) return;
  rest_ = is_held() ? 0 : rest_ + seconds;
  if (goal_ && (session_.asked() != goal_->asked || !session_.changing())) failed();  // something else was asked for
  if (session_.changing() || session_.runner()->busy() || goal_) return;
  if (moved_ && !steps_.empty()) {
    steps_[at_].state = now();
    moved_ = false;
  }
  const bool other = steps_.empty() || session_.place().run != steps_[at_].state.place.run;
  if ((!touched_ && !other) || rest_ < rest_seconds || ImGui::IsAnyItemActive()) return;
  touched_ = false;
  take_step();
}

void History::failed() {
  if (const auto goal = std::exchange(goal_, std::nullopt)) at_ = goal->from;
  moved_ = false;
}

void History::take_step() {
  State state = now();
  if (steps_.empty()) return steps_.push_back({"Begin", std::move(state)});
  if (moved_) return;
  const State& before = steps_[at_].state;
  std::string name = name_of_change(before.saved, state.saved);
  if (name.empty() && before.place.run != state.place.run)
    name = session_.rewound_to() ? "Rewind" : "Run anew";
  else if (name.empty() && before.place.chapter != state.place.chapter)
    name = "Restart";
  else if (name.empty() && before.place != state.place)
    name = "Touch the run";
  if (name.empty()) return;
  steps_.resize(at_ + 1);
  steps_.push_back({name, std::move(state)});
  if (steps_.size() > most_steps) steps_.erase(steps_.begin() + 1);
  at_ = steps_.size() - 1;
}

void History::undo() {
  if (ImGui::IsAnyMouseDown()) return;  // a stroke or a drag is under way
  if (session_.changing() && !goal_) return session_.cancel();
  touched_ = false;
  if (session_.runner() && !steps_.empty() && !goal_) take_step();  // the last change may not be a step yet
  if (at_ == 0) return notices_.say("Nothing to undo");
  notices_.say("Undone: " + steps_[at_].name);
  go_to(at_ - 1);
}

void History::redo() {
  if (ImGui::IsAnyMouseDown()) return;
  if (at_ + 1 >= steps_.size()) return notices_.say("Nothing to redo");
  notices_.say("Done again: " + steps_[at_ + 1].name);
  go_to(at_ + 1);
}

// Whether the way from here to that state is through values of live parameters alone. If the run had ended there, and
// goes on because of such a change, its end is computed again.
bool History::only_values_differ(const State& goal) const {
  const Place here = session_.place();
  if (here.run != goal.place.run || here.chapter != goal.place.chapter || goal.finished) return false;
  const std::vector<RunEvent> events = session_.runner()->story().events;
  const auto [low, high] = std::minmax(here.events, goal.place.events);
  return high <= events.size() &&
         std::all_of(events.begin() + std::ptrdiff_t(low), events.begin() + std::ptrdiff_t(high),
                     [](const RunEvent& event) { return !event.stimulus; });
}

void History::go_to(std::size_t step) {
  const std::size_t from = goal_ ? goal_->from : at_;
  at_ = step;
  moved_ = touched_ = true;
  const State& goal = steps_[step].state;
  const bool is_here = goal.place == session_.place();
  if (is_here || only_values_differ(goal)) {
    session_.cancel();
    goal_.reset();
    show(goal);
    return is_here ? void() : session_.apply_parameters();
  }
  files_.opens(goal.saved);
  const bool is_known = session_.go_to(goal.place);
  goal_ = Goal{step, from, session_.asked()};
  if (is_known) return;
  const sim::SimulationKind* const kind = find_simulation(goal.saved.simulation);
  if (!kind) return failed();
  goal_->asked = session_.asked() + 1;
  std::unique_ptr<sim::ParameterSet> parameters = first_parameters(*kind);
  for (const auto& [name, text] : goal.saved.parameters) parameters->set(name, text);
  session_.open(*kind, goal.saved.data, std::move(parameters), goal.saved.seed);
}

void History::took_over() {
  const auto goal = std::exchange(goal_, std::nullopt);
  if (!goal || goal->asked != session_.asked()) return;
  if (steps_[goal->step].state.saved.simulation != session_.kind().name) return;
  show(steps_[goal->step].state);
  moved_ = touched_ = true;
}

// Gives the panel's parameters, and what scenes and features keep, that state. What it does not name is not there.
void History::show(const State& state) {
  for (const auto& [name, text] : state.saved.parameters)
    if (sim::Parameter* parameter = session_.parameters().find(name)) parameter->set(text);
  KeptState present = KeptState::writing();
  contributors_.keep_state(present);
  Texts view = state.saved.view;
  for (const auto& [key, text] : present.texts()) view.try_emplace(key, "");
  KeptState reading = KeptState::reading(std::move(view));
  contributors_.keep_state(reading);
}

void History::report(TestIds& ids) {
  ids.state("step", std::to_string(at_));
  ids.state("steps", std::to_string(steps_.size()));
  if (touched_ || goal_ || steps_.empty() || session_.loading()) return;
  ids.state("step.name", steps_[at_].name);
  std::string text = session_text(files_.chosen(contributors_, {}));
  std::ranges::replace(text, '\n', ' ');
  ids.state("step.state", text);
}

// The latest first; after an undo those that can be done again are above it.
void History::draw(Ui& ui) {
  constexpr std::size_t most_shown = 12;
  if (steps_.size() < 2) return;
  heading(ui, "What you have done", "Ctrl Z undoes");
  const std::size_t last = std::min(steps_.size() - 1, at_ + most_shown / 2);
  for (std::size_t shown = 0, i = last + 1; i-- > 0 && shown < most_shown; ++shown) {
    const std::string id = fmt::format("history.{}", i);
    const bool again = !session_.keeps(steps_[i].state.place);
    const char* const help =
        again ? "Goes back there. Its run is no longer kept: it is computed again" : "Goes back there";
    if (list_row(ui, id.c_str(), steps_[i].name, help, i == at_) && i != at_) go_to(i);
  }
  gap(ui);
}

}  // namespace kinescope::app
