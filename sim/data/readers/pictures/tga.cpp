// Truevision TGA, by stb_image.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "sim/data/readers/pictures/picture_file.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
// Cleared, so that no memory of ours can become a colour.
#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace kinescope::sim {
namespace {

// The decoder takes what is missing for 0, so the pixels are counted first.
void check_tga_pixels(const PictureFile& file, std::uint64_t pixels) {
  const std::uint64_t pixel_bytes = (file.byte(16) + 7) / 8;
  const std::uint64_t map = file.byte(1) ? file.little16(5) * ((file.byte(7) + 7) / 8) : 0;
  std::uint64_t at = 18 + file.byte(0) + map;
  if (file.byte(2) < 8) {
    file.part(at, pixels * pixel_bytes);
    return;
  }
  for (std::uint64_t had = 0; had < pixels;) {
    const std::uint32_t packet = file.byte(at), count = (packet & 127) + 1;
    at += 1 + (packet & 128 ? 1 : count) * pixel_bytes;
    had += count;
  }
  file.part(at, 0);
}

}  // namespace

DecodedPicture decode_tga(const PictureFile& file) {
  DecodedPicture picture;
  picture.width = file.little16(12), picture.height = file.little16(14);
  file.check_size(picture.width, picture.height, UINT64_MAX);
  check_tga_pixels(file, picture.width * picture.height);
  file.check_memory(picture.width * picture.height);
  if (file.byte(1) != 0 && file.little16(3) != 0) throw file.refused("TGA pictures whose palette begins in its middle");
  int width = 0, height = 0, channels = 0;
  const auto* data = reinterpret_cast<const stbi_uc*>(file.bytes.data());
  const int size = static_cast<int>(file.bytes.size());
  // Grey and the opacity, or r, g, b and the opacity; the header's bits for the opacity are often left unset.
  const bool has_alpha =
      stbi_info_from_memory(data, size, &width, &height, &channels) != 0 && (channels == 2 || channels == 4);
  picture.channels = has_alpha ? 4 : 3;
  picture.orientation = file.byte(17) & 16 ? 2 : 1;  // the decoder minds the vertical direction only
  const std::unique_ptr<stbi_uc, decltype(&std::free)> pixels(
      stbi_load_from_memory(data, size, &width, &height, &channels, static_cast<int>(picture.channels)), &std::free);
  if (!pixels) {
    if (std::string_view(stbi_failure_reason()) == "outofmem")
      throw run_error(file.path + ": out of memory for the picture");
    throw file.damaged("its header is impossible");
  }
  picture.samples.assign(pixels.get(), pixels.get() + picture.height * picture.row_bytes());
  if (has_alpha) opaque_if_unset(picture);
  file.tell(1, 1);
  return picture;
}

}  // namespace kinescope::sim
