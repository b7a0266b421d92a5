// The tab Rows: the rows of the data as a table, sorted and searched; the filters that select; and in which columns the
// selected rows differ from the rest.
#include <algorithm>
#include <atomic>
#include <fmt/core.h>
#include <memory>
#include <stop_token>
#include <string>

#include "app/features/feature.hpp"
#include "app/features/table/differences_list.hpp"
#include "app/features/table/row_order.hpp"
#include "app/features/table/row_table.hpp"
#include "app/io/output.hpp"
#include "app/runs/job_queue.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr float least_table_height = 180, rows_width = 400;  // design pixels

std::string number_of_filter(const sim::Column* column, double number) {
  return column && sim::holds_dates(*column) ? sim::date_text(number) : number_text(number, 4);
}

// "width 1.2 – 2.5", "species setosa, virginica"
std::string words_of(const RowFilter& filter, const sim::Table& table) {
  if (!filter.texts.empty()) {
    std::vector<std::string> names = filter.texts;
    std::ranges::replace(names, std::string(), "missing");
    return printable(filter.column + " " + sim::listed(names, 3), 200);
  }
  const sim::Column* column = table.find(filter.column);
  const std::string low = number_of_filter(column, filter.low), high = number_of_filter(column, filter.high);
  return printable(filter.column, 100) + " " + (low == high ? low : low + " – " + high);
}

class TableFeature : public Feature {
 public:
  explicit TableFeature(bool wait) : wait_(wait) {
    const auto offered = [this] { return is_offered(); };
    adds_.tabs = {{.title = "Rows",
                   .draw = [this](Ui& ui) { draw(ui); },
                   .offered = offered,
                   .calls = [this] { return searches_; },
                   .width = rows_width}};
    adds_.find = [this] {
      if (!is_offered()) return false;
      ++searches_;
      begin_typing_ = true;
      if (view_ == differing) view_ = all;
      return true;
    };
  }
  ~TableFeature() override {
    stop_.request_stop();
    stop_comparing_.request_stop();
  }

  void begin_run(const BegunRun& run) override;
  void update(const FrameTime& time) override;
  bool moving() const override { return jobs_.busy() || comparing_jobs_.busy() || begin_typing_; }

 private:
  enum View : std::size_t { all, selected, differing };

  bool is_offered() const { return shows_rows_ && data_ && !data_->table.columns.empty(); }
  void arrange();
  void compare();
  void draw(Ui& ui);
  void draw_filters(Ui& ui);
  void draw_search(Ui& ui);
  void draw_count(Ui& ui);
  void draw_comparison(Ui& ui);
  void keep(std::uint32_t row) { requests_.rows.keep = row; }
  void keep_next();

  const bool wait_;
  std::shared_ptr<const sim::Dataset> data_;
  bool shows_rows_ = false;
  ChosenRows chosen_;
  std::size_t view_ = all;
  std::string typed_;
  bool begin_typing_ = false;
  long searches_ = 0;
  std::optional<Sorting> sorting_;
  std::optional<std::uint32_t> seen_kept_;
  Arrangement asked_;
  std::shared_ptr<const Arrangement> shown_ = std::make_shared<Arrangement>();
  std::stop_source stop_, stop_comparing_;
  RowTable table_;

  RowSet compared_;                                             // the selection that was or is compared
  std::shared_ptr<const std::vector<Difference>> differences_;  // null: not known yet
  std::atomic<std::size_t> columns_done_ = 0;

  // Destroyed first, because their jobs use the members above.
  JobQueue jobs_, comparing_jobs_;
};

void TableFeature::begin_run(const BegunRun& run) {
  if (run.data == data_) return;
  data_ = run.data;
  stop_.request_stop();
  stop_comparing_.request_stop();
  sorting_.reset();
  typed_.clear();
  table_.forget();
  compared_ = nullptr;
  asked_ = {};
  asked_.data = data_;
  shown_ = std::make_shared<Arrangement>(asked_);
}

void TableFeature::update(const FrameTime& time) {
  jobs_.poll();
  comparing_jobs_.poll();
  shows_rows_ = time.rows.has_value();
  if (!is_offered()) return;
  chosen_ = *time.rows;
  arrange();
  if (chosen_.kept != seen_kept_) {
    seen_kept_ = chosen_.kept;
    if (const auto place = seen_kept_ ? shown_->place_of(*seen_kept_) : std::nullopt) table_.show_place(*place);
  }
}

