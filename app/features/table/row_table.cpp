#include "app/features/table/row_table.hpp"

#include <algorithm>
#include <cmath>
#include <imgui_internal.h>
#include <string>
#include <utility>

#include "app/io/output.hpp"
#include "app/scenes/legend.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr float header_height = 28, table_row_height = 22, cell_gap = 8;  // design pixels
constexpr float least_cell = 40, most_cell = 200;
constexpr std::size_t looked_at = 64;      // rows whose cells decide how wide a column is
constexpr std::size_t longest_cell = 400;  // bytes of it that are drawn
constexpr ImS64 rows_of_wheel = 3;

std::string cell_of(const sim::Column& column, std::size_t row) {
  return row < column.size() ? printable(sim::written_cell(column, row), longest_cell) : "";
}

// Numbers end at the right of their column.
void write_cell(ImDrawList* list, ImFont* font, ImVec2 low, float width, float height, ImU32 colour,
                const std::string& text, bool right) {
  const float left = right ? std::max(low.x, low.x + width - width_of(font, text)) : low.x;
  write_text(list, font, {left, low.y + 0.5f * (height - font->FontSize)}, colour, text);
}

// Draws a scroll bar that counts `seen` of `all` things.
void scroll_bar(const char* id, ImGuiAxis axis, ImVec2 low, ImVec2 high, ImS64& first, ImS64 seen, ImS64 all) {
  ImGui::ScrollbarEx({low, high}, ImGui::GetID(id), axis, &first, seen, all, ImDrawFlags_RoundCornersAll);
}

}  // namespace

float RowTable::width_of_column(Ui& ui, const sim::Dataset& data, std::size_t column) {
  float& width = widths_[column];
  if (width > 0) return width;
  const sim::Column& cells = data.table.columns[column];
  ImFont* font = ui.fonts.caption;
  width = width_of(font, printable(cells.name, longest_cell)) + ui.px(14);  // with the arrow of a sorted column
  const std::size_t step = std::max<std::size_t>(1, data.points / looked_at);
  for (std::size_t row = 0; row < data.points; row += step)
    width = std::max(width, width_of(font, cell_of(cells, row)));
  return width = std::round(std::clamp(width, ui.px(least_cell), ui.px(most_cell)));
}

// Follows the wheel and what was asked for, and draws the scroll bars at the right and below.
void RowTable::scroll(Ui& ui, const Arrangement& rows, ImVec2 low, ImVec2 high, float row_height, float numbers) {
  const ImGuiIO& io = ImGui::GetIO();
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const auto all = ImS64(rows.size()), columns = ImS64(widths_.size());
  const auto seen = std::max<ImS64>(1, ImS64((high.y - low.y) / row_height));
  // The last columns fill the width.
  ImS64 most_column = columns - 1;
  float room = high.x - low.x - numbers;
  while (most_column >= 0) {
    room -= width_of_column(ui, *rows.data, std::size_t(most_column)) + ui.px(cell_gap);
    if (room < 0) break;
    --most_column;
  }
  most_column = std::min(most_column + 1, columns - 1);
  if (ImGui::IsWindowHovered() && io.MouseWheel != 0) {
    const auto steps = ImS64(std::copysign(std::max(1.f, std::round(std::abs(io.MouseWheel))), -io.MouseWheel));
    io.KeyShift ? first_column_ += steps : first_ += rows_of_wheel * steps;
  }
  if (ImGui::IsWindowHovered() && io.MouseWheelH != 0) first_column_ += io.MouseWheelH > 0 ? -1 : 1;
  if (const auto wanted = std::exchange(wanted_, std::nullopt))
    if (ImS64(*wanted) < first_ || ImS64(*wanted) >= first_ + seen) first_ = ImS64(*wanted) - seen / 3;
  first_ = std::clamp<ImS64>(first_, 0, std::max<ImS64>(0, all - seen));
  first_column_ = std::clamp<ImS64>(first_column_, 0, std::max<ImS64>(0, most_column));
  if (all > seen) scroll_bar("down", ImGuiAxis_Y, {high.x, low.y}, {high.x + bar, high.y}, first_, seen, all);
  if (most_column > 0)
    scroll_bar("across", ImGuiAxis_X, {low.x, high.y}, {high.x, high.y + bar}, first_column_, columns - most_column,
               columns);
}

