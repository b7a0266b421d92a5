#include "tests/device/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <vector>

#include "kinescope/data/load.hpp"

namespace kinescope::tests {
namespace {

struct Blocks {
  std::size_t width = 0, height = 0;          // of the whole picture, pixels
  std::vector<std::array<double, 3>> colour;  // mean of each complete block, 0 … 1
};

Blocks blocks_of(const std::string& path, std::size_t block) {
  const auto data = sim::load_dataset({path});  // rows x, y, r, g, b
  Blocks blocks{data->picture.width, data->picture.height, {}};
  const std::size_t columns = blocks.width / block, rows = blocks.height / block;
  blocks.colour.resize(columns * rows);
  for (std::size_t y = 0; y < rows * block; ++y)
    for (std::size_t x = 0; x < columns * block; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        blocks.colour[y / block * columns + x / block][c] +=
            data->values()[(y * blocks.width + x) * 5 + 2 + c] / (255.0 * double(block * block));
  return blocks;
}

}  // namespace

Difference difference(const std::string& path, const std::string& other, std::size_t block) {
  const Blocks a = blocks_of(path, block), b = blocks_of(other, block);
  if (a.width != b.width || a.height != b.height || a.colour.empty()) return {1, 1};
  double sum = 0;
  std::size_t unlike = 0;
  for (std::size_t i = 0; i < a.colour.size(); ++i) {
    double largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double apart = std::fabs(a.colour[i][c] - b.colour[i][c]);
      sum += apart / 3;
      largest = std::max(largest, apart);
    }
    unlike += largest > 1.0 / 12;
  }
  return {sum / double(a.colour.size()), double(unlike) / double(a.colour.size())};
}

void write_test_picture(const std::string& path) {
  constexpr int width = 96, height = 64;
  std::string bytes(18, '\0');
  bytes[2] = 2;  // true colour, not compressed
  bytes[12] = width;
  bytes[14] = height;
  bytes[16] = 24;
  bytes[17] = 0x20;  // from the top row down
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int grain = (x * 7 + y * 13) % 11;
      const std::array<int, 3> bgr = x < width / 2    ? std::array{200, 60, 40}
                                     : y < height / 2 ? std::array{30, 180, 220}
                                                      : std::array{60, 140, 20};
      for (const int c : bgr) bytes += static_cast<char>(c + grain);
    }
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace kinescope::tests
