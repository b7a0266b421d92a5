#include "app/view/workbench.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/io/json_report.hpp"
#include "app/io/output.hpp"
#include "app/io/picture_state.hpp"
#include "app/io/streams.hpp"
#include "app/io/tell_findings.hpp"
#include "app/panels/timeline_panel.hpp"
#include "app/runs/interrupt.hpp"
#include "app/runs/registry.hpp"
#include "app/view/files/saved_course.hpp"
#include "app/view/overlay.hpp"
#include "app/view/workers.hpp"
#include "kinescope/executors/devices.hpp"
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
  if (options.workers.count > 0) session.workers = std::bind_front(make_workers, options.workers);
  return session;
}

}  // namespace

Workbench::Workbench(ViewOptions& options, render::OpenGl& opengl, float scale, bool interactive)
    : options_(options),
      interactive_(interactive),
      settings_(interactive, options.light, options.scale),
      gui_(scale * float(settings_.scale), settings_.light ? render::Background::light : render::Background::dark),
      times_(options, opengl.is_software()),
      opengl_messages_(opengl, options.debug_opengl),
      saving_(jobs_, session_, notices_, ui_.ids),
      contributors_({opengl, jobs_, options.steps > 0, interactive && !options.until_done && options.frames == 0,
                     options.workers.count > 0},
                    *options.kind),
      session_(*options.kind, copy_of(*options.kind, *options.parameters),
               session_options(options, interactive, times_.trace())),
      past_(interactive || options.with_panels, options.steps > 0),
      comparison_(interactive, options.compare),
      pace_{options.kind->pace, options.kind->pace},
      session_files_(session_),
      history_(interactive, session_, session_files_, contributors_, pace_, notices_),
      opening_(session_, session_files_, notices_, jobs_, settings_),
      timings_tab_(times_, saving_, opening_, jobs_),
      recordings_(options, interactive, notices_, saving_),
      commands_(commands()),
      panels_(interactive || options.with_panels) {
  if (options.workers.count > 0) corner_tab_ = 1;  // begins with the scene's plot: the strips of the workers
  ui_.ids = TestIds(options.test_ids);
  if (interactive) SessionFiles::offer_last(data_panel_);
  session_files_.opens(options.session);
  contributors_.join(comparison_);
  contributors_.join(timings_tab_);
  if (options.session && options.session->course)
    session_.open(*options.kind, options.data,
                  replay_of(options.session_from, *options.kind, *options.session, *options.parameters), options.seed);
  else
    session_.open(options.data);
  if (!options.offered.empty()) opening_.open(options.offered);
}

// Once a frame: takes over runs that were made in the background, and reports those that could not be made.
void Workbench::poll_session() {
  if (session_.poll()) {
    const sim::SimulationKind& kind = session_.kind();
    if (contributors_.choose_scene(session_)) {
      parameter_panel_ = {};
      pace_.now = pace_.usual = kind.pace;
      right_tabs_.another_scene();
    }
    times_.record().note(FrameEvent::took_over);
    notices_.dismiss();  // an earlier error no longer applies
    parameter_panel_.took_over(session_.made_parameters());
    file_watch_.know(session_.stamp());
    saving_.begin_run();
    contributors_.begin_run(session_, past_);
    session_.runner_options().until = -1;  // --at applies to the first run only
    run_ = {};
    drawn_to_end_ = false;
    pace_.set_usual(kind.pace_of ? kind.pace_of(session_.made_parameters(), session_.data().get()) : kind.pace);
    if (session_.data()) settings_.remember(session_.request().source);
    session_files_.begin_run(contributors_, pace_);
    history_.took_over();
    if (times_.frames() == 0 && !session_.buffers()->reason().empty())  // told of the first run
      tell("kinescope: {}: {}\n", session_.buffers()->path_text(), session_.buffers()->reason());
  }
  if (const auto error = session_.take_error()) {
    session_files_.failed();
    history_.failed();
    if (!session_.runner()) throw *error;  // nothing was ever open: the program ends with this error
    notices_.complain(*error);
  }
}

// Once a frame: advances the run at its pace, keeps its moments, and advances the runs beside it.
void Workbench::advance_run(double seconds) {
  Runner* runner = session_.runner();
  if (!runner) return;
  pace_.give(session_);
  session_.frame();
  if (const auto error = runner->take_error()) {
    if (!interactive_) throw *error;
    notices_.complain(*error);
  }
  run_.take(*runner->snapshot());
  if (interactive_) session_.set_kept_bytes(std::size_t(1e6 * settings_.kept_mb));
  past_.timeline().set_limit(std::size_t(1e6 * settings_.timeline_mb) / comparison_.pictures());
  past_.frame(*session_.buffers(), *runner, seconds, pace_.usual);
  comparison_.frame({session_, contributors_.scene(), past_, run_}, contributors_.setup(), seconds);
}

