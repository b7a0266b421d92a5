#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/data/findings.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::npy_test {
namespace {

// An .npy file with this header text and these data.
std::string npy(std::string header, const std::string& data, int version = 1) {
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) file += static_cast<char>(header.size() >> (8 * byte));
  return file + header + data;
}

std::string description(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

template <class T>
std::string packed(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_endian) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

std::string refusal(const std::string& bytes) {
  return message_of_reading(bytes, "a.npy");
}

template <class T>
void expect_both_orders(const std::string& type) {
  const std::vector<T> values = {1, 2, 3, 4, 5, 6};
  for (const bool big : {false, true}) {
    const Table table = read_bytes(npy(description((big ? ">" : "<") + type, "(2, 3)"), packed(values, big)), "a.npy");
    ASSERT_EQ(table.rows, 2u);
    ASSERT_EQ(table.columns.size(), 3u);
    EXPECT_EQ(table.columns[0].numbers, (std::vector<float>{1, 4})) << type << big;
    EXPECT_EQ(table.columns[2].numbers, (std::vector<float>{3, 6})) << type << big;
    const Table turned =
        read_bytes(npy(description((big ? ">" : "<") + type, "(2, 3)", true), packed(values, big)), "a.npy");
    EXPECT_EQ(turned.columns[0].numbers, (std::vector<float>{1, 2})) << type << big;
    EXPECT_EQ(turned.columns[2].numbers, (std::vector<float>{5, 6})) << type << big;
  }
}

TEST(Npy, ReadsEveryTypeInBothOrders) {
  expect_both_orders<float>("f4");
  expect_both_orders<double>("f8");
  expect_both_orders<std::int8_t>("i1");
  expect_both_orders<std::int16_t>("i2");
  expect_both_orders<std::int32_t>("i4");
  expect_both_orders<std::int64_t>("i8");
  expect_both_orders<std::uint8_t>("u1");
  expect_both_orders<std::uint16_t>("u2");
  expect_both_orders<std::uint32_t>("u4");
  expect_both_orders<std::uint64_t>("u8");
}

TEST(Npy, KeepsSignsAndBooleans) {
  EXPECT_EQ(read_bytes(npy(description("<i2", "(2,)"), packed<std::int16_t>({-5, 300})), "a.npy").columns[0].numbers,
            (std::vector<float>{-5, 300}));
  EXPECT_EQ(read_bytes(npy(description("<u8", "(1,)"), packed<std::uint64_t>({~std::uint64_t{0}})), "a.npy")
                .columns[0]
                .numbers,
            (std::vector<float>{18446744073709551616.0f}));
  EXPECT_EQ(read_bytes(npy(description("|b1", "(3,)"), std::string("\0\1\2", 3)), "a.npy").columns[0].numbers,
            (std::vector<float>{0, 1, 1}));
}

TEST(Npy, OneDimensionIsOneColumn) {
  const Table table = read_bytes(npy(description("<f4", "(3,)"), packed<float>({1, 2, 3})), "a.npy");
  EXPECT_EQ(table.format, "NumPy array");
  EXPECT_EQ(table.rows, 3u);
  ASSERT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(table.columns[0].name, "c0");
  EXPECT_TRUE(table.row_lines.empty());
}

TEST(Npy, ReadsEveryVersionAndSpellingOfTheHeader) {
  const std::string data = packed<float>({1, 2});
  for (const int version : {1, 2, 3})
    EXPECT_EQ(read_bytes(npy(description("<f4", "(2, 1)"), data, version), "a.npy").rows, 2u);
  for (const std::string header : {"{\"descr\": \"<f4\", 'fortran_order': False, 'shape': (2L, 1L)}",
                                   "{'shape':(2,1),'fortran_order':True,'descr':'=f4'}",
                                   "  { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , 1 , ) , }    "})
    EXPECT_EQ(read_bytes(npy(header, data), "a.npy").rows, 2u) << header;
}

TEST(Npy, IsKnownByItsContentAndReadThroughGzip) {
  const std::string bytes = npy(description("<f4", "(2, 1)"), packed<float>({1, 2}));
  EXPECT_EQ(read_bytes(bytes, "named.csv").format, "NumPy array");
  EXPECT_EQ(read_bytes(gzip(bytes), "a.npy.gz").format, "NumPy array, gzipped");
  EXPECT_EQ(read_bytes(gzip(bytes), "a").columns[0].numbers, (std::vector<float>{1, 2}));
}

TEST(Npy, NanIsMissingAndInfinityAnError) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(
      std::isnan(read_bytes(npy(description("<f4", "(1,)"), packed<float>({nan})), "a.npy").columns[0].numbers[0]));
  EXPECT_EQ(refusal(npy(description("<f4", "(2, 2)"), packed<float>({1, 2, 3, -infinity}))),
            "a.npy: row 2: column 'c1': an infinite value cannot be used for distances");
  EXPECT_EQ(refusal(npy(description("<f8", "(2, 2)", true), packed<double>({1, 1e39, 3, 4}))),
            "a.npy: row 2: column 'c0': 1e+39 is beyond float32; divide the column by a power of ten");
}

