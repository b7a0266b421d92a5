#include "app/panels/timeline_panel.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "app/io/settings.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

std::string counted(long iteration) {
  return sim::with_commas(std::size_t(std::max(0L, iteration)));
}

std::string text_of(const Moment& moment, const std::string& figure) {
  std::string text = "Iteration " + counted(moment.iteration());
  if (moment.progress().levels > 1)
    text += fmt::format("\nLevel {} of {}", moment.progress().level, moment.progress().levels);
  const std::string name = upper_first(moment.progress().figure_name.empty() ? figure : moment.progress().figure_name);
  if (std::isfinite(moment.progress().figure))
    text += fmt::format("\n{}: {}", name, number_text(moment.progress().figure));
  return text;
}

// Maps iterations to x coordinates on the track, and back.
struct Track {
  float left, right;
  double first, last;
  float x(double iteration) const {
    return left + (right - left) * float((iteration - first) / std::max(1.0, last - first));
  }
  double iteration(float at) const {
    const double part = std::clamp(double((at - left) / std::max(1.f, right - left)), 0.0, 1.0);
    return std::round(first + part * (last - first));
  }
};

void draw_track(Ui& ui, const Timeline& timeline, Playback& playback, const std::string& figure, float width) {
  pressable("timeline.slider", {width, ui.px(32)});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  const float inset = ui.px(8), y = std::round(0.5f * (low.y + high.y)), half = ui.px(1.5f);
  const double latest = timeline.empty() ? 1 : double(timeline.latest().iteration());
  const Track track{low.x + inset, high.x - inset, timeline.empty() ? 0 : double(timeline[0].iteration()),
                    timeline.empty() ? 1 : playback.end(timeline)};
  const double pointed = track.iteration(ImGui::GetIO().MousePos.x);
  const Moment* under = timeline.empty() ? nullptr : &timeline[timeline.index_at(long(pointed))];
  if (active && under) playback.show(pointed > latest ? pointed : double(under->iteration()));
  if (const KeyAsk asked = keys_for_last_item(ui, "timeline.slider"); asked.change != 0)
    asked.change < 0 ? playback.back(timeline) : playback.forward(timeline);

  ImDrawList* list = ImGui::GetWindowDrawList();
  const Theme& t = *ui.theme;
  const auto shown = playback.shown(timeline);
  const float x =
      std::round(shown ? track.x(double(timeline[*shown].iteration()) + playback.beyond(timeline)) : track.right);
  list->AddRectFilled({track.left, y - half}, {track.right, y + half}, t.control_hovered, half);
  list->AddRectFilled({track.left, y - half}, {x, y + half}, t.accent, half);
  const float thick = std::max(1.f, std::floor(ui.scale));
  for (const long level : timeline.level_iterations()) {
    const float at = std::round(track.x(double(level)));
    list->AddRectFilled({at, y - ui.px(9)}, {at + thick, y + ui.px(9)}, t.ink_dim);
  }
  const float r = ui.px(hovered || active ? 7 : 6);
  list->AddCircleFilled({x, y}, r + ui.px(2), t.panel, 32);
  list->AddCircleFilled({x, y}, r, hovered || active ? t.accent_hovered : t.accent, 32);
  ui.ids.widget("timeline.slider", {track.left, low.y}, {track.right, high.y});
  if (!under || !hovered) return;
  // Above the strip, where it hides nothing that belongs to it.
  const float along = (ImGui::GetIO().MousePos.x - low.x) / std::max(1.f, high.x - low.x);
  ImGui::SetNextWindowPos({ImGui::GetIO().MousePos.x, low.y - ui.px(8)}, ImGuiCond_Always, {along, 1});
  tell_at_mouse(ui, text_of(*under, figure) + (pointed > latest ? "\nThis run has ended; the others continue" : ""));
}

std::string speed_text(double speed) {
  return fmt::format("{}×", speed);
}

