#include "sim/data/number_facts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "kinescope/in_parallel.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t lane_count = 32;      // numbers looked at together: of four registers
constexpr std::size_t task_rows = 1 << 16;  // of one task

// What lanes of numbers tell. The loops over lanes become vector instructions: flags are as wide as the numbers.
template <class Number>
struct LaneFacts {
  using Flag = std::conditional_t<sizeof(Number) == 4, std::int32_t, std::int64_t>;
  static constexpr Number infinity = std::numeric_limits<Number>::infinity();

  std::array<Number, lane_count> low, high;
  std::array<Flag, lane_count> missing{}, broken{};  // counts

  LaneFacts() { low.fill(infinity), high.fill(-infinity); }

  void look_at(const Number* numbers) {
    for (std::size_t i = 0; i < lane_count; ++i) {
      const Number x = numbers[i];
      low[i] = x < low[i] ? x : low[i];
      high[i] = x > high[i] ? x : high[i];
      missing[i] += x != x;
      broken[i] += std::floor(x) != x;  // not whole, or missing
    }
  }
};

template <class Number>
NumberFacts facts_of_span(std::span<const Number> numbers) {
  LaneFacts<Number> lane;
  const std::size_t count = numbers.size(), even = count / lane_count * lane_count;
  for (std::size_t row = 0; row < even; row += lane_count) lane.look_at(numbers.data() + row);
  if (even < count) {
    std::array<Number, lane_count> last;
    last.fill(std::numeric_limits<Number>::quiet_NaN());
    std::copy(numbers.begin() + std::ptrdiff_t(even), numbers.end(), last.begin());
    lane.look_at(last.data());
  }
  const auto sum = [](const auto& lanes) {
    return static_cast<std::size_t>(std::accumulate(lanes.begin(), lanes.end(), std::int64_t{0}));
  };
  const std::size_t absent = sum(lane.missing), broken = sum(lane.broken);
  NumberFacts facts;
  facts.missing = absent - (even < count ? lane_count - (count - even) : 0);
  facts.whole = broken == absent;
  if (facts.missing == count) return facts;
  facts.low = *std::ranges::min_element(lane.low);
  facts.high = *std::ranges::max_element(lane.high);
  if (std::isinf(facts.low) || std::isinf(facts.high))
    facts.first_infinite =
        std::size_t(std::ranges::find_if(numbers, [](Number x) { return std::isinf(x); }) - numbers.begin());
  return facts;
}

// Adds what the rows from `begin` on tell.
void add(NumberFacts& all, const NumberFacts& part, std::size_t begin) {
  all.missing += part.missing;
  if (all.first_infinite == NumberFacts::none && part.first_infinite != NumberFacts::none)
    all.first_infinite = begin + part.first_infinite;
  if (!(part.low >= all.low) && !std::isnan(part.low)) all.low = part.low;
  if (!(part.high <= all.high) && !std::isnan(part.high)) all.high = part.high;
  all.whole = all.whole && part.whole;
}

NumberFacts facts_of_part(const Numbers& numbers, std::size_t begin, std::size_t count) {
  return numbers.visit([&]<class All>(const All& all) {
    using Number = std::remove_cvref_t<decltype(all[0])>;
    if constexpr (std::is_same_v<All, std::span<const Number>>) {
      return facts_of_span(all.subspan(begin, count));
    } else {
      std::vector<Number> some(count);
      for (std::size_t i = 0; i < count; ++i) some[i] = all[begin + i];
      return facts_of_span(std::span<const Number>(some));
    }
  });
}

constexpr std::size_t together = 8;  // columns: so many chains of sums hide the time that an addition takes

template <class Number>
bool hold(const Numbers& numbers) {
  return numbers.visit([](auto all) { return std::is_same_v<std::remove_cvref_t<decltype(all[0])>, Number>; });
}

template <class Number>
using Columns = std::array<Strided<Number>, together>;

template <class Number>
Columns<Number> strided(const Numbers* const* columns, std::size_t count) {
  const Strided<Number> none(nullptr, 1, 0);
  Columns<Number> made = {none, none, none, none, none, none, none, none};
  for (std::size_t c = 0; c < together; ++c)
    columns[c < count ? c : 0]->visit([&]<class All>(const All& all) {
      if constexpr (std::is_same_v<All, Strided<Number>>) made[c] = all;
      if constexpr (std::is_same_v<All, std::span<const Number>>) made[c] = {all.data(), 1, all.size()};
    });
  return made;
}

template <class Number>
void sum_columns(const Columns<Number>& columns, std::span<const std::size_t> rows, double (&sums)[together],
                 double (&squares)[together]) {
  double origin[together];
  for (std::size_t c = 0; c < together; ++c) origin[c] = columns[c][rows[0]];
  const bool all = rows.back() == rows.size() - 1;  // rows are ascending
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = all ? i : rows[i];
    for (std::size_t c = 0; c < together; ++c) {
      const double above = columns[c][row] - origin[c];
      sums[c] += above;
      squares[c] += above * above;
    }
  }
}