void RowTable::draw_header(Ui& ui, const Arrangement& rows, ImVec2 low, float right, float height, float numbers,
                           Clicked& clicked) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = ui.fonts.caption;
  const Theme& t = *ui.theme;
  write_cell(list, font, low, numbers - ui.px(cell_gap), height, t.ink_dim, "Row", true);
  float x = low.x + numbers;
  for (auto column = std::size_t(first_column_); column < widths_.size() && x < right; ++column) {
    const sim::Column& cells = rows.data->table.columns[column];
    const float width = std::min(width_of_column(ui, *rows.data, column), right - x);
    ImGui::SetCursorScreenPos({x, low.y});
    ImGui::PushID(int(column));
    if (pressable("header", {width, height})) clicked.header = column;
    ImGui::PopID();
    ui.ids.last_item(("rows.column." + cells.name).c_str());
    const bool sorted = rows.sorting && rows.sorting->column == column, hovered = ImGui::IsItemHovered();
    const std::string name = printable(cells.name, longest_cell);
    help_for_last_item(ui, ("Sort by " + name + ": upwards, downwards, not at all").c_str());
    const float arrow = sorted ? ui.px(14) : 0;
    write_cell(list, font, {x, low.y}, width - arrow, height, sorted || hovered ? t.ink : t.ink_dim,
               shortened(font, name, width - arrow), !cells.is_text);
    if (sorted) {
      const float u = ui.scale, up = rows.sorting->descending ? -1.f : 1.f;
      const ImVec2 c{x + width - 5 * u, low.y + 0.5f * height};
      list->AddTriangleFilled({c.x - 4 * u, c.y + up * 2.5f * u}, {c.x + 4 * u, c.y + up * 2.5f * u},
                              {c.x, c.y - up * 2.5f * u}, t.accent);
    }
    x += width + ui.px(cell_gap);
  }
}

void RowTable::draw_row(Ui& ui, const Arrangement& rows, const ChosenRows& chosen, std::uint32_t row, ImVec2 low,
                        ImVec2 high, float numbers, Clicked& clicked) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = ui.fonts.caption;
  const Theme& t = *ui.theme;
  const float height = high.y - low.y;
  ImGui::SetCursorScreenPos(low);
  if (pressable("row", {high.x - low.x, height})) clicked.row = row;
  ui.ids.last_item(("row." + std::to_string(row)).c_str());
  const bool hovered = ImGui::IsItemHovered(), kept = chosen.kept == row;
  if (kept || hovered) list->AddRectFilled(low, high, kept ? with_alpha(t.accent, 70) : t.control, ui.px(corner));
  const bool selected = std::ranges::binary_search(*chosen.selected, row);
  if (selected)
    list->AddRectFilled({low.x, low.y + ui.px(3)}, {low.x + ui.px(3), high.y - ui.px(3)}, t.accent, ui.px(1));
  write_cell(list, font, low, numbers - ui.px(cell_gap), height, kept ? t.ink : t.ink_dim,
             sim::with_commas(std::size_t(row) + 1), true);
  float x = low.x + numbers;
  for (auto column = std::size_t(first_column_); column < widths_.size() && x < high.x; ++column) {
    const sim::Column& cells = rows.data->table.columns[column];
    const float width = std::min(width_of_column(ui, *rows.data, column), high.x - x);
    const std::string text = cell_of(cells, row), fits = shortened(font, text, width);
    write_cell(list, font, {x, low.y}, width, height, t.ink, fits, !cells.is_text);
    const float mouse = ImGui::GetIO().MousePos.x;
    if (hovered && fits != text && mouse >= x && mouse < x + width)
      help_for_last_item(ui, (printable(cells.name, longest_cell) + ": " + text).c_str());
    x += width + ui.px(cell_gap);
  }
}

RowTable::Clicked RowTable::draw(Ui& ui, const Arrangement& rows, const ChosenRows& chosen, float height) {
  Clicked clicked;
  const std::size_t columns = rows.data->table.columns.size();
  if (widths_.size() != columns || scale_ != ui.scale) widths_.assign(columns, 0);
  scale_ = ui.scale;
  ImGui::BeginChild("table", {0, height}, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float bar = ImGui::GetStyle().ScrollbarSize, head = ui.px(header_height), each = ui.px(table_row_height);
  const float numbers =
      std::max(width_of(ui.fonts.caption, sim::with_commas(rows.data->points)), width_of(ui.fonts.caption, "Row")) +
      ui.px(8 + cell_gap);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + ImGui::GetContentRegionAvail().x - bar, low.y + height - bar}, body{low.x, low.y + head};
  scroll(ui, rows, body, high, each, numbers);
  draw_header(ui, rows, low, high.x, head, numbers, clicked);
  list->AddRectFilled({low.x, body.y - std::max(1.f, std::floor(ui.scale))}, {high.x, body.y}, ui.theme->line);
  std::string told;
  float y = body.y;
  for (auto place = std::size_t(first_); place < rows.size() && y + each <= high.y; ++place, y += each) {
    const std::uint32_t row = rows.row(place);
    ImGui::PushID(int(row));
    draw_row(ui, rows, chosen, row, {low.x, y}, {high.x, y + each}, numbers, clicked);
    ImGui::PopID();
    if (ui.ids.enabled()) told += (told.empty() ? "" : " ") + std::to_string(row);
  }
  ui.ids.state("rows.in-sight", told);
  ImGui::EndChild();
  return clicked;
}

}  // namespace kinescope::app
