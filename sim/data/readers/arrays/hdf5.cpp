#include "sim/data/readers/arrays/hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"
#if KINESCOPE_HDF5
#include "sim/data/readers/arrays/hdf5_file.hpp"
#endif

namespace kinescope::sim {

bool is_hdf5(const InputFile& file) {
  return file.head().starts_with("\x89HDF\r\n\x1A\n");
}

#if !KINESCOPE_HDF5

Table read_hdf5(const Inside& source, LoadProgress*) {
  throw file_error(source.file, "an HDF5 file needs libhdf5, and this program was built without it");
}

#else

namespace {

constexpr std::size_t block_values = 1 << 20;

void tell_progress(LoadProgress* progress, double part) {
  if (!progress) return;
  if (progress->cancelled) throw Cancelled{};
  progress->fraction = static_cast<float>(part);
}

std::string shape_text(const std::vector<hsize_t>& sizes) {
  std::string text;
  for (const hsize_t size : sizes) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text.empty() ? "one value" : text;
}

// Reads a block of rows at a time and distributes its values to the columns.
template <class Number>
std::vector<Column> read_columns_as(const Hdf5File& file, const std::string& array, const Hdf5File::Shape& shape,
                                    std::size_t columns_wanted, LoadProgress* progress) {
  const hsize_t rows = shape.sizes[0], columns = shape.sizes.size() == 2 ? shape.sizes[1] : 1;
  const std::size_t kept = std::min<std::size_t>(columns, columns_wanted);
  std::vector<Column> table(kept);
  for (std::size_t i = 0; i < kept; ++i) table[i].numbers.reserve(rows);
  const hsize_t together = file.rows_together(array);
  hsize_t step = std::max<hsize_t>(1, block_values / columns);
  // Reads whole chunks of the file, unless one is larger than sixteen blocks.
  if (together > 1 && together * columns <= 16 * block_values) step = (step + together - 1) / together * together;
  std::vector<Number> block(std::min(step, rows) * columns);
  for (hsize_t first = 0; first < rows; first += step) {
    const hsize_t count = std::min(step, rows - first);
    file.read_rows(array, first, count, block.data());
    for (hsize_t row = 0; row < count; ++row)
      for (std::size_t column = 0; column < kept; ++column)
        table[column].numbers.push_back(block[row * columns + column]);
    tell_progress(progress, static_cast<double>(first + count) / static_cast<double>(rows));
  }
  return table;
}

std::vector<Column> read_columns(const Hdf5File& file, const std::string& array, const Hdf5File::Shape& shape,
                                 std::size_t columns_wanted, LoadProgress* progress) {
  return shape.fit_float ? read_columns_as<float>(file, array, shape, columns_wanted, progress)
                         : read_columns_as<double>(file, array, shape, columns_wanted, progress);
}

void check_shape(const Hdf5File& file, const std::string& array, const Hdf5File::Shape& shape) {
  if (!shape.numbers) throw file_error(file.path(), shown(array) + " does not hold numbers");
  if (shape.sizes.empty() || shape.sizes.size() > 2)
    throw file_error(file.path(), shown(array) + ": expected 2 dimensions, found " +
                                      std::to_string(shape.sizes.size()) + "; reshape it to rows × columns");
  const hsize_t rows = shape.sizes[0], columns = shape.sizes.size() == 2 ? shape.sizes[1] : 1;
  if (rows == 0 || columns == 0)
    throw file_error(file.path(), shown(array) + (rows == 0 ? " has no rows" : " has no columns"));
  require_table(file.path(), rows, columns);
}

bool is_sparse(const Hdf5File& file, const std::string& group) {
  return file.is_group(group) && file.has(group + "/indptr") && file.has(group + "/indices") &&
         file.has(group + "/data");
}

// The compressed rows, or columns, of a matrix as scipy keeps them.
class SparseGroup {
 public:
  SparseGroup(const Hdf5File& file, const std::string& group, LoadProgress* progress)
      : file_(file), group_(group), progress_(progress) {
    std::string format = file.text_attribute(group, "encoding-type");
    if (format.empty()) format = file.text_attribute(group, "h5sparse_format");
    by_columns_ = format.starts_with("csc");
    if (!by_columns_ && !format.starts_with("csr"))
      throw file_error(file.path(),
                       shown(group) + ": expected sparse data as csr_matrix or csc_matrix, found " + shown(format));
    std::vector<std::uint64_t> shape = file.sizes_attribute(group, "shape");
    if (shape.empty()) shape = file.sizes_attribute(group, "h5sparse_shape");
    if (shape.size() != 2) throw wrong("its attribute 'shape' is missing");
    rows_ = shape[0];
    columns_ = shape[1];
    if (rows_ == 0 || columns_ == 0 || rows_ > maximum_rows || columns_ > maximum_rows)
      throw wrong("a matrix of " + std::to_string(rows_) + " × " + std::to_string(columns_) + " is not supported");
  }

