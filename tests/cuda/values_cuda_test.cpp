// Numbers that lie in a device's memory.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/kinds.hpp"
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
  for (const Backend backend : {Backend::cuda, Backend::cpu})
    for (const char* name : {"glimmer", "mean-shift", "k-means"}) {
      auto borrowed = std::make_shared<Dataset>(*own);
      borrowed->rows().values = Values::borrow_on_device({there, array.size()}, 0, owner);
      EXPECT_EQ(borrowed->values().on_device(0), there);
      EXPECT_EQ(borrowed->values().on_device(1), nullptr);
      const SimulationKind* const kind = find_kind(name);
      ASSERT_NE(kind, nullptr) << name;
      std::vector<Table> results;
      for (const std::shared_ptr<Dataset>& data : {own, borrowed}) {
        const auto parameters = kind->make_parameters();
        const auto run = kind->make({.data = data, .backend = backend}, *parameters);
        while (run->advance({.iterations = 40}) && run->progress().iteration < 40) {
        }
        results.push_back(run->result());
      }
      ASSERT_EQ(results[0].columns.size(), results[1].columns.size());
      for (std::size_t c = 0; c < results[0].columns.size(); ++c)
        for (std::size_t row = 0; row < results[0].rows && !results[0].columns[c].is_text; ++row)
          ASSERT_EQ(results[0].columns[c].numbers[row], results[1].columns[c].numbers[row]) << name << " " << row;
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
