#include "app/ui/widgets.hpp"

#include <algorithm>
#include <imgui_internal.h>
#include <imgui_stdlib.h>
#include <utility>

namespace kinescope::app {
namespace {

constexpr float row_height = 32;          // height of buttons and fields in design pixels; a multiple of 8
constexpr std::size_t many_options = 12;  // a longer list can be searched

// The y at which text must begin to be centred in a row from `top` of this height.
float centred(ImFont* font, float top, float height) {
  return top + 0.5f * (height - font->FontSize);
}

// Draws the surface of ImGui's last item, a button, and returns the colour of what is on it.
ImU32 draw_surface(const Ui& ui, ButtonKind kind, bool enabled = true) {
  const bool bright = ImGui::IsItemHovered() || ImGui::IsItemActive();
  const ButtonColours colours = button_colours(*ui.theme, kind, enabled, bright);
  ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), colours.surface,
                                            ui.px(corner));
  return colours.ink;
}

void draw_restart(ImDrawList* list, ImVec2 c, float r, ImU32 colour, float thickness) {
  list->PathArcTo(c, r, -0.9f, 4.1f, 24);
  list->PathStroke(colour, 0, thickness);
  const ImVec2 tip{c.x + r * std::cos(-0.9f), c.y + r * std::sin(-0.9f)};
  list->AddTriangleFilled({tip.x - r * 0.75f, tip.y + r * 0.1f}, {tip.x + r * 0.25f, tip.y - r * 0.7f},
                          {tip.x + r * 0.35f, tip.y + r * 0.5f}, colour);
}

void draw_icon(Ui& ui, Icon icon, ImVec2 c, ImU32 colour) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float u = ui.scale;
  const float line = 1.6f * u;
  switch (icon) {
    case Icon::play:
      list->AddTriangleFilled({c.x - 4 * u, c.y - 6 * u}, {c.x + 6.5f * u, c.y}, {c.x - 4 * u, c.y + 6 * u}, colour);
      break;
    case Icon::pause:
      list->AddRectFilled({c.x - 5 * u, c.y - 6 * u}, {c.x - 1.5f * u, c.y + 6 * u}, colour, u);
      list->AddRectFilled({c.x + 1.5f * u, c.y - 6 * u}, {c.x + 5 * u, c.y + 6 * u}, colour, u);
      break;
    case Icon::step:
      list->AddTriangleFilled({c.x - 5 * u, c.y - 6 * u}, {c.x + 3 * u, c.y}, {c.x - 5 * u, c.y + 6 * u}, colour);
      list->AddRectFilled({c.x + 3 * u, c.y - 6 * u}, {c.x + 5.5f * u, c.y + 6 * u}, colour, u * 0.5f);
      break;
    case Icon::back:
      list->AddTriangleFilled({c.x + 5 * u, c.y + 6 * u}, {c.x - 3 * u, c.y}, {c.x + 5 * u, c.y - 6 * u}, colour);
      list->AddRectFilled({c.x - 5.5f * u, c.y - 6 * u}, {c.x - 3 * u, c.y + 6 * u}, colour, u * 0.5f);
      break;
    case Icon::loop:
      for (const float side : {-1.f, 1.f}) {
        const float y = c.y + side * 4 * u, tip = c.x - side * 7.5f * u;
        list->PathLineTo({c.x + side * 6.5f * u, c.y + side * u});
        list->PathLineTo({c.x + side * 6.5f * u, y});
        list->PathLineTo({tip + side * 3 * u, y});
        list->PathStroke(colour, 0, line);
        list->AddTriangleFilled({tip, y}, {tip + side * 4 * u, y - side * 3.5f * u},
                                {tip + side * 4 * u, y + side * 3.5f * u}, colour);
      }
      break;
    case Icon::restart:
      draw_restart(list, c, 5.5f * u, colour, line);
      break;
    case Icon::close:
      list->AddLine({c.x - 4 * u, c.y - 4 * u}, {c.x + 4 * u, c.y + 4 * u}, colour, line);
      list->AddLine({c.x + 4 * u, c.y - 4 * u}, {c.x - 4 * u, c.y + 4 * u}, colour, line);
      break;
    case Icon::camera:
      list->AddRect({c.x - 7 * u, c.y - 4 * u}, {c.x + 7 * u, c.y + 6 * u}, colour, 1.5f * u, 0, line);
      list->AddCircle({c.x, c.y + u}, 2.8f * u, colour, 16, line);
      list->AddRectFilled({c.x - 3 * u, c.y - 6.5f * u}, {c.x + 3 * u, c.y - 4 * u}, colour, u);
      break;
    case Icon::record:
      list->AddCircle(c, 6.5f * u, colour, 24, line);
      list->AddCircleFilled(c, 3.5f * u, colour, 24);
      break;
    case Icon::stop:
      list->AddRectFilled({c.x - 5 * u, c.y - 5 * u}, {c.x + 5 * u, c.y + 5 * u}, colour, u);
      break;
    case Icon::frame_all:
      for (const float x : {-1.f, 1.f})
        for (const float y : {-1.f, 1.f}) {
          list->AddLine({c.x + x * 6 * u, c.y + y * 6 * u}, {c.x + x * 6 * u, c.y + y * 2 * u}, colour, line);
          list->AddLine({c.x + x * 6 * u, c.y + y * 6 * u}, {c.x + x * 2 * u, c.y + y * 6 * u}, colour, line);
        }
      break;
  }
}

