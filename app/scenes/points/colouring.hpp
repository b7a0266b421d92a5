// What colours the points: the label, a column of the data, or the points' own colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::app {

struct Colouring {
  render::ColourBy by = render::ColourBy::uniform;
  std::string title;                   // the legend's title
  std::vector<std::uint32_t> classes;  // [points], by == classes
  std::vector<std::string> class_names;
  std::vector<std::size_t> class_counts;
  bool last_is_missing = false;       // the last class has the points without a value
  std::vector<float> numbers;         // [points], by == numbers
  float low = 0, high = 1;            // the ends of the map, low < high; about 1 % of the values are beyond either
  bool below = false, above = false;  // there are numbers below low, above high
  double origin = 0;                  // what 0 stands for: numbers far from zero are kept relative to it
  int digits = 6;                     // significant digits of a row's number in the window
  bool is_signed = false;             // both signs occur, so the map is centred on zero

  // A number (relative to the origin) as text, for the legend.
  std::string text_of(double number) const;
};

// The choices for a data set, default first: own colours (after a label that was asked for), the label, every other
// column, and none last.
std::vector<std::string> colouring_choices(const sim::Dataset& data);

// Colours by numbers. The map goes from the 1st to the 99th percentile, or symmetrically about 0 if that range has both
// signs. O(points log points).
Colouring colouring_by_numbers(std::string title, const sim::Numbers& numbers);

// The colours of the classes; points without a value are grey.
std::vector<render::Rgb> class_palette(const Colouring& colouring, render::Background background);

// Computes the colouring for one of the choices. O(points log points): call it in the background.
Colouring make_colouring(const sim::Dataset& data, const std::string& choice);

}  // namespace kinescope::app
