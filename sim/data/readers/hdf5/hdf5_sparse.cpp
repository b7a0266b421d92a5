#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/hdf5/hdf5_reading.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::uint64_t values_at_once = 1 << 20;

class SparseReader {
 public:
  SparseReader(const Hdf5File& file, const Hdf5Sparse& matrix, LoadProgress* progress)
      : file_(file), matrix_(matrix), progress_(progress) {}

  // The matrix as it is stored: its rows, or, by columns, these.
  SparseRows read() {
    const std::uint64_t outer = matrix_.by_columns ? matrix_.columns : matrix_.rows;
    SparseRows stored;
    stored.columns = matrix_.by_columns ? matrix_.rows : matrix_.columns;
    const std::uint64_t count = length("data");
    if (length("indices") != count)
      throw wrong("it has " + std::to_string(count) + " values and " + std::to_string(length("indices")) + " indices");
    if (length("indptr") != outer + 1)
      throw wrong("its 'indptr' has " + std::to_string(length("indptr")) + " entries, but " +
                  std::to_string(outer + 1) + " are needed");
    require_density(file_.path(), std::uint64_t{count} + outer, "values", file_.size());
    constexpr double each = sizeof(float) + sizeof(std::uint32_t);
    require_memory(file_.path(), (matrix_.by_columns ? 2 : 1) * each * static_cast<double>(count) +
                                     16.0 * static_cast<double>(matrix_.rows + matrix_.columns));
    std::vector<std::int64_t> begin(outer + 1);
    file_.read_rows(matrix_.group + "/indptr", 0, outer + 1, std::span(begin));
    if (begin.front() != 0 || begin.back() != static_cast<std::int64_t>(count) ||
        !std::is_sorted(begin.begin(), begin.end()))
      throw wrong("its 'indptr' does not ascend from 0 to the number of values, " + std::to_string(count));
    stored.begin.assign(begin.begin(), begin.end());
    read_entries(count, stored);
    return stored;
  }

  // Sorts the rows whose indices do not ascend, adds what is in the same place, and drops zeros, in place.
  void tidy(SparseRows& rows) const {
    std::uint64_t kept = 0;
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const std::uint64_t first = std::exchange(rows.begin[row], kept), last = rows.begin[row + 1];
      const auto at = [](auto& values, std::uint64_t place) {
        return values.begin() + static_cast<std::ptrdiff_t>(place);
      };
      if (!std::is_sorted(at(rows.index, first), at(rows.index, last))) {
        entries.clear();
        for (std::uint64_t i = first; i < last; ++i) entries.emplace_back(rows.index[i], rows.value[i]);
        std::stable_sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.first < b.first; });
        for (std::uint64_t i = first; i < last; ++i) std::tie(rows.index[i], rows.value[i]) = entries[i - first];
      }
      for (std::uint64_t i = first; i < last;) {
        const std::uint32_t column = rows.index[i];
        float sum = 0;
        for (; i < last && rows.index[i] == column; ++i) sum += rows.value[i];
        if (!std::isfinite(sum)) throw wrong("values of one place add up to a number beyond float32");
        if (sum == 0) continue;
        rows.index[kept] = column;
        rows.value[kept++] = sum;
      }
    }
    rows.begin.back() = kept;
    rows.index.resize(kept);
    rows.value.resize(kept);
  }

 private:
  Error wrong(const std::string& what) const { return file_error(file_.path(), shown(matrix_.group) + ": " + what); }

  std::uint64_t length(const std::string& name) const {
    const auto shape = file_.shape_of({matrix_.group + "/" + name});
    if (!shape || shape->sizes.size() != 1 || !shape->numbers)
      throw wrong("its '" + name + "' is not a list of numbers");
    return shape->sizes[0];
  }

  void read_entries(std::uint64_t count, SparseRows& stored) {
    const std::string indices = matrix_.group + "/indices", data = matrix_.group + "/data";
    // Whole chunks, so that none is unpacked twice.
    const std::uint64_t together = std::max(file_.rows_together(indices), file_.rows_together(data));
    const std::uint64_t step =
        together > values_at_once ? values_at_once : (values_at_once + together - 1) / together * together;
    stored.index.resize(count);
    stored.value.resize(count);
    std::vector<std::int64_t> index(std::min(count, step));
    const auto end = static_cast<std::int64_t>(stored.columns);
    for (std::uint64_t first = 0; first < count; first += step) {
      const std::uint64_t some = std::min(step, count - first);
      file_.read_rows(indices, first, some, std::span(index).first(some));
      file_.read_rows(data, first, some, std::span(stored.value).subspan(first, some));
      for (std::uint64_t i = 0; i < some; ++i) {
        if (index[i] < 0 || index[i] >= end)
          throw wrong("the index " + std::to_string(index[i]) + " is outside of 0 … " + std::to_string(end - 1));
        if (!std::isfinite(stored.value[first + i]))
          throw wrong("a value that is not a number, infinite or beyond float32");
        stored.index[first + i] = static_cast<std::uint32_t>(index[i]);
      }
      tell_progress(progress_, first + some, count);
    }
  }

  const Hdf5File& file_;
  const Hdf5Sparse& matrix_;
  LoadProgress* progress_;
};

}  // namespace

std::optional<Hdf5Sparse> sparse_at(const Hdf5File& file, const std::string& group) {
  if (!file.is_group(group) || !file.has(group + "/indptr") || !file.has(group + "/indices") ||
      !file.has(group + "/data"))
    return std::nullopt;
  std::string format = file.text_attribute(group, "encoding-type");
  if (format.empty()) format = file.text_attribute(group, "h5sparse_format");
  const bool by_columns = format.starts_with("csc");
  if (!by_columns && !format.starts_with("csr"))
    throw file_error(file.path(),
                     shown(group) + ": expected sparse data as csr_matrix or csc_matrix, found " + shown(format));
  std::vector<std::uint64_t> shape = file.sizes_attribute(group, "shape");
  if (shape.empty()) shape = file.sizes_attribute(group, "h5sparse_shape");
  if (shape.size() != 2) throw file_error(file.path(), shown(group) + ": its attribute 'shape' is missing");
  return Hdf5Sparse{group, by_columns, shape[0], shape[1]};
}

std::shared_ptr<SparseRows> read_sparse(const Hdf5File& file, const Hdf5Sparse& matrix, LoadProgress* progress) {
  if (matrix.rows == 0 || matrix.columns == 0 || matrix.rows > maximum_rows || matrix.columns > maximum_rows)
    throw file_error(file.path(), shown(matrix.group) + ": a matrix of " + std::to_string(matrix.rows) + " × " +
                                      std::to_string(matrix.columns) + " is not supported");
  SparseReader reader(file, matrix, progress);
  auto rows = std::make_shared<SparseRows>(reader.read());
  if (matrix.by_columns) *rows = transposed(*rows);
  reader.tidy(*rows);
  return rows;
}

}  // namespace kinescope::sim
