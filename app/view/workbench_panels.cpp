// The workbench's panels: where each is drawn.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "app/panels/timeline_panel.hpp"
#include "app/runs/registry.hpp"
#include "app/view/splitters.hpp"
#include "app/view/workbench.hpp"

namespace kinescope::app {
namespace {

bool begin_panel(const char* name, const Box& box, ImGuiWindowFlags more = 0) {
  return begin_fixed(name, box, ImGuiWindowFlags_NoBringToFrontOnFocus | more);
}

void draw_timeline_strip(Ui& ui, const Box& box, Past& past, Session& session) {
  if (box.height <= 0) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(4)});
  begin_panel("timeline", box, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (session.runner()) draw_timeline(ui, past.timeline(), past.playback(), session);
  ImGui::End();
}

constexpr double noticeable = 0.15;  // seconds; what takes less would flicker

// What is on its way.
void draw_waiting(Ui& ui, const Box& box, const Session& session) {
  const std::string& name = session.loading_name();
  const bool is_scene =
      std::ranges::any_of(simulation_kinds(), [&](const sim::SimulationKind* kind) { return kind->title == name; });
  const std::string text =
      is_scene ? "Preparing " + name + " …"
               : fmt::format("Opening {} · {:.0f} %", short_name(name), 100 * session.loading_fraction());
  ImFont* font = ui.fonts.text;
  const std::string fits = shortened(font, text, box.width - ui.px(64));
  const float width = width_of(font, fits);
  const ImVec2 at{std::round(box.x + 0.5f * (box.width - width)), std::round(box.y + 0.5f * box.height)};
  const ImVec2 low{at.x - ui.px(16), at.y - ui.px(8)}, high{at.x + width + ui.px(16), at.y + font->FontSize + ui.px(8)};
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled(low, high, ui.theme->panel, ui.px(corner));
  list->AddRect(low, high, ui.theme->line, ui.px(corner), 0, std::max(1.f, std::floor(ui.scale)));
  write_text(list, font, at, ui.theme->ink, fits);
  ui.ids.widget("waiting", low, high);
}

// Opens the refused data in another way, or sets a parameter and lets the run go on.
void apply(const sim::Remedy& remedy, Session& session, ParameterPanel& parameters) {
  if (remedy.reopens()) return session.open_refused(remedy);
  parameters.set(session, remedy.parameter, remedy.value);
  if (session.runner()) session.runner()->set_running(true);
}

// What GUI tests wait for; numbers of a run only while they stand still.
void report_run(TestIds& ids, Session& session, const WatchedRun& run) {
  const bool running = session.runner()->running();
  ids.state("scene", session.kind().name);
  ids.state("data", session.request().source);
  ids.state("points", std::to_string(run.points(session.data().get())));
  ids.state("opening", session.loading() ? session.loading_name() : "none");
  if (session.data()) ids.state("dimensions", std::to_string(session.data()->dimensions));
  ids.state("running", running ? "yes" : "no");
  if (!running || run.progress.converged) ids.state("iteration", std::to_string(run.progress.iteration));
  ids.state("converged", run.progress.converged ? "yes" : "no");
  if (const auto* normalize = session.made_parameters().find<sim::NormalizeParameter>())
    ids.state("normalize-used", normalize->text());
  for (sim::Parameter* parameter : session.parameters().all())
    ids.state("parameter." + parameter->name(), parameter->text());
}

void report_past(TestIds& ids, Past& past, bool still) {
  const std::optional<long> shown = past.wanted();
  ids.state("shown", shown ? std::to_string(*shown) : "live");
  ids.state("playing", past.playback().playing() ? "yes" : "no");
  if (past.timeline().empty() || !still) return;
  ids.state("kept", std::to_string(past.timeline().size()));
  ids.state("kept.latest", std::to_string(past.timeline().latest().iteration()));
}

}  // namespace

