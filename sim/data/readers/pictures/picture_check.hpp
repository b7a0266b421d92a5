// Reads the size that a picture file states, and checks that the file has enough bytes for it. The decoder trusts sizes
// and fills what is missing with black, so each file is checked here first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinescope::sim {

enum class PictureFormat { none, png, jpeg, bmp, tga };

PictureFormat picture_format(std::string_view head, const std::string& path);
const char* picture_format_name(PictureFormat format);

struct PictureHeader {
  std::uint64_t width = 0, height = 0;
};

// Throws Error (input) if the file has no size, or one beyond the limit of sim/data/readers/picture.hpp, if it is
// damaged or cut off, or if it has fewer bytes than such a picture needs. O(bytes); takes no memory.
PictureHeader check_picture(const std::string& path, PictureFormat format, std::string_view bytes);

}  // namespace kinescope::sim
