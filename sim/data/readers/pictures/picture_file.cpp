#include "sim/data/readers/pictures/picture_file.hpp"

#include "sim/data/limits.hpp"
#include "sim/data/readers/pictures/picture.hpp"

namespace kinescope::sim {

std::string_view PictureFile::part(std::uint64_t at, std::uint64_t size) const {
  if (at > bytes.size() || size > bytes.size() - at) throw cut_off();
  return bytes.substr(at, size);
}

void PictureFile::check_size(std::uint64_t width, std::uint64_t height, std::uint64_t most) const {
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width == 0 || height == 0) throw damaged("it states " + size + " pixels");
  if (width > maximum_pixels / height)
    throw file_error(path, "a picture of " + size + " pixels; at most 2^28 (268 million) are supported");
  if (width * height > most) throw damaged("it states more pixels than its bytes can hold");
}

void PictureFile::check_memory(std::uint64_t pixels) const {
  // The decoded samples (8 bytes at most), the table's five columns, and the points made of them.
  require_memory(path, 64.0 * double(pixels));
}

void take_orientation(std::string_view exif, DecodedPicture& picture) {
  const bool big = exif.starts_with(std::string_view("MM\0*", 4));
  if (!big && !exif.starts_with(std::string_view("II*\0", 4))) return;
  // A number of `size` bytes; 0 beyond the end.
  const auto number = [&](std::uint64_t at, std::uint64_t size) {
    std::uint64_t value = 0;
    if (at + size > exif.size()) return value;
    for (std::uint64_t i = 0; i < size; ++i)
      value = value << 8 | static_cast<unsigned char>(exif[at + (big ? i : size - 1 - i)]);
    return value;
  };
  constexpr std::uint64_t orientation_tag = 0x0112, short_type = 3;
  const std::uint64_t directory = number(4, 4), entries = number(directory, 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t at = directory + 2 + 12 * i;
    if (number(at, 2) != orientation_tag || number(at + 2, 2) != short_type) continue;
    const std::uint64_t value = number(at + 8, 2);
    picture.turned_by_exif = value >= 2 && value <= 8;
    picture.orientation = picture.turned_by_exif ? static_cast<int>(value) : 1;
    return;
  }
}

void opaque_if_unset(DecodedPicture& picture) {
  for (std::size_t i = 3; i < picture.samples.size(); i += 4)
    if (picture.samples[i] != 0) return;
  for (std::size_t i = 3; i < picture.samples.size(); i += 4) picture.samples[i] = 255;
}

}  // namespace kinescope::sim
