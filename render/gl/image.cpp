#include "render/gl/image.hpp"

#include "kinescope/error.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace kinescope::render {

std::vector<std::uint8_t> encode_png(const Image& image, bool opaque) {
  const int channels = opaque ? 3 : 4;
  const std::size_t pixels = std::size_t(image.width) * image.height;
  std::vector<std::uint8_t> packed;
  const std::uint8_t* source = image.rgba.data();
  if (opaque) {
    packed.resize(3 * pixels);
    for (std::size_t i = 0; i < pixels; ++i)
      for (int c = 0; c < 3; ++c) packed[3 * i + c] = image.rgba[4 * i + c];
    source = packed.data();
  }
  std::vector<std::uint8_t> png;
  const auto append = [](void* context, void* data, int size) {
    auto& out = *static_cast<std::vector<std::uint8_t>*>(context);
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), bytes, bytes + size);
  };
  if (image.width <= 0 || image.height <= 0 ||
      !stbi_write_png_to_func(append, &png, image.width, image.height, channels, source, channels * image.width))
    throw sim::run_error("a picture of " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                         " cannot be encoded as PNG");
  return png;
}

}  // namespace kinescope::render
