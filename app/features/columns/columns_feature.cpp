// In the data panel: which column is the label, and a list of all columns: what each holds, how its values are
// distributed, and what it is used for. In scenes that show rows, a drag over the bars selects rows by their values.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/features/feature.hpp"
#include "app/features/table/row_search.hpp"
#include "app/scenes/legend.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr float row_height = 48;
constexpr std::size_t many_columns = 8;  // with more, there are a search field and buttons for all and none

std::string number_of(double number, const std::string& written) {
  return written.empty() ? number_text(number) : written;
}

// "1 – 10", "3 values", "6"
std::string values_text(const sim::ColumnFinding& found) {
  const sim::ColumnStatistics& s = found.statistics;
  if (found.kind == sim::ColumnKind::empty) return "no values";
  if (found.kind == sim::ColumnKind::categories || found.kind == sim::ColumnKind::texts)
    return sim::with_commas(s.values) + (s.all_rows || found.kind == sim::ColumnKind::categories ? "" : " or more") +
           (s.values == 1 ? " value" : " values");
  const std::string low = number_of(s.low, s.low_text), high = number_of(s.high, s.high_text);
  return low == high ? low : low + " – " + high;
}

std::string flag_of(const sim::ColumnFinding& found) {
  const bool texts = found.kind == sim::ColumnKind::texts;
  if (found.constant || (texts && found.statistics.values == 1)) return "constant";
  if (found.kind == sim::ColumnKind::counter) return "row number";
  const bool may_name = texts || found.kind == sim::ColumnKind::integers;
  return may_name && found.statistics.hardly_repeats ? "all differ" : "";
}

const char* meaning_of(const std::string& flag) {
  if (flag == "constant") return "All values are the same, so the column does not change any distance.";
  if (flag == "row number") return "This column seems to number the rows.";
  return "Nearly all values differ, as with names or identifiers.";
}

std::string help_of(const sim::ColumnFinding& found, const std::string& values, const std::string& flag,
                    std::size_t rows) {
  std::string help = fmt::format("{}: {}, {}", found.name, sim::column_kind_name(found.kind), values);
  help += found.missing == 0
              ? "\nNo missing values"
              : fmt::format("\n{} of {} missing", sim::with_commas(found.missing), sim::count_of(rows, "value"));
  const sim::ColumnStatistics& s = found.statistics;
  for (std::size_t i = 0; i < std::min<std::size_t>(s.names.size(), 6); ++i)
    help += fmt::format("\n{:.3g} %  {}", 100.0 * s.bars[i] / double(s.looked_at), s.names[i].substr(0, 60));
  if (s.names.size() > 6) help += "\n…";
  if (!flag.empty()) help += std::string("\n") + meaning_of(flag);
  return help + "\nClick to change its use or type";
}

// Whether each bar is one of few whole numbers (sim::statistics_of).
bool values_are_bars(const sim::ColumnFinding& found) {
  const sim::ColumnStatistics& s = found.statistics;
  return (found.kind != sim::ColumnKind::reals || s.bars.size() == 1) && s.high - s.low == double(s.bars.size()) - 1;
}

// The values at the ends of the bars; those of whole numbers reach half a number further.
std::pair<double, double> value_range(const sim::ColumnFinding& found) {
  const double more = values_are_bars(found) ? 0.5 : 0;
  return {found.statistics.low - more, found.statistics.high + more};
}

class ColumnsFeature : public Feature {
 public:
  ColumnsFeature() {
    adds_.sections = {{Section::Panel::data, [this](Ui& ui) { draw_label(ui); }},
                      {Section::Panel::below_data, [this](Ui& ui) { draw_columns(ui); }}};
  }

  void begin_run(const BegunRun& run) override {
    if (run.data && run.data != data_) learn(run);
  }
  void update(const FrameTime& time) override {
    shows_rows_ = time.rows.has_value();
    filters_ = time.rows ? time.rows->filters : std::vector<RowFilter>();
  }

