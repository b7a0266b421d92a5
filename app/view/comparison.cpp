#include "app/view/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <glm/common.hpp>
#include <limits>
#include <mutex>

#include "app/runs/registry.hpp"
#include "sim/core/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
// A run may be so far ahead of the clock: as much as a few frames show.
constexpr double slack_seconds = 0.02;

ComparedRun run_of(const std::string& algorithm, const sim::SimulationKind& kind, const sim::Progress& progress,
                   const sim::History& history, const std::string& measured,
                   const std::vector<std::pair<long, double>>& clock) {
  ComparedRun run;
  run.name = option_name(algorithm);
  run.figure_name = !measured.empty()              ? "stress"
                    : progress.figure_name.empty() ? kind.figure_name
                                                   : progress.figure_name;
  run.figure = measured.empty() ? progress.figure : progress.second_figure;
  run.seconds = progress.seconds;
  run.iteration = progress.iteration;
  run.done = progress.converged;
  float latest = std::numeric_limits<float>::quiet_NaN();
  for (const sim::HistoryPoint& point : history.points) {
    const float figure = measured.empty() ? point.figure : point.second_figure;
    if (std::isnan(figure) || figure == latest) continue;
    latest = figure;
    const auto at = std::lower_bound(clock.begin(), clock.end(), point.iteration,
                                     [](const auto& known, long iteration) { return known.first < iteration; });
    run.figures.emplace_back(at == clock.end() ? progress.seconds : at->second, double(figure));
  }
  return run;
}

void note_time(std::vector<std::pair<long, double>>& clock, const sim::Progress& progress) {
  while (!clock.empty() && clock.back().first > progress.iteration) clock.clear();  // started again
  if (clock.empty() || clock.back().first < progress.iteration)
    clock.emplace_back(progress.iteration, progress.seconds);
}

// As many columns as make the pictures largest.
glm::ivec2 grid(std::size_t pictures, double width, double height) {
  constexpr double wanted = 4.0 / 3;
  glm::ivec2 best{1, int(pictures)};
  double largest = 0;
  for (int columns = 1; columns <= int(pictures); ++columns) {
    const int rows = (int(pictures) + columns - 1) / columns;
    const double size = std::min(width / columns, wanted * height / rows);
    if (size > largest) largest = size, best = {columns, rows};
  }
  return best;
}

struct Tile {
  glm::ivec2 low, size;
};

// All are of one size, so that one camera suits them; a line of one pixel stays between them.
std::vector<Tile> tiles(std::size_t pictures, glm::ivec2 whole) {
  if (pictures == 1) return {{{0, 0}, whole}};
  const glm::ivec2 cells = grid(pictures, whole.x, whole.y);
  const glm::ivec2 size = glm::max((whole - (cells - 1)) / cells, glm::ivec2(1));
  std::vector<Tile> all;
  for (int i = 0; i < int(pictures); ++i)
    all.push_back({{(i % cells.x) * (size.x + 1), (i / cells.x) * (size.y + 1)}, size});
  return all;
}

}  // namespace

struct Comparison::Companion {
  Companion(std::string name, const Session& first, const SessionOptions& options, bool keeps)
      : algorithm(std::move(name)),
        session(first.kind(), first.kind().make_parameters(), options),
        past(keeps, options.runner.steps > 0) {}

  const std::string algorithm;
  Session session;
  std::unique_ptr<Scene> scene;  // null before its first picture
  Past past;
  sim::Progress progress;
  sim::History history;
  Clock clock;
  std::string measured, failure;
  bool drawn_to_end = false;
};

Comparison::Comparison(bool interactive) : interactive_(interactive) {}
Comparison::~Comparison() = default;

void Comparison::choose(std::vector<std::string> algorithms) {
  chosen_ = std::move(algorithms);
  stale_ = true;
}

void Comparison::restart() {
  clock_ = 0;
  first_clock_.clear();
  for (const auto& each : companions_)
    if (Runner* runner = each->session.runner()) runner->restart();
}

