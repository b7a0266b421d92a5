// Point clouds and vectors, and the colours of points in any table.
#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <liblzf/lzf.h>
#include <string>
#include <vector>

#include "sim/data/findings.hpp"
#include "sim/data/text_reading.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"
#include "tests/sim/data/sparse_cases.hpp"

namespace kinescope::sim::points_test {
using tests::npy_bytes;
using tests::write_zip;

namespace {

using Floats = std::vector<float>;

template <class T>
std::string raw(T value, bool big = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return big ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

std::string names_of(const Table& table) {
  std::string names;
  for (const Column& column : table.columns) names += column.name + " ";
  return names;
}

const std::string ply_properties =
    "element vertex 2\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\nproperty uchar "
    "green\nproperty uchar blue\nproperty short k\nelement face 1\nproperty list uchar int vertex_indices\n";

std::string ply_vertex(float x, double y, float z, int colour, std::int16_t k, bool big) {
  return raw(x, big) + raw(y, big) + raw(z, big) + std::string(3, static_cast<char>(colour)) + raw(k, big);
}

std::string binary_ply(bool big) {
  return std::string("ply\nformat ") + (big ? "binary_big_endian" : "binary_little_endian") + " 1.0\ncomment made\n" +
         ply_properties + "end_header\n" + ply_vertex(1, 0.1, 3, 200, -5, big) + ply_vertex(4, 0.2, 6, 7, 300, big) +
         "\3" + raw(0, big) + raw(1, big) + raw(0, big);
}

TEST(Ply, VerticesOfEachKindAreThePoints) {
  const std::string ascii = "ply\r\nformat ascii 1.0\r\n" + ply_properties +
                            "end_header\n1 0.1 3 200 200 200 -5\n4 0.2 6 7 7 7 300\n3 0 1 0\n";
  for (const std::string& bytes : {ascii, binary_ply(false), binary_ply(true)}) {
    const Table table = read_bytes(bytes, "a.PLY");
    EXPECT_EQ(names_of(table), "x y z red green blue k ");
    ASSERT_EQ(table.rows, 2u);
    EXPECT_EQ(table.columns[0].numbers, (Floats{1, 4}));
    EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{0.1, 0.2}));
    EXPECT_EQ(table.columns[3].numbers, (Floats{200, 7}));
    EXPECT_EQ(table.columns[6].numbers, (Floats{-5, 300}));
    EXPECT_EQ(table.remarks.front(), "1 face of the surface left out");
    EXPECT_FALSE(table.columns[2].annotates);
    EXPECT_TRUE(table.columns[6].annotates);
  }
}

TEST(Ply, ListsAndElementsBeforeTheVerticesAreSkipped) {
  const std::string header =
      " 1.0\nelement camera 1\nproperty float f\nproperty list uchar short s\nelement vertex 2\nproperty float x\n"
      "property list uint8 float32 l\nproperty int32 n\nend_header\n";
  const std::string binary = "ply\nformat binary_little_endian" + header + raw(9.0f) + "\2" + raw<std::int16_t>(1) +
                             raw<std::int16_t>(2) + raw(1.5f) + "\1" + raw(8.0f) + raw(-70000) + raw(2.5f) +
                             std::string(1, '\0') + raw(70000);
  const std::string ascii = "ply\nformat ascii" + header + "9 2 1 2\n1.5 1 8 -70000\n2.5 0 70000\n";
  for (const std::string& bytes : {ascii, binary}) {
    const Table table = read_bytes(bytes, "a.ply");
    EXPECT_EQ(names_of(table), "x n ");
    EXPECT_EQ(table.columns[0].numbers, (Floats{1.5, 2.5}));
    EXPECT_EQ(table.columns[1].numbers, (Floats{-70000, 70000}));
    EXPECT_EQ(table.remarks, (std::vector<std::string>{"1 element 'camera' left out", "the lists 'l' are left out"}));
  }
}

TEST(Ply, DamageIsOneLine) {
  for (const std::string& whole : {binary_ply(false), binary_ply(true)}) {
    const std::size_t faces = 13;
    for (std::size_t length = 4; length < whole.size() - faces; ++length)
      EXPECT_NE(message_of_reading(whole.substr(0, length), "a.ply"), "(no error)") << length;
  }
  const auto says = [](const std::string& bytes, const std::string& what) {
    EXPECT_EQ(message_of_reading(bytes, "a.ply"), "a.ply" + what);
  };
  says("ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nend_header\n",
       ": more than 2147483647 rows");
  says("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n1\n",
       ":4: unknown type 'half' of a PLY property");
  says("ply\nformat ascii 1.0\nelement face 1\nproperty float x\nend_header\n1\n", ": a PLY file without vertices");
  says("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\nx\n",
       ":7: expected a number, found 'x'");
  says("a,b\n1,2\n", ": not a PLY file");
}

std::string pcd(const std::string& data, const std::string& body) {
  return "# .PCD v0.7\nVERSION 0.7\nFIELDS x _ y z rgb\nSIZE 4 1 8 4 4\nTYPE F U F F F\nCOUNT 1 3 1 1 1\nWIDTH "
         "2\nHEIGHT "
         "1\nPOINTS 2\nDATA " +
         data + "\n" + body;
}

void expect_points(const Table& table) {
  EXPECT_EQ(names_of(table), "x y z r g b ");
  EXPECT_EQ(table.columns[0].numbers, (Floats{1, 4}));
  EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(table.columns[3].numbers, (Floats{10, 40}));
  EXPECT_EQ(table.columns[5].numbers, (Floats{30, 60}));
}

TEST(Pcd, EachKindOfDataGivesThePoints) {
  const std::string pad(3, 'p');
  const std::uint32_t first = 10 << 16 | 20 << 8 | 30, second = 40 << 16 | 50 << 8 | 60;
  expect_points(read_bytes(pcd("binary", raw(1.0f) + pad + raw(0.1) + raw(3.0f) + raw(first) + raw(4.0f) + pad +
                                             raw(0.2) + raw(6.0f) + raw(second)),
                           "a.pcd"));
  const std::string columns =
      raw(1.0f) + raw(4.0f) + pad + pad + raw(0.1) + raw(0.2) + raw(3.0f) + raw(6.0f) + raw(first) + raw(second);
  std::string packed(200, '\0');
  // So few bytes may not become fewer: then as literal runs of at most 32, each after its length minus 1.
  packed.clear();
  for (std::size_t at = 0; at < columns.size(); at += 32) {
    const std::string run = columns.substr(at, 32);
    packed += static_cast<char>(run.size() - 1) + run;
  }
  const std::string sizes = raw(std::uint32_t(packed.size())) + raw(std::uint32_t(columns.size()));
  expect_points(read_bytes(pcd("binary_compressed", sizes + packed), "a.pcd"));
  EXPECT_EQ(message_of_reading(pcd("binary_compressed", sizes + packed.substr(0, 20)), "a.pcd"),
            "a.pcd: the file ends within its data");
  const auto number = [](std::uint32_t bits) {
    char text[40];
    snprintf(text, sizeof text, "%.9g", double(std::bit_cast<float>(bits)));
    return std::string(text);
  };
  expect_points(
      read_bytes(pcd("ascii", "1 0 0 0 0.1 3 " + number(first) + "\n4 0 0 0 0.2 6 " + number(second) + "\n"), "a.pcd"));
  EXPECT_EQ(message_of_reading(pcd("ascii", "1 0 0 0 0.1 3 0\n"), "a.pcd"),
            "a.pcd: cut off: 1 of the 2 points that the header states");
}

TEST(Pcd, CompressedRunsAreUnpacked) {
  constexpr std::size_t points = 5000;
  std::string columns;
  for (std::size_t i = 0; i < 2 * points; ++i) columns += raw(static_cast<float>(i / 100));
  std::string packed(columns.size(), '\0');
  packed.resize(lzf_compress(columns.data(), unsigned(columns.size()), packed.data(), unsigned(packed.size())));
  ASSERT_GT(packed.size(), 0u);
  const Table table =
      read_bytes("VERSION 0.7\nFIELDS x y\nSIZE 4 4\nTYPE F F\nWIDTH 5000\nHEIGHT 1\nDATA binary_compressed\n" +
                     raw(std::uint32_t(packed.size())) + raw(std::uint32_t(columns.size())) + packed,
                 "a.pcd");
  EXPECT_EQ(table.columns[1].numbers[0], 50);
  EXPECT_EQ(table.columns[1].numbers[4999], 99);
}

TEST(PointClouds, BytesBehindTheLastPointAreToldUnlessTheyFillUp) {
  const auto last_remark = [](const std::string& bytes, const std::string& name) {
    const Table table = read_bytes(bytes, name);
    return table.remarks.empty() ? "" : table.remarks.back();
  };
  const std::string ply = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float a\nend_header\n";
  const std::string cloud = "VERSION 0.7\nFIELDS a b\nSIZE 4 4\nTYPE F F\nWIDTH 1\nHEIGHT 1\nDATA binary\n";
  const std::string words = "1 2\nking ", fill(5000, '\0'), four = raw(1.0f), eight = four + four;
  const auto told = [](const std::string& of) {
    return "4 bytes follow the " + of + " that its header states: the file may be damaged";
  };
  EXPECT_EQ(last_remark(ply + four + "abcd", "a.ply"), told("points"));
  EXPECT_EQ(last_remark(ply + four + fill, "a.ply"), "");
  EXPECT_EQ(last_remark(cloud + eight + "abcd", "a.pcd"), told("points"));
  EXPECT_EQ(last_remark(cloud + eight + fill, "a.pcd"), "");
  EXPECT_EQ(last_remark(words + eight + "abcd", "a.bin"), told("words"));
  EXPECT_EQ(last_remark(words + eight + "\n", "a.bin"), "");
}

TEST(Xyz, AtomsAndScans) {
  const Table atoms = read_bytes("2\nwater\nO 0 0 0.1\nH 1 2 3 9 9\n2\nnext\nO 0 0 0.2\nH 1 2 4\n", "a.xyz");
  EXPECT_EQ(names_of(atoms), "element x y z frame ");
  EXPECT_EQ(atoms.columns[0].texts, (std::vector<std::string>{"O", "H", "O", "H"}));
  EXPECT_EQ(atoms.columns[3].numbers, (std::vector<double>{0.1, 3, 0.2, 4}));
  EXPECT_EQ(atoms.columns[4].numbers, (Floats{1, 1, 2, 2}));
  EXPECT_EQ(message_of_reading("3\n\nO 0 0 0\n", "a.xyz"), "a.xyz:3: cut off: 1 of 3 atoms");
  EXPECT_EQ(names_of(read_bytes("1 2 3\n4 5 6\n", "a.xyz")), "x y z ");
  EXPECT_EQ(names_of(read_bytes("1 2 3 255 0 9\n4 5 6 0 0 0\n", "a.xyz")), "x y z r g b ");
  EXPECT_EQ(names_of(read_bytes("1 2 3 0.1 -0.9 0\n4 5 6 0 0 1\n", "a.xyz")), "x y z nx ny nz ");
  const Table leica = read_bytes("2\n1 2 3 -700 255 0 9\n4 5 6 7 0 0 0\n", "a.PTS");
  EXPECT_EQ(names_of(leica), "x y z intensity r g b ");
  EXPECT_EQ(leica.rows, 2u);
  EXPECT_EQ(message_of_reading("3\n1 2 3\n4 5 6\n", "a.pts"), "a.pts: 2 points, but the first line says 3");
  EXPECT_EQ(read_bytes("a,b\n1,2\n", "a.xyz").format, "CSV");
}

TEST(PointClouds, LinesBeyondThoseOfTheHeaderAreAnError) {
  const std::string ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n";
  EXPECT_EQ(message_of_reading(ply + "1 2\n\n3 4\n", "a.ply"), "a.ply:9: more lines than the PLY header says");
  EXPECT_EQ(read_bytes(ply + "1 2\n\n", "a.ply").rows, 1u);
  const std::string pcd = "VERSION 0.7\nFIELDS x y\nSIZE 4 4\nTYPE F F\nWIDTH 1\nHEIGHT 1\nDATA ascii\n";
  EXPECT_EQ(message_of_reading(pcd + "1 2\n3 4\n", "a.pcd"), "a.pcd:9: more points than the PCD header says");
}

TEST(CloudCompare, PlacesTakePartAndColoursColour) {
  const TemporaryFolder folder;
  const auto data = load_dataset({folder.write(
      "a.txt",
      "//X Y Z R G B Intensity\n3\n0.5 0.25 1 79 46 34 162\n1.5 2.5 2 30 113 184 2266\n3 2 3 13 133 139 1584\n")});
  EXPECT_EQ(data->value_names, (std::vector<std::string>{"X", "Y", "Z"}));
  ASSERT_EQ(data->colours.size(), 3u);
  EXPECT_EQ(data->colours[1], (std::array<std::uint8_t, 4>{30, 113, 184, 255}));
}

TEST(CloudCompare, ARightCountOfRowsLeavesNothingToCheckAndAWrongOneIsTold) {
  const std::string rows = "1 2 3\n4.5 5 6\n7 8.5 9\n";
  const Table right = read_bytes("//X Y Z\n3\n" + rows, "a.txt"), wrong = read_bytes("//X Y Z\n4\n" + rows, "a.txt");
  for (const ReadingGuess& each : right.text_reading->guesses) EXPECT_TRUE(each.sure) << each.what;
  EXPECT_NE(right.remarks, wrong.remarks);
  std::string long_rows;
  for (int i = 0; i < 30000; ++i) long_rows += "1.25 2.25 3.25\n";  // longer than what is weighed
  const Table cut = read_bytes("//X Y Z\n40000\n" + long_rows, "a.txt");
  EXPECT_EQ(cut.remarks.front(),
            "line 2 was skipped: it counts the rows, wrongly: there are 30,000 (`--skip-lines 0` reads it)");
}

TEST(Colours, OfAnyTableColourThePointsAndLeaveTheDistances) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "u,Red,Green,Blue,kind\n1,1,0.5,0,a\n2,0,1,0,b\n3,0,0,,a\n");
  DataRequest request{path};
  request.missing = Missing::mean;
  const auto data = load_dataset(request);
  EXPECT_EQ(data->value_names, std::vector<std::string>{"u"});
  ASSERT_EQ(data->colours.size(), 3u);
  EXPECT_EQ(data->colours[0], (std::array<std::uint8_t, 4>{255, 128, 0, 255}));
  EXPECT_EQ(data->colours[2], (std::array<std::uint8_t, 4>{128, 128, 128, 255}));  // a part is missing
  EXPECT_FALSE(data->label_before_colours);
  const auto said = data->findings->sentences();
  EXPECT_NE(
      std::ranges::find(said,
                        "'Red', 'Green', 'Blue' are the points' own colours, and are not used for distances unless "
                        "--columns names them"),
      said.end());
  request.label = "kind";
  EXPECT_TRUE(load_dataset(request)->label_before_colours);
  request.columns = {"u", "Red"};
  EXPECT_EQ(load_dataset(request)->value_names, request.columns);
  // Numbers that are no colours, and a table of nothing but colours.
  EXPECT_TRUE(load_dataset({folder.write("b.csv", "u,r,g,b\n1,1,2,3\n2,4,5,300\n")})->colours.empty());
  EXPECT_EQ(load_dataset({folder.write("c.csv", "r,g,b\n1,2,3\n4,5,30\n")})->dimensions, 3u);
}