 private:
  struct Row {
    const sim::ColumnFinding* finding = nullptr;
    bool can_be_used = false;  // in distances
    bool numbers_as_categories = false;
    std::string values;  // "1 – 10", "3 values"
    std::string flag;    // what is odd about them, or ""
    std::string help;
  };
  void learn(const BegunRun& run);
  std::string title() const;
  std::vector<std::string> used() const;
  sim::DataRequest& changed();
  void draw_label(Ui& ui);
  void draw_columns(Ui& ui);
  void draw_list(Ui& ui, float height);
  void find(Ui& ui);
  void draw_row(Ui& ui, std::size_t index);
  void draw_use(Ui& ui, std::size_t index, ImVec2 low, ImVec2 size);
  void draw_words(Ui& ui, const Row& row, bool strong, ImVec2 low, float right) const;
  void draw_menu(Ui& ui, std::size_t index);
  void draw_bars(Ui& ui, const Row& row, bool strong, ImVec2 low, ImVec2 high) const;
  bool can_be_filtered(const Row& row) const;
  const RowFilter* filter_of(const sim::ColumnFinding& found) const;
  void brush(Ui& ui, const Row& row, ImVec2 low, ImVec2 high);
  RowFilter brushed(const sim::ColumnFinding& found, double from, double to) const;

  std::shared_ptr<const sim::Dataset> data_;
  sim::DataRequest request_;         // with which they were opened
  std::vector<std::string> labels_;  // what the label can be
  std::vector<Row> rows_;
  std::vector<char> used_, used_before_;  // [rows]; whether each is ticked, and whether it is used now
  std::vector<std::size_t> shown_;        // indices of the rows whose names match typed_
  std::string typed_;
  bool open_ = false;  // the list is unfolded
  bool shows_rows_ = false;
  std::vector<RowFilter> filters_;           // by which the rows are selected
  std::vector<std::string> brushed_before_;  // the categories that had passed when a drag began
};

// O(columns).
void ColumnsFeature::learn(const BegunRun& run) {
  data_ = run.data;
  request_ = run.request;
  labels_ = {std::string(sim::no_label)};
  for (const sim::Column& column : data_->table.columns) labels_.push_back(column.name);
  rows_.clear();
  used_.clear();
  typed_.clear();
  if (data_->findings)
    for (const sim::ColumnFinding& found : data_->findings->columns) {
      Row row{&found};
      const bool table = request_.reading != sim::Reading::matrix && request_.reading != sim::Reading::graph;
      row.can_be_used = table && !data_->sparse() && !data_->graph && found.kind != sim::ColumnKind::texts &&
                        found.kind != sim::ColumnKind::empty;
      const auto& names = request_.categories;
      row.numbers_as_categories = std::find(names.begin(), names.end(), found.name) != names.end();
      row.values = values_text(found);
      row.flag = flag_of(found);
      row.help = help_of(found, row.values, row.flag, data_->findings->rows);
      rows_.push_back(std::move(row));
      used_.push_back(found.use == sim::ColumnUse::distances);
    }
  used_before_ = used_;
  shown_.resize(rows_.size());
  for (std::size_t i = 0; i < shown_.size(); ++i) shown_[i] = i;
}

// "Columns: 3 of 4 used"; "" if there is nothing to choose.
std::string ColumnsFeature::title() const {
  if (rows_.size() < 2) return "";
  const auto able = std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.can_be_used; });
  if (able == 0) return fmt::format("Columns: {}", sim::with_commas(rows_.size()));
  return fmt::format("Columns: {} of {} used", sim::with_commas(used().size()), sim::with_commas(std::size_t(able)));
}

std::vector<std::string> ColumnsFeature::used() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (used_[i]) names.push_back(rows_[i].finding->name);
  return names;
}

// The request that is asked for, to be changed; it uses the columns that are ticked.
sim::DataRequest& ColumnsFeature::changed() {
  requests_.open = request_;
  if (used_ != used_before_) requests_.open->columns = used();
  return *requests_.open;
}

void ColumnsFeature::draw_label(Ui& ui) {
  if (labels_.size() < 2) return;
  const auto at = std::ranges::find(labels_, data_->label_name);
  std::size_t index = at == labels_.end() ? 0 : std::size_t(at - labels_.begin());
  if (!choice(ui, "label", "Label",
              "The column with the classes; a column that is chosen here is not used for distances", labels_, index))
    return;
  requests_.open = request_;
  requests_.open->label = labels_[index];
  std::erase(requests_.open->columns, labels_[index]);
}

