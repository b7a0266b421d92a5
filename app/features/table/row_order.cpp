#include "app/features/table/row_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <oneapi/tbb/parallel_sort.h>
#include <utility>

#include "app/features/table/row_search.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/core/letters.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t order_grain = 1 << 14;  // rows

// A cell's place in the order as far as a number can say it, and its row.
struct Keyed {
  std::uint64_t key;
  std::uint32_t row;
};

// Whole numbers that are in the order of the doubles.
std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // −0 is as large as 0
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}

// The first eight letters.
std::uint64_t key_of(const std::string& text) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i)
    key = key << 8 | (i < text.size() ? static_cast<unsigned char>(sim::lower(text[i])) : 0u);
  return key;
}

// Negative, 0 or positive, as std::string::compare.
int compare_letters(const std::string& a, const std::string& b) {
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < both; ++i) {
    const auto x = static_cast<unsigned char>(sim::lower(a[i])), y = static_cast<unsigned char>(sim::lower(b[i]));
    if (x != y) return x < y ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

bool is_missing_cell(const sim::Column& column, std::size_t row) {
  return column.is_text ? column.texts[row].empty() : std::isnan(column.numbers[row]);
}

}  // namespace

std::vector<std::uint32_t> sorted_rows(const sim::Column& column, bool descending, const std::stop_token& stop) {
  const std::size_t rows = column.size();
  std::vector<std::uint32_t> missing, sorted(rows);
  std::vector<Keyed> keys;
  keys.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    if (is_missing_cell(column, row))
      missing.push_back(std::uint32_t(row));
    else
      keys.push_back({0, std::uint32_t(row)});
  if (stop.stop_requested()) return sorted;
  sim::in_parallel(keys.size(), order_grain, [&](std::size_t i) {
    const std::uint32_t row = keys[i].row;
    keys[i].key = column.is_text ? key_of(column.texts[row]) : key_of(column.numbers[row]);
  });
  // Numbers that have texts too may be identifiers with more digits than a double.
  const bool has_texts = !column.texts.empty();
  const auto before = [&](const Keyed& a, const Keyed& b) {
    if (a.key != b.key) return descending ? a.key > b.key : a.key < b.key;
    const int order = has_texts ? compare_letters(column.texts[a.row], column.texts[b.row]) : 0;
    return order != 0 ? (descending ? order > 0 : order < 0) : a.row < b.row;
  };
  // In parts, because a sort cannot be stopped on its way.
  const std::size_t parts = std::bit_ceil(keys.size() / (std::size_t{1} << 21) + 1);
  const auto bound = [&](std::size_t part) { return keys.begin() + std::ptrdiff_t(keys.size() * part / parts); };
  for (std::size_t part = 0; part < parts && !stop.stop_requested(); ++part)
    oneapi::tbb::parallel_sort(bound(part), bound(part + 1), before);
  for (std::size_t width = 1; width < parts && !stop.stop_requested(); width *= 2)
    sim::in_parallel(parts / (2 * width), 1, [&](std::size_t pair) {
      const std::size_t first = 2 * width * pair;
      std::inplace_merge(bound(first), bound(first + width), bound(first + 2 * width), before);
    });
  for (std::size_t i = 0; i < keys.size(); ++i) sorted[i] = keys[i].row;
  std::copy(missing.begin(), missing.end(), sorted.begin() + std::ptrdiff_t(keys.size()));
  return sorted;
}

std::optional<std::size_t> Arrangement::place_of(std::uint32_t row) const {
  if (!shown) return row < size() ? std::optional<std::size_t>(row) : std::nullopt;
  const auto at = std::ranges::find(*shown, row);
  return at == shown->end() ? std::nullopt : std::optional(std::size_t(at - shown->begin()));
}

std::shared_ptr<const Arrangement> arranged(Arrangement asked, const Arrangement& before, const std::stop_token& stop) {
  using List = std::vector<std::uint32_t>;
  const bool same_data = asked.data == before.data;
  if (!asked.part.empty())
    asked.found = same_data && asked.part == before.part
                      ? before.found
                      : std::make_shared<List>(rows_with(asked.data->table, asked.part, stop));
  if (asked.sorting)
    asked.order = same_data && asked.sorting == before.sorting
                      ? before.order
                      : std::make_shared<List>(sorted_rows(asked.data->table.columns[asked.sorting->column],
                                                           asked.sorting->descending, stop));
  if (stop.stop_requested()) return nullptr;
  asked.kept = asked.found ? asked.found : asked.among;
  if (asked.found && asked.among) {
    auto both = std::make_shared<List>();
    std::ranges::set_intersection(*asked.found, *asked.among, std::back_inserter(*both));
    asked.kept = both;
  }
  asked.shown = asked.kept ? asked.kept : asked.order;
  if (asked.order && asked.kept) {
    std::vector<bool> marks(asked.data->points);
    for (const std::uint32_t row : *asked.kept) marks[row] = true;
    auto shown = std::make_shared<List>();
    shown->reserve(asked.kept->size());
    std::ranges::copy_if(*asked.order, std::back_inserter(*shown), [&](std::uint32_t row) { return marks[row]; });
    asked.shown = shown;
  }
  if (stop.stop_requested()) return nullptr;
  return std::make_shared<const Arrangement>(std::move(asked));
}

}  // namespace kinescope::app
