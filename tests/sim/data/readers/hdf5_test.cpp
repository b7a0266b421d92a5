#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "kinescope/random.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/readers/file_format.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"
#include "tests/sim/data/sparse_cases.hpp"

namespace kinescope::sim::hdf5_cases::hdf5_test {
namespace {

#if !KINESCOPE_HDF5

TEST(Hdf5, NeedsItsLibrary) {
  EXPECT_EQ(message_of_reading("\x89HDF\r\n\x1A\n...", "a.h5"),
            "a.h5: an HDF5 file needs libhdf5, and this program was built without it: install libhdf5 (Debian: "
            "libhdf5-dev, liblzf-dev) and build again");
}

#else

using tests::Hdf5Writer;
using Numbers = std::vector<float>;

// The error of reading the file that `make` writes; `inside` is appended to the file's name.
std::string refusal(const std::function<void(Hdf5Writer&)>& make, const std::string& inside = "") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  {
    Hdf5Writer file(path);
    make(file);
  }
  testing::internal::CaptureStderr();
  const std::string message = input_message([&] { load_table({path + inside}); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return message.starts_with(folder.path("")) ? message.substr(folder.path("").size()) : message;
}

// MuData's files begin with 512 bytes of their own. The name says nothing.
TEST(Hdf5, ReadsAFileBehindABlockOfTheUsers) {
  const TemporaryFolder folder;
  {
    Hdf5Writer file(folder.path("plain.h5"));
    file.group("/mod");
    file.numbers("/mod/X", {3, 2}, {1, 2, 3, 4, 5, 6.5}, false, 2);
    file.numbers("/mod/Y", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, false, 2);
  }
  for (const std::size_t block : {512, 2048}) {
    const std::string bytes = "MuData" + std::string(block - 6, '\0') + bytes_of(folder.path("plain.h5"));
    const std::string path = folder.write("cells.h5mu", bytes);
    EXPECT_NE(input_message([&] { load_table({path}); }).find("choose one with cells.h5mu:"), std::string::npos);
    const Table table = load_table({path + ":/mod/X"});
    ASSERT_EQ(table.rows, 3u);
    EXPECT_EQ(table.columns[1].numbers, (Numbers{2, 4, 6.5}));
  }
}

TEST(Hdf5, ReadsTheOnlyArrayOfTwoDimensions) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  {
    Hdf5Writer file(path);
    file.group("/run");
    file.numbers("/run/features", {3, 2}, {1, 2, 3, std::nan(""), 5, 6.5}, false, 2);
    file.numbers("/run/when", {3}, {7, 8, 9}, true);
  }
  const Table table = load_table({path});
  EXPECT_EQ(table.format, "HDF5, '/run/features'");
  ASSERT_EQ(table.rows, 3u);
  EXPECT_EQ(table.columns[0].numbers, (Numbers{1, 3, 5}));
  EXPECT_TRUE(std::isnan(table.columns[1].numbers[1]));
  EXPECT_EQ(table.columns[1].numbers[2], 6.5f);
  EXPECT_EQ(load_table({path + ":/run/when"}).columns[0].numbers, (Numbers{7, 8, 9}));
  EXPECT_EQ(load_table({path + ":run/when"}).rows, 3u);
}

// Going through all of them took the square of the depth, and the third power to ask for each.
TEST(Hdf5, GroupsNestedDeepAreRefusedAtOnceOrReadByName) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  std::string group;
  {
    Hdf5Writer file(path);
    for (int depth = 0; depth < 3000; ++depth) file.group(group += "/g");
    file.numbers(group + "/x", {3}, {1, 2, 3});
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(input_message([&] { load_table({path}); }),
            path + ": its groups are nested deeper than 128; choose an array with " + path + ":/PATH");
  EXPECT_EQ(load_table({path + ":" + group + "/x"}).rows, 3u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Hdf5, DoublesKeepTheirDigits) {
  const TemporaryFolder folder;
  {
    Hdf5Writer file(folder.path("a.h5"));
    file.numbers("/x", {2, 2}, {4184231.27, 1e300, 1700000000.001, 1});
  }
  const Table table = load_table({folder.path("a.h5")});
  EXPECT_EQ(table.columns[0].numbers, (sim::Numbers{4184231.27, 1700000000.001}));
  EXPECT_EQ(table.columns[1].numbers, (sim::Numbers{1e300, 1.0}));
}

TEST(Hdf5, ManyRowsInChunksAreTheSameRows) {
  const TemporaryFolder folder;
  constexpr std::size_t rows = 300'001;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows * 5; ++i) values.push_back(static_cast<double>(i % 9973));
  {
    Hdf5Writer file(folder.path("a.h5"));
    file.numbers("/x", {rows, 5}, values, false, 4096);
  }
  const Table table = load_table({folder.path("a.h5")});
  ASSERT_EQ(table.rows, rows);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(table.columns[i % 5].numbers[i / 5], values[i]);
  LoadProgress progress;
  progress.cancelled = true;
  EXPECT_THROW(load_table({folder.path("a.h5")}, &progress), Cancelled);
}

TEST(Hdf5, CellsOfAnnData) {
  const TemporaryFolder folder;
  const Numbers dense = {1, 0, 2, 0, 0, 3, 4, 5, 6, 0, 0, 0};
  for (const std::string format : {"dense", "csr_matrix", "csc_matrix"}) {
    tests::write_cells(folder.path("a.h5ad"), format);
    const auto data = load_dataset({.source = folder.path("a.h5ad")});
    EXPECT_EQ(data->points, 4u);
    EXPECT_EQ(data->dimensions, 3u) << format;
    EXPECT_EQ(data->name, "a.h5ad");
    EXPECT_EQ(data->findings->format, "AnnData (HDF5), '/X'");
    EXPECT_EQ(data->label_name, "cell_type");
    EXPECT_EQ(data->label_names, (std::vector<std::string>{"B", "T", "missing"}));
    EXPECT_EQ(data->labels, (std::vector<std::uint32_t>{1, 0, 1, 2}));
    ASSERT_TRUE(data->table.find("n_counts"));
    EXPECT_EQ(data->table.find("n_counts")->numbers, (Numbers{3, 3, 15, 0}));
    EXPECT_EQ(data->table.find("_index")->texts[2], "AACT-1");
    EXPECT_EQ(data->table.find("X_umap.1")->numbers, (Numbers{1, 3, 5, 7}));
    if (format == "dense") {
      EXPECT_EQ(data->values(), dense);
      EXPECT_EQ(data->value_names, (std::vector<std::string>{"CD3E", "MS4A1", "NKG7"}));
    } else {
      ASSERT_TRUE(data->sparse());
      tests::expect_sound(*data->sparse(), 4);
      Numbers seen(12);
      for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t i = 0; i < data->sparse()->size_of(row); ++i)
          seen[3 * row + data->sparse()->index_of(row)[i]] = data->sparse()->value_of(row)[i];
      EXPECT_EQ(seen, dense) << format;
    }
    // A stored layout has the same annotations. A column that annotates takes part if it is requested.
    EXPECT_EQ(load_dataset({.source = folder.path("a.h5ad:/obsm/X_umap")})->label_name, "cell_type");
    if (format != "dense") continue;
    DataRequest asked{.source = folder.path("a.h5ad")};
    asked.columns = {"CD3E", "n_counts"};
    EXPECT_EQ(load_dataset(asked)->dimensions, 2u);
  }
}

TEST(Hdf5, LzfAndHalfFloats) {
  const TemporaryFolder folder;
  std::vector<double> values;
  for (int i = 0; i < 600; ++i) values.push_back(i % 7);
  {
    Hdf5Writer lzf(folder.path("a.h5")), half(folder.path("b.h5"));
    lzf.lzf_numbers("/a", {200, 3}, values);
    half.half_numbers("/a", {2, 2}, {1.5, -2, 0.0999755859375, 65504});
  }
  const Table table = load_table({folder.path("a.h5")});
  ASSERT_EQ(table.rows, 200u);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(table.columns[i % 3].numbers[i / 3], values[i]);
  EXPECT_EQ(load_table({folder.path("b.h5")}).columns[0].numbers, (Numbers{1.5f, 0.0999755859375f}));
  EXPECT_EQ(load_table({folder.path("b.h5")}).columns[1].numbers, (Numbers{-2, 65504}));
}

TEST(Hdf5, WhatElseTheFileHoldsIsTold) {
  const TemporaryFolder folder;
  {
    Hdf5Writer file(folder.path("a.h5"));
    file.numbers("/a", {2, 2}, {1, 2, 3, 4});
    file.numbers("/cube", {1, 1, 2}, {1, 2});
  }
  EXPECT_EQ(load_table({folder.path("a.h5")}).remarks,
            (std::vector<std::string>{"the file also holds '/cube' (1 × 1 × 2)"}));
}

TEST(Hdf5, FilesThatLieGetOneLine) {
  EXPECT_EQ(refusal([](Hdf5Writer& file) {
              file.numbers("/cube", {1, 1, 2}, {1, 2});
            }),
            "a.h5: no array has rows and columns: it holds '/cube' (1 × 1 × 2); reshape one");
  EXPECT_EQ(refusal([](Hdf5Writer& file) {
              file.numbers("/a", {2, 2}, {1, 2, 3, 4});
              file.numbers("/b", {1, 2}, {1, 2});
            }),
            "a.h5: which array? It holds '/a' (2 × 2), '/b' (1 × 2); choose one with a.h5:/PATH");
  EXPECT_EQ(refusal(
                [](Hdf5Writer& file) {
                  file.numbers("/a", {2, 2}, {1, 2, 3, 4});
                },
                ":/b"),
            "a.h5: no array '/b'; it holds '/a' (2 × 2)");
  EXPECT_EQ(refusal([](Hdf5Writer& file) { file.texts("/a", {"x"}); }), "a.h5: holds no array of numbers");
  EXPECT_EQ(refusal([](Hdf5Writer& file) { file.texts("/a", {"x"}); }, ":/a"), "a.h5: '/a' does not hold numbers");
  EXPECT_EQ(refusal(
                [](Hdf5Writer& file) {
                  file.numbers("/a", {1, 1, 1}, {1});
                },
                ":/a"),
            "a.h5: '/a': expected 2 dimensions, found 3; reshape it to rows × columns");
  EXPECT_EQ(refusal([](Hdf5Writer& file) { file.numbers("/a", {0, 3}, {}); }), "a.h5: '/a' has no rows");
  EXPECT_EQ(message_of_reading("\x89HDF\r\n\x1A\n...", "a.h5"), "a.h5: not an HDF5 file, or cut off");
}

// The error of reading a sparse matrix of 2 × 3.
std::string sparse_refusal(const std::vector<double>& begin, const std::vector<double>& indices,
                           const std::vector<double>& values, const std::string& format = "csr_matrix",
                           const std::vector<long long>& shape = {2, 3}) {
  return refusal(
      [&](Hdf5Writer& file) {
        file.group("/X");
        file.attribute("/X", "encoding-type", format);
        if (!shape.empty()) file.attribute("/X", "shape", shape);
        file.numbers("/X/indptr", {begin.size()}, begin, true);
        file.numbers("/X/indices", {indices.size()}, indices, true);
        file.numbers("/X/data", {values.size()}, values);
      },
      ":/X");
}

TEST(Hdf5, SparseMatricesThatLieGetOneLine) {
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, 2}, {1, 2}), "(no error)");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, -1}, {1, 2}), "a.h5: '/X': the index -1 is outside of 0 … 2");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, 3}, {1, 2}), "a.h5: '/X': the index 3 is outside of 0 … 2");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0}, {1, 2}), "a.h5: '/X': it has 2 values and 1 indices");
  EXPECT_EQ(sparse_refusal({0, 1}, {0, 1}, {1, 2}), "a.h5: '/X': its 'indptr' has 2 entries, but 3 are needed");
  for (const std::vector<double>& begin : {std::vector<double>{0, 3, 2}, {1, 1, 2}, {0, 1, 1}, {0, -1, 2}})
    EXPECT_EQ(sparse_refusal(begin, {0, 1}, {1, 2}),
              "a.h5: '/X': its 'indptr' does not ascend from 0 to the number of values, 2");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, 1}, {1, std::nan("")}),
            "a.h5: '/X': a value that is not a number, infinite or beyond float32");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, 1}, {1, 2}, "coo_matrix"),
            "a.h5: '/X': expected sparse data as csr_matrix or csc_matrix, found 'coo_matrix'");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, 1}, {1, 2}, "csr_matrix", {}),
            "a.h5: '/X': its attribute 'shape' is missing");
  EXPECT_EQ(sparse_refusal({0, 1, 2}, {0, 1}, {1, 2}, "csr_matrix", {-1, 3}),
            "a.h5: '/X': a matrix of 0 × 3 is not supported");
}

