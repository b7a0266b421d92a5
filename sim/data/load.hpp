// Turns what --data names, a file or made data, into points: chooses the columns that take part and the label, and
// handles missing values.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/data/table_format.hpp"

namespace kinescope::sim {

enum class Missing {
  leave_out,  // rows with a missing value are left out and counted
  mean        // a missing value becomes its column's mean
};

// What the numbers of a source mean; the metric decides this.
enum class Reading {
  rows,    // each row is a point
  matrix,  // the distances between the rows (metric=matrix)
  graph,   // edges: a matrix of adjacency, or a table whose first two columns name nodes (metric=graph)
  mixed    // rows of numbers, categories and missing cells (metric=gower)
};

inline constexpr std::string_view no_label = "none";  // asks for no label, unless a column has this name

struct DataRequest {
  std::string source;                   // a path, or "synthetic:NAME[,key=value...]"
  std::string label;                    // the column that colours the points; "": choose (choose.hpp)
  std::vector<std::string> columns;     // the columns that take part; empty: choose (choose.hpp)
  std::vector<std::string> categories;  // columns of numbers that are to be read as categories
  Missing missing = Missing::leave_out;
  Reading reading = Reading::rows;
  TableFormat format;
  bool operator==(const DataRequest&) const = default;
};

// Shared with the loading thread: its progress, and a request to stop.
struct LoadProgress {
  std::atomic<float> fraction{0};  // 0 … 1
  std::atomic<bool> cancelled{false};
};

// Thrown by the readers when LoadProgress::cancelled is set.
struct Cancelled {};

// Reads the whole table unchanged; missing values are NaN (numbers) or "" (text). Throws Error (input) with file and
// line. With Reading::graph a Matrix Market file is a graph, and a header that is an edge is read as a row. With
// Reading::matrix a NumPy array that is not gzipped stays in its file as distances. Other tables are read alike with
// every reading.
Table load_table(const std::string& source, LoadProgress* progress = nullptr, const TableFormat& format = {},
                 Reading reading = Reading::rows);

// Chooses columns, label and rows; with Reading::graph a table of edges (graph/edge_list.hpp) becomes one of nodes.
// Throws Error (input) if a column does not exist, if a requested one holds text, or if no rows are left.
Dataset make_dataset(Table table, const DataRequest& request);

// Does both; made data bring their own colours and labels.
std::shared_ptr<const Dataset> load_dataset(const DataRequest& request, LoadProgress* progress = nullptr);

}  // namespace kinescope::sim