  std::uint64_t rows() const { return rows_; }

  std::shared_ptr<const SparseRows> read() {
    const std::vector<std::int64_t> begin = whole("indptr", (by_columns_ ? columns_ : rows_) + 1);
    const hsize_t stored = length("data");
    if (length("indices") != stored)
      throw wrong("it has " + std::to_string(stored) + " values and " + std::to_string(length("indices")) + " indices");
    if (begin.front() != 0 || begin.back() != static_cast<std::int64_t>(stored) ||
        !std::is_sorted(begin.begin(), begin.end()))
      throw wrong("its 'indptr' does not ascend from 0 to the number of values, " + std::to_string(stored));
    constexpr double each = sizeof(float) + sizeof(std::uint32_t);
    // The values are in memory twice, because they are not sorted in place.
    require_memory(file_.path(), 2 * each * static_cast<double>(stored) + 8.0 * static_cast<double>(rows_));
    read_entries(begin, stored);
    return sorted();
  }

 private:
  struct Entry {
    std::uint32_t column;
    float value;
  };

  Error wrong(const std::string& what) const { return file_error(file_.path(), shown(group_) + ": " + what); }

  hsize_t length(const std::string& name) const {
    const auto shape = file_.shape_of(group_ + "/" + name);
    if (!shape || shape->sizes.size() != 1 || !shape->numbers)
      throw wrong("its '" + name + "' is not a list of numbers");
    return shape->sizes[0];
  }

  std::vector<std::int64_t> whole(const std::string& name, std::uint64_t expected) const {
    if (length(name) != expected)
      throw wrong("its '" + name + "' has " + std::to_string(length(name)) + " entries, but " +
                  std::to_string(expected) + " are needed");
    std::vector<std::int64_t> numbers(expected);
    file_.read_rows(group_ + "/" + name, 0, expected, numbers.data());
    return numbers;
  }

  // Calls f(outer, inner, value) for each stored value, in the file's order.
  template <class F>
  void each_entry(const std::vector<std::int64_t>& begin, hsize_t stored, F f) const {
    const std::int64_t inner_size = static_cast<std::int64_t>(by_columns_ ? rows_ : columns_);
    std::vector<std::int64_t> inner(std::min<hsize_t>(stored, block_values));
    std::vector<float> values(inner.size());
    std::size_t outer = 0;
    for (hsize_t first = 0; first < stored; first += block_values) {
      const hsize_t count = std::min<hsize_t>(block_values, stored - first);
      file_.read_rows(group_ + "/indices", first, count, inner.data());
      file_.read_rows(group_ + "/data", first, count, values.data());
      for (hsize_t i = 0; i < count; ++i) {
        while (static_cast<std::int64_t>(first + i) >= begin[outer + 1]) ++outer;
        if (inner[i] < 0 || inner[i] >= inner_size)
          throw wrong("the index " + std::to_string(inner[i]) + " is outside of 0 … " + std::to_string(inner_size - 1));
        if (!std::isfinite(values[i])) throw wrong("a value that is not a number, infinite or beyond float32");
        f(outer, static_cast<std::size_t>(inner[i]), values[i]);
      }
      tell_progress(progress_, static_cast<double>(first + count) / static_cast<double>(stored));
    }
  }

  // Fills entries_ row by row, and within a row in the order of the file.
  void read_entries(const std::vector<std::int64_t>& begin, hsize_t stored) {
    begin_.assign(rows_ + 1, 0);
    entries_.resize(stored);
    if (by_columns_)
      each_entry(begin, stored, [&](std::size_t, std::size_t row, float) { ++begin_[row + 1]; });
    else
      std::copy(begin.begin(), begin.end(), begin_.begin());
    if (by_columns_)
      for (std::size_t row = 0; row < rows_; ++row) begin_[row + 1] += begin_[row];
    std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
    each_entry(begin, stored, [&](std::size_t outer, std::size_t inner, float value) {
      const std::size_t row = by_columns_ ? inner : outer, column = by_columns_ ? outer : inner;
      entries_[next[row]++] = {static_cast<std::uint32_t>(column), value};
    });
  }

