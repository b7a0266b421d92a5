// What the timeline guarantees: kept moments are evenly spread, fit into its memory, and unpack nearly to what they
// were.
#include "app/runs/timeline/timeline.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

#include "app/runs/timeline/playback.hpp"

namespace kinescope::app::timeline_test {
namespace {

constexpr sim::Published<float> kept_places{"places"};
constexpr sim::Published<std::uint32_t> kept_labels{"labels"};
constexpr float endless = std::numeric_limits<float>::infinity();

std::vector<std::uint32_t> words_of(const std::vector<float>& numbers) {
  std::vector<std::uint32_t> words;
  for (const float number : numbers) words.push_back(std::bit_cast<std::uint32_t>(number));
  return words;
}

std::vector<float> numbers_of(const PackedBuffer& packed) {
  std::vector<std::uint32_t> words(packed.count());
  packed.unpack(words);
  std::vector<float> numbers;
  for (const std::uint32_t word : words) numbers.push_back(std::bit_cast<float>(word));
  return numbers;
}

std::vector<std::uint32_t> unpacked(const PackedBuffer& packed) {
  std::vector<std::uint32_t> words(packed.count());
  packed.unpack(words);
  return words;
}

std::vector<float> scattered(std::size_t count, float low, float high, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(low, high);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = place(random);
  return numbers;
}

// Each column has its own range: a narrow one loses nothing beside a wide one.
TEST(PackedBuffer, RoundsByHalfAStepOfItsColumnAtMost) {
  for (const std::size_t columns : {1u, 2u, 3u, 5u}) {
    std::vector<float> numbers = scattered(997 * columns, -1, 1, 1);
    std::vector<double> scale(columns);
    for (std::size_t c = 0; c < columns; ++c) scale[c] = std::pow(10.0, 3.0 * double(c) - 4);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= float(scale[i % columns]);
    const std::vector<float> back = numbers_of(PackedBuffer::pack(words_of(numbers), {kept_places, columns}, nullptr));
    ASSERT_EQ(back.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_NEAR(back[i], numbers[i], 2 * scale[i % columns] / 131'064 * 1.01) << columns << " columns, " << i;
  }
}

TEST(PackedBuffer, KeepsWhatIsNoNumberAndInfinities) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const bool infinities : {false, true}) {
    std::vector<float> numbers = scattered(100, -5, 5, 2);
    numbers[3] = numbers[64] = numbers[99] = none;
    if (infinities) {
      numbers[10] = endless;
      numbers[98] = -endless;
    }
    const std::vector<float> back = numbers_of(PackedBuffer::pack(words_of(numbers), {kept_places, 2}, nullptr));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isnan(numbers[i]))
        EXPECT_TRUE(std::isnan(back[i])) << i;
      else if (std::isinf(numbers[i]))
        EXPECT_EQ(back[i], numbers[i]) << i;
      else
        EXPECT_NEAR(back[i], numbers[i], 1e-4) << i;
    }
  }
  const std::vector<float> nothing(7, none);
  for (const float each : numbers_of(PackedBuffer::pack(words_of(nothing), {kept_places, 1}, nullptr)))
    EXPECT_TRUE(std::isnan(each));
}

TEST(PackedBuffer, TakesEveryRange) {
  const float most = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::denorm_min();
  const std::vector<float> wide{-most, most, 0, most / 3}, narrow{0, least, 2 * least, 0}, equal(40, 3.25f);
  const std::vector<float> back = numbers_of(PackedBuffer::pack(words_of(wide), {kept_places, 1}, nullptr));
  for (std::size_t i = 0; i < wide.size(); ++i) EXPECT_NEAR(back[i] / most, wide[i] / most, 2e-5) << i;
  for (const float each : numbers_of(PackedBuffer::pack(words_of(narrow), {kept_places, 1}, nullptr)))
    EXPECT_TRUE(each >= 0 && each <= 2 * least) << each;
  EXPECT_EQ(numbers_of(PackedBuffer::pack(words_of(equal), {kept_places, 2}, nullptr)), equal);
}

