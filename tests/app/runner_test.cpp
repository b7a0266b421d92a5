// What the runner guarantees, tested with a simulation that only counts, and with buffers in plain memory.
#include "app/runs/runner.hpp"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <vector>

namespace kinescope::app::runner_test {
namespace {

using namespace std::chrono_literals;

struct Counted {
  std::atomic<long> iterations{0}, publishes{0}, restarts{0};
  std::atomic<int> inside{0}, most_inside{0};
  std::atomic<bool> fail{false};
  std::string changed;
};

struct Step : sim::ParameterSet {
  sim::Real step{{"step", "", "of nothing", sim::Change::live}, 1, {0, 1}};
  void visit(const std::function<void(sim::Parameter&)>& f) override { f(step); }
};

std::shared_ptr<const sim::ParameterSet> step(double value) {
  auto values = std::make_shared<Step>();
  values->step.assign_clamped(value);
  return values;
}

// Counts to `length`; each iteration takes a tenth of a millisecond. Notices when two threads are in it at once.
class Counting : public sim::Simulation {
 public:
  Counting(Counted& counted, long length, sim::Backend backend = sim::Backend::cpu)
      : counted_(counted), length_(length), backend_(backend) {}

  void attach(sim::BufferSource& source) override {
    source_ = &source;
    id_ = source.create("count", sizeof(long));
  }
  bool advance(const sim::Budget& budget) override {
    const Guard guard(counted_);
    if (counted_.fail) throw sim::run_error("the device is gone");
    const auto begin = std::chrono::steady_clock::now();
    for (long done = 0; done < budget.iterations && counted_.iterations < length_; ++done) {
      std::this_thread::sleep_for(100us);
      ++counted_.iterations;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > budget.seconds) break;
    }
    show_count();
    return counted_.iterations < length_;
  }
  void publish() override {
    const Guard guard(counted_);
    ++counted_.publishes;
    const long value = counted_.iterations;
    std::memcpy(source_->address(id_), &value, sizeof value);
  }
  void finish() override {}
  std::vector<std::string> endings(const std::string&) const override { return {}; }
  sim::Table table(const std::string&) override { return result(); }
  bool write(const std::string&, const std::string&) override { return false; }
  void apply(const sim::ParameterSet& values) override {
    const Guard guard(counted_);
    counted_.changed = values.all().front()->text();
  }
  void set(const std::string&, const std::string&) override {}
  void restart() override {
    const Guard guard(counted_);
    counted_.iterations = 0;
    ++counted_.restarts;
    show_count();
  }
  sim::Table result() override { return {}; }
  sim::Report report() override { return {}; }
  sim::Backend backend() const override { return backend_; }

 private:
  void show_count() {
    sim::Snapshot now;
    now.progress.iteration = counted_.iterations;
    now.progress.seconds = 1e-4 * double(counted_.iterations);
    now.progress.converged = counted_.iterations >= length_;
    show(std::move(now));
  }

  struct Guard {
    explicit Guard(Counted& c) : counted(c) {
      counted.most_inside = std::max(counted.most_inside.load(), ++counted.inside);
    }
    ~Guard() { --counted.inside; }
    Counted& counted;
  };
  Counted& counted_;
  const long length_;
  const sim::Backend backend_;
  sim::BufferSource* source_ = nullptr;
  sim::BufferSource::Id id_ = 0;
};

// One slot of plain memory, and a check that begin() and end() alternate.
class Memory : public render::SharedBuffers {
 public:
  sim::MemoryKind memory_kind() const override { return sim::MemoryKind::host; }
  Id create(std::string_view, std::size_t bytes) override {
    written_.resize(bytes);
    return 0;
  }
  void* address(Id) override {
    EXPECT_TRUE(open_);
    return written_.data();
  }
  bool begin(void*) override {
    EXPECT_FALSE(open_);
    return open_ = true;
  }
  void end() override {
    EXPECT_TRUE(open_);
    open_ = false;
    if (lost) throw sim::run_error("the device is lost");
    ++generation_;
    std::memcpy(&shown, written_.data(), sizeof shown);
  }
  render::SharedPath path() const override { return render::SharedPath::mapped_ring; }
  const std::string& reason() const override { return reason_; }
  bool ready() override { return generation_ > 0; }
  std::uint64_t generation() const override { return generation_; }
  std::size_t bytes() const override { return 0; }
  double upload_ms() const override { return 0; }
  std::optional<Id> find(std::string_view) const override { return 0; }
  render::BufferView view(Id) const override { return {}; }
  void drawn() override {}

  long shown = -1;
  bool lost = false;

 private:
  std::vector<char> written_;
  std::string reason_;
  bool open_ = false;
  std::uint64_t generation_ = 0;
};

class RunnerTest : public testing::Test {
 protected:
  void start(const RunnerOptions& options, long length, sim::Backend backend = sim::Backend::cpu) {
    runner = std::make_unique<Runner>(std::make_unique<Counting>(counted, length, backend), buffers, options);
  }
  template <class F>
  bool frames_until(F&& condition, std::chrono::milliseconds patience = 20s) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      runner->frame();
      runner->frame_drawn();
      ++frames;
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }

