// Whether one column alone makes the distances, because the columns have different units, and what normalize=auto makes
// of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/normalize.hpp"
#include "kinescope/dataset.hpp"
#include "kinescope/parameter.hpp"

namespace kinescope::sim {

struct DominatingColumn {
  std::string name;
  double share = 0;  // of the squared distances
};

// The column that makes more than 90 % of the squared distances of two or more columns. `variances` [columns of the
// findings] is 0 for columns that take no part. Counters count only if `with_counters`, because they are suggested to
// be left out. O(columns).
std::optional<DominatingColumn> dominating_column(const Findings& findings, const std::vector<double>& variances,
                                                  bool with_counters);

enum class Degrees { none, latitude, longitude };

// What a column's name says: lat, latitude; lon, lng, long, longitude; perhaps with a unit.
Degrees degrees_of(std::string_view name);

// Whether these are the names of a place's coordinates, which have one unit: latitude and longitude; x, y and z,
// easting and northing, and a height or a depth only beside one of these. Words such as units may follow: "x (m)".
bool are_places(const std::vector<std::string>& names);

// Whether the scales of columns matter: distances are euclidean or manhattan, or the simulation has no other.
bool are_distances_of_columns(ParameterSet& parameters);

}  // namespace kinescope::sim
