// Files of every format with random damage, the same in every run: a reader returns a whole table or a one-line error.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

#include "kinescope/data/write.hpp"
#include "kinescope/random.hpp"
#include "sim/data/readers/pictures/picture.hpp"
#include "sim/landscape/plants/plant_files.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"
#include "tests/sim/data/readers/picture_files.hpp"
#include "tests/sim/data/sparse_cases.hpp"

namespace kinescope::sim::damage_cases::damage_test {
namespace {

class Damage {
 public:
  explicit Damage(std::uint32_t stream) : random_(20, stream) {}

  // Returns `bytes` damaged in one to four places: a bit flipped, a byte replaced by one with a meaning, a part cut out
  // or repeated, the end cut off, or four bytes set to extreme values.
  std::string operator()(std::string bytes) {
    for (std::uint32_t wounds = 1 + draw(4); wounds > 0 && !bytes.empty(); --wounds) {
      const std::size_t at = draw(static_cast<std::uint32_t>(bytes.size()));
      const std::size_t length = 1 + draw(static_cast<std::uint32_t>(bytes.size() - at));
      switch (draw(6)) {
        case 0:
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << draw(8));
          break;
        case 1:
          bytes[at] = "\0\xFF\"'\n\r,;\t#()[]{}9-.e"[draw(20)];
          break;
        case 2:
          bytes.erase(at, length);
          break;
        case 3:
          bytes.insert(at, bytes.substr(at, length));
          break;
        case 4:
          bytes.resize(at);
          break;
        default:
          for (std::size_t i = at; i < std::min(at + 4, bytes.size()); ++i) bytes[i] = "\0\x01\x7F\x80\xFF"[draw(5)];
      }
    }
    return bytes;
  }

 private:
  std::uint32_t draw(std::uint32_t count) { return uniform_below(random_.words(drawn_++)[0], count); }

  Random random_;
  std::uint64_t drawn_ = 0;
};

void expect_whole(const Table& table) {
  EXPECT_GT(table.rows, 0u);
  EXPECT_GT(table.columns.size() + (table.sparse ? 1 : 0), 0u);
  if (table.sparse) tests::expect_sound(*table.sparse, table.rows);
  for (const Column& column : table.columns) EXPECT_EQ(column.size(), table.rows);
  EXPECT_TRUE(table.row_lines.empty() || table.row_lines.size() == table.rows);
  std::size_t pixels = table.picture.width * table.picture.height;
  if (table.picture.opacity) pixels -= std::size_t(std::ranges::count(*table.picture.opacity, 0));
  EXPECT_TRUE(!table.picture || pixels == table.rows);
}

void expect_one_line(const Error& error) {
  EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
  EXPECT_LT(std::string_view(error.what()).size(), 400u) << error.what();
}

// Reads `good`, damaged in many ways; `finish` turns the damaged bytes into the file's.
void read_damaged(
    const std::string& name, const std::string& good, std::uint32_t stream,
    const std::function<std::string(std::string)>& finish = [](std::string bytes) { return bytes; }) {
  const TemporaryFolder folder;
  Damage damage(stream);
  int read = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string path = folder.write(name, finish(damage(good)));
    try {
      expect_whole(load_table({path}));
      ++read;
    } catch (const Error& error) {
      expect_one_line(error);
      ++refused;
    }
  }
  EXPECT_GT(refused, 20) << name;
  EXPECT_EQ(read + refused, 400) << name;
}

TEST(DamagedFiles, Tables) {
  const std::string table =
      "\xEF\xBB\xBF# made\r\nname,\"x, \"\"y\"\"\",z\r\n\"a,b\",1,-2.5e3\r\nc,NA,.25\r\n\"d\n\",3,?\r\n";
  read_damaged("a.csv", table, 1);
  read_damaged("a.csv.gz", table, 2, [](const std::string& bytes) { return gzip(bytes); });
  read_damaged("a.csv.gz", gzip(table), 3);
}