  Counted counted;
  Memory buffers;
  std::unique_ptr<Runner> runner;
  long frames = 0;
};

TEST_F(RunnerTest, RunsToTheEndAndShowsIt) {
  start({.pace = unlimited_pace}, 500);
  ASSERT_TRUE(frames_until([&] { return runner->done(); }));
  EXPECT_EQ(counted.iterations, 500);
  EXPECT_EQ(buffers.shown, 500);
  EXPECT_LE(counted.publishes, frames);  // at most once a frame
  EXPECT_EQ(counted.most_inside, 1);     // one thread at a time
}

TEST_F(RunnerTest, GoesQuietlyWithADeviceThatIsLost) {
  start({.pace = unlimited_pace}, 500);
  runner->frame();  // the thread has the buffers now
  buffers.lost = true;
  runner.reset();
}

TEST_F(RunnerTest, KeepsItsPace) {
  start({.pace = 100}, 100000);
  const auto begin = std::chrono::steady_clock::now();
  frames_until([] { return false; }, 1000ms);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LE(double(counted.iterations), 100 * elapsed + 12);  // never faster, but for the time it makes up for
  EXPECT_GE(double(counted.iterations), 20 * elapsed);        // a busy machine may be slower
}

TEST_F(RunnerTest, WaitsForItsClock) {
  start({.pace = unlimited_pace, .budget_seconds = 1e-3}, 1000);
  runner->set_clock(0.02);
  ASSERT_TRUE(frames_until([&] { return counted.iterations >= 200; }));
  frames_until([] { return false; }, 100ms);
  EXPECT_LE(counted.iterations, 220);  // a slice further at most
  runner->set_clock(0.05);
  ASSERT_TRUE(frames_until([&] { return counted.iterations >= 500; }));
  EXPECT_FALSE(runner->done());
  runner->set_clock(std::numeric_limits<double>::infinity());
  ASSERT_TRUE(frames_until([&] { return runner->done(); }));
}

