// The workbench's panels: where each is drawn, and the banner for errors.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "app/view/workbench.hpp"

namespace kinescope::app {
namespace {

bool begin_panel(const char* name, const Box& box, ImGuiWindowFlags more = 0) {
  return begin_fixed(name, box, ImGuiWindowFlags_NoBringToFrontOnFocus | more);
}

}  // namespace

// Hides or shows the panels. If only the side panels are hidden, as at first in a narrow window, it shows these.
void Workbench::toggle_panels() {
  if (panels_shown_ && !sides_shown_) {
    sides_shown_ = true;
  } else {
    panels_shown_ = !panels_shown_;
    sides_shown_ = !narrow_;
  }
}

void Workbench::draw_panels(const Layout& layout) {
  const sim::ScopedSpan span(*trace_file_.trace(), "panels", sim::Trace::Track::program);
  ImGui::PushFont(ui_.fonts.text);
  // The picture's window holds the legend and takes the mouse; its content is already drawn.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  begin_panel("picture", layout.picture,
              ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  const PictureArea area{
      ImGui::GetWindowDrawList(), layout.picture.low(), layout.picture.high(), ui_.scale, ui_.theme, ui_.fonts};
  if (session_.runner()) comparison_.interact(*scene_, ui_, area);
  ImGui::End();
  // A key may have changed what is shown since this frame was laid out.
  if (layout.bottom.height > 0) {
    if (layout.left.width > 0) {
      draw_left(layout);
      draw_right(layout);
    }
    draw_timeline_strip(layout);
    draw_bottom(layout);
    draw_splitters(layout);
  }
  if (!session_.runner()) draw_waiting(layout);
  if (!banner_.empty())
    draw_banner({layout.picture.x, layout.picture.y - ui_.px(48), layout.picture.width, ui_.px(48)});
  if (keys_shown_) draw_keys();
  file_dialog_.draw(ui_, ImGui::GetIO().DisplaySize);
  ImGui::PopFont();
}

// How the file is read has its own place at the foot, where it stays in sight.
void Workbench::draw_left(const Layout& layout) {
  Box upper = layout.left, foot = layout.left;
  foot.height = session_.runner() ? reading_panel_.height(ui_, session_, layout.left.height) : 0;
  upper.height = std::max(1.f, upper.height - foot.height);
  foot.y = upper.y + upper.height;
  begin_panel("left", upper);
  ui_.ids.widget("panel.left", layout.left.low(), layout.left.high());
  if (session_.runner())
    data_panel_.draw(ui_, session_, settings_, parameter_panel_, scene_->adds().about,
                     [this] { draw_sections(Section::Place::data); });
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
void Workbench::draw_right(const Layout& layout) {
  if (begin_panel("right", layout.right) && session_.runner()) {
    ui_.ids.widget("panel.right", layout.right.low(), layout.right.high());
    std::vector<std::string> titles{"Parameters", "View"};
    const std::vector<const Tab*> tabs = offered(&Contributions::tabs);
    for (const Tab* tab : tabs) {
      titles.push_back(tab->title);
      const long calls = tab->calls ? tab->calls() : 0;
      if (std::exchange(calls_[tab->title], calls) != calls) tab_ = titles.size() - 1;
    }
    if (tab_ >= titles.size()) tab_ = 0;
    segments(ui_, "tab", "", "", titles, tab_);
    const Tab* own = tab_ < 2 ? nullptr : tabs[tab_ - 2];
    tab_width_ = own ? own->width : 0;
    gap(ui_, 4);
    if (own) {
      own->draw(ui_);
    } else if (tab_ == 0) {
      draw_sections(Section::Place::parameters);
      draw_comparison();
      parameter_panel_.draw(ui_, session_);
    } else {
      draw_view_options();
    }
  }
  ImGui::End();
}

// Simulations with a single algorithm offer no comparison.
void Workbench::draw_comparison() {
  const sim::ChoiceParameter* algorithms = session_.made_parameters().compared();
  std::vector<std::string> chosen = comparison_.chosen();
  if (algorithms && draw_comparison_choice(ui_, *algorithms, chosen, comparing_)) comparison_.choose(std::move(chosen));
}

void Workbench::draw_sections(Section::Place place) {
  each_contribution([&](const Contributions& adds) {
    for (const Section& section : adds.sections)
      if (section.place == place) section.draw(ui_);
  });
}

void Workbench::draw_view_options() {
  draw_sections(Section::Place::view);
  std::size_t variant = settings_.light ? 1 : 0;
  if (segments(ui_, "theme", "Theme", "Colours of the window and of pictures", {"Dark", "Light"}, variant))
    settings_.light = variant == 1;
  slider(ui_, "budget", "Compute time per frame", "ms",
         "The longest time that the simulation computes before the window is drawn again", budget_ms_,
         {.low = 1, .high = 30, .whole = true, .initial = 8});
  if (past_.has_timeline()) draw_timeline_memory(ui_, past_.timeline(), settings_.timeline_mb);
}

void Workbench::draw_timeline_strip(const Layout& layout) {
  if (layout.timeline.height <= 0) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui_.px(8), ui_.px(4)});
  begin_panel("timeline", layout.timeline, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (session_.runner()) draw_timeline(ui_, past_.timeline(), past_.playback(), session_);
  ImGui::End();
}

void Workbench::draw_bottom(const Layout& layout) {
  const RunPanelState view{session_.kind(), session_.runner(), run_,           timings_, notice_, recording_ != nullptr,
                           saving_,         why_no_result(),   past_.wanted(), marks()};
  const auto part = [&](const char* name, const Box& box) {
    return begin_panel(name, box, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse) &&
           session_.runner();
  };
  if (part("run", layout.run)) draw_run_controls(ui_, view, pace_, default_pace_, actions_);
  ImGui::End();
  if (part("curve", layout.curve))
    comparison_.active() ? draw_comparison_curve(ui_, comparison_.shown(), notice_) : draw_curve(ui_, view);
  ImGui::End();
  if (part("timings", layout.timings)) {
    if (sides_shown_)
      draw_corner(view);
    else if (button(ui_, "unfold", "Panels", "Show the side panels (Tab)", ButtonKind::plain, -1))
      toggle_panels();
  }
  ImGui::End();
}

// The scene's plot, if it has one, shares the corner with the frame times.
void Workbench::draw_corner(const RunPanelState& view) {
  const std::vector<const Tab*> plots = offered(&Contributions::plots);
  if (plots.empty()) return draw_timings(ui_, view);
  std::vector<std::string> titles{"Frame times"};
  for (const Tab* plot : plots) titles.push_back(plot->title);
  corner_tab_ = std::min(corner_tab_, plots.size());
  segments(ui_, "corner", "", "", titles, corner_tab_);
  if (corner_tab_ > 0)
    plots[corner_tab_ - 1]->draw(ui_);
  else
    draw_timings(ui_, view, true);
}

// The edges between panels and picture can be dragged.
void Workbench::draw_splitters(const Layout& layout) {
  const float grip = ui_.px(8);
  const auto edge = [&](const char* id, const Box& box, bool vertical, float& width, float sign, float low,
                        float high) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    begin_fixed(id, box, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
    pressable(id, {box.width, box.height});
    const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    if (active || hovered) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const ImGuiIO& io = ImGui::GetIO();
    if (active)
      width = std::clamp(width + sign * (vertical ? io.MouseDelta.x : io.MouseDelta.y) / ui_.scale, low, high);
    const ImU32 colour = active || hovered ? ui_.theme->accent : ui_.theme->line;
    const float thick = std::max(1.f, std::floor(ui_.scale));
    const ImVec2 middle{std::floor(box.x + 0.5f * box.width), std::floor(box.y + 0.5f * box.height)}, end = box.high();
    const ImVec2 from = vertical ? ImVec2{middle.x, box.y} : ImVec2{box.x, middle.y};
    const ImVec2 to = vertical ? ImVec2{middle.x + thick, end.y} : ImVec2{end.x, middle.y + thick};
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, colour);
    ui_.ids.last_item(id);
    ImGui::End();
  };
  const float picture_bottom = layout.bottom.y;
  if (layout.left.width > 0) {
    edge("split-left", {layout.left.width - grip / 2, 0, grip, picture_bottom}, true, settings_.left_width, 1,
         least_left_width, most_side_width);
    edge("split-right", {layout.right.x - grip / 2, 0, grip, picture_bottom}, true, settings_.right_width, -1,
         least_right_width, most_side_width);
  }
  edge("split-bottom", {0, picture_bottom - grip / 2, layout.bottom.width, grip}, false, settings_.bottom_height, -1,
       least_bottom_height, most_bottom_height);
}