TEST(DamagedFiles, Arrays) {
  const TemporaryFolder folder;
  write_npy(folder.path("a.npy"), {3, 4}, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const std::string array = bytes_of(folder.path("a.npy"));
  read_damaged("a.npy", array, 4);
  read_damaged("a.npy", array.substr(0, 70), 5);  // mostly its header
}

TEST(DamagedFiles, Archives) {
  const TemporaryFolder folder;
  const std::vector<float> values = {0, 1, 2, 3, 4, 5};
  for (const bool deflated : {false, true})
    read_damaged(
        "a.npz",
        bytes_of(tests::write_zip(folder.path("a.npz"), {{"X.npy", tests::npy_bytes("(3, 2)", values)}}, deflated)),
        deflated ? 15 : 16);
}

TEST(DamagedFiles, SparseRows) {
  const std::string header = "%%MatrixMarket matrix coordinate ", entries = "3 3 3\n1 1 5\n3 1 2.5\n3 2 -4e2\n";
  read_damaged("a.svm", "# made\n+1 1:0.5 3:-2e2 # first\n-1 qid:3 2:1e-3 12:7\r\n1\n1,2 4:0.25\n", 12);
  read_damaged("a.mtx", header + "real symmetric\n% made\n" + entries, 13);
  read_damaged("a.mtx", header + "real general\n" + entries, 14);
}

// A PNG whose checksums are right, so that the damage reaches the decoder.
std::string with_checksums(std::string png) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const auto* bytes = reinterpret_cast<const Bytef*>(png.data() + at);
    const std::size_t length = bytes[0] << 24u | bytes[1] << 16u | bytes[2] << 8u | bytes[3];
    if (length > png.size() - at - 12) break;
    const auto sum = crc32(0, bytes + 4, static_cast<uInt>(length + 4));
    for (std::size_t i = 0; i < 4; ++i) png[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += length + 12;
  }
  return png;
}

TEST(DamagedFiles, Pictures) {
  const TemporaryFolder folder;
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 9 * 6 * 3; ++i) pixels.push_back(static_cast<std::uint8_t>(37 * i));
  write_png(folder.path("a.png"), 9, 6, pixels);
  const std::string png = bytes_of(folder.path("a.png"));
  read_damaged("a.png", png, 6);
  read_damaged("a.png", png, 7, with_checksums);
  std::string bits;
  for (int i = 0; i < 6 * 28; ++i) bits += static_cast<char>(11 * i);
  using namespace picture_files;
  read_damaged("a.bmp", bmp({9, 6, 24, 0, "", bits}), 8);
  read_damaged("a.bmp", bmp({9, -6, 4, 0, std::string(40, 'p'), bits.substr(0, 48)}), 15);
  const std::string masks = little(0xF800, 4) + little(0x7E0, 4) + little(0x1F, 4) + little(0, 4);
  read_damaged("a.bmp", bmp({9, 6, 16, 3, "", bits.substr(0, 120), masks, 56}), 16);
  const std::string turned = segment(0xE1, std::string("Exif\0\0", 6) + exif(6, true));
  read_damaged("a.jpg", flat_jpeg({90, 60, 30}, turned), 17);
  read_damaged("a.jpg", flat_jpeg({90, 60, 30, 200}), 18);
  const Png small{2,
                  2,
                  2,
                  3,
                  std::string("\0\x40\0\x80\0\x60", 6),
                  chunk("PLTE", "abcdefghi") + chunk("tRNS", "\x80") + chunk("eXIf", exif(5, false)),
                  true};
  read_damaged("a.png", picture_files::png(small), 19, with_checksums);
  const std::string size("\x09\0\x06\0", 4);
  read_damaged("a.tga", std::string("\0\0\x02\0\0\0\0\0\0\0\0\0", 12) + size + std::string("\x18\0", 2) + bits, 9);
  const std::string packets =
      "\x88"
      "abc"
      "\x83"
      "def"
      "\x04" +
      std::string(15, 'g') + std::string(9, '\x85') + bits;
  read_damaged("a.tga", std::string("\0\0\x0A\0\0\0\0\0\0\0\0\0", 12) + size + std::string("\x18\0", 2) + packets, 10);
}

TEST(DamagedFiles, Plants) {
  const std::string plant = landscape::built_in_plants().front().second;
  Damage damage(11);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    try {
      const landscape::PlantGrammar grammar = landscape::parse_plant(damage(plant), "plant.json");
      EXPECT_FALSE(grammar.axiom.empty());
    } catch (const Error& error) {
      expect_one_line(error);
      ++refused;
    }
  }
  EXPECT_GT(refused, 200);
  std::string huge = plant;
  huge.replace(huge.find("\"iterations\":"), 14, "\"iterations\": 1e999, \"other\": 1");
  EXPECT_THROW(landscape::parse_plant(huge, "plant.json"), Error);
}

}  // namespace
}  // namespace kinescope::sim::damage_cases::damage_test
