#include "render/pictures/picture.hpp"

#include <algorithm>
#include <cstring>
#include <glm/vec4.hpp>
#include <string>

#include "kinescope/error.hpp"

namespace kinescope::render {

Image render_picture(glm::ivec2 size, glm::vec3 background, const std::function<void(const Canvas&)>& draw,
                     int largest_tile) {
  if (size.x < 1 || size.y < 1)
    throw sim::input_error("a picture of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                           " pixels is empty");
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  largest = std::min(largest, 8192);
  if (largest_tile > 0) largest = std::min(largest, largest_tile);
  const glm::ivec2 tile_size{std::min(size.x, largest), std::min(size.y, largest)};

  Image image{size.x, size.y, {}};
  try {
    image.rgba.resize(4 * std::size_t(size.x) * size.y);
  } catch (const std::bad_alloc&) {
    throw sim::run_error("out of memory for a picture of " + std::to_string(size.x) + " x " + std::to_string(size.y));
  }
  const Framebuffer framebuffer(tile_size);
  for (int y = 0; y < size.y; y += tile_size.y)
    for (int x = 0; x < size.x; x += tile_size.x) {
      const glm::ivec2 part{std::min(tile_size.x, size.x - x), std::min(tile_size.y, size.y - y)};
      framebuffer.clear({background.r, background.g, background.b, 1});
      draw({framebuffer.name(), {0, 0}, part, size, {x, y}});
      const Image tile = framebuffer.read();
      // The tile's rows are counted from its top; it covers rows y … y + part.y of the picture, counted from the
      // bottom.
      for (int row = 0; row < part.y; ++row)
        std::memcpy(&image.rgba[4 * (std::size_t(size.y - y - part.y + row) * size.x + x)],
                    tile.pixel(0, tile_size.y - part.y + row), 4 * std::size_t(part.x));
    }
  return image;
}

}  // namespace kinescope::render
