// The slider: label and value in a line, a thin track below. On a logarithmic range from zero, a position on the track
// is proportional to log(1 + x).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/core.h>
#include <utility>

#include "app/ui/widgets.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

double to_part(double value, const SliderRange& r) {
  if (!r.logarithmic) return (value - r.low) / (r.high - r.low);
  if (r.low > 0) return std::log(value / r.low) / std::log(r.high / r.low);
  return std::log1p(value - r.low) / std::log1p(r.high - r.low);
}

double to_value(double part, const SliderRange& r) {
  part = std::clamp(part, 0.0, 1.0);
  double value = 0;
  if (!r.logarithmic)
    value = r.low + part * (r.high - r.low);
  else if (r.low > 0)
    value = r.low * std::pow(r.high / r.low, part);
  else
    value = r.low + std::expm1(part * std::log1p(r.high - r.low));
  if (r.whole) return std::clamp(std::round(value), r.low, r.high);
  // A drag sets only meaningful digits: three significant ones, or about a thousandth of a linear range.
  const double grain = r.logarithmic ? std::pow(10.0, std::floor(std::log10(std::max(1e-300, std::abs(value)))) - 2)
                                     : std::pow(10.0, std::floor(std::log10((r.high - r.low) / 500)));
  // A whole number divided by a power of ten prints without spurious digits; a product with `grain`, such as 3 · 0.1,
  // may not.
  return std::clamp(grain < 1 ? std::round(value / grain) / std::round(1 / grain) : std::round(value / grain) * grain,
                    r.low, r.high);
}

std::string value_text(double value, const SliderRange& range) {
  if (!range.whole) return number_text(value, 3);
  return fmt::format("{}{}", value < 0 ? "-" : "", sim::with_commas(std::size_t(std::abs(std::round(value)))));
}

void type_at(Typing& typing, ImGuiID id, double value) {
  typing = {id, "", true};
  fmt::format("{}", value).copy(typing.text, sizeof typing.text - 1);
}

// A text field replaces the slider until Enter, Escape or a click elsewhere. What was entered is in the returned event.
SliderEvent type_value(Ui& ui, ImVec2 low, ImVec2 size, double& value, const SliderRange& range) {
  Typing& typing = ui.typing;
  ImGui::SetCursorScreenPos(low);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), 0.5f * (size.y - ui.fonts.text->FontSize)});
  ImGui::SetNextItemWidth(size.x);
  if (std::exchange(typing.fresh, false)) type_into("##typed");
  const bool entered = ImGui::InputText("##typed", typing.text, sizeof typing.text,
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool left = ImGui::IsItemDeactivated();
  ImGui::PopStyleVar();
  if (!entered && !left) return {};
  typing.id = 0;
  if (!entered) return {};
  double typed = 0;
  const char* end = typing.text + std::strlen(typing.text);
  const auto [at, error] = std::from_chars(typing.text, end, typed);
  if (error != std::errc() || at != end || std::isnan(typed)) return {.refused = typing.text};
  const bool beyond = range.least < range.most;
  value = std::clamp(range.whole ? std::round(typed) : typed, beyond ? range.least : range.low,
                     beyond ? range.most : range.high);
  return {.finished = true};
}

void draw_slider(Ui& ui, const char* label, const char* unit, const std::string& shown, double part, bool near,
                 const char* id, ImVec2 low, ImVec2 high) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Theme& t = *ui.theme;
  ImFont *text = ui.fonts.text, *small = ui.fonts.caption;
  const float unit_width = *unit ? width_of(small, unit) + ui.px(4) : 0;
  const float value_left = high.x - unit_width - width_of(text, shown);
  const float top = low.y + ui.px(1);
  const std::string name = shortened(text, label, value_left - low.x - ui.px(8));
  if (name != label) ui.ids.cut(id);
  put_text(list, text, {low.x, top}, t.ink, name);
  put_text(list, text, {std::round(value_left), top}, t.ink, shown);
  if (*unit) put_text(list, small, {std::round(high.x - unit_width) + ui.px(4), top + ui.px(1.5f)}, t.ink_dim, unit);

  const float y = high.y - ui.px(8), r = ui.px(near ? 7 : 6), half = ui.px(1.5f);
  const float left = low.x + ui.px(6), right = high.x - ui.px(6);
  const float x = left + float(std::clamp(part, 0.0, 1.0)) * (right - left);
  list->AddRectFilled({low.x, y - half}, {high.x, y + half}, t.control_hovered, half);
  list->AddRectFilled({low.x, y - half}, {x, y + half}, t.accent, half);
  list->AddCircleFilled({x, y}, r + ui.px(2), t.panel, 32);
  list->AddCircleFilled({x, y}, r, near ? t.accent_hovered : t.accent, 32);
}

}  // namespace

SliderEvent slider(Ui& ui, const char* id, const char* label, const char* unit, const char* help, double& value,
                   const SliderRange& range, const std::string& text) {
  Typing& typing = ui.typing;
  SliderEvent event;
  const double before = value;
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ui.px(40)};
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  ImGui::PushID(id);
  const ImGuiID own = ImGui::GetID("typing");
  if (typing.id == own) {
    event = type_value(ui, low, {size.x, ui.px(32)}, value, range);
    ImGui::SetCursorScreenPos(low);
    ImGui::Dummy(size);
  } else {
    pressable("slider", size);
    const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemActivated() && ImGui::GetIO().KeyCtrl) {
      type_at(typing, own, value);
    } else if (hovered && ImGui::IsMouseDoubleClicked(0)) {
      value = range.initial;
      event.finished = true;
    } else if (active && (ImGui::IsMouseDragging(0, 2) || !ImGui::IsMouseDoubleClicked(0))) {
      const float inset = ui.px(6);
      const bool moved = ImGui::IsMouseDragging(0, 2) || ImGui::GetIO().MousePos.y > low.y + ui.px(20);
      if (moved) value = to_value((ImGui::GetIO().MousePos.x - low.x - inset) / (size.x - 2 * inset), range);
    }
    if (ImGui::IsItemDeactivated() && typing.id != own) event.finished = true;
    if (const KeyAsk asked = keys_for_last_item(ui, id); asked.change != 0) {
      value = to_value(to_part(value, range) + 0.02 * asked.change, range);
      if (range.whole && value == before) value = std::clamp(before + asked.change, range.low, range.high);
      event.finished = true;
    } else if (asked.press) {
      type_at(typing, own, value);
    }
    draw_slider(ui, label, unit, text.empty() ? value_text(value, range) : text, to_part(value, range),
                hovered || active, id, low, high);
    ui.ids.widget(id, {low.x + ui.px(6), high.y - ui.px(16)}, {high.x - ui.px(6), high.y});
    help_for_last_item(ui, help);
  }
  ImGui::PopID();
  event.changed = value != before;
  return event;
}

}  // namespace kinescope::app
