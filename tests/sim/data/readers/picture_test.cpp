// Reading pictures: good ones of every format, and files that are damaged, cut off or lie.
#include "sim/data/readers/pictures/picture.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

#include "tests/sim/data/helpers.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace kinescope::sim::picture_cases::picture_test {
namespace {

constexpr int width = 7, height = 5;

void append(void* to, void* data, int size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

// Channel c of pixel i.
std::uint8_t value(int i, int c) {
  return static_cast<std::uint8_t>(i * 7 + c * 60);
}

std::vector<std::uint8_t> pixels(int channels) {
  std::vector<std::uint8_t> all;
  for (int i = 0; i < width * height; ++i)
    for (int c = 0; c < channels; ++c) all.push_back(c == 3 ? 255 : value(i, c));
  return all;
}

std::string encoded(const std::string& format, int channels = 3) {
  std::string bytes;
  const std::vector<std::uint8_t> data = pixels(channels);
  stbi_write_tga_with_rle = format == "tga-rle";
  if (format == "png") stbi_write_png_to_func(append, &bytes, width, height, channels, data.data(), width * channels);
  if (format == "bmp") stbi_write_bmp_to_func(append, &bytes, width, height, channels, data.data());
  if (format.starts_with("tga")) stbi_write_tga_to_func(append, &bytes, width, height, channels, data.data());
  if (format == "jpg") stbi_write_jpg_to_func(append, &bytes, width, height, channels, data.data(), 100);
  return bytes;
}

std::string big32(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}

std::string chunk(const std::string& name, const std::string& content) {
  const std::string body = name + content;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big32(static_cast<std::uint32_t>(content.size())) + body + big32(static_cast<std::uint32_t>(sum));
}

std::string deflated(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

// A PNG with right checksums, even if its header does not fit `rows`.
std::string png(std::uint32_t w, std::uint32_t h, int depth, int colour, const std::string& rows) {
  const std::string header = big32(w) + big32(h) + std::string{char(depth), char(colour), 0, 0, 0};
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) + chunk("IDAT", deflated(rows)) + chunk("IEND", "");
}

void expect_pixels(const Table& table, int channels, float tolerance = 0) {
  ASSERT_EQ(table.rows, std::size_t(width * height));
  EXPECT_EQ(table.picture.width, std::size_t(width));
  EXPECT_EQ(table.picture.height, std::size_t(height));
  ASSERT_EQ(table.columns.size(), 5u);
  for (int i = 0; i < width * height; ++i) {
    EXPECT_EQ(table.columns[0].numbers[i], float(i % width));
    EXPECT_EQ(table.columns[1].numbers[i], float(i / width));
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(table.columns[2 + c].numbers[i], float(value(i, channels == 1 ? 0 : c)), tolerance) << i;
  }
}

TEST(Pictures, EveryFormatHasItsPixels) {
  for (const int channels : {1, 3, 4}) expect_pixels(read_bytes(encoded("png", channels), "a.png"), channels);
  expect_pixels(read_bytes(encoded("bmp"), "a.bmp"), 3);
  expect_pixels(read_bytes(encoded("tga"), "a.tga"), 3);
  expect_pixels(read_bytes(encoded("tga-rle"), "a.TGA"), 3);
  expect_pixels(read_bytes(encoded("jpg"), "a.jpg"), 3, 12);
  expect_pixels(read_bytes(gzip(encoded("png")), "a.png.gz"), 3);
  expect_pixels(read_bytes(gzip(encoded("tga")), "a.tga.gz"), 3);
  expect_pixels(read_bytes(encoded("png"), "no-ending"), 3);
  EXPECT_EQ(read_bytes(encoded("png"), "a.png").format, "PNG picture, 7 x 5 pixels");
}

TEST(Pictures, GrayDeepAndTransparentOnes) {
  const Table deep = read_bytes(png(2, 1, 16, 0, std::string("\0\x12\x34\xAB\xCD", 5)), "deep.png");
  EXPECT_EQ(deep.columns[2].numbers, (std::vector<float>{0x12, 0xAB}));
  EXPECT_EQ(deep.columns[4].numbers, (std::vector<float>{0x12, 0xAB}));
  const std::string half("\0\x00\x64\xC8\x80\x0A\x14\x1E\x00", 9);
  const Table clear = read_bytes(png(2, 1, 8, 6, half), "clear.png");  // one pixel is half transparent, one wholly
  EXPECT_EQ(clear.columns[2].numbers, (std::vector<float>{127, 255}));
  EXPECT_EQ(clear.columns[4].numbers, (std::vector<float>{227, 255}));
}

TEST(Pictures, DatasetHasSizeAndColours) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.png", encoded("png"));
  const auto data = load_dataset({path});
  EXPECT_EQ(data->value_names, (std::vector<std::string>{"x", "y", "r", "g", "b"}));
  EXPECT_EQ(data->picture.width, std::size_t(width));
  ASSERT_EQ(data->colours.size(), std::size_t(width * height));
  EXPECT_EQ(data->colours[9], (std::array<std::uint8_t, 4>{value(9, 0), value(9, 1), value(9, 2), 255}));
  DataRequest some{path};
  some.columns = {"r", "g"};
  EXPECT_EQ(load_dataset(some)->dimensions, 2u);
}

TEST(Pictures, WrittenOnesAreReadBackEqual) {
  const TemporaryFolder folder;
  write_png(folder.path("b.png"), width, height, pixels(3));
  expect_pixels(load_table(folder.path("b.png")), 3);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"b.png"});
  EXPECT_NE(input_message([&] { write_png(folder.path("none/b.png"), width, height, pixels(3)); }), "(no error)");
}