void Comparison::step() {
  if (!counts_iterations_) return;
  for (const auto& each : companions_)
    if (Runner* runner = each->session.runner()) runner->step();
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
  if (!compared_parameter(first.session.made_parameters())) chosen_.clear();
  const auto turn = chosen_.empty() ? nullptr : std::make_shared<std::mutex>();
  Runner& runner = *first.session.runner();
  runner.share_turn(turn);
  runner.set_clock(endless);
  first.scene.stand_beside(chosen_.empty() ? nullptr : &first.scene);
  SessionOptions options = first.session.options();
  options.runner.until = -1;
  options.runner.running = true;
  counts_iterations_ = options.runner.steps > 0;
  if (!counts_iterations_) options.runner.pace = unlimited_pace;
  options.runner.turn = turn;
  for (const std::string& algorithm : chosen_) {
    auto companion = std::make_unique<Companion>(algorithm, first.session, options, first.past.has_timeline());
    std::unique_ptr<sim::ParameterSet> parameters = first.session.kind().make_parameters();
    parameters->copy_values(first.session.made_parameters());
    parameters->set("algorithm", algorithm);
    companion->session.join(first.session, std::move(parameters));
    companions_.push_back(std::move(companion));
  }
  const bool has_begun = first.progress.iteration > 2 * options.runner.steps;
  if (active() && counts_iterations_ && has_begun) runner.restart();
}

void Comparison::frame(const First& first, const SceneSetup& setup, double seconds) {
  if (!first.session.runner()) return;
  std::erase_if(old_, [](const auto& each) { return each->session.stopped(); });
  if (stale_) begin(first);
  if (!active()) return;
  note_time(first_clock_, first.progress);
  keep_time(first, seconds);
  for (const auto& each : companions_) {
    if (each->session.poll()) {
      if (!each->scene) each->scene = scene_of(first.session.kind()).make(setup, 0);
      each->scene->set_data(each->session.data(), each->session.made_parameters());
      each->past.follow(*each->session.buffers());
      each->scene->set_run(each->past.buffers(), *each->session.runner());
      each->past.begin_run(*each->scene, std::nullopt);
      each->scene->stand_beside(&first.scene);
    }
    advance(*each, first, seconds);
  }
}

void Comparison::measure(const First& first) {
  for (const auto& each : companions_)
    if (each->scene) each->measured = each->scene->measure(each->history, each->progress);
  shown_ = runs(first);
}

// A run beside that cannot be made, or fails, says why in its place.
void Comparison::advance(Companion& companion, const First& first, double seconds) {
  Session& session = companion.session;
  const auto take = [&](const std::optional<sim::Error>& error) {
    if (error && !interactive_) throw *error;
    if (error) companion.failure = error->what();
  };
  take(session.take_error());
  Runner* runner = session.runner();
  if (!runner) return;
  for (const sim::Parameter* parameter : first.session.parameters().all()) {
    sim::Parameter* own = session.parameters().find(parameter->name());
    if (!own || parameter->change() != sim::Change::live || own->text() == parameter->text()) continue;
    own->set(parameter->text());
    runner->change(own->name(), own->text());
  }
  if (counts_iterations_ && runner->running() != first.session.runner()->running())
    runner->set_running(!runner->running());
  runner->frame();
  session.buffers()->ready();
  take(runner->take_error());
  companion.progress = runner->progress();
  runner->history(companion.history);
  note_time(companion.clock, companion.progress);
  companion.past.timeline().set_limit(first.past.timeline().limit());
  look_back(companion, first);
  if (companion.scene) companion.past.frame(*companion.scene, *session.buffers(), *runner, seconds, 1);
}

// The first runs at its pace and never far ahead of the others; these follow it.
void Comparison::keep_time(const First& first, double seconds) {
  if (counts_iterations_) return;
  double slowest = endless;
  for (const auto& each : companions_)
    if (each->session.runner() && !each->progress.converged && each->failure.empty())
      slowest = std::min(slowest, each->progress.seconds);
    else if (each->session.loading())
      slowest = 0;
  Runner& runner = *first.session.runner();
  if (!first.progress.converged)
    clock_ = first.progress.seconds;
  else if (runner.running())
    clock_ = std::min(std::max(clock_, first.progress.seconds) + seconds, std::max(clock_, slowest + slack_seconds));
  runner.set_clock(slowest + slack_seconds);
  for (const auto& each : companions_)
    if (Runner* other = each->session.runner()) {
      other->set_budget(1e-3);  // small slices keep the runs together
      other->set_clock(clock_);
    }
}

