#include "app/view/workbench.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/io/streams.hpp"
#include "app/runs/registry.hpp"
#include "app/view/overlay.hpp"
#include "app/view/workers.hpp"
#include "render/pictures/picture.hpp"

namespace kinescope::app {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return 1e3 * seconds_since(begin);
}

SessionOptions session_options(const ViewOptions& options, bool interactive, const std::shared_ptr<sim::Trace>& trace) {
  SessionOptions session;
  session.setup = {nullptr, options.backend, options.threads, options.device, options.seed, trace};
  session.runner.steps = options.steps;
  session.runner.until = options.at;
  session.staged = options.staged;
  session.wait = !interactive;
  if (options.workers.count > 0) session.staff = std::bind_front(staff_of, options.workers);
  return session;
}

Settings first_settings(const ViewOptions& options, bool interactive) {
  Settings settings = interactive ? load_settings(settings_path()) : Settings();
  settings.light = options.light.value_or(settings.light);
  return settings;
}

}  // namespace

Workbench::Workbench(ViewOptions& options, render::OpenGl& opengl, float scale, bool interactive)
    : options_(options),
      interactive_(interactive),
      opengl_(opengl),
      settings_(first_settings(options, interactive)),
      gui_(scale, settings_.light ? render::Background::light : render::Background::dark),
      trace_file_(options.trace),
      scene_kind_(options.kind),
      scene_(scene_of(*options.kind).make(scene_setup(), 0)),
      session_(*options.kind, copy_of(*options.kind, *options.parameters),
               session_options(options, interactive, trace_file_.trace())),
      past_(interactive || options.with_panels, options.steps > 0),
      comparison_(interactive),
      gpu_timer_(opengl.is_software()),
      pace_(options.kind->pace),
      default_pace_(options.kind->pace) {
  for (const FeatureKind& kind : feature_kinds())
    if (kind.make) features_.push_back(kind.make(scene_setup()));
  if (options.workers.count > 0) corner_tab_ = 1;  // begins with the scene's plot: the strips of the workers
  ui_.ids = TestIds(options.test_ids);
  saved_ = settings_;
  offer_last_session();
  opening_ = options.session;
  comparison_.choose(options.compare);
  session_.open(options.data);
}

void Workbench::open_file(const std::string& path) {
  if (is_session_file(path)) return open_session(path);
  session_.open({.source = path});
}

// Once a frame: takes over runs that were made in the background, and reports those that could not be made.
void Workbench::poll_session() {
  if (session_.poll()) {
    const SceneKind& shown = scene_of(session_.kind());
    const int look = shown.look ? shown.look(session_.data().get(), session_.made_parameters()) : 0;
    if (&session_.kind() != scene_kind_) show_kind(session_.kind());
    if (std::exchange(look_, look) != look) scene_ = shown.make(scene_setup(), look);
    dismiss();  // an earlier error no longer applies
    parameter_panel_.took_over(session_.made_parameters());
    told_ = session_.stamp();
    saving_ = false;
    scene_->set_data(session_.data(), session_.made_parameters());
    past_.follow(*session_.buffers());
    scene_->set_run(past_.buffers(), *session_.runner());
    for (const auto& feature : features_) feature->begin_run(session_.data(), session_.made_parameters());
    past_.begin_run(*scene_, session_.rewound_to());
    comparison_.begin_run();
    session_.runner_options().until = -1;  // --at applies to the first run only
    run_ = {};
    drawn_to_end_ = false;
    // Keeps a pace that a person has chosen.
    const sim::SimulationKind& kind = session_.kind();
    const double own = kind.pace_of ? kind.pace_of(session_.made_parameters(), session_.data().get()) : kind.pace;
    const double before = std::exchange(default_pace_, own);
    if (pace_ == before) pace_ = default_pace_;
    if (session_.data()) settings_.remember(session_.request().source);
    if (const auto opened = std::exchange(opening_, std::nullopt)) {
      pace_ = opened->pace;
      KeptState state = KeptState::reading(opened->view);
      scene_->keep_state(state);
      for (const auto& feature : features_) feature->keep_state(state);
      compare_as(*opened);
    }
    if (!sharing_logged_ && !session_.buffers()->reason().empty())
      tell("kinescope: {}: {}\n", session_.buffers()->path_text(), session_.buffers()->reason());
    sharing_logged_ = true;
  }
  if (const auto error = session_.take_error()) {
    opening_.reset();
    if (!session_.runner()) throw *error;  // nothing was ever open: the program ends with this error
    complain(*error);
  }
}

// Once a frame: advances the run at its pace, keeps its moments, and advances the runs beside it.
void Workbench::advance_run(double seconds) {
  Runner* runner = session_.runner();
  if (!runner) return;
  runner->set_pace(pace_);
  runner->set_budget(1e-3 * budget_ms_);
  session_.runner_options().pace = pace_;
  session_.runner_options().budget_seconds = 1e-3 * budget_ms_;
  session_.frame();
  if (const auto error = runner->take_error()) {
    if (!interactive_) throw *error;
    complain(*error);
  }
  run_.take(*runner->snapshot());
  past_.timeline().set_limit(std::size_t(1e6 * settings_.timeline_mb) / comparison_.pictures());
  past_.frame(*session_.buffers(), *runner, seconds, default_pace_);
  comparison_.frame(first(), scene_setup(), seconds);
}