void Workbench::draw_banner(const Box& box) {
  begin_fixed("banner", box, ImGuiWindowFlags_NoScrollbar);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = offers_reload_ ? ui_.theme->accent : ui_.theme->warning;
  list->AddRectFilled(box.low(), {box.x + ui_.px(4), box.y + box.height}, colour);
  struct Offer {
    std::string text;
    const char* help;
    float width;
  };
  std::vector<Offer> offers;
  float offers_width = 0;
  const auto offer = [&](const std::string& text, const char* help) {
    offers.push_back({text, help, width_of(ui_.fonts.text, text) + ui_.px(32)});
    offers_width += offers.back().width + ui_.px(8);
  };
  if (offers_reload_) offer("Reload", "Read the file again (F5); the view and all choices stay");
  for (const sim::Remedy& each : remedies_)
    offer(each.text.empty() ? "Use " + each.parameter + " = " + each.value : each.text,
          !each.columns.empty() ? "Open the data without this column"
          : each.reopens()      ? "Open the file again, read in this way"
                                : "Set the parameter to this value and continue");
  const float text_width = box.width - ui_.px(16 + 8 + 32 + 16) - offers_width;
  // The text is set in one line, else in two lines of a smaller font, else it is shortened.
  ImFont* font = ui_.fonts.text;
  const auto height_of = [&](float wrap) { return font->CalcTextSizeA(font->FontSize, 1e9f, wrap, banner_.c_str()).y; };
  float wrap = 0;
  std::string fits = shortened(font, banner_, text_width);
  if (fits != banner_) {
    font = ui_.fonts.caption;
    if (height_of(text_width) <= 2.5f * font->FontSize)
      fits = banner_, wrap = text_width;
    else
      fits = shortened(font, banner_, text_width);
  }
  const float height = wrap > 0 ? height_of(wrap) : font->FontSize;
  list->AddText(font, font->FontSize, {box.x + ui_.px(16), box.y + std::round(0.5f * (box.height - height))}, colour,
                fits.c_str(), nullptr, wrap);
  ImGui::SetCursorScreenPos(box.low());
  ImGui::Dummy({text_width, box.height});
  if (fits != banner_) help_for_last_item(ui_, banner_.c_str());
  ui_.ids.widget("banner", box.low(), box.high());
  ImGui::SetCursorScreenPos({box.x + box.width - ui_.px(40), box.y + ui_.px(8)});
  if (icon_button(ui_, "dismiss", Icon::close, "Dismiss (Esc)")) dismiss();
  std::optional<std::size_t> chosen;
  float left = box.x + box.width - ui_.px(40) - offers_width;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const std::string id = i == 0 ? "remedy" : fmt::format("remedy.{}", i + 1);
    ImGui::SetCursorScreenPos({left, box.y + ui_.px(8)});
    left += offers[i].width + ui_.px(8);
    if (button(ui_, id.c_str(), offers[i].text.c_str(), offers[i].help,
               i == 0 ? ButtonKind::primary : ButtonKind::plain, offers[i].width))
      chosen = i;
  }
  if (chosen) {
    const bool again = offers_reload_;
    const std::vector<sim::Remedy> remedies = remedies_;
    dismiss();
    again ? reload() : apply(remedies[*chosen]);
  }
  ImGui::End();
}