void Workbench::run_panels(const PanelPlaces& layout) {
  gui_.begin_frame();
  ui_.ids.begin_frame();
  commands_.run_pressed(ui_, interactive_ && !ImGui::GetIO().WantTextInput && !opening_.asks() &&
                                 !figure_dialog_.shown() && !palette_.shown());
  draw_panels(layout);
  if (ui_.ids.enabled() && session_.runner()) {
    report_run(ui_.ids, session_, run_);
    report_past(ui_.ids, past_, !session_.runner()->running() || run_.progress.converged);
    notices_.report(ui_.ids);
    history_.report(ui_.ids);
    ui_.ids.state("panels", panels_.shown() ? "shown" : "hidden");
    ui_.ids.state("keys", keys_help_.shown() ? "shown" : "hidden");
    ui_.ids.state("recording", recordings_.running() ? "yes" : "no");
    ui_.ids.state("saving", saving_.saves_result() ? "yes" : "no");
    ui_.ids.state("theme", settings_.light ? "light" : "dark");
  }
  ui_.ids.end_frame();
  gui_.end_frame();
}

void Workbench::draw_panels(const PanelPlaces& layout) {
  const sim::ScopedSpan span(*times_.trace(), "panels", sim::Trace::Track::program);
  ImGui::PushFont(ui_.fonts.text);
  // The picture's window holds the legend and takes the mouse; its content is already drawn.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  begin_panel("picture", layout.picture,
              ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  const PictureArea area{
      ImGui::GetWindowDrawList(), layout.picture.low(), layout.picture.high(), ui_.scale, ui_.theme, ui_.fonts};
  if (session_.runner()) comparison_.interact(contributors_.scene(), ui_, area);
  ImGui::End();
  // A key may have changed what is shown since this frame was laid out.
  if (layout.bottom.height > 0) {
    if (layout.left.width > 0) {
      draw_left(layout);
      draw_right(layout);
    }
    draw_timeline_strip(ui_, layout.timeline, past_, session_);
    draw_bottom(layout);
    draw_splitters(ui_, layout, settings_);
  }
  waits_ = interactive_ && session_.changing() && !session_.rewinding() ? waits_ + ImGui::GetIO().DeltaTime : 0;
  if (!session_.runner() || waits_ > noticeable) draw_waiting(ui_, layout.picture, session_);
  if (const auto remedy = notices_.draw(ui_, layout.picture)) apply(*remedy, session_, parameter_panel_);
  if (keys_help_.shown())
    keys_help_.draw(ui_, commands_, contributors_.figures(), times_.software(), session_.buffers());
  opening_.draw(ui_);
  figure_dialog_.draw(ui_);
  palette_.draw(ui_);
  ImGui::PopFont();
}

// How the file is read has its own place at the foot, where it stays in sight.
void Workbench::draw_left(const PanelPlaces& layout) {
  Box upper = layout.left, foot = layout.left;
  foot.height = session_.runner() ? reading_panel_.height(ui_, session_, layout.left.height) : 0;
  upper.height = std::max(1.f, upper.height - foot.height);
  foot.y = upper.y + upper.height;
  begin_panel("left", upper);
  ui_.ids.widget("panel.left", layout.left.low(), layout.left.high());
  if (session_.runner())
    data_panel_.draw(ui_, session_, settings_, parameter_panel_, contributors_.scene().adds().about,
                     [this](Section::Panel panel) { contributors_.draw_sections(ui_, panel); });
  ImGui::End();
  if (foot.height <= 0) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui_.px(16), ui_.px(4)});
  begin_panel("reading-panel", foot, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  const float thick = std::max(1.f, std::floor(ui_.scale));
  ImGui::GetWindowDrawList()->AddRectFilled(foot.low(), {foot.x + foot.width, foot.y + thick}, ui_.theme->line);
  reading_panel_.draw(ui_, session_);
  ImGui::End();
}

