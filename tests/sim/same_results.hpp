// Runs of the same data, given in different ways.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/kinds.hpp"

namespace kinescope::sim::test_results {

// Expects Glimmer, mean shift and k-means to give the same numbers for both. k-means, which may take the numbers that
// it is `given` for itself, comes last.
inline void expect_same(const std::shared_ptr<Dataset>& a, const std::shared_ptr<Dataset>& b, Backend backend,
                        bool given = false) {
  for (const char* name : {"glimmer", "mean-shift", "k-means"}) {
    const SimulationKind* const kind = find_kind(name);
    ASSERT_NE(kind, nullptr) << name;
    std::vector<Table> results;
    for (const std::shared_ptr<Dataset>& data : {a, b}) {
      const auto parameters = kind->make_parameters();
      const auto run = kind->make({.data = data, .backend = backend, .given = given ? data : nullptr}, *parameters);
      while (run->advance({.iterations = 40}) && run->progress().iteration < 40) {
      }
      results.push_back(run->result());
    }
    ASSERT_EQ(results[0].columns.size(), results[1].columns.size());
    for (std::size_t c = 0; c < results[0].columns.size(); ++c)
      for (std::size_t row = 0; row < results[0].rows && !results[0].columns[c].is_text; ++row)
        ASSERT_EQ(results[0].columns[c].numbers[row], results[1].columns[c].numbers[row]) << name << " " << row;
  }
}

}  // namespace kinescope::sim::test_results