SceneSetup Workbench::scene_setup() {
  SceneSetup setup{opengl_, worker_, options_.steps > 0, interactive_ && !options_.until_done && options_.frames == 0,
                   options_.workers.count > 0};
  for (const FeatureKind& kind : feature_kinds())
    if (kind.make_layer) setup.layers.push_back(kind.make_layer);
  return setup;
}

// Makes another kind's scene; nothing of the previous one is kept.
void Workbench::show_kind(const sim::SimulationKind& kind) {
  scene_kind_ = &kind;
  scene_ = scene_of(kind).make(scene_setup(), look_ = 0);
  parameter_panel_ = {};
  pace_ = default_pace_ = kind.pace;
  tab_width_ = 0;
}

void Workbench::frame(const FrameInput& input) {
  const sim::ScopedSpan span(*trace_file_.trace(), "frame", sim::Trace::Track::program);
  const auto begin = Clock::now();
  worker_.poll();
  poll_session();
  advance_run(input.seconds);
  const double poll_ms = ms_since(begin);
  Composed composed = compose(input);
  composed.total_ms += poll_ms;
  if (Runner* runner = session_.runner()) runner->frame_drawn();
  comparison_.drawn();
  act_on_input();
  watch_file();
  notice_seconds_ -= input.seconds;
  if (notice_seconds_ <= 0) notice_.clear();
  account(input, composed);
  record(input);
  remember_settings();
  if (frames_ > 0) trace_file_.write();
  tell_opengl();
}

// Passes on the driver's messages, each once; with --debug-opengl the first one ends the run.
void Workbench::tell_opengl() {
  for (const std::string& message : opengl_.take_messages()) {
    if (options_.debug_opengl) throw sim::run_error("OpenGL: " + message);
    if (opengl_messages_.insert(message).second) tell("kinescope: OpenGL: {}\n", message);
  }
}

void Workbench::take_input(glm::ivec2 size) {
  if (!session_.runner()) return;
  run_panels(begin_panels(size));
  act_on_input();
}

Workbench::Composed Workbench::compose(const FrameInput& input) {
  const auto begin = Clock::now();
  if (!interactive_) {
    ImGui::GetIO().DisplaySize = {float(input.size.x), float(input.size.y)};
    ImGui::GetIO().DeltaTime = std::max(1e-3f, float(input.seconds));
  }
  const Layout layout = begin_panels(input.size);
  picture_box_ = layout.picture;
  const FrameTime time = past_.time(input.seconds, session_.runner(), session_.parameters());
  comparison_.update(*scene_, time, picture_size());
  for (const auto& feature : features_) feature->update(time);
  run_.measured = scene_->adds().measure ? scene_->adds().measure(run_.curve, run_.progress) : "";
  comparison_.measure(first());
  const auto take_command_ms = [&] { return scene_->take_command_ms() + comparison_.take_command_ms(); };
  Composed composed;
  composed.draw_ms = take_command_ms();

  gpu_timer_.begin();
  const auto scene_begin = Clock::now();
  draw_scene(input, layout);
  composed.draw_ms += ms_since(scene_begin);
  const auto panels_begin = Clock::now();
  run_panels(layout);
  const double command_ms = take_command_ms();
  composed.panels_ms = ms_since(panels_begin) - command_ms;
  composed.draw_ms += command_ms;
  const auto gui_begin = Clock::now();
  gui_.draw();
  composed.draw_ms += ms_since(gui_begin);
  composed.total_ms = ms_since(begin);
  gpu_timer_.end();
  return composed;
}

Layout Workbench::begin_panels(glm::ivec2 size) {
  ui_.theme = &theme(settings_.light ? render::Background::light : render::Background::dark);
  ui_.fonts = gui_.fonts();
  ui_.scale = gui_.scale();
  gui_.set_variant(ui_.theme->variant);
  const bool narrow = float(size.x) < narrow_width * ui_.scale;
  if (narrow != std::exchange(narrow_, narrow)) sides_shown_ = !narrow;
  Settings widths = settings_;
  widths.right_width = std::max(widths.right_width, tab_width_);
  Layout layout = lay_out({float(size.x), float(size.y)}, ui_.scale, widths, panels_now(),
                          past_.has_timeline() ? timeline_height : 0);
  if (!banner_.empty()) {
    const float height = std::min(ui_.px(48), layout.picture.height - 1);
    layout.picture.y += height;
    layout.picture.height -= height;
  }
  return layout;
}

void Workbench::run_panels(const Layout& layout) {
  gui_.begin_frame();
  ui_.ids.begin_frame();
  keyboard();
  draw_panels(layout);
  report_states();
  ui_.ids.end_frame();
  gui_.end_frame();
}

