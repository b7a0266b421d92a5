// What a picture's file says of itself, and whether its bytes can bear that out. The decoder trusts sizes and takes
// what is missing for black; a file is looked at here first.
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

// Throws Error (input): no size or one beyond sim/data/readers/picture.hpp's limit, damaged, cut off, or fewer bytes
// than such a picture takes at least. O(bytes); takes no memory.
PictureHeader check_picture(const std::string& path, PictureFormat format, std::string_view bytes);

}  // namespace kinescope::sim