  // Returns the entries as sparse rows, ascending within each row. Several values in one place add up; zeros are
  // dropped.
  std::shared_ptr<const SparseRows> sorted() {
    auto rows = std::make_shared<SparseRows>();
    rows->columns = columns_;
    rows->begin.reserve(rows_ + 1);
    rows->index.reserve(entries_.size());
    rows->value.reserve(entries_.size());
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(begin_[row]),
                 last = entries_.begin() + static_cast<std::ptrdiff_t>(begin_[row + 1]);
      std::stable_sort(first, last, [](const Entry& a, const Entry& b) { return a.column < b.column; });
      for (auto entry = first; entry != last;) {
        const std::uint32_t column = entry->column;
        float sum = 0;
        for (; entry != last && entry->column == column; ++entry) sum += entry->value;
        if (!std::isfinite(sum)) throw wrong("values of one place add up to a number beyond float32");
        if (sum == 0) continue;
        rows->index.push_back(column);
        rows->value.push_back(sum);
      }
      rows->begin.push_back(rows->index.size());
    }
    return rows;
  }

  const Hdf5File& file_;
  std::string group_;
  LoadProgress* progress_;
  bool by_columns_ = false;
  std::uint64_t rows_ = 0, columns_ = 0;
  std::vector<std::uint64_t> begin_;
  std::vector<Entry> entries_;
};

// One column of a data frame of AnnData; none if it has another length or holds neither numbers nor texts.
std::optional<Column> frame_column(const Hdf5File& file, const std::string& path, const std::string& name,
                                   std::size_t rows) {
  Column column{name};
  column.annotates = true;
  const bool categories = file.is_group(path) && file.has(path + "/codes") && file.has(path + "/categories");
  const auto shape = file.shape_of(categories ? path + "/codes" : path);
  if (!shape || shape->sizes.size() != 1 || shape->sizes[0] != rows || (categories && !shape->numbers))
    return std::nullopt;
  if (!categories) {
    column.is_text = shape->texts;
    if (shape->texts) column.texts = file.read_texts(path);
    if (shape->numbers) column.numbers = std::move(read_columns(file, path, *shape, 1, nullptr).front().numbers);
    return shape->texts || shape->numbers ? std::optional(std::move(column)) : std::nullopt;
  }
  const auto kinds = file.shape_of(path + "/categories");
  if (!kinds || kinds->sizes.size() != 1 || !(kinds->texts || kinds->numbers)) return std::nullopt;
  std::vector<std::int64_t> codes(rows);
  file.read_rows(path + "/codes", 0, rows, codes.data());
  std::vector<std::string> texts;
  Numbers numbers;
  if (kinds->texts) texts = file.read_texts(path + "/categories");
  if (kinds->numbers && kinds->sizes[0] > 0)
    numbers = read_columns(file, path + "/categories", *kinds, 1, nullptr).front().numbers;
  column.is_text = kinds->texts;
  for (const std::int64_t code : codes) {  // -1 is missing
    if (code < -1 || code >= static_cast<std::int64_t>(kinds->sizes[0]))
      throw file_error(file.path(), shown(path) + ": the code " + std::to_string(code) + " has no category");
    if (column.is_text)
      column.texts.push_back(code < 0 ? "" : texts[static_cast<std::size_t>(code)]);
    else
      column.numbers.push_back(code < 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : numbers[static_cast<std::size_t>(code)]);
  }
  return column;
}

// The names of a data frame's rows; empty if it has none.
std::vector<std::string> frame_names(const Hdf5File& file, const std::string& frame, std::size_t rows) {
  std::string index = file.text_attribute(frame, "_index");
  if (index.empty()) index = "_index";
  const auto shape = file.shape_of(frame + "/" + index);
  if (!shape || !shape->texts || shape->sizes.size() != 1 || shape->sizes[0] != rows) return {};
  return file.read_texts(frame + "/" + index);
}

// Adds what AnnData knows about each row: the columns of `obs`, and the first columns of each layout in `obsm`.
void add_annotations(const Hdf5File& file, Table& table) {
  constexpr std::size_t columns_of_layout = 3;
  const auto add = [&](Column column) {
    while (table.find(column.name)) column.name += "_obs";
    column.annotates = true;
    table.columns.push_back(std::move(column));
  };
  if (file.is_group("/obs"))
    for (const std::string& name : file.names_in("/obs")) {
      std::optional<Column> column = frame_column(file, "/obs/" + name, name, table.rows);
      if (column) add(std::move(*column));
    }
  if (!file.is_group("/obsm")) return;
  for (const std::string& name : file.names_in("/obsm")) {
    const auto shape = file.shape_of("/obsm/" + name);
    if (!shape || !shape->numbers || shape->sizes.size() != 2 || shape->sizes[0] != table.rows || shape->sizes[1] == 0)
      continue;
    std::vector<Column> layout = read_columns(file, "/obsm/" + name, *shape, columns_of_layout, nullptr);
    for (std::size_t i = 0; i < layout.size(); ++i) {
      layout[i].name = name + "." + std::to_string(i);
      add(std::move(layout[i]));
    }
  }
}

// The path of the array or group to read.
std::string choose_array(const Hdf5File& file, const Inside& source) {
  std::string asked = source.name.empty() || source.name.front() == '/' ? source.name : "/" + source.name;
  if (!asked.empty() && (file.shape_of(asked) || is_sparse(file, asked))) return asked;
  const bool cells = file.is_group("/obs") && file.has("/X");
  if (asked.empty() && cells) return "/X";
  std::string list, chosen;
  std::size_t count = 0, fitting = 0;
  constexpr std::size_t most = 6;
  for (const std::string& name : file.arrays()) {
    const auto shape = file.shape_of(name);
    if (!shape || !shape->numbers) continue;
    if (shape->sizes.size() == 2 && ++fitting == 1) chosen = name;
    if (++count <= most) list += (count > 1 ? ", " : "") + shown(name) + " (" + shape_text(shape->sizes) + ")";
  }
  if (asked.empty() && fitting == 1) return chosen;
  if (count > most) list += ", …";
  if (count == 0) throw file_error(file.path(), "holds no array of numbers");
  throw file_error(file.path(),
                   (asked.empty() ? "which array? It holds " : "no array " + shown(asked) + "; it holds ") + list +
                       (asked.empty() ? "; choose one with " + file_name(file.path()) + ":/PATH" : ""));
}

}  // namespace