double variance_with_gaps(const Numbers& numbers, std::span<const std::size_t> rows) {
  double origin = NAN, sum = 0, squares = 0, count = 0;
  for (const std::size_t row : rows) {
    const double value = numbers[row];
    if (std::isnan(value)) continue;
    if (std::isnan(origin)) origin = value;
    sum += value - origin;
    squares += (value - origin) * (value - origin);
    ++count;
  }
  return count > 0 ? variance_of_sums(sum, squares, count) : 0;
}

}  // namespace

void choose_zeros(const Numbers& numbers, NumberFacts& facts) {
  if (facts.low != 0 && facts.high != 0) return;
  const double zero = *std::find(numbers.begin(), numbers.end(), 0.0);
  if (facts.low == 0) facts.low = zero;
  if (facts.high == 0) facts.high = zero;
}

double variance_of_sums(double sum, double squares, double count) {
  return std::max(0.0, squares / count - sum / count * (sum / count));
}

NumberFacts facts_of(const Numbers& numbers) {
  if (numbers.facts()) return *numbers.facts();
  NumberFacts facts = facts_of_part(numbers, 0, numbers.size());
  choose_zeros(numbers, facts);
  return facts;
}

std::vector<NumberFacts> facts_of(const Table& table) {
  const std::size_t columns = table.columns.size();
  std::vector<NumberFacts> facts(columns);
  const std::size_t tasks = std::max<std::size_t>(1, (table.rows + task_rows - 1) / task_rows);
  std::vector<NumberFacts> parts(columns * tasks);
  in_parallel(parts.size(), 1, [&](std::size_t i) {
    const Numbers& numbers = table.columns[i / tasks].numbers;
    if (numbers.facts()) return;
    const std::size_t begin = std::min(i % tasks * task_rows, numbers.size());
    parts[i] = facts_of_part(numbers, begin, std::min(task_rows, numbers.size() - begin));
  });
  for (std::size_t c = 0; c < columns; ++c) {
    const Numbers& numbers = table.columns[c].numbers;
    if (numbers.facts()) {
      facts[c] = *numbers.facts();
      continue;
    }
    for (std::size_t t = 0; t < tasks; ++t) add(facts[c], parts[c * tasks + t], t * task_rows);
    choose_zeros(numbers, facts[c]);
  }
  return facts;
}

template <class Number>
std::size_t next_missing(std::span<const Number> numbers, std::size_t row) {
  for (; row + lane_count <= numbers.size(); row += lane_count) {
    std::array<std::conditional_t<sizeof(Number) == 4, std::int32_t, std::int64_t>, lane_count> missing;
    for (std::size_t i = 0; i < lane_count; ++i) missing[i] = numbers[row + i] != numbers[row + i];
    if (std::ranges::any_of(missing, [](auto each) { return each != 0; })) break;
  }
  while (row < numbers.size() && !std::isnan(numbers[row])) ++row;
  return row;
}
template std::size_t next_missing(std::span<const float>, std::size_t);
template std::size_t next_missing(std::span<const double>, std::size_t);

std::vector<double> variances_of(std::span<const Numbers* const> columns, std::span<const std::size_t> missing,
                                 std::span<const std::size_t> rows) {
  std::vector<double> found(columns.size());
  if (rows.empty()) return found;
  in_parallel((columns.size() + together - 1) / together, 1, [&](std::size_t group) {
    const std::size_t begin = group * together, count = std::min(together, columns.size() - begin);
    const auto own = columns.subspan(begin, count);
    const auto known = [&](const Numbers* each) {
      return rows.size() == each->size() && each->facts() && !std::isnan(each->facts()->variance);
    };
    if (std::ranges::all_of(own, known)) {
      for (std::size_t c = 0; c < count; ++c) found[begin + c] = own[c]->facts()->variance;
      return;
    }
    const auto sum_all = [&]<class Number>(Number) {
      double sums[together] = {}, squares[together] = {};
      sum_columns(strided<Number>(own.data(), count), rows, sums, squares);
      for (std::size_t c = 0; c < count; ++c)
        found[begin + c] = variance_of_sums(sums[c], squares[c], static_cast<double>(rows.size()));
    };
    const auto here = missing.subspan(begin, count);
    const bool complete = std::ranges::all_of(here, [](std::size_t each) { return each == 0; });
    if (complete && std::ranges::all_of(own, [](auto* each) { return hold<float>(*each); })) return sum_all(float{});
    if (complete && std::ranges::all_of(own, [](auto* each) { return hold<double>(*each); })) return sum_all(double{});
    for (std::size_t c = 0; c < count; ++c) found[begin + c] = variance_with_gaps(*own[c], rows);
  });
  return found;
}

}  // namespace kinescope::sim
