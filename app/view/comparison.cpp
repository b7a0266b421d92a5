#include "app/view/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <mutex>
#include <sstream>

#include "app/runs/registry.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
// How far the clock and the first run may be ahead of the slowest run: by as much as a few frames show.
constexpr double slack_seconds = 0.02;

// What is shown of `of`, the first run or another. If an earlier moment is shown, the figure is the latest that was
// known at that moment.
template <class Run>
ComparedRun run_of(const std::string& name, const Run& source, const std::vector<std::pair<long, double>>& clock) {
  const sim::Progress& progress = source.run.progress;
  const std::string& measured = source.run.measured;
  const Moment* earlier = source.past.moment();
  ComparedRun run;
  run.name = name;
  run.figure_name = !measured.empty()              ? "stress"
                    : progress.figure_name.empty() ? source.session.kind().figure_name
                                                   : progress.figure_name;
  run.figure = measured.empty() ? progress.figure : progress.second_figure;
  run.seconds = progress.seconds;
  run.iteration = progress.iteration;
  run.done = progress.converged;
  float latest = std::numeric_limits<float>::quiet_NaN();
  for (const sim::HistoryPoint& point : source.run.curve) {
    const float figure = measured.empty() ? point.figure : point.second_figure;
    if (std::isnan(figure) || figure == latest) continue;
    latest = figure;
    const auto at = std::ranges::lower_bound(clock, point.iteration, {}, &std::pair<long, double>::first);
    run.figures.emplace_back(at == clock.end() ? progress.seconds : at->second, double(figure));
    if (earlier && point.iteration <= earlier->iteration()) run.figure = double(figure);
  }
  if (earlier) {
    run.seconds = earlier->progress().seconds;
    run.iteration = earlier->iteration();
    run.done = earlier->progress().converged;
  }
  return run;
}

void note_time(std::vector<std::pair<long, double>>& clock, const sim::Progress& progress) {
  if (!clock.empty() && clock.back().first > progress.iteration) clock.clear();  // the run was restarted
  if (clock.empty() || clock.back().first < progress.iteration)
    clock.emplace_back(progress.iteration, progress.seconds);
}

bool is_value(const std::string& other) {
  return other.find('=') != std::string::npos;
}

bool can_compare(const sim::SimulationKind& kind, const sim::ParameterSet& parameters,
                 const std::vector<std::string>& others) {
  try {
    check_compared(kind, parameters, others);
    return true;
  } catch (const sim::Error&) {
    return false;
  }
}

}  // namespace

// The title of the first run: what the others have other than it.
std::string Comparison::name_of_first(sim::ParameterSet& made) const {
  std::string name;
  std::vector<std::string> named;
  for (const auto& each : companions_) {
    const std::string parameter = each->other.substr(0, each->other.find('='));
    const bool is_algorithm = !is_value(each->other);
    const std::string key = is_algorithm ? "" : parameter;
    if (std::ranges::find(named, key) != named.end()) continue;
    named.push_back(key);
    name +=
        (name.empty() ? "" : ", ") +
        name_of_compared(made, is_algorithm ? made.compared()->text() : parameter + "=" + made.find(parameter)->text());
  }
  return name;
}

Comparison::Comparison(bool interactive, std::vector<std::string> chosen)
    : interactive_(interactive), settled_(!chosen.empty()), chosen_(std::move(chosen)) {
  adds_.sections = {{Section::Panel::parameters, [this](Ui& ui) { draw_choice(ui); }}};
}

void Comparison::begin_run(const BegunRun& run) {
  kind_ = &run.kind;
  made_ = &run.made;
  stale_ = true;
}

// What a session compares and cannot be is left out: the algorithm that the first run uses, and names that the program
// does not know.
void Comparison::keep_state(KeptState& state) {
  if (state.reads() ? settled_ : !active()) return;
  std::string text = fmt::format("{}", fmt::join(chosen_, " "));
  if (!state.text("compare", text)) return;
  chosen_.clear();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    chosen_.push_back(word);
    if (!can_compare(*kind_, *made_, chosen_)) chosen_.pop_back();
  }
  stale_ = true;
}

void Comparison::draw_choice(Ui& ui) {
  if (kind_ && choice_.draw(ui, *kind_, *made_, chosen_)) stale_ = true;
}

void Comparison::restart() {
  clock_ = 0;
  first_clock_.clear();
  for (const auto& each : companions_)
    if (Runner* runner = each->session.runner()) runner->restart();
}