// libhdf5 itself crashes on some of these.
TEST(Hdf5, DamagedCellsEndInALineOrATable) {
  const TemporaryFolder folder;
  tests::write_cells(folder.path("whole.h5ad"), "csr_matrix");
  const std::string whole = bytes_of(folder.path("whole.h5ad"));
  const Random random(4, 1);
  int refused = 0;
  constexpr int files = 100;
  for (std::uint64_t k = 0; k < files; ++k) {
    std::string damaged = whole;
    for (std::uint32_t byte = 0; byte < 3; ++byte) {
      const RandomWords words = random.words(4 * k + byte);
      damaged[words[0] % damaged.size()] = static_cast<char>(words[1]);
    }
    folder.write("a.h5ad", damaged);
    testing::internal::CaptureStderr();
    try {
      load_table({folder.path("a.h5ad")});
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << k;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, files);
}

TEST(Hdf5, AFileThatAWriterLeftOpenSaysSo) {
  const TemporaryFolder folder;
  const std::string path = folder.path("open.h5");
  std::string block = "\x89HDF\r\n\x1A\n";
  block += std::string("\x03\x08\x08\x01", 4);
  block += std::string(36, '\0');
  folder.write("open.h5", block);
  EXPECT_EQ(input_message([&] { load_table({path}); }),
            path +
                ": is marked as being written: a program writes it, or ended while it did; `h5clear -s FILE` takes "
                "the mark off");
}

TEST(Hdf5, WhatIsCutOffSaysSo) {
  const TemporaryFolder folder;
  tests::write_cells(folder.path("a.h5ad"), "csr_matrix");
  const std::string whole = bytes_of(folder.path("a.h5ad"));
  for (std::size_t length = 9; length < whole.size(); length += whole.size() / 40) {
    const std::string path = folder.write("b.h5ad", whole.substr(0, length));
    EXPECT_EQ(input_message([&] { load_table({path}); }), path + ": not an HDF5 file, or cut off") << length;
  }
}

#endif

}  // namespace
}  // namespace kinescope::sim::hdf5_cases::hdf5_test
