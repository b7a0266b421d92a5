// Helpers for the tests of sparse files.
#pragma once

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/table.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::tests {

// Checks what sparse_rows.hpp promises.
inline void expect_sound(const sim::SparseRows& rows, std::size_t count) {
  ASSERT_EQ(rows.rows(), count);
  ASSERT_EQ(rows.index.size(), rows.value.size());
  ASSERT_EQ(rows.begin.back(), rows.value.size());
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t i = 0; i < rows.size_of(row); ++i) {
      EXPECT_TRUE(i == 0 || rows.index_of(row)[i - 1] < rows.index_of(row)[i]);
      EXPECT_LT(rows.index_of(row)[i], rows.columns);
      EXPECT_TRUE(std::isfinite(rows.value_of(row)[i]) && rows.value_of(row)[i] != 0);
    }
}

// The sparse rows as dense ones.
inline std::vector<std::vector<float>> dense(const sim::Table& table) {
  const sim::SparseRows& rows = *table.sparse;
  expect_sound(rows, table.rows);
  std::vector<std::vector<float>> values(rows.rows(), std::vector<float>(rows.columns, 0));
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (std::size_t i = 0; i < rows.size_of(row); ++i) values[row].at(rows.index_of(row)[i]) = rows.value_of(row)[i];
  return values;
}

inline void expect_prefixes_read_or_refused(const std::string& whole, const std::string& name) {
  const TemporaryFolder folder;
  int read = 0, refused = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string path = folder.write(name, whole.substr(0, length));
    try {
      const sim::Table table = sim::load_table({path});
      EXPECT_GT(table.rows, 0u);
      if (table.sparse) expect_sound(*table.sparse, table.rows);
      ++read;
    } catch (const sim::Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 10);
}

}  // namespace kinescope::tests
