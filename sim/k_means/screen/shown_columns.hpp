// Which columns the screen gets. Data of up to three columns are shown as they are. For more columns, the first three
// principal axes come first, followed by as many of the data's columns as there is room for.
#pragma once

#include <string>
#include <vector>

#include "kinescope/dataset.hpp"

namespace kinescope::sim::k_means {

struct ShownColumns {
  std::vector<std::string> names;  // the name of a principal axis includes its share of the variance in a sample
  std::vector<double> origins;     // [names], to be added to the values shown; 0 for a principal axis
  std::size_t dimensions = 0;      // number of the data's columns
  std::vector<float> centre;       // [dimensions]
  std::vector<float> axes;  // [3 × dimensions], orthonormal, largest variance first; empty for up to three columns

  std::size_t count() const { return names.size(); }
  // Converts rows in the data's columns to rows in these; O(rows · d).
  std::vector<float> project(const float* values, std::size_t rows) const;
};

// `centre` has the columns' means. O(d) for each of a few thousand points.
ShownColumns shown_columns(const Dataset& data, const std::vector<float>& centre);

}  // namespace kinescope::sim::k_means
