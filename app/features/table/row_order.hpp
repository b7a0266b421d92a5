// The order in which a table shows its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/scenes/row_choice.hpp"
#include "kinescope/dataset.hpp"

namespace kinescope::app {

struct Sorting {
  std::size_t column = 0;
  bool descending = false;
  bool operator==(const Sorting&) const = default;
};

// All rows by the column: numbers by size, texts by their letters, of which small and capital ones are alike. Equal
// cells stay in the order of the rows, missing ones come last. Once `stop` is requested the result means nothing.
// O(rows × log(rows)) on all threads.
std::vector<std::uint32_t> sorted_rows(const sim::Column& column, bool descending, const std::stop_token& stop);

// Which rows a table shows, and in which order.
struct Arrangement {
  // What was asked for.
  std::shared_ptr<const sim::Dataset> data;
  RowSet among;      // only these; null: all
  std::string part;  // that contain this
  std::optional<Sorting> sorting;
  bool asks_the_same(const Arrangement& other) const {
    return data == other.data && among == other.among && part == other.part && sorting == other.sorting;
  }
  // The answer.
  RowSet found;                                             // of all rows, those that contain `part`; null: all
  RowSet kept;                                              // those of them that are in `among`; null: all
  std::shared_ptr<const std::vector<std::uint32_t>> order;  // of all rows, as sorted; null: that of the data
  std::shared_ptr<const std::vector<std::uint32_t>> shown;  // null: all rows in the order of the data

  std::size_t size() const { return shown ? shown->size() : data ? data->points : 0; }
  std::uint32_t row(std::size_t place) const { return shown ? (*shown)[place] : std::uint32_t(place); }
  // Where a row is shown. O(rows).
  std::optional<std::size_t> place_of(std::uint32_t row) const;
};

// Answers `asked`, with what `before` knows already. Null if it was stopped.
std::shared_ptr<const Arrangement> arranged(Arrangement asked, const Arrangement& before, const std::stop_token& stop);

}  // namespace kinescope::app
