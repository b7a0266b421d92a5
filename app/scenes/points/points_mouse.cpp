// The mouse over a scene of points: camera, hover, legend, and keeping a row by a click.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fmt/core.h>
#include <glm/common.hpp>
#include <imgui.h>
#include <iterator>

#include "app/scenes/points/points.hpp"
#include "app/scenes/points/row_filters.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double pick_seconds = 0.25;

bool inside(const Rectangle& r, ImVec2 p) {
  return p.x >= r.low.x && p.x < r.high.x && p.y >= r.low.y && p.y < r.high.y;
}

// With three decimals at least, unless these are zeros.
std::string number_in_full(double value) {
  const double magnitude = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
  return number_text(value, int(std::clamp(magnitude + 4, 6.0, 15.0)));
}

std::string cell_text(const sim::Column& column, std::size_t row) {
  return column.texts.empty() ? number_in_full(column.numbers[row]) : column.texts[row];
}

}  // namespace

void PointScene::interact(Ui& ui, const PictureArea& area) {
  const PictureMouse mouse = mouse_over(ui, area);
  const Legend shown = follows() ? Legend() : legend(area.theme->variant, setup_.repeatable);
  int row = -1;
  const std::vector<Rectangle> rows = legend_rows(legend_area(area, shown), shown);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (mouse.hovered && inside(rows[i], ImGui::GetIO().MousePos)) row = int(i);
    ui.ids.widget(("legend." + shown.entries[i].name).c_str(), rows[i].low, rows[i].high);
  }
  std::string ticks;
  for (const LegendTick& tick : shown.ticks) ticks += (ticks.empty() ? "" : " ") + tick.text;
  if (!follows()) ui.ids.state("legend.ticks", ticks);
  draw_marks(area);
  draw_legend(legend_area(area, shown), shown, row);
  if (!follows()) {
    leave_room(area, shown);
    if (offer_raw_values(ui, area, shown, mouse.hovered)) return;
  }
  ui.ids.state("selected", std::to_string(selected_->size()));
  if (published_.classes) ui.ids.state("groups", groups_ ? std::to_string(groups_->sizes.size()) : "none");
  if (row >= 0 && !dragging_ && !selection_drag_.under_way()) {
    const std::size_t of = by_groups() && groups_ ? groups_by_size_[std::size_t(row)] : std::size_t(row);
    if (ImGui::IsMouseClicked(0)) hidden_[of] = !hidden_[of];
    help_for_last_item(ui, (shown.entries[std::size_t(row)].name + "\nClick to show or hide it").c_str());
    hovered_ = std::nullopt;
    mark();
    return;
  }
  if (const auto polygon = selection_drag_.take(area)) select(*polygon, ImGui::GetIO().KeyShift);
  if (!selection_drag_.under_way()) move_camera(mouse);
  pick(mouse.at, mouse.hovered && !selection_drag_.under_way(), area.scale);
  if (mouse.hovered && hovered_ && !dragging_) tooltip(ui);
}

// Draws how the columns were scaled. Returns true while the mouse is over the way back to raw values.
bool PointScene::offer_raw_values(Ui& ui, const PictureArea& area, const Legend& shown, bool hovered) {
  const ScaleCaption caption = scale_caption(area, shown);
  const Rectangle& link = caption.link();
  const bool over = hovered && !dragging_ && !selection_drag_.under_way() && inside(link, ImGui::GetIO().MousePos);
  caption.draw(area, over);
  ui.ids.widget("use-raw-values", link.low, link.high);
  if (!over) return false;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  help_for_last_item(ui,
                     "Distances are computed from scaled columns, so that none decides them by its unit alone.\nClick "
                     "to use the values as they are in the data; this restarts the run");
  if (ImGui::IsMouseClicked(0)) requests_.wishes.push_back({sim::NormalizeParameter().name(), "none"});
  hovered_ = std::nullopt;
  mark();
  return true;
}

