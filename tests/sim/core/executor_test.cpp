// What executors promise: each element is reached once, sums are the same for any number of threads, and permutations
// are bijections.
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::executor_test {
namespace {

const std::vector<std::int64_t> sizes = {0, 1, 2, 255, 256, 257, 1024, 1025, 65536, 100'003};

TEST(Cpu, ForEachReachesEveryElementOnce) {
  for (const int threads : {1, 2, 7})
    for (const std::int64_t size : sizes) {
      Cpu cpu(threads);
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(size));
      cpu.for_each("visit", size, [&](std::int64_t i) { ++visits[static_cast<std::size_t>(i)]; });
      for (const auto& visit : visits) ASSERT_EQ(visit, 1);
    }
}

TEST(Cpu, ReductionHasTheSameBitsForAnyNumberOfThreads) {
  const Random random(3, 1);
  for (const std::int64_t size : sizes) {
    std::vector<float> sums;
    for (const int threads : {1, 2, 7}) {
      Cpu cpu(threads);
      cpu.reduce(
          "sum", size, 0.0f, [&](std::int64_t i) { return random.uniform(static_cast<std::uint64_t>(i)) - 0.25f; },
          [&](float sum) { sums.push_back(sum); });
    }
    ASSERT_EQ(sums.size(), 3u);
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(sums[0], sums[2]);
    double exact = 0;
    for (std::int64_t i = 0; i < size; ++i) exact += double(random.uniform(static_cast<std::uint64_t>(i))) - 0.25;
    EXPECT_NEAR(sums[0], exact, 1e-6 * static_cast<double>(size) + 1e-6);
  }
}

TEST(Cpu, ExtentFromMemoryIsReadByTheLaunch) {
  Cpu cpu(2);
  std::int64_t count = 3;
  std::vector<int> values(10, 0);
  cpu.for_each("first", Extent(10, &count), [&](std::int64_t i) { values[static_cast<std::size_t>(i)] = 1; });
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 3);
}

TEST(Cpu, TraceNamesLaunchesWhileItIsOn) {
  Cpu cpu(1);
  cpu.once("before", [] {});
  cpu.trace().enable(true);
  cpu.once("during", [] {});
  const std::vector<Trace::Span> spans = cpu.trace().take();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_STREQ(spans[0].label, "during");
  EXPECT_LE(spans[0].begin_ns, spans[0].end_ns);
}

TEST(Cpu, TooMuchMemoryIsOneClearLine) {
  Cpu cpu(1);
  try {
    Array<float, Cpu> array(cpu, std::size_t{1} << 60);
    FAIL() << "an allocation of an exbibyte succeeded";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 1);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_TRUE(std::string(error.what()).starts_with("out of memory")) << error.what();
  }
}

TEST(Permutation, IsABijectionThatDependsOnTheSeed) {
  for (const std::uint64_t size : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 1000u, 65'537u}) {
    std::vector<bool> seen(size, false);
    const Permutation permutation(size, 7);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t target = permutation(i);
      ASSERT_LT(target, size);
      ASSERT_FALSE(seen[target]);
      seen[target] = true;
    }
  }
  const Permutation one(1000, 1), two(1000, 2);
  int equal = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) equal += one(i) == two(i);
  EXPECT_LT(equal, 10);  // one is expected by chance
}

// Prefixes are random samples: their mean is the mean of all, as nearly as that of a sample without replacement.
TEST(Permutation, PrefixesAreFairSamples) {
  const std::uint64_t size = 100'000, prefix = 1000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Permutation permutation(size, seed);
    double sum = 0;
    for (std::uint64_t i = 0; i < prefix; ++i) sum += static_cast<double>(permutation(i));
    const double deviation = static_cast<double>(size) / std::sqrt(12.0 * static_cast<double>(prefix));
    EXPECT_NEAR(sum / static_cast<double>(prefix), 0.5 * static_cast<double>(size), 4.5 * deviation) << "seed " << seed;
  }
}

}  // namespace
}  // namespace kinescope::sim::executor_test
