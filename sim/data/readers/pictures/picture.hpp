// Pictures as points: PNG, JPEG, BMP and TGA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sim/core/table.hpp"
#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

inline constexpr std::uint64_t maximum_pixels = std::uint64_t{1} << 28;

// Whether a file's first bytes say that it is a picture (for TGA, which has no signature, its name counts too).
bool is_picture(const InputFile& file);

// A row for each pixel that is not fully transparent, from the top row down and from left to right, turned as EXIF
// says: the columns x, y, r, g, b. Colours are 0 … 255 as in the file (mostly sRGB, profiles are ignored), whatever the
// pixel's opacity, which is in Table::picture: grey pixels have three equal values, and numbers of 16 bits are divided
// by 257, so that they have fractions. Throws Error (input) if the file is damaged or cut off, has more than 2^28
// pixels or more than its bytes can hold, or is fully transparent; all but the last is checked before memory is taken
// for the pixels.
Table read_picture(const SourceFile& source);

// Writes pixels [height × width × 3 or 4] as a PNG of r, g, b and, if there are four channels, the opacity; first under
// a temporary name. The samples' bits are the picture's. Throws Error.
void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> pixels);
void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint16_t> pixels);

}  // namespace kinescope::sim
