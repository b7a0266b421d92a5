#include "sim/data/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "kinescope/in_parallel.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"

namespace kinescope::sim {
namespace {

// With 8,192 rows a bar of an even distribution is off by 4 %, which is one pixel of its height of 24.
constexpr std::size_t most_looked_at = 8192;
constexpr std::size_t fewest_to_differ = 20;  // with fewer values it means nothing that all differ

template <class Values, class Take>
void look_at_some(const Values& values, const Take& take) {
  const std::size_t step = (values.size() + most_looked_at - 1) / most_looked_at;
  for (std::size_t i = 0; i < values.size(); i += step) take(values[i]);
}

bool differ(std::size_t values, std::size_t of) {
  return of >= fewest_to_differ && 20 * values >= 19 * of;
}

// Counts exactly only if categories are possible or nearly all values may differ. Else it returns a lower bound:
// sorting every column would take longer than reading the file.
std::size_t count_different(std::vector<double>& values, std::size_t of) {
  std::vector<double> few;  // ascending
  for (const double value : values) {
    const auto at = std::lower_bound(few.begin(), few.end(), value);
    if (at != few.end() && *at == value) continue;
    few.insert(at, value);
    if (few.size() > most_categories) break;
  }
  if (few.size() <= most_categories) return few.size();
  const auto different = [](auto begin, auto end) {
    std::sort(begin, end);
    return std::size_t(std::unique(begin, end) - begin);
  };
  std::vector<double> first(values.begin(), values.begin() + std::ptrdiff_t(std::min<std::size_t>(of, 256)));
  const std::size_t size = first.size(), among = different(first.begin(), first.end());
  return differ(among, size) ? different(values.begin(), values.end()) : std::max(among, few.size());
}

// The text beside the first of these numbers.
std::string text_of(const Column& column, double number) {
  return column
      .texts[std::size_t(std::find(column.numbers.begin(), column.numbers.end(), number) - column.numbers.begin())];
}

void count_numbers(const Column& column, const NumberFacts& facts, ColumnStatistics& found) {
  found.low = facts.low;
  found.high = facts.high;
  if (std::isnan(found.low)) return;
  if (!column.texts.empty()) found.low_text = text_of(column, found.low), found.high_text = text_of(column, found.high);
  std::vector<double> some;
  look_at_some(column.numbers, [&](double value) {
    if (std::isfinite(value)) some.push_back(value);
  });
  // If there are only few different whole numbers, each gets its own bar; with equal parts of the range some would
  // share one.
  constexpr double most = std::numeric_limits<double>::max();
  const double low = std::clamp(found.low, -most, most), high = std::clamp(found.high, -most, most);
  const double scale = std::isfinite(high - low) ? 1 : 0.5;  // of a range beyond double
  const double range = scale * high - scale * low;
  const bool each = range == 0 || (facts.whole && range < double(ColumnStatistics::most_bars));
  const std::size_t parts = each ? std::size_t(range) + 1 : ColumnStatistics::most_bars;
  found.bars.assign(parts, 0);
  for (const double value : some) {
    const double above = scale * value - scale * low;
    ++found.bars[std::min(std::size_t(each ? above : above / range * double(parts)), parts - 1)];
  }
  found.looked_at = some.size();
  found.values = count_different(some, found.looked_at);
}

void count_texts(const Column& column, ColumnStatistics& found) {
  ByTextView<std::uint32_t> counts;
  look_at_some(column.texts, [&](const std::string& text) {
    if (text.empty()) return;
    ++counts[text];
    ++found.looked_at;
  });
  found.values = counts.size();
  std::vector<std::pair<std::uint32_t, std::string_view>> sorted;
  for (const auto& [text, count] : counts) sorted.emplace_back(count, text);
  const std::size_t shown = std::min(sorted.size(), ColumnStatistics::most_bars);
  std::partial_sort(
      sorted.begin(), sorted.begin() + std::ptrdiff_t(shown), sorted.end(),
      [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (std::size_t i = 0; i < shown; ++i) {
    found.bars.push_back(sorted[i].first);
    found.names.emplace_back(sorted[i].second);
  }
}

struct HashedText {
  std::size_t hash;
  const std::string* text;
};

// By a table of its own: a TextViewSet would compute each hash again, and takes twice as long.
std::size_t count_different(std::span<const HashedText> texts) {
  const std::size_t places = std::bit_ceil(2 * texts.size() + 1);
  std::vector<HashedText> found(places, {0, nullptr});
  std::size_t count = 0;
  for (const HashedText& each : texts) {
    std::size_t at = each.hash & (places - 1);
    while (found[at].text && (found[at].hash != each.hash || *found[at].text != *each.text))
      at = (at + 1) & (places - 1);
    if (found[at].text) continue;
    found[at] = each;
    ++count;
  }
  return count;
}

}  // namespace

std::size_t count_different(const std::vector<std::string>& texts) {
  constexpr std::size_t each_part = 4096, task = 1 << 14;
  const std::size_t parts = std::bit_ceil(texts.size() / each_part + 1),
                    shift = std::size_t(64 - std::bit_width(parts));
  const auto part_of = [&](std::size_t hash) { return hash >> shift >> 1; };  // the last bits of a hash
  std::vector<HashedText> hashed(texts.size()), sorted(texts.size());
  in_parallel_ranges(texts.size(), task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) hashed[i] = {texts[i].empty() ? 0 : TextHash()(texts[i]), &texts[i]};
  });
  std::vector<std::size_t> begin(parts + 1), next;
  for (const HashedText& each : hashed)
    if (!each.text->empty()) ++begin[part_of(each.hash) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  next.assign(begin.begin(), begin.end() - 1);
  for (const HashedText& each : hashed)
    if (!each.text->empty()) sorted[next[part_of(each.hash)]++] = each;
  std::vector<std::size_t> counts(parts);
  in_parallel(parts, 1, [&](std::size_t p) {
    counts[p] = count_different(std::span(sorted).subspan(begin[p], begin[p + 1] - begin[p]));
  });
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

ColumnStatistics statistics_of(const Column& column) {
  return statistics_of(column, facts_of(column.numbers));
}

ColumnStatistics statistics_of(const Column& column, const NumberFacts& facts) {
  ColumnStatistics found;
  column.is_text ? count_texts(column, found) : count_numbers(column, facts, found);
  found.all_rows = column.size() <= most_looked_at;
  found.hardly_repeats = differ(found.values, found.looked_at);
  return found;
}

}  // namespace kinescope::sim
