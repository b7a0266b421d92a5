// The window's whole loop on a CUDA device, drawn into a framebuffer: how much memory stays allocated when scenes and
// data change, and how long frames take meanwhile.
#include <chrono>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <imgui.h>
#include <thread>

#include "app/io/settings.hpp"
#include "app/runs/registry.hpp"
#include "app/view/workbench.hpp"
#include "kinescope/executors/devices.hpp"
#include "render/gl/framebuffer.hpp"
#include "tests/render/gl_test.hpp"
#include "tests/temporary_folder.hpp"

// Must come after glad, which the headers above include.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace kinescope::app::workbench_cuda_test {
namespace {

constexpr glm::ivec2 size{1280, 720};

class WorkbenchCuda : public render::GlTest {
 protected:
  void SetUp() override {
    std::string why;
    if (sim::cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
    GlTest::SetUp();
    setenv("XDG_STATE_HOME", state_.path("").c_str(), 1);
  }
  render::HeadlessOptions options() const override { return {.cuda_device = 0, .debug = true}; }

  static ViewOptions view_options() {
    ViewOptions view;
    view.kind = find_simulation("glimmer");
    view.parameters = view.kind->make_parameters();
    view.data.source = "synthetic:colours,n=4096";
    view.backend = sim::Backend::cuda;
    return view;
  }

  // Draws some frames, at least 2 ms apart; to the GUI they are a sixtieth of a second apart.
  void frames(Workbench& workbench, const render::Framebuffer& framebuffer, int count) {
    for (int i = 0; i < count; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      ImGui::GetIO().DisplaySize = {float(size.x), float(size.y)};
      ImGui::GetIO().DeltaTime = 1.0f / 60;
      workbench.frame({framebuffer.name(), size, 1.0 / 60, 0});
      glFlush();
      std::this_thread::sleep_until(begin + std::chrono::milliseconds(2));
    }
  }
  void press(Workbench& workbench, const render::Framebuffer& framebuffer, int key) {
    ImGui::GetIO().KeysDown[key] = true;
    frames(workbench, framebuffer, 1);
    ImGui::GetIO().KeysDown[key] = false;
    frames(workbench, framebuffer, 1);
  }

  // Shows one scene after another, and opens data in them.
  void change_scenes(Workbench& workbench, const render::Framebuffer& framebuffer, int turns) {
    frames(workbench, framebuffer, 30);
    for (int turn = 0; turn < turns; ++turn) {
      press(workbench, framebuffer, GLFW_KEY_1 + turn % 5);
      frames(workbench, framebuffer, 20);
      if (turn % 5 < 3)
        workbench.opening().open(turn % 2 ? "synthetic:gaussians,n=20000,k=3,clusters=4"
                                          : "synthetic:swissroll,n=5000");
      frames(workbench, framebuffer, 20);
    }
  }

  void write_settings(const std::string& text) {
    const std::filesystem::path path = settings_path();
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  static double free_mib() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return double(free) / (1 << 20);
  }

 private:
  const TemporaryFolder state_;
};

TEST_F(WorkbenchCuda, ChangingScenesAndDataLeavesNoMemoryBehind) {
  write_settings("kept_mb=1\n");  // runs kept for undo would be in the way
  const render::Framebuffer framebuffer(size);
  ViewOptions view = view_options();
  Workbench workbench(view, context->opengl(), 1, true);
  change_scenes(workbench, framebuffer, 100);  // loads every scene's code, shaders and pools
  const double settled = free_mib();
  change_scenes(workbench, framebuffer, 100);
  const double lost = settled - free_mib();
  RecordProperty("lost_MiB", std::to_string(lost));
  std::printf("device memory after turn 100: %.0f MiB free, after 200: %.0f MiB free\n", settled, settled - lost);
  EXPECT_LT(lost, 64) << "MiB";
}

TEST_F(WorkbenchCuda, RunsKeptForUndoTakeNoMoreThanTheyMay) {
  constexpr double kept = 500e6 / (1 << 20);
  const render::Framebuffer framebuffer(size);
  const auto free_after = [&](const char* settings) {
    write_settings(settings);
    ViewOptions view = view_options();
    Workbench workbench(view, context->opengl(), 1, true);
    change_scenes(workbench, framebuffer, 60);
    return free_mib();
  };
  free_after("kept_mb=1\n");
  const double without = free_after("kept_mb=1\n"), taken = without - free_after("kept_mb=500\n");
  RecordProperty("kept_MiB", std::to_string(taken));
  std::printf("device memory of runs kept for undo: %.0f MiB of %.0f\n", taken, kept);
  EXPECT_LT(taken, kept + 64);
  EXPECT_GT(taken, kept / 4);
}

TEST_F(WorkbenchCuda, FramesKeepTheirTimeWhileScenesChange) {
  ViewOptions view = view_options();
  const render::Framebuffer framebuffer(size);
  Workbench workbench(view, context->opengl(), 1, true);
  frames(workbench, framebuffer, 60);
  std::vector<double> took;
  for (int key = 0; key < 10; ++key) {
    press(workbench, framebuffer, GLFW_KEY_1 + key % 5);
    for (int i = 0; i < 120; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      frames(workbench, framebuffer, 1);
      took.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
  }
  const Percentiles found = percentiles(took);
  std::printf("frames at 1280x720: p50 %.2f ms, p95 %.2f ms, p99 %.2f ms\n", found.p50, found.p95, found.p99);
  EXPECT_LT(found.p50, 1000.0 / 60);
}

}  // namespace
}  // namespace kinescope::app::workbench_cuda_test
