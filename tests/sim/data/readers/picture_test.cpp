// Reading pictures: good ones of every format, and files that are damaged, cut off or lie.
#include "sim/data/readers/pictures/picture.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/picture_files.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace kinescope::sim::picture_cases::picture_test {
namespace {

using namespace picture_files;

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

// Of 8-bit r, g, b.
std::string stating(std::uint32_t w, std::uint32_t h) {
  return png({w, h, 8, 2, "abc"});
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
  expect_pixels(load_table({folder.path("b.png")}), 3);
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
  std::string wrong = good;
  wrong[good.size() - 13] ^= 1;  // the last byte of the checksum of the pixels
  EXPECT_EQ(message_of_reading(wrong, "a.png"), "a.png: a damaged picture: a checksum is wrong");
}

TEST(Pictures, AbsurdSizesAreRefusedBeforeMemoryIsTaken) {
  EXPECT_EQ(message_of_reading(stating(100'000, 100'000), "a.png"),
            "a.png: a picture of 100000 x 100000 pixels; at most 2^28 (268 million) are supported");
  EXPECT_EQ(message_of_reading(stating(0xFFFFFFFFu, 0xFFFFFFFFu), "a.png"),
            "a.png: a picture of 4294967295 x 4294967295 pixels; at most 2^28 (268 million) are supported");
  EXPECT_EQ(message_of_reading(stating(16'000, 16'000), "a.png"),
            "a.png: a damaged picture: it states more pixels than its bytes can hold");
  EXPECT_EQ(message_of_reading(stating(0, 5), "a.png"), "a.png: a damaged picture: it states 0 x 5 pixels");
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

TEST(Pictures, ImpossibleJpegTablesAreDamage) {
  const std::string good = encoded("jpg");
  const std::size_t codes = good.find("\xFF\xC4");
  ASSERT_NE(codes, std::string::npos);
  const auto with = [&](const std::string& more) { return good.substr(0, codes) + more + good.substr(codes); };
  const auto message = [](const std::string& bytes) { return message_of_reading(bytes, "a.jpg"); };
  const std::string damaged = "a.jpg: a damaged picture: ";
  const std::string many = std::string(1, '\0') + std::string(8, '\0') + std::string(8, '\xFF');
  EXPECT_EQ(message(with(segment(0xC4, many + std::string(2040, '\x09')))), damaged + "Bogus Huffman table definition");
  EXPECT_EQ(message(with(segment(0xC4, std::string(1, '\x04') + std::string(16, '\0')))),
            damaged + "Bogus DHT index 4");
  EXPECT_EQ(message(with(segment(0xDB, std::string(1, '\x05') + std::string(64, '\1')))),
            damaged + "Bogus DQT index 5");
  // After the first scan too.
  const std::string late = good.substr(0, good.size() - 2) + segment(0xC4, many + std::string(2040, '\x09'));
  EXPECT_EQ(message(late + "\xFF\xD9"), damaged + "Bogus Huffman table definition");
  // A table of more codes than its lengths allow, and one of quantization that is missing.
  std::string crowded = flat_jpeg({100});
  crowded[crowded.find("\xFF\xC4") + 5] = '\x03';
  EXPECT_TRUE(message(crowded).starts_with(damaged)) << message(crowded);
  std::string none = flat_jpeg({100});
  none[none.find("\xFF\xDB") + 1] = '\xFE';
  EXPECT_EQ(message(none), damaged + "Quantization table 0x00 was not defined");
  // Without tables of codes a JPEG has the usual ones (those of films do).
  std::string usual = good;
  for (std::size_t at = 0; (at = usual.find("\xFF\xC4", at)) != std::string::npos;) usual[at + 1] = '\xFE';
  expect_pixels(read_bytes(usual, "a.jpg"), 3, 12);
}

TEST(Pictures, WhatFollowsTheEndOfAJpegIsNotItsDamage) {
  expect_pixels(read_bytes(encoded("jpg") + std::string(10'000, 'x') + "\xFF\xC4\xFF", "a.jpg"), 3, 12);
  expect_pixels(read_bytes(encoded("jpg") + encoded("jpg"), "a.jpg"), 3, 12);
}

// Of all coefficients bit by bit, each in a scan of its own: all are allowed, and too many.
TEST(Pictures, AJpegOfHundredsOfScansIsRefused) {
  const auto scans = [](int last) {
    std::string jpeg = "\xFF\xD8" + jpeg_tables() + jpeg_frame(0xC2, 1) + jpeg_scan(1, 0, 0, 0) + "\x0F";
    for (int k = 1; k <= last; ++k)
      for (int bit = 13; bit >= 0; --bit)
        jpeg += jpeg_scan(1, k, k, bit == 13 ? bit : (bit + 1) << 4 | bit) + "\x7F";  // nothing in them
    return jpeg + "\xFF\xD9";
  };
  EXPECT_EQ(read_bytes(scans(35), "a.jpg").columns[2].numbers, std::vector<float>(64, 128));  // 491 scans
  EXPECT_EQ(message_of_reading(scans(36), "a.jpg"), "a.jpg: a damaged picture: it has more scans than a picture needs");
}

// The library then smooths what it has, without a warning.
TEST(Pictures, MissingScansOfAProgressiveJpegAreTold) {
  const std::string coarse = "\xFF\xD8" + jpeg_tables() + jpeg_frame(0xC2, 1) + jpeg_scan(1, 0, 0, 0) + "\x0F";
  const Table whole = read_bytes(coarse + jpeg_scan(1, 1, 63, 0) + "\x7F\xFF\xD9", "a.jpg");
  EXPECT_TRUE(whole.remarks.empty());
  const Table blurred = read_bytes(coarse + "\xFF\xD9", "a.jpg");
  ASSERT_EQ(blurred.remarks.size(), 1u);
  EXPECT_TRUE(blurred.remarks[0].starts_with("scans with its details are missing")) << blurred.remarks[0];
}

TEST(Pictures, OtherFilesKeepTheirMessages) {
  EXPECT_NE(message_of_reading("GIF89a......", "a.gif").find("a GIF picture is not read"), std::string::npos);
  EXPECT_EQ(message_of_reading(std::string("RIFF\0\0\0\0WEBP", 12), "a.webp"),
            "a.webp: a WebP picture is not read: save it as PNG");
  EXPECT_NE(message_of_reading("\x89PNG and no more", "a.png"), "(no error)");
  for (const auto& [bytes, name] :
       {std::pair(std::string("a,b\n1,2\n"), "a.png"), {"no picture at all", "a.JPG"}, {"II*", "a.tif"}})
    EXPECT_EQ(message_of_reading(bytes, name),
              std::string(name) + ": not a PNG, JPEG, BMP or TGA picture; other pictures are not supported");
  EXPECT_EQ(read_bytes("BMI,age\n21,30\n", "a.csv").columns.size(), 2u);
}

}  // namespace
}  // namespace kinescope::sim::picture_cases::picture_test