void ColumnsFeature::draw_columns(Ui& ui) {
  const std::string title = this->title();
  if (title.empty()) return;
  if (button(ui, "columns", title.c_str(), "What each column contains, and which columns are used for distances",
             ButtonKind::plain, -1)) {
    open_ = !open_;
    if (open_) ImGui::SetScrollHereY(0);  // the list needs the room below
  }
  if (open_) draw_list(ui, 0.5f * ImGui::GetIO().DisplaySize.y);
}

void ColumnsFeature::draw_list(Ui& ui, float height) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  if (rows_.size() > many_columns) find(ui);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  ImGui::BeginChild("column-list", {0, std::min(float(shown_.size()) * ui.px(row_height), height)});
  ImGuiListClipper clipper;
  clipper.Begin(int(shown_.size()), ui.px(row_height));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(ui, shown_[std::size_t(i)]);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (used_ != used_before_ && button(ui, "apply-columns", "Use these columns", "Restart with the chosen columns",
                                      ButtonKind::primary, -1, !used().empty()))
    changed();
  ImGui::PopStyleVar();
}

// Draws the search field, and buttons that use all the columns found, or none of them.
void ColumnsFeature::find(Ui& ui) {
  const std::string before = typed_;
  text_field(ui, "find-column", "Find a column", "Shows the columns whose names contain this", typed_);
  if (typed_ != before) {
    shown_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (contains_ignoring_case(rows_[i].finding->name, typed_)) shown_.push_back(i);
  }
  const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ui.px(8));
  const auto use_all = [&](bool use) {
    for (const std::size_t i : shown_)
      if (rows_[i].can_be_used && rows_[i].finding->use != sim::ColumnUse::label) used_[i] = use;
  };
  if (button(ui, "use-all", "Use all", "Use all columns of this list", ButtonKind::plain, half)) use_all(true);
  ImGui::SameLine();
  if (button(ui, "use-none", "Use none", "Use no column of this list", ButtonKind::plain, half)) use_all(false);
}

// Draws one column: on the left its use, then two lines of text, and on the right the distribution of its values.
void ColumnsFeature::draw_row(Ui& ui, std::size_t index) {
  const Row& row = rows_[index];
  const bool strong = used_[index] || row.finding->use == sim::ColumnUse::label;
  ImGui::PushID(int(index));
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(row_height), mark = ui.px(24);
  draw_use(ui, index, low, {mark, height});
  ImGui::SameLine(0, 0);
  const float bars = std::clamp(std::round(0.24f * width), ui.px(56), ui.px(120)), right = low.x + width - ui.px(4);
  const bool filters = can_be_filtered(row);
  if (pressable("row", {filters ? right - bars - ui.px(8) - low.x - mark : width - mark, height}))
    ImGui::OpenPopup("menu");
  ui.ids.last_item(("column-row." + row.finding->name).c_str());
  help_for_last_item(ui, row.help.c_str());
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled({low.x + mark - ui.px(4), low.y + ui.px(2)},
                                              {low.x + width, low.y + height - ui.px(2)}, ui.theme->control,
                                              ui.px(corner));
  draw_words(ui, row, strong, {low.x + mark, low.y}, right - bars - ui.px(8));
  const ImVec2 bars_low{right - bars, low.y + ui.px(10)}, bars_high{right, low.y + height - ui.px(12)};
  draw_bars(ui, row, strong, bars_low, bars_high);
  draw_menu(ui, index);
  if (filters) brush(ui, row, bars_low, bars_high);
  ImGui::PopID();
}