float line_width() {
  return ImGui::GetContentRegionAvail().x;
}

std::size_t stepped(std::size_t index, int change, std::size_t count) {
  return std::size_t(std::clamp(long(index) + change, 0L, long(std::max<std::size_t>(count, 1)) - 1));
}

// Reports ImGui's last item to the tests, gives it its help, and tells whether the keys press it.
bool pressed_with_keys(Ui& ui, const char* id, const char* help) {
  ui.ids.last_item(id);
  help_for_last_item(ui, help);
  return keys_for_last_item(ui, id).press;
}

// Writes one line of text that begins at `at.x`, centred in the row of this height below `at.y`.
void write_in_row(ImFont* font, ImVec2 at, float height, ImU32 colour, const std::string& text) {
  write_text(ImGui::GetWindowDrawList(), font, {at.x, centred(font, at.y, height)}, colour, text);
}

}  // namespace

ButtonColours button_colours(const Theme& theme, ButtonKind kind, bool enabled, bool bright) {
  if (!enabled) return {theme.control, theme.ink_dim};
  if (kind == ButtonKind::primary) return {bright ? theme.accent_hovered : theme.accent, theme.on_accent};
  return {bright ? theme.control_hovered : theme.control, theme.ink};
}

bool pressable(const char* id, ImVec2 size, ImGuiButtonFlags flags) {
  return ImGui::InvisibleButton(id, {std::max(1.f, size.x), std::max(1.f, size.y)}, flags);
}

void help_for_last_item(Ui& ui, const char* help) {
  if (!help || !*help || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::IsMouseDown(0)) return;
  if (GImGui->HoveredIdTimer < 0.4f && GImGui->HoveredIdPreviousFrame != 0) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
  ImGui::BeginTooltip();
  ImGui::PushFont(ui.fonts.caption);
  ImGui::PushTextWrapPos(ui.px(320));
  ImGui::TextUnformatted(help);
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void tell_at_mouse(Ui& ui, const std::string& text) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
  ImGui::SetTooltip("%s", text.c_str());
  ImGui::PopStyleVar();
}

void KeyFocus::begin_pass(int steps) {
  moved = steps != 0;
  if (steps != 0 && !order.empty()) {
    const auto at = std::find(order.begin(), order.end(), id);
    if (at != order.end()) {
      const auto size = std::ptrdiff_t(order.size());
      id = order[std::size_t(((at - order.begin() + steps) % size + size) % size)];
    } else {
      const auto first = std::ranges::find_if(order, [](auto& each) { return each.starts_with("parameter."); });
      id = first == order.end() ? order.front() : *first;
    }
  }
  order.clear();
}

KeyAsk keys_for_last_item(Ui& ui, const char* id) {
  ui.keys.order.emplace_back(id);
  if (ui.keys.id != id) return {};
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float out = ui.px(2);
  ImGui::GetWindowDrawList()->AddRect({low.x - out, low.y - out}, {high.x + out, high.y + out}, ui.theme->accent,
                                      ui.px(corner), 0, 1.5f * ui.scale);
  if (std::exchange(ui.keys.sought, "") == id || ui.keys.moved) ImGui::SetScrollHereY(0.5f);
  ui.keys.moved = false;
  ui.ids.state("focus", id);
  return {std::exchange(ui.keys.change, 0), std::exchange(ui.keys.press, false)};
}

