// Pictures segmented on a CUDA device: as on the CPU, and how fast.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "sim/core/devices.hpp"
#include "sim/mean_shift/mean_shift_benchmark.hpp"
#include "tests/sim/mean_shift_pictures.hpp"

namespace kinescope::sim {
namespace {

using mean_shift_cases::Trial;
using namespace mean_shift_pictures;

class MeanShiftPicturesCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

class DeviceBuffers : public BufferSource {
 public:
  ~DeviceBuffers() override {
    for (const auto& [memory, bytes] : memory_) cudaFree(memory);
  }
  MemoryKind memory_kind() const override { return MemoryKind::device; }
  Id create(std::string_view name, std::size_t bytes) override {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    names_[std::string(name)] = memory_.size();
    memory_.push_back({memory, bytes});
    return memory_.size() - 1;
  }
  void* address(Id id) override { return memory_[id].first; }
  bool begin(void*) override { return true; }
  void end() override {}

  template <class T>
  std::vector<T> words(const std::string& name) const {
    const auto& [memory, bytes] = memory_[names_.at(name)];
    std::vector<T> values(bytes / sizeof(T));
    EXPECT_EQ(cudaMemcpy(values.data(), memory, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  std::map<std::string, Id> names_;
  std::vector<std::pair<void*, std::size_t>> memory_;
};

TEST_F(MeanShiftPicturesCuda, PublishesColoursAndClusters) {
  for (const std::string features : {"rgb", "xyrgb"}) expect_published<DeviceBuffers>(Backend::cuda, features);
}

TEST_F(MeanShiftPicturesCuda, AgreesWithTheCpu) {
  for (const std::string method : {"field", "tiled", "grid", "bins"}) {
    Trial run(made_picture(96, 64), {"bandwidth=14", "method=" + method, "iterations=10",
                                     std::string("features=") + (method == "bins" ? "xyrgb" : "rgb")});
    const auto cpu = mean_shift_cases::rows(run.finished()->result());
    run.setup.backend = Backend::cuda;
    const auto cuda = mean_shift_cases::rows(run.finished()->result());
    std::size_t apart = 0;
    for (std::size_t i = 0; i < cpu.size(); ++i) apart += !(std::fabs(cpu[i] - cuda[i]) <= 1e-3 * 14);
    EXPECT_LE(apart, cpu.size() / 500) << method;
  }
}

// From host memory to labels there.
TEST_F(MeanShiftPicturesCuda, SpeedOfAMegapixel) {
  const auto picture = made_picture(1280, 800);
  for (const std::string features : {"rgb", "xyrgb"}) {
    Trial run(picture, {"bandwidth=12", "features=" + features});
    run.setup.backend = Backend::cuda;
    for (int repetition = 0; repetition < 3; ++repetition) {
      const auto begin = std::chrono::steady_clock::now();
      const auto simulation = run.make();
      const auto made = std::chrono::steady_clock::now();
      while (simulation->advance({})) {
      }
      simulation->finish();
      const auto moved = std::chrono::steady_clock::now();
      const std::size_t clusters = mean_shift_cases::centroids(*simulation).rows;
      const auto end = std::chrono::steady_clock::now();
      const auto ms = [](auto a, auto b) { return std::chrono::duration<double, std::milli>(b - a).count(); };
      std::printf("%-5s %6.1f ms: prepare %.1f, %ld iterations %.1f, labels %.1f; %zu clusters\n", features.c_str(),
                  ms(begin, end), ms(begin, made), simulation->progress().iteration, ms(made, moved), ms(moved, end),
                  clusters);
    }
  }
}

}  // namespace
}  // namespace kinescope::sim
