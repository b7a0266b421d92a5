// The way of a moment: from what a run publishes into the timeline, and back onto the screen.
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

#include "app/runs/timeline/shown_buffers.hpp"
#include "app/runs/timeline/timeline_feed.hpp"
#include "render/gl/context.hpp"
#include "render/shared/shared_buffers.hpp"

namespace kinescope::app::timeline_gl_test {
namespace {

constexpr sim::Published<float> places{"places"}, fixed{"fixed"};
constexpr sim::Published<std::uint32_t> labels{"labels"};
constexpr std::size_t points = 5000;

class TimelineFeedTest : public testing::TestWithParam<bool> {
 protected:
  TimelineFeedTest() : live(render::SharedBuffers::make({})), feed(GetParam()) {
    for (const char* name : {"places", "fixed", "labels"})
      live->create(name, sizeof(std::uint32_t) * points * (name == std::string("places") ? 2 : 1));
    feed.begin({KeptBuffer(places, 2), KeptBuffer(labels)});
    shown.follow(*live);
  }

  static float place(long iteration, std::size_t i) { return std::sin(float(i) + 0.1f * float(iteration)); }

  void publish(long iteration) {
    while (!live->begin(nullptr)) {
    }
    auto* to = static_cast<float*>(live->address(*live->find("places")));
    for (std::size_t i = 0; i < 2 * points; ++i) to[i] = place(iteration, i);
    auto* also = static_cast<std::uint32_t*>(live->address(*live->find("labels")));
    for (std::size_t i = 0; i < points; ++i) also[i] = std::uint32_t(iteration) + std::uint32_t(i % 3);
    auto* stays = static_cast<float*>(live->address(*live->find("fixed")));
    for (std::size_t i = 0; i < points; ++i) stays[i] = float(iteration);
    live->end();
  }
  // One frame of a window that shows what was published at that iteration.
  void frame(long iteration, bool converged = false) {
    auto snapshot = std::make_shared<sim::Snapshot>();
    snapshot->progress.iteration = iteration;
    snapshot->progress.converged = converged;
    snapshot->progress.seconds = double(live->generation());
    feed.frame(*live, snapshot, 0, timeline);
    live->drawn();
  }
  void frames_until_idle(long iteration) {
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      frame(iteration);
    } while (feed.busy());
  }
  template <class T>
  std::vector<T> drawn(const sim::Published<T>& buffer) const {
    const render::BufferView view = shown.view(buffer);
    std::vector<T> values(std::size_t(view.bytes) / sizeof(T));
    view.read(0, std::size_t(view.bytes), values.data());
    return values;
  }

  render::HeadlessContext context;
  std::unique_ptr<render::SharedBuffers> live;
  Timeline timeline;
  TimelineFeed feed;
  ShownBuffers shown;
};

TEST_P(TimelineFeedTest, KeepsWhatWasPublishedAndShowsItAgain) {
  for (long i = 0; i < 8; ++i) {
    publish(10 * i);
    frame(10 * i);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than the rest after packing
    frames_until_idle(10 * i);
  }
  ASSERT_EQ(timeline.size(), 8u);
  const std::uint64_t now = shown.generation();
  EXPECT_EQ(now, live->generation());
  for (const std::size_t index : {5u, 0u, 7u}) {
    const Moment& moment = timeline[index];
    ASSERT_EQ(moment.iteration(), 10 * long(index));
    EXPECT_EQ(moment.progress().seconds, double(index + 1));
    const std::uint64_t before = shown.generation();
    shown.show(moment, feed.kept());
    EXPECT_NE(shown.generation(), before);
    const std::vector<float> at = drawn(places);
    ASSERT_EQ(at.size(), 2 * points);
    for (std::size_t i = 0; i < at.size(); ++i) ASSERT_NEAR(at[i], place(moment.iteration(), i), 2e-5) << i;
    const std::vector<std::uint32_t> also = drawn(labels);
    for (std::size_t i = 0; i < points; ++i) ASSERT_EQ(also[i], std::uint32_t(moment.iteration()) + i % 3);
    EXPECT_EQ(drawn(fixed), std::vector<float>(points, 70.f));  // a buffer that is not kept stays live
  }
  shown.show_live();
  EXPECT_EQ(shown.generation(), now);
  EXPECT_EQ(drawn(places).at(1), place(70, 1));
}

// A publication without a new iteration is no new moment. The end of a run is one: clusters get their numbers there.
TEST_P(TimelineFeedTest, KeepsAnIterationOnce) {
  publish(3);
  frame(3);
  frames_until_idle(3);
  publish(3);
  frame(3);
  frames_until_idle(3);
  ASSERT_EQ(timeline.size(), 1u);
  EXPECT_EQ(timeline.latest().progress().seconds, 1);
  publish(3);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  do {
    frame(3, true);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (feed.busy() || timeline.latest().progress().seconds == 1);
  EXPECT_EQ(timeline.size(), 1u);
  EXPECT_EQ(timeline.latest().progress().seconds, 3);
}

TEST_P(TimelineFeedTest, AnotherRunBeginsAnew) {
  publish(1);
  frame(1);
  feed.begin({KeptBuffer(labels)});  // while the first run's moment may still be under way
  timeline.clear();
  frames_until_idle(1);
  ASSERT_EQ(timeline.size(), 1u);
  EXPECT_EQ(timeline.latest().buffers.size(), 1u);
  feed.begin({});
  publish(2);
  frame(2);
  EXPECT_FALSE(feed.busy());
}

INSTANTIATE_TEST_SUITE_P(Ways, TimelineFeedTest, testing::Bool(),
                         [](const auto& way) { return way.param ? "waits" : "doesNotWait"; });

}  // namespace
}  // namespace kinescope::app::timeline_gl_test
