// What colours the points: the label, a column of the data, or the points' own colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/points/point_cloud.hpp"
#include "sim/core/dataset.hpp"

namespace kinescope::app {

struct Colouring {
  render::ColourBy by = render::ColourBy::uniform;
  std::string title;                   // the legend's title
  std::vector<std::uint32_t> classes;  // [points], by == classes
  std::vector<std::string> class_names;
  std::vector<std::size_t> class_counts;
  bool last_is_missing = false;       // the last class is of points without a value
  std::vector<float> numbers;         // [points], by == numbers
  float low = 0, high = 1;            // the ends of the map: the outermost hundredths of the values lie beyond
  bool below = false, above = false;  // numbers beyond that range exist
  int digits = 6;                     // of a number in a row's card
  bool is_signed = false;             // both signs occur, so the map is centred on zero
};

// The choices for a data set, default first: own colours, the label, every other column, and none last.
std::vector<std::string> colouring_choices(const sim::Dataset& data);

// Numbers from low to high, the outermost hundredths beyond the map's ends. O(points log points).
Colouring colouring_by_numbers(std::string title, std::vector<float> numbers);

// Of the classes; gray for points without a value.
std::vector<render::Rgb> class_palette(const Colouring& colouring, render::Background background);

// Works out one of the choices. O(points log points): call it in the background.
Colouring make_colouring(const sim::Dataset& data, const std::string& choice);

}  // namespace kinescope::app
