// The layouts of HDF5 files, each written as its own programs write it.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/random.hpp"
#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"
#include "tests/sim/data/sparse_cases.hpp"

#if KINESCOPE_HDF5
namespace kinescope::sim::hdf5_cases::layouts_test {
namespace {

using tests::Hdf5Writer;
using Texts = std::vector<std::string>;
using Rows = std::vector<std::vector<float>>;

const Rows expected = {{1, 0, 2}, {0, 0, 3}, {4, 5, 0}, {0, 6, 0}};
const Texts cells = {"c0", "c1", "c2", "c3"};

// The expected matrix as SciPy's arrays; by its columns if `columns`.
void write_sparse(Hdf5Writer& file, const std::string& group, bool columns = false) {
  file.numbers(group + "/indptr", {columns ? 4u : 5u},
               columns ? std::vector<double>{0, 2, 4, 6} : std::vector<double>{0, 2, 3, 5, 6}, true);
  file.numbers(group + "/indices", {6},
               columns ? std::vector<double>{0, 2, 2, 3, 0, 1} : std::vector<double>{0, 2, 2, 0, 1, 1}, true);
  file.numbers(group + "/data", {6},
               columns ? std::vector<double>{1, 4, 5, 6, 2, 3} : std::vector<double>{1, 2, 3, 4, 5, 6});
}

Rows rows_of(const Table& table) {
  if (table.sparse) return tests::dense(table);
  Rows rows(table.rows);
  for (const Column& column : table.columns)
    for (std::size_t row = 0; row < table.rows && !column.annotates; ++row)
      rows[row].push_back(static_cast<float>(column.numbers[row]));
  return rows;
}

Texts texts(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  return column && column->annotates ? column->texts : Texts{"none"};
}

// AnnData 0.5 and 0.6: records, and categories in `uns`.
void write_records(const std::string& path, bool sparse) {
  Hdf5Writer file(path);
  if (sparse) {
    file.group("/X");
    file.attribute("/X", "h5sparse_format", "csr");
    file.attribute("/X", "h5sparse_shape", std::vector<long long>{4, 3});
    write_sparse(file, "/X");
  } else {
    file.numbers("/X", {4, 3}, {1, 0, 2, 0, 0, 3, 4, 5, 0, 0, 6, 0});
  }
  file.records("/obs", cells, "louvain", {1, 0, 1, -1});
  file.records("/var", {"g0", "g1", "g2"}, "", {});
  file.records("/obsm", cells, "", {}, {0, 1, 2, 3, 4, 5, 6, 7});
  file.group("/uns");
  file.texts("/uns/louvain_categories", {"B", "T"});
}

// AnnData 0.7: groups of columns, and categories in `__categories`.
void write_groups(const std::string& path) {
  Hdf5Writer file(path);
  file.numbers("/X", {4, 3}, {1, 0, 2, 0, 0, 3, 4, 5, 0, 0, 6, 0});
  file.group("/obs");
  file.attribute("/obs", "_index", "index");
  file.texts_attribute("/obs", "column-order", {"louvain"});
  file.texts("/obs/index", cells);
  file.numbers("/obs/louvain", {4}, {1, 0, 1, -1}, true);
  file.group("/obs/__categories");
  file.texts("/obs/__categories/louvain", {"B", "T"});
  file.group("/var");
  file.attribute("/var", "_index", "_index");
  file.texts("/var/_index", {"g0", "g1", "g2"});
  file.group("/obsm");
  file.numbers("/obsm/X_umap", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
}

// AnnData of today.
void write_today(const std::string& path) {
  Hdf5Writer file(path);
  file.attribute("/", "encoding-type", "anndata");
  file.group("/X");
  file.attribute("/X", "encoding-type", "csc_matrix");
  file.attribute("/X", "shape", std::vector<long long>{4, 3});
  write_sparse(file, "/X", true);
  file.group("/obs");
  file.attribute("/obs", "_index", "index");
  file.texts_attribute("/obs", "column-order", {"stage", "louvain", "n", "ok", "word", "far", "tensor"});
  file.texts("/obs/index", cells);
  for (const std::string name : {"louvain", "stage"}) {
    file.group("/obs/" + name);
    file.attribute("/obs/" + name, "encoding-type", "categorical");
    file.attribute("/obs/" + name, "ordered", name == "stage");
    file.numbers("/obs/" + name + "/codes", {4}, {1, 0, 1, -1}, true);
    file.texts("/obs/" + name + "/categories", name == "stage" ? Texts{"late", "early"} : Texts{"B", "T"});
  }
  for (const std::string name : {"n", "ok", "word"}) {
    file.group("/obs/" + name);
    file.booleans("/obs/" + name + "/mask", {0, 1, 0, 0});
  }
  file.numbers("/obs/n/values", {4}, {7, 1, 9, 8}, true);
  file.booleans("/obs/ok/values", {1, 1, 0, 1});
  file.texts("/obs/word/values", {"x", "", "y", "x"});
  file.numbers("/obs/far", {4}, {1, INFINITY, 3, -INFINITY});
  file.numbers("/obs/tensor", {4, 1, 1}, {1, 2, 3, 4});
  file.group("/var");
  file.attribute("/var", "_index", "_index");
  file.texts("/var/_index", {"g0", "g1", "g2"});
  file.group("/obsm");
  file.numbers("/obsm/X_umap", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  file.group("/obsm/frame");
  file.attribute("/obsm/frame", "_index", "_index");
  file.texts("/obsm/frame/_index", cells);
  file.numbers("/obsm/frame/u", {4}, {3, 2, 1, 0});
  file.group("/layers");
  file.numbers("/layers/twice", {4, 3}, {2, 0, 4, 0, 0, 6, 8, 10, 0, 0, 12, 0});
  file.group("/raw");
  file.numbers("/raw/X", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  file.group("/raw/var");
  file.attribute("/raw/var", "_index", "_index");
  file.texts("/raw/var/_index", {"h0", "h1"});
}

TEST(Hdf5Layouts, EachAgeOfAnnDataIsTheSameTable) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5ad");
  for (const int age : {5, 6, 7, 12}) {
    if (age <= 6) write_records(path, age == 5);
    if (age == 7) write_groups(path);
    if (age == 12) write_today(path);
    const Table table = load_table({path});
    EXPECT_EQ(rows_of(table), expected) << age;
    EXPECT_EQ(texts(table, "index"), cells) << age;
    EXPECT_EQ(texts(table, "louvain"), (Texts{"T", "B", "T", ""})) << age;
    ASSERT_TRUE(table.find("X_umap.1")) << age;
    EXPECT_EQ(table.find("X_umap.1")->numbers, (Numbers{1, 3, 5, 7})) << age;
    EXPECT_EQ(load_dataset({path})->value_names, (Texts{"g0", "g1", "g2"})) << age;
    EXPECT_EQ(load_dataset({path})->label_name, "louvain") << age;
    const Table layout = load_table({path + ":/obsm/X_umap"});
    EXPECT_EQ(rows_of(layout), (Rows{{0, 1}, {2, 3}, {4, 5}, {6, 7}})) << age;
    EXPECT_EQ(texts(layout, "louvain"), (Texts{"T", "B", "T", ""})) << age;
  }
}

TEST(Hdf5Layouts, PackedFilesAreReadFromOneWithoutAName) {
  const TemporaryFolder folder;
  write_today(folder.path("a.h5ad"));
  std::ifstream file(folder.path("a.h5ad"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(rows_of(load_table({folder.write("b.h5ad.gz", gzip(bytes))})), expected);
}

TEST(Hdf5Layouts, WhatAnnDataHoldsToday) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5ad");
  write_today(path);
  const Table table = load_table({path});
  EXPECT_EQ(texts(table, "ok"), (Texts{"True", "", "False", "True"}));
  EXPECT_EQ(texts(table, "word"), (Texts{"x", "", "y", "x"}));
  ASSERT_TRUE(table.find("n") && table.find("far") && table.find("frame.u"));
  EXPECT_TRUE(std::isnan(table.find("n")->numbers[1]));
  EXPECT_EQ(table.find("n")->numbers[2], 9);
  EXPECT_TRUE(std::isnan(table.find("far")->numbers[1]) && std::isnan(table.find("far")->numbers[3]));
  EXPECT_EQ(table.find("frame.u")->numbers, (Numbers{3, 2, 1, 0}));
  EXPECT_EQ(table.remarks, (Texts{"infinities in 'far' are read as missing values",
                                  "not read, because of what they hold: 'obs/tensor'",
                                  "the file also holds '/layers/twice', '/raw/X': a.h5ad:/layers/twice opens one"}));
  EXPECT_EQ(load_dataset({.source = path, .label = "stage"})->label_names, (Texts{"late", "early", "missing"}));

  Rows twice = expected;
  for (auto& row : twice)
    for (float& value : row) value *= 2;
  EXPECT_EQ(rows_of(load_table({path + ":layers/twice"})), twice);
  EXPECT_EQ(load_table({path + ":layers/twice"}).columns[1].name, "g1");
  EXPECT_EQ(load_table({path + ":raw/X"}).columns[1].name, "h1");
  EXPECT_EQ(rows_of(load_table({path + ":/obsm/frame"})), (Rows{{3}, {2}, {1}, {0}}));
  EXPECT_NE(input_message([&] { load_table({path + ":layers/none"}); }).find("no array '/layers/none'; it holds"),
            std::string::npos);
}

void write_tenx(Hdf5Writer& file, const std::string& group) {
  file.group(group);
  file.texts(group + "/barcodes", cells);
  file.numbers(group + "/shape", {2}, {3, 4}, true);
  write_sparse(file, group);
}

TEST(Hdf5Layouts, CountsOf10x) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.h5");
  {
    Hdf5Writer file(path);
    for (const std::string genome : {"/hg19", "/mm10"}) {
      write_tenx(file, genome);
      file.texts(genome + "/gene_names", {"g0", "g1", "g2"});
    }
  }
  EXPECT_EQ(input_message([&] { load_table({path}); }),
            path + ": which genome? It holds 'hg19', 'mm10'; choose one with a.h5:hg19");
  const Table old = load_table({path + ":mm10"});
  EXPECT_EQ(rows_of(old), expected);
  EXPECT_EQ(texts(old, "barcode"), cells);
  {
    Hdf5Writer file(path);
    write_tenx(file, "/matrix");
    file.group("/matrix/features");
    file.texts("/matrix/features/name", {"g0", "CD3", "g2"});
    file.texts("/matrix/features/feature_type", {"Gene Expression", "Antibody Capture", "Gene Expression"});
  }
  const Table table = load_table({path});
  EXPECT_EQ(rows_of(table), (Rows{{1, 2}, {0, 3}, {4, 0}, {0, 0}}));
  EXPECT_EQ(table.sparse->names, (Texts{"g0", "g2"}));
  EXPECT_EQ(table.remarks, (Texts{"2 features of 'Gene Expression' are read; left out: 1 of 'Antibody Capture': "
                                  "'a.h5:Antibody Capture' reads those"}));
  EXPECT_EQ(rows_of(load_table({path + ":Antibody Capture"})), (Rows{{0}, {0}, {5}, {6}}));
  EXPECT_EQ(input_message([&] { load_table({path + ":x"}); }),
            path + ": no features of type 'x'; it holds 'Antibody Capture', 'Gene Expression'");
}

TEST(Hdf5Layouts, SamplesOfBiom) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.biom");
  for (const bool by_samples : {true, false}) {
    {
      Hdf5Writer file(path);
      for (const std::string axis : {"/observation", "/sample"}) {
        file.group(axis);
        file.group(axis + "/metadata");
        if ((axis == "/sample") != by_samples) continue;
        file.group(axis + "/matrix");
        write_sparse(file, axis + "/matrix", !by_samples);
      }
      file.texts("/observation/ids", {"g0", "g1", "g2"});
      file.texts("/sample/ids", cells);
      file.texts("/sample/metadata/site", {"a", "b", "a", "b"});
      file.texts("/observation/metadata/taxonomy", {"x", "y", "z"});
    }
    const Table table = load_table({path});
    EXPECT_EQ(rows_of(table), expected) << by_samples;
    EXPECT_EQ(texts(table, "sample"), cells);
    EXPECT_EQ(texts(table, "site"), (Texts{"a", "b", "a", "b"}));
    EXPECT_EQ(table.sparse->names, (Texts{"g0", "g1", "g2"}));
    EXPECT_EQ(table.remarks, (Texts{"the rows are the samples, and the 3 observations their columns",
                                    "not read: 'observation/metadata/taxonomy'"}));
  }
}

TEST(Hdf5Layouts, CellsOfLoomAreRows) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.loom");
  for (const double added : {0.0, 1.0}) {  // many zeros; none
    {
      Hdf5Writer file(path);
      std::vector<double> values = {1, 0, 4, 0, 0, 0, 0, 6, 2, 3, 0, 0};
      for (double& value : values) value += added;
      file.numbers("/matrix", {3, 4}, values);
      file.group("/row_attrs");
      file.texts("/row_attrs/Gene", {"g0", "g1", "g2"});
      file.group("/col_attrs");
      file.texts("/col_attrs/CellID", cells);
      file.numbers("/col_attrs/tsne", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
    }
    const Table table = load_table({path});
    EXPECT_EQ(table.sparse != nullptr, added == 0);
    Rows rows = {{1, 0, 2}, {0, 0, 3}, {4, 0, 0}, {0, 6, 0}};
    for (auto& row : rows)
      for (float& value : row) value += static_cast<float>(added);
    EXPECT_EQ(rows_of(table), rows);
    EXPECT_EQ(texts(table, "CellID"), cells);
    ASSERT_TRUE(table.find("tsne.1"));
    EXPECT_EQ(table.find("tsne.1")->numbers, (Numbers{1, 3, 5, 7}));
    EXPECT_EQ(load_dataset({path})->value_names, (Texts{"g0", "g1", "g2"}));
    EXPECT_EQ(table.remarks.at(0),
              "the rows of the file are 3 genes, so it is transposed: the rows here are the cells");
  }
}

// Bytes changed in files of each layout: a table, or one line.
TEST(Hdf5Layouts, DamageEndsInALineOrATable) {
  const TemporaryFolder folder;
  write_records(folder.path("records"), true);
  write_groups(folder.path("groups"));
  write_today(folder.path("today"));
  const Random random(7, 2);
  for (const std::string name : {"records", "groups", "today"}) {
    const std::string whole = bytes_of(folder.path(name));
    int refused = 0;
    constexpr std::uint64_t files = 40;
    for (std::uint64_t k = 0; k < files; ++k) {
      std::string damaged = whole;
      for (std::uint32_t byte = 0; byte < 3; ++byte) {
        const RandomWords words = random.words(4 * k + byte);
        damaged[words[0] % damaged.size()] = static_cast<char>(words[1]);
      }
      folder.write("a.h5ad", damaged);
      try {
        load_table({folder.path("a.h5ad")});
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
    EXPECT_LT(refused, static_cast<int>(files)) << name;
  }
}

}  // namespace
}  // namespace kinescope::sim::hdf5_cases::layouts_test
#endif
