// How long the table of rows takes for what it does in the background: table_times [ROWS], 10^7 by default, of short
// texts, numbers and categories. The median of five, in milliseconds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fmt/core.h>
#include <random>

#include "app/features/table/differences.hpp"
#include "app/features/table/row_order.hpp"
#include "app/features/table/row_search.hpp"
#include "app/scenes/points/row_filters.hpp"

namespace kinescope::app {
namespace {

template <class F>
void time(const char* what, const F& f) {
  std::vector<double> ms;
  std::size_t found = 0;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    found = f();
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(ms);
  fmt::print("{:<42}{:>9.0f} ms   {}\n", what, ms[2], found);
}

sim::Table example(std::size_t rows) {
  std::mt19937 random(1);
  sim::Column names{"name", true, {}, {}}, longer{"title", true, {}, {}}, kinds{"kind", true, {}, {}},
      number{"number", false, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    std::string name;
    for (unsigned i = 4 + random() % 11; i > 0; --i) name += char((i % 5 == 0 ? 'A' : 'a') + random() % 26);
    longer.texts.push_back("The " + name + " of " + std::to_string(row));
    names.texts.push_back(std::move(name));
    kinds.texts.push_back(std::string("kind ") + char('a' + random() % 9));
    number.numbers.push_back(float(random() % 1000000) / 997);
  }
  sim::Table table;
  table.rows = rows;
  table.columns = {std::move(names), std::move(longer), std::move(kinds), std::move(number)};
  return table;
}

void measure(std::size_t rows) {
  sim::Table table = example(rows);
  const auto only = [&](std::size_t column) {
    sim::Table one;
    one.rows = rows;
    one.columns = {table.columns[column]};
    return one;
  };
  {
    const sim::Table names = only(0);
    time("search: texts of 4 to 14 letters, 'xyz'", [&] { return rows_with(names, "xyz", {}).size(); });
    time("search: the same, 'e'", [&] { return rows_with(names, "e", {}).size(); });
  }
  {
    const sim::Table titles = only(1);
    time("search: texts of 12 to 30 letters, 'xyz'", [&] { return rows_with(titles, "xyz", {}).size(); });
  }
  {
    const sim::Table numbers = only(3);
    time("search: numbers, '12.5'", [&] { return rows_with(numbers, "12.5", {}).size(); });
  }
  const RowFilter range{.column = "number", .low = 200, .high = 400},
      kind{.column = "kind", .texts = {"kind a", "kind b"}};
  std::vector<std::uint32_t> selected;
  time("filters: a range and two categories", [&] { return (selected = rows_passing(table, {range, kind})).size(); });
  time("sort: numbers", [&] { return sorted_rows(table.columns[3], false, {}).size(); });
  time("sort: texts", [&] { return sorted_rows(table.columns[0], false, {}).size(); });
  table.columns.erase(table.columns.begin(), table.columns.begin() + 2);
  std::atomic<std::size_t> done = 0;
  time("differences: a column of each kind", [&] { return differences(table, selected, done, {}).size(); });
}

}  // namespace
}  // namespace kinescope::app

int main(int count, char** words) {
  kinescope::app::measure(count > 1 ? std::strtoull(words[1], nullptr, 10) : 10'000'000);
}
