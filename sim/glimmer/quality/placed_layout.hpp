// The points of a layout that have a place, and their distances there.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace kinescope::sim::glimmer {

// `layout` [points × L] is in the dataset's order. A point whose first coordinate is NaN has no place yet.
struct PlacedLayout {
  PlacedLayout(std::span<const float> all, std::size_t points)
      : layout(all), columns(points > 0 ? all.size() / points : 1) {
    for (std::size_t i = 0; i < points; ++i)
      if (has_place(i)) rows.push_back(static_cast<std::uint32_t>(i));
  }

  bool has_place(std::size_t row) const { return !std::isnan(layout[row * columns]); }
  // d(i, j) between two rows of the dataset.
  double distance(std::size_t i, std::size_t j) const {
    double square = 0;
    for (std::size_t l = 0; l < columns; ++l) {
      const double difference = double(layout[i * columns + l]) - layout[j * columns + l];
      square += difference * difference;
    }
    return std::sqrt(square);
  }

  std::span<const float> layout;
  std::size_t columns;              // L
  std::vector<std::uint32_t> rows;  // the points with a place, ascending
};

// Streams of the random numbers with which samples are drawn. They are the same for all layouts, so that figures can be
// compared.
enum QualityStream : std::uint32_t { stream_stress_pairs = 777, stream_partners, stream_shepard, stream_neighbourhood };

}  // namespace kinescope::sim::glimmer