void Comparison::begin(const First& first) {
  stale_ = false;
  for (auto& each : companions_) {
    each->session.request_stop();
    old_.push_back(std::move(each));
  }
  companions_.clear();
  first_clock_.clear();
  clock_ = 0;
  leader_ = nullptr;
  first.past.playback().set_beyond(0);
  // The choice is kept, without effect, while a run is shown with which it cannot be compared.
  std::vector<std::string> others;
  for (const std::string& other : chosen_) {
    others.push_back(other);
    if (!can_compare(first.session.kind(), first.session.made_parameters(), others)) others.pop_back();
  }
  const auto turn = others.empty() ? nullptr : std::make_shared<std::mutex>();
  Runner& runner = *first.session.runner();
  runner.share_turn(turn);
  runner.set_clock(endless);
  first.scene.stand_beside(others.empty() ? nullptr : &first.scene);
  SessionOptions options = first.session.options();
  options.runner.until = -1;
  options.runner.running = true;
  counts_iterations_ = options.runner.steps > 0 || std::ranges::all_of(others, is_value);
  if (options.runner.steps == 0) options.runner.pace = unlimited_pace;
  options.runner.turn = turn;
  for (const std::string& other : others) {
    auto companion = std::make_unique<Companion>(other, first.session, options, first.past.has_timeline());
    std::unique_ptr<sim::ParameterSet> parameters = copy_of(first.session.kind(), first.session.made_parameters());
    set_compared(*parameters, other);
    companion->session.join(first.session, std::move(parameters));
    companions_.push_back(std::move(companion));
  }
  const bool has_begun = first.run.progress.iteration > options.runner.steps;
  if (active() && counts_iterations_ && has_begun) runner.restart();
}

void Comparison::frame(const First& first, const SceneSetup& setup, double seconds) {
  if (!first.session.runner()) return;
  std::erase_if(old_, [](const auto& each) { return each->session.stopped(); });
  if (stale_) begin(first);
  if (!active()) return;
  note_time(first_clock_, first.run.progress);
  keep_time(first, seconds);
  for (const auto& each : companions_) {
    if (each->session.poll()) {
      if (!each->scene) {
        const SceneKind& shown = scene_of(first.session.kind());
        each->scene =
            shown.make(setup, shown.look ? shown.look(each->session.data().get(), each->session.made_parameters()) : 0);
      }
      each->run = {};
      each->past.begin_run(*each->scene, each->session);
      each->scene->stand_beside(&first.scene);
    }
    advance(*each, first, seconds);
  }
  first.past.playback().set_beyond(goes_on_for(first));
}

void Comparison::measure(const First& first) {
  for (const auto& each : companions_)
    if (each->scene && each->scene->adds().measure)
      each->run.measured = each->scene->adds().measure(each->run.curve, each->run.progress);
  shown_.clear();
  if (!active()) return;
  sim::ParameterSet& made = first.session.made_parameters();
  shown_.push_back(run_of(name_of_first(made), first, first_clock_));
  for (const auto& each : companions_) {
    shown_.push_back(run_of(name_of_compared(made, each->other), *each, each->clock));
    shown_.back().failure = each->failure;
  }
}

// Advances one of the other runs by a frame. If it cannot be made, or fails, its title says why.
void Comparison::advance(Companion& companion, const First& first, double seconds) {
  Session& session = companion.session;
  const auto take = [&](const std::optional<sim::Error>& error) {
    if (error && !interactive_) throw *error;
    if (error) companion.failure = error->what();
  };
  take(session.take_error());
  Runner* runner = session.runner();
  if (!runner) return;
  std::unique_ptr<sim::ParameterSet> live = copy_of(first.session.kind(), first.session.parameters());
  set_compared(*live, companion.other);
  if (session.parameters().copy_live(*live)) session.apply_parameters();
  if (counts_iterations_)
    runner->set_running(companion.run.progress.iteration < first.run.progress.iteration ||
                        (first.run.progress.converged && first.session.runner()->running()));
  if (counts_iterations_ && first.session.options().runner.steps == 0) {
    const double pace = first.session.options().runner.pace;
    const long behind = first.run.progress.iteration - companion.run.progress.iteration;
    runner->set_pace(double(behind) > 0.25 * pace ? unlimited_pace : pace);
    runner->set_budget(1e-3);
  }
  session.frame();
  take(runner->take_error());
  companion.run.take(*runner->snapshot());
  note_time(companion.clock, companion.run.progress);
  companion.past.timeline().set_limit(first.past.timeline().limit());
  look_back(companion, first);
  if (companion.scene) companion.past.frame(*session.buffers(), *runner, seconds, 1);
}

