// Pictures on the command line: shown by `data`, segmented by `run mean-shift`, and its centroids.
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::pictures_test {
namespace {

// An uncompressed TGA of 12 × 8 pixels: the left half (10, 60, 200), the right one (220, 180, 30).
std::string two_halves() {
  std::string bytes(18, '\0');
  bytes[2] = 2, bytes[12] = 12, bytes[14] = 8, bytes[16] = 24, bytes[17] = 0x20;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 12; ++x) bytes += x < 6 ? std::string("\xC8\x3C\x0A", 3) : std::string("\x1E\xB4\xDC", 3);
  return bytes;
}

TEST(CommandLinePictures, DataTellsOfThem) {
  const Folder folder;
  folder.write("halves.tga", two_halves());
  const Outcome outcome = run_program({"data", "halves.tga"}, {.folder = folder.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("TGA picture, 12 x 8 pixels"), std::string::npos);
  EXPECT_NE(outcome.out.find("0  0  10  60  200"), std::string::npos) << outcome.out;
}

TEST(CommandLinePictures, SegmentedAndCentroids) {
  const Folder folder;
  folder.write("halves.tga", two_halves());
  for (const std::string features : {"rgb", "xyrgb"}) {
    const Outcome outcome =
        run_program({"run", "mean-shift", "--backend", "cpu", "--data", "halves.tga", "--set", "bandwidth=12", "--set",
                     "features=" + features, "--out", "out.png", "--centroids", "modes.csv"},
                    {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    const std::vector<std::string> modes = lines_of(read_file(folder.path() / "modes.csv"));
    ASSERT_EQ(modes.size(), 3u);
    EXPECT_EQ(modes[0], features == "rgb" ? "cluster,size,density,r,g,b" : "cluster,size,density,x,y,r,g,b");
    EXPECT_TRUE(modes[1].starts_with("0,48,"));
    const Outcome shown = run_program({"data", "out.png"}, {.folder = folder.path()});
    EXPECT_NE(shown.out.find("PNG picture, 12 x 8 pixels"), std::string::npos) << shown.errors;
    EXPECT_NE(shown.out.find("0  0  10  60  200"), std::string::npos) << shown.out;
  }
}

// A column of the left half is fully transparent, one half so.
TEST(CommandLinePictures, TransparentPixelsTakeNoPart) {
  const Folder folder;
  std::string bytes(18, '\0');
  bytes[2] = 2, bytes[12] = 12, bytes[14] = 8, bytes[16] = 32, bytes[17] = 0x28;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 12; ++x)
      bytes += (x < 6 ? std::string("\xC8\x3C\x0A", 3) : std::string("\x1E\xB4\xDC", 3)) + char(x == 2   ? 0
                                                                                                : x == 3 ? 128
                                                                                                         : 255);
  folder.write("clear.tga", bytes);
  const Outcome run = run_program({"run", "mean-shift", "--backend", "cpu", "--data", "clear.tga", "--set",
                                   "bandwidth=12", "--out", "out.png", "--centroids", "modes.csv"},
                                  {.folder = folder.path()});
  EXPECT_EQ(run.status, 0) << run.errors;
  const std::vector<std::string> modes = lines_of(read_file(folder.path() / "modes.csv"));
  ASSERT_EQ(modes.size(), 3u);
  EXPECT_TRUE(modes[1].starts_with("0,48,"));
  EXPECT_TRUE(modes[2].starts_with("1,40,"));
  for (const std::string file : {"clear.tga", "out.png"}) {
    const Outcome shown = run_program({"data", file}, {.folder = folder.path()});
    EXPECT_NE(shown.out.find("8 fully transparent pixels left out"), std::string::npos) << shown.out;
  }
}

TEST(CommandLinePictures, OneClearLineForWhatCannotBe) {
  const Folder folder;
  folder.write("halves.tga", two_halves());
  folder.write("cut.tga", two_halves().substr(0, 100));
  folder.write("table.csv", "a,b\n1,2\n3,4\n");
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "mean-shift", "--backend", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {.folder = folder.path()});
  };
  const Outcome cut = run({"--data", "cut.tga"}), negative = run({"--data", "halves.tga", "--set", "bandwidth=-1"}),
                table = run({"--data", "table.csv", "--out", "out.png"}),
                wide = run({"--data", "synthetic:gaussians,n=100,k=17,clusters=3"});
  for (const Outcome* outcome : {&cut, &negative, &table, &wide}) EXPECT_EQ(flaw_of_error(*outcome, 2), "");
  EXPECT_EQ(cut.errors, "kinescope: error: cut.tga: the picture is cut off\n");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"cut.tga", "halves.tga", "table.csv"}));
}

}  // namespace
}  // namespace kinescope::tests::command_line::pictures_test