// Asks for the rows that are to be shown, unless they were asked for already. What was asked for before is stopped.
void TableFeature::arrange() {
  Arrangement asked;
  asked.data = data_;
  if (view_ == selected) asked.among = chosen_.selected;
  asked.part = typed_;
  asked.sorting = sorting_;
  if (asked.asks_the_same(asked_)) return;
  asked_ = asked;
  stop_.request_stop();
  stop_ = {};
  jobs_.post([this, asked, before = shown_, stop = stop_.get_token()]() -> JobQueue::Then {
    if (stop.stop_requested()) return {};
    std::shared_ptr<const Arrangement> found;
    try {
      found = arranged(asked, *before, stop);
    } catch (const std::bad_alloc&) {  // the table stays as it is
    }
    return [this, asked, found] {
      if (!found || !asked.asks_the_same(asked_)) return;
      const bool other_order = shown_->sorting != found->sorting || shown_->part != found->part;
      shown_ = found;
      if (other_order) table_.show_place(seen_kept_ ? found->place_of(*seen_kept_).value_or(0) : 0);
    };
  });
  if (wait_) jobs_.drain();
}

void TableFeature::compare() {
  if (compared_ == chosen_.selected) return;
  compared_ = chosen_.selected;
  differences_ = nullptr;
  columns_done_ = 0;
  stop_comparing_.request_stop();
  stop_comparing_ = {};
  const auto none = [] { return std::make_shared<const std::vector<Difference>>(); };
  comparing_jobs_.post(
      [this, data = data_, rows = compared_, none, stop = stop_comparing_.get_token()]() -> JobQueue::Then {
        if (stop.stop_requested()) return {};
        auto found = none();
        try {
          columns_done_ = 0;
          found = std::make_shared<const std::vector<Difference>>(differences(data->table, *rows, columns_done_, stop));
        } catch (const std::bad_alloc&) {
        }
        if (stop.stop_requested()) return {};
        return [this, rows, found] {
          if (rows == compared_) differences_ = found;
        };
      });
  if (wait_) comparing_jobs_.drain();
}

// The next row of those shown after the one that is kept; after the last comes the first.
void TableFeature::keep_next() {
  if (shown_->size() == 0) return;
  const auto place = chosen_.kept ? shown_->place_of(*chosen_.kept) : std::nullopt;
  keep(shown_->row(place ? (*place + 1) % shown_->size() : 0));
}

void TableFeature::draw(Ui& ui) {
  segments(ui, "rows", "", "All rows, the selected ones, or in which columns the selected ones differ from the rest",
           {"All", "Selected", "Differences"}, view_);
  gap(ui, 4);
  draw_filters(ui);
  if (view_ == differing) return draw_comparison(ui);
  draw_search(ui);
  draw_count(ui);
  const float height = std::max(ui.px(least_table_height), ImGui::GetContentRegionAvail().y);
  const RowTable::Clicked clicked = table_.draw(ui, *shown_, chosen_, height);
  if (clicked.row) keep(*clicked.row);
  if (clicked.header) {
    const bool same = sorting_ && sorting_->column == *clicked.header;
    if (same && sorting_->descending)
      sorting_.reset();
    else
      sorting_ = {*clicked.header, same};
  }
  ui.ids.state("rows.kept", chosen_.kept ? std::to_string(*chosen_.kept) : "none");
}

