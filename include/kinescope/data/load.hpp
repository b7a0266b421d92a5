// Turns what --data names, a file or made data, into points: chooses the columns that take part and the label, and
// handles missing values.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/table_format.hpp"
#include "kinescope/dataset.hpp"

namespace kinescope::sim {

enum class Missing {
  leave_out,  // rows with a missing value are left out and counted
  mean        // a missing value becomes its column's mean
};

// What the numbers of a source mean; the metric decides this.
enum class Reading {
  rows,     // each row is a point
  matrix,   // the distances between the rows (metric=matrix)
  graph,    // edges: a matrix of adjacency, or a table whose first two columns name nodes (metric=graph)
  degrees,  // rows of a latitude and a longitude (metric=haversine)
  mixed     // rows of numbers, categories and missing cells (metric=gower)
};

// What the weights of a graph's edges mean.
enum class EdgesAre {
  automatic,  // the weights' name or the format decides (graph/edge_list.hpp)
  lengths,
  strengths,  // an edge is 1/weight long
  equal       // nothing: each edge is 1 long
};

// What follows an error about the weights.
inline constexpr const char* with_equal_edges = "with --edges-are equal each edge is 1 long";

// Which components of a graph are laid out.
enum class Components { all, largest };

inline constexpr std::string_view no_label = "none";  // asks for no label, unless a column has this name

struct DataRequest {
  std::string source = {};                   // a path, or "synthetic:NAME[,key=value...]"
  std::string label = {};                    // the column that colours the points; "": choose (choose.hpp)
  std::vector<std::string> columns = {};     // the columns that take part; empty: choose (choose.hpp)
  std::vector<std::string> categories = {};  // columns of numbers that are to be read as categories
  Missing missing = Missing::leave_out;
  Reading reading = Reading::rows;
  EdgesAre edges_are = EdgesAre::automatic;
  Components components = Components::all;
  bool similarities = false;    // a matrix holds similarities: distances are the largest minus them
  bool mean_of_halves = false;  // of a matrix whose halves differ: the mean of both is the distance
  bool transpose = false;       // rows become columns (transpose.hpp)
  std::string metadata = {};    // a second table, joined by name (join.hpp); "": none
  std::string by = {};          // the column of `metadata` that has the names; "": its first
  TableFormat format = {};
  bool keep_columns = true;  // else Dataset::table has the label alone, because nobody will look at the other columns
  bool operator==(const DataRequest&) const = default;
};

// Shared with the loading thread: its progress, and a request to stop.
struct LoadProgress {
  std::atomic<float> fraction{0};  // 0 … 1
  std::atomic<bool> cancelled{false};
};

// Thrown by the readers when LoadProgress::cancelled is set. It is no std::exception, because it is no error.
struct Cancelled {};

// Tells that so much is done, if anybody asks. Throws Cancelled.
inline void tell_progress(LoadProgress* progress, std::uint64_t done, std::uint64_t all) {
  if (!progress) return;
  if (progress->cancelled) throw Cancelled{};
  progress->fraction = static_cast<float>(static_cast<double>(done) / static_cast<double>(all));
}

// Reads the whole table unchanged, but for transposing and joining; missing values are NaN (numbers) or "" (text).
// Throws Error (input) with file and line. With Reading::graph a Matrix Market file is a graph, and a header that is an
// edge is read as a row. With Reading::matrix a NumPy array that is not packed stays in its file as distances. Other
// tables are read alike with every reading.
Table load_table(const DataRequest& request, LoadProgress* progress = nullptr);

// Whether reading it once more gives the same: what a pipe held is gone once it is read; standard input is kept.
bool can_be_read_again(const std::string& source);

// Chooses columns, label and rows; with Reading::graph a table of edges (graph/edge_list.hpp) becomes one of nodes,
// to which `metadata` is joined. A requested column of 2 to 40 texts becomes one for each of them. Throws Error (input)
// if a column does not exist or holds other texts, or if no rows are left.
Dataset make_dataset(Table table, const DataRequest& request);

// Does both; made data bring their own colours and labels.
std::shared_ptr<Dataset> load_dataset(const DataRequest& request, LoadProgress* progress = nullptr);

}  // namespace kinescope::sim