void Workbench::draw_waiting(const Layout& layout) {
  const Box& b = layout.picture;
  const std::string text =
      "Opening " + session_.loading_name() + fmt::format(" · {:.0f} %", 100 * session_.loading_fraction());
  ImDrawList* list = ImGui::GetForegroundDrawList();
  ImFont* font = ui_.fonts.text;
  const std::string fits = shortened(font, text, b.width - ui_.px(32));
  const float width = width_of(font, fits);
  write_text(list, font, {b.x + 0.5f * (b.width - width), b.y + 0.5f * b.height}, ui_.theme->ink_dim, fits);
}

// Reports what GUI tests wait for.
void Workbench::report_states() {
  if (!ui_.ids.enabled() || !session_.runner()) return;
  ui_.ids.state("scene", session_.kind().name);
  ui_.ids.state("data", session_.request().source);
  ui_.ids.state("points", std::to_string(points()));
  ui_.ids.state("opening", session_.loading() ? session_.loading_name() : "none");
  if (session_.data()) ui_.ids.state("dimensions", std::to_string(session_.data()->dimensions));
  ui_.ids.state("running", session_.runner()->running() ? "yes" : "no");
  if (!session_.runner()->running() || run_.progress.converged)
    ui_.ids.state("iteration", std::to_string(run_.progress.iteration));
  ui_.ids.state("converged", run_.progress.converged ? "yes" : "no");
  ui_.ids.state("panels", panels_shown_ ? "shown" : "hidden");
  ui_.ids.state("keys", keys_shown_ ? "shown" : "hidden");
  const std::optional<long> shown = past_.wanted();
  ui_.ids.state("shown", shown ? std::to_string(*shown) : "live");
  ui_.ids.state("playing", past_.playback().playing() ? "yes" : "no");
  if (!past_.timeline().empty() && (!session_.runner()->running() || run_.progress.converged)) {
    ui_.ids.state("kept", std::to_string(past_.timeline().size()));
    ui_.ids.state("kept.latest", std::to_string(past_.timeline().latest().iteration()));
  }
  ui_.ids.state("recording", recording_ ? "yes" : "no");
  ui_.ids.state("saving", saving_ ? "yes" : "no");
  ui_.ids.state("theme", settings_.light ? "light" : "dark");
  ui_.ids.state("banner", banner_.empty() ? "none" : banner_);
  ui_.ids.state("notice", notice_.empty() ? "none" : notice_);
  if (const auto* normalize = session_.made_parameters().find<sim::NormalizeParameter>())
    ui_.ids.state("normalize-used", normalize->text());
  for (sim::Parameter* parameter : session_.parameters().all())
    ui_.ids.state("parameter." + parameter->name(), parameter->text());
}

}  // namespace kinescope::app
