#include "app/features/table/differences_list.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <imgui.h>
#include <string>

#include "app/io/output.hpp"
#include "app/scenes/legend.hpp"
#include "sim/data/readers/csv/dates.hpp"

namespace kinescope::app {
namespace {

constexpr float difference_height = 56;  // design pixels

std::string share_text(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string number_in_difference(const Difference& one, double number) {
  return one.of_dates ? sim::date_text(number) : number_text(number);
}

std::string effect_text(const Difference& one) {
  if (one.of_texts) return fmt::format("{:.2f}", one.effect);
  const std::string text = fmt::format("{:+.2f}", one.effect);
  return text == "-0.00" || text == "+0.00" ? "0.00" : one.effect < 0 ? "−" + text.substr(1) : text;
}

std::string what_differs(const Difference& one) {
  if (!one.of_texts)
    return fmt::format("{}{}, rest {}", one.of_dates ? "" : "median ", number_in_difference(one, one.selected_median),
                       number_in_difference(one, one.rest_median));
  return fmt::format("{} {}, rest {}", printable(one.category, 60), share_text(one.selected_share),
                     share_text(one.rest_share));
}

std::string help_of_difference(const Difference& one) {
  if (!one.of_texts)
    return fmt::format(
        "{}: {}\nCliff's delta {}: of all pairs of a selected row and another, the selected one has the larger number "
        "in {} (equal numbers count half). The bars are the selected rows, the line is the rest, from {} to {}.",
        one.column, what_differs(one), effect_text(one), share_text(0.5 + 0.5 * one.effect),
        number_in_difference(one, one.low), number_in_difference(one, one.high));
  std::string help = fmt::format(
      "{}: {}\nCramér's V {}: 0 if the selected rows have each category as often as the rest, 1 if they have "
      "no category in common.",
      one.column, what_differs(one), effect_text(one));
  for (std::size_t i = 0; i < std::min<std::size_t>(one.bar_names.size(), 8); ++i)
    help += fmt::format("\n{}: {}, rest {}", printable(one.bar_names[i], 60), share_text(double(one.selected_bars[i])),
                        share_text(double(one.rest_bars[i])));
  return help;
}

// The selection as bars, the rest as a line over them.
void draw_difference_bars(Ui& ui, const Difference& one, ImVec2 low, ImVec2 high) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Theme& t = *ui.theme;
  const float thick = std::max(1.f, std::floor(ui.scale));
  float most = 0;
  for (const auto* bars : {&one.selected_bars, &one.rest_bars}) most = std::max(most, std::ranges::max(*bars));
  const auto count = one.selected_bars.size();
  const float each = (high.x - low.x) / std::max(one.of_texts ? 6.f : 1.f, float(count));
  const float between = one.of_texts ? 2 * thick : 0;
  float before = high.y;
  for (std::size_t i = 0; i < count; ++i) {
    const float left = std::round(low.x + each * float(i)), right = std::round(low.x + each * float(i + 1)) - between;
    const auto top = [&](float share) { return std::round(high.y - (high.y - low.y) * share / most); };
    const float own = top(one.selected_bars[i]), rest = top(one.rest_bars[i]);
    if (one.selected_bars[i] > 0)
      list->AddRectFilled({left, std::min(own, high.y - thick)}, {right, high.y}, with_alpha(t.accent, 150));
    list->AddRectFilled({left, rest - thick}, {right, rest}, t.ink);
    if (!one.of_texts && i > 0)
      list->AddRectFilled({left, std::min(before, rest) - thick}, {left + thick, std::max(before, rest)}, t.ink);
    before = rest;
  }
  list->AddRectFilled({low.x, high.y}, {high.x, high.y + thick}, t.line);
}

void draw_difference(Ui& ui, const Difference& one) {
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(difference_height);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  ui.ids.last_item(("difference." + one.column).c_str());
  help_for_last_item(ui, help_of_difference(one).c_str());
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float plot = std::round(std::clamp(0.4f * width, ui.px(72), ui.px(180)));
  const float right = low.x + width - ui.px(4), middle = right - plot - ui.px(12);
  const std::string effect = effect_text(one);
  const float effect_left = middle - width_of(ui.fonts.text, effect);
  write_text(list, ui.fonts.text, {effect_left, low.y + ui.px(8)}, ui.theme->ink, effect);
  write_text(list, ui.fonts.text, {low.x, low.y + ui.px(8)}, ui.theme->ink,
             shortened(ui.fonts.text, one.column, effect_left - low.x - ui.px(8)));
  write_text(list, ui.fonts.caption, {low.x, low.y + ui.px(30)}, ui.theme->ink_dim,
             shortened(ui.fonts.caption, what_differs(one), middle - low.x));
  draw_difference_bars(ui, one, {right - plot, low.y + ui.px(8)}, {right, low.y + height - ui.px(8)});
}

}  // namespace

void draw_differences(Ui& ui, const std::vector<Difference>& all) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  ImGui::BeginChild("differences");
  ImGuiListClipper clipper;
  clipper.Begin(int(all.size()), ui.px(difference_height));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_difference(ui, all[std::size_t(i)]);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace kinescope::app
