// A run that is repeated up to an earlier moment has the same state there, whatever a person had done to it.
#include "app/runs/replay.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>

#include "app/runs/runner.hpp"
#include "kinescope/error.hpp"
#include "tests/app/law_cases.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::app::replay_test {
namespace {

using namespace std::chrono_literals;
using sim::test_buffers::HostBuffers;
namespace laws = sim::laws;

// Buffers of a runner in plain memory.
class Plain : public render::SharedBuffers {
 public:
  sim::MemoryKind memory_kind() const override { return sim::MemoryKind::host; }
  Id create(std::string_view name, std::size_t bytes) override { return written.create(name, bytes); }
  void* address(Id id) override { return written.address(id); }
  bool begin(void*) override { return true; }
  void end() override { shown = written, ++generation_; }
  render::SharedPath path() const override { return render::SharedPath::mapped_ring; }
  const std::string& reason() const override { return reason_; }
  bool ready() override { return generation_ > 0; }
  std::uint64_t generation() const override { return generation_; }
  std::size_t bytes() const override { return 0; }
  double upload_ms() const override { return 0; }
  std::optional<Id> find(std::string_view) const override { return std::nullopt; }
  render::BufferView view(Id) const override { return {}; }
  void drawn() override {}

  HostBuffers written, shown;

 private:
  std::string reason_;
  std::uint64_t generation_ = 0;
};

struct Touch {
  const char* kind;
  const char* name;
  const char* value;
};
constexpr Touch touches[] = {{"glimmer", "step_strength", "0.4"}, {"glimmer", "step", "0.15"},
                             {"mean-shift", "bandwidth", "2.5"},  {"mean-shift", "tolerance", "1e-4"},
                             {"k-means", "clusters", "5"},        {"fitzhugh-nagumo", "a", "0.02"},
                             {"fitzhugh-nagumo", "gamma", "1.5"}, {"landscape", "wind_speed", "9"}};

// What can be seen at a moment.
struct Seen {
  HostBuffers buffers;
  sim::Table table;
  long iteration = 0;
};

Seen look_at(sim::Simulation& simulation) {
  Seen seen;
  simulation.attach(seen.buffers);
  simulation.advance({.iterations = 0});  // as the session does
  simulation.publish();
  simulation.finish();
  seen.table = simulation.result();
  seen.iteration = simulation.progress().iteration;
  return seen;
}

void expect_same(const Seen& a, const Seen& b) {
  EXPECT_EQ(a.iteration, b.iteration);
  EXPECT_TRUE(a.buffers.same_as(b.buffers)) << "published";
  ASSERT_EQ(a.table.columns.size(), b.table.columns.size());
  for (std::size_t c = 0; c < a.table.columns.size(); ++c) {
    EXPECT_TRUE(same_bits(a.table.columns[c].numbers, b.table.columns[c].numbers)) << a.table.columns[c].name;
  }
}

class Replays : public testing::TestWithParam<laws::Case> {
 protected:
  static std::unique_ptr<sim::Simulation> make(sim::ParameterSet& parameters) {
    return laws::make(GetParam(), parameters, sim::Setup{.threads = 2});
  }
  static std::unique_ptr<sim::Simulation> again(sim::ParameterSet& begin, const Replay& replay) {
    std::atomic<float> fraction{0};
    const std::atomic<bool> cancelled{false};
    auto simulation = make(begin);
    catch_up(*simulation, replay, fraction, cancelled);
    return simulation;
  }
};

// The run computes at its own pace; changes and strokes come at any time.
TEST_P(Replays, ARunIsTheSameAgainWithAllThatWasDoneToIt) {
  const auto parameters = laws::parameters_of(GetParam());
  Plain buffers;
  std::shared_ptr<const sim::ParameterSet> now = copy_of(*GetParam().kind, *parameters);
  Runner runner(make(*parameters), buffers, {.pace = unlimited_pace, .budget_seconds = 2e-4}, {now, {}});
  const auto frames = [&](std::chrono::milliseconds time) {
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
      runner.frame();
      runner.frame_drawn();
      std::this_thread::sleep_for(200us);
    }
  };
  while (runner.progress().iteration == 0) frames(1ms);
  // Between two iterations k-means may draw another start. A change during that has no iteration of its own, so such
  // runs get no changes.
  const bool draws = GetParam().kind->name == "k-means" && (GetParam().settings.find("restarts") != std::string::npos ||
                                                            GetParam().settings.find("sweep") != std::string::npos);
  for (const Touch& touch : touches)
    if (!draws && GetParam().kind->name == touch.kind && parameters->applies(*parameters->find(touch.name))) {
      const auto values = copy_of(*GetParam().kind, *now);
      values->set(touch.name, touch.value);
      runner.apply(now = copy_of(*GetParam().kind, *values));
      frames(3ms);
    }
  runner.stimulate({.x = 0.5, .y = 0.5, .radius = 0.1, .value = 1});
  frames(5ms);
  while (runner.busy()) frames(1ms);
  if (draws || GetParam().iterations == laws::until_done)
    while (!runner.done()) frames(1ms);
  sim::Simulation& simulation = runner.stop();
  ASSERT_FALSE(runner.take_error());
  const sim::Progress progress = simulation.progress();
  const Replay replay{progress.iteration, runner.story(), progress.figure, progress.converged};
  const Seen seen = look_at(simulation);
  EXPECT_FALSE(replay.story.events.empty());
  const auto begin = copy_of(*GetParam().kind, *replay.story.begin);
  expect_same(look_at(*again(*begin, replay)), seen);
}

