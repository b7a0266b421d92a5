// A picture in host memory, and as a PNG.
#pragma once

#include <cstdint>
#include <vector>

namespace kinescope::render {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // [height × width × 4], the top row first, not premultiplied

  const std::uint8_t* pixel(int x, int y) const { return &rgba[4 * (std::size_t(y) * width + x)]; }
};

// The bytes of a PNG file (8-bit RGB if `opaque`, else RGBA). The same picture gives the same bytes.
std::vector<std::uint8_t> encode_png(const Image& image, bool opaque = true);

}  // namespace kinescope::render