TEST(Npy, HalfPrecisionIsRead) {
  const std::vector<std::uint16_t> halves = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x0400, 0x8001, 0x7E00, 0x3555};
  for (const bool big : {false, true}) {
    const Numbers numbers =
        read_bytes(npy(description(big ? ">f2" : "<f2", "(8, 1)"), packed(halves, big)), "a.npy").columns[0].numbers;
    const std::vector<double> expected = {1, -2, 65504, std::ldexp(1, -24), std::ldexp(1, -14), -std::ldexp(1, -24)};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(numbers[i], expected[i]) << i << big;
    EXPECT_TRUE(std::isnan(numbers[6]));
    EXPECT_EQ(numbers[7], 0.333251953125);
    EXPECT_TRUE(numbers.fit_float());
  }
}

TEST(Npy, OtherTypesAndShapesAreRefused) {
  const std::string data(64, '\0');
  for (const std::string type : {"<c8", "<U5", "|O", "<f16", "<i3", "|S1", "f4", "<M8[ns]", "", "xf4", "<b1x", "<b4"})
    EXPECT_EQ(refusal(npy(description(type, "(1, 1)"), data)),
              "a.npy: values of type '" + type +
                  "' are not supported; supported: booleans, integers, float16, float32 and float64");
  EXPECT_EQ(
      refusal(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", data)),
      "a.npy: rows of several types are not supported; supported: booleans, integers, float16, float32 and float64");
  EXPECT_EQ(refusal(npy(description("<f4", "()"), data)),
            "a.npy: expected 2 dimensions, found 0; reshape it to rows × columns");
  EXPECT_EQ(refusal(npy(description("<f4", "(2, 2, 2)"), data)),
            "a.npy: expected 2 dimensions, found 3; reshape it to rows × columns");
  EXPECT_EQ(refusal(npy(description("<f4", "(0, 3)"), "")), "a.npy: no rows");
  EXPECT_EQ(refusal(npy(description("<f4", "(3, 0)"), "")), "a.npy: no columns");
}

TEST(Npy, HostileShapesAreRefusedBeforeAnyMemoryIsTaken) {
  for (const std::string shape : {"(99999999999999999999999, 2)", "(9223372036854775807, 3)", "(18446744073709551615,)",
                                  "(4294967296, 4294967296)"})
    EXPECT_EQ(refusal(npy(description("<f4", shape), "abcd")),
              "a.npy: damaged: an array of more bytes than a file can have")
        << shape;
  for (const std::string shape : {"(2147483649,)", "(1000000, 1000000)", "(1, 1000001)"})
    EXPECT_TRUE(refusal(npy(description("<f4", shape), "abcd")).starts_with("a.npy: cut off: ")) << shape;
  EXPECT_EQ(message_of_reading(gzip(npy(description("<f4", "(2147483648,)"), "abcd")), "a.npy"),
            "a.npy: more than 2147483647 rows");
  EXPECT_EQ(message_of_reading(gzip(npy(description("<f4", "(1, 1000001)"), "abcd")), "a.npy"),
            "a.npy: more than 1000000 columns");
  EXPECT_THROW(read_bytes(gzip(npy(description("<f4", "(1000000, 1000000)"), "abcd")), "a.npy"), Error);  // 3.6 TiB
  EXPECT_TRUE(
      refusal(npy(description("<f4", "(1000000, 1000)"), "abcd")).starts_with("a.npy: cut off: 1000000 × 1000 values"));
  EXPECT_EQ(message_of_reading(gzip(npy(description("<f4", "(1000000, 100)"), "abcd")), "a.npy"),
            "a.npy: the file ends within its data");
}

TEST(Npy, DamagedHeadersAreRefused) {
  for (const std::string header :
       {"", "{", "{}", "[]", "junk", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1",
        "{'descr': '<f4", "{'descr': '<f4', 'fortran_order': False, 'other': (1,)}"})
    EXPECT_EQ(refusal(npy(header, "abcd")), "a.npy: damaged: the NumPy header cannot be read") << header;
  EXPECT_EQ(refusal(std::string("\x93NUMPY\x04\x00", 8)),
            "a.npy: NumPy format 4.0 is not supported; supported: 1.0 to 3.0");
  EXPECT_EQ(refusal(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12)),
            "a.npy: damaged: a NumPy header of 4294967295 bytes");
  EXPECT_EQ(refusal("x,y\n1,2\n"), "a.npy: not a NumPy array");
}