void Workbench::draw_scene(const FrameInput& input, const Layout& layout) {
  const sim::ScopedSpan span(*trace_file_.trace(), "scene", sim::Trace::Track::program);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(ui_.theme->background);
  const render::Canvas all{input.framebuffer, {0, 0}, input.size};
  all.clear({background.x, background.y, background.z});
  if (session_.buffers()) {
    render::Canvas canvas =
        render::Canvas::in_window({int(layout.picture.x), int(layout.picture.y)}, picture_size(), input.size);
    canvas.framebuffer = input.framebuffer;
    canvas.scale = ui_.scale;
    comparison_.draw(*scene_, canvas, ui_.theme->variant);
    session_.buffers()->drawn();
  }
  all.bind();
}

// If OpenGL draws in software, drawing runs on this thread and is not counted as the window's own work.
void Workbench::account(const FrameInput& input, const Composed& composed) {
  const bool software = gpu_timer_.kind() == render::TimerKind::finish;
  FrameTiming timing;
  timing.upload_ms = session_.buffers() ? session_.buffers()->upload_ms() : 0;
  timing.sim_ms = session_.runner() ? session_.runner()->take_sim_ms() : 0;
  timing.gpu_ms = gpu_timer_.latest_ms().value_or(0);
  // The value arrives some frames late on a GPU.
  sim::Trace& trace = *trace_file_.trace();
  if (const std::int64_t now = trace.now_ns(); trace.enabled())
    trace.add({"draw", now - std::int64_t(1e6 * timing.gpu_ms), now, sim::Trace::Track::graphics});
  if (session_.runner() && session_.runner()->backend() == sim::Backend::cuda) timing.gpu_ms += timing.sim_ms;
  timing.cpu_ms = input.events_ms + composed.total_ms - (software ? composed.draw_ms : 0);
  timing.draw_ms = composed.draw_ms;
  timing.panels_ms = composed.panels_ms;
  timing.points = points();
  timing.iterations = std::max(0L, run_.progress.iteration - std::exchange(iteration_, run_.progress.iteration));
  if (!session_.runner()) return;
  timings_.add(timing);
  // Made with the first row: before it, Ctrl-C ends the program at once.
  if (!options_.timings.empty() && !timings_file_)
    timings_file_.emplace(options_.timings, render::timer_kind_name(gpu_timer_.kind()));
  if (timings_file_) timings_file_->add(timing);
  if (!options_.report.empty() && scene_->adds().pass_ms) pass_times_.add(scene_->adds().pass_ms());
  ++frames_;
  drawn_to_end_ = session_.runner()->done() && run_.progress.converged;
  drawn_to_moment_ = session_.runner()->arrived();
}

bool Workbench::computing() const {
  const Runner* runner = session_.runner();
  return session_.loading() || comparison_.computing() ||
         (runner && !runner->done() && (runner->running() || runner->busy()));
}

bool Workbench::moving() const {
  return computing() || scene_->moving() ||
         std::ranges::any_of(features_, [](const auto& feature) { return feature->moving(); }) ||
         comparison_.moving() || worker_.busy() || past_.moving() || file_dialog_.busy() || !notice_.empty() ||
         frames_ < 3;
}

// How many points the picture shows.
std::size_t Workbench::points() const {
  return session_.data() ? session_.data()->points : run_.progress.points;
}

std::vector<const Tab*> Workbench::offered(std::vector<Tab> Contributions::*tabs) const {
  std::vector<const Tab*> all;
  each_contribution([&](const Contributions& adds) {
    for (const Tab& tab : adds.*tabs)
      if (!tab.offered || tab.offered()) all.push_back(&tab);
  });
  return all;
}

std::vector<CurveMark> Workbench::marks() const {
  std::vector<CurveMark> all;
  each_contribution([&](const Contributions& adds) {
    if (!adds.marks) return;
    for (CurveMark& mark : adds.marks()) all.push_back(std::move(mark));
  });
  return all;
}

void Workbench::complain(const sim::Error& error) {
  banner_ = error.what();
  remedies_ = error.remedies();
  offers_reload_ = false;
}

void Workbench::dismiss() {
  banner_.clear();
  remedies_.clear();
  offers_reload_ = false;
}

glm::ivec2 Workbench::picture_size() const {
  return {std::max(1, int(picture_box_.width)), std::max(1, int(picture_box_.height))};
}

render::Image Workbench::picture(glm::ivec2 size, float scale) {
  Overlay overlay(scale);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(ui_.theme->background);
  return render::render_picture(size, {background.x, background.y, background.z}, [&](render::Canvas canvas) {
    canvas.scale = scale;
    comparison_.draw(*scene_, canvas, ui_.theme->variant);
    overlay.draw(canvas, *ui_.theme, [&](const PictureArea& area) { comparison_.draw_overlay(*scene_, area); });
  });
}

// Settings are written when they change (but not while an edge is being dragged), in the background, because a window
// may end in many ways.
void Workbench::remember_settings() {
  if (!interactive_ || settings_ == saved_ || ImGui::IsMouseDown(0)) return;
  saved_ = settings_;
  worker_.post([settings = settings_]() -> Worker::Then {
    save_settings(settings_path(), settings);
    return {};
  });
}

void Workbench::say(const std::string& notice) {
  notice_ = notice;
  notice_seconds_ = 4;
}

}  // namespace kinescope::app