// Parameters, the view's controls, and what was chosen in the picture: each has the whole panel to itself.
void Workbench::draw_right(const PanelPlaces& layout) {
  if (begin_panel("right", layout.right) && session_.runner()) {
    ui_.ids.widget("panel.right", layout.right.low(), layout.right.high());
    const Tab* added = right_tabs_.choose(ui_, contributors_.offered(&Contributions::tabs));
    gap(ui_, 4);
    if (added) {
      added->draw(ui_);
    } else if (right_tabs_.parameters()) {
      contributors_.draw_sections(ui_, Section::Panel::parameters);
      parameter_panel_.draw(ui_, session_);
    } else {
      draw_view_options();
    }
  }
  ImGui::End();
}

void Workbench::draw_view_options() {
  contributors_.draw_sections(ui_, Section::Panel::view);
  std::size_t variant = settings_.light ? 1 : 0;
  if (segments(ui_, "theme", "Theme", "Colours of the window and of pictures", {"Dark", "Light"}, variant))
    settings_.light = variant == 1;
  // The slider must not grow under the mouse.
  double scale = wanted_scale_ > 0 ? wanted_scale_ : settings_.scale;
  const SliderEvent scaled =
      slider(ui_, "scale", "Size of text and controls", "", "How large text, controls and marks are drawn", scale,
             {.low = least_scale, .high = most_scale, .initial = 1}, fmt::format("{:.2f}", scale));
  if (scaled.changed) wanted_scale_ = std::round(20 * scale) / 20;
  if (scaled.finished && wanted_scale_ > 0) settings_.scale = std::exchange(wanted_scale_, 0);
  slider(ui_, "budget", "Compute time per frame", "ms",
         "The longest time that the simulation computes before the window is drawn again", pace_.budget_ms,
         {.low = 1, .high = 30, .whole = true, .initial = 8});
  if (past_.has_timeline()) draw_timeline_memory(ui_, past_.timeline(), settings_.timeline_mb);
  if (interactive_)
    slider(ui_, "kept-memory", "Memory for undo", "MB",
           "The most that runs which others have replaced may take. Those beyond it, the oldest first, are "
           "computed again when you go back to them",
           settings_.kept_mb,
           {.low = least_kept_mb, .high = most_kept_mb, .logarithmic = true, .whole = true, .initial = 1000});
  history_.draw(ui_);
}

void Workbench::draw_bottom(const PanelPlaces& layout) {
  const RunPanelState view{session_.kind(),
                           session_.runner(),
                           run_,
                           times_.recent(),
                           notices_.notice(),
                           recordings_.running(),
                           saving_.saves_result(),
                           Saving::why_no_result(past_, contributors_.scene()),
                           past_.wanted(),
                           contributors_.marks(),
                           contributors_.meaning_of_phase(run_.progress.phase)};
  const auto part = [&](const char* name, const Box& box) {
    return begin_panel(name, box, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse) &&
           session_.runner();
  };
  if (part("run", layout.run)) draw_run_controls(ui_, view, pace_.now, pace_.usual, actions_);
  ImGui::End();
  if (part("curve", layout.curve))
    comparison_.active() ? draw_comparison_curve(ui_, comparison_.shown(), notices_.notice()) : draw_curve(ui_, view);
  ImGui::End();
  if (part("timings", layout.timings)) {
    if (panels_.sides())
      draw_corner(view);
    else if (button(ui_, "unfold", "Panels", "Show the side panels (Tab)", ButtonKind::plain, -1))
      panels_.toggle();
  }
  ImGui::End();
}

// Plots share the corner with the frame times.
void Workbench::draw_corner(const RunPanelState& view) {
  const std::vector<const Tab*> plots = contributors_.offered(&Contributions::plots);
  if (plots.empty()) {
    if (draw_timings(ui_, view)) timings_tab_.open();
    return;
  }
  std::vector<std::string> titles{"Frame times"};
  for (const Tab* plot : plots) titles.push_back(plot->title);
  corner_tab_ = std::min(corner_tab_, plots.size());
  segments(ui_, "corner", "", "", titles, corner_tab_);
  if (corner_tab_ > 0)
    plots[corner_tab_ - 1]->draw(ui_);
  else if (draw_timings(ui_, view, true))
    timings_tab_.open();
}

}  // namespace kinescope::app