TEST(Npy, EveryTruncationIsAnError) {
  const std::string whole = npy(description("<f4", "(3, 2)"), packed<float>({1, 2, 3, 4, 5, 6}));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "(no error)") << length;
    EXPECT_NE(message_of_reading(gzip(whole.substr(0, length)), "a.npy"), "(no error)") << length;
  }
  EXPECT_EQ(refusal(whole), "(no error)");
}

TEST(Npy, BytesAfterTheValuesAreTold) {
  const std::string array = npy(description("<f4", "(2, 1)"), packed(std::vector<float>{1, 2}));
  const std::string size = std::to_string(array.size());
  const auto told = [&](std::size_t has) {
    return "a.npy: damaged: " + size + " bytes hold the 2 × 1 values that its header states, but the file has " +
           std::to_string(has);
  };
  EXPECT_EQ(refusal(array + "x"), told(array.size() + 1));
  EXPECT_EQ(message_of_reading(gzip(array + array), "a.npy"), told(2 * array.size()));
}

TEST(NpyRows, AreThoseThatReadingAllGives) {
  const TemporaryFolder folder;
  std::vector<double> values(300);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1 * static_cast<double>(i);
  const std::string path = folder.write("a.npy", npy(description(">f8", "(100, 3)"), packed(values, true)));
  const auto rows = rows_in_file({path});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows(), 100u);
  EXPECT_EQ(rows->columns(), 3u);
  const auto all = load_dataset({path});
  std::vector<float> some(20 * 3);
  rows->read(70, 20, some.data());
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all->values().begin() + 70 * 3));
  std::filesystem::resize_file(path, 1000);
  EXPECT_THROW(rows->read(70, 20, some.data()), Error);
}

// If the rows depend on more than the request for all of a plain array, rows_in_file returns null.
TEST(NpyRows, AreOfPlainArraysAsTheyAre) {
  const TemporaryFolder folder;
  const std::string bytes = npy(description("<f4", "(3, 2)"), packed<float>({1, 2, 3, 4, 5, 6}));
  const std::string path = folder.write("a.npy", bytes);
  EXPECT_TRUE(rows_in_file({path}));
  EXPECT_FALSE(rows_in_file({.source = path, .label = "c1"}));
  EXPECT_FALSE(rows_in_file({.source = path, .columns = {"c1"}}));
  EXPECT_FALSE(rows_in_file({.source = path, .missing = Missing::mean}));
  EXPECT_FALSE(rows_in_file({folder.write("packed.npy", gzip(bytes))}));
  EXPECT_FALSE(rows_in_file(
      {folder.write("turned.npy", npy(description("<f4", "(3, 2)", true), packed<float>({1, 2, 3, 4, 5, 6})))}));
  EXPECT_FALSE(rows_in_file({folder.write("short.npy", bytes.substr(0, bytes.size() - 1))}));
  EXPECT_FALSE(rows_in_file({folder.write("a.csv", "1,2\n")}));
  EXPECT_FALSE(rows_in_file({folder.path("none.npy")}));
  EXPECT_FALSE(rows_in_file({"synthetic:gaussians,n=10,k=2"}));
}

