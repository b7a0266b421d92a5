#include "app/scenes/points/selection.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>

namespace kinescope::app {
namespace {

constexpr float least_step = 3;  // pixels between two corners of a lasso

glm::vec2 vector_of(ImVec2 p) {
  return {p.x, p.y};
}

}  // namespace

void SelectionDrag::options(Ui& ui) {
  segments(ui, "drag", "Drag",
           "What a drag does: move the picture or select points. Ctrl-drag always selects; Shift adds to the selection",
           {"Move", "Box", "Lasso"}, shape_);
  gap(ui, 4);
}

std::optional<std::vector<glm::vec2>> SelectionDrag::take(const PictureArea& area) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!under_way()) {
    const bool begins =
        ImGui::IsItemActive() && ImGui::IsMouseDragging(0, least_step) && (shape_ != none || io.KeyCtrl);
    if (!begins) return std::nullopt;
    is_box_ = shape_ != lasso;
    corners_ = {vector_of(io.MouseClickedPos[0])};
  }
  const glm::vec2 first = corners_.front(), low = vector_of(area.low),
                  now = glm::clamp(vector_of(io.MousePos), low, vector_of(area.high));
  if (is_box_)
    corners_ = {first, {now.x, first.y}, now, {first.x, now.y}};
  else if (glm::distance(corners_.back(), now) >= least_step)
    corners_.push_back(now);
  if (ImGui::IsItemActive()) {
    draw(area);
    return std::nullopt;
  }
  std::vector<glm::vec2> done = std::exchange(corners_, {});
  for (glm::vec2& each : done) each -= low;
  return done;
}

void SelectionDrag::draw(const PictureArea& area) const {
  std::vector<ImVec2> corners;
  for (const glm::vec2 each : corners_) corners.emplace_back(each.x, each.y);
  const ImU32 accent = area.theme->accent;
  if (is_box_) area.list->AddRectFilled(corners[0], corners[2], with_alpha(accent, 40));
  area.list->AddPolyline(corners.data(), int(corners.size()), accent, ImDrawFlags_Closed, 1.5f * area.scale);
}

sim::Table rows_of(const sim::Dataset& data, const std::vector<std::uint32_t>& rows) {
  sim::Table table;
  table.rows = rows.size();
  const auto add = [&](std::string name, const auto& number_of) {
    while (data.table.find(name)) name += "_";
    sim::Column numbers{name, true, {}, {}};  // as text, because floats are exact only up to 2^24
    for (const std::uint32_t row : rows) numbers.texts.push_back(std::to_string(number_of(row)));
    table.columns.push_back(std::move(numbers));
  };
  add("row", [](std::uint32_t row) { return std::size_t(row) + 1; });
  if (const std::vector<std::size_t>& lines = data.table.row_lines; !lines.empty())
    add("line", [&](std::uint32_t row) { return lines.at(row); });
  for (const sim::Column& column : data.table.columns) {
    sim::Column chosen{column.name, column.is_text, {}, {}};
    for (const std::uint32_t row : rows) {
      if (!column.numbers.empty()) chosen.numbers.push_back(column.numbers[row]);
      if (!column.texts.empty()) chosen.texts.push_back(column.texts.at(row));
    }
    table.columns.push_back(std::move(chosen));
  }
  return table;
}

sim::Table table_with_selection(const sim::Dataset& data, const std::vector<std::uint32_t>& rows) {
  sim::Table table = data.table;
  std::string name = "selected";
  while (table.find(name)) name += "_";
  std::vector<float> selected(data.points, 0);
  for (const std::uint32_t row : rows) selected[row] = 1;
  table.columns.push_back({name, false, std::move(selected), {}});
  table.rows = data.points;
  return table;
}

}  // namespace kinescope::app