TEST(Vectors, OfTexmexAreRead) {
  std::string floats, bytes, ints;
  for (int i = 0; i < 3; ++i) {
    floats += raw(2) + raw(i + 0.5f) + raw(-1.0f);
    bytes += raw(2) + std::string(1, static_cast<char>(200 + i)) + "\1";
    ints += raw(2) + raw(-70000 * i) + raw(1);
  }
  for (const bool packed : {false, true}) {
    const auto read = [&](const std::string& data, const std::string& name) {
      return packed ? read_bytes(gzip(data), name + ".gz") : read_bytes(data, name);
    };
    EXPECT_EQ(read(floats, "a.fvecs").columns[0].numbers, (Floats{0.5, 1.5, 2.5}));
    EXPECT_EQ(read(bytes, "a.bvecs").columns[0].numbers, (Floats{200, 201, 202}));
    EXPECT_EQ(read(ints, "a.ivecs").columns[0].numbers, (Floats{0, -70000, -140000}));
  }
  EXPECT_NE(message_of_reading(floats + "x", "a.fvecs"), "(no error)");
  std::string uneven = floats;
  uneven[24] = 1;
  EXPECT_EQ(message_of_reading(uneven, "a.fvecs"), "a.fvecs: vectors of different sizes");
}

TEST(Vectors, OfWordsInBinaryAreRead) {
  const std::string whole = "2 2\nking " + raw(0.5f) + raw(1.0f) + "\nk\u00F6nig " + raw(-0.5f) + raw(2.0f) + "\n";
  const Table table = read_bytes(whole, "w.bin");
  EXPECT_EQ(table.columns[0].texts, (std::vector<std::string>{"king", "k\u00F6nig"}));
  EXPECT_EQ(table.columns[2].numbers, (Floats{1, 2}));
  EXPECT_EQ(message_of_reading(whole.substr(0, whole.size() - 3), "w.bin"), "w.bin: the file ends within its data");
  EXPECT_EQ(read_bytes("2 2\nking 0.5 1\nqueen 1 2\n", "w.bin").format, "CSV, separated by blanks");
}

