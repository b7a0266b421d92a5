#include "kinescope/dataset.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <span>
#include <string>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"

namespace kinescope::sim {
namespace {

Error wrong(const Dataset& data, const std::string& what) {
  return input_error((data.name.empty() ? "the data" : data.name) + ": " + what);
}

// The smallest number below `count` for which it holds; `count` if there is none. In parallel.
template <class F>
std::size_t first_where(std::size_t count, F holds) {
  std::atomic<std::size_t> first = count;
  in_parallel_ranges(count, 1 << 12, [&](std::size_t begin, std::size_t end) {
    while (begin < end && !holds(begin)) ++begin;
    std::size_t before = first;
    while (begin < end && begin < before && !first.compare_exchange_weak(before, begin)) {
    }
  });
  return first;
}

// The place of the first number that is none, or the number of all.
std::size_t first_not_finite(std::span<const float> values) {
  constexpr std::size_t block = 1 << 12;
  const std::size_t found = first_where((values.size() + block - 1) / block, [&](std::size_t at) {
    const std::span<const float> part = values.subspan(at * block, std::min(block, values.size() - at * block));
    float zero = 0;  // stays 0 while all are finite
    for (const float value : part) zero += value * 0;
    return zero != 0;
  });
  for (std::size_t i = found * block; i < values.size(); ++i)
    if (!std::isfinite(values[i])) return i;
  return values.size();
}

void check_sparse(const Dataset& data) {
  const SparseRows& rows = *data.sparse();
  const std::size_t entries = rows.value.size();
  if (rows.begin.size() != data.points + 1 || rows.begin.front() != 0 || rows.begin.back() != entries ||
      rows.index.size() != entries || !std::ranges::is_sorted(rows.begin))
    throw wrong(data, "the sparse rows do not begin and end within their " + std::to_string(entries) + " values");
  if (rows.columns != data.dimensions)
    throw wrong(data, "the sparse rows have " + std::to_string(rows.columns) + " columns, and the data " +
                          std::to_string(data.dimensions));
  const auto is_wrong = [&](std::size_t row) {
    const auto columns = rows.index_of(row);
    const auto values = rows.value_of(row);
    return std::ranges::adjacent_find(columns, std::ranges::greater_equal()) != columns.end() ||
           (!columns.empty() && columns.back() >= rows.columns) ||
           std::ranges::any_of(values, [](float value) { return !std::isfinite(value) || value == 0; });
  };
  const std::size_t row = first_where(data.points, is_wrong);
  if (row < data.points)
    throw wrong(data, "sparse row " + std::to_string(row) +
                          " (from 0): its columns must ascend, within the data's, and its values be finite and not 0");
}

}  // namespace

const DenseRows& Dataset::no_rows() {
  static const DenseRows none;
  return none;
}

void check(const Dataset& data, bool distances_may_lack) {
  const std::size_t n = data.points, h = data.dimensions;
  if (n == 0) throw wrong(data, "there are no points");
  const auto fits = [&](const char* name, std::size_t has, std::size_t needs) {
    if (has != 0 && has < needs)
      throw wrong(data, std::string(name) + " has " + std::to_string(has) + " numbers; " + std::to_string(needs) +
                            " are needed");
  };
  fits("labels", data.labels.size(), n);
  fits("colours", data.colours.size(), n);
  fits("components", data.components.size(), n);
  if (std::ranges::any_of(data.components, [&](std::uint32_t component) { return component >= n; }))
    throw wrong(data, "a component has a number that is not below the number of points");
  if (data.distances()) {
    if (data.distances()->points() != n)
      throw wrong(data, "there are distances of " + std::to_string(data.distances()->points()) + " points, and " +
                            std::to_string(n) + " points");
    return;
  }
  if (h == 0) throw wrong(data, "no column of numbers is used");
  fits("origin", data.origin().size(), h);
  // What load_dataset read or made is right within, and finite.
  const bool is_own = data.table.source.empty();
  if (data.sparse()) return is_own ? check_sparse(data) : void();
  if (n > std::size_t(-1) / sizeof(float) / h || data.values().empty() || !data.values().data())
    throw wrong(data, "there are no values for " + std::to_string(n) + " points in " + std::to_string(h) + " columns");
  fits("values", data.values().size(), n * h);
  fits("rest", data.rest().size(), n * h);
  if (!is_own) return;
  if (const auto bad = std::ranges::find_if_not(data.origin(), [](double each) { return std::isfinite(each); });
      bad != data.origin().end())
    throw wrong(data,
                "the origin of column " + std::to_string(bad - data.origin().begin()) + " (from 0) is not finite");
  if (distances_may_lack && !data.components.empty()) return;  // between components there are none
  for (const std::span<const float> numbers : {std::span(data.values().data(), n * h), std::span(data.rest())}) {
    const std::size_t at = first_not_finite(numbers);
    if (at < numbers.size())
      throw wrong(data, "the value of point " + std::to_string(at / h) + " in column " + std::to_string(at % h) +
                            " (from 0) is not finite");
  }
}

}  // namespace kinescope::sim
