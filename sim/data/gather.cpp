#include "sim/data/gather.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t sampled = 1024;
// A column gets an origin if float32 keeps at least 5 bits more of its numbers that way, or one bit if it would round
// them coarsely without it (zeros among time stamps).
constexpr double worth_an_origin = 32, worth_if_coarse = 2;

double mean_of_present(const Column& column) {
  double sum = 0, count = 0;
  const double origin = column.numbers.empty() ? 0 : column.numbers.front();
  for (const double value : column.numbers)
    if (!std::isnan(value)) sum += std::isnan(origin) ? value : value - origin, ++count;
  return (std::isnan(origin) ? 0 : origin) + sum / count;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Throws if float32 would round all numbers of a column that are not 0 to 0, or nearly so.
void check_not_too_small(const Table& table, const Column& column) {
  constexpr double least = 1e-37;
  double largest = 0;
  for (const double value : column.numbers) {
    if (!std::isnan(value)) largest = std::max(largest, std::abs(value));
    if (largest >= least) return;
  }
  if (largest > 0)
    throw file_error(table.source, "column " + shown(column.name) +
                                       ": its numbers are too small for float32; multiply it by a power of ten");
}

// What is taken off a column's numbers, and whether float32 rounds these coarsely even so.
struct Digits {
  double origin = 0;
  bool coarse = false;
};

double lost_by_float(double value, double origin) {
  const double relative = value - origin;
  return std::abs(relative - static_cast<double>(static_cast<float>(relative)));
}

// Whether float32 rounds off a part of what lies between neighbours in the sample: on average, between many, or most
// of it between some, as a heap of numbers that are near each other may be a small part of a wide column. Sorts the
// sample.
bool rounds_coarsely(std::vector<double>& sample, double origin) {
  constexpr double coarse = 1e-3, many = 0.1, ruinous = 0.05, some = 0.01;
  constexpr double noise = 16 * std::numeric_limits<double>::epsilon();  // of sums that ought to be equal
  std::sort(sample.begin(), sample.end());
  double all_lost = 0, rounded = 0, ruined = 0, before = 0;
  std::vector<double> gaps;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double lost = lost_by_float(sample[i], origin), gap = i > 0 ? sample[i] - sample[i - 1] : 0;
    all_lost += lost;
    if (gap > noise * std::abs(sample[i])) {
      gaps.push_back(gap);
      rounded += std::max(lost, before) > coarse * gap;
      ruined += std::max(lost, before) > ruinous * gap;
    }
    before = lost;
  }
  const auto pairs = static_cast<double>(gaps.size());
  return !gaps.empty() && (rounded > many * pairs || (ruined > 1 && ruined > some * pairs) ||
                           all_lost / static_cast<double>(sample.size()) > coarse * median(gaps));
}

Digits digits_of(const Column& column, const std::vector<std::size_t>& rows, bool from_zero) {
  std::vector<double> sample;
  for (std::size_t i = 0; i < rows.size(); i += origin_step(rows.size()))
    if (const double value = column.numbers[rows[i]]; !std::isnan(value)) sample.push_back(value);
  if (from_zero || sample.empty()) return {};
  const double origin = column_origin(sample);
  return {origin, rounds_coarsely(sample, origin)};
}

// The rows in which the columns, at least one, follow each other; null if there are none of this type.
template <class Number>
NumberRows<Number>* side_by_side(const std::vector<const Column*>& columns) {
  const Numbers& first = columns[0]->numbers;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!columns[c]->numbers.shares_rows_with(first) || columns[c]->numbers.column() != first.column() + c)
      return nullptr;
  return first.rows<Number>().get();
}

// Columns, rows and what becomes of their numbers.
struct Gathering {
  const std::vector<const Column*>& columns;
  const std::vector<std::size_t>& rows;
  const std::vector<Digits>& digits;
  const std::vector<double>& means;  // of the columns' numbers, for those that are missing
  bool gaps_stay;
  DenseRows& to;
  const NumberRows<float>* float_rows = side_by_side<float>(columns);
  const NumberRows<double>* double_rows = side_by_side<double>(columns);

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max(), block = 64;

