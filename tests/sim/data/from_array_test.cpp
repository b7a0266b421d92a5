#include "kinescope/data/from_array.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::from_array_test {
namespace {

constexpr std::size_t rows = 5, columns = 3;

// Far from zero, so that float32 alone would lose their digits.
std::vector<double> far_numbers() {
  std::vector<double> made;
  for (std::size_t k = 0; k < rows * columns; ++k) made.push_back(1e7 + 0.25 * double((7 * k) % 11));
  return made;
}

double number_of(const Dataset& data, std::size_t row, std::size_t column) {
  return data.origin_of(column) + data.value(row, column);
}

TEST(FromArray, DoublesAreReadAsAFileOfThem) {
  const std::vector<double> array = far_numbers();
  const auto data = dataset_of<double>("mine", {array.data(), rows, columns, columns});
  ASSERT_EQ(data->points, rows);
  ASSERT_EQ(data->dimensions, columns);
  const TemporaryFolder folder;
  std::string text = "c0,c1,c2\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += std::to_string(array[3 * i]) + "," + std::to_string(array[3 * i + 1]) + "," +
            std::to_string(array[3 * i + 2]) + "\n";
  const auto read = load_dataset({.source = folder.write("same.csv", text), .label = std::string(no_label)});
  EXPECT_EQ(data->values(), read->values());
  EXPECT_EQ(data->origin(), read->origin());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns; ++c) EXPECT_EQ(number_of(*data, i, c), array[i * columns + c]);
}

TEST(FromArray, AnyStridesGiveTheSamePoints) {
  const std::vector<double> array = far_numbers();
  std::vector<double> by_columns(array.size()), backwards(array.rbegin(), array.rend()), apart(10 * rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < columns; ++c) {
      by_columns[c * rows + i] = array[i * columns + c];
      apart[10 * (i * columns + c)] = array[i * columns + c];
    }
  const auto data = dataset_of<double>("mine", {array.data(), rows, columns, columns});
  for (const ArrayView<double>& view : {ArrayView<double>{by_columns.data(), rows, columns, 1, rows},
                                        {&backwards.back(), rows, columns, -std::ptrdiff_t(columns), -1},
                                        {apart.data(), rows, columns, 10 * columns, 10}})
    EXPECT_EQ(dataset_of("mine", view)->values(), data->values());
}

TEST(FromArray, WholeNumbersKeepTheirDigits) {
  const std::vector<std::int64_t> large = {(std::int64_t(1) << 53) - 1, 3, (std::int64_t(1) << 53) - 2, 4};
  const auto data = dataset_of<std::int64_t>("mine", {large.data(), 2, 2, 2});
  EXPECT_EQ(number_of(*data, 0, 0), double(large[0]));
  EXPECT_EQ(number_of(*data, 1, 0), double(large[2]));
  const std::vector<std::uint64_t> beyond = {1, (std::uint64_t(1) << 53) + 1};
  EXPECT_EQ(input_message([&] {
              dataset_of<std::uint64_t>("mine", {beyond.data(), 2, 1, 1});
            }),
            "mine: row 2 of column 0 is beyond 2^53");
  const std::vector<std::uint8_t> bytes = {0, 255, 7, 1};
  EXPECT_EQ(number_of(*dataset_of<std::uint8_t>("mine", {bytes.data(), 2, 2, 2}), 0, 1), 255);
}

TEST(FromArray, RowsWithNaNAreLeftOutAndInfinityIsRefused) {
  std::vector<float> array = {1, 2, NAN, 4, 5, 6};
  const auto data = dataset_of<float>("mine", {array.data(), 3, 2, 2});
  EXPECT_EQ(data->points, 2u);
  EXPECT_EQ(data->rows_left_out, std::vector<std::size_t>{2});
  EXPECT_EQ(number_of(*data, 1, 1), 6);
  array[3] = INFINITY, array[2] = 3;
  EXPECT_THROW((dataset_of<float>("mine", {array.data(), 3, 2, 2})), Error);
  EXPECT_THROW((dataset_of<float>("mine", {array.data(), 0, 2, 2})), Error);
  EXPECT_THROW((dataset_of<float>("mine", {array.data(), 3, 0, 2})), Error);
}

}  // namespace
}  // namespace kinescope::sim::from_array_test