TEST(PackedBuffer, KeepsWholeNumbersExactlyInFewBytes) {
  std::mt19937 random(3);
  const std::pair<std::uint32_t, std::size_t> cases[] = {{250, 1}, {60'000, 2}, {0xFFFFFFFFu, 4}};
  for (const auto& [most, width] : cases) {
    std::vector<std::uint32_t> words(10'000);
    for (std::uint32_t& word : words) word = std::uniform_int_distribution<std::uint32_t>(0, most)(random);
    words[17] = 0xFFFFFFFFu;  // "no cluster" costs nothing
    const PackedBuffer packed = PackedBuffer::pack(words, KeptBuffer(kept_labels), nullptr);
    EXPECT_EQ(unpacked(packed), words);
    EXPECT_EQ(packed.whole()->bytes.size(), width * words.size());
  }
}

TEST(PackedBuffer, KeepsFewDifferencesFromAnEarlierMoment) {
  std::vector<std::uint32_t> words(50'000, 4);
  const PackedBuffer first = PackedBuffer::pack(words, KeptBuffer(kept_labels), nullptr);
  words[0] = 0xFFFFFFFFu;
  words[49'999] = 7;
  const PackedBuffer few = PackedBuffer::pack(words, KeptBuffer(kept_labels), first.whole());
  EXPECT_EQ(unpacked(few), words);
  EXPECT_EQ(few.whole(), first.whole());
  EXPECT_LT(few.own_bytes(), 200u);
  for (std::size_t i = 0; i < words.size(); i += 2) words[i] = 9;
  const PackedBuffer many = PackedBuffer::pack(words, KeptBuffer(kept_labels), first.whole());
  EXPECT_EQ(unpacked(many), words);
  EXPECT_NE(many.whole(), first.whole());
  // The same with float numbers, and with another number of elements.
  const std::vector<float> numbers = scattered(999, 0, 1, 4);
  const PackedBuffer before = PackedBuffer::pack(words_of(numbers), {kept_places, 3}, nullptr);
  const PackedBuffer same = PackedBuffer::pack(words_of(numbers), {kept_places, 3}, before.whole());
  EXPECT_EQ(same.whole(), before.whole());
  EXPECT_EQ(numbers_of(same), numbers_of(before));
  const std::vector<float> fewer(numbers.begin(), numbers.end() - 3);
  EXPECT_EQ(numbers_of(PackedBuffer::pack(words_of(fewer), {kept_places, 3}, before.whole())).size(), 996u);
}

std::shared_ptr<const sim::Snapshot> at(long iteration, int level = 1) {
  auto snapshot = std::make_shared<sim::Snapshot>();
  snapshot->progress.iteration = iteration;
  snapshot->progress.level = level;
  return snapshot;
}

// A moment whose one buffer takes `bytes` bytes that no other moment shares.
Moment moment(long iteration, int level = 1, std::size_t bytes = 1000) {
  std::vector<std::uint32_t> words(bytes);
  std::mt19937 random(unsigned(iteration) + 1);
  for (std::uint32_t& word : words) word = random() % 200;
  Moment made{at(iteration, level), 0, {}};
  made.buffers.push_back(PackedBuffer::pack(words, KeptBuffer(kept_labels), nullptr));
  return made;
}

std::vector<long> iterations(const Timeline& timeline) {
  std::vector<long> all;
  for (std::size_t i = 0; i < timeline.size(); ++i) all.push_back(timeline[i].iteration());
  return all;
}

TEST(Timeline, KeepsEverythingWhileThereIsRoom) {
  Timeline timeline;
  for (long i = 0; i < 100; ++i) timeline.add(moment(i));
  EXPECT_EQ(timeline.size(), 100u);
  EXPECT_EQ(timeline.stride(), 1);
  EXPECT_EQ(timeline.index_at(42), 42u);
  EXPECT_EQ(timeline.index_at(-5), 0u);
  EXPECT_EQ(timeline.index_at(1000), 99u);
}

TEST(Timeline, StaysWithinItsMemoryAndEvenlySpread) {
  Timeline timeline;
  constexpr std::size_t limit = 100'000;
  timeline.set_limit(limit);
  for (long i = 0; i <= 5000; ++i) {
    timeline.add(moment(i));
    ASSERT_LE(timeline.bytes(), limit) << i;
    ASSERT_EQ(timeline.latest().iteration(), i);
    ASSERT_EQ(timeline[0].iteration(), 0);
  }
  const std::vector<long> kept = iterations(timeline);
  EXPECT_GE(kept.size(), 30u);  // at least a third of what fits
  for (std::size_t i = 1; i + 1 < kept.size(); ++i) EXPECT_EQ(kept[i] - kept[i - 1], timeline.stride());
}

// A run that publishes every 20th iteration or less often, at an uneven pace, is thinned as evenly as its pace allows.
TEST(Timeline, ThinsWhatComesUnevenly) {
  Timeline timeline;
  timeline.set_limit(60'000);
  std::mt19937 random(5);
  for (long i = 0; i < 100'000; i += 20 + long(random() % 40)) timeline.add(moment(i));
  const std::vector<long> kept = iterations(timeline);
  for (std::size_t i = 1; i + 1 < kept.size(); ++i) {
    EXPECT_GE(kept[i] - kept[i - 1], timeline.stride());
    EXPECT_LT(kept[i] - kept[i - 1], 2 * timeline.stride() + 60);
  }
}

TEST(Timeline, KeepsWhereLevelsBegin) {
  Timeline timeline;
  timeline.set_limit(50'000);
  const auto level = [](long iteration) { return iteration < 13 ? 1 : iteration < 777 ? 2 : 3; };
  for (long i = 0; i < 3000; ++i) timeline.add(moment(i, level(i)));
  EXPECT_EQ(timeline.level_iterations(), (std::vector<long>{13, 777}));
  EXPECT_LE(timeline.bytes(), 50'000u);
}

TEST(Timeline, ARestartBeginsAnew) {
  Timeline timeline;
  timeline.set_limit(20'000);
  for (long i = 0; i < 100; ++i) timeline.add(moment(i));
  EXPECT_GT(timeline.stride(), 1);
  timeline.add(moment(0));
  EXPECT_EQ(iterations(timeline), std::vector<long>{0});
  EXPECT_EQ(timeline.stride(), 1);
  timeline.add(moment(1));
  timeline.add(moment(1));  // the same iteration once more, as at the end of a run
  EXPECT_EQ(timeline.size(), 2u);
  timeline.clear();
  EXPECT_EQ(timeline.bytes(), 0u);
}

TEST(Timeline, ForgetsWhatCameAfterAMoment) {
  Timeline timeline;
  for (long i = 0; i < 20; ++i) timeline.add(moment(i, i < 10 ? 1 : 2));
  timeline.forget_from(12);
  EXPECT_EQ(iterations(timeline), (std::vector<long>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  timeline.add(moment(12, 2));
  timeline.add(moment(13, 2));
  EXPECT_EQ(timeline.latest().iteration(), 13);
  EXPECT_EQ(timeline.level_iterations(), std::vector<long>{10});
  timeline.forget_from(0);
  EXPECT_TRUE(timeline.empty());
  EXPECT_EQ(timeline.bytes(), 0u);
}

TEST(Timeline, MemoryThatIsTakenAwayIsGivenBack) {
  Timeline timeline;
  for (long i = 0; i < 200; ++i) timeline.add(moment(i, 1 + int(i / 20)));
  for (const std::size_t limit : {100'000u, 20'000u, 3'000u, 1'500u, 100u}) {
    timeline.set_limit(limit);
    EXPECT_LE(timeline.bytes(), limit);
  }
  EXPECT_TRUE(timeline.empty());  // not even one moment fits
  timeline.add(moment(200));
  EXPECT_TRUE(timeline.empty());
  timeline.set_limit(1'000'000);
  timeline.add(moment(201));
  EXPECT_EQ(timeline.size(), 1u);
}

// Memory that moments share is counted once.
TEST(Timeline, CountsSharedMemoryOnce) {
  Timeline timeline;
  const std::vector<std::uint32_t> words(100'000, 3);
  std::shared_ptr<const PackedBuffer::Whole> whole;
  for (long i = 0; i < 50; ++i) {
    Moment next{at(i), 0, {}};
    next.buffers.push_back(PackedBuffer::pack(words, KeptBuffer(kept_labels), whole));
    whole = next.buffers.back().whole();
    timeline.add(std::move(next));
  }
  EXPECT_EQ(timeline.size(), 50u);
  EXPECT_GE(timeline.bytes(), 100'000u);
  EXPECT_LT(timeline.bytes(), 150'000u);
}

// A layout of 43,500 points: 1,000 moments take at most 256 MB, and any of them unpacks within 16 ms. The test allows
// four times as long, for machines on which other processes run.
TEST(Timeline, HoldsAThousandLayoutsOfShuttle) {
  constexpr std::size_t points = 43'500, moments = 1'000;
  const std::vector<float> from = scattered(2 * points, -1, 1, 6), to = scattered(2 * points, -3, 3, 7);
  std::vector<std::uint32_t> positions(2 * points), states(points);
  Timeline timeline;
  std::shared_ptr<const PackedBuffer::Whole> earlier[2];
  using Clock = std::chrono::steady_clock;
  const auto ms = [](Clock::duration taken) { return std::chrono::duration<double, std::milli>(taken).count(); };
  double packing = 0;
  for (std::size_t i = 0; i < moments; ++i) {
    const float part = float(i) / moments;
    for (std::size_t k = 0; k < 2 * points; ++k)
      positions[k] = std::bit_cast<std::uint32_t>((1 - part) * from[k] + part * to[k]);
    const int level = i < 100 ? 1 : i < 300 ? 2 : 3;
    const std::size_t placed = level == 1 ? 680 : level == 2 ? 5'437 : points;
    for (std::size_t k = 0; k < points; ++k) states[k] = k < placed ? 1 : 0;
    const auto begin = Clock::now();
    Moment next{at(long(i), level), 0, {}};
    next.buffers.push_back(PackedBuffer::pack(positions, {kept_places, 2}, earlier[0]));
    next.buffers.push_back(PackedBuffer::pack(states, KeptBuffer(kept_labels), earlier[1]));
    for (int b = 0; b < 2; ++b) earlier[b] = next.buffers[std::size_t(b)].whole();
    timeline.add(std::move(next));
    packing += ms(Clock::now() - begin);
  }
  EXPECT_EQ(timeline.size(), moments);
  EXPECT_LE(timeline.bytes(), 256'000'000u);
  double slowest = 0;
  std::vector<std::uint32_t> words(2 * points);
  for (std::size_t k = 0; k < moments; ++k) {
    const std::size_t i = (k * 617) % moments;
    const std::clock_t begin = std::clock();  // of the processor: other programs may take theirs meanwhile
    timeline[i].buffers[0].unpack(words);
    timeline[i].buffers[1].unpack({words.data(), points});
    slowest = std::max(slowest, 1e3 * double(std::clock() - begin) / CLOCKS_PER_SEC);
    ASSERT_EQ(words[points - 1], i < 300 ? 0u : 1u);
  }
  EXPECT_LE(slowest, 64);
  std::printf("%zu moments: %.0f MB; packing one %.2f ms, unpacking one at most %.2f ms\n", timeline.size(),
              1e-6 * double(timeline.bytes()), packing / moments, slowest);
}

class PlaybackTest : public testing::Test {
 protected:
  PlaybackTest() {
    for (long i = 0; i <= 100; i += 10) timeline.add(moment(i, 1, 10));
  }
  long shown() const {
    const auto index = playback.shown(timeline);
    return index ? timeline[*index].iteration() : -1;
  }
  Timeline timeline;
  Playback playback;
};

TEST_F(PlaybackTest, StepsFromMomentToMoment) {
  EXPECT_TRUE(playback.live());
  EXPECT_EQ(shown(), -1);
  playback.back(timeline);
  EXPECT_EQ(shown(), 90);  // the latest moment shows what the live one shows
  playback.back(timeline);
  EXPECT_EQ(shown(), 80);
  playback.forward(timeline);
  playback.forward(timeline);
  EXPECT_EQ(shown(), 100);
  playback.forward(timeline);
  EXPECT_TRUE(playback.live());
  playback.show(0);
  playback.back(timeline);
  EXPECT_EQ(shown(), 0);
  playback.go_live();
  EXPECT_EQ(shown(), -1);
}

TEST_F(PlaybackTest, PlaysAtItsSpeedAndStopsAtTheEnd) {
  playback.toggle(timeline);
  EXPECT_TRUE(playback.playing());
  EXPECT_EQ(shown(), 0);
  playback.advance(2.5, 10, timeline);
  EXPECT_EQ(shown(), 20);
  playback.speed = 4;
  playback.advance(1, 10, timeline);
  EXPECT_EQ(shown(), 60);
  playback.advance(5, 10, timeline);
  EXPECT_EQ(shown(), 100);
  EXPECT_FALSE(playback.playing());
  playback.toggle(timeline);  // anew
  EXPECT_EQ(shown(), 0);
  playback.toggle(timeline);
  playback.advance(5, 10, timeline);
  EXPECT_EQ(shown(), 0);  // paused
}

TEST_F(PlaybackTest, LoopsIfItShall) {
  playback.loop = true;
  playback.toggle(timeline);
  playback.advance(10.2, 10, timeline);
  EXPECT_EQ(shown(), 100);
  playback.advance(0.5, 10, timeline);
  EXPECT_EQ(shown(), 0);
  EXPECT_TRUE(playback.playing());
}

// Another run lasts for as long as 50 more iterations of this one.
TEST_F(PlaybackTest, GoesBeyondTheLatestMomentWhereOthersGoOn) {
  playback.set_beyond(50);
  EXPECT_EQ(playback.end(timeline), 150);
  EXPECT_EQ(playback.beyond(timeline), 0);
  playback.show(130);
  EXPECT_EQ(shown(), 100);
  EXPECT_EQ(playback.beyond(timeline), 30);
  playback.forward(timeline);
  EXPECT_EQ(playback.beyond(timeline), 31);
  playback.back(timeline);
  playback.back(timeline);
  EXPECT_EQ(playback.beyond(timeline), 29);
  playback.show(100);
  playback.forward(timeline);
  EXPECT_EQ(playback.beyond(timeline), 1);
  playback.back(timeline);
  EXPECT_EQ(playback.beyond(timeline), 0);
  EXPECT_EQ(shown(), 100);
  playback.back(timeline);
  EXPECT_EQ(shown(), 90);
  playback.go_live();
  playback.back(timeline);
  EXPECT_EQ(playback.beyond(timeline), 49);
  playback.forward(timeline);
  playback.forward(timeline);
  EXPECT_TRUE(playback.live());
}

TEST_F(PlaybackTest, PlaysToTheEndOfTheLongest) {
  playback.set_beyond(50);
  playback.show(90);
  playback.toggle(timeline);
  EXPECT_EQ(shown(), 90);
  playback.advance(3, 10, timeline);
  EXPECT_EQ(playback.beyond(timeline), 20);
  EXPECT_TRUE(playback.playing());
  playback.advance(30, 10, timeline);
  EXPECT_EQ(playback.beyond(timeline), 50);
  EXPECT_FALSE(playback.playing());
  playback.toggle(timeline);  // anew
  EXPECT_EQ(shown(), 0);
  playback.show(130);
  playback.set_beyond(0);  // the others are gone
  EXPECT_EQ(playback.beyond(timeline), 0);
  EXPECT_EQ(shown(), 100);
}

TEST(Playback, ShowsNothingWithoutMoments) {
  const Timeline none;
  Playback playback;
  playback.back(none);
  playback.toggle(none);
  playback.forward(none);
  playback.advance(1, 10, none);
  EXPECT_FALSE(playback.shown(none));
}

}  // namespace
}  // namespace kinescope::app::timeline_test