TEST(Arff, DenseAndSparseRows) {
  const Table table = read_bytes(
      "% made\n@RELATION r\n@attribute 'an a' numeric\n@attribute class {p,'q r'}\n@ATTRIBUTE s string\n\n@data\n"
      "1.5,p,'it\\'s'\n?,'q r',?\n{0 2, 1 'q r'}\n{}\n",
      "a.arff");
  EXPECT_EQ(names_of(table), "an a class s ");
  EXPECT_EQ(table.columns[0].numbers[0], 1.5);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_EQ(table.columns[1].texts, (std::vector<std::string>{"p", "q r", "q r", "p"}));
  EXPECT_EQ(table.columns[2].texts, (std::vector<std::string>{"it's", "", "", ""}));
  const std::string head = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n";
  EXPECT_EQ(read_bytes(head + "1,2,\n3,4,\n", "a.arff").columns[1].numbers, (std::vector<double>{2, 4}));
  EXPECT_EQ(read_bytes(head + "1 2\n 3 \t4\n", "a.arff").columns[1].numbers, (std::vector<double>{2, 4}));
  EXPECT_EQ(message_of_reading(head + "1,2,3\n", "a.arff"), "a.arff:5: more than 2 values");
  EXPECT_EQ(message_of_reading(head + "1\n", "a.arff"), "a.arff:5: expected 2 values, found 1");
  EXPECT_EQ(message_of_reading(head + "1,x\n", "a.arff"), "a.arff:5: expected a number for 'b', found 'x'");
  EXPECT_EQ(message_of_reading(head + "{2 1}\n", "a.arff"),
            "a.arff:5: expected the number of an attribute, ascending from 0, found '2 1}'");
}

