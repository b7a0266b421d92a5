// Groups and warps do the same on a CUDA device as on the CPU, and traces name their launches by their labels.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kinescope/executors/devices.hpp"
#include "sim/landscape/groups.cuh"

namespace kinescope::sim::landscape {
namespace {

constexpr int words = 100;

// Uses everything that a group can do, on words that differ from item to item.
struct UseGroup {
  static constexpr int lanes = 128;
  struct Memory {
    std::uint32_t count[words];
  };
  std::uint32_t* places;  // [items × 32 words] the set bits, in order
  std::uint32_t* totals;  // [items]
  std::uint64_t* kept;    // [items]
  std::int64_t* claimed;
  std::uint32_t* claims;  // [items] how often each place was handed out

  KINESCOPE_HD static std::uint32_t word(std::int64_t item, int i) {
    return static_cast<std::uint32_t>(item * 7919 + i) * 2654435761u & (i % 3 ? ~0u : 0x80000001u);
  }
  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    for (int i = group.lane(); i < words; i += group.lanes()) {
      memory.count[i] = 0;
      for (std::uint32_t rest = word(item, i); rest; rest &= rest - 1) ++memory.count[i];
    }
    group.sync();
    const std::uint32_t total = group.scan(memory.count, words);
    group.sync();
    for (int i = group.row(); i < words; i += group.rows())
      group.each_bit(word(item, i), [&](int bit, std::uint32_t rank) {
        places[item * 32 * words + memory.count[i] + rank] = static_cast<std::uint32_t>(i * 32 + bit);
      });
    const std::uint32_t lanes_total = group.sum(group.lane() == 0 ? total : 0);
    if (group.lane() == 0) {
      totals[item] = lanes_total;
      fetch_add(claims + claim(claimed), 1u);
    }
    for (int place = group.lane(); place < 64; place += group.lanes())
      group.keep_bit(kept[item], place, word(item, place) & 16u);
  }
};

// Each lane takes the difference of its two neighbours, and all lanes vote on whether their values are odd.
struct UseWarp {
  static constexpr int serial_width = 32;
  std::int64_t count;
  std::uint32_t* differences;  // [items × 32], of lanes 1 … 30
  std::uint32_t* odd;          // [items]

  std::int64_t items(int) const { return count; }
  template <class Warp>
  KINESCOPE_HD void operator()(Warp& warp, std::int64_t item) const {
    typename Warp::template PerLane<std::uint32_t> value;
    typename Warp::template PerLane<bool> is_odd;
    warp.each([&](int lane) {
      value[lane] = UseGroup::word(item, lane);
      is_odd[lane] = value[lane] & 1u;
    });
    warp.each([&](int lane) {
      const std::uint32_t left = warp.from_left(value, lane), right = warp.from_right(value, lane);
      differences[32 * item + lane] = lane > 0 && lane < 31 ? right - left : 0;
    });
    odd[item] = warp.vote(is_odd);
  }
};

struct Found {
  std::vector<std::uint32_t> places, totals, claims, differences, odd;
  std::vector<std::uint64_t> kept;
  bool operator==(const Found&) const = default;
};

template <Executor E>
Found use(E& executor, std::int64_t items) {
  const auto count = static_cast<std::size_t>(items);
  const std::vector<std::uint32_t> nothing(count * 32 * words);
  const auto words32 = [&](std::size_t size) {
    return Array<std::uint32_t, E>(executor, std::span(nothing).first(size));
  };
  auto places = words32(nothing.size()), totals = words32(count), claims = words32(count);
  auto differences = words32(32 * count), odd = words32(count);
  Array<std::uint64_t, E> kept(executor, count);
  const std::int64_t zero = 0;
  Array<std::int64_t, E> claimed(executor, std::span(&zero, 1));
  launch_groups(executor, "use a group", items,
                UseGroup{places.data(), totals.data(), kept.data(), claimed.data(), claims.data()});
  launch_warps(executor, "use a warp", UseWarp{items, differences.data(), odd.data()});
  return {places.download(),      totals.download(), claims.download(),
          differences.download(), odd.download(),    kept.download()};
}

TEST(LandscapeGroupsCuda, DoTheSameAsOnTheCpuAndCarryTheirLabels) {
  std::string why;
  if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  Cpu cpu(2);
  Cuda cuda(0);
  cuda.trace().enable(true);
  const Found expected = use(cpu, 300), found = use(cuda, 300);
  EXPECT_TRUE(expected == found);
  EXPECT_EQ(expected.claims, std::vector<std::uint32_t>(300, 1));
  std::vector<std::string> labels;
  for (const Trace::Span& span : cuda.trace().take()) labels.emplace_back(span.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"use a group", "use a warp"}));
}

}  // namespace
}  // namespace kinescope::sim::landscape
