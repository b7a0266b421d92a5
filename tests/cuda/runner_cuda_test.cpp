// How the window works with a CUDA device: the runner's thread computes and publishes, and the thread with OpenGL maps
// and draws, and never waits.
#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

#include "app/runs/runner.hpp"
#include "kinescope/executors/devices.hpp"
#include "tests/render/gl_test.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::app::runner_cuda_test {
namespace {

class RunnerCuda : public render::GlTest {
 protected:
  void SetUp() override {
    std::string why;
    if (sim::cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
    GlTest::SetUp();
  }
  render::HeadlessOptions options() const override { return {.cuda_device = 0, .debug = true}; }
};

TEST_F(RunnerCuda, WatchedAtFullPaceTheLayoutAndItsPictureAreThoseOfARun) {
  sim::cases::Trial trial(sim::cases::noise(20'000, 6));
  trial.setup.backend = sim::Backend::cuda;
  const std::vector<float> expected = trial.layout();
  for (const bool staged : {false, true}) {
    const auto buffers =
        render::SharedBuffers::make({.memory = sim::MemoryKind::device, .cuda_device = 0, .force_staging = staged});
    Runner runner(trial.make(), *buffers, {.pace = unlimited_pace});
    const auto begin = std::chrono::steady_clock::now();
    for (int after = 0; after < 20 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20);) {
      runner.frame();
      runner.frame_drawn();
      buffers->ready();
      buffers->drawn();
      after += runner.done();  // a staged copy arrives some frames later
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const auto error = runner.take_error();
    EXPECT_FALSE(error) << error->what();
    ASSERT_TRUE(runner.done());
    ASSERT_TRUE(buffers->ready());
    std::vector<float> drawn(expected.size());
    glGetNamedBufferSubData(buffers->buffer(0), buffers->offset(0), GLsizeiptr(drawn.size() * sizeof(float)),
                            drawn.data());
    EXPECT_EQ(std::memcmp(drawn.data(), expected.data(), drawn.size() * sizeof(float)), 0)
        << (staged ? "staged" : "shared");
    sim::Simulation& simulation = runner.stop();
    const std::vector<float> found = sim::cases::Trial::rows(simulation.result());
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0);
  }
}

}  // namespace
}  // namespace kinescope::app::runner_cuda_test