bool button(Ui& ui, const char* id, const char* text, const char* help, ButtonKind kind, float width, bool enabled) {
  const float natural = width_of(ui.fonts.text, text) + ui.px(24);
  const ImVec2 size{width > 0 ? width : width < 0 ? line_width() : natural, ui.px(row_height)};
  ImGui::BeginDisabled(!enabled);
  const bool pressed = pressable(id, size);
  ImGui::EndDisabled();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImU32 ink = draw_surface(ui, kind, enabled);
  const std::string fits = shortened(ui.fonts.text, text, size.x - ui.px(16));
  if (fits != text) ui.ids.cut(id);
  const float left = 0.5f * (low.x + high.x - width_of(ui.fonts.text, fits));
  write_in_row(ui.fonts.text, {left, low.y}, size.y, ink, fits);
  return (pressed_with_keys(ui, id, help) || pressed) && enabled;
}

bool icon_button(Ui& ui, const char* id, Icon icon, const char* help, ButtonKind kind) {
  const bool pressed = pressable(id, {ui.px(row_height), ui.px(row_height)});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImU32 ink = draw_surface(ui, kind);
  draw_icon(ui, icon, {0.5f * (low.x + high.x), 0.5f * (low.y + high.y)}, ink);
  return pressed_with_keys(ui, id, help) || pressed;
}

bool toggle(Ui& ui, const char* id, const char* label, const char* help, bool& on) {
  const float height = ui.px(row_height), w = line_width();
  bool pressed = pressable(id, {w, height});
  const KeyAsk asked = keys_for_last_item(ui, id);
  pressed = pressed || asked.press || asked.change != 0;
  if (pressed) on = !on;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const std::string fits = shortened(ui.fonts.text, label, w - ui.px(32 + 8));
  if (fits != label) ui.ids.cut(id);
  write_in_row(ui.fonts.text, low, height, ui.theme->ink, fits);
  const float r = ui.px(8), middle = 0.5f * (low.y + high.y);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 off = hovered ? ui.theme->control_hovered : ui.theme->control;
  list->AddRectFilled({high.x - ui.px(32), middle - r}, {high.x, middle + r}, on ? ui.theme->accent : off, r);
  list->AddCircleFilled({on ? high.x - r : high.x - ui.px(32) + r, middle}, r - ui.px(3),
                        on ? ui.theme->on_accent : ui.theme->ink_dim, 24);
  ui.ids.last_item(id);
  help_for_last_item(ui, *help || fits == label ? help : label);
  return pressed;
}

