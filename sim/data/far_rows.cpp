#include "sim/data/far_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t fewest_rows = 5, most_looked_at = 1000, one_in = 100;
// The farthest row is at least `far` times as far away as the rest, which then takes less than two hundredths of a
// picture's width. Every far row is at least `gap` times as far away as the rest. Tables with long tails have far rows
// too, but no such gap: there are other rows in between.
constexpr double far = 100, gap = 10;

class Distances {
 public:
  Distances(std::span<const ScaledColumn> columns, std::size_t categories, const std::vector<std::size_t>& rows)
      : columns_(columns), categories_(static_cast<double>(categories)), rows_(rows) {
    for (const ScaledColumn& each : columns_) middle_.push_back(median(*each.column));
  }

  // The square of a row's distance from the medians. Missing values add nothing: the values that may replace them are
  // near the medians in comparison.
  double square(std::size_t row) const {
    double sum = categories_;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (const double number = columns_[c].column->numbers[row]; !std::isnan(number)) sum += square(c, number);
    return sum;
  }

  // An upper bound of all rows' squares.
  double largest_square() const {
    double sum = categories_;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      sum += std::max(square(c, columns_[c].low), square(c, columns_[c].high));
    return sum;
  }

  // The square that nine of ten rows, or all but one, do not exceed, estimated from a sample of the rows.
  double usual_square() const {
    std::vector<double> squares;
    for (std::size_t i = 0; i < rows_.size(); i += step()) squares.push_back(square(rows_[i]));
    return at(squares, std::min(squares.size() * 9 / 10, squares.size() - 2));
  }

 private:
  template <class T>
  static T at(std::vector<T>& values, std::size_t place) {
    const auto found = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), found, values.end());
    return *found;
  }

  std::size_t step() const { return (rows_.size() + most_looked_at - 1) / most_looked_at; }

  double median(const Column& column) const {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < rows_.size(); i += step())
      if (const double number = column.numbers[rows_[i]]; !std::isnan(number)) numbers.push_back(number);
    return numbers.empty() ? 0 : at(numbers, numbers.size() / 2);
  }

  double square(std::size_t c, double number) const {
    const double difference = (number - middle_[c]) * columns_[c].scale;
    return difference * difference;
  }

  std::span<const ScaledColumn> columns_;
  double categories_;
  const std::vector<std::size_t>& rows_;
  std::vector<double> middle_;
};

}  // namespace

std::vector<std::size_t> far_rows(std::span<const ScaledColumn> columns, std::size_t categories,
                                  const std::vector<std::size_t>& rows) {
  const std::size_t count = rows.size(), most = std::max<std::size_t>(1, count / one_in);
  if (count < fewest_rows || columns.empty()) return {};
  const Distances distances(columns, categories, rows);
  if (distances.largest_square() < far * far * distances.usual_square()) return {};
  std::vector<double> squares(count);
  for (std::size_t i = 0; i < count; ++i) squares[i] = distances.square(rows[i]);
  std::vector<std::size_t> order(count);  // the farthest first
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most + 1), order.end(),
                    [&](std::size_t a, std::size_t b) { return squares[a] > squares[b]; });
  std::size_t found = most;
  for (; found > 0; --found) {
    const double others = squares[order[found]];
    if (others > 0 && squares[order[found - 1]] >= gap * gap * others && squares[order[0]] >= far * far * others) break;
  }
  order.resize(found);
  std::sort(order.begin(), order.end());
  for (std::size_t& row : order) row = rows[row];
  return order;
}

std::string far_rows_sentence(const Table& table, std::size_t rows, const std::vector<std::size_t>& far) {
  if (far.empty()) return "";
  constexpr std::size_t most_named = 6;
  std::string places;
  for (std::size_t i = 0; i < std::min(far.size(), most_named); ++i)
    places += (i ? ", " : "") + std::to_string(table.row_lines.empty() ? far[i] + 1 : table.row_lines[far[i]]);
  if (far.size() > most_named) places += ", …";
  const bool one = far.size() == 1;
  return with_commas(far.size()) + " of " + count_of(rows, "row") + (one ? " is" : " are") +
         " so far from all others that these will look like one dot; check or remove " + (one ? "it: " : "them: ") +
         (table.row_lines.empty() ? "row" : "line") + (one ? " " : "s ") + places;
}

}  // namespace kinescope::sim
