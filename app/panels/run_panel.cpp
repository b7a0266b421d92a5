#include "app/panels/run_panel.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double slowest = 1, fastest = 10'000, beyond = 13'000;  // the slider's end stands for "as fast as possible"

}  // namespace

std::string progress_text(const sim::Progress& progress, bool paused, int cut) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (paused && !progress.converged) add("Paused");
  if (progress.levels > 1 && cut < 2) add(fmt::format("Level {} of {}", progress.level, progress.levels));
  if (progress.converged)
    add("Done");
  else if (!progress.phase.empty() && cut < 2 && !(paused && progress.phase == "running"))
    add(upper_first(progress.phase));
  if (progress.points > 0 && cut == 0) add(sim::count_of(std::size_t(progress.points), "point"));
  add((text.empty() ? "Iteration " : "iteration ") + sim::with_commas(std::size_t(std::max(0L, progress.iteration))));
  if (!progress.note.empty() && cut == 0) add(progress.note);
  return text;
}

void draw_run_controls(Ui& ui, const RunPanelState& view, double& pace, double default_pace, RunActions& actions) {
  const bool running = view.runner && view.runner->running() && !view.run.progress.converged;
  const float room = ImGui::GetContentRegionAvail().x;
  actions.toggle_running |= icon_button(ui, "run", running ? Icon::pause : Icon::play,
                                        running ? "Pause (space)" : "Run (space)", ButtonKind::primary);
  ImGui::SameLine();
  actions.step |= icon_button(ui, "step", Icon::step, "One iteration (.)");
  ImGui::SameLine();
  actions.restart |= icon_button(ui, "restart", Icon::restart, "Restart (R)");
  ImGui::SameLine(0, std::clamp(room - ui.px(6 * 32 + 4 * 8), ui.px(8), ui.px(24)));
  actions.frame_all |= icon_button(ui, "frame-all", Icon::frame_all, "Show the whole picture (F)");
  ImGui::SameLine();
  actions.save_picture |=
      icon_button(ui, "save-picture", Icon::camera, "Save the picture as PNG (F12; four times as large: Shift-F12)");
  ImGui::SameLine();
  actions.record |= icon_button(ui, "record", view.recording ? Icon::stop : Icon::record,
                                view.recording ? "End the recording (F9)" : "Record the picture as a video (F9)",
                                view.recording ? ButtonKind::primary : ButtonKind::plain);

  double value = std::isinf(pace) ? beyond : pace;
  const bool full = value > fastest;
  const std::string text = full ? "as fast as possible" : number_text(value, 3);
  if (slider(ui, "pace", "Pace", full ? "" : "iterations/s",
             "Iterations per second; at the right end: as fast as possible", value,
             {.low = slowest, .high = beyond, .logarithmic = true, .whole = true, .initial = default_pace}, text)
          .changed)
    pace = value > fastest ? unlimited_pace : value;
  gap(ui, -4);
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ui.px(8));
  actions.save_result |= button(ui, "save-result", view.saving ? "Saving …" : "Save result",
                                !view.no_result.empty() ? view.no_result.c_str()
                                : view.shown ? "Save the result at the moment shown, as a file next to the data"
                                             : "Save the result as a file next to the data",
                                ButtonKind::plain, half, view.runner && !view.saving && view.no_result.empty());
  ImGui::SameLine(0, ui.px(8));
  actions.save_session |=
      button(ui, "save-session", "Save session",
             "Save data, parameters, camera and colours as a session that can be opened again (Ctrl-S)",
             ButtonKind::plain, half);
}

bool draw_timings(Ui& ui, const RunPanelState& view, bool brief) {
  struct Row {
    const char* name;
    double FrameTiming::*part;
    const char* help;
  };
  const Row rows[] = {
      {"Window", &FrameTiming::cpu_ms, "The time that the window takes: events, panels, upload"},
      {"Panels", &FrameTiming::panels_ms, "The part of the window's time that draws the panels"},
      {"Graphics", &FrameTiming::gpu_ms, "The time to draw the picture, on the GPU or by software"},
      {"Simulation", &FrameTiming::sim_ms, "The time that the simulation computed since the last frame"}};
  ImFont* font = ui.fonts.caption;
  const float width = ImGui::GetContentRegionAvail().x, column = std::min(ui.px(56), width / 5);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto right = [&](int index, float y, ImU32 colour, const std::string& text) {
    const float x = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMin().x + width - column * float(2 - index);
    put_text(list, font, {std::round(x - width_of(font, text)), y}, colour, text);
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::Dummy({width, ui.px(24)});
  const ImVec2 head = ImGui::GetItemRectMin(), end{head.x + width, head.y + ui.px(24 + 20 * (brief ? 4 : 5))};
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(head, end);
  const auto link = [&](ImVec2 at) {
    put_text(list, font, at, hovered ? ui.theme->accent_hovered : ui.theme->accent, "Each frame …");
  };
  if (brief)
    link({head.x, head.y + ui.px(4)});
  else
    put_text(list, ui.fonts.strong, {head.x, head.y + ui.px(2)}, ui.theme->ink, "Frame times");
  const char* const names[] = {"p50 ms", "p95", "p99"};
  for (int i = 0; i < 3; ++i) right(i, head.y + ui.px(4), ui.theme->ink_dim, names[i]);
  for (const Row& row : rows) {
    ImGui::Dummy({width, ui.px(20)});
    const ImVec2 at = ImGui::GetItemRectMin();
    help_for_last_item(ui, row.help);
    put_text(list, font, {at.x, at.y + ui.px(3)}, ui.theme->ink_dim, row.name);
    const Percentiles p = view.timings.of(row.part);
    const double values[] = {p.p50, p.p95, p.p99};
    for (int i = 0; i < 3; ++i) right(i, at.y + ui.px(3), ui.theme->ink, fmt::format("{:.1f}", values[i]));
  }
  if (!brief) {
    ImGui::Dummy({width, ui.px(20)});
    const ImVec2 foot = ImGui::GetItemRectMin();
    link({foot.x, foot.y + ui.px(5)});
  }
  ImGui::PopStyleVar();
  button_over(ui, "frame-times", head, end);
  return ImGui::IsItemClicked() || keys_for_last_item(ui, "frame-times").press;
}

}  // namespace kinescope::app
