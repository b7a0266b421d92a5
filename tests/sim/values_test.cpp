#include "kinescope/values.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/kinds.hpp"
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

// k-means, which may take the numbers that it is given for itself, comes last.
TEST(Values, RunsOnBorrowedArraysGiveTheSameResults) {
  const auto own = std::make_shared<Dataset>(*test_points::gaussians(300, 3));
  const std::vector<float> array(own->values().begin(), own->values().end());
  auto borrowed = std::make_shared<Dataset>(*own);
  borrowed->rows().values = Values::borrow(array);
  for (const char* name : {"glimmer", "mean-shift", "k-means"}) {
    const SimulationKind* const kind = find_kind(name);
    ASSERT_NE(kind, nullptr) << name;
    std::vector<Table> results;
    for (const std::shared_ptr<Dataset>& data : {own, borrowed}) {
      const auto parameters = kind->make_parameters();
      const auto run = kind->make({.data = data, .given = data}, *parameters);
      while (run->advance({.iterations = 40}) && run->progress().iteration < 40) {
      }
      results.push_back(run->result());
    }
    ASSERT_EQ(results[0].columns.size(), results[1].columns.size());
    for (std::size_t c = 0; c < results[0].columns.size(); ++c)
      for (std::size_t row = 0; row < results[0].rows && !results[0].columns[c].is_text; ++row)
        ASSERT_EQ(results[0].columns[c].numbers[row], results[1].columns[c].numbers[row]) << name << " " << row;
  }
  EXPECT_TRUE(std::equal(array.begin(), array.end(), borrowed->values().begin()));
}

}  // namespace
}  // namespace kinescope::sim