TEST(FileBytes, AreReadAtAnyPlace) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.bin", "abcdef");
  std::string three(3, ' '), nine(9, ' ');
  const FileBytes file(path);
  file.read_at(2, three);
  EXPECT_EQ(three, "cde");
  EXPECT_EQ(input_message([&] { file.read_at(2, nine); }), path + ": the file ends within its data");
  EXPECT_EQ(input_message([&] { FileBytes(folder.path("")); }), folder.path("") + ": is a directory");
  EXPECT_EQ(input_message([&] { FileBytes(folder.path("none")); }), folder.path("none") + ": no such file");
}

// Distances between points of a plane, in float64: the values stay in the file.
TEST(NpyDistances, AreReadARowAtATime) {
  constexpr std::size_t n = 300;
  std::vector<double> values(n * n);
  const auto place = [](std::size_t i) { return std::pair{std::sin(1.7 * double(i)), std::cos(0.9 * double(i))}; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      values[i * n + j] = std::hypot(place(i).first - place(j).first, place(i).second - place(j).second);
  const std::string head = description("<f8", "(300, 300)");
  TemporaryFolder folder;
  const std::string path = folder.write("a.npy", npy(head, packed(values)));
  const DataRequest request{.source = path, .reading = Reading::matrix};
  const auto data = load_dataset(request);
  ASSERT_TRUE(data->distances());
  EXPECT_EQ(data->points, n);
  EXPECT_TRUE(data->values().empty());
  std::vector<float> row(n);
  data->distances()->row(123, row);
  for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(row[j], static_cast<float>(values[123 * n + j]));
  EXPECT_EQ(data->findings->sentences().front(), "300 × 300 distances, NumPy array");

  const auto refusal = [&](std::size_t i, std::size_t j, double value, bool both) {
    std::vector<double> wrong = values;
    wrong[i * n + j] = value;
    if (both) wrong[j * n + i] = value;
    folder.write("a.npy", npy(head, packed(wrong)));
    try {
      load_dataset(request);
    } catch (const Error& error) {
      return std::string(error.what()).substr(path.size());
    }
    return std::string();
  };
  const std::string begin = ": metric=matrix: ";
  EXPECT_EQ(refusal(3, 250, 1.01 * values[3 * n + 250], false),
            begin + "row 4, column 251 and row 251, column 4 differ, but must be the same distance");
  EXPECT_EQ(refusal(299, 298, -1, true), begin + "row 299, column 300: a distance is negative");
  EXPECT_EQ(refusal(7, 7, 1, true), begin + "row 8, column 8: the distance of a point from itself must be 0");
  EXPECT_EQ(refusal(0, 1, INFINITY, true), begin + "row 1, column 2: a distance is not a finite number");
  EXPECT_EQ(refusal(0, 1, NAN, true), "");  // a pair without a distance
  EXPECT_EQ(refusal(0, 1, NAN, false),
            begin + "row 1, column 2 and row 2, column 1 differ, but must be the same distance");
  EXPECT_EQ(refusal(5, 9, values[5 * n + 9] * (1 + 1e-9), false), "");  // a matter of rounding
  folder.write("a.npy", npy(head, packed(values)).substr(0, 300 * 300 * 4));
  EXPECT_THROW(load_dataset(request), Error);
  folder.write("a.npy", npy(head, packed(values)) + "abcd");
  EXPECT_THROW(load_dataset(request), Error);
}

}  // namespace
}  // namespace kinescope::sim::npy_test
