// Coordinates computed on a CUDA device against those computed on the CPU.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/devices.hpp"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"
#include "sim/glimmer/coordinates/coordinates_cuda.cuh"
#include "sim/glimmer/multilevel/multilevel_plan.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::glimmer {
namespace {

struct OnHost {
  std::vector<std::int32_t> permutation;
  std::vector<float> rows, norms, reference;
  std::vector<HeldOutPair> held_out;
  std::int64_t width;

  template <Executor E>
  explicit OnHost(const Coordinates<E>& from) : width(from.width) {
    const auto take = [](const auto& array, auto& to) {
      if (array.size() > 0) to = array.download();
    };
    take(from.permutation, permutation), take(from.rows, rows), take(from.norms, norms);
    take(from.reference, reference), take(from.held_out, held_out);
  }
};

// Points on a `rank`-dimensional plane in a space of many columns.
std::shared_ptr<const Dataset> plane(std::size_t points, std::size_t columns, std::size_t rank) {
  const auto data = cases::dataset(points, columns, std::vector<float>(points * columns));
  const Random random(3, 1);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < rank; ++r)
        data->rows().values.own()[i * columns + c] += (random.uniform(i, static_cast<std::uint32_t>(r)) - 0.5f) *
                                                      (random.uniform(c, static_cast<std::uint32_t>(100 + r)) - 0.5f);
  return data;
}

std::shared_ptr<const Dataset> made(const std::string& source) {
  DataRequest request;
  request.source = source;
  return load_dataset(request);
}

// Compares coordinates from both backends. Distances agree to float32's precision, whatever the rounding of the axes.
// Places on the first axes agree only as far as these axes are distinct, which takes eigenvalues that differ by a few
// percent.
void compare(const std::shared_ptr<const Dataset>& data, const std::vector<std::string>& assignments) {
  GlimmerParameters parameters;
  std::string what = std::to_string(data->points) + " × " + std::to_string(data->dimensions);
  for (const std::string& assignment : assignments) parameters.set(assignment), what += " " + assignment;
  SCOPED_TRACE(what);
  const std::vector<std::int64_t> levels = plan_levels(static_cast<std::int64_t>(data->points), 2560, 8);
  Cpu cpu(0);
  Cuda cuda(0);
  const Coordinates<Cpu> expected = make_coordinates(cpu, *data, parameters, 7, levels);
  const Coordinates<Cuda> found = make_coordinates(cuda, *data, parameters, 7, levels);
  const OnHost a(expected), b(found);
  ASSERT_EQ(found.formula, expected.formula);
  ASSERT_EQ(found.width, (expected.width + 3) / 4 * 4);
  ASSERT_EQ(a.permutation, b.permutation);
  EXPECT_NEAR(found.scale, expected.scale, 1e-5f * expected.scale);
  EXPECT_NEAR(found.unit, expected.unit, 1e-5f * expected.unit);
  EXPECT_NEAR(found.reference_scale, expected.reference_scale, 1e-3f * expected.reference_scale);
  ASSERT_EQ(a.norms.size(), b.norms.size());
  const auto distance = [&](const OnHost& from, std::size_t i, std::size_t j) {
    const auto width = static_cast<std::size_t>(from.width);
    float sum = 0;
    for (std::size_t c = 0; c < width; ++c)
      sum = add_column(expected.formula, sum, from.rows[i * width + c], from.rows[j * width + c]);
    const bool normed = expected.formula == RowFormula::products;
    return expected.scale * std::sqrt(square_distance(expected.formula, sum, normed ? from.norms[i] : 0.0f,
                                                      normed ? from.norms[j] : 0.0f));
  };
  for (std::size_t i = 0; i + 1 < data->points; i += 7)
    ASSERT_NEAR(distance(b, i, i + 1), distance(a, i, i + 1), 2e-3f) << i;  // their root mean square is 1
  ASSERT_EQ(a.reference.size(), b.reference.size());
  double error = 0, size = 0;
  for (std::size_t k = 0; k < a.reference.size(); ++k) {
    error += std::pow(double(a.reference[k]) - b.reference[k], 2);
    size += std::pow(double(a.reference[k]), 2);
  }
  EXPECT_LE(error, 1e-6 * size);
  ASSERT_EQ(a.held_out.size(), b.held_out.size());
  for (std::size_t k = 0; k < a.held_out.size(); ++k) {
    ASSERT_EQ(a.held_out[k].i, b.held_out[k].i);
    ASSERT_EQ(a.held_out[k].j, b.held_out[k].j);
    ASSERT_NEAR(a.held_out[k].delta, b.held_out[k].delta, 1e-4f);
    ASSERT_NEAR(a.held_out[k].estimate, b.held_out[k].estimate, 2e-3f);
  }
}

class CoordinatesCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

TEST_F(CoordinatesCuda, AreThoseOfTheCpu) {
  const auto topics = made("synthetic:topics,n=9001,h=100"), wide = made("synthetic:topics,n=5000,h=1003");
  for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"})
      for (const auto& data : {topics, wide}) compare(data, {metric, dimensions});
  for (const char* normalize : {"normalize=zscore", "normalize=minmax"}) compare(topics, {normalize});
}

TEST_F(CoordinatesCuda, OfFewColumnsOrPointsAreTheRows) {
  for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"}) {
    compare(plane(3000, 7, 5), {metric});
    compare(plane(500, 30, 5), {metric});
    compare(plane(2, 3, 2), {metric});
  }
  compare(plane(300, 1, 1), {"output_dimensions=3"});
}

// Rows in which most values are 0. They have themes of different sizes, so that the first axes are distinct.
std::shared_ptr<const Dataset> sparse(std::size_t points, std::size_t columns) {
  const auto data = cases::dataset(points, columns, {});
  SparseRows rows;
  rows.columns = columns;
  const Random random(11, 1);
  for (std::size_t i = 0; i < points; ++i) {
    const float theme = random.uniform(i, 1'000'000);
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t of = theme < 0.4f ? 0 : theme < 0.65f ? 1 : theme < 0.82f ? 2 : theme < 0.93f ? 3 : 4;
      if (const float u = random.uniform(i, static_cast<std::uint32_t>(c)); u < (c % 5 == of ? 0.3f : 0.02f)) {
        rows.index.push_back(static_cast<std::uint32_t>(c));
        rows.value.push_back(1 + u);
      }
    }
    rows.begin.push_back(rows.index.size());
  }
  data->numbers = std::make_shared<const SparseRows>(std::move(rows));
  return data;
}

TEST_F(CoordinatesCuda, OfSparseRowsAreThoseOfTheCpu) {
  for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=cosine-squared"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
      compare(sparse(9001, 600), {metric, dimensions});
      compare(sparse(20'000, 50), {metric, dimensions});
    }
  compare(sparse(300, 5), {"metric=cosine"});
}

// The plane has fewer directions than the number of vectors that is searched for; the superfluous ones must not spoil
// the others.
TEST_F(CoordinatesCuda, OfAPlaneInManyColumns) {
  compare(plane(6000, 60, 3), {});
  compare(plane(6000, 60, 12), {});
}

TEST_F(CoordinatesCuda, AreTheSameBytesTwice) {
  const auto data = made("synthetic:topics,n=50000");  // large enough to be copied by several lanes
  GlimmerParameters parameters;
  Cuda cuda(0);
  const std::vector<std::int64_t> levels = plan_levels(50'000, 2560, 8);
  const OnHost first(make_coordinates(cuda, *data, parameters, 1, levels)),
      second(make_coordinates(cuda, *data, parameters, 1, levels));
  ASSERT_EQ(first.rows.size(), second.rows.size());
  EXPECT_EQ(std::memcmp(first.rows.data(), second.rows.data(), first.rows.size() * sizeof(float)), 0);
  EXPECT_EQ(first.norms, second.norms);
  EXPECT_EQ(first.reference, second.reference);
}

}  // namespace
}  // namespace kinescope::sim::glimmer
