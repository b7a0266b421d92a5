#include "sim/data/readers/pictures/picture.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/pictures/picture_check.hpp"
#include "sim/data/text.hpp"
#include "sim/data/writers/write.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image.h>
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace kinescope::sim {
namespace {

constexpr std::size_t maximum_file_bytes = std::size_t{1} << 30;

std::string read_whole(InputFile& file) {
  std::string bytes;
  for (std::size_t step = 1 << 16;; step = std::min<std::size_t>(2 * step, 1 << 26)) {
    const std::size_t had = bytes.size();
    bytes.resize(had + step);
    const std::size_t got = file.read(bytes.data() + had, step);
    bytes.resize(had + got);
    if (got < step) return bytes;
    if (bytes.size() > maximum_file_bytes)
      throw file_error(file.path(), "pictures of more than 1 GiB are not supported");
  }
}

using Pixels = std::unique_ptr<unsigned char, void (*)(void*)>;

Pixels decode(const std::string& path, const std::string& bytes, const PictureHeader& header) {
  int width = 0, height = 0, channels = 0;
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  Pixels pixels(stbi_load_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels, 4),
                [](void* memory) { stbi_image_free(memory); });
  if (!pixels) {
    const char* why = stbi_failure_reason();
    if (why && std::string_view(why) == "outofmem") throw run_error(path + ": out of memory for the picture");
    throw file_error(path, "a damaged picture" + (why ? " (" + std::string(why) + ")" : std::string()));
  }
  if (static_cast<std::uint64_t>(width) != header.width || static_cast<std::uint64_t>(height) != header.height)
    throw file_error(path, "a damaged picture: it states two different sizes");
  return pixels;
}

std::uint8_t on_white(unsigned value, unsigned opacity) {
  return static_cast<std::uint8_t>((value * opacity + 255 * (255 - opacity) + 127) / 255);
}

}  // namespace

bool is_picture(const InputFile& file) {
  return picture_format(file.head(), file.path()) != PictureFormat::none;
}

Table read_picture(InputFile& file) {
  const PictureFormat format = picture_format(file.head(), file.path());
  const std::string bytes = read_whole(file);
  const PictureHeader header = check_picture(file.path(), format, bytes);
  const std::uint64_t pixels = header.width * header.height;
  require_memory(file.path(), 60.0 * double(pixels));
  const Pixels rgba = decode(file.path(), bytes, header);

  Table table;
  table.source = file.path();
  table.format = std::string(picture_format_name(format)) + " picture, " + std::to_string(header.width) + " x " +
                 std::to_string(header.height) + " pixels";
  table.rows = static_cast<std::size_t>(pixels);
  table.picture = {static_cast<std::size_t>(header.width), static_cast<std::size_t>(header.height)};
  for (const char* name : {"x", "y", "r", "g", "b"}) {
    Column column{name};
    column.numbers.write_floats(table.rows);
    table.columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; i < table.rows; ++i) {
    const unsigned char* pixel = rgba.get() + 4 * i;
    table.columns[0].numbers.set(i, static_cast<float>(i % table.picture.width));
    table.columns[1].numbers.set(i, static_cast<float>(i / table.picture.width));
    for (std::size_t c = 0; c < 3; ++c)
      table.columns[2 + c].numbers.set(i, static_cast<float>(on_white(pixel[c], pixel[3])));
  }
  return table;
}

void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> rgb) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, static_cast<int>(width), static_cast<int>(height), 3, rgb.data(),
                              static_cast<int>(3 * width)))
    throw run_error(path + ": out of memory for the picture");
  write_bytes(path, bytes);
}

}  // namespace kinescope::sim
