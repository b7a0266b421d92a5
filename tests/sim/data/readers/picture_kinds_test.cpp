// Kinds of pictures: bits, palettes, interlacing, opacity, orientation, inks, and those that are refused.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/readers/pictures/picture.hpp"
#include "sim/data/readers/pictures/picture_file.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/picture_files.hpp"

namespace kinescope::sim::picture_cases::picture_kinds_test {
namespace {

using namespace picture_files;
using Floats = std::vector<float>;
using Opacity = std::vector<std::uint16_t>;

// A string of these bytes.
std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

Floats column(const Table& table, std::size_t c) {
  Floats all;
  for (std::size_t i = 0; i < table.rows; ++i) all.push_back(float(table.columns[c].numbers[i]));
  return all;
}

Floats red(const Table& table) {
  return column(table, 2);
}

void expect_grey(const Table& table, const Floats& grey) {
  for (std::size_t c = 2; c < 5; ++c) EXPECT_EQ(column(table, c), grey) << c;
}

std::string remark(const Table& table) {
  return table.remarks.empty() ? "" : table.remarks.front();
}

TEST(PictureKinds, SixteenBitsAreKept) {
  const Table grey = read_bytes(png({2, 1, 16, 0, bytes({0, 0x12, 0x34, 0xAB, 0xCD})}), "a.png");
  expect_grey(grey, {0x1234 / 257.0f, 0xABCD / 257.0f});
  EXPECT_EQ(grey.picture.bits, 16);
  EXPECT_EQ(grey.picture.opacity, nullptr);
  EXPECT_EQ(grey.format, "PNG picture, 2 x 1 pixels of 16 bits");
  const Table rgba = read_bytes(png({1, 1, 16, 6, bytes({0, 0, 1, 0, 2, 255, 255, 0, 1})}), "a.png");
  EXPECT_EQ(red(rgba), Floats{1 / 257.0f});
  EXPECT_EQ(column(rgba, 3), Floats{2 / 257.0f});
  EXPECT_EQ(column(rgba, 4), Floats{255});
  EXPECT_EQ(*rgba.picture.opacity, Opacity{1});  // nearly, but not fully, transparent
}

TEST(PictureKinds, SmallDepthsOfPng) {
  expect_grey(read_bytes(png({9, 1, 1, 0, bytes({0, 0xA5, 0x80})}), "a.png"), {255, 0, 255, 0, 0, 255, 0, 255, 255});
  expect_grey(read_bytes(png({4, 1, 2, 0, bytes({0, 0x1B})}), "a.png"), {0, 85, 170, 255});
  expect_grey(read_bytes(png({2, 1, 4, 0, bytes({0, 0x1E})}), "a.png"), {17, 238});
}

TEST(PictureKinds, FullyTransparentPixelsHaveNoRow) {
  const Table grey = read_bytes(png({3, 1, 8, 4, bytes({0, 10, 255, 20, 0, 30, 128})}), "a.png");
  expect_grey(grey, {10, 30});  // as in the file, whatever the opacity
  EXPECT_EQ(column(grey, 0), (Floats{0, 2}));
  EXPECT_EQ(*grey.picture.opacity, (Opacity{65535, 0, 128 * 257}));
  EXPECT_EQ(remark(grey), "1 fully transparent pixel left out");
  const std::string palette = chunk("PLTE", bytes({1, 2, 3, 40, 50, 60, 7, 8, 9}));
  const Table few = read_bytes(png({4, 1, 2, 3, bytes({0, 0x18}), palette + chunk("tRNS", bytes({0, 64}))}), "a.png");
  EXPECT_EQ(red(few), (Floats{40, 7}));
  EXPECT_EQ(*few.picture.opacity, (Opacity{0, 64 * 257, 65535, 0}));
  const Table named = read_bytes(png({2, 1, 8, 0, bytes({0, 77, 78}), chunk("tRNS", bytes({0, 77}))}), "a.png");
  expect_grey(named, {78});
  const Table opaque = read_bytes(png({2, 1, 8, 4, bytes({0, 10, 255, 20, 255})}), "a.png");
  EXPECT_EQ(opaque.picture.opacity, nullptr);
  EXPECT_EQ(message_of_reading(png({2, 1, 8, 4, bytes({0, 10, 0, 20, 0})}), "a.png"),
            "a.png: all pixels of the picture are fully transparent");
}

TEST(PictureKinds, InterlacedPng) {
  const std::string passes = bytes({0, 10, 0, 20, 0, 30, 40});  // of 2 × 2 pixels: the first, the second, a row
  expect_grey(read_bytes(png({2, 2, 8, 0, passes, "", true}), "a.png"), {10, 20, 30, 40});
  expect_grey(read_bytes(png({1, 1, 8, 0, bytes({0, 10}), "", true}), "a.png"), {10});
}

TEST(PictureKinds, MissingColoursOfAPngAreBlack) {
  expect_grey(read_bytes(png({2, 1, 8, 3, bytes({0, 0, 5}), chunk("PLTE", "aaabbb")}), "a.png"), {'a', 0});
  EXPECT_TRUE(message_of_reading(png({2, 1, 8, 3, bytes({0, 0, 1})}), "a.png").starts_with("a.png: a damaged picture"));
}

TEST(PictureKinds, MissingColoursOfABmpAreBlack) {
  for (const int entry : {3, 4}) {
    const int header = entry == 3 ? 12 : 40;
    const std::string one = std::string("\x0A\x14\x1E\x00", std::size_t(entry));  // b, g, r
    const auto read = [&](int width, int bits, const std::string& row) {
      return read_bytes(bmp({width, 1, bits, 0, one, row, "", header}), "a.bmp");
    };
    EXPECT_EQ(red(read(4, 8, bytes({0, 1, 255, 0}))), (Floats{30, 0, 0, 30}));
    EXPECT_EQ(red(read(4, 4, bytes({0x0F, 0x10, 0, 0}))), (Floats{30, 0, 0, 30}));
    EXPECT_EQ(red(read(4, 2, bytes({0x1C, 0, 0, 0}))), (Floats{30, 0, 0, 30}));
    EXPECT_EQ(red(read(4, 1, bytes({0x60, 0, 0, 0}))), (Floats{30, 0, 0, 30}));
    EXPECT_EQ(column(read(1, 8, std::string(4, '\0')), 4), Floats{10});
  }
}

TEST(PictureKinds, BytesBehindTheRowsOfABmpAreTold) {
  const std::string row = bytes({1, 2, 3, 0});
  EXPECT_EQ(remark(read_bytes(bmp({1, 1, 24, 0, "", row + "abcd"}), "a.bmp")),
            "4 bytes follow the pixels: the file may be damaged, and the picture wrong");
  EXPECT_EQ(remark(read_bytes(bmp({1, 1, 24, 0, "", row + std::string(2, '\0')}), "a.bmp")), "");
  EXPECT_EQ(remark(read_bytes(bmp({1, 1, 24, 0, "", row + "a profile", "", 124}), "a.bmp")), "");
}

TEST(PictureKinds, MasksOfBmp) {
  const std::string r5g6b5 = little(0xF800, 4) + little(0x07E0, 4) + little(0x001F, 4);
  const std::string pixels = little(0xF800, 2) + little(0x07E0, 2) + little(16, 2) + bytes({0, 0});
  for (const int header : {40, 52, 56, 108, 124}) {
    const Table table = read_bytes(bmp({3, 1, 16, 3, "", pixels, r5g6b5, header}), "a.bmp");
    EXPECT_EQ(red(table), (Floats{255, 0, 0})) << header;
    EXPECT_EQ(column(table, 3), (Floats{0, 255, 0})) << header;
    EXPECT_EQ(column(table, 4), (Floats{0, 0, 132})) << header;
  }
  EXPECT_EQ(red(read_bytes(bmp({2, 1, 16, 0, "", little(0x7C00, 2) + little(0x4000, 2)}), "a.bmp")),
            (Floats{255, 132}));
  const std::string bgra = bytes({1, 2, 3, 0, 4, 5, 6, 7});
  EXPECT_EQ(red(read_bytes(bmp({2, 1, 32, 0, "", bgra}), "a.bmp")), (Floats{3, 6})) << "the fourth byte is unused";
  const std::string masks = little(0xFF0000, 4) + little(0xFF00, 4) + little(0xFF, 4) + little(0xFF000000, 4);
  const Table clear = read_bytes(bmp({2, 1, 32, 3, "", bgra, masks, 56}), "a.bmp");
  EXPECT_EQ(red(clear), Floats{6});
  EXPECT_EQ(*clear.picture.opacity, (Opacity{0, 7 * 257}));
  const std::string unset = bytes({1, 2, 3, 0, 4, 5, 6, 0});
  EXPECT_EQ(red(read_bytes(bmp({2, 1, 32, 3, "", unset, masks, 56}), "a.bmp")), (Floats{3, 6}));
  EXPECT_EQ(message_of_reading(bmp({2, 1, 32, 3, "", bgra, std::string(16, '\0'), 56}), "a.bmp"),
            "a.bmp: a damaged picture: its masks are impossible");
}

TEST(PictureKinds, RowsOfABmpFromBelowAndFromAbove) {
  const std::string palette = bytes({0, 0, 1, 0, 0, 0, 2, 0}), rows = bytes({0, 0, 0, 0, 1, 0, 0, 0});
  EXPECT_EQ(red(read_bytes(bmp({1, 2, 8, 0, palette, rows}), "a.bmp")), (Floats{2, 1}));
  EXPECT_EQ(red(read_bytes(bmp({1, -2, 8, 0, palette, rows}), "a.bmp")), (Floats{1, 2}));
  std::string without = bmp({1, 2, 8, 0, palette, rows});
  without[10] = 54, without[46] = 2;  // it begins where the pixels would without the palette
  EXPECT_EQ(red(read_bytes(without, "a.bmp")), (Floats{2, 1}));
}

std::string tga(int map_type, int type, int width, int height, int bits, int descriptor, const std::string& rest,
                int colours = 0, int colour_bits = 0) {
  return bytes({0, map_type, type}) + little(0, 2) + little(std::uint64_t(colours), 2) + bytes({colour_bits}) +
         little(0, 4) + little(std::uint64_t(width), 2) + little(std::uint64_t(height), 2) + bytes({bits, descriptor}) +
         rest;
}

TEST(PictureKinds, Tga) {
  expect_grey(read_bytes(tga(0, 3, 2, 2, 8, 0, bytes({1, 2, 3, 4})), "a.tga"), {3, 4, 1, 2});
  expect_grey(read_bytes(tga(0, 3, 2, 2, 8, 0x30, bytes({1, 2, 3, 4})), "a.tga"), {2, 1, 4, 3});  // from the right
  const Table few = read_bytes(tga(1, 1, 3, 1, 8, 0, bytes({1, 2, 3, 4, 5, 6, 1, 0, 1}), 2, 24), "a.tga");
  EXPECT_EQ(red(few), (Floats{6, 3, 6}));
  for (const int descriptor : {0, 8}) {  // where the opacity is not announced too
    const Table clear = read_bytes(tga(0, 2, 2, 1, 32, descriptor, bytes({1, 2, 3, 0, 4, 5, 6, 7})), "a.tga");
    EXPECT_EQ(red(clear), Floats{6});
    EXPECT_EQ(*clear.picture.opacity, (Opacity{0, 7 * 257}));
  }
  EXPECT_EQ(red(read_bytes(tga(0, 2, 2, 1, 32, 0, bytes({1, 2, 3, 0, 4, 5, 6, 0})), "a.tga")), (Floats{3, 6}));
}

// What pixel x, y of the stored 3 × 2 pixels 0 … 5 is, in the order in which they are shown.
const std::array<Floats, 9> turned = {{{},
                                       {0, 1, 2, 3, 4, 5},
                                       {2, 1, 0, 5, 4, 3},
                                       {5, 4, 3, 2, 1, 0},
                                       {3, 4, 5, 0, 1, 2},
                                       {0, 3, 1, 4, 2, 5},
                                       {3, 0, 4, 1, 5, 2},
                                       {5, 2, 4, 1, 3, 0},
                                       {2, 5, 1, 4, 0, 3}}};

TEST(PictureKinds, ExifTurnsPng) {
  for (int orientation = 1; orientation <= 8; ++orientation)
    for (const bool big_endian : {false, true}) {
      const std::string rows = bytes({0, 0, 255, 1, 255, 2, 0, 0, 3, 255, 4, 255, 5, 255});
      const Table table = read_bytes(png({3, 2, 8, 4, rows, chunk("eXIf", exif(orientation, big_endian))}), "a.png");
      Floats expected;
      Opacity opacity;
      for (const float value : turned[std::size_t(orientation)]) {
        opacity.push_back(value == 2 ? 0 : 65535);
        if (value != 2) expected.push_back(value);
      }
      EXPECT_EQ(red(table), expected) << orientation;
      EXPECT_EQ(*table.picture.opacity, opacity) << orientation;
      EXPECT_EQ(table.picture.width, orientation < 5 ? 3u : 2u);
      EXPECT_EQ(table.remarks.size(), orientation == 1 ? 1u : 2u);
    }
}

std::string app1(const std::string& content) {
  return segment(0xE1, std::string("Exif\0\0", 6) + content);
}

TEST(PictureKinds, ExifTurnsJpeg) {
  // 8 × 8 pixels all alike: only the remark shows the turn; the pixels go the way of those of a PNG.
  EXPECT_EQ(remark(read_bytes(flat_jpeg({100}, app1(exif(6, true))), "a.jpg")),
            "turned as its EXIF orientation, 6, says");
  for (const std::string& none : {exif(1, true), exif(0, true), exif(9, false), std::string("MM\0*", 4),
                                  exif(6, true).substr(0, 16), std::string("MM\0*\xFF\xFF\xFF\xFF", 8)})
    EXPECT_EQ(remark(read_bytes(flat_jpeg({100}, app1(none)), "a.jpg")), "");
}

TEST(PictureKinds, InksOfJpeg) {
  EXPECT_EQ(red(read_bytes(flat_jpeg({100}), "a.jpg")), Floats(64, 100));
  const std::string adobe = segment(0xEE, "Adobe" + bytes({0, 100, 0, 0, 0, 0, 0}));
  const Table inverted = read_bytes(flat_jpeg({200, 100, 0, 255}, adobe), "a.jpg");  // 255 − ink
  EXPECT_EQ(red(inverted), Floats(64, 200));
  EXPECT_EQ(column(inverted, 3), Floats(64, 100));
  EXPECT_EQ(column(inverted, 4), Floats(64, 0));
  EXPECT_EQ(remark(inverted), "its four inks were turned into r, g, b without a colour profile");
  EXPECT_EQ(red(read_bytes(flat_jpeg({200, 100, 0, 51}), "a.jpg")), Floats(64, 44));  // 55 · 204 / 255
}

TEST(PictureKinds, WhatIsNotReadIsNamed) {
  const auto message = [](const std::string& jpeg) { return message_of_reading(jpeg, "a.jpg"); };
  EXPECT_EQ(message(flat_jpeg({100, 100})), "a.jpg: JPEG pictures of 2 colours are not supported");
  EXPECT_EQ(message(flat_jpeg({100}, "", 0xC1, 12)), "a.jpg: JPEG pictures of other than 8 bits are not supported");
  EXPECT_EQ(message(flat_jpeg({100}, "", 0xC3)), "a.jpg: lossless and hierarchical JPEG pictures are not supported");
  const auto packed = [](int packing, int header = 40) {
    return message_of_reading(bmp({2, 1, 8, packing, "abcd", "abcd", "", header}), "a.bmp");
  };
  EXPECT_EQ(packed(1), "a.bmp: BMP pictures with run-length encoding are not supported");
  EXPECT_EQ(packed(5), "a.bmp: BMP pictures that hold a JPEG or PNG picture are not supported");
  EXPECT_EQ(packed(3, 64), "a.bmp: BMP pictures with Huffman codes are not supported");
}

// A picture whose rows hold fewer pixels than it states never shows what was in memory.
TEST(PictureKinds, RowsThatAreMissingAreAnError) {
  EXPECT_EQ(message_of_reading(png({2, 3, 8, 0, bytes({0, 1, 2, 0, 3, 4})}), "a.png"), "a.png: the picture is cut off");
  const std::string whole = flat_jpeg({90, 60, 30});
  for (std::size_t size = whole.size() - 1; size > whole.size() - 8; --size)
    EXPECT_EQ(message_of_reading(whole.substr(0, size), "a.jpg"), "a.jpg: the picture is cut off") << size;
}

TEST(PictureKinds, DecodingEndsWhenCancelled) {
  LoadProgress progress;
  progress.cancelled = true;
  const std::string of_png = png({2, 1, 8, 0, bytes({0, 1, 2})}), of_jpeg = flat_jpeg({100}),
                    of_bmp = bmp({1, 1, 8, 0, "abcd", "abcd"}), name = "a";
  EXPECT_THROW(decode_png({name, of_png, &progress}), Cancelled);
  EXPECT_THROW(decode_jpeg({name, of_jpeg, &progress}), Cancelled);
  EXPECT_THROW(decode_bmp({name, of_bmp, &progress}), Cancelled);
  progress.cancelled = false;
  EXPECT_EQ(decode_jpeg({name, of_jpeg, &progress}).samples, std::vector<std::uint8_t>(192, 100));
}

TEST(PictureKinds, WrittenAndReadBackWithOpacityAndSixteenBits) {
  const TemporaryFolder folder;
  const std::vector<std::uint16_t> deep = {1, 2, 3, 65535, 400, 500, 600, 7, 0, 0, 0, 0};
  write_png(folder.path("a.png"), 3, 1, deep);
  const Table table = load_table({folder.path("a.png")});
  EXPECT_EQ(red(table), (Floats{1 / 257.0f, 400 / 257.0f}));
  EXPECT_EQ(*table.picture.opacity, (Opacity{65535, 7, 0}));
  const std::vector<std::uint8_t> rgb = {1, 2, 3, 4, 5, 6};
  write_png(folder.path("b.png"), 2, 1, rgb);
  EXPECT_EQ(red(load_table({folder.path("b.png")})), (Floats{1, 4}));
}

}  // namespace
}  // namespace kinescope::sim::picture_cases::picture_kinds_test
