#include "sim/data/looks_like.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

#include "sim/core/by_text.hpp"
#include "sim/data/text.hpp"
#include "sim/data/transpose.hpp"

namespace kinescope::sim {
namespace {

// Names of columns that name features: those that biologists count or measure in samples.
bool names_features(std::string_view name) {
  for (const std::string_view each :
       {"otu",        "otu id",        "otu_id",          "otuid",       "asv",         "asv id",     "asv_id",
        "feature id", "feature_id",    "featureid",       "gene",        "genes",       "gene id",    "gene_id",
        "geneid",     "gene name",     "gene_name",       "gene symbol", "gene_symbol", "genesymbol", "hugo_symbol",
        "ensembl",    "ensembl_id",    "ensembl_gene_id", "id_ref",      "probe",       "probe_id",   "probeid",
        "transcript", "transcript_id", "taxon",           "taxa"})
    if (equals_ignoring_case(name, each)) return true;
  return false;
}

// The mean correlation of neighbouring columns of numbers, of log(1 + x), over spread rows.
double correlation_of_neighbours(const std::vector<const Column*>& columns, std::size_t rows) {
  constexpr std::size_t most_rows = 2000;
  const std::size_t step = (rows + most_rows - 1) / most_rows;
  double sum = 0;
  for (std::size_t c = 1; c < columns.size(); ++c) {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (std::size_t row = 0; row < rows; row += step) {
      const double a = std::log1p(columns[c - 1]->numbers[row]), b = std::log1p(columns[c]->numbers[row]);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      ++n, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    const double both = (n * xx - x * x) * (n * yy - y * y);
    if (both > 0) sum += (n * xy - x * y) / std::sqrt(both);
  }
  return sum / double(columns.size() - 1);
}

// Whether all columns of numbers measure the same: none is negative, and their means are within a factor of 30.
bool are_alike(const std::vector<const Column*>& columns) {
  double least = INFINITY, most = 0;
  for (const Column* column : columns) {
    double sum = 0, count = 0;
    for (const double value : column->numbers) {
      if (std::isnan(value)) continue;
      if (!(value >= 0) || std::isinf(value)) return false;
      sum += value, ++count;
    }
    if (count == 0) return false;
    if (sum > 0) least = std::min(least, sum / count), most = std::max(most, sum / count);
  }
  return most > 0 && most <= 30 * least;
}

// Whether each of the nodes first, first + 1, … is at an edge, no edge leads from a node to itself, and no two connect
// the same nodes. O(nodes + edges).
bool are_numbered_edges(const Numbers& from, const Numbers& to, double first, std::size_t nodes) {
  const std::size_t count = from.size();
  std::vector<std::uint32_t> lower(count), upper(count);  // the ends of each edge
  std::vector<bool> met(nodes);
  for (std::size_t row = 0; row < count; ++row) {
    const auto a = std::uint32_t(from[row] - first), b = std::uint32_t(to[row] - first);
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    if (low == high) return false;
    lower[row] = low, upper[row] = high;
    met[low] = met[high] = true;
  }
  if (std::ranges::find(met, false) != met.end()) return false;
  // The upper ends by their lower ones; then a node that is met twice from the same one is an edge met twice.
  std::vector<std::size_t> next(nodes + 1);
  for (const std::uint32_t low : lower) ++next[low + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> ends(count), last(nodes, std::uint32_t(nodes));
  for (std::size_t row = 0; row < count; ++row) ends[next[lower[row]]++] = upper[row];
  for (std::size_t low = 0, at = 0; low < nodes; ++low)
    for (; at < next[low]; ++at)
      if (std::exchange(last[ends[at]], std::uint32_t(low)) == low) return false;
  return true;
}

constexpr std::size_t fewest_rows = 5, most_looked_at = 1000, one_in = 100;
// The farthest row is at least `far` times as far away as the rest, which then takes less than two hundredths of a
// picture's width. Every far row is at least `gap` times as far away as the rest. Tables with long tails have far rows
// too, but no such gap: there are other rows in between.
constexpr double far = 100, gap = 10;

class DistancesFromMedians {
 public:
  DistancesFromMedians(std::span<const ScaledColumn> columns, std::size_t categories,
                       const std::vector<std::size_t>& rows)
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

bool looks_like_distances(const Chosen& chosen) {
  const std::size_t size = chosen.columns.size();
  constexpr std::size_t fewest = 4, most_checked = 256;
  if (size < fewest || chosen.rows.size() != size) return false;
  for (const Column* column : chosen.columns)
    if (column->is_text) return false;
  const std::size_t step = (size + most_checked - 1) / most_checked;
  bool any = false;
  for (std::size_t i = 0; i < size; i += step)
    for (std::size_t j = 0; j <= i; ++j) {
      const double here = chosen.columns[j]->numbers[chosen.rows[i]],
                   across = chosen.columns[i]->numbers[chosen.rows[j]];
      if (!(here >= 0) || std::abs(here - across) > 1e-3 * here || (i == j && here != 0)) return false;
      any = any || here > 0;
    }
  return any;
}

bool looks_like_edges(const Table& table, const Findings& findings) {
  const std::size_t columns = table.columns.size();
  constexpr std::size_t fewest = 8;
  if (columns < 2 || columns > 3 || table.rows < fewest) return false;
  for (std::size_t c = 0; c < 2; ++c) {
    const Column& column = table.columns[c];
    const ColumnKind kind = findings.columns[c].kind;
    const bool whole = kind == ColumnKind::integers || kind == ColumnKind::counter;
    if (findings.columns[c].missing > 0 || column.is_text != table.columns[0].is_text) return false;
    if (!whole && !column.is_text) return false;
    if (findings.columns[c].statistics.low < 0) return false;
  }
  const ColumnFinding& last = findings.columns.back();
  if (columns == 3 && (table.columns[2].is_text || !(last.statistics.low > 0))) return false;
  const auto is_called = [&](std::size_t c, std::string_view name) {
    return equals_ignoring_case(table.columns[c].name, name);
  };
  if ((is_called(0, "source") && is_called(1, "target")) || (is_called(0, "from") && is_called(1, "to"))) return true;
  // Nodes are numbered without gaps, none has an edge to itself, and no edge is named twice; whole numbers that measure
  // something are seldom like that.
  if (table.columns[0].is_text || columns == 3) return false;
  const ColumnStatistics &from = findings.columns[0].statistics, &to = findings.columns[1].statistics;
  const double first = std::min(from.low, to.low), nodes = std::max(from.high, to.high) - first + 1;
  if (first > 1 || nodes < double(fewest) || !(nodes <= double(table.rows + 1))) return false;
  return are_numbered_edges(table.columns[0].numbers, table.columns[1].numbers, first, std::size_t(nodes));
}

bool is_adjacency(const SparseRows& rows) {
  if (rows.rows() != rows.columns || rows.value.empty()) return false;
  if (std::any_of(rows.value.begin(), rows.value.end(), [](float value) { return value != 1; })) return false;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (const std::uint32_t column : rows.index_of(row)) {
      const auto across = rows.index_of(column);
      if (!std::binary_search(across.begin(), across.end(), std::uint32_t(row))) return false;
    }
  return true;
}

bool lies_on_its_side(const Table& table) {
  constexpr std::size_t fewest = 3, fewest_unnamed = 6, very_many = 1000, times = 10;
  if (!table.has_header || table.columns.empty() || naming_column(table) != 0) return false;
  std::vector<const Column*> numbers;
  const std::size_t last = table.columns.size() - 1;
  for (std::size_t i = 1; i <= last; ++i) {
    const Column& column = table.columns[i];
    if (column.annotates || is_empty(column)) continue;
    if (column.is_text && i > 1 && i < last) return false;  // beside the names or at the end: descriptions
    if (!column.is_text) numbers.push_back(&column);
  }
  const Column& names = table.columns.front();
  const bool called = names_features(names.name);
  if (numbers.size() < fewest || table.rows < (called ? 1 : very_many)) return false;
  if (!called && (numbers.size() < fewest_unnamed || table.rows < times * numbers.size())) return false;
  TextViewSet different(names.texts.begin(), names.texts.end());
  if (!names.texts.empty() && 20 * different.size() < 19 * table.rows) return false;
  // Names that are numbers are years or days, if they aren't samples of a table of features.
  if (!called && std::ranges::any_of(numbers, [](const Column* column) {
        return column->name.find_first_not_of("0123456789.-/: ") == std::string::npos;
      }))
    return false;
  return are_alike(numbers) && (called || correlation_of_neighbours(numbers, table.rows) > 0.5);
}

std::vector<std::size_t> far_rows(std::span<const ScaledColumn> columns, std::size_t categories,
                                  const std::vector<std::size_t>& rows) {
  const std::size_t count = rows.size(), most = std::max<std::size_t>(1, count / one_in);
  if (count < fewest_rows || columns.empty()) return {};
  const DistancesFromMedians distances(columns, categories, rows);
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
  std::vector<std::string> places;
  for (const std::size_t row : far)
    places.push_back(std::to_string(table.row_lines.empty() ? row + 1 : table.row_lines[row]));
  const bool one = far.size() == 1;
  return with_commas(far.size()) + " of " + count_of(rows, "row") + (one ? " is" : " are") +
         " so far from all others that these will look like one dot; check or remove " + (one ? "it: " : "them: ") +
         (table.row_lines.empty() ? "row" : "line") + (one ? " " : "s ") + listed(places);
}

}  // namespace kinescope::sim
