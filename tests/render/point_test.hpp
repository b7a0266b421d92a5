// What the tests of point clouds have in common: a small canvas whose pixels are the world's units, and random points
// on it.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "tests/render/gl_test.hpp"

namespace kinescope::render {

inline constexpr glm::ivec2 size{160, 120};
inline constexpr Rgb white{255, 255, 255};

inline PointStyle plain(float diameter) {
  PointStyle style;
  style.uniform = white;
  style.diameter = diameter;
  style.pixel_scale = 1;
  return style;
}

// Sum of the red channel as a number of whole pixels.
inline double area(const Image& image) {
  double sum = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) sum += image.rgba[i] / 255.0;
  return sum;
}

inline const std::uint8_t* pixel_up(const Image& image, int x, int y) {
  return image.pixel(x, image.height - 1 - y);
}

struct Cloud {
  std::vector<float> positions;
  std::vector<std::uint32_t> classes, states;
};

inline Cloud random_cloud(std::size_t count, int dimensions, unsigned seed = 3) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> unit(0, 1);
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.positions.push_back(unit(generator) * float(size.x));
    cloud.positions.push_back(unit(generator) * float(size.y));
    if (dimensions == 3) cloud.positions.push_back(unit(generator) * 100 - 50);
    cloud.classes.push_back(std::uint32_t(generator() % 5));
    cloud.states.push_back(std::uint32_t(generator() % 3));
  }
  return cloud;
}

}  // namespace kinescope::render
