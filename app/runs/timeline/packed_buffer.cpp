#include "app/runs/timeline/packed_buffer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace kinescope::app {
namespace {

constexpr std::uint16_t highest = 65532, minus_infinity = 65533, plus_infinity = 65534, not_a_number = 65535;

// Elements are handled in blocks of a fixed size, a multiple of the number of columns, so that the compiler can
// vectorize the loops.
template <std::size_t Columns>
constexpr std::size_t block = Columns == 3 ? 24 : 16;

struct ColumnRange {
  float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
  void take(float value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

template <std::size_t Columns>
std::vector<ColumnRange> ranges_in_blocks(const float* values, std::size_t count) {
  constexpr std::size_t n = block<Columns>;
  float low[n], high[n];
  std::fill_n(low, n, std::numeric_limits<float>::infinity());
  std::fill_n(high, n, -std::numeric_limits<float>::infinity());
  std::size_t at = 0;
  for (; at + n <= count; at += n)
    for (std::size_t i = 0; i < n; ++i) {
      const float value = values[at + i];
      low[i] = value < low[i] ? value : low[i];
      high[i] = value > high[i] ? value : high[i];
    }
  std::vector<ColumnRange> ranges(Columns);
  for (std::size_t i = 0; i < n; ++i) {
    ranges[i % Columns].take(low[i]);
    ranges[i % Columns].take(high[i]);
  }
  for (; at < count; ++at) ranges[at % Columns].take(values[at]);
  return ranges;
}

// The range of the finite numbers of each column, and whether there are infinities.
std::vector<ColumnRange> ranges_of(const float* values, std::size_t count, std::size_t columns, bool& infinities) {
  static constexpr auto in_blocks = std::array{ranges_in_blocks<1>, ranges_in_blocks<2>, ranges_in_blocks<3>};
  std::vector<ColumnRange> ranges(columns);
  if (columns <= in_blocks.size())
    ranges = in_blocks[columns - 1](values, count);
  else
    for (std::size_t at = 0; at < count; ++at) ranges[at % columns].take(values[at]);
  infinities = std::ranges::any_of(ranges, [](const ColumnRange& range) {
    return range.low <= range.high && (std::isinf(range.low) || std::isinf(range.high));
  });
  if (infinities) {
    ranges.assign(columns, {});
    for (std::size_t at = 0; at < count; ++at)
      if (std::isfinite(values[at])) ranges[at % columns].take(values[at]);
  }
  for (ColumnRange& range : ranges)
    if (range.low > range.high) range = {0, 0};
  return ranges;
}

std::uint16_t rounded(float value, double low, double per_step) {
  if (std::isnan(value)) return not_a_number;
  if (std::isinf(value)) return value > 0 ? plus_infinity : minus_infinity;
  return static_cast<std::uint16_t>(std::clamp((double(value) - low) * per_step + 0.5, 0.0, double(highest)));
}

// Requires that each value is NaN or within the range of its column.
template <std::size_t Columns>
void round_in_blocks(const float* values, std::size_t count, const float* low, const float* per_step,
                     std::uint16_t* codes) {
  constexpr std::size_t n = block<Columns>;
  float lows[n], steps[n];
  for (std::size_t i = 0; i < n; ++i) {
    lows[i] = low[i % Columns];
    steps[i] = per_step[i % Columns];
  }
  std::size_t at = 0;
  for (; at + n <= count; at += n)
    for (std::size_t i = 0; i < n; ++i) {
      const float value = values[at + i], place = (value - lows[i]) * steps[i] + 0.5f;
      const int code = static_cast<int>(place > 0 ? (place < float(highest) ? place : float(highest)) : 0.f);
      codes[at + i] = static_cast<std::uint16_t>(value == value ? code : int(not_a_number));
    }
  for (; at < count; ++at) codes[at] = rounded(values[at], lows[at % Columns], steps[at % Columns]);
}

template <class Code>
std::vector<std::byte> narrowed(std::span<const std::uint32_t> words) {
  std::vector<std::byte> bytes(sizeof(Code) * words.size());
  auto* codes = reinterpret_cast<Code*>(bytes.data());
  constexpr std::size_t n = block<1>;
  std::size_t at = 0;
  for (; at + n <= words.size(); at += n)
    for (std::size_t i = 0; i < n; ++i) codes[at + i] = static_cast<Code>(words[at + i] + 1);
  for (; at < words.size(); ++at) codes[at] = static_cast<Code>(words[at] + 1);
  return bytes;
}

// Calls found(index, code of a) for each difference; gives up after `most` and returns false.
template <class Code, class Found>
bool compare(const PackedBuffer::Whole& a, const PackedBuffer::Whole& b, std::size_t most, Found&& found) {
  constexpr std::size_t stretch = 4096;
  const auto *in_a = reinterpret_cast<const Code*>(a.bytes.data()),
             *in_b = reinterpret_cast<const Code*>(b.bytes.data());
  std::size_t differences = 0;
  for (std::size_t begin = 0; begin < a.count; begin += stretch) {
    const std::size_t end = std::min(begin + stretch, a.count);
    if (std::memcmp(in_a + begin, in_b + begin, (end - begin) * sizeof(Code)) == 0) continue;
    for (std::size_t i = begin; i < end; ++i)
      if (in_a[i] != in_b[i]) {
        if (++differences > most) return false;
        found(i, in_a[i]);
      }
  }
  return true;
}

}  // namespace

PackedBuffer::Whole PackedBuffer::round(std::span<const std::uint32_t> words, std::vector<Column>& columns) {
  const auto* values = reinterpret_cast<const float*>(words.data());
  const std::size_t count = words.size(), width = columns.size();
  bool infinities = false;
  const std::vector<ColumnRange> ranges = ranges_of(values, count, width, infinities);
  std::vector<float> low(width), per_step(width);
  std::vector<double> exact(width);
  bool plain = !infinities;
  for (std::size_t c = 0; c < width; ++c) {
    const double extent = double(ranges[c].high) - double(ranges[c].low);
    low[c] = ranges[c].low;
    columns[c] = {ranges[c].low, extent / highest};
    exact[c] = extent > 0 ? highest / extent : 0;
    per_step[c] = static_cast<float>(exact[c]);
    // Very wide and very narrow ranges need more than a float's exponents.
    plain = plain && extent < 1e38 && exact[c] < 1e38;
  }
  Whole whole{sizeof(std::uint16_t), count, std::vector<std::byte>(sizeof(std::uint16_t) * count)};
  auto* codes = reinterpret_cast<std::uint16_t*>(whole.bytes.data());
  static constexpr auto in_blocks = std::array{round_in_blocks<1>, round_in_blocks<2>, round_in_blocks<3>};
  if (plain && width <= in_blocks.size())
    in_blocks[width - 1](values, count, low.data(), per_step.data(), codes);
  else
    for (std::size_t at = 0; at < count; ++at) codes[at] = rounded(values[at], low[at % width], exact[at % width]);
  return whole;
}

// A code is the number plus one, so that the largest 32-bit number, which stands for "none", becomes 0.
PackedBuffer::Whole PackedBuffer::narrow(std::span<const std::uint32_t> words) {
  constexpr std::size_t n = block<1>;
  std::uint32_t bits[n] = {}, all = 0;
  std::size_t at = 0;
  for (; at + n <= words.size(); at += n)
    for (std::size_t i = 0; i < n; ++i) bits[i] |= words[at + i] + 1;
  for (; at < words.size(); ++at) all |= words[at] + 1;
  for (const std::uint32_t each : bits) all |= each;
  if (all < 1u << 8) return {1, words.size(), narrowed<std::uint8_t>(words)};
  if (all < 1u << 16) return {2, words.size(), narrowed<std::uint16_t>(words)};
  return {4, words.size(), narrowed<std::uint32_t>(words)};
}

PackedBuffer PackedBuffer::pack(std::span<const std::uint32_t> words, const KeptBuffer& kind,
                                std::shared_ptr<const Whole> earlier) {
  PackedBuffer packed;
  if (kind.rounded) packed.columns_.resize(std::max<std::size_t>(kind.columns, 1));
  Whole whole = kind.rounded ? round(words, packed.columns_) : narrow(words);
  if (earlier && earlier->width == whole.width && earlier->count == whole.count) {
    // Differences cost eight bytes each: they are kept if they take less than half of the whole.
    const std::size_t most = whole.bytes.size() / (2 * sizeof(Difference));
    const auto keep = [&](std::size_t index, std::uint32_t code) {
      packed.differences_.push_back({static_cast<std::uint32_t>(index), code});
    };
    const bool few = whole.width == 1   ? compare<std::uint8_t>(whole, *earlier, most, keep)
                     : whole.width == 2 ? compare<std::uint16_t>(whole, *earlier, most, keep)
                                        : compare<std::uint32_t>(whole, *earlier, most, keep);
    if (few) {
      packed.differences_.shrink_to_fit();
      packed.whole_ = std::move(earlier);
      return packed;
    }
    packed.differences_ = {};
  }
  packed.whole_ = std::make_shared<const Whole>(std::move(whole));
  return packed;
}

void PackedBuffer::unpack(std::span<std::uint32_t> words) const {
  if (!whole_) return;
  const std::size_t columns = std::max<std::size_t>(columns_.size(), 1);
  const auto value = [&](std::uint32_t code, std::size_t column) {
    if (columns_.empty()) return code - 1;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    auto number = static_cast<float>(columns_[column].low + double(code) * columns_[column].step);
    if (code > highest)
      number = code == not_a_number    ? std::numeric_limits<float>::quiet_NaN()
               : code == plus_infinity ? infinity
                                       : -infinity;
    return std::bit_cast<std::uint32_t>(number);
  };
  const auto all = [&](const auto* codes) {
    for (std::size_t i = 0, column = 0; i < whole_->count; ++i) {
      words[i] = value(codes[i], column);
      if (++column == columns) column = 0;
    }
  };
  const std::byte* bytes = whole_->bytes.data();
  if (whole_->width == 1)
    all(reinterpret_cast<const std::uint8_t*>(bytes));
  else if (whole_->width == 2)
    all(reinterpret_cast<const std::uint16_t*>(bytes));
  else
    all(reinterpret_cast<const std::uint32_t*>(bytes));
  for (const Difference& each : differences_) words[each.index] = value(each.code, each.index % columns);
}

std::size_t PackedBuffer::own_bytes() const {
  return sizeof(PackedBuffer) + differences_.size() * sizeof(Difference) + columns_.size() * sizeof(Column);
}

}  // namespace kinescope::app