// Shows the moment at which this run had computed as long, or done as many iterations, as the first at its own.
void Comparison::look_back(Companion& companion, const First& first) {
  const Moment* wanted = first.past.moment();
  const Timeline& timeline = companion.past.timeline();
  Playback& playback = companion.past.playback();
  if (!wanted) return playback.go_live();
  if (timeline.empty()) return;
  long found = timeline[0].iteration();
  for (std::size_t low = 0, high = timeline.size(); low < high;) {
    const std::size_t middle = (low + high) / 2;
    const sim::Progress& progress = timeline[middle].progress;
    const bool before = counts_iterations_ ? progress.iteration <= wanted->progress.iteration
                                           : progress.seconds <= wanted->progress.seconds;
    if (before) found = timeline[middle].iteration();
    before ? low = middle + 1 : high = middle;
  }
  playback.show(found);
}

void Comparison::update(Scene& first, const FrameTime& time, glm::ivec2 picture_size) {
  const glm::ivec2 size = tiles(pictures(), picture_size).front().size;
  first.update(time, size);
  for (const auto& each : companions_) {
    if (!each->scene) continue;
    each->scene->follow(first);
    const Moment* earlier = each->past.moment();
    each->scene->update({time.seconds, earlier ? earlier->progress : each->progress, &each->session.parameters(),
                         earlier ? &earlier->note : nullptr},
                        size);
  }
}

void Comparison::draw(Scene& first, const render::Canvas& canvas, render::Background background) {
  const std::vector<Tile> all = tiles(pictures(), canvas.whole());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Scene* scene = i == 0 ? &first : companions_[i - 1]->scene.get();
    const render::Canvas part = active() ? canvas.part(all[i].low, all[i].size) : canvas;
    if (scene && part.size.x > 0) scene->draw(part, background);
  }
}

std::vector<PictureArea> Comparison::areas(const PictureArea& area) const {
  const glm::ivec2 whole{int(area.high.x - area.low.x), int(area.high.y - area.low.y)};
  std::vector<PictureArea> parts;
  if (!active()) return {area};
  for (const Tile& tile : tiles(pictures(), whole)) {
    PictureArea part = area;
    part.low = {area.low.x + float(tile.low.x), area.low.y + float(tile.low.y)};
    part.high = {part.low.x + float(tile.size.x), part.low.y + float(tile.size.y)};
    part.number = int(parts.size()) + 1;
    parts.push_back(part);
  }
  return parts;
}

void Comparison::draw_overlay(Scene& first, const PictureArea& area) {
  const std::vector<PictureArea> parts = areas(area);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (Scene* scene = i == 0 ? &first : companions_[i - 1]->scene.get()) scene->draw_overlay(parts[i]);
  draw_titles(area);
}

void Comparison::interact(Scene& first, Ui& ui, const PictureArea& area) {
  const std::vector<PictureArea> parts = areas(area);
  draw_titles(area);
  first.interact(ui, parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Scene* scene = companions_[i - 1]->scene.get();
    if (!scene) continue;
    scene->follow(first);
    scene->interact(ui, parts[i]);
    // What is done in a picture beside counts for all; so does that the mouse has left it.
    if (!scene->led() && scene != leader_) continue;
    first.follow(*scene);
    leader_ = scene->led() ? scene : nullptr;
  }
}

