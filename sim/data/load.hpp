// From "--data" to points: a file or made data, the columns that take part, the label, missing values.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/dataset.hpp"

namespace kinescope::sim {

enum class Missing {
  leave_out,  // rows with a missing value are left out and counted
  mean        // a missing value becomes its column's mean
};

enum class Header { automatic, yes, no };

// How a table of text is read; other files have nothing of the kind.
struct TableFormat {
  Header header = Header::automatic;  // whether the first row names the columns (csv.hpp says how that is found out)
  std::size_t skip_rows = 0;          // lines at the file's beginning that are passed over
  bool operator==(const TableFormat&) const = default;
};

inline constexpr std::string_view no_label = "none";  // asks for no label, where no column is called so

struct DataRequest {
  std::string source;  // a path, or "synthetic:NAME[,key=value...]"
  std::string label;   // the column that colours the points; "": one named `class` or `label`, if there is one
  std::vector<std::string> columns;  // the columns that take part; empty: all columns of numbers but the label
  Missing missing = Missing::leave_out;
  TableFormat format;
};

// Shared with the thread that loads: how far it is, and the wish to stop.
struct LoadProgress {
  std::atomic<float> fraction{0};  // 0 … 1
  std::atomic<bool> cancelled{false};
};

// Thrown by the readers when LoadProgress::cancelled is seen.
struct Cancelled {};

// Reads the whole table as it is, missing values as NaN (numbers) or "" (text). Throws Error (input) with file and
// line.
Table load_table(const std::string& source, LoadProgress* progress = nullptr, const TableFormat& format = {});

// Chooses columns, label and rows. Throws Error (input): no such column, text in a column that was asked for, no rows
// left.
Dataset make_dataset(Table table, const DataRequest& request);

// Both in one; made data bring their own colours and labels.
std::shared_ptr<const Dataset> load_dataset(const DataRequest& request, LoadProgress* progress = nullptr);

}  // namespace kinescope::sim
