// Tables in JSON: lines and lists of objects or lists.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::json_lines_test {
namespace {

using Texts = std::vector<std::string>;
using Values = std::vector<double>;

std::string names_of(const Table& table) {
  std::string names;
  for (const Column& column : table.columns) names += column.name + " ";
  return names;
}

bool has_remark(const Table& table, const std::string& remark) {
  return std::ranges::find(table.remarks, remark) != table.remarks.end();
}

TEST(JsonLines, ObjectsBecomeRowsByTheirNames) {
  const std::string first =
      R"({"a": 1, "t": "x", "b": true, "v": [1, 2], "o": {"k": 0.1, "s": "p"}, "day": "2024-03-01"})";
  const std::string second = R"({"t": "y\n\u00e9", "a": null, "v": [3, 4], "b": false, "new": 7, "day": null})";
  const std::string third = R"({"a": -2.5e3, "o": null})";
  const std::string lines = first + "\n\r\n" + second + "\r\n" + third;
  const std::string list = "\xEF\xBB\xBF[" + first + ",\n" + second + "," + third + "]\n";
  for (const auto& [bytes, name, format] : {std::tuple{lines, "a.jsonl", "JSON Lines"},
                                            {lines, "a.NDJSON", "JSON Lines"},
                                            {lines, "a.json", "JSON Lines"},
                                            {gzip(lines), "a.jsonl.gz", "JSON Lines, gzipped"},
                                            {list, "a.json", "JSON list"},
                                            {gzip(list), "a.json.gz", "JSON list, gzipped"}}) {
    SCOPED_TRACE(name);
    const Table table = read_bytes(bytes, name);
    EXPECT_EQ(table.format, format);
    ASSERT_EQ(table.rows, 3u);
    EXPECT_EQ(names_of(table), "a t b v_0 v_1 o.k o.s day new ");
    const auto numbers = [&](std::string_view column) -> const Numbers& { return table.find(column)->numbers; };
    EXPECT_EQ(numbers("a")[0], 1);
    EXPECT_TRUE(std::isnan(numbers("a")[1]));
    EXPECT_EQ(numbers("a")[2], -2500);
    EXPECT_EQ(table.find("t")->texts, (Texts{"x", "y\né", ""}));
    EXPECT_EQ(numbers("b")[0], 1);
    EXPECT_EQ(numbers("b")[1], 0);
    EXPECT_EQ(numbers("v_1")[1], 4);
    EXPECT_TRUE(std::isnan(numbers("v_1")[2]));
    EXPECT_EQ(numbers("o.k")[0], 0.1);
    EXPECT_TRUE(std::isnan(numbers("o.k")[1]));
    EXPECT_EQ(numbers("day")[0], 19783);
    EXPECT_TRUE(std::isnan(numbers("new")[0]));
    EXPECT_EQ(numbers("new")[1], 7);
  }
  EXPECT_EQ(read_bytes(lines, "a.jsonl").row_lines, (std::vector<std::size_t>{1, 3, 4}));
}

TEST(JsonLines, ListsBecomeRowsOfNumberedColumns) {
  for (const std::string bytes : {"[1, 2.5]\n[3, 4]\n", "[[1, 2.5], [3, 4]]", "[\n [1, 2.5],\n [3, 4]\n]"}) {
    const Table table = read_bytes(bytes, "a.json");
    ASSERT_EQ(table.rows, 2u) << bytes;
    ASSERT_EQ(table.columns.size(), 2u) << bytes;
    EXPECT_EQ(table.columns[0].numbers, (Values{1, 3}));
    EXPECT_EQ(table.columns[1].numbers, (Values{2.5, 4}));
  }
  const Table nested = read_bytes("[1, [2, 3]]\n[4, [5, 6]]\n", "a.jsonl");
  EXPECT_EQ(nested.rows, 2u);
  EXPECT_EQ(nested.columns.size(), 3u);
}

TEST(JsonLines, ListsMayBeginWithAnything) {
  for (const std::string first : {"\"Ann\"", "null", "true", "NaN", "-Infinity"})
    for (const char* name : {"a.jsonl", "a.json"}) {
      const Table table = read_bytes("[" + first + ",1,2]\n[" + first + ",3,4]\n", name);
      ASSERT_EQ(table.format, "JSON Lines") << first;
      EXPECT_EQ(table.rows, 2u);
      EXPECT_EQ(table.find("c2")->numbers, (Values{2, 4}));
    }
  EXPECT_EQ(read_bytes("\n{\"a\":1}\n{\"a\":2}\n", "a.jsonl").rows, 2u);
  EXPECT_EQ(read_bytes("{}\n{\"a\":2}\n", "a.jsonl").rows, 2u);
  std::string line = "[0";
  for (int i = 1; i < 100'000; ++i) line += "," + std::to_string(i);
  EXPECT_EQ(read_bytes(line + "]\n" + line + "]\n", "a.jsonl").format, "JSON Lines");
}

// It was read as CSV, with its brackets.
TEST(JsonLines, AListOfTextsHasNoRows) {
  EXPECT_EQ(message_of_reading("[\n \"3.9\",\"3.10\"\n]\n", "versions.json"),
            "versions.json: row 1: expected an object or a list, found a single value");
}

TEST(JsonLines, TheFirstListMayNameTheColumns) {
  const std::string remark = "row 1 is the header: 'age' stands above numbers";
  for (const std::string bytes : {R"([["name","age","kg"],["Ann",31,null],["Bob",42,81.5]])",
                                  "[\"name\",\"age\",\"kg\"]\n[\"Ann\",31,null]\n[\"Bob\",42,81.5]\n"}) {
    const Table table = read_bytes(bytes, "a.json");
    EXPECT_EQ(names_of(table), "name age kg ");
    ASSERT_EQ(table.rows, 2u);
    EXPECT_TRUE(has_remark(table, remark));
    EXPECT_EQ(table.find("name")->texts, (Texts{"Ann", "Bob"}));
    EXPECT_EQ(table.find("age")->numbers, (Values{31, 42}));
    EXPECT_TRUE(std::isnan(table.find("kg")->numbers[0]));
    EXPECT_EQ(table.find("kg")->numbers[1], 81.5);
  }
  EXPECT_EQ(names_of(read_bytes(R"([["a","b"],["c","d"]])", "a.json")), "c0 c1 ");
  EXPECT_EQ(names_of(read_bytes(R"([["a","a"],[1,2]])", "a.json")), "c0 c1 ");
  EXPECT_EQ(names_of(read_bytes(R"([["a",1],["b",2]])", "a.json")), "c0 c1 ");
  EXPECT_EQ(names_of(read_bytes(R"([["a","b"],[1,2,3]])", "a.json")), "c0 c1 c2 ");
  EXPECT_EQ(read_bytes(R"([["id"],[9007199254740993]])", "a.json").find("id")->texts, (Texts{"9007199254740993"}));
}

TEST(JsonLines, OneLineIsOneRow) {
  const Table table = read_bytes("{\"a\": 1, \"b\": 2}\n", "a.jsonl");
  EXPECT_EQ(table.rows, 1u);
  EXPECT_EQ(names_of(table), "a b ");
}

// As Python writes what is missing.
TEST(JsonLines, NotANumberIsMissing) {
  const std::string first = R"({"a": NaN, "t": "NaN \\", "b": -2e-1})",
                    second = R"({"a": 5,"t":"x\"NaN","b":-Infinity})";
  for (const auto& [bytes, name] :
       {std::pair{first + "\n" + second + "\n", "a.jsonl"}, {"[" + first + "," + second + "]", "a.json"}}) {
    const Table table = read_bytes(bytes, name);
    ASSERT_EQ(table.rows, 2u) << name;
    EXPECT_TRUE(std::isnan(table.find("a")->numbers[0]));
    EXPECT_EQ(table.find("a")->numbers[1], 5);
    EXPECT_EQ(table.find("t")->texts, (Texts{"NaN \\", "x\"NaN"}));
    EXPECT_EQ(table.find("b")->numbers[0], -0.2);
    EXPECT_TRUE(std::isnan(table.find("b")->numbers[1]));
  }
  std::string large = "[";  // words lie across the ends of what is read at once
  for (int i = 0; i < 200'000; ++i) large += (i > 0 ? "," : "") + std::string("{\"a\":NaN,\"b\":1}");
  EXPECT_EQ(read_bytes(large + "]", "a.json").rows, 200'000u);
}

TEST(JsonLines, TheFirstLineMayBeLong) {
  std::string line = "{\"c0\":0";
  for (int i = 1; i < 40'000; ++i) line += ",\"c" + std::to_string(i) + "\":" + std::to_string(i);
  const Table table = read_bytes(line + "}\n" + line + "}\n", "a.jsonl");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns.size(), 40'000u);
}

TEST(JsonLines, LongIdentifiersKeepTheirDigits) {
  const Table table = read_bytes("{\"id\": 9007199254740993}\n{\"id\": 18446744073709551615}\n", "a.jsonl");
  EXPECT_EQ(table.columns.at(0).texts, (Texts{"9007199254740993", "18446744073709551615"}));
}

TEST(JsonLines, WhatIsNotReadIsNamed) {
  const Table table = read_bytes(
      "{\"a\": 1, \"u\": [1], \"n\": [[1]], \"m\": 1}\n{\"a\": 2, \"u\": [1, 2], \"n\": [[2]], \"m\": \"x\"}\n",
      "a.jsonl");
  EXPECT_EQ(names_of(table), "a m ");
  EXPECT_EQ(table.columns.at(1).texts, (Texts{"1", "x"}));
  EXPECT_TRUE(has_remark(table, "'u' is not read: its lists have different lengths, 1 and 2"));
  EXPECT_TRUE(has_remark(table, "'n' is not read: it holds lists or objects in lists"));
  EXPECT_TRUE(has_remark(table, "'m' has numbers and texts: it is read as texts"));
}

TEST(JsonLines, ObjectsInObjectsBecomeColumnsWithAllTheirNames) {
  const Table table = read_bytes(
      R"([{"a": 1, "b": {"c": 2, "d": {"e": 3, "f": [4, 5]}}}, {"a": 6, "b": {"c": 7, "d": {"e": 8, "f": [9, 10]}}},)"
      R"({"a": 11, "b": null}])",
      "a.json");
  EXPECT_EQ(names_of(table), "a b.c b.d.e b.d.f_0 b.d.f_1 ");
  EXPECT_EQ(table.columns.at(2).numbers[1], 8);
  EXPECT_EQ(table.columns.at(4).numbers[1], 10);
  EXPECT_TRUE(std::isnan(table.columns.at(4).numbers[2]));
  EXPECT_TRUE(table.remarks.empty());
}

// A name is the same however it is written, and a key may look like a place in a list.
TEST(JsonLines, NamesOfObjectsListsAndKeysMayMeet) {
  const Table table = read_bytes(
      "{\"a.b\": 1, \"1\": {\"0\": 5}, \"o\": null, \"p\": null}\n"
      "{\"a\": {\"b\": 2}, \"1\": [6], \"o\": {\"q\": 7}, \"p\": null}\n",
      "a.jsonl");
  EXPECT_EQ(names_of(table), "a.b 1.0 p 1_0 o.q ");
  EXPECT_EQ(table.columns.at(0).numbers[1], 2);
  const Table lists =
      read_bytes("{\"l\": [[1], 2], \"a\": [1, 2]}\n{\"l\": [3, 4], \"a\": [{\"b\": [1]}, 2], \"x\": 1}\n", "a.jsonl");
  EXPECT_EQ(names_of(lists), "x ");
  EXPECT_EQ(lists.remarks.size(), 2u);
  EXPECT_EQ(message_of_reading("{\"a.b\": 1, \"a\": {\"b\": 2}}\n", "a.jsonl"), "a.jsonl:1: 'a.b' is named twice");
}

TEST(JsonLines, WordsForMissingValuesMakeNoTexts) {
  for (const char* missing : {R"("")", R"("NA")"}) {
    const Table table =
        read_bytes(std::string(R"([{"t":1.5,"s":"a"},{"t":)") + missing + R"(,"s":"b"},{"t":2.5,"s":""}])", "a.json");
    EXPECT_FALSE(table.columns.at(0).is_text);
    EXPECT_EQ(table.columns[0].numbers[0], 1.5);
    EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
    EXPECT_EQ(table.columns[1].texts, (std::vector<std::string>{"a", "b", ""}));
    EXPECT_TRUE(table.remarks.empty());
  }
  const Table exact = read_bytes(R"([{"t":"NA"},{"t":12345678901234567891}])", "a.json");
  EXPECT_EQ(exact.columns.at(0).texts, (std::vector<std::string>{"", "12345678901234567891"}));
  EXPECT_TRUE(read_bytes(R"([{"t":1,"u":""},{"t":2,"u":"NA"}])", "a.json").columns.at(1).is_text);
}

TEST(JsonLines, ColumnsAskedForAsTextsKeepTheirWords) {
  const TemporaryFolder folder;
  DataRequest request{folder.write("a.json", R"([{"c":1,"x":1},{"c":"NA","x":2},{"c":"","x":3},{"c":7,"x":4}])")};
  request.format.texts = {"c"};
  EXPECT_EQ(load_table(request).columns.at(0).texts, (std::vector<std::string>{"1", "NA", "", "7"}));
}

TEST(JsonLines, NumbersBeyondDoublesAreNamed) {
  EXPECT_EQ(message_of_reading("[{\"a\": 1}, {\"a\": 1e400}]", "a.json"), "a.json: row 2: a number is too large");
  EXPECT_EQ(message_of_reading("{\"a\": 1}\n{\"a\": 1e400}\n", "a.jsonl"), "a.jsonl:2: a number is too large");
  EXPECT_EQ(
      message_of_reading(R"({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "value": 1e400}]})",
                         "g.json"),
      "g.json:1: a number is too large");
}

TEST(JsonLines, DamageIsToldWithItsLine) {
  EXPECT_EQ(message_of_reading("{\"a\": 1}\n{\"a\": 2\n{\"a\": 3}\n", "a.jsonl"), "a.jsonl:2: is not valid JSON");
  EXPECT_EQ(message_of_reading("{\"a\": 1}\n{\"a\": 2}\n5\n", "a.jsonl"),
            "a.jsonl:3: expected an object or a list, found a single value");
  EXPECT_EQ(message_of_reading("[{\"a\": 1}, {\"a\": 2}", "a.json"), "a.json: row 3: is not valid JSON");
  EXPECT_EQ(message_of_reading("{\"a\": 1, \"a\": 2}\n{\"a\": 1}\n", "a.jsonl"), "a.jsonl:1: 'a' is named twice");
  std::string deep = "{\"a\": 1}\n{\"a\": ";
  deep += std::string(100'000, '[');
  EXPECT_EQ(message_of_reading(deep, "a.jsonl"), "a.jsonl:2: is nested too deep: more than 64 levels");
}

// The parser takes a zero byte for the end.
TEST(JsonLines, AZeroByteEndsNothing) {
  const std::string rows = R"([{"a": 1}, {"a": 2}, {"a": 3}])";
  for (const std::string& bytes :
       {rows + std::string("\0, more", 7), "{\"a\": 1}\n{\"a\": 2}" + std::string("\0x\n", 3)})
    EXPECT_NE(message_of_reading(bytes, "a.json").find("is not valid JSON"), std::string::npos) << bytes;
  const std::string graph = R"({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]})";
  EXPECT_NE(message_of_reading(graph + std::string("\0 x", 3), "g.json").find("is not valid JSON"), std::string::npos);
}

TEST(JsonLines, ReadingTellsItsProgressAndCanBeCancelled) {
  std::string list = "[[0, 1]";
  for (int i = 1; i < 200'000; ++i) list += ",[" + std::to_string(i) + ",1]";
  const TemporaryFolder folder;
  LoadProgress progress;
  const Table table = load_table({folder.write("a.json", list + "]")}, &progress);
  EXPECT_EQ(table.rows, 200'000u);
  EXPECT_EQ(progress.fraction, 1.0F);
  progress.cancelled = true;
  EXPECT_THROW(load_table({folder.path("a.json")}, &progress), Cancelled);
  EXPECT_THROW(load_table({folder.write("a.jsonl", "{\"a\": 1}\n{\"a\": 2}\n")}, &progress), Cancelled);
}

}  // namespace
}  // namespace kinescope::sim::json_lines_test
