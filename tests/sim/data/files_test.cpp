// Files of all kinds: real data, gzip, other formats, damage.
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/random.hpp"
#include "sim/data/text.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::files_test {
namespace {

struct RealFile {
  const char* name;
  std::size_t points, dimensions, classes;
};

// Shapes as the data's own description states them.
TEST(Files, RealDataHaveTheirShapes) {
  const std::string folder = tests::data_folder();
  if (folder.empty()) GTEST_SKIP() << "the folder of real data is absent";
  for (const RealFile& file : {RealFile{"cancer.csv", 683, 9, 2}, RealFile{"shuttle.csv", 43500, 9, 7},
                               RealFile{"digits.csv", 1797, 64, 10}, RealFile{"iris.csv", 150, 4, 3}}) {
    DataRequest request;
    request.source = folder + "/" + file.name;
    const auto dataset = load_dataset(request);
    EXPECT_EQ(dataset->name, file.name);
    EXPECT_EQ(dataset->points, file.points) << file.name;
    EXPECT_EQ(dataset->dimensions, file.dimensions) << file.name;
    EXPECT_EQ(dataset->label_name, "class") << file.name;
    EXPECT_EQ(dataset->label_names.size(), file.classes) << file.name;
    EXPECT_EQ(dataset->values().size(), file.points * file.dimensions) << file.name;
    EXPECT_TRUE(dataset->rows_left_out.empty()) << file.name;
  }
}

TEST(Files, FormatsThatAreNotReadAreNamed) {
  const std::string what_is = " is not read: save the data as a table, for example as CSV";
  EXPECT_EQ(message_of_reading("GIF89a...", "a.gif"), "a.gif: a GIF picture is not read: save it as PNG");
  EXPECT_EQ(message_of_reading("PK\x03\x04...", "a.xlsx"),
            "a.xlsx: an Excel workbook is not read: save the sheet as CSV");
  for (const std::string bytes : {"{\"a\": [1, 2]}", "\xEF\xBB\xBF {\n \"a\": {\"0\": 1}}", "{}", "{\"a\": 1}\n"})
    EXPECT_EQ(message_of_reading(bytes, "t.json"),
              "t.json: of JSON, lines and lists of rows are read, not this object: save its rows as a list (pandas: "
              "to_json(FILE, orient=\"records\")), or as CSV")
        << bytes;
  for (const std::string bytes : {"<!DOCTYPE html>\n<html>", "\xEF\xBB\xBF\n<table><tr><td>1</td></tr></table>"})
    EXPECT_EQ(message_of_reading(bytes),
              "data.csv: this is a web page (HTML), not a table: save the table itself, for example as CSV");
  for (const std::string bytes : {"<root><a>1,2,3</a>\n<b>4,5,6</b></root>", "<m name=\"x\">1,2\n3,4</m>"})
    EXPECT_EQ(message_of_reading(bytes), "data.csv: an XML file" + what_is);
  EXPECT_EQ(read_bytes("<x>,y\n1,2\n").columns[0].name, "<x>");
  EXPECT_EQ(message_of_reading("\x03...", "t.dbf"), "t.dbf: a dBase table is not read: save it as CSV");
  EXPECT_EQ(read_bytes("[x],[y]\n1,2\n").columns[0].name, "[x]");
  EXPECT_EQ(message_of_reading(std::string("a\0b", 3)),
            "data.csv: a file that is neither text nor a picture" + what_is);
  EXPECT_EQ(read_bytes("BMI,age\n20,30\n").columns[0].name, "BMI");
  const std::string folder = tests::data_folder();
  if (folder.empty()) GTEST_SKIP() << "the folder of real data is absent";
  const std::string labels = folder + "/mnist-t10k-labels-idx1-ubyte.gz";
  EXPECT_TRUE(input_message([&] { load_table({labels}); }).find("an IDX file of labels alone") != std::string::npos);
}

TEST(Files, WhatIsNoFileSaysSo) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_message([&] { load_table({folder.path("absent.csv")}); }),
            folder.path("absent.csv") + ": no such file");
  EXPECT_EQ(input_message([&] { load_table({folder.path("")}); }), folder.path("") + ": is a directory");
  EXPECT_EQ(input_message([&] { load_table({""}); }), "the name of the data file is empty");
  EXPECT_EQ(input_message([&] { load_table({folder.write("f", "1") + "/x.csv"}); }),
            folder.path("f/x.csv") + ": cannot be read: Not a directory");
}

TEST(Files, AnAddressIsNotRead) {
  for (const std::string address : {"https://example.com/a.csv", "ftp://example.com/a.npz"})
    EXPECT_EQ(input_message([&] { load_table({address}); }),
              address + ": web addresses are not read: download the file first");
  EXPECT_EQ(input_message([] { load_table({"file:///tmp/a.csv"}); }),
            "file:///tmp/a.csv: addresses are not read: give the file's path");
}

TEST(Files, AnUnreadableFileSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  const std::string path = folder.write("secret.csv", "1,2\n");
  chmod(path.c_str(), 0);
  EXPECT_EQ(input_message([&] { load_table({path}); }), path + ": cannot be read: Permission denied");
}

std::string many_rows(int rows) {
  std::string text = "x,y\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + "," + std::to_string(i * 7919 % 10007) + "\n";
  return text;
}

