#include "app/panels/reading_panel.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/data_panel.hpp"
#include "kinescope/data/made.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t most_rows = 5, most_columns = 24;
constexpr float heading_height = 24, row_height = 20, widest_cell = 120;

std::string cell_text(const sim::Column& column, std::size_t row) {
  if (sim::is_missing(column, row)) return "–";
  const std::string text = column.texts.empty() ? number_text(double(column.numbers[row]), 6) : column.texts[row];
  return printable(text, 60);
}

const std::vector<sim::ReadingGuess>& guesses_of(const sim::Dataset& data) {
  static const std::vector<sim::ReadingGuess> none;
  return data.findings && data.findings->text_reading ? data.findings->text_reading->guesses : none;
}

}  // namespace

std::string reading_id(const sim::ReadingGuess& guess, std::size_t other) {
  return "reading." + guess.what + "." + std::to_string(other + 1);
}

void ReadingPanel::learn(const sim::Dataset& data) {
  cells_.clear();
  doubtful_ = std::ranges::any_of(guesses_of(data), [](const auto& guess) { return !guess.sure; });
  const sim::Table& table = data.table;
  const bool shown = data.findings && !data.picture && !sim::is_made(table.source);
  const std::size_t columns = shown ? std::min(table.columns.size(), most_columns) : 0;
  further_columns_ = shown ? table.columns.size() - columns : 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const sim::Column& column = table.columns[c];
    std::vector<std::string>& cells = cells_.emplace_back();
    cells.push_back(printable(column.name, 60));
    const auto& found = data.findings->columns;
    cells.emplace_back(c < found.size() ? sim::column_kind_name(found[c].kind) : "");
    for (std::size_t row = 0; row < std::min(table.rows, most_rows); ++row) cells.push_back(cell_text(column, row));
  }
  if (source_ == table.source) return;  // a person may have closed the panel
  source_ = table.source;
  open_ = doubtful_;
  content_ = 0;
}

float ReadingPanel::height(Ui& ui, const Session& session, float most) {
  if (known_ != session.data()) {
    known_ = session.data();
    if (known_)
      learn(*known_);
    else
      cells_.clear();
  }
  if (!known_ || (cells_.empty() && guesses_of(*known_).empty())) return 0;
  const float closed = ui.px(heading_height + 8), part = std::floor(0.5f * most);
  if (!open_) return std::min(closed, most);
  return std::clamp(closed + content_, std::min(closed, most), std::max(part, std::min(closed, most)));
}

