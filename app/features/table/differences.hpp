// What distinguishes the selected rows from the rest: an effect size and two histograms for each column.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "kinescope/table.hpp"

namespace kinescope::app {

struct Difference {
  std::string column;
  bool of_texts = false, of_dates = false;  // dates are numbers of days
  // Of numbers, Cliff's delta: how much likelier it is that a number of the selection is larger than one of the rest
  // than that it is smaller, −1 … 1 (Cliff 1993, "Dominance statistics", Psychological Bulletin 114); it depends on the
  // order of the numbers alone, so that outliers have no weight of their own. Of categories, Cramér's V, 0 … 1.
  double effect = 0;
  double selected_median = 0, rest_median = 0;  // of numbers
  std::string category;                         // whose share differs most
  // Shares, 0 … 1, of the selected rows with a value and of the rest: of this category, and of each bar. Bars of
  // numbers are equal parts of [low, high], which has all but the outermost hundredth at each end, or one for each of
  // few whole numbers; those beyond are in the first and the last bar. Bars of categories are the most frequent ones.
  double selected_share = 0, rest_share = 0;
  std::vector<float> selected_bars, rest_bars;
  double low = 0, high = 0;
  std::vector<std::string> bar_names;  // of categories
};

// One for each column of numbers, and each of categories (sim::category_count), that has values both in the selection
// and in the rest; the largest effects first. `selected` is ascending. O(columns × rows × log(rows)) on all threads; a
// column takes 16 bytes a row while it is compared. `done` counts the columns. Once `stop` is requested the result
// means nothing.
std::vector<Difference> differences(const sim::Table& table, const std::vector<std::uint32_t>& selected,
                                    std::atomic<std::size_t>& done, const std::stop_token& stop);

}  // namespace kinescope::app