void draw_speed(Ui& ui, Playback& playback, float width) {
  if (button(ui, "timeline.speed", speed_text(playback.speed).c_str(), "How fast the timeline plays", ButtonKind::plain,
             width))
    ImGui::OpenPopup("timeline.speeds");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(4), ui.px(4)});
  if (ImGui::BeginPopup("timeline.speeds")) {
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
      const std::string id = fmt::format("timeline.speed.{}", speed);
      if (!list_row(ui, id.c_str(), speed_text(speed), "", speed == playback.speed)) continue;
      playback.speed = speed;
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

// Draws the button that takes the run back to the moment shown, or, while the run is going back, one that cancels that.
void draw_rewind(Ui& ui, const Moment* shown, Session& session, float width) {
  if (session.rewinding()) {
    if (button(ui, "timeline.cancel", "Cancel", "Cancel the rewind; the run stays as it is (Esc)", ButtonKind::plain,
               width))
      session.cancel();
  } else if (button(ui, "timeline.rewind", "Rewind",
                    "Take the run back to this moment and continue from there, with other parameters if you like. All "
                    "later moments are lost.",
                    ButtonKind::plain, width, shown != nullptr && !session.loading())) {
    session.rewind(shown->progress(), shown->events);
  }
}

std::string where_text(const Moment* shown, const Session& session) {
  if (session.rewinding()) return fmt::format("going back, {:.0f} %", 100 * session.loading_fraction());
  return shown ? "iteration " + counted(shown->iteration()) : "";
}

}  // namespace

void draw_timeline(Ui& ui, const Timeline& timeline, Playback& playback, Session& session) {
  const float space = ui.px(8), icon = ui.px(32), speed = ui.px(56), least = ui.px(120);
  const auto index = playback.shown(timeline);
  const Moment* shown = index ? &timeline[*index] : nullptr;
  const std::string where = where_text(shown, session);
  const float where_width = width_of(ui.fonts.caption, "iteration 000,000") + space;
  const float live = width_of(ui.fonts.text, "Live") + ui.px(24);
  const float rewind = std::max(width_of(ui.fonts.text, "Rewind"), width_of(ui.fonts.text, "Cancel")) + ui.px(24);
  float track = ImGui::GetContentRegionAvail().x - 3 * (icon + space) - live - space;
  const bool has_rewind = track >= least + rewind + space;
  if (has_rewind) track -= rewind + space;
  const bool has_speed = track >= least + icon + speed + 2 * space;
  if (has_speed) track -= icon + speed + 2 * space;
  const bool tells_where = track >= least + where_width;
  if (tells_where) track -= where_width;

  if (icon_button(ui, "timeline.back", Icon::back, "Back by one kept moment ([)")) playback.back(timeline);
  ImGui::SameLine(0, space);
  if (icon_button(ui, "timeline.play", playback.playing() ? Icon::pause : Icon::play,
                  playback.playing() ? "Pause the timeline (P)" : "Play the timeline (P)"))
    playback.toggle(timeline);
  ImGui::SameLine(0, space);
  if (icon_button(ui, "timeline.forward", Icon::step, "Forward by one kept moment (])")) playback.forward(timeline);
  ImGui::SameLine(0, space);
  draw_track(ui, timeline, playback, session.kind().figure_name, std::max(1.f, track));
  if (tells_where) {
    ImGui::SameLine(0, space);
    ImGui::Dummy({where_width - space, icon});
    const ImVec2 at = ImGui::GetItemRectMin();
    ImFont* font = ui.fonts.caption;
    put_text(ImGui::GetWindowDrawList(), font, {at.x, std::round(at.y + 0.5f * (icon - font->FontSize))},
             ui.theme->ink_dim, where);
  }
  if (has_speed) {
    ImGui::SameLine(0, space);
    if (icon_button(ui, "timeline.loop", Icon::loop, "At the end, play from the start again",
                    playback.loop ? ButtonKind::primary : ButtonKind::plain))
      playback.loop = !playback.loop;
    ImGui::SameLine(0, space);
    draw_speed(ui, playback, speed);
  }
  if (has_rewind) {
    ImGui::SameLine(0, space);
    draw_rewind(ui, shown, session, rewind);
  }
  ImGui::SameLine(0, space);
  if (button(ui, "timeline.live", "Live", "Show the run as it is now (L)",
             playback.live() ? ButtonKind::primary : ButtonKind::plain))
    playback.go_live();
}

void draw_timeline_memory(Ui& ui, const Timeline& timeline, double& megabytes) {
  slider(ui, "timeline-memory", "Timeline memory", "MB",
         "The most memory that kept moments may take. When it is full, every second moment is dropped.", megabytes,
         {.low = least_timeline_mb, .high = most_timeline_mb, .logarithmic = true, .whole = true, .initial = 256},
         fmt::format("{:.0f} of {:.0f}", std::ceil(1e-6 * double(timeline.bytes())), megabytes));
}

}  // namespace kinescope::app
