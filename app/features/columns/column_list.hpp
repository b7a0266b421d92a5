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
  // Shows `data`, which were opened with `request`. O(columns).
  void set(std::shared_ptr<const sim::Dataset> data, const sim::DataRequest& request);
  // "Columns: 3 of 4 used"; "" if there is nothing to choose.
  std::string title() const;
  // Draws the list, at most `height` high. Returns a request if the user has asked for the data to be opened with other
  // columns or types.
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
  std::vector<char> used_, used_before_;  // [rows]; whether each is ticked, and whether it is used now
  std::vector<std::size_t> shown_;        // indices of the rows whose names match typed_
  std::string typed_;
  std::optional<sim::DataRequest> wish_;
};

}  // namespace kinescope::app
