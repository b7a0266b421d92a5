#include <cerrno>
#include <cstring>

#include "sim/core/error.hpp"
#include "sim/data/write.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace kinescope::sim {

void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb) {
  write_then_rename(path, [&](const std::string& temporary) {
    if (!stbi_write_png(temporary.c_str(), static_cast<int>(width), static_cast<int>(height), 3, rgb.data(),
                        static_cast<int>(3 * width)))
      throw run_error(path + ": cannot be written: " + std::strerror(errno));
  });
}

}  // namespace kinescope::sim
