#include "sim/data/readers/arrays/npz_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrays/npy.hpp"
#include "sim/data/readers/arrays/npy_header.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

class SparseArrays {
 public:
  SparseArrays(const std::string& path, const OpenArray& open, const LoadProgress* progress)
      : path_(path), open_(open), progress_(progress) {}

  Table read();

 private:
  Error damaged(const std::string& why) const { return file_error(path_, "damaged: " + why); }
  std::unique_ptr<InputFile> array(std::string_view name) const {
    std::unique_ptr<InputFile> file = open_(name);
    if (!file) throw damaged("a sparse matrix without the array " + shown(name));
    return file;
  }
  Numbers numbers(std::string_view name) const {
    if (read_npy_shape(*array(name)) == std::vector<std::uint64_t>{0}) return {};  // a matrix may store no value
    const std::unique_ptr<InputFile> file = array(name);
    Table table = read_npy(*file);
    if (table.columns.size() != 1) throw damaged("the array " + shown(name) + " has more than one dimension");
    return std::move(table.columns.front().numbers);
  }
  std::uint64_t place(double value, std::uint64_t end, const char* what) const {
    if (!(value >= 0) || value >= static_cast<double>(end) || value != std::floor(value))
      throw damaged(std::string(what) + " " + number_text(value) + " is not one of " + std::to_string(end));
    return static_cast<std::uint64_t>(value);
  }
  std::string format() const;
  void check_pointers(const Numbers& pointers, std::uint64_t count, std::size_t entries) const;

  const std::string& path_;
  const OpenArray& open_;
  const LoadProgress* progress_;
};

// One value of type S3 or U3.
std::string SparseArrays::format() const {
  const std::unique_ptr<InputFile> file = array("format");
  std::string text(file->head());
  const std::size_t header_end = text.find('\n');
  std::string name;
  for (const char c : header_end == std::string::npos ? std::string() : text.substr(header_end + 1))
    if (c != '\0') name += c;
  return name;
}

void SparseArrays::check_pointers(const Numbers& pointers, std::uint64_t count, std::size_t entries) const {
  if (pointers.size() != count + 1 || pointers.front() != 0 || pointers.back() != static_cast<double>(entries))
    throw damaged("indptr does not fit the shape and the entries");
  for (std::size_t i = 1; i < pointers.size(); ++i)
    if (!(pointers[i] >= pointers[i - 1])) throw damaged("indptr descends");
}

Table SparseArrays::read() {
  const std::string kind = format();
  if (kind != "csr" && kind != "csc" && kind != "coo")
    throw file_error(path_, "sparse matrices of kind " + shown(kind) +
                                " are not read: convert it in SciPy with .tocsr() and save it again");
  const Numbers shape = numbers("shape");
  if (shape.size() != 2) throw file_error(path_, "a sparse array of other than 2 dimensions");
  const std::uint64_t rows = place(shape[0], maximum_rows, "the number of rows"),
                      columns = place(shape[1], maximum_rows, "the number of columns");
  if (rows == 0 || columns == 0) throw file_error(path_, rows == 0 ? "no rows" : "no columns");
  const bool coo = kind == "coo", csc = kind == "csc";
  const Numbers values = numbers("data"), inner = numbers(coo ? "col" : "indices"),
                outer = numbers(coo ? "row" : "indptr");
  const std::size_t entries = values.size();
  if (inner.size() != entries || (coo && outer.size() != entries)) throw damaged("arrays of different sizes");
  if (!coo) check_pointers(outer, csc ? columns : rows, entries);
  require_memory(path_, static_cast<double>(entries) * 8 + 16.0 * static_cast<double>(rows + 1));
  // Calls f(row, column, value) for all entries.
  const auto each_entry = [&](auto f) {
    std::uint64_t at = 0;  // the row, or column, of the entry
    for (std::size_t i = 0; i < entries; ++i) {
      if (!coo)
        while (outer[at + 1] <= static_cast<double>(i)) ++at;
      else
        at = place(outer[i], rows, "row");
      const std::uint64_t other = place(inner[i], csc ? rows : columns, csc ? "row" : "column");
      csc ? f(other, at, values[i]) : f(at, other, values[i]);
    }
  };
  auto sparse = std::make_shared<SparseRows>();
  sparse->columns = columns;
  std::vector<std::uint64_t> next(rows + 1, 0);
  each_entry([&](std::uint64_t row, std::uint64_t, double) { ++next[row + 1]; });
  for (std::size_t row = 0; row < rows; ++row) next[row + 1] += next[row];
  sparse->index.resize(entries);
  sparse->value.resize(entries);
  std::vector<double> exact(entries);
  each_entry([&](std::uint64_t row, std::uint64_t column, double value) {
    sparse->index[next[row]] = static_cast<std::uint32_t>(column);
    exact[next[row]++] = value;
  });  // now next[row] is the end of the row
  std::vector<std::pair<std::uint32_t, double>> sorted;
  std::size_t kept = 0;
  for (std::size_t row = 0, from = 0; row < rows; from = next[row], ++row) {
    if (progress_ && progress_->cancelled) throw Cancelled{};
    sorted.clear();
    for (std::size_t i = from; i < next[row]; ++i) sorted.emplace_back(sparse->index[i], exact[i]);
    std::ranges::stable_sort(sorted, {}, [](const auto& each) { return each.first; });
    for (std::size_t i = 0; i < sorted.size();) {
      const std::uint32_t column = sorted[i].first;
      double sum = 0;
      for (; i < sorted.size() && sorted[i].first == column; ++i) sum += sorted[i].second;
      const auto value = static_cast<float>(sum);
      if (!std::isfinite(value))
        throw file_error(path_, "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) +
                                    ": a value that is missing or beyond float32");
      if (value == 0) continue;
      sparse->index[kept] = column;
      sparse->value[kept++] = value;
    }
    sparse->begin.push_back(kept);
  }
  sparse->index.resize(kept);
  sparse->value.resize(kept);
  Table table;
  table.format = "SciPy sparse matrix, " + kind;
  table.rows = rows;
  table.sparse = std::move(sparse);
  return table;
}

}  // namespace

Table read_sparse_npz(const std::string& path, const OpenArray& open, const LoadProgress* progress) {
  return SparseArrays(path, open, progress).read();
}

}  // namespace kinescope::sim