// Draws a box to tick, or a disc if the column is the label.
void ColumnsFeature::draw_use(Ui& ui, std::size_t index, ImVec2 low, ImVec2 size) {
  const sim::ColumnFinding& found = *rows_[index].finding;
  const bool label = found.use == sim::ColumnUse::label, box = rows_[index].can_be_used && !label;
  const bool pressed = pressable("use", size), hovered = ImGui::IsItemHovered();
  if (box) {
    const std::string id = "column." + found.name;
    ui.ids.last_item(id.c_str());
    if (keys_for_last_item(ui, id.c_str()).press || pressed) used_[index] = !used_[index];
  }
  help_for_last_item(ui, label               ? "This column colours the points"
                         : !box              ? "This column is shown with a point, but not used for distances"
                         : used_[index] != 0 ? "Used for distances"
                                             : "Not used for distances");
  const Theme& t = *ui.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float side = ui.px(16), top = low.y + 0.5f * (size.y - side);
  const ImVec2 from{low.x, top}, to{low.x + side, top + side};
  if (box && used_[index]) {
    list->AddRectFilled(from, to, hovered ? t.accent_hovered : t.accent, ui.px(corner));
    const ImVec2 tick[] = {{from.x + 0.24f * side, from.y + 0.52f * side},
                           {from.x + 0.43f * side, from.y + 0.7f * side},
                           {from.x + 0.77f * side, from.y + 0.31f * side}};
    list->AddPolyline(tick, 3, t.on_accent, 0, 1.8f * ui.scale);
  } else if (box) {
    list->AddRect(from, to, hovered ? t.ink : t.ink_dim, ui.px(corner), 0, 1.2f * ui.scale);
  } else if (label) {
    list->AddCircleFilled({low.x + 0.5f * side, top + 0.5f * side}, ui.px(5), t.accent, 24);
  }
}

// Draws the name and the number of missing values; below them the type and the values. Oddities are in the warning
// colour. The values of a column in which nearly all differ are replaced by that remark.
void ColumnsFeature::draw_words(Ui& ui, const Row& row, bool strong, ImVec2 low, float right) const {
  const sim::ColumnFinding& found = *row.finding;
  const Theme& t = *ui.theme;
  ImFont *text = ui.fonts.text, *small = ui.fonts.caption;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float first = low.y + ui.px(6), second = low.y + ui.px(26);
  const bool gaps = found.missing > 0 && found.kind != sim::ColumnKind::empty;
  const std::string missing = gaps ? sim::count_of(found.missing, "gap") : "";
  const float missing_width = gaps ? width_of(small, missing) : 0;
  write_text(list, small, {right - missing_width, first + ui.px(1)}, t.warning, missing);
  write_text(list, text, {low.x, first}, strong ? t.ink : t.ink_dim,
             shortened(text, found.name, right - low.x - missing_width - (gaps ? ui.px(8) : 0)));

  const bool label = found.use == sim::ColumnUse::label, counter = found.kind == sim::ColumnKind::counter;
  const bool odd = !row.flag.empty() && !counter;
  std::string kind = std::string(label ? "label" : sim::column_kind_name(found.kind)) + " · ";
  const std::string values = !odd ? row.values : found.constant ? row.flag + " " + row.values : row.flag;
  const bool dates = found.kind == sim::ColumnKind::dates && !label;
  if (dates && width_of(small, kind + values) > right - low.x) kind.clear();  // dates tell by themselves what they are
  const ImU32 plain = label ? t.accent : t.ink_dim;
  write_text(list, small, {low.x, second}, counter && strong ? t.warning : plain, kind);
  const float after = low.x + width_of(small, kind);
  write_text(list, small, {after, second}, odd ? t.warning : plain, shortened(small, values, right - after));
}