  void put(std::size_t at, double value) const {
    const auto rounded = static_cast<float>(value);
    to.values.own()[at] = rounded;
    if (!to.rest.empty()) to.rest[at] = static_cast<float>(value - rounded);
  }
  template <class Number>
  bool put_side_by_side(const NumberRows<Number>& from, std::size_t begin, std::size_t end) const;
  bool put_plain(std::size_t begin, std::size_t end) const;
  std::size_t put_all(std::size_t begin, std::size_t end) const;
  std::size_t put_blocks(std::size_t begin, std::size_t end) const;
};

// put_plain for columns that follow each other.
template <class Number>
bool Gathering::put_side_by_side(const NumberRows<Number>& from, std::size_t begin, std::size_t end) const {
  const std::size_t count = columns.size(), first = columns[0]->numbers.column();
  bool plain = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Number* const row = from.values.data() + rows[i] * from.columns + first;
    for (std::size_t c = 0; c < count; ++c) {
      const double value = row[c] - digits[c].origin;
      plain &= std::abs(value) <= largest_float;
      put(i * count + c, value);
    }
  }
  return plain;
}

// Puts the rows [begin, end); false if a number is missing or beyond float32. In tiles of columns and rows, so that
// lines of the cache are read and written whole.
bool Gathering::put_plain(std::size_t begin, std::size_t end) const {
  constexpr std::size_t tile = 16;
  if (float_rows) return put_side_by_side(*float_rows, begin, end);
  if (double_rows) return put_side_by_side(*double_rows, begin, end);
  const std::size_t count = columns.size();
  bool plain = true;
  for (std::size_t left = 0; left < count; left += tile)
    for (std::size_t top = begin; top < end; top += tile)
      for (std::size_t c = left; c < std::min(left + tile, count); ++c)
        columns[c]->numbers.visit([&](auto numbers) {
          const double origin = digits[c].origin;
          for (std::size_t i = top; i < std::min(top + tile, end); ++i) {
            const double value = numbers[rows[i]] - origin;
            plain = plain && std::abs(value) <= largest_float;
            put(i * count + c, value);
          }
        });
  return plain;
}

// Puts the rows [begin, end). Returns the place of the first value beyond float32, or none.
std::size_t Gathering::put_all(std::size_t begin, std::size_t end) const {
  const std::size_t count = columns.size();
  std::size_t beyond = none;
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t i = begin; i < end; ++i) {
      const double number = columns[c]->numbers[rows[i]],
                   value = (std::isnan(number) ? means[c] : number) - digits[c].origin;
      if (!(std::abs(value) <= largest_float) && !(std::isnan(number) && gaps_stay))
        beyond = std::min(beyond, i * count + c);
      put(i * count + c, value);
    }
  return beyond;
}

// Puts the rows [begin, end) on all threads. Returns the place of the first value beyond float32, or none.
std::size_t Gathering::put_blocks(std::size_t begin, std::size_t end) const {
  std::vector<std::size_t> beyond((end - begin + block - 1) / block, none);  // of each block: the first
  in_parallel(beyond.size(), 16, [&](std::size_t b) {
    const std::size_t first = begin + b * block, last = std::min(first + block, end);
    if (!put_plain(first, last)) beyond[b] = put_all(first, last);
  });
  const auto first = std::ranges::find_if(beyond, [](std::size_t at) { return at != none; });
  return first == beyond.end() ? none : *first;
}

// How many rows are put before the memory of their numbers goes back: of several pages of each column.
std::size_t rows_at_once(const std::vector<const Column*>& columns) {
  constexpr std::size_t of_rows = 32 << 20, of_column = 64 << 10;  // bytes
  const std::size_t row_bytes = columns[0]->numbers.row_bytes();
  return row_bytes > 0 ? std::max<std::size_t>(1, of_rows / row_bytes) : of_column / sizeof(float);
}

