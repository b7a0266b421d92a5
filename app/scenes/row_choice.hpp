// Which rows of the data are chosen: what a scene of points shows of it, and what others may ask of it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kinescope::app {

// Row numbers from 0, ascending. Never changed, so that threads in the background may read them.
using RowSet = std::shared_ptr<const std::vector<std::uint32_t>>;

// A condition on a column of the data's table. A missing number never passes.
struct RowFilter {
  std::string column;
  // Of a column of numbers: from low to high.
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  std::vector<std::string> texts = {};  // of a column of texts: one of these; "" is a missing one
  bool operator==(const RowFilter&) const = default;
};

struct ChosenRows {
  RowSet selected;                 // never null
  std::vector<RowFilter> filters;  // the selection is to be the rows that pass all of them; none: it has other reasons
  std::optional<std::uint32_t> kept;  // the row whose details stay in sight
};

struct RowRequest {
  RowSet select;                                  // these rows instead of the present selection; null: no change
  std::optional<std::vector<RowFilter>> filters;  // select by these; none: select nothing
  std::optional<std::uint32_t> keep;              // as a click in the picture does; the camera goes there
};

}  // namespace kinescope::app