TEST(Files, GzippedIsThePlainTable) {
  const std::string text = many_rows(200000);
  const Table plain = read_bytes(text), unpacked = read_bytes(gzip(text), "data.csv.gz");
  EXPECT_EQ(unpacked.format, "CSV, gzipped");
  EXPECT_EQ(unpacked.rows, 200000u);
  for (int column = 0; column < 2; ++column) EXPECT_EQ(unpacked.columns[column].numbers, plain.columns[column].numbers);
  // Gzip is recognized by its content, not by the name. It may have several members, and padding at the end.
  EXPECT_EQ(read_bytes(gzip(text), "data.csv").rows, 200000u);
  const Table joined = read_bytes(gzip("x,y\n1,2\n3") + gzip(",4\n") + std::string(100, '\0'));
  EXPECT_EQ(joined.columns[1].numbers, (std::vector<float>{2, 4}));
  EXPECT_EQ(read_bytes(gzip("a,b\tc\n1\t2\n"), "data.tsv.gz").columns.size(), 2u);
}

TEST(Files, DamagedGzipIsAnErrorWhereverItIsCut) {
  const std::string packed = gzip(many_rows(50));
  for (std::size_t length = 2; length < packed.size(); ++length)
    EXPECT_EQ(message_of_reading(packed.substr(0, length)), "data.csv: the compressed data are cut off") << length;
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;  // the checksum
  EXPECT_EQ(message_of_reading(flipped), "data.csv: the compressed data are damaged");
  EXPECT_EQ(message_of_reading(packed + "junk"), "data.csv: the compressed data are damaged");
  EXPECT_EQ(message_of_reading(gzip("")), "data.csv: is empty");
}

TEST(Files, ProgressEndsAtOneAndCancellingStops) {
  const TemporaryFolder folder;
  for (const std::string& path :
       {folder.write("a.csv", many_rows(200000)), folder.write("a.csv.gz", gzip(many_rows(200000)))}) {
    LoadProgress progress;
    load_table({path}, &progress);
    EXPECT_EQ(progress.fraction, 1.0f);
    progress.cancelled = true;
    EXPECT_THROW(load_table({path}, &progress), Cancelled);
  }
}

// Whatever is done to a good file, reading it gives a table that is whole or one line of an error.
TEST(Files, RandomDamageNeverDoesMoreThanAnError) {
  const TemporaryFolder folder;
  const std::string csv = "# note\nname,\"x \"\"1\"\"\",y\n\"a,b\",1.5,2\r\nc,-3e4,NA\n\"d\ne\",?,7\n",
                    packed = gzip(csv);
  std::string npy("\x93NUMPY\x01\x00\x46\x00", 10);
  npy += "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }          \n" + std::string(24, '\x3F');
  const std::string pieces[] = {"\"",   ",", "\n", "\r", "nan", "1e999", ";", "\t", "#", std::string(1, '\0'),
                                "\xFF", "9", "-",  "'",  ")"};
  const Random random(2024, 0);
  int tables = 0, errors = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    const RandomWords start = random.words(trial);
    std::string bytes = start[0] % 3 == 0 ? csv : start[0] % 3 == 1 ? npy : packed;
    for (std::uint32_t edit = 0; edit <= start[1] % 4; ++edit) {
      const RandomWords words = random.words(trial, edit + 1);
      const std::size_t place = uniform_below(words[0], static_cast<std::uint32_t>(bytes.size()) + 1);
      if (words[1] % 4 == 0) bytes.erase(place, words[2] % 8);
      if (words[1] % 4 == 1) bytes.insert(place, pieces[uniform_below(words[2], std::size(pieces))]);
      if (words[1] % 4 == 2 && place < bytes.size()) bytes[place] = static_cast<char>(bytes[place] ^ 1 << words[2] % 8);
      if (words[1] % 4 == 3) bytes.resize(place);
    }
    try {
      const Table table = load_table({folder.write("damaged", bytes)});
      ++tables;
      ASSERT_GT(table.rows, 0u);
      for (const Column& column : table.columns) ASSERT_EQ(column.size(), table.rows);
    } catch (const Error& error) {
      ++errors;
      ASSERT_EQ(error.exit_status(), 2) << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(tables, 100);
  EXPECT_GT(errors, 100);
}

TEST(Text, ShownFitsOneLine) {
  EXPECT_EQ(shown("abc"), "'abc'");
  EXPECT_EQ(shown("a\nb\x7F"), "'a b '");
  EXPECT_EQ(shown(std::string(100, 'x')), "'" + std::string(40, 'x') + "…'");
  EXPECT_EQ(shown(std::string(39, 'x') + "äöü"), "'" + std::string(39, 'x') + "…'");
}

TEST(Text, FileNamesAreThePathsLastPart) {
  EXPECT_EQ(file_name("/a/b.csv"), "b.csv");
  EXPECT_EQ(file_name("b.csv"), "b.csv");
  EXPECT_EQ(file_name("a/b/"), "b");
  EXPECT_EQ(file_name("/"), "/");
}

TEST(Text, OnlyValidUtf8PassesUnchanged) {
  for (const std::string_view valid : {"abc", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", ""})
    EXPECT_EQ(to_utf8(valid), valid);
  for (const std::string_view broken :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xFF", "\xE0\x80\x80"}) {
    EXPECT_NE(to_utf8(broken), broken);
    EXPECT_EQ(to_utf8(to_utf8(broken)), to_utf8(broken));
  }
}

}  // namespace
}  // namespace kinescope::sim::files_test