namespace {

// The table without the numbers of the array itself, whose columns are still empty.
Table describe(const Hdf5File& file, const std::string& array) {
  const bool cells = file.is_group("/obs");
  Table table;
  table.source = file.path();
  table.format = std::string(cells ? "AnnData (HDF5)" : "HDF5") + ", " + shown(array);
  if (is_sparse(file, array)) {
    table.rows = SparseGroup(file, array, nullptr).rows();
  } else {
    const auto shape = file.shape_of(array);
    if (!shape) throw file_error(file.path(), shown(array) + " is neither an array nor a sparse matrix");
    check_shape(file, array, *shape);
    table.rows = shape->sizes[0];
    table.columns.resize(shape->sizes.size() == 2 ? shape->sizes[1] : 1);
    const std::vector<std::string> names =
        array == "/X" ? frame_names(file, "/var", table.columns.size()) : std::vector<std::string>();
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      table.columns[i].name = names.empty() || names[i].empty() ? numbered_name(i) : names[i];
  }
  if (cells) add_annotations(file, table);
  return table;
}

// libhdf5 (1.10) crashes on some damaged texts, and no check finds these beforehand. So a child process reads them
// first.
template <class F>
void rehearse(const std::string& path, F read) {
  constexpr unsigned seconds = 120;
  const pid_t child = fork();
  if (child == 0) {
    for (const int sign : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM}) std::signal(sign, SIG_DFL);
    constexpr rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    close(STDERR_FILENO);  // the C library would report the crash there
    alarm(seconds);
    try {
      read();
    } catch (...) {  // the parent process will get and report the same error
    }
    _exit(0);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child > 0 && WIFSIGNALED(status))
    throw file_error(
        path, WTERMSIG(status) == SIGALRM ? "damaged: its texts have no end" : "damaged: libhdf5 crashes on its texts");
}

}  // namespace

Table read_hdf5(const Inside& source, LoadProgress* progress) {
  static std::mutex library;  // not every build of libhdf5 may be used by two threads at once
  const std::lock_guard lock(library);
  const Hdf5File file(source.file);
  const std::string array = choose_array(file, source);
  const bool sparse = is_sparse(file, array);
  if (sparse || file.is_group("/obs")) rehearse(source.file, [&] { describe(Hdf5File(source.file), array); });
  Table table = describe(file, array);
  if (sparse) {
    table.sparse = SparseGroup(file, array, progress).read();
    return table;
  }
  std::vector<Column> numbers = read_columns(file, array, *file.shape_of(array), maximum_columns, progress);
  for (std::size_t i = 0; i < numbers.size(); ++i) table.columns[i].numbers = std::move(numbers[i].numbers);
  return table;
}

#endif

}  // namespace kinescope::sim
