#include "kinescope/dataset.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"

namespace kinescope::sim {
namespace {

Error wrong(const Dataset& data, const std::string& what) {
  return input_error((data.name.empty() ? "the data" : data.name) + ": " + what);
}

void check_sparse(const Dataset& data) {
  const SparseRows& rows = *data.sparse();
  const std::size_t entries = rows.value.size();
  if (rows.begin.size() != data.points + 1 || rows.begin.front() != 0 || rows.begin.back() != entries ||
      rows.index.size() != entries || !std::ranges::is_sorted(rows.begin))
    throw wrong(data, "the sparse rows do not begin and end within their " + std::to_string(entries) + " values");
  if (std::ranges::any_of(rows.index, [&](std::uint32_t column) { return column >= data.dimensions; }))
    throw wrong(data, "a sparse row has a value beyond column " + std::to_string(data.dimensions));
}

// The place of the first number that is none, or the number of all.
std::size_t first_not_finite(const Values& values) {
  std::atomic<std::size_t> first = values.size();
  in_parallel_ranges(values.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
    float zero = 0;  // stays 0 while all are finite
    for (std::size_t i = begin; i < end; ++i) zero += values[i] * 0;
    if (zero == 0) return;
    while (std::isfinite(values[begin])) ++begin;
    std::size_t before = first;
    while (begin < before && !first.compare_exchange_weak(before, begin)) {
    }
  });
  return first;
}

}  // namespace

const DenseRows& Dataset::no_rows() {
  static const DenseRows none;
  return none;
}

void check(const Dataset& data) {
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
  if (data.distances()) return;
  if (h == 0) throw wrong(data, "no column of numbers is used");
  fits("origin", data.origin().size(), h);
  // What load_dataset read or made is right within, and finite.
  const bool is_own = data.table.source.empty();
  if (data.sparse()) return is_own ? check_sparse(data) : void();
  if (n > std::size_t(-1) / sizeof(float) / h || data.values().empty() || !data.values().data())
    throw wrong(data, "there are no values for " + std::to_string(n) + " points in " + std::to_string(h) + " columns");
  fits("values", data.values().size(), n * h);
  fits("rest", data.rest().size(), n * h);
  if (!is_own || !data.components.empty()) return;  // between components there are no distances
  const std::size_t at = first_not_finite(data.values());
  if (at < n * h)
    throw wrong(data, "the value of point " + std::to_string(at / h) + " in column " + std::to_string(at % h) +
                          " (from 0) is not finite");
}

}  // namespace kinescope::sim
