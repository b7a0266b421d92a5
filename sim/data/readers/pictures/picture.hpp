// Writes pictures; and how large they may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kinescope::sim {

inline constexpr std::uint64_t maximum_pixels = std::uint64_t{1} << 28;

// Writes pixels [height × width × 3 or 4] as a PNG of r, g, b and, if there are four channels, the opacity; first under
// a temporary name. The samples' bits are the picture's. Throws Error.
void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> pixels);
void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint16_t> pixels);

}  // namespace kinescope::sim
