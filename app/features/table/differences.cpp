#include "app/features/table/differences.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <oneapi/tbb/parallel_sort.h>
#include <optional>
#include <string_view>
#include <utility>

#include "kinescope/in_parallel.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/readers/csv/dates.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t number_bars = 24, most_category_bars = 12;

double median(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : std::midpoint(sorted[middle - 1], sorted[middle]);
}

// The share of pairs in which the first is larger, minus that in which it is smaller; of sorted numbers.
double cliffs_delta(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  std::size_t smaller = 0, not_larger = 0;  // how many of b are smaller than the number of a; not larger
  for (const double number : a) {
    while (smaller < b.size() && b[smaller] < number) ++smaller;
    not_larger = std::max(not_larger, smaller);
    while (not_larger < b.size() && b[not_larger] <= number) ++not_larger;
    sum += double(smaller) - double(b.size() - not_larger);
  }
  return sum / (double(a.size()) * double(b.size()));
}

bool is_whole(double number) {
  return std::floor(number) == number;
}

std::vector<float> bars_of(const std::vector<double>& sorted, double low, double high, std::size_t count) {
  std::vector<float> bars(count, 0);
  for (std::size_t i = 0, begin = 0; i < count; ++i) {
    const double end = low + (high - low) * double(i + 1) / double(count);
    const auto at = i + 1 == count ? sorted.end() : std::ranges::lower_bound(sorted, end);
    bars[i] = float(double(std::size_t(at - sorted.begin()) - begin) / double(sorted.size()));
    begin = std::size_t(at - sorted.begin());
  }
  return bars;
}

std::optional<Difference> difference_of_numbers(const sim::Column& column, const std::vector<bool>& selected) {
  std::vector<double> in, out;
  column.numbers.visit([&](const auto& numbers) {
    for (std::size_t row = 0; row < numbers.size(); ++row)
      if (const auto number = double(numbers[row]); !std::isnan(number)) (selected[row] ? in : out).push_back(number);
  });
  if (in.empty() || out.empty()) return std::nullopt;
  oneapi::tbb::parallel_sort(in.begin(), in.end());
  oneapi::tbb::parallel_sort(out.begin(), out.end());
  Difference found{.column = column.name, .of_dates = sim::holds_dates(column)};
  found.effect = cliffs_delta(in, out);
  found.selected_median = median(in);
  found.rest_median = median(out);
  const auto quantile = [](const std::vector<double>& sorted, double part) {
    return sorted[std::size_t(std::lround(part * double(sorted.size() - 1)))];
  };
  found.low = std::min(quantile(in, 0.01), quantile(out, 0.01));
  found.high = std::max(quantile(in, 0.99), quantile(out, 0.99));
  const double range = found.high - found.low;
  const bool few = range < number_bars && std::ranges::all_of(in, is_whole) && std::ranges::all_of(out, is_whole);
  const double more = few ? 0.5 : 0;
  const std::size_t count = few ? std::size_t(range) + 1 : number_bars;
  found.selected_bars = bars_of(in, found.low - more, found.high + more, count);
  found.rest_bars = bars_of(out, found.low - more, found.high + more, count);
  return found;
}

std::optional<Difference> difference_of_texts(const sim::Column& column, const std::vector<bool>& selected) {
  if (sim::category_count(column) == 0) return std::nullopt;
  struct Counts {
    std::string_view name;
    double in = 0, out = 0;
  };
  sim::ByTextView<Counts> by_name;
  double in = 0, out = 0;
  for (std::size_t row = 0; row < column.texts.size(); ++row) {
    if (column.texts[row].empty()) continue;
    Counts& counts = by_name[column.texts[row]];
    ++(selected[row] ? counts.in : counts.out);
    ++(selected[row] ? in : out);
  }
  if (in == 0 || out == 0) return std::nullopt;
  std::vector<Counts> all;
  for (auto& [name, counts] : by_name) all.push_back({name, counts.in, counts.out});
  std::ranges::sort(all, [](const Counts& a, const Counts& b) {
    return a.in + a.out != b.in + b.out ? a.in + a.out > b.in + b.out : a.name < b.name;
  });
  Difference found{.column = column.name, .of_texts = true};
  double chi_square = 0, most = -1;
  for (const Counts& each : all) {
    const double of_both = (each.in + each.out) / (in + out);
    for (const auto& [count, rows] : {std::pair(each.in, in), std::pair(each.out, out)})
      chi_square += (count - of_both * rows) * (count - of_both * rows) / (of_both * rows);
    const double apart = std::abs(each.in / in - each.out / out);
    if (apart > most) {
      most = apart;
      found.category = each.name;
      found.selected_share = each.in / in;
      found.rest_share = each.out / out;
    }
    if (found.bar_names.size() == most_category_bars) continue;
    found.bar_names.emplace_back(each.name);
    found.selected_bars.push_back(float(each.in / in));
    found.rest_bars.push_back(float(each.out / out));
  }
  found.effect = std::sqrt(chi_square / (in + out));  // of a table of two rows
  return found;
}

}  // namespace

std::vector<Difference> differences(const sim::Table& table, const std::vector<std::uint32_t>& selected,
                                    std::atomic<std::size_t>& done, const std::stop_token& stop) {
  std::vector<bool> marks(table.rows);
  for (const std::uint32_t row : selected) marks[row] = true;
  std::vector<std::optional<Difference>> each(table.columns.size());
  sim::in_parallel(each.size(), 1, [&](std::size_t i) {
    const sim::Column& column = table.columns[i];
    if (stop.stop_requested()) return;
    if (column.size() == table.rows)
      each[i] = column.is_text ? difference_of_texts(column, marks) : difference_of_numbers(column, marks);
    ++done;
  });
  std::vector<Difference> found;
  for (auto& one : each)
    if (one) found.push_back(std::move(*one));
  std::ranges::stable_sort(
      found, [](const Difference& a, const Difference& b) { return std::abs(a.effect) > std::abs(b.effect); });
  return found;
}

}  // namespace kinescope::app