// Two runs that share a turn never compute at the same time, and both get on.
TEST_F(RunnerTest, TakesTurns) {
  const RunnerOptions options{.pace = unlimited_pace, .budget_seconds = 1e-3, .turn = std::make_shared<std::mutex>()};
  Memory others;
  start(options, 300);
  Runner other(std::make_unique<Counting>(counted, 300), others, options);  // both count in `counted`
  for (int frame = 0; frame < 3; ++frame) runner->frame_drawn(), other.frame_drawn();
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (counted.iterations < 300 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(counted.iterations, 300);
  EXPECT_EQ(counted.most_inside, 1);
}

TEST_F(RunnerTest, StepsOneIterationAndPauses) {
  start({.pace = unlimited_pace, .running = false}, 1000);
  ASSERT_TRUE(frames_until([&] { return buffers.shown == 0; }));
  for (long step = 1; step <= 3; ++step) {
    runner->step();
    ASSERT_TRUE(frames_until([&] { return buffers.shown == step; }));
    EXPECT_FALSE(runner->running());
  }
  frames_until([] { return false; }, 50ms);
  EXPECT_EQ(counted.iterations, 3);
}

TEST_F(RunnerTest, ExactStepsShowThemselvesInTheSameFrame) {
  start({.steps = 7}, 30);
  for (const long expected : {7, 14, 21, 28, 30, 30}) {
    runner->frame();
    runner->frame_drawn();
    EXPECT_EQ(buffers.shown, expected);
  }
  EXPECT_TRUE(runner->done());
}

// A frame depends on its number alone: a frame that comes while a job is under way waits for the job.
TEST_F(RunnerTest, ExactStepsWaitForJobs) {
  start({.steps = 7}, 30);
  for (const long expected : {7, 14, 21}) {
    runner->post([](sim::Simulation&) { std::this_thread::sleep_for(50ms); });
    std::this_thread::sleep_for(10ms);
    runner->frame();
    runner->frame_drawn();
    EXPECT_EQ(buffers.shown, expected);
    EXPECT_FALSE(runner->busy());
  }
}

TEST_F(RunnerTest, PausesAtExactlyTheIterationAskedFor) {
  for (const sim::Backend backend : {sim::Backend::cpu, sim::Backend::cuda}) {
    counted.iterations = 0;
    start({.pace = unlimited_pace, .until = 123}, 100000, backend);
    ASSERT_TRUE(frames_until([&] { return runner->arrived(); }));
    EXPECT_EQ(counted.iterations, 123);
    EXPECT_EQ(buffers.shown, 123);
    EXPECT_EQ(runner->published()->progress.iteration, 123);
    EXPECT_FALSE(runner->running());
    EXPECT_FALSE(runner->take_error());
    runner->step();  // it goes on when a person steps it
    ASSERT_TRUE(frames_until([&] { return buffers.shown == 124; }));
    runner.reset();
  }
}

TEST_F(RunnerTest, ExactStepsEndAtTheIterationAskedFor) {
  start({.steps = 7, .until = 17}, 30);
  for (const long expected : {7, 14, 17, 17}) {
    runner->frame();
    runner->frame_drawn();
    EXPECT_EQ(buffers.shown, expected);
    EXPECT_EQ(runner->published()->progress.iteration, expected);
    EXPECT_EQ(runner->arrived(), expected == 17);
  }
  runner.reset();
  counted.iterations = 0;
  start({.steps = 7, .until = 0}, 30);
  runner->frame();
  EXPECT_EQ(buffers.shown, 0);
  EXPECT_TRUE(runner->arrived());
}

TEST_F(RunnerTest, SaysSoIfTheRunEndsBeforeTheIterationAskedFor) {
  for (const long steps : {0, 7}) {
    counted.iterations = 0;
    start({.steps = steps, .pace = unlimited_pace, .until = 31}, 30);
    std::optional<sim::Error> error;
    ASSERT_TRUE(frames_until([&] { return (error = runner->take_error()).has_value(); }));
    EXPECT_STREQ(error->what(), "--at 31: the run already ended after 30 iterations");
    EXPECT_FALSE(runner->arrived());
    runner.reset();
  }
}

TEST_F(RunnerTest, DeviceSimulationsReachTheEndToo) {
  start({.pace = unlimited_pace, .budget_seconds = 1e-3}, 200, sim::Backend::cuda);
  ASSERT_TRUE(frames_until([&] { return runner->done(); }));
  EXPECT_EQ(buffers.shown, 200);
  EXPECT_EQ(counted.most_inside, 1);
}

TEST_F(RunnerTest, ChangesRestartsAndJobsRunBetweenSlices) {
  start({.pace = unlimited_pace}, 1000000);
  runner->apply(step(0.1));
  runner->apply(step(0.2));
  std::atomic<bool> ran{false};
  runner->post([&](sim::Simulation&) { ran = true; });
  runner->restart();
  ASSERT_TRUE(frames_until([&] { return !runner->busy(); }));
  EXPECT_EQ(counted.changed, "0.2");
  EXPECT_TRUE(ran);
  EXPECT_EQ(counted.restarts, 1);
  EXPECT_EQ(counted.most_inside, 1);
}

TEST_F(RunnerTest, ARestartRunsOnAfterTheEnd) {
  start({.pace = unlimited_pace}, 50);
  ASSERT_TRUE(frames_until([&] { return runner->done(); }));
  runner->restart();
  ASSERT_TRUE(frames_until([&] { return counted.restarts == 1 && runner->done(); }));
  EXPECT_EQ(buffers.shown, 50);
}

TEST_F(RunnerTest, NotesWhatIsDoneToTheRunAndWhen) {
  start({.steps = 7}, 1000);
  const auto frame = [&] {
    runner->frame();
    runner->frame_drawn();
  };
  frame();
  runner->apply(step(0.1));
  runner->stimulate({.x = 3});
  frame();
  runner->apply(step(0.2));
  frame();
  const std::vector<RunEvent> events = runner->story().events;
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(runner->published_events(), 3u);
  EXPECT_EQ(events[0].iteration, 7);
  EXPECT_EQ(events[1].iteration, 7);
  EXPECT_EQ(events[1].stimulus->x, 3);
  EXPECT_EQ(events[2].iteration, 14);
  EXPECT_EQ(events[2].values->all().front()->text(), "0.2");
  runner->restart();  // the values stay, the strokes do not
  frame();
  EXPECT_TRUE(runner->story().events.empty());
  EXPECT_EQ(runner->story().begin, events[2].values);
}

TEST_F(RunnerTest, CarriesErrorsToTheWindow) {
  start({.pace = unlimited_pace}, 1000000);
  counted.fail = true;
  std::optional<sim::Error> error;
  ASSERT_TRUE(frames_until([&] { return (error = runner->take_error()).has_value(); }));
  EXPECT_STREQ(error->what(), "the device is gone");
  EXPECT_FALSE(runner->running());
  EXPECT_TRUE(runner->failed());
  EXPECT_FALSE(runner->take_error());
  runner->set_running(false);
  EXPECT_FALSE(runner->failed());
}

TEST_F(RunnerTest, StopsWhileItRuns) {
  start({.pace = unlimited_pace}, 1000000000);
  frames_until([] { return false; }, 30ms);
  runner->request_stop();
  ASSERT_TRUE(frames_until([&] { return runner->stopped(); }));
  const long at = counted.iterations;
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(counted.iterations, at);
  runner.reset();
}

}  // namespace
}  // namespace kinescope::app::runner_test
