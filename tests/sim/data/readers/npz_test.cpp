
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"

namespace kinescope::sim::npz_cases::npz_test {
namespace {

using tests::npy_bytes;
using tests::write_zip;
using Members = std::vector<std::pair<std::string, std::string>>;
using Numbers = std::vector<float>;

const std::string images = npy_bytes("(2, 3)", {1, 2, 3, 4, 5, 6}), more = npy_bytes("(1, 2)", {7, 8}),
                  labels = npy_bytes("(2,)", {0, 1});

std::string refusal(const std::string& source, const std::string& folder) {
  const std::string message = input_message([&] { load_table({source}); });
  return message.starts_with(folder) ? message.substr(folder.size()) : message;
}

TEST(Npz, ReadsTheOnlyArrayOfTwoDimensions) {
  const TemporaryFolder folder;
  for (const bool deflated : {false, true})
    for (const bool wide : {false, true}) {
      const std::string path = write_zip(
          folder.path("a.npz"), Members{{"y.npy", labels}, {"X.npy", images}, {"read.me", "x"}}, deflated, wide);
      const Table table = load_table({path});
      EXPECT_EQ(table.format, "NumPy archive, array 'X'");
      EXPECT_EQ(table.rows, 2u);
      EXPECT_EQ(table.columns[2].numbers, (Numbers{3, 6}));
      EXPECT_EQ(table.remarks, std::vector<std::string>{"the archive also holds 'y' (2)"});
    }
  EXPECT_EQ(load_table({write_zip(folder.path("b.npz"), {{"y.npy", labels}})}).columns[0].numbers, (Numbers{0, 1}));
  // An archive is recognized by its content, whatever its name.
  EXPECT_EQ(load_table({write_zip(folder.path("arrays"), {{"X.npy", images}})}).rows, 2u);
}

TEST(Npz, OfSeveralArraysOneIsNamed) {
  const TemporaryFolder folder;
  const std::string path = write_zip(folder.path("a.npz"), {{"X.npy", images}, {"Z.npy", more}, {"y.npy", labels}});
  EXPECT_EQ(refusal(path, folder.path("")),
            "a.npz: which array? It holds 'X' (2 × 3), 'Z' (1 × 2), 'y' (2); choose one with a.npz:X");
  EXPECT_EQ(load_table({path + ":Z"}).columns[1].numbers, Numbers{8});
  EXPECT_EQ(load_table({path + ":y.npy"}).columns[0].numbers, (Numbers{0, 1}));
  EXPECT_EQ(refusal(path + ":W", folder.path("")), "a.npz: no array 'W'; it holds 'X' (2 × 3), 'Z' (1 × 2), 'y' (2)");
  EXPECT_EQ(refusal(folder.path("none.npz:X"), folder.path("")), "none.npz: no such file");
  EXPECT_EQ(refusal(folder.write("c.npz", "1,2\n") + ":X", folder.path("")),
            "c.npz: not a ZIP archive, or cut off: its directory is missing");
}

TEST(Npz, WhatIsAdvisedOfOneInAnArchiveIsRead) {
  const TemporaryFolder folder;
  const std::string inner = bytes_of(write_zip(folder.path("in.npz"), {{"X.npy", images}, {"Z.npy", more}}));
  const std::string path = write_zip(folder.path("outer.zip"), {{"folder/in.npz", inner}});
  EXPECT_NE(refusal(path, folder.path("")).find("choose one with outer.zip:folder/in.npz:X"), std::string::npos)
      << refusal(path, folder.path(""));
  EXPECT_EQ(load_table({path + ":folder/in.npz:X.npy"}).rows, load_table({folder.path("in.npz") + ":X.npy"}).rows);
}

TEST(Npz, DamageIsOneLine) {
  const TemporaryFolder folder;
  const std::string whole = bytes_of(write_zip(folder.path("a.npz"), {{"X.npy", images}}));
  constexpr std::size_t end_of_directory = 22;
  for (std::size_t length = 4; length < whole.size() - end_of_directory; length += 7) {
    const std::string message = refusal(folder.write("a.npz", whole.substr(0, length)), folder.path(""));
    EXPECT_TRUE(message == "a.npz: not a ZIP archive, or cut off: its directory is missing" ||
                message == "a.npz: the archive is damaged")
        << length << message;
  }
  std::string flipped = whole;
  flipped[flipped.find(images) + images.size() - 1] ^= 1;  // a value
  EXPECT_EQ(refusal(folder.write("a.npz", flipped), folder.path("")), "a.npz:X: the archive is damaged");
  EXPECT_EQ(refusal(write_zip(folder.path("a.npz"), {{"X.npy", images.substr(0, images.size() - 1)}}), folder.path("")),
            "a.npz:X: cut off: 2 × 3 values need 24 bytes, but the whole file has 93");
  EXPECT_EQ(refusal(write_zip(folder.path("a.npz"), {{"read.me", "x"}}), folder.path("")),
            "a.npz: holds no NumPy array");
  EXPECT_EQ(refusal(write_zip(folder.path("a.npz"), {{"X.npy", "junk"}}), folder.path("")),
            "a.npz:X: the file ends within its header");
  // A spreadsheet is a ZIP archive, too.
  EXPECT_NE(refusal(write_zip(folder.path("a.xlsx"), {{"sheet.xml", "<x/>"}}), folder.path(""))
                .find("an Excel workbook is not read"),
            std::string::npos);
}

}  // namespace
}  // namespace kinescope::sim::npz_cases::npz_test