bool segments(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
              std::size_t& index) {
  const std::size_t before = index;
  ImVec2 origin = ImGui::GetCursorScreenPos();
  const float height = ui.px(row_height), whole = line_width();
  float widest = 0;
  for (const std::string& option : options) widest = std::max(widest, width_of(ui.fonts.text, option.c_str()));
  // Options that do not fit beside the label go below it.
  const bool beside = *label && (widest + ui.px(8)) * float(options.size()) <= 0.5f * whole;
  const float width = beside ? std::round(0.5f * whole) : whole, each = width / float(options.size());
  ImGui::PushID(id);
  if (*label) {
    const float label_width = beside ? whole - width : whole, label_height = beside ? height : ui.px(24);
    pressable("label", {label_width, label_height});
    const std::string fits = shortened(ui.fonts.text, label, label_width - ui.px(2));
    write_in_row(ui.fonts.text, origin, label_height, ui.theme->ink, fits);
    help_for_last_item(ui, help);
    origin = beside ? ImVec2{origin.x + label_width, origin.y} : ImGui::GetCursorScreenPos();
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(origin, {origin.x + width, origin.y + height}, ui.theme->control, ui.px(corner));
  for (std::size_t i = 0; i < options.size(); ++i) {
    ImGui::SetCursorScreenPos({origin.x + each * float(i), origin.y});
    if (pressable(options[i].c_str(), {each, height})) index = i;
    if (i == before) index = stepped(index, keys_for_last_item(ui, id).change, options.size());
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float inset = ui.px(2);
    if (i == index || ImGui::IsItemHovered())
      list->AddRectFilled({low.x + inset, low.y + inset}, {high.x - inset, high.y - inset},
                          i == index ? ui.theme->accent : ui.theme->control_hovered, ui.px(corner) - ui.scale);
    const std::string fits = shortened(ui.fonts.text, options[i], each - ui.px(8));
    if (fits != options[i]) ui.ids.cut(id);
    const float left = 0.5f * (low.x + high.x - width_of(ui.fonts.text, fits));
    write_in_row(ui.fonts.text, {left, low.y}, height, i == index ? ui.theme->on_accent : ui.theme->ink, fits);
    ui.ids.last_item((std::string(id) + "." + options[i]).c_str());
    help_for_last_item(ui, help);
  }
  ImGui::PopID();
  return index != before;
}

namespace {

// The field above a long list; true when Enter was pressed.
bool draw_search(Ui& ui) {
  constexpr const char* field = "list-search";
  if (ImGui::IsWindowAppearing()) {
    ImGui::PushID(field);
    type_into("");
    ImGui::PopID();
  }
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
  return text_field(ui, field, "Type to search", "", ui.search);
}

}  // namespace

bool choice(Ui& ui, const char* id, const char* label, const char* help, const std::vector<std::string>& options,
            std::size_t& index, const std::vector<std::string>& names) {
  const std::vector<std::string>& texts = names.empty() ? options : names;
  const std::size_t before = index;
  const float height = ui.px(row_height), width = line_width();
  // The field takes half of the line, or more if the option needs it and the label leaves the room.
  const float needed = index < texts.size() ? std::ceil(width_of(ui.fonts.text, texts[index])) + ui.px(32) : 0;
  const float room = width - width_of(ui.fonts.text, label) - ui.px(8);
  const float field = std::round(std::max(width * 0.5f, std::min(needed, room)));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::PushID(id);
  pressable("label", {width - field, height});
  const std::string name = shortened(ui.fonts.text, label, width - field - ui.px(4));
  if (name != label) ui.ids.cut(id);
  write_in_row(ui.fonts.text, origin, height, ui.theme->ink, name);
  help_for_last_item(ui, help);
  ImGui::SetCursorScreenPos({origin.x + width - field, origin.y});
  const bool opened = pressable("open", {field, height});
  const KeyAsk asked = keys_for_last_item(ui, id);
  if (opened || asked.press) {
    ImGui::OpenPopup("list");
    ui.search.clear();
  }
  index = stepped(index, asked.change, options.size());
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, ImGui::IsItemHovered() ? ui.theme->control_hovered : ui.theme->control, ui.px(corner));
  if (index < options.size())
    write_in_row(ui.fonts.text, {low.x + ui.px(8), low.y}, height, ui.theme->ink,
                 shortened(ui.fonts.text, texts[index], field - ui.px(32)));
  const float u = ui.scale;
  const ImVec2 c{high.x - ui.px(14), 0.5f * (low.y + high.y) + u};
  list->AddLine({c.x - 4 * u, c.y - 2 * u}, {c.x, c.y + 2 * u}, ui.theme->ink_dim, 1.5f * u);
  list->AddLine({c.x, c.y + 2 * u}, {c.x + 4 * u, c.y - 2 * u}, ui.theme->ink_dim, 1.5f * u);
  ui.ids.last_item(id);
  help_for_last_item(ui, help);

  ImGui::SetNextWindowPos({low.x, high.y + ui.px(4)}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({field, 0}, {ui.px(360), ui.px(320)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(4), ui.px(4)});
  if (ImGui::BeginPopup("list")) {
    const bool entered = options.size() > many_options && draw_search(ui);
    bool first = true;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (options.size() > many_options && small_letters(texts[i]).find(small_letters(ui.search)) == std::string::npos)
        continue;
      const bool pressed = list_row(ui, (std::string(id) + "." + options[i]).c_str(), texts[i], "", i == index);
      if (pressed || (entered && std::exchange(first, false))) {
        index = i;
        ImGui::CloseCurrentPopup();
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return index != before;
}

void button_over(Ui& ui, const char* id, ImVec2 low, ImVec2 high) {
  ImGui::SetCursorScreenPos(low);
  pressable(id, {high.x - low.x, high.y - low.y});
  ui.ids.last_item(id);
}

void type_into(const char* label) {
  ImGui::GetCurrentContext()->NavActivateInputId = ImGui::GetID(label);
}

bool text_field(Ui& ui, const char* id, const char* hint, const char* help, std::string& text) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), 0.5f * (ui.px(row_height) - ui.fonts.text->FontSize)});
  ImGui::SetNextItemWidth(line_width());
  ImGui::PushID(id);
  if (ui.keys.id == id && std::exchange(ui.keys.press, false)) type_into("");
  const bool entered = ImGui::InputTextWithHint("", hint, &text, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopID();
  ImGui::PopStyleVar();
  keys_for_last_item(ui, id);
  ui.ids.last_item(id);
  help_for_last_item(ui, help);
  return entered;
}

void heading(Ui& ui, const char* text, const char* note) {
  ImGui::Dummy({line_width(), ui.px(24)});
  const ImVec2 low = ImGui::GetItemRectMin();
  write_in_row(ui.fonts.strong, low, ui.px(24), ui.theme->ink, text);
  const float note_left = ImGui::GetItemRectMax().x - width_of(ui.fonts.caption, note);
  write_in_row(ui.fonts.caption, {note_left, low.y}, ui.px(24), ui.theme->ink_dim, note);
}

