#include "kinescope/values.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/simulation.hpp"
#include "tests/sim/same_results.hpp"
#include "tests/sim/test_points.hpp"

namespace kinescope::sim {
namespace {

TEST(Values, ABorrowedArrayIsReadWhereItIsAndCopiedOnceItIsChanged) {
  const auto array = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3});
  Values values = Values::borrow(*array, array);
  EXPECT_EQ(values.data(), array->data());
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(array.use_count(), 2);

  values.own()[1] = 7;
  EXPECT_NE(values.data(), array->data());
  EXPECT_EQ(values[1], 7);
  EXPECT_EQ((*array)[1], 2);
  EXPECT_EQ(array.use_count(), 1) << "nothing is read there any more";
}

TEST(Values, WithoutCudaNumbersOfADeviceAreRefused) {
  if constexpr (cuda_built) GTEST_SKIP() << "CUDA is built";
  const float number = 1;
  EXPECT_THROW(Values::borrow_on_device({&number, 1}, 0).begin(), Error);
}

TEST(Values, RunsOnBorrowedArraysGiveTheSameResults) {
  const auto own = std::make_shared<Dataset>(*test_points::gaussians(300, 3));
  const std::vector<float> array(own->values().begin(), own->values().end());
  auto borrowed = std::make_shared<Dataset>(*own);
  borrowed->rows().values = Values::borrow(array);
  test_results::expect_same(own, borrowed, Backend::cpu, true);
  EXPECT_TRUE(std::equal(array.begin(), array.end(), borrowed->values().begin()));
}

}  // namespace
}  // namespace kinescope::sim