void Workbench::frame(const FrameInput& input) {
  const sim::ScopedSpan span(*times_.trace(), "frame", sim::Trace::Track::program);
  const auto begin = Clock::now();
  times_.begin_frame(input.events_ms);
  jobs_.poll();
  poll_session();
  advance_run(input.seconds);
  const double poll_ms = ms_since(begin);
  FrameParts parts = compose(input);
  parts.total_ms += poll_ms;
  if (Runner* runner = session_.runner()) runner->frame_drawn();
  comparison_.drawn();
  act_on_input();
  history_.frame(input.seconds);
  const std::string& source = session_.request().source;
  if (file_watch_.frame(source, session_.stamp(), interactive_ && !session_.loading(), !notices_.has_banner()))
    notices_.ask(short_name(source) + " has changed",
                 {{"Reload", "Read the file again (F5); the view and all choices stay",
                   [this] { session_files_.reload(contributors_, pace_); }}});
  notices_.pass(input.seconds);
  if (session_.loading()) times_.record().note(FrameEvent::opening);
  if (recordings_.running()) times_.record().note(FrameEvent::filmed);
  times_.add(parts, session_, contributors_.scene().adds(), run_);
  if (const Runner* runner = session_.runner()) {
    drawn_to_end_ = runner->done() && run_.progress.converged;
    drawn_to_moment_ = runner->arrived();
  }
  recordings_.frame(input.framebuffer, input.size, picture_box_, times_.frames() == 1);
  settings_.remember_all(jobs_, ImGui::IsMouseDown(0));
  times_.write_trace();
  opengl_messages_.pass_on();
  times_.end_frame();
}

void Workbench::take_input(const FrameInput& input) {
  if (!session_.runner()) return;
  run_panels(begin_panels(input));
  act_on_input();
}

void Workbench::redraw(const FrameInput& input, bool whole) {
  if (whole) contributors_.scene().frame_all(true);
  compose(input);
}

FrameParts Workbench::compose(const FrameInput& input) {
  const auto begin = Clock::now();
  if (!interactive_) {
    ImGui::GetIO().DisplaySize = {float(input.size.x), float(input.size.y)};
    ImGui::GetIO().DeltaTime = std::max(1e-3f, float(input.seconds));
  }
  const PanelPlaces layout = begin_panels(input);
  if (picture_box_.pixels() != layout.picture.pixels()) times_.record().note(FrameEvent::resized);
  picture_box_ = layout.picture;
  Scene& scene = contributors_.scene();
  const FrameTime time = past_.time(input.seconds, session_.runner(), session_.parameters());
  comparison_.update_scenes(scene, time, picture_box_.pixels());
  contributors_.update(time);
  run_.measured = scene.adds().measure ? scene.adds().measure(run_.curve, run_.progress) : "";
  comparison_.measure({session_, scene, past_, run_});
  const auto take_command_ms = [&] { return scene.take_command_ms() + comparison_.take_command_ms(); };
  FrameParts parts;
  parts.events_ms = input.events_ms;
  parts.draw_ms = take_command_ms();

  times_.gpu_timer().begin();
  const auto scene_begin = Clock::now();
  draw_scene(input, layout);
  parts.draw_ms += ms_since(scene_begin);
  const auto panels_begin = Clock::now();
  run_panels(layout);
  const double command_ms = take_command_ms();
  parts.panels_ms = ms_since(panels_begin) - command_ms;
  parts.draw_ms += command_ms;
  const auto gui_begin = Clock::now();
  gui_.draw();
  parts.draw_ms += ms_since(gui_begin);
  parts.total_ms = ms_since(begin);
  times_.gpu_timer().end();
  return parts;
}

PanelPlaces Workbench::begin_panels(const FrameInput& input) {
  history_.before_input();
  gui_.set_scale(input.scale * float(settings_.scale));
  ui_.theme = &theme(settings_.light ? render::Background::light : render::Background::dark);
  ui_.fonts = gui_.fonts();
  ui_.scale = gui_.scale();
  gui_.set_variant(ui_.theme->variant);
  panels_.fit(float(input.size.x) < narrow_width * ui_.scale);
  Settings widths = settings_;
  widths.right_width = std::max(widths.right_width, right_tabs_.width());
  PanelPlaces layout = lay_out({float(input.size.x), float(input.size.y)}, ui_.scale, widths, panels_.now(),
                               past_.has_timeline() ? timeline_height : 0);
  notices_.make_room(ui_, layout.picture);
  return layout;
}