// Each filter is a button that removes it.
void TableFeature::draw_filters(Ui& ui) {
  const float all_width = ImGui::GetContentRegionAvail().x;
  float x = 0;
  ImFont* font = ui.fonts.caption;
  for (std::size_t i = 0; i < chosen_.filters.size(); ++i) {
    const std::string words = words_of(chosen_.filters[i], data_->table);
    const float cross = ui.px(20), width = std::min(all_width, width_of(font, words) + ui.px(12) + cross);
    if (i > 0 && x + width <= all_width)
      ImGui::SameLine(0, ui.px(8));
    else
      x = 0;
    x += width + ui.px(8);
    const bool pressed = pressable(("filter" + std::to_string(i)).c_str(), {width, ui.px(24)});
    const std::string id = "filter." + chosen_.filters[i].column;
    ui.ids.last_item(id.c_str());
    help_for_last_item(ui, (words + "\nRemove this filter").c_str());
    const bool removes = keys_for_last_item(ui, id.c_str()).press || pressed;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float u = ui.scale;
    const ImVec2 c{high.x - 0.5f * cross - u, 0.5f * (low.y + high.y)};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, ImGui::IsItemHovered() ? ui.theme->control_hovered : ui.theme->control, ui.px(12));
    write_text(list, font, {low.x + ui.px(10), low.y + 0.5f * (ui.px(24) - font->FontSize)}, ui.theme->ink,
               shortened(font, words, width - cross - ui.px(12)));
    for (const float way : {-1.f, 1.f})
      list->AddLine({c.x - 3 * u, c.y - way * 3 * u}, {c.x + 3 * u, c.y + way * 3 * u}, ui.theme->ink_dim, 1.2f * u);
    if (!removes) continue;
    requests_.rows.filters = chosen_.filters;
    requests_.rows.filters->erase(requests_.rows.filters->begin() + std::ptrdiff_t(i));
  }
  if (!chosen_.filters.empty()) gap(ui, 4);
}

void TableFeature::draw_search(Ui& ui) {
  constexpr const char* id = "find-row";
  // When panels appear, Dear ImGui gives the focus to the last of them.
  if (!ImGui::IsWindowAppearing() && std::exchange(begin_typing_, false)) {
    ui.keys.id = id;
    ui.keys.press = true;
  }
  if (!text_field(ui, id, "Find rows (Ctrl F)",
                  "Shows the rows that contain this in some column; capital and small letters are alike. Enter goes to "
                  "the next of them",
                  typed_))
    return;
  keep_next();
  begin_typing_ = true;
}

void TableFeature::draw_count(Ui& ui) {
  const std::string rows = sim::count_of(data_->points, "row"), shown = sim::with_commas(shown_->size());
  const bool waits = !shown_->asks_the_same(asked_);
  ui.ids.state("rows", waits ? "…" : std::to_string(shown_->size()));
  std::string text = rows;
  if (view_ == selected) text = fmt::format("{} of {}", sim::with_commas(chosen_.selected->size()), rows);
  if (waits && asked_.part != shown_->part)
    text = "Searching …";
  else if (waits && asked_.sorting != shown_->sorting)
    text = "Sorting …";
  else if (!shown_->part.empty())
    text = fmt::format("{} of {} {} this", shown, rows, shown_->size() == 1 ? "contains" : "contain");
  const bool offers = !waits && !shown_->part.empty() && shown_->size() > 0;
  if (!offers) {
    gap(ui, 4);
    caption(ui, text.c_str());
    gap(ui, 4);
  } else if (offer(ui, "select-found", text, "Select them", "Select the rows that contain this")) {
    requests_.rows.select = shown_->kept;
  }
}

void TableFeature::draw_comparison(Ui& ui) {
  const std::size_t count = chosen_.selected->size();
  if (count == 0 || count == data_->points)
    return caption(ui, count == 0 ? "No rows are selected. Drag with Ctrl in the picture, or over the bars of a column "
                                    "in the data panel."
                                  : "All rows are selected: there is no rest to compare them with.");
  compare();
  if (!differences_)
    return caption(ui,
                   fmt::format("Comparing column {} of {} …", columns_done_ + 1, data_->table.columns.size()).c_str());
  if (differences_->empty()) return caption(ui, "No column can be compared.");
  caption(ui, fmt::format("{} (bars) against the rest (line)", sim::count_of(count, "selected row")).c_str());
  if (ui.ids.enabled()) {
    std::string told;
    for (const Difference& one : *differences_) told += fmt::format("{}={:.4f} ", one.column, one.effect);
    ui.ids.state("differences", told);
  }
  draw_differences(ui, *differences_);
}

}  // namespace

FeatureKind table_feature() {
  return {.make = [](const SceneSetup& setup) -> std::unique_ptr<Feature> {
    return std::make_unique<TableFeature>(setup.repeatable);
  }};
}

}  // namespace kinescope::app
