// The columns of the open data as a list: what each holds, how its values are distributed, and what it is used for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/widgets.hpp"
#include "sim/core/dataset.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/load.hpp"

namespace kinescope::app {

class ColumnList {
 public:
  // Other data, and how they were asked for. O(columns).
  void set(std::shared_ptr<const sim::Dataset> data, const sim::DataRequest& request);
  // "Columns: 3 of 4 used"; "" if there is nothing to choose.
  std::string title() const;
  // Draws the list, at most `height` high; returns how the data are to be opened instead if a person wants that.
  std::optional<sim::DataRequest> draw(Ui& ui, float height);

 private:
  struct Row {
    const sim::ColumnFinding* finding = nullptr;
    bool can_be_used = false;  // in distances
    bool numbers_as_categories = false;
    std::string values;  // "1 – 10", "3 values"
    std::string flag;    // what is odd about them, or ""
    std::string help;
  };
  void find(Ui& ui);
  void draw_row(Ui& ui, std::size_t index);
  void draw_use(Ui& ui, std::size_t index, ImVec2 low, ImVec2 size);
  void draw_words(Ui& ui, const Row& row, bool strong, ImVec2 low, float right) const;
  void draw_menu(Ui& ui, std::size_t index);
  void draw_bars(Ui& ui, const Row& row, bool strong, ImVec2 low, ImVec2 high) const;
  std::vector<std::string> used() const;

  std::shared_ptr<const sim::Dataset> data_;
  sim::DataRequest request_;
  std::vector<Row> rows_;
  std::vector<char> used_, used_before_;  // [rows]; as a person wants it, and as it is
  std::vector<std::size_t> shown_;        // rows that match what was typed
  std::string typed_;
  std::optional<sim::DataRequest> wish_;
};

}  // namespace kinescope::app