// An array of numbers, or of one short text.
std::string text_array(const std::string& text) {
  std::string header = "{'descr': '|S" + std::to_string(text.size()) + "', 'fortran_order': False, 'shape': (), }\n";
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + text;
}

TEST(SparseNpz, EachKindGivesTheSameRows) {
  const TemporaryFolder folder;
  const std::string shape = npy_bytes("(2,)", {2, 3}), one_two = npy_bytes("(3,)", {0, 2, 2}),
                    data = npy_bytes("(3,)", {5, 1, 2});
  const auto read = [&](const std::vector<std::pair<std::string, std::string>>& members) {
    return load_table({write_zip(folder.path("s.npz"), members)});
  };
  // [[5, 0, 1], [0, 0, 2]]
  for (const Table& table : {read({{"indices.npy", npy_bytes("(3,)", {0, 2, 2})},
                                   {"indptr.npy", npy_bytes("(3,)", {0, 2, 3})},
                                   {"format.npy", text_array("csr")},
                                   {"shape.npy", shape},
                                   {"data.npy", data}}),
                             read({{"indices.npy", npy_bytes("(3,)", {0, 0, 1})},
                                   {"indptr.npy", npy_bytes("(4,)", {0, 1, 1, 3})},
                                   {"format.npy", text_array("csc")},
                                   {"shape.npy", shape},
                                   {"data.npy", data}}),
                             read({{"row.npy", npy_bytes("(3,)", {0, 0, 1})},
                                   {"col.npy", one_two},
                                   {"format.npy", text_array("coo")},
                                   {"shape.npy", shape},
                                   {"data.npy", data}})}) {
    ASSERT_TRUE(table.sparse) << table.format;
    tests::expect_sound(*table.sparse, 2);
    EXPECT_EQ(table.sparse->columns, 3u);
    EXPECT_EQ(table.sparse->begin, (std::vector<std::uint64_t>{0, 2, 3}));
    EXPECT_EQ(table.sparse->index, (std::vector<std::uint32_t>{0, 2, 2}));
    EXPECT_EQ(table.sparse->value, (Floats{5, 1, 2}));
  }
  const auto refused = [&](const std::string& kind, const std::string& indices) {
    return input_message([&] {
      read({{"indices.npy", indices},
            {"indptr.npy", npy_bytes("(3,)", {0, 2, 3})},
            {"format.npy", text_array(kind)},
            {"shape.npy", shape},
            {"data.npy", data}});
    });
  };
  EXPECT_NE(refused("bsr", one_two).find("sparse matrices of kind 'bsr' are not read"), std::string::npos);
  EXPECT_NE(refused("csr", npy_bytes("(3,)", {0, 3, 2})).find("damaged: column 3 is not one of 3"), std::string::npos);
}