// Left drags pan in the plane and turn in space; the other buttons always pan; the wheel zooms to the cursor.
void PointScene::move_camera(const PictureMouse& mouse) {
  if (mouse.held) {
    const bool left = ImGui::IsMouseDragging(0, 3),
               other = ImGui::IsMouseDragging(1, 3) || ImGui::IsMouseDragging(2, 3);
    dragging_ = dragging_ || left || other;
    if (dragging_ && mouse.moved()) {
      if (left && !ImGui::GetIO().KeyShift)
        camera_.orbit(mouse.before, mouse.at);
      else
        camera_.pan(mouse.before, mouse.at);
    }
  } else {
    if (ImGui::IsItemDeactivated() && !dragging_ && mouse.hovered && ImGui::IsMouseReleased(0)) {
      kept_ = kept_ == hovered_ ? std::nullopt : hovered_;
      ++calls_;
      mark();
    }
    dragging_ = false;
  }
  mouse.zoom(camera_);
}

// Requests one pick at a time, and only when the mouse or the points have moved.
void PointScene::pick(glm::vec2 at, bool hovered, float scale) {
  if (const auto answer = cloud_.take_pick()) {
    pick_request_ = 0;
    if (mouse_over_ && hovered_ != answer->index) {
      hovered_ = answer->index;
      mark();
    }
  }
  const bool left = std::exchange(mouse_over_, hovered) && !hovered;
  if (!hovered || dragging_) {
    if (hovered_ && (left || dragging_)) {
      hovered_ = std::nullopt;
      mark();
    }
    picked_at_ = {-1, -1};
    return;
  }
  if (!shared_ || buffers().count == 0 || mode_ == 1 || pick_request_ != 0) return;
  // If points move under a resting mouse, picks are requested less often.
  if (at == picked_at_ && (shared_->generation() == picked_generation_ || now_ < picked_time_ + pick_seconds)) return;
  const auto begin = std::chrono::steady_clock::now();
  pick_request_ = cloud_.request_pick(buffers(), at, 6 * scale);
  command_ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  picked_time_ = now_;
  picked_at_ = at;
  picked_generation_ = shared_->generation();
}

void PointScene::mark() {
  std::vector<render::Marker> markers;
  const render::Rgb ink = render::ink_colour(background_);
  if (kept_) markers.push_back({*kept_, ink});
  if (hovered_ && hovered_ != kept_) markers.push_back({*hovered_, ink});
  cloud_.set_markers(markers);
}

std::string PointScene::row_title(std::size_t row) const {
  std::string title = "Row " + sim::with_commas(row + 1);
  if (row < data_->table.row_lines.size()) title += " · line " + sim::with_commas(data_->table.row_lines[row]);
  return title;
}

// The group of a row in the buffers that are shown. It is read back without waiting, so the answer is a frame or two
// late.
std::optional<std::size_t> PointScene::group_of(std::uint32_t row, RowGroup& known) {
  if (const std::uint32_t* word = known.readback.take(setup_.repeatable)) known.group = *word;
  const render::BufferView classes = shared_->view(published_.classes);
  const std::pair question(row, shared_->generation());
  if (known.asked.first != row) known.group.reset();
  if (!known.readback.under_way() && question != known.asked &&
      std::size_t(classes.bytes) >= 4 * std::size_t(row + 1)) {
    known.readback.request(classes.buffer, classes.offset + GLintptr(4 * std::size_t(row)));
    known.asked = question;
  }
  return known.group && *known.group < groups_->sizes.size() ? std::optional<std::size_t>(*known.group) : std::nullopt;
}

// What a row is coloured by, and the colour.
std::optional<PointScene::ColouredBy> PointScene::coloured_by(std::size_t row, RowGroup& known) {
  if (by_groups()) {
    const auto group = shared_ && groups_ ? group_of(std::uint32_t(row), known) : std::nullopt;
    if (!group) return std::nullopt;
    const auto place = std::find(groups_by_size_.begin(), groups_by_size_.end(), *group) - groups_by_size_.begin();
    const std::vector<render::Rgb> colours = style(background_).class_colours;
    return ColouredBy{published_.group_name, std::to_string(place), colours[*group % colours.size()]};
  }
  if (colouring_.by == render::ColourBy::classes && row < colouring_.classes.size()) {
    const std::size_t c = colouring_.classes[row];
    const std::vector<render::Rgb> colours = class_palette(colouring_, background_);
    return ColouredBy{colouring_.title, colouring_.class_names[c], colours[c % colours.size()]};
  }
  if (colouring_.by == render::ColourBy::numbers && row < colouring_.numbers.size()) {
    const float value = colouring_.numbers[row], part = (value - colouring_.low) / (colouring_.high - colouring_.low);
    return ColouredBy{
        colouring_.title,
        colouring_.origin == 0 ? number_text(value, colouring_.digits) : number_in_full(colouring_.origin + value),
        render::colour_at(render::colour_table(style(background_).map, background_), part, background_)};
  }
  return std::nullopt;
}

