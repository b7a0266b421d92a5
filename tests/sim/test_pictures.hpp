// Pictures for the tests of simulations that find groups of pixels.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/random.hpp"
#include "tests/sim/test_points.hpp"

namespace kinescope::sim::test_pictures {

// The region of pixel i. Regions 0, 1 and 2 have a half, a third and a sixth of the pixels.
inline int region_of(std::size_t i, std::size_t width) {
  const std::size_t x = i % width;
  return x < width / 2 ? 0 : x < width * 5 / 6 ? 1 : 2;
}

// Three vertical stripes, each of one colour with a little noise.
inline std::shared_ptr<Dataset> regions(std::size_t width, std::size_t height) {
  const int colours[3][3] = {{40, 60, 200}, {220, 180, 30}, {20, 140, 60}};
  std::shared_ptr<Dataset> data = test_points::dataset(5, {});
  data->points = width * height;
  data->value_names = {"x", "y", "r", "g", "b"};
  data->picture = {width, height};
  for (std::size_t i = 0; i < data->points; ++i) {
    data->rows().values.own().push_back(float(i % width));
    data->rows().values.own().push_back(float(i / width));
    for (std::uint32_t c = 0; c < 3; ++c)
      data->rows().values.own().push_back(float(colours[region_of(i, width)][c]) +
                                          std::floor(5 * Random(8, 2).uniform(i, c)) - 2);
  }
  return data;
}

// The same with every third pixel fully transparent, which has no row, and every third half so. Colours of 16 bits have
// fractions.
inline std::shared_ptr<Dataset> translucent_regions(std::size_t width, std::size_t height, int bits) {
  const std::shared_ptr<Dataset> whole = regions(width, height);
  auto data = std::make_shared<Dataset>(*whole);
  auto opacity = std::make_shared<std::vector<std::uint16_t>>();
  data->points = 0;
  data->rows().values.own().clear();
  for (std::size_t i = 0; i < whole->points; ++i) {
    opacity->push_back(i % 3 == 0 ? 0 : i % 3 == 1 ? 128 * 257 : 65535);
    if (opacity->back() == 0) continue;
    ++data->points;
    for (std::size_t c = 0; c < 5; ++c)
      data->rows().values.own().push_back(whole->values()[5 * i + c] + (bits == 16 && c >= 2 ? 0.25f : 0.0f));
  }
  data->picture = {width, height, bits, opacity};
  return data;
}

}  // namespace kinescope::sim::test_pictures
