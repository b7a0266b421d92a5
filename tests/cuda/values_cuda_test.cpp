// Numbers that lie in a device's memory.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/kinds.hpp"
#include "tests/sim/same_results.hpp"
#include "tests/sim/test_points.hpp"

namespace kinescope::sim::values_cuda_test {
namespace {

class ValuesCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

std::shared_ptr<const void> on_device(const std::vector<float>& numbers, const float*& array) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, numbers.size() * sizeof(float)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(memory, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
  array = static_cast<const float*>(memory);
  return {memory, [](const void* each) { cudaFree(const_cast<void*>(each)); }};
}

TEST_F(ValuesCuda, RunsOnAnArrayOfTheDeviceGiveTheSameResults) {
  const auto own = std::make_shared<Dataset>(*test_points::gaussians(5000, 12));
  const std::vector<float> array(own->values().begin(), own->values().end());
  const float* there = nullptr;
  const auto owner = on_device(array, there);
  for (const Backend backend : {Backend::cuda, Backend::cpu}) {
    auto borrowed = std::make_shared<Dataset>(*own);
    borrowed->rows().values = Values::borrow_on_device({there, array.size()}, 0, owner);
    EXPECT_EQ(borrowed->values().on_device(0), there);
    EXPECT_EQ(borrowed->values().on_device(1), nullptr);
    test_results::expect_same(own, borrowed, backend);
  }
  std::vector<float> now(array.size());
  ASSERT_EQ(cudaMemcpy(now.data(), there, now.size() * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(now, array) << "the array is only read";
}

// Rows that are more than the device may take pass in parts, straight from the array.
TEST_F(ValuesCuda, APagedRunReadsTheArrayInParts) {
  const auto own = std::make_shared<Dataset>(*test_points::gaussians(60'000, 16));
  const std::vector<float> array(own->values().begin(), own->values().end());
  const float* there = nullptr;
  const auto owner = on_device(array, there);
  auto borrowed = std::make_shared<Dataset>(*own);
  borrowed->rows().values = Values::borrow_on_device({there, array.size()}, 0, owner);
  std::vector<double> figures;
  for (const std::shared_ptr<Dataset>& data : {own, borrowed}) {
    const auto parameters = find_kind("k-means")->make_parameters();
    parameters->set("device_memory", "1");
    const auto run = find_kind("k-means")->make({.data = data, .backend = Backend::cuda}, *parameters);
    while (run->advance({.iterations = 20}) && run->progress().iteration < 20) {
    }
    figures.push_back(run->progress().figure);
  }
  EXPECT_EQ(figures[0], figures[1]);
}

}  // namespace
}  // namespace kinescope::sim::values_cuda_test
