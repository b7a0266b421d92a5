// Packed files, archives of one file, text in UTF-16, and standard input.
#include <bzlib.h>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <lzma.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include <zstd.h>

#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/input_file.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"

namespace kinescope::sim::packing_test {
using tests::npy_bytes;
using tests::write_zip;

namespace {

std::string zstd(const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

std::string xz(const std::string& bytes) {
  std::string packed(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                    bytes.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size()),
            LZMA_OK);
  packed.resize(size);
  return packed;
}

std::string bzip2(std::string bytes) {
  std::string packed(bytes.size() * 2 + 1000, '\0');
  auto size = static_cast<unsigned>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, bytes.data(), static_cast<unsigned>(bytes.size()), 9, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

std::string utf16(std::u16string_view text, bool big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 255);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

struct Packer {
  std::string ending, text;
  std::function<std::string(const std::string&)> pack;
};

const std::vector<Packer> packers = {{".gz", "gzipped", [](const std::string& bytes) { return gzip(bytes); }},
                                     {".zst", "packed by zstd", zstd},
                                     {".xz", "packed by xz", xz},
                                     {".bz2", "packed by bzip2", bzip2}};

std::string long_table(std::size_t rows) {
  std::string text = "a,b\n";
  for (std::size_t i = 0; i < rows; ++i) text += std::to_string(i) + "," + std::to_string(i * 7919 % 1013) + "\n";
  return text;
}

// A file that repeats itself: 64 MiB of rows are read, a hundred more are not, in time that does not grow with them.
TEST(Packing, GivesNoMoreThanItsSizeJustifies) {
  std::string rows = "a,b\n";
  while (rows.size() < (80u << 20)) rows += "1,2\n";
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv.zst", zstd(rows));
  const std::string message = input_message([&] { load_table({path}); });
  EXPECT_NE(message.find(" unpack to more than 67.1 MB, the most that a packed file may give; unpack it before"),
            std::string::npos)
      << message;
}

TEST(Packing, EachKindIsThePlainTableWhateverItsName) {
  const std::string text = long_table(200'000);
  const Table plain = read_bytes(text);
  for (const Packer& packer : packers)
    for (const std::string& name : {"t.csv" + packer.ending, std::string("t")}) {
      const Table table = read_bytes(packer.pack(text), name);
      EXPECT_EQ(table.format, "CSV, " + packer.text);
      ASSERT_EQ(table.rows, plain.rows) << name;
      for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(table.columns[c].numbers, plain.columns[c].numbers) << name;
    }
}

TEST(Packing, SeveralMembersAreOneFileAndOnePackingMayBeInAnother) {
  for (const Packer& packer : packers) {
    EXPECT_EQ(read_bytes(packer.pack("a,b\n1,2\n") + packer.pack("3,4\n")).rows, 2u) << packer.ending;
    EXPECT_EQ(read_bytes(gzip(packer.pack("a,b\n1,2\n"))).format, "CSV, gzipped, " + packer.text);
  }
}

TEST(Packing, WhatIsCutOffOrDamagedIsOneLine) {
  const std::string text = long_table(20'000);
  for (const Packer& packer : packers) {
    const std::string whole = packer.pack(text);
    for (std::size_t part = 1; part < 20; ++part) {
      const std::string message = message_of_reading(whole.substr(0, whole.size() * part / 20), "t" + packer.ending);
      EXPECT_EQ(message, "t" + packer.ending + ": the compressed data are cut off");
      std::string flipped = whole;
      flipped[whole.size() * part / 20] ^= 0x10;
      const std::string damage = message_of_reading(flipped, "t" + packer.ending);
      EXPECT_NE(damage, "(no error)") << packer.ending << part;
    }
  }
}

TEST(Packing, TheOnlyFileOfAnArchiveIsReadAndOneOfSeveralIsNamed) {
  const TemporaryFolder folder;
  const std::string one =
      write_zip(folder.path("a.zip"),
                {{"__MACOSX/._t.csv", "x"}, {"d/", ""}, {"d/.DS_Store", "x"}, {"d/t.tsv", "a,x\tb\n1\t2\n"}});
  const Table table = load_table({one});
  EXPECT_EQ(table.format, "TSV, zipped");
  EXPECT_EQ(table.columns[0].name, "a,x");
  const std::string two = write_zip(folder.path("b.zip"), {{"t.csv", "a,b\n1,2\n"}, {"u.csv", "c,d\n3,4\n"}});
  EXPECT_EQ(input_message([&] { load_table({two}); }),
            two + ": which file? The archive holds 't.csv', 'u.csv'; choose one with b.zip:t.csv");
  EXPECT_EQ(load_table({two + ":u.csv"}).columns[0].name, "c");
  EXPECT_EQ(input_message([&] { load_table({two + ":v.csv"}); }), two + ": no file 'v.csv'; it holds 't.csv', 'u.csv'");
  EXPECT_EQ(input_message([&] {
              load_table({write_zip(folder.path("c.zip"), {{"d/", ""}})});
            }),
            folder.path("c.zip") + ": an archive without files");
  // An archive in another packing is unpacked to a file first.
  EXPECT_EQ(load_table({folder.write("a.zip.gz", gzip(bytes_of(one)))}).format, "TSV, gzipped, zipped");
}

TEST(Packing, WhatPackersLeaveInAnArchiveDoesNotCount) {
  const TemporaryFolder folder;
  const std::string table = "a,b\n1,2\n", jar = folder.path("jar.zip");
  write_zip(jar, {{"META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n"},
                  {".git/config", "x"},
                  {"d/.t.swp", table},
                  {"t.csv", table}});
  EXPECT_EQ(load_table({jar}).format, "CSV, zipped");
  EXPECT_EQ(load_table({jar + ":d/.t.swp"}).rows, 1u) << "one that is named is read";
  EXPECT_EQ(load_table({write_zip(folder.path("h.zip"), {{".t.csv", table}})}).rows, 1u);
  for (const std::string other : {"[Content_Types].xml", "mimetype", "doc.kml", "content.xml"}) {
    const std::string path = write_zip(folder.path("a.zip"), {{other, "x"}, {"t.csv", table}});
    EXPECT_EQ(input_message([&] { load_table({path}); }),
              path + ": which file? The archive holds '" + other + "', 't.csv'; choose one with a.zip:" + other);
    EXPECT_EQ(load_table({path + ":t.csv"}).columns.at(0).name, "a") << other;
  }
}

TEST(Packing, DocumentsAreRefusedAsWhatTheyAre) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> book = {{"[Content_Types].xml", "x"},
                                                                 {"_rels/.rels", "x"},
                                                                 {"xl/workbook.xml", "x"}},
                                                         sheet = {{"mimetype", "x"},
                                                                  {"content.xml", "x"},
                                                                  {"META-INF/manifest.xml", "x"}};
  const auto refused = [&](const std::string& name, const auto& files) {
    const std::string path = folder.path(name);
    write_zip(path, files);
    return input_message([&] { load_table({path}); }).substr(path.size() + 2);
  };
  EXPECT_EQ(refused("a.xlsx", book), "an Excel workbook is not read: save the sheet as CSV");
  EXPECT_EQ(refused("a.ods", sheet), "an OpenDocument spreadsheet is not read: save the sheet as CSV");
  EXPECT_EQ(refused("a.bin", book), "a ZIP archive is not read: unpack it, and open the file in it");
  EXPECT_EQ(refused("b.bin", sheet), "a ZIP archive is not read: unpack it, and open the file in it");
}

TEST(Packing, ArraysInPackedArchivesAreChosenByName) {
  const TemporaryFolder folder;
  const std::string whole =
      bytes_of(write_zip(folder.path("a.npz"),
                         {{"X.npy", npy_bytes("(2, 3)", {1, 2, 3, 4, 5, 6})}, {"Z.npy", npy_bytes("(1, 2)", {7, 8})}}));
  for (const Packer& packer : packers) {
    const std::string path = folder.write("a.NPZ" + packer.ending, packer.pack(whole));
    EXPECT_EQ(load_table({path + ":Z"}).columns[1].numbers, (std::vector<float>{8})) << packer.ending;
  }
  EXPECT_TRUE(folder.names().size() == 1 + packers.size());  // nothing is left behind
}

TEST(Packing, EndingsMayBePackedAndInCapitals) {
  EXPECT_TRUE(has_ending("a.CSV.GZ", ".csv"));
  EXPECT_TRUE(has_ending("a.npy.zst", ".npy .npz"));
  EXPECT_FALSE(has_ending("a.gz", ".csv"));
  const Inside packed = split_inside("x/cells.h5ad.gz:/obsm/X_pca");
  EXPECT_EQ(packed.file, "x/cells.h5ad.gz");
  EXPECT_EQ(packed.name, "/obsm/X_pca");
  const Inside archived = split_inside("a.zip:b.h5ad:/X");
  EXPECT_EQ(archived.file + "|" + archived.member + "|" + archived.name, "a.zip|b.h5ad|/X");
}

TEST(Packing, AFileThatBecomesShorterIsNoWholeFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.csv");
  std::ofstream(path) << std::string(4 << 20, '1');
  InputFile file(path);
  std::string bytes(1 << 20, '\0');
  EXPECT_EQ(file.read(bytes.data(), bytes.size()), bytes.size());
  std::filesystem::resize_file(path, 1000);
  try {
    file.read(bytes.data(), bytes.size());
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + ": has become shorter while it was read");
  }
}

TEST(Packing, AFileThatIsChangedWhileItIsReadIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "a,b\n1,2\n3,4\n");
  const auto message = [&](auto change) -> std::string {
    InputFile file(path);
    file.require_unchanged();
    change();
    try {
      file.require_unchanged();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto overwrite = [&](const std::string& bytes) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than a tick of the file system's clock
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << bytes;
  };
  EXPECT_EQ(message([&] { overwrite("a,b\n9"); }), path + ": was changed while it was read");
  EXPECT_EQ(message([&] { std::filesystem::resize_file(path, 6); }), path + ": has become shorter while it was read");
  EXPECT_EQ(message([&] { std::ofstream(path, std::ios::app) << "5,6\n"; }), "") << "a log grows";
  EXPECT_EQ(message([&] { overwrite("a,b\n7,7\n7,7\n7,7\n7,7\n7,7\n"); }), path + ": was changed while it was read");
  EXPECT_EQ(message([&] { std::filesystem::rename(folder.write("b.csv", "a\n"), path); }), "")
      << "the old one is whole";
  folder.write("a.csv", "a,b\n1,2\n3,4\n");
  const auto overwrite_and_go = [&](auto go) {
    return message([&] {
      overwrite("a,b\n9");
      go();
    });
  };
  EXPECT_EQ(overwrite_and_go([&] { std::filesystem::rename(path, path + ".old"); }),
            path + ": was changed while it was read");
  folder.write("a.csv", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(overwrite_and_go([&] { std::filesystem::remove(path); }), path + ": was changed while it was read");
  // A change far from both ends, in a file that has grown too.
  std::string rows = "a,b\n";
  for (int i = 0; i < 500'000; ++i) rows += "1,2\n";
  folder.write("a.csv", rows);
  EXPECT_EQ(message([&] {
              std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
              file.seekp(800'000) << std::string(400'000, '7');
              file.seekp(0, std::ios::end) << "5,6\n";
            }),
            path + ": was changed while it was read");
}

TEST(Packing, LinesMayEndWithCarriageReturnsAlone) {
  EXPECT_EQ(read_bytes("*Vertices 3\r1 \"a\"\r2 \"b\"\r3 \"c\"\r*Edges\r1 2\r2 3\n", "a.net").graph->nodes, 3u);
  EXPECT_EQ(read_bytes("@relation r\r@attribute x numeric\r@data\r1\r2\r", "a.arff").rows, 2u);
  EXPECT_EQ(read_bytes("{\"x\": 1}\r{\"x\": 2}\r", "a.jsonl").format, "JSON Lines, lines that end with CR");
  EXPECT_EQ(read_bytes("a,b\r1,2\r3,4\r").rows, 2u);
  // Bytes after a header stay; CR LF further on is one end.
  EXPECT_EQ(read_bytes(std::string("ply\rformat binary_little_endian 1.0\relement vertex 2\rproperty uchar x\r") +
                           "property uchar y\rproperty uchar z\rend_header\r\rAB\rCD",
                       "a.ply")
                .columns[0]
                .numbers[0],
            13);
  EXPECT_EQ(read_bytes(std::string("ply\rcomment made here\rformat binary_little_endian 1.0\relement vertex 2\r") +
                           "property uchar x\rproperty uchar y\rproperty uchar z\rend_header\r\rAB\rCD",
                       "a.ply")
                .columns[0]
                .numbers[0],
            13);
  EXPECT_EQ(read_bytes("a,b\r" + std::string(300'000, ' ') + "\r1,2\r\n3,4\r\n").row_lines,
            (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(read_bytes("a,b\r\n\"1\r2\",2\r\n3,4\r\n").format, "CSV");
}

TEST(Packing, TextInUtf16IsRead) {
  const std::u16string text = u"name,v\nK\u00F6ln \U0001F600,1\nB\u00E4h,2\n";
  for (const bool big : {false, true}) {
    const Table marked = read_bytes(utf16(u"\uFEFF" + text, big));
    EXPECT_EQ(marked.format, "CSV, UTF-16");
    EXPECT_EQ(marked.columns[0].name, "name");
    EXPECT_EQ(marked.columns[0].texts, (std::vector<std::string>{"K\u00F6ln \U0001F600", "B\u00E4h"}));
    EXPECT_EQ(read_bytes(utf16(u"a,b\n1,2\n3,4\n", big)).rows, 2u);  // without a mark
    EXPECT_EQ(message_of_reading(utf16(u"\uFEFFa,b\n1,2\n", big) + "x"),
              "data.csv: the text in UTF-16 ends within a character");
    const Table broken = read_bytes(utf16(u"\uFEFFn,v\na" + std::u16string(1, char16_t(0xD800)) + u"b,1\nc,2\n", big));
    EXPECT_EQ(broken.columns[0].texts[0], "a\uFFFDb");
  }
  EXPECT_EQ(message_of_reading(std::string("\xFF\xFE\0\0a\0\0\0", 8)),
            "data.csv: text in UTF-32 is not supported: save it as UTF-8");
}

}  // namespace
}  // namespace kinescope::sim::packing_test