void Workbench::draw_scene(const FrameInput& input, const PanelPlaces& layout) {
  const sim::ScopedSpan span(*times_.trace(), "scene", sim::Trace::Track::program);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(ui_.theme->background);
  const render::Canvas all{input.framebuffer, {0, 0}, input.size};
  all.clear({background.x, background.y, background.z});
  if (session_.buffers()) {
    render::Canvas canvas =
        render::Canvas::in_window({int(layout.picture.x), int(layout.picture.y)}, layout.picture.pixels(), input.size);
    canvas.framebuffer = input.framebuffer;
    canvas.scale = ui_.scale;
    comparison_.draw(contributors_.scene(), canvas, ui_.theme->variant);
    session_.buffers()->drawn();
  }
  all.bind();
}

void Workbench::keep_place(const render::WindowPlace& place) {
  settings_.maximized = place.maximized;
  if (place.maximized) return;
  settings_.window_width = place.size.x;
  settings_.window_height = place.size.y;
  settings_.window_x = place.at.x;
  settings_.window_y = place.at.y;
}

std::string Workbench::title() const {
  const std::string& source = session_.request().source;
  return (source.empty() ? "" : short_name(source) + " – ") + session_.kind().title + " – Kinescope";
}

WorkbenchState Workbench::state() const {
  const Runner* runner = session_.runner();
  WorkbenchState state;
  state.frames = times_.frames();
  state.converged = drawn_to_end_ && !session_.loading() && comparison_.done();
  state.arrived = drawn_to_moment_;
  state.failed_to_record = recordings_.failed();
  state.computing = session_.loading() || comparison_.computing() ||
                    (runner && !runner->done() && (runner->running() || runner->busy()));
  state.moving = state.computing || contributors_.moving() || jobs_.busy() || past_.moving() || opening_.busy() ||
                 !notices_.notice().empty() || state.frames < 3;
  state.unlimited = std::isinf(pace_.now);
  return state;
}

std::string Workbench::picture_state() {
  return options_.no_state || !session_.runner() ? "" : portable_text(session_files_.now(contributors_, pace_, past_));
}

FigureSource Workbench::figure_source(render::Background background) {
  Scene& scene = contributors_.scene();
  return {.draw = [&, background](const render::Canvas& canvas) { comparison_.draw(scene, canvas, background); },
          .draw_over = [&](const PictureArea& area) { comparison_.draw_overlay(scene, area); },
          .fit = [&](const PictureArea* area) { comparison_.fit_to(scene, area); },
          .theme = &theme(background)};
}

std::function<void()> Workbench::figure(const std::string& path, const FigureOptions& options) {
  return figure_writer(path, options, figure_source(ui_.theme->variant), picture_state());
}

render::Image Workbench::picture(glm::ivec2 size, float scale) {
  Overlay overlay(scale);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(ui_.theme->background);
  return render::render_picture(size, {background.x, background.y, background.z}, [&](render::Canvas canvas) {
    canvas.scale = scale;
    comparison_.draw(contributors_.scene(), canvas, ui_.theme->variant);
    overlay.draw(canvas, *ui_.theme,
                 [&](const PictureArea& area) { comparison_.draw_overlay(contributors_.scene(), area); });
  });
}

void Workbench::rescue(const std::string& why) {
  const std::string film = recordings_.rescue();
  error_of([&] { times_.finish_timings(); });
  error_of([&] { times_.finish_trace(); });
  tell("kinescope: error: {}{}\n", why, printable(film));
}

void Workbench::finish() {
  jobs_.drain();
  FinalWrites final_writes;
  recordings_.finish(final_writes);
  final_writes([&] { times_.finish_timings(); });
  if (!session_.runner()) return final_writes.finish();
  if (interactive_) session_files_.keep_last(contributors_, pace_, past_);
  session_.runner()->stop();
  if (!interactive_ && session_.data())
    tell_findings(session_.request(), *session_.data(), session_.made_parameters(), session_.standardized_by_itself());
  final_writes([&] { times_.finish_trace(); });
  final_writes.finish();
}

void Workbench::finish_report(bool ended, const std::string& line) {
  if (options_.report.empty() || !session_.runner()) return;
  const HearsInterrupt hears = hears_during_report(ended, [&] { return printable(line + without_report); });
  const std::vector<sim::Report> compared = comparison_.finish();
  sim::Report drawing = times_.drawing();
  if (!compared.empty()) drawing.add("compared", compared);
  write_report(options_.report, session_.kind(), session_.made_parameters(), session_.data().get(), session_.seed(),
               sim::processor_name(options_.backend, options_.device), session_.runner()->stop(), drawing);
}

}  // namespace kinescope::app