TEST(SparseNpz, AMatrixMayStoreNoValue) {
  const TemporaryFolder folder;
  const std::string none = npy_bytes("(0,)", {});
  const Table table = load_table({write_zip(folder.path("s.npz"), {{"indices.npy", none},
                                                                   {"indptr.npy", npy_bytes("(3,)", {0, 0, 0})},
                                                                   {"format.npy", text_array("csr")},
                                                                   {"shape.npy", npy_bytes("(2,)", {2, 3})},
                                                                   {"data.npy", none}})});
  ASSERT_TRUE(table.sparse);
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.sparse->columns, 3u);
  EXPECT_EQ(table.sparse->begin, (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST(Unreadable, KindsAreNamedAndTablesThatLookAlikeAreRead) {
  const auto says = [](const std::string& bytes, const std::string& name, const std::string& what) {
    EXPECT_TRUE(message_of_reading(bytes, name).starts_with(name + ": " + what + " is not read: "))
        << message_of_reading(bytes, name);
  };
  says("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj", "a surface (Wavefront OBJ)");
  says("# vtk DataFile Version 3.0\nt\nASCII\n", "a.vtk", "a VTK file");
  says(std::string("LASF\0\0", 6), "a.las", "a LAS or LAZ point cloud");
  says("H\tVN:Z:1.0\n", "a.gfa", "an assembly graph (GFA)");
  says("<?xml version=\"1.0\"?>\n<!-- x -->\n<kml>", "a.kml", "a map (KML)");
  says("{\"type\": \"FeatureCollection\"}", "a.geojson", "a map (GeoJSON, TopoJSON)");
  says("MATLAB 5.0 MAT-file, Platform: GLNXA64" + std::string("\0\1", 2), "a.mat", "a MATLAB file");
  says("solid a\nfacet normal 0 0 0\n", "a.stl", "an STL surface");
  says(std::string(257, '\1') + "ustar", "a.tar", "a tar archive");
  says(gzip(std::string(257, '\1') + "ustar"), "a.tgz", "a tar archive");
  says(">s\nACGT\n", "a.fasta", "sequences (FASTA)");
  // Tables that begin like one of them.
  for (const char* text : {"solid,b\n1,2\n", "v,x,y\n0,0,0\n", "GRIB,LASF\n1,2\n", "a,b,c,d,DUCK\n1,2,3,4,5\n",
                           "a,b,ftyp\n1,2,3\n", "RIFFxxxxWAVE,b\n1,2\n", "OFF,ON\n1,2\n", "PK,b\n1,2\n", "II,MM\n1,2\n",
                           "BZh,b\n1,2\n", "ID3,b\n1,2\n", "data_x,b\n1,2\n", "MZ,b\n1,2\n", "CDF,b\n1,2\n"})
    for (const char* name : {"data.csv", "data.data", "data.dat", "data.txt"})
      EXPECT_EQ(read_bytes(text, name).rows, 1u) << text;
}

}  // namespace
}  // namespace kinescope::sim::points_test