void ColumnsFeature::draw_bars(Ui& ui, const Row& row, bool strong, ImVec2 low, ImVec2 high) const {
  const std::vector<std::uint32_t>& bars = row.finding->statistics.bars;
  const std::vector<std::string>& names = row.finding->statistics.names;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thick = std::max(1.f, std::floor(ui.scale));
  list->AddRectFilled({low.x, high.y}, {high.x, high.y + thick}, ui.theme->line);
  const bool alike = row.finding->kind == sim::ColumnKind::texts && row.finding->statistics.hardly_repeats;
  if (bars.empty() || alike) return;  // nearly every value would have a bar of its own
  const double most = *std::max_element(bars.begin(), bars.end());
  // Bars of equal width in whole pixels; bars of texts have gaps between them and are at most an eighth of the room
  // wide.
  const bool texts = !names.empty();
  const float parts = texts ? std::max(8.f, float(bars.size())) : float(bars.size());
  const float each = (high.x - low.x) / parts, space = texts || bars.size() < 12 ? thick : 0;
  const ImU32 colour = strong ? ui.theme->accent : ui.theme->ink_dim;
  const RowFilter* const filter = filter_of(*row.finding);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    if (bars[i] == 0) continue;
    const float tall = std::max(thick, std::round((high.y - low.y) * float(bars[i] / most)));
    const float begin = std::round(low.x + each * float(i)), end = std::round(low.x + each * float(i + 1)) - space;
    const bool passes = !filter || !texts || std::ranges::find(filter->texts, names[i]) != filter->texts.end();
    list->AddRectFilled({begin, high.y - tall}, {std::max(end, begin + 1), high.y},
                        passes ? colour : with_alpha(colour, 90));
  }
  if (!filter || texts) return;
  // The part of the range that passes.
  const std::pair<double, double> range = value_range(*row.finding);
  const auto x_of = [&](double value) {
    return std::round(low.x + (high.x - low.x) *
                                  float(std::clamp((value - range.first) / (range.second - range.first), 0.0, 1.0)));
  };
  const double whole = values_are_bars(*row.finding) ? 0.5 : 0;
  const float left = x_of(filter->low - whole), right = std::max(x_of(filter->high + whole), left + thick);
  list->AddRectFilled({left, low.y - ui.px(4)}, {right, high.y}, with_alpha(ui.theme->ink, 50));
  for (const float x : {left, right - thick})
    list->AddRectFilled({x, low.y - ui.px(4)}, {x + thick, high.y}, ui.theme->ink);
}

bool ColumnsFeature::can_be_filtered(const Row& row) const {
  const sim::ColumnStatistics& s = row.finding->statistics;
  const bool alike = row.finding->kind == sim::ColumnKind::texts && s.hardly_repeats;
  return shows_rows_ && !s.bars.empty() && !alike && (!s.names.empty() || std::isfinite(s.high - s.low)) &&
         data_->table.find(row.finding->name);
}

const RowFilter* ColumnsFeature::filter_of(const sim::ColumnFinding& found) const {
  const auto at = std::ranges::find(filters_, found.name, &RowFilter::column);
  return at == filters_.end() ? nullptr : &*at;
}

// The filter of a drag over this part of the bars, 0 … 1, without its texts.
RowFilter ColumnsFeature::brushed(const sim::ColumnFinding& found, double from, double to) const {
  const auto [low, high] = value_range(found);
  RowFilter filter{.column = found.name, .low = std::lerp(low, high, from), .high = std::lerp(low, high, to)};
  if (values_are_bars(found)) {
    const auto value_at = [&](double part) {
      const auto bars = double(found.statistics.bars.size());
      return found.statistics.low + std::min(std::floor(part * bars), bars - 1);
    };
    filter.low = value_at(from);
    filter.high = value_at(to);
  } else if (found.kind == sim::ColumnKind::dates) {  // whole days
    filter.low = std::floor(filter.low);
    filter.high = std::nextafter(std::floor(filter.high) + 1, filter.low);
  } else if (found.kind != sim::ColumnKind::reals) {
    filter.low = std::ceil(filter.low);
    filter.high = std::max(std::floor(filter.high), filter.low);
  }
  return filter;
}