void ReadingPanel::draw(Ui& ui, Session& session) {
  if (!known_) return;
  draw_heading(ui);
  if (!open_) return;
  ImGui::BeginChild("reading-content", {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  const float begin = ImGui::GetCursorPosY();
  for (const sim::ReadingGuess& guess : guesses_of(*known_)) draw_guess(ui, session, guess);
  draw_rows(ui);
  content_ = ImGui::GetCursorPosY() - begin + ui.px(8);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

void ReadingPanel::draw_heading(Ui& ui) {
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(heading_height);
  if (pressable("reading", {width, height})) open_ = !open_;
  const ImVec2 low = ImGui::GetItemRectMin();
  const bool hovered = ImGui::IsItemHovered();
  ui.ids.last_item("reading");
  help_for_last_item(ui, "The first rows as they are read, and what was guessed about the file");
  if (keys_for_last_item(ui, "reading").press) open_ = !open_;
  ui.ids.state("reading", open_ ? "open" : "closed");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = hovered ? ui.theme->accent : ui.theme->ink_dim;
  const float u = ui.scale;
  const ImVec2 c{low.x + 6 * u, low.y + 0.5f * height};
  if (open_)
    list->AddTriangleFilled({c.x - 5 * u, c.y - 3 * u}, {c.x + 5 * u, c.y - 3 * u}, {c.x, c.y + 4 * u}, ink);
  else
    list->AddTriangleFilled({c.x - 3 * u, c.y - 5 * u}, {c.x + 4 * u, c.y}, {c.x - 3 * u, c.y + 5 * u}, ink);
  const float text = low.y + 0.5f * (height - ui.fonts.strong->FontSize);
  write_text(list, ui.fonts.strong, {low.x + 20 * u, text}, ui.theme->ink, "As it is read");
  std::string note = known_->findings ? known_->findings->format : "";
  if (doubtful_) note = "please check";
  ImFont* font = ui.fonts.caption;
  note = shortened(font, note, width - width_of(ui.fonts.strong, "As it is read") - ui.px(36));
  write_text(list, font, {low.x + width - width_of(font, note), low.y + 0.5f * (height - font->FontSize)},
             doubtful_ ? ui.theme->warning : ui.theme->ink_dim, note);
}

// What was taken, and a button for each other way.
void ReadingPanel::draw_guess(Ui& ui, Session& session, const sim::ReadingGuess& guess) {
  const std::string what = guess.kind == sim::ReadingGuess::Kind::column ? sim::shown(guess.what) : guess.what;
  const std::string taken =
      printable(what) + ": " + (guess.sure ? "" : "probably ") + printable(lower_first(guess.taken));
  const std::string reason = guess.reason.empty() ? "" : upper_first(printable(guess.reason)) + ".\n";
  if (guess.others.empty()) {
    caption(ui, taken.c_str());
    if (!reason.empty()) help_for_last_item(ui, reason.substr(0, reason.size() - 1).c_str());
  }
  for (std::size_t i = 0; i < guess.others.size(); ++i) {
    const sim::OtherReading& other = guess.others[i];
    const std::string help = reason + printable(other.text) + ": " + printable(other.option);
    if (!offer(ui, reading_id(guess, i).c_str(), i == 0 ? taken : "or", printable(other.text), help)) continue;
    sim::DataRequest request = session.request();
    request.format = other.format;
    request.columns.clear();  // their names and types may be others
    request.categories.clear();
    request.label.clear();
    session.open(std::move(request));
    return;
  }
}

// A column of the table under the other: its name, its type, its first values.
void ReadingPanel::draw_rows(Ui& ui) const {
  if (cells_.empty()) return;
  ImFont *strong = ui.fonts.strong, *font = ui.fonts.caption;
  const float height = ui.px(row_height) * float(cells_.front().size()) + ui.px(4);
  ImGui::BeginChild("reading-rows", {0, height + ui.px(12)}, false, ImGuiWindowFlags_HorizontalScrollbar);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  float x = origin.x;
  for (const std::vector<std::string>& cells : cells_) {
    float width = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      width = std::max(width, width_of(i == 0 ? strong : font, cells[i]) + 1);
    width = std::min(width, ui.px(widest_cell));
    const bool is_number = cells[1] == "integer" || cells[1] == "real" || cells[1] == "counter";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ImFont* own = i == 0 ? strong : font;
      const std::string text = shortened(own, cells[i], width);
      const float indent = is_number ? width - width_of(own, text) : 0;
      const float y = origin.y + ui.px(row_height) * float(i) + 0.5f * (ui.px(row_height) - own->FontSize);
      write_text(list, own, {x + indent, y}, i == 1 ? ui.theme->ink_dim : ui.theme->ink, text);
    }
    x += width + ui.px(16);
  }
  if (further_columns_ > 0) {
    const std::string more = "and " + sim::count_of(further_columns_, "more column");
    write_text(list, font, {x, origin.y + 0.5f * (ui.px(row_height) - font->FontSize)}, ui.theme->ink_dim, more);
    x += width_of(font, more);
  }
  const float line = origin.y + 2 * ui.px(row_height);
  list->AddRectFilled({origin.x, line}, {x, line + std::max(1.f, std::floor(ui.scale))}, ui.theme->line);
  ImGui::Dummy({x - origin.x, height});
  ui.ids.last_item("reading-rows");
  ImGui::EndChild();
}

}  // namespace kinescope::app