// Shows at most `most` facts of a row: what colours it, the label, then the columns in their order.
void PointScene::row_facts(Ui& ui, std::size_t row, std::size_t most, RowGroup& known) {
  std::size_t facts = 0;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (++facts <= most) fact(ui, name.c_str(), value);
  };
  const std::optional<ColouredBy> by = coloured_by(row, known);
  if (by) {
    fact(ui, by->name.c_str(), by->value, pack(by->colour));
    ui.ids.state("hover.coloured-by", by->name + " " + by->value);
    ++facts;
  }
  const std::string colours = by && !by_groups() ? by->name : "";
  if (row < data_->labels.size() && data_->label_name != colours)
    add(data_->label_name, data_->label_names[data_->labels[row]]);
  for (const sim::Column& column : data_->table.columns)
    if (column.size() > row && column.name != colours && (data_->labels.empty() || column.name != data_->label_name))
      add(column.name, cell_text(column, row));
  if (facts > most) caption(ui, ("and " + sim::with_commas(facts - most) + " more").c_str());
}

void PointScene::tooltip(Ui& ui) {
  ImGui::SetNextWindowSize({ui.px(240), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(2)});
  ImGui::BeginTooltip();
  heading(ui, row_title(*hovered_).c_str());
  row_facts(ui, *hovered_, 9, hovered_group_);
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
  ui.ids.state("hover", std::to_string(*hovered_));
}

void PointScene::select(const std::vector<glm::vec2>& polygon, bool more) {
  std::vector<std::uint32_t> found = cloud_.points_inside(buffers(), polygon), both;
  if (more) {
    std::set_union(found.begin(), found.end(), selected_->begin(), selected_->end(), std::back_inserter(both));
    found = std::move(both);
  }
  ++calls_;
  select_rows(std::make_shared<std::vector<std::uint32_t>>(std::move(found)));
}

void PointScene::select_rows(RowSet rows, std::vector<RowFilter> filters) {
  ++choices_;
  selected_ = std::move(rows);
  filters_ = std::move(filters);
  cloud_.set_selection(*selected_);
}

void PointScene::select_by(std::vector<RowFilter> filters) {
  if (filters.empty()) return select_rows(std::make_shared<std::vector<std::uint32_t>>());
  ++choices_;
  filters_ = std::move(filters);
  if (!filtering_) pass_filters();
}

// The rows are found in the background, one set of filters at a time; if there are others by then, theirs come next.
void PointScene::pass_filters() {
  filtering_ = true;
  setup_.jobs.post(alive_, [this, data = data_, filters = filters_]() -> JobQueue::Then {
    auto found = std::make_shared<std::vector<std::uint32_t>>(rows_passing(data->table, filters));
    return [this, data, filters, found] {
      filtering_ = false;
      if (filters_.empty()) return;
      if (data == data_) select_rows(found, filters_);
      if (data != data_ || filters != filters_) pass_filters();
    };
  });
  if (setup_.repeatable) setup_.jobs.drain();
}

void PointScene::choose_rows(const RowRequest& request) {
  if (!data_) return;
  if (request.select) select_rows(request.select);
  if (request.filters) select_by(*request.filters);
  if (!request.keep || *request.keep >= buffers().count) return;
  kept_ = request.keep;
  mark();
  flight_ = Flight{.row = *kept_, .readback = render::Readback(sizeof(float) * buffers().row())};
}

