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

// Whether a file's first bytes (TGA has no signature: its name too) say that it is a picture.
bool is_picture(const InputFile& file);

// A row for each pixel, from the top row down and from the left: the columns x, y, r, g, b. Colours are 0 … 255 as the
// file has them (sRGB, mostly): gray is three equal ones, 16 bits are cut to 8, what is transparent lies on white.
// Throws Error (input): damaged, cut off, more than 2^28 pixels, or more than such a file can hold; all of that is
// known before memory is taken for the pixels.
Table read_picture(InputFile& file);

// An 8-bit RGB PNG of rgb [height × width × 3], written beside its name and then renamed. Throws Error.
void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb);

}  // namespace kinescope::sim
