// Which columns the screen gets: up to three columns are the data's own; of more, the first three principal axes, and
// then as many of the data's as there is room for.
#pragma once

#include <string>
#include <vector>

#include "sim/core/dataset.hpp"

namespace kinescope::sim::k_means {

struct ShownColumns {
  std::vector<std::string> names;  // a principal axis' has its share of the variance, measured on a sample
  std::size_t dimensions = 0;      // number of the data's columns
  std::vector<float> centre;       // [dimensions]
  std::vector<float> axes;  // [3 × dimensions], orthonormal, with the largest variance first; empty: there are none

  std::size_t count() const { return names.size(); }
  // Converts rows in the data's columns to rows in these; O(rows · d).
  std::vector<float> project(const float* values, std::size_t rows) const;
};

// `centre` has the columns' means. O(d) for each of a few thousand points.
ShownColumns shown_columns(const Dataset& data, const std::vector<float>& centre);

}  // namespace kinescope::sim::k_means