void caption(Ui& ui, const char* text) {
  ImGui::PushFont(ui.fonts.caption);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->ink_dim);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void fact(Ui& ui, const char* name, const std::string& value, std::optional<ImU32> colour) {
  const float width = line_width(), disc = colour ? ui.px(10) : 0, before = colour ? disc + ui.px(6) : 0;
  ImGui::Dummy({width, ui.px(16)});
  const ImVec2 at = ImGui::GetItemRectMin();
  ImFont* font = ui.fonts.caption;
  const float name_width = std::min(width_of(font, name), 0.6f * width);
  const std::string short_name = shortened(font, name, name_width + 1);
  write_in_row(font, at, ui.px(16), ui.theme->ink_dim, short_name);
  const std::string fits = shortened(font, value, width - name_width - before - ui.px(8));
  const float left = at.x + width - width_of(font, fits.c_str());
  write_in_row(font, {left, at.y}, ui.px(16), ui.theme->ink, fits);
  if (colour) {
    const ImVec2 c{left - before + 0.5f * disc, at.y + ui.px(8)};
    ImGui::GetWindowDrawList()->AddCircleFilled(c, 0.5f * disc, *colour, 24);
    ui.ids.widget("fact.colour", {c.x - 0.5f * disc, c.y - 0.5f * disc}, {c.x + 0.5f * disc, c.y + 0.5f * disc});
  }
  if (fits != value || short_name != name) help_for_last_item(ui, (std::string(name) + ": " + value).c_str());
}

void inert(Ui& ui, const char* id, const char* label, const std::string& value, const std::string& why) {
  const float width = line_width(), height = ui.px(row_height);
  ImGui::Dummy({width, height});
  const ImVec2 low = ImGui::GetItemRectMin();
  const float half = 0.5f * width - ui.px(4);
  const std::string fits = shortened(ui.fonts.text, value, half);
  write_in_row(ui.fonts.text, low, height, ui.theme->ink_dim, shortened(ui.fonts.text, label, half));
  const float left = low.x + width - width_of(ui.fonts.text, fits);
  write_in_row(ui.fonts.text, {left, low.y}, height, ui.theme->ink_dim, fits);
  ui.ids.last_item(id);
  help_for_last_item(ui, why.c_str());
}

bool offer(Ui& ui, const char* id, const std::string& text, const std::string& action, const std::string& help) {
  ImFont* font = ui.fonts.caption;
  const float height = ui.px(24), button_width = width_of(font, action) + ui.px(16);
  const float room = std::max(1.f, line_width() - button_width - ui.px(8));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({origin.x + room + ui.px(8), origin.y});
  bool pressed = pressable(id, {button_width, height});
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImU32 ink = draw_surface(ui, ButtonKind::plain);
  write_in_row(font, {low.x + ui.px(8), low.y}, height, ink, action);
  pressed = pressed_with_keys(ui, id, help.c_str()) || pressed;
  // A text that is wider than the room wraps onto more lines.
  const float lines = font->CalcTextSizeA(font->FontSize, 1e9f, room, text.c_str()).y;
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room, lines + height - font->FontSize});
  ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {origin.x, centred(font, origin.y, height)},
                                      ui.theme->ink_dim, text.c_str(), nullptr, room);
  help_for_last_item(ui, help.c_str());
  return pressed;
}

void gap(Ui& ui, float design_pixels) {
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(design_pixels));
}

bool list_row(Ui& ui, const char* id, const std::string& text, const char* help, bool selected) {
  const float height = ui.px(24);
  const float natural = width_of(ui.fonts.text, text.c_str()) + ui.px(16);
  const float width = std::max(
      line_width(), GImGui->CurrentWindow->Flags & ImGuiWindowFlags_Popup ? std::min(natural, ui.px(344)) : 0.f);
  const bool pressed = pressable(id, {width, height});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (selected || ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled(
        low, high, ImGui::IsItemHovered() ? ui.theme->control_hovered : ui.theme->control, ui.px(corner));
  write_in_row(ui.fonts.text, {low.x + ui.px(8), low.y}, height, ui.theme->ink,
               shortened(ui.fonts.text, text, width - ui.px(16)));
  if (selected)
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, low.y + ui.px(4)}, {low.x + ui.px(2), high.y - ui.px(4)},
                                              ui.theme->accent, ui.px(1));
  return pressed_with_keys(ui, id, help) || pressed;
}

}  // namespace kinescope::app
