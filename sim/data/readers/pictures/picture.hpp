// Pictures as points: PNG, JPEG, BMP and TGA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

inline constexpr std::uint64_t maximum_pixels = std::uint64_t{1} << 28;

// Whether a file's first bytes say that it is a picture (for TGA, which has no signature, its name counts too).
bool is_picture(const InputFile& file);

// A row for each pixel, from the top row down and from left to right: the columns x, y, r, g, b. Colours are 0 … 255 as
// in the file (mostly sRGB): grey pixels have three equal values, 16 bits are cut to 8, and transparent pixels are
// blended with white. Throws Error (input) if the file is damaged or cut off, or has more than 2^28 pixels or more than
// its bytes can hold; all this is checked before memory is taken for the pixels.
Table read_picture(InputFile& file);

// Writes rgb [height × width × 3] as an 8-bit RGB PNG, first under a temporary name. Throws Error.
void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb);

}  // namespace kinescope::sim