// Sets the clock and how far each run may compute. The first run keeps its own pace but never gets far ahead of the
// others; the others follow the clock.
void Comparison::keep_time(const First& first, double seconds) {
  if (counts_iterations_) return;
  double slowest = endless;
  for (const auto& each : companions_)
    if (each->session.runner() && !each->run.progress.converged && each->failure.empty())
      slowest = std::min(slowest, each->run.progress.seconds);
    else if (each->session.loading())
      slowest = 0;
  Runner& runner = *first.session.runner();
  if (!first.run.progress.converged)
    clock_ = first.run.progress.seconds;
  else if (runner.running())
    clock_ =
        std::min(std::max(clock_, first.run.progress.seconds) + seconds, std::max(clock_, slowest + slack_seconds));
  runner.set_clock(slowest + slack_seconds);
  for (const auto& each : companions_)
    if (Runner* other = each->session.runner()) {
      other->set_budget(1e-3);  // small slices keep the runs together
      other->set_clock(clock_);
    }
}

// What the clock showed at that point of a run: iterations, or seconds of computing.
double Comparison::reading(const sim::Progress& progress) const {
  return counts_iterations_ ? double(progress.iteration) : progress.seconds;
}

// How long, by the clock, an iteration of the first run takes on average; 0 until that run has ended.
double Comparison::iteration_takes(const First& first) const {
  const Timeline& timeline = first.past.timeline();
  if (timeline.empty() || !timeline.latest().progress().converged) return 0;
  const sim::Progress& end = timeline.latest().progress();
  return reading(end) / double(std::max(1L, end.iteration));
}

// How much longer than the first run the longest of the others lasts, in iterations of the first; 0 until the first has
// ended.
double Comparison::goes_on_for(const First& first) const {
  const double each_takes = iteration_takes(first);
  if (!(each_takes > 0)) return 0;
  const double end = reading(first.past.timeline().latest().progress());
  double last = end;
  for (const auto& each : companions_)
    if (const Timeline& timeline = each->past.timeline(); !timeline.empty())
      last = std::max(last, reading(timeline.latest().progress()));
  return (last - end) / each_takes;
}

// Shows the moment of this run that belongs to the first run's: both had then computed for as long, or done as many
// iterations.
void Comparison::look_back(Companion& companion, const First& first) {
  const Moment* wanted = first.past.moment();
  const Timeline& timeline = companion.past.timeline();
  Playback& playback = companion.past.playback();
  if (!wanted) return playback.go_live();
  if (timeline.empty()) return;
  const double at =
      reading(wanted->progress()) + first.past.playback().beyond(first.past.timeline()) * iteration_takes(first);
  const std::size_t found = timeline.latest_where([&](const Moment& each) { return reading(each.progress()) <= at; });
  playback.show(double(timeline[found].iteration()));
}

void Comparison::drawn() {
  for (const auto& each : companions_) {
    if (!each->session.runner()) continue;
    each->session.buffers()->drawn();
    each->session.runner()->frame_drawn();
    each->drawn_to_end = each->session.runner()->done() && each->run.progress.converged;
  }
}

bool Comparison::moving() const {
  return stale_ || std::ranges::any_of(companions_, [](const auto& each) {
           return (each->scene && each->scene->moving()) || each->past.moving();
         });
}

bool Comparison::computing() const {
  return std::ranges::any_of(companions_, [](const auto& each) {
    Runner* runner = each->session.runner();
    return each->session.loading() || (runner && !runner->done() && each->failure.empty());
  });
}

bool Comparison::done() const {
  return !stale_ && std::ranges::all_of(companions_,
                                        [](const auto& each) { return each->drawn_to_end || !each->failure.empty(); });
}

double Comparison::take_command_ms() {
  double total = 0;
  for (const auto& each : companions_)
    if (each->scene) total += each->scene->take_command_ms();
  return total;
}

std::vector<sim::Report> Comparison::finish() {
  std::vector<sim::Report> reports;
  for (const auto& each : companions_) {
    if (!each->session.runner()) continue;
    sim::Simulation& simulation = each->session.runner()->stop();
    simulation.finish();
    const sim::Progress progress = simulation.progress();
    sim::Report report;
    report.add(is_value(each->other) ? "other" : "algorithm", each->other);
    report.add("iterations", progress.iteration);
    report.add("seconds", progress.seconds);
    report.add("converged", progress.converged && !progress.cut);
    for (auto& entry : simulation.report().entries) report.entries.push_back(std::move(entry));
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace kinescope::app