// Wherever a file is cut, the answer is one line, and never a picture that is partly made up.
TEST(Pictures, CutOffAnywhereIsAnError) {
  for (const std::string format : {"png", "bmp", "tga", "tga-rle", "jpg"}) {
    const std::string whole = encoded(format), name = "a." + format.substr(0, 3);
    for (std::size_t size = format == "jpg" ? 20 : 1; size < whole.size(); size += 1 + size / 40) {
      // What stb's writer appends to a TGA after its pixels may be missing.
      const std::string message = message_of_reading(whole.substr(0, size), name);
      EXPECT_NE(message, "(no error)") << format << " cut to " << size << " of " << whole.size();
    }
  }
}

TEST(Pictures, DamageIsSeen) {
  const std::string good = encoded("png");
  for (std::size_t at = 8; at < good.size() - 4; at += 3) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x41);
    EXPECT_NE(message_of_reading(bad, "a.png"), "(no error)") << at;
  }
  std::string wrong = encoded("png");
  wrong[45] = static_cast<char>(wrong[45] ^ 1);
  EXPECT_EQ(message_of_reading(wrong, "a.png"), "a.png: a damaged picture: a checksum is wrong");
}

TEST(Pictures, AbsurdSizesAreRefusedBeforeMemoryIsTaken) {
  EXPECT_EQ(message_of_reading(png(100'000, 100'000, 8, 2, "abc"), "a.png"),
            "a.png: a picture of 100000 x 100000 pixels; at most 2^28 (268 million) are supported");
  EXPECT_EQ(message_of_reading(png(0xFFFFFFFFu, 0xFFFFFFFFu, 8, 2, "abc"), "a.png"),
            "a.png: a picture of 4294967295 x 4294967295 pixels; at most 2^28 (268 million) are supported");
  EXPECT_EQ(message_of_reading(png(16'000, 16'000, 8, 2, "abc"), "a.png"),
            "a.png: a damaged picture: it states more pixels than its bytes can hold");
  EXPECT_EQ(message_of_reading(png(0, 5, 8, 2, "abc"), "a.png"), "a.png: a damaged picture: it states 0 x 5 pixels");
  std::string jpeg = encoded("jpg");
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\x3E\x80\x3E\x80");  // 16,000 × 16,000
  EXPECT_EQ(message_of_reading(jpeg, "a.jpg"),
            "a.jpg: a damaged picture: it states more pixels than its bytes can hold");
  std::string bmp = encoded("bmp");
  bmp.replace(18, 8, std::string("\x40\x1F\0\0\x40\x1F\0\0", 8));
  EXPECT_EQ(message_of_reading(bmp, "a.bmp"), "a.bmp: the picture is cut off");
  std::string tga = encoded("tga");
  tga.replace(12, 4, "\xFF\xFF\xFF\x0F");
  EXPECT_EQ(message_of_reading(tga, "a.tga"), "a.tga: the picture is cut off");
}