void Comparison::draw_titles(const PictureArea& area) const {
  if (!active()) return;
  const std::vector<PictureArea> parts = areas(area);
  const Theme& t = *area.theme;
  const float s = area.scale;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PictureArea& part = parts[i];
    if (part.high.x < area.high.x - 1)
      area.list->AddRectFilled({part.high.x, part.low.y}, {part.high.x + 1, part.high.y}, t.line);
    if (part.high.y < area.high.y - 1)
      area.list->AddRectFilled({part.low.x, part.high.y}, {part.high.x, part.high.y + 1}, t.line);
    if (i >= shown_.size()) continue;
    const ComparedRun& run = shown_[i];
    std::string figures =
        std::isnan(run.figure) ? "" : fmt::format("{} {} · ", run.figure_name, number_text(run.figure));
    if (counts_iterations_)
      figures += sim::count_of(std::size_t(std::max(0L, run.iteration)), "iteration");
    else
      figures += number_text(run.seconds) + " s";
    if (run.done) figures += " · done";
    if (!run.failure.empty())
      figures = run.failure;
    else if (i > 0 && !companions_[i - 1]->scene)
      figures = "preparing …";
    ImFont* strong = area.fonts.strong;
    ImFont* small = area.fonts.caption;
    const ImVec2 at{std::round(part.low.x + 16 * s), std::round(part.low.y + 12 * s)};
    const float width = part.high.x - at.x - 16 * s;
    const std::string fits = shortened(small, figures, width);
    const float plate = std::max(16 * s + width_of(strong, run.name), width_of(small, fits)) + 16 * s;
    area.list->AddRectFilled({at.x - 8 * s, at.y - 4 * s}, {at.x - 8 * s + plate, at.y + 40 * s},
                             (t.background & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 200), corner * s);
    area.list->AddCircleFilled({at.x + 4 * s, at.y + 0.5f * strong->FontSize}, 4 * s, run_colour(t, i), 16);
    area.list->AddText(strong, strong->FontSize, {at.x + 16 * s, at.y}, t.ink, run.name.c_str());
    area.list->AddText(small, small->FontSize, {at.x, at.y + 20 * s}, run.failure.empty() ? t.ink_dim : t.warning,
                       fits.c_str());
  }
}

void Comparison::drawn() {
  for (const auto& each : companions_) {
    if (!each->session.runner()) continue;
    each->session.buffers()->drawn();
    each->session.runner()->frame_drawn();
    each->drawn_to_end = each->session.runner()->done() && each->progress.converged;
  }
}

bool Comparison::moving() const {
  return stale_ || std::any_of(companions_.begin(), companions_.end(), [](const auto& each) {
           return (each->scene && each->scene->moving()) || each->past.moving();
         });
}

bool Comparison::computing() const {
  return std::any_of(companions_.begin(), companions_.end(), [](const auto& each) {
    Runner* runner = each->session.runner();
    return each->session.loading() || (runner && !runner->done() && each->failure.empty());
  });
}

bool Comparison::done() const {
  return !stale_ && std::all_of(companions_.begin(), companions_.end(),
                                [](const auto& each) { return each->drawn_to_end || !each->failure.empty(); });
}

double Comparison::take_command_ms() {
  double total = 0;
  for (const auto& each : companions_)
    if (each->scene) total += each->scene->take_command_ms();
  return total;
}

std::vector<ComparedRun> Comparison::runs(const First& first) const {
  std::vector<ComparedRun> all;
  if (!active()) return all;
  const sim::SimulationKind& kind = first.session.kind();
  all.push_back(run_of(compared_parameter(first.session.made_parameters())->text(), kind, first.progress, first.history,
                       first.measured, first_clock_));
  for (const auto& each : companions_) {
    all.push_back(run_of(each->algorithm, kind, each->progress, each->history, each->measured, each->clock));
    all.back().failure = each->failure;
  }
  return all;
}

std::vector<sim::Report> Comparison::finish() {
  std::vector<sim::Report> reports;
  for (const auto& each : companions_) {
    if (!each->session.runner()) continue;
    sim::Simulation& simulation = each->session.runner()->stop();
    simulation.finish();
    const sim::Progress progress = simulation.progress();
    sim::Report report;
    report.add("algorithm", each->algorithm);
    report.add("iterations", progress.iteration);
    report.add("seconds", progress.seconds);
    report.add("converged", progress.converged && !progress.cut);
    for (auto& entry : simulation.report().entries) report.entries.push_back(std::move(entry));
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace kinescope::app
