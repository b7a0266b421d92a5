// Which columns the screen is given: the data's own up to three; of more, the first three principal axes and then the
// data's as far as there is room.
#pragma once

#include <string>
#include <vector>

#include "sim/core/dataset.hpp"

namespace kinescope::sim::k_means {

struct ShownColumns {
  std::vector<std::string> names;  // of a principal axis with its share of the variance, measured on a sample
  std::size_t dimensions = 0;      // of the data
  std::vector<float> centre;       // [dimensions]
  std::vector<float> axes;  // [3 × dimensions], orthonormal, of the largest variance first; empty: there are none

  std::size_t count() const { return names.size(); }
  // Rows in the data's columns to rows in these; O(rows · d).
  std::vector<float> project(const float* values, std::size_t rows) const;
};

// `centre`: the columns' means. O(d) for each of a few thousand points.
ShownColumns shown_columns(const Dataset& data, const std::vector<float>& centre);

}  // namespace kinescope::sim::k_means