// A segment of a JPEG.
std::string segment(int marker, const std::string& content) {
  const std::size_t length = content.size() + 2;
  return std::string{'\xFF', char(marker), char(length >> 8), char(length & 255)} + content;
}

// The decoder does not check these codes, nor where it writes them in its memory.
TEST(Pictures, ImpossibleJpegTablesNeverReachTheDecoder) {
  const std::string good = encoded("jpg");
  const std::size_t codes = good.find("\xFF\xC4");
  ASSERT_NE(codes, std::string::npos);
  const auto with = [&](const std::string& more) { return good.substr(0, codes) + more + good.substr(codes); };
  const std::string says = "a.jpg: a damaged picture: a table of codes is impossible";
  const std::string many = std::string(1, '\0') + std::string(8, '\0') + std::string(8, '\xFF');
  EXPECT_EQ(message_of_reading(with(segment(0xC4, many + std::string(2040, '\x09'))), "a.jpg"), says);
  const std::string crowded = std::string(1, '\0') + "\x03" + std::string(15, '\0');
  EXPECT_EQ(message_of_reading(with(segment(0xC4, crowded + "abc")), "a.jpg"), says);
  EXPECT_EQ(message_of_reading(with(segment(0xC4, std::string(1, '\x04') + std::string(16, '\0'))), "a.jpg"), says);
  EXPECT_EQ(message_of_reading(with(segment(0xDB, std::string(1, '\x05') + std::string(64, '\1'))), "a.jpg"),
            "a.jpg: a damaged picture: a table of quantization is impossible");
  // After the first scan too.
  const std::string late = good.substr(0, good.size() - 2) + segment(0xC4, many + std::string(2040, '\x09'));
  EXPECT_EQ(message_of_reading(late + "\xFF\xD9", "a.jpg"), says);
  // Also a scan that uses tables that are not defined.
  std::string none = good;
  for (std::size_t at = 0; (at = none.find("\xFF\xC4", at)) != std::string::npos;) none[at + 1] = '\xFE';
  EXPECT_EQ(message_of_reading(none, "a.jpg"), "a.jpg: a damaged picture: a scan uses a table that is missing");
}

TEST(Pictures, WhatFollowsTheEndOfAJpegIsNotItsDamage) {
  expect_pixels(read_bytes(encoded("jpg") + std::string(10'000, 'x') + "\xFF\xC4\xFF", "a.jpg"), 3, 12);
  expect_pixels(read_bytes(encoded("jpg") + encoded("jpg"), "a.jpg"), 3, 12);
}

TEST(Pictures, AJpegOfThousandsOfScansIsRefused) {
  const std::string good = encoded("jpg");
  const std::size_t scan = good.find("\xFF\xDA");
  std::string many = good.substr(0, good.size() - 2);
  for (int i = 0; i < 600; ++i) many += good.substr(scan, good.size() - 2 - scan);
  EXPECT_EQ(message_of_reading(many + "\xFF\xD9", "a.jpg"),
            "a.jpg: a damaged picture: it has more scans than a picture needs");
}

TEST(Pictures, OtherFilesKeepTheirMessages) {
  EXPECT_NE(message_of_reading("GIF89a......", "a.gif").find("a GIF picture is not supported"), std::string::npos);
  EXPECT_NE(message_of_reading("\x89PNG and no more", "a.png"), "(no error)");
  for (const auto& [bytes, name] : {std::pair(std::string("a,b\n1,2\n"), "a.png"),
                                    {"no picture at all", "a.JPG"},
                                    {std::string("RIFF\0\0\0\0WEBP", 12), "a.webp"},
                                    {"II*", "a.tif"}})
    EXPECT_EQ(message_of_reading(bytes, name),
              std::string(name) + ": not a PNG, JPEG, BMP or TGA picture; other pictures are not supported");
  EXPECT_EQ(read_bytes("BMI,age\n21,30\n", "a.csv").columns.size(), 2u);
}

}  // namespace
}  // namespace kinescope::sim::picture_cases::picture_test
