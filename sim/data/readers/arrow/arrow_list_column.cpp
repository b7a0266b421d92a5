// Columns of Apache Arrow's lists of numbers.
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "kinescope/in_parallel.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/arrow/arrow_columns.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Lists of numbers, all of one length: a column for each place in them.
class ListColumn : public ArrowColumn {
 public:
  ListColumn(std::string file, std::string name, std::string_view format, const ArrowNumberType& type, std::size_t rows)
      : file_(std::move(file)), name_(std::move(name)), type_(type), expected_(rows) {
    large_ = format == "+L";
    if (format.starts_with("+w:")) {
      std::from_chars(format.data() + 3, format.data() + format.size(), fixed_);
      set_width(static_cast<std::size_t>(std::max(fixed_, std::int64_t{0})));
    }
  }

  void append(const ArrowRows& rows) override {
    if (!complaint_.empty()) return;
    const std::vector<std::int64_t> begins = find_lists(rows);
    rows_ += rows.count;
    if (!complaint_.empty() || !width_) return;
    if (begins.size() < rows.count && *width_ > 0) return;
    if (empty()) {
      const std::size_t count = std::max(expected_, rows_);
      require_memory(file_, static_cast<double>(count) * static_cast<double>(*width_) *
                                (type_.fits_float() ? sizeof(float) : sizeof(double)));
      in_parallel(*width_, 1, [&](std::size_t i) {
        columns_[i].reserve(count);
        for (std::size_t row = 0; row < rows_ - rows.count; ++row)
          columns_[i].push_back(std::numeric_limits<float>::quiet_NaN());
      });
    }
    const ArrowArray& child = *rows.array->children[0];
    if (type_.fits_float())
      add_values<float>(child, begins);
    else
      add_values<double>(child, begins);
  }

  void finish(std::vector<Column>& columns, std::vector<std::string>& remarks) override {
    if (complaint_.empty() && (!width_ || *width_ == 0)) complaint_ = "its lists are empty";
    if (!complaint_.empty()) {
      remarks.push_back(shown(name_) + " is not read: " + complaint_);
      return;
    }
    for (std::size_t i = 0; i < *width_; ++i)
      columns.push_back({.name = name_ + "_" + std::to_string(i), .numbers = std::move(columns_[i])});
  }

 private:
  bool empty() const { return columns_.empty() || columns_.front().empty(); }
  void complain(std::string text) {
    complaint_ = std::move(text);
    columns_ = {};
  }
  void set_width(std::size_t width) {
    width_ = width;
    if (width > maximum_columns)
      complain("its lists have more than " + with_commas(maximum_columns) + " numbers");
    else
      columns_.resize(width);
  }

  // Where each list begins in the child, -1 where it is missing.
  std::vector<std::int64_t> find_lists(const ArrowRows& rows) {
    std::vector<std::int64_t> begins(rows.count, -1);
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (!rows.has(i)) continue;
      std::int64_t length = fixed_;
      if (fixed_ >= 0) {
        begins[i] = (rows.begin + static_cast<std::int64_t>(i)) * fixed_;
      } else if (large_) {
        begins[i] = rows.buffer<std::int64_t>(1)[i];
        length = rows.buffer<std::int64_t>(1)[i + 1] - begins[i];
      } else {
        begins[i] = rows.buffer<std::int32_t>(1)[i];
        length = rows.buffer<std::int32_t>(1)[i + 1] - begins[i];
      }
      if (!width_) set_width(static_cast<std::size_t>(length));
      if (complaint_.empty() && static_cast<std::size_t>(length) != *width_)
        complain("its lists have different lengths, " + std::to_string(*width_) + " and " + std::to_string(length));
      if (!complaint_.empty()) break;
    }
    return begins;
  }

  // Turns rows into columns in tiles that stay in the cache.
  template <class Number>
  void add_values(const ArrowArray& child, const std::vector<std::int64_t>& begins) {
    constexpr std::size_t tile_rows = 256, tile = 16;
    const std::size_t width = *width_;
    const bool direct =
        std::is_same_v<Number, float> && type_.kind == ArrowNumber::f32 && rows_of(child, 0, 0).has_all();
    in_parallel((width + tile - 1) / tile, 1, [&](std::size_t task) {
      const std::size_t first = task * tile, count = std::min(tile, width - first);
      std::vector<Number> values(tile_rows * count), list(count);
      for (std::size_t row = 0; row < begins.size(); row += tile_rows) {
        const std::size_t rows = std::min(tile_rows, begins.size() - row);
        for (std::size_t i = 0; i < rows; ++i) {
          const std::int64_t begin = begins[row + i];
          const Number* from = list.data();
          if (begin < 0)
            std::ranges::fill(list, std::numeric_limits<Number>::quiet_NaN());
          else if (direct)
            from = reinterpret_cast<const Number*>(
                rows_of(child, begin + static_cast<std::int64_t>(first), count).template buffer<Number>(1));
          else
            arrow_numbers(type_, rows_of(child, begin + static_cast<std::int64_t>(first), count), list.data());
          for (std::size_t c = 0; c < count; ++c) values[c * tile_rows + i] = from[c];
        }
        for (std::size_t c = 0; c < count; ++c)
          add_to(columns_[first + c], std::span<const Number>(values.data() + c * tile_rows, rows));
      }
    });
  }
  static void add_to(Numbers& numbers, std::span<const float> values) { numbers.append(values); }
  static void add_to(Numbers& numbers, std::span<const double> values) {
    numbers.append(values, std::ranges::all_of(values, fits_float));
  }

  std::string file_, name_;
  ArrowNumberType type_;
  std::size_t expected_, rows_ = 0;
  bool large_ = false;
  std::int64_t fixed_ = -1;
  std::optional<std::size_t> width_;
  std::vector<Numbers> columns_;
  std::string complaint_;
};

}  // namespace

std::unique_ptr<ArrowColumn> make_arrow_list_column(const std::string& file, const std::string& name,
                                                    std::string_view format, const ArrowNumberType& type,
                                                    std::size_t rows) {
  return std::make_unique<ListColumn>(file, name, format, type, rows);
}

}  // namespace kinescope::sim