// A run that is repeated up to the middle goes on from there exactly as the first run did.
TEST_P(Replays, GoingOnFromAMomentHasTheFutureThatItGets) {
  const auto parameters = laws::parameters_of(GetParam());
  const auto first = make(*parameters);
  while (first->progress().iteration == 0) first->advance({.iterations = 2});  // k-means draws its start first
  const long middle = first->progress().iteration;
  const Seen there = look_at(*first);
  first->advance({.iterations = GetParam().iterations});
  const Seen end = look_at(*first);

  const auto same = again(*parameters, {middle, {}});
  expect_same(look_at(*same), there);
  same->advance({.iterations = GetParam().iterations});
  expect_same(look_at(*same), end);
}

INSTANTIATE_TEST_SUITE_P(Every, Replays, testing::ValuesIn(laws::cases()),
                         [](const auto& each) { return laws::name_of(each); });

struct Story {
  std::unique_ptr<sim::Simulation> made;
  std::unique_ptr<sim::ParameterSet> parameters;
};

Story force_layout() {
  Story story;
  const laws::Case tested{laws::cases().front().kind, "synthetic:gaussians,n=300,k=6,clusters=4",
                          "algorithm=stochastic-force"};
  story.parameters = laws::parameters_of(tested);
  story.made = laws::make(tested, *story.parameters, sim::Setup{.threads = 2});
  return story;
}

// The values of the story's parameters, with one that is different.
std::shared_ptr<const sim::ParameterSet> with(const Story& story, const char* name, const char* value) {
  std::unique_ptr<sim::ParameterSet> values = copy_of(*laws::cases().front().kind, *story.parameters);
  values->set(name, value);
  return values;
}

TEST(Replay, AnotherValueGivesAnotherFuture) {
  std::atomic<float> fraction{0};
  const std::atomic<bool> cancelled{false};
  const Story one = force_layout(), other = force_layout(), until = force_layout();
  const Replay plain{40, {}}, changed{40, {nullptr, {{20, with(one, "step", "0.1"), std::nullopt}}}};
  catch_up(*one.made, plain, fraction, cancelled);
  catch_up(*other.made, changed, fraction, cancelled);
  EXPECT_EQ(one.made->progress().iteration, 40);
  EXPECT_EQ(fraction, 1);
  EXPECT_NE(look_at(*one.made).table.columns[0].numbers, look_at(*other.made).table.columns[0].numbers);
  catch_up(*until.made, {20, changed.story}, fraction, cancelled);  // the change at 20 belongs to the moment
  until.made->advance({.iterations = 20});
  expect_same(look_at(*until.made), look_at(*other.made));
}

TEST(Replay, AStoryEndsWithItsLatestValues) {
  const Story made = force_layout();
  RunStory story{with(made, "step", "0.2"), {}};
  EXPECT_EQ(story.values(), story.begin);
  story.events = {{5, with(made, "step", "0.4"), std::nullopt}, {7, nullptr, sim::Stimulus{}}};
  EXPECT_EQ(story.values(), story.events[0].values);
}

TEST(Replay, StopsWhenCancelledAndSaysIfTheMomentIsNeverReached) {
  std::atomic<float> fraction{0};
  const std::atomic<bool> cancelled{true}, going{false};
  const Story story = force_layout();
  catch_up(*story.made, {1000, {}}, fraction, cancelled);
  EXPECT_EQ(story.made->progress().iteration, 0);
  EXPECT_THROW(catch_up(*story.made, {10'000'000, {}}, fraction, going), sim::Error);
}

}  // namespace
}  // namespace kinescope::app::replay_test
