// What colours the points: their label, a column of the data, or their own colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/points/point_cloud.hpp"
#include "sim/core/dataset.hpp"

namespace kinescope::app {

struct Colouring {
  render::ColourBy by = render::ColourBy::uniform;
  std::string title;                   // of the legend
  std::vector<std::uint32_t> classes;  // [points], by == classes
  std::vector<std::string> class_names;
  std::vector<std::size_t> class_counts;
  std::vector<float> numbers;         // [points], by == numbers
  float low = 0, high = 1;            // what the map spans: all but the outermost hundredths
  bool below = false, above = false;  // numbers beyond that range exist
  bool is_signed = false;             // both signs occur: the map is centred on zero
};

// The choices for a data set, the default first: own colour, the label, then every other column, at last none.
std::vector<std::string> colouring_choices(const sim::Dataset& data);

// Of one of the choices. O(points log points): call it in the background.
Colouring make_colouring(const sim::Dataset& data, const std::string& choice);

}  // namespace kinescope::app