// A drag over bars of numbers selects a range, one over bars of texts their categories; a click chooses or leaves a
// category, or takes the range away. The filters of other columns stay.
void ColumnsFeature::brush(Ui& ui, const Row& row, ImVec2 low, ImVec2 high) {
  const sim::ColumnFinding& found = *row.finding;
  const std::vector<std::string>& names = found.statistics.names;
  const float around = ui.px(6);
  ImGui::SetCursorScreenPos({low.x, low.y - around});
  pressable("bars", {high.x - low.x, high.y - low.y + 2 * around});
  ui.ids.last_item(("column-bars." + found.name).c_str());
  const auto part_at = [&](float x) { return std::clamp(double((x - low.x) / (high.x - low.x)), 0.0, 1.0); };
  const auto bar_at = [&](float x) {
    const double parts = std::max(8.0, double(names.size()));
    return std::min(std::size_t(part_at(x) * parts), names.size() - 1);
  };
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (names.empty())
    help_for_last_item(ui, (found.name + "\nDrag to select the rows in a range; click to take the range away").c_str());
  else
    help_for_last_item(ui, (names[bar_at(io.MousePos.x)].substr(0, 60) +
                            "\nClick to select the rows of this category, or to leave them; drag over several")
                               .c_str());
  const RowFilter* const now = filter_of(found);
  if (ImGui::IsItemActivated()) brushed_before_ = now ? now->texts : std::vector<std::string>();
  const bool held = ImGui::IsItemActive(), clicked = ImGui::IsItemDeactivated();
  if (!held && !clicked) return;
  const auto [first, last] = std::minmax(io.MouseClickedPos[0].x, io.MousePos.x);
  RowFilter filter = brushed(found, part_at(first), part_at(last));
  bool empty = last - first < ui.px(3);  // a click
  if (held && empty && names.empty()) return;
  if (!held && !empty) return;  // the end of a drag
  if (!names.empty()) {
    if (!held) return;
    filter = {.column = found.name, .texts = brushed_before_};
    const std::size_t begin = bar_at(first), end = bar_at(last);
    for (std::size_t i = begin; i <= end; ++i)
      if (const auto at = std::ranges::find(filter.texts, names[i]); at == filter.texts.end())
        filter.texts.push_back(names[i]);
      else if (begin == end)
        filter.texts.erase(at);
    empty = filter.texts.empty();
  }
  std::vector<RowFilter> all = filters_;
  const auto at = std::ranges::find(all, found.name, &RowFilter::column);
  if (empty && at != all.end())
    all.erase(at);
  else if (!empty && at != all.end())
    *at = filter;
  else if (!empty)
    all.push_back(filter);
  if (all != filters_) requests_.rows.filters = std::move(all);
}

// Draws the menu of the uses and types that make sense for a column.
void ColumnsFeature::draw_menu(Ui& ui, std::size_t index) {
  const Row& row = rows_[index];
  const sim::ColumnFinding& found = *row.finding;
  ImGui::SetNextWindowSizeConstraints({ui.px(200), 0}, {ui.px(360), ui.px(320)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(4), ui.px(4)});
  if (ImGui::BeginPopup("menu")) {
    const bool label = found.use == sim::ColumnUse::label, used = used_[index];
    const auto item = [&](const char* id, const char* text, bool now) {
      const bool pressed = list_row(ui, id, text, "", now) && !now;
      if (pressed) ImGui::CloseCurrentPopup();
      return pressed;
    };
    caption(ui, shortened(ui.fonts.caption, "  " + found.name, ui.px(340)).c_str());
    if (row.can_be_used && item("column-use.distances", "Use for distances", used && !label)) {
      used_[index] = true;
      if (label) {
        std::vector<std::string> columns = this->used();
        sim::DataRequest& request = changed();
        request.columns = std::move(columns);
        request.label = sim::no_label;
      }
    }
    if (found.kind != sim::ColumnKind::empty && item("column-use.label", "Label: it colours the points", label)) {
      used_[index] = false;
      sim::DataRequest& request = changed();
      request.label = found.name;
      std::erase(request.columns, found.name);
    }
    if (item("column-use.shown", "Only shown with a point", !used && !label)) {
      used_[index] = false;
      if (label) changed().label = sim::no_label;
    }
    const sim::ColumnStatistics& s = found.statistics;
    const bool numbers = found.kind == sim::ColumnKind::integers || found.kind == sim::ColumnKind::reals;
    const bool few = s.values >= 2 && s.values <= sim::most_categories && s.values < s.looked_at;
    if (row.numbers_as_categories || (numbers && few)) {
      gap(ui, 4);
      // Names the columns in use in the request, so that a change of type does not change whether this column is used.
      const auto with_columns = [&]() -> sim::DataRequest& {
        sim::DataRequest& request = changed();
        request.columns = this->used();
        return request;
      };
      if (item("column-type.numbers", "Read as numbers", !row.numbers_as_categories))
        std::erase(with_columns().categories, found.name);
      if (item("column-type.categories", "Read as categories", row.numbers_as_categories))
        with_columns().categories.push_back(found.name);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

FeatureKind columns_feature() {
  return {.make = [](const SceneSetup&) -> std::unique_ptr<Feature> { return std::make_unique<ColumnsFeature>(); }};
}

}  // namespace kinescope::app