// The rows that just are DenseRows::values; else null.
NumberRows<float>* values_in(const std::vector<const Column*>& columns, std::size_t rows, const DenseRows& to) {
  NumberRows<float>* const all = side_by_side<float>(columns);
  const bool as_they_are = to.origin.empty() && to.rest.empty();
  return all && as_they_are && all->columns == columns.size() && all->values.size() == rows * all->columns ? all
                                                                                                           : nullptr;
}

// The numbers of a column that is given.
Numbers& numbers_of(const Column* column) {
  return const_cast<Column*>(column)->numbers;
}

void give_back(const std::vector<const Column*>& columns, const std::string& kept, std::size_t begin, std::size_t end) {
  const Column* before = nullptr;
  for (const Column* column : columns)
    if (column->name != kept && !(before && column->numbers.shares_rows_with(before->numbers)))
      numbers_of(before = column).give_back(begin, end);
}

}  // namespace

std::size_t origin_step(std::size_t rows) {
  return (rows + sampled - 1) / sampled;
}

double column_origin(std::vector<double>& sample) {
  if (sample.empty()) return 0;
  const double middle = median(sample);
  double from_zero = 0, from_middle = 0;
  for (const double value : sample) from_zero += std::abs(value), from_middle += std::abs(value - middle);
  if (from_zero > worth_an_origin * from_middle) return middle;
  const auto lost = [&](double origin) {
    double sum = 0;
    for (const double value : sample) sum += lost_by_float(value, origin);
    return sum;
  };
  const bool better = lost(0) > worth_if_coarse * lost(middle);
  return better && rounds_coarsely(sample, 0) ? middle : 0;
}

void gather_values(const std::vector<const Column*>& columns, const std::vector<std::size_t>& rows,
                   const DataRequest& request, const Table& table, const std::string* kept, Dataset& dataset) {
  const std::size_t count = columns.size();
  if (count == 0) return;
  DenseRows& to = dataset.rows();
  const bool from_zero = request.reading == Reading::matrix || table.picture;
  std::vector<Digits> digits(count);
  std::vector<double> means(count, std::numeric_limits<double>::quiet_NaN());
  in_parallel(count, 1, [&](std::size_t c) {
    digits[c] = digits_of(*columns[c], rows, from_zero);
    if (request.missing == Missing::mean && request.reading != Reading::matrix) means[c] = mean_of_present(*columns[c]);
  });
  for (const Column* column : columns) check_not_too_small(table, *column);
  const auto is_far = [](const Digits& each) { return each.origin != 0; };
  if (std::any_of(digits.begin(), digits.end(), is_far))
    for (const Digits& each : digits) to.origin.push_back(each.origin);
  if (std::any_of(digits.begin(), digits.end(), [](auto& each) { return each.coarse; }))
    to.rest.resize(rows.size() * count);
  if (NumberRows<float>* const all = kept ? values_in(columns, rows.size(), to) : nullptr) {
    to.values = std::move(all->values);
    return;
  }
  to.values.own().reserve(room_for_points(rows.size()) * count);
  to.values.own().resize(rows.size() * count);
  const Gathering gathering{columns, rows, digits, means, request.reading == Reading::matrix, to};
  const std::size_t at_once = kept ? rows_at_once(columns) : rows.size();
  for (std::size_t begin = 0; begin < rows.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, rows.size());
    if (const std::size_t at = gathering.put_blocks(begin, end); at != Gathering::none)
      throw row_error(table, rows[at / count],
                      "column " + shown(columns[at % count]->name) + ": " +
                          number_text(columns[at % count]->numbers, rows[at / count]) +
                          " is beyond float32; divide the column by a power of ten");
    if (kept) give_back(columns, *kept, rows[begin], rows[end - 1] + 1);
  }
}

}  // namespace kinescope::sim