// A row that is in sight already stays where it is. The user's own moves end the flight.
void PointScene::fly() {
  if (!flight_) return;
  constexpr double flight_seconds = 0.4;
  Flight& flight = *flight_;
  if (!flight.place) {
    const render::PointBuffers points = buffers();
    const std::size_t bytes = sizeof(float) * points.row();
    if (flight.row >= points.count) return flight_.reset();
    if (!flight.readback.under_way())
      flight.readback.request(points.positions.buffer, points.positions.offset + GLintptr(flight.row * bytes));
    const std::uint32_t* words = flight.readback.take(setup_.repeatable);
    if (!words) return;
    glm::vec3 place(0);
    for (int axis = 0; axis < dimensions_; ++axis)
      if (const int column = points.columns[std::size_t(axis)]; column >= 0)
        place[axis] = std::bit_cast<float>(words[column]);
    const glm::vec4 clip = camera_.clip_from_world() * glm::vec4(place, 1);
    constexpr float inner = 0.9f;
    const bool in_sight = clip.w > 0 && std::abs(clip.x) < inner * clip.w && std::abs(clip.y) < inner * clip.w;
    if (in_sight || !std::isfinite(place.x + place.y + place.z)) return flight_.reset();
    flight.place = place;
    flight.begun = now_;
    flight.from = flight.last = camera_.state();
  }
  if (camera_.state() != flight.last) return flight_.reset();
  const float part = setup_.repeatable ? 1 : float(std::min(1.0, (now_ - flight.begun) / flight_seconds));
  flight.last.target = glm::mix(flight.from.target, *flight.place, glm::smoothstep(0.f, 1.f, part));
  camera_.set_state(flight.last);
  if (part >= 1) flight_.reset();
}

// False if nothing was chosen.
bool PointScene::choose_nothing() {
  if (!has_choice()) return false;
  kept_ = std::nullopt;
  mark();
  select_by({});
  return true;
}

void PointScene::selection_details(Ui& ui) {
  if (selected_->empty()) return;
  heading(ui, "Selected rows");
  fact(ui, fmt::format("{:.3g} % of all", 100.0 * double(selected_->size()) / double(data_->points)).c_str(),
       sim::with_commas(selected_->size()));
  if (!data_->labels.empty()) {
    gap(ui, 4);
    fact(ui, data_->label_name.empty() ? "Class" : data_->label_name.c_str(), "Rows");
    std::vector<std::size_t> counts(data_->label_names.size(), 0);
    for (const std::uint32_t row : *selected_) ++counts[data_->labels[row]];
    constexpr std::size_t most = 8;
    std::size_t found = 0;
    for (std::size_t label = 0; label < counts.size(); ++label)
      if (counts[label] > 0 && ++found <= most)
        fact(ui, data_->label_names[label].c_str(), sim::with_commas(counts[label]));
    if (found > most) caption(ui, ("and " + sim::with_commas(found - most) + " more").c_str());
  }
  gap(ui, 4);
  if (button(ui, "save-selection", "Save rows", "Save the selected rows as CSV, next to the data"))
    requests_.table = [data = data_, rows = selected_] { return rows_of(*data, *rows); };
  ImGui::SameLine();
  if (button(ui, "save-table", "Save table",
             "Save all rows as CSV, next to the data, with a column that is 1 where a row is selected and else 0"))
    requests_.table = [data = data_, rows = selected_] { return table_with_selection(*data, *rows); };
  ImGui::SameLine();
  if (button(ui, "forget-selection", "Clear", "Clear the selection")) select_by({});
  gap(ui, 16);
}

void PointScene::details(Ui& ui) {
  if (data_) selection_details(ui);
  if (!kept_ || !data_ || *kept_ >= data_->points) return;
  heading(ui, row_title(*kept_).c_str());
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ui.px(32));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(4));
  if (icon_button(ui, "forget-row", Icon::close, "Deselect the row")) {
    kept_ = std::nullopt;
    mark();
    return;
  }
  // The list has its own scroll bar, so that what is below it stays within reach.
  const std::size_t facts = data_->table.columns.size() + (colouring_layer() ? 1 : 0);
  const float height = ui.px(24) * std::clamp(float(facts), 1.f, 9.f);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  ImGui::BeginChild("row", {0, height});
  row_facts(ui, *kept_, 200, kept_group_);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  gap(ui, 16);
  for (const auto& layer : layers_) layer->row_details(ui, *kept_);
}

}  // namespace kinescope::app
