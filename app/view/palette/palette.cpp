#include "app/view/palette/palette.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/dialog.hpp"

namespace kinescope::app {
namespace {

constexpr float palette_width = 640, palette_height = 480, palette_row = 28;  // design pixels
constexpr long rows_of_a_page = 12;

void draw_palette_row(Ui& ui, const PaletteEntry& entry, ImVec2 low, ImVec2 high) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont *text = ui.fonts.text, *small = ui.fonts.caption;
  const float middle = 0.5f * (low.y + high.y), right = high.x - ui.px(8);
  const float key_left = right - width_of(small, entry.key);
  const float detail_right = entry.key.empty() ? right : std::min(key_left, right - ui.px(88)) - ui.px(16);
  const float left = low.x + ui.px(10);
  const std::string title = shortened(text, entry.title, detail_right - left);
  write_text(list, text, {left, middle - 0.5f * text->FontSize}, ui.theme->ink, title);
  const float y = middle - 0.5f * small->FontSize;
  write_text(list, small, {key_left, y}, ui.theme->ink, entry.key);
  const float detail_left = left + width_of(text, title) + ui.px(12);
  if (detail_right - detail_left > ui.px(24))
    write_text(list, small, {detail_left, y}, ui.theme->ink_dim,
               shortened(small, entry.detail, detail_right - detail_left));
}

}  // namespace

void Palette::show(std::vector<PaletteEntry> entries) {
  entries_ = std::move(entries);
  typed_.clear();
  matching_ = entries_;
  selected_ = 0;
  shown_ = appeared_ = scroll_ = true;
}

void Palette::choose(std::size_t index) {
  if (index >= matching_.size()) return;
  chosen_ = matching_[index].run;
  shown_ = false;
}

void Palette::keyboard() {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const auto move = [&](long steps) {
    selected_ = std::size_t(std::clamp(long(selected_) + steps, 0L, std::max(0L, long(matching_.size()) - 1)));
    scroll_ = true;
  };
  if (pressed(ImGuiKey_DownArrow)) move(1);
  if (pressed(ImGuiKey_UpArrow)) move(-1);
  if (pressed(ImGuiKey_PageDown)) move(rows_of_a_page);
  if (pressed(ImGuiKey_PageUp)) move(-rows_of_a_page);
}

void Palette::draw(Ui& ui) {
  ui.ids.state("palette", shown_ ? "shown" : "hidden");
  if (!shown_) return;
  const bool appeared = std::exchange(appeared_, false);
  if (!begin_dialog(ui, "palette", {palette_width, palette_height}, appeared)) shown_ = false;
  keyboard();
  constexpr const char* field = "palette-text";
  if (appeared) {
    ImGui::PushID(field);
    type_into("");
    ImGui::PopID();
  } else if (!ImGui::IsAnyItemActive()) {
    ImGui::SetKeyboardFocusHere();
  }
  const std::string before = typed_;
  const bool entered = text_field(ui, field, "Type to find a command, a parameter, data …", "", typed_);
  if (typed_ != before) {
    matching_ = palette_matches(entries_, typed_);
    selected_ = 0;
    scroll_ = true;
  }
  if (entered && shown_) choose(selected_);
  draw_entries(ui);
  ui.ids.state("palette.first", matching_.empty() ? "none" : matching_.front().title);
  end_dialog();
}

void Palette::draw_entries(Ui& ui) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  ImGui::BeginChild("palette-entries", {0, 0});
  const float height = ui.px(palette_row);
  if (std::exchange(scroll_, false)) {
    const float top = float(selected_) * height, room = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + height > ImGui::GetScrollY() + room) ImGui::SetScrollY(top + height - room);
  }
  if (matching_.empty()) caption(ui, "Nothing has all of these words");
  ImGuiListClipper clipper;
  clipper.Begin(int(matching_.size()), height);
  std::size_t pressed = matching_.size();
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      if (pressable("entry", {ImGui::GetContentRegionAvail().x, height})) pressed = std::size_t(i);
      const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
      const bool now = std::size_t(i) == selected_, hovered = ImGui::IsItemHovered();
      ImDrawList* list = ImGui::GetWindowDrawList();
      if (now || hovered)
        list->AddRectFilled(low, high, hovered ? ui.theme->control_hovered : ui.theme->control, ui.px(corner));
      if (now) list->AddRectFilled({low.x, low.y + ui.px(4)}, {low.x + ui.px(2), high.y - ui.px(4)}, ui.theme->accent);
      draw_palette_row(ui, matching_[std::size_t(i)], low, high);
      ui.ids.last_item(("palette." + matching_[std::size_t(i)].title).c_str());
      ImGui::PopID();
    }
  choose(pressed);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace kinescope::app
