// Files as people have them, of twelve kinds: what is decided about header, types, label and rows left out. Files that
// the project does not have are made here as the exporting program writes them.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/readers/archives.hpp"

namespace kinescope::sim::real_files::real_files_test {
namespace {

using Names = std::vector<std::string>;

// The decisions that a person would expect when the file is opened without options.
struct Decided {
  bool header = false;
  std::string kinds;  // of the columns: i integer, r real, d date, n counter, c category, t text, - empty
  Names taking_part;  // {} for sparse rows
  std::size_t points = 0, dimensions = 0;
  std::string label;
  Names classes;
  std::vector<std::size_t> rows_left_out = {};
};

std::string kinds_of(const Findings& findings) {
  std::string kinds;
  for (const ColumnFinding& column : findings.columns) kinds += "irdnct-"[static_cast<std::size_t>(column.kind)];
  return kinds;
}

std::shared_ptr<const Dataset> expect_decided(const DataRequest& request, const Decided& expected) {
  const auto data = load_dataset(request);
  const Findings& findings = *data->findings;
  EXPECT_EQ(findings.has_header, expected.header) << request.source;
  EXPECT_EQ(kinds_of(findings), expected.kinds) << request.source;
  if (!data->sparse()) EXPECT_EQ(data->value_names, expected.taking_part) << request.source;
  EXPECT_EQ(data->points, expected.points) << request.source;
  EXPECT_EQ(data->dimensions, expected.dimensions) << request.source;
  EXPECT_EQ(data->label_name, expected.label) << request.source;
  EXPECT_EQ(data->label_names, expected.classes) << request.source;
  EXPECT_EQ(data->rows_left_out, expected.rows_left_out) << request.source;
  return data;
}

bool says(const Dataset& data, const std::string& sentence) {
  const std::vector<std::string> said = data.findings->sentences();
  return std::find(said.begin(), said.end(), sentence) != said.end();
}

Names digits(int count) {
  Names names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

TEST(RealFiles, TablesWithAClass) {
  const std::string iris = tests::data_file("iris.csv"), cancer = tests::data_file("cancer.csv"),
                    digits_file = tests::data_file("digits.csv");
  if (iris.empty() || cancer.empty() || digits_file.empty()) GTEST_SKIP() << "the folder of real data is absent";
  expect_decided({.source = iris}, {.header = true,
                                    .kinds = "rrrrc",
                                    .taking_part = {"sepal_length", "sepal_width", "petal_length", "petal_width"},
                                    .points = 150,
                                    .dimensions = 4,
                                    .label = "class",
                                    .classes = {"Iris-setosa", "Iris-versicolor", "Iris-virginica"}});
  expect_decided({.source = cancer},
                 {.header = true,
                  .kinds = "iiiiiiiiic",
                  .taking_part = {"clump_thickness", "cell_size", "cell_shape", "marginal_adhesion", "epithelial_size",
                                  "bare_nuclei", "bland_chromatin", "normal_nucleoli", "mitoses"},
                  .points = 683,
                  .dimensions = 9,
                  .label = "class",
                  .classes = {"benign", "malignant"}});
  const auto data = load_dataset({.source = digits_file});
  EXPECT_EQ(kinds_of(*data->findings), std::string(65, 'i'));
  EXPECT_EQ(data->dimensions, 64u);
  EXPECT_EQ(data->label_names, digits(10));
}

TEST(RealFiles, ImagesWithLabelsBeside) {
  const std::string path = tests::data_file("mnist-t10k-images-idx3-ubyte.gz");
  if (path.empty()) GTEST_SKIP() << "the folder of real data is absent";
  const auto data = load_dataset({.source = path});
  EXPECT_EQ(data->points, 10'000u);
  EXPECT_EQ(data->dimensions, 784u);
  EXPECT_EQ(data->label_name, "class");
  EXPECT_EQ(data->label_names, digits(10));
  EXPECT_EQ(data->findings->header_reason, "");
}

TEST(RealFiles, DocumentsAsSparseRows) {
  const std::string path = tests::data_file("docs.svm.gz");
  if (path.empty()) GTEST_SKIP() << "the folder of real data is absent";
  expect_decided({.source = path},
                 {.kinds = "i", .points = 26'096, .dimensions = 15'394, .label = "label", .classes = digits(9)});
}

TEST(RealFiles, ASpreadsheetSavedInGermany) {
  const TemporaryFolder folder;
  std::string bytes = "Umsatz der Filialen;;;;\r\nStand: 31.12.2024;;;;\r\n\r\nFiliale;Datum;Umsatz;Quote;Lage\r\n";
  for (int row = 1; row <= 12; ++row)
    bytes += "F" + std::to_string(row) + ";2024-" + (row < 10 ? "0" : "") + std::to_string(row) + "-01;" +
             std::to_string(1000 + 37 * row) + "," + std::to_string(row) + "5;" + std::to_string(row) + " %;" +
             (row % 3 ? "Stadt" : "Land") + "\r\n";
  DataRequest request{.source = folder.write("umsatz.csv", bytes)};
  request.format.skip_rows = 3;
  const auto data = expect_decided(request, {.header = true,
                                             .kinds = "tdrtc",
                                             .taking_part = {"Datum", "Umsatz"},
                                             .points = 12,
                                             .dimensions = 2,
                                             .label = "Lage",
                                             .classes = {"Land", "Stadt"}});
  EXPECT_EQ(data->findings->format, "CSV, separated by semicolons, decimal commas");
  EXPECT_EQ(data->table.find("Umsatz")->numbers[0], 1037.15);
  EXPECT_TRUE(says(*data, "'Quote' was read as text because of '1 %'; `--numbers Quote` reads its numbers"));
}

TEST(RealFiles, PandasWithItsIndex) {
  const TemporaryFolder folder;
  std::string bytes = ",mass,when,species\n";
  for (int row = 0; row < 10; ++row)
    bytes += std::to_string(row) + "," + (row == 4 ? "" : std::to_string(row * row % 7) + ".5") + ",1700000" +
             std::to_string(100 + 60 * row) + "," + (row % 2 ? "wren" : "robin") + "\n";
  const auto data = expect_decided({.source = folder.write("birds.csv", bytes)}, {.header = true,
                                                                                  .kinds = "nric",
                                                                                  .taking_part = {"c0", "mass", "when"},
                                                                                  .points = 9,
                                                                                  .dimensions = 3,
                                                                                  .label = "species",
                                                                                  .classes = {"robin", "wren"},
                                                                                  .rows_left_out = {6}});
  const auto& suggestions = data->findings->suggestions;
  const auto counters = std::find_if(suggestions.begin(), suggestions.end(), [](const Suggestion& each) {
    return each.kind == Suggestion::Kind::leave_out_counters;
  });
  ASSERT_NE(counters, suggestions.end());
  EXPECT_EQ(counters->columns, Names{"c0"});
}

TEST(RealFiles, RWithRowNames) {
  const TemporaryFolder folder;
  expect_decided(
      {.source = folder.write("mtcars.txt",
                              "\"mpg\" \"cyl\" \"gear\" \"kind\"\n\"Mazda RX4\" 21 6 4 \"a\"\n\"Fiat 128\" 32.4 4 4 "
                              "\"b\"\n\"Duster 360\" 14.3 8 3 \"a\"\n\"Valiant\" 18.1 6 3 NA\n")},
      {.header = true,
       .kinds = "triic",
       .taking_part = {"mpg", "cyl", "gear"},
       .points = 4,
       .dimensions = 3,
       .label = "kind",
       .classes = {"a", "b", "missing"}});
}

TEST(RealFiles, ATableOfAnOfficeWithFootnotes) {
  const TemporaryFolder folder;
  const std::string table = "Region,2021,2022,2023\nNorth,\"1,204\",51,49\nSouth,998,(12),47\nEast,..,40,41\n";
  // Footnotes have one cell: the error names their line.
  const std::string path = folder.write("office.csv", table + "\nSource: the office\n");
  EXPECT_EQ(input_message([&] { load_table({path}); }),
            path + ":6: expected 4 columns, found 1; `--skip-lines 6` skips it");
  DataRequest request{.source = folder.write("office.csv", table)};
  request.columns = {"2023"};
  expect_decided(request, {.header = true,
                           .kinds = "ttti",
                           .taking_part = {"2023"},
                           .points = 3,
                           .dimensions = 1,
                           .label = "",
                           .classes = {}});
}

TEST(RealFiles, SparseRowsOfScikitLearn) {
  const TemporaryFolder folder;
  // dump_svmlight_file writes three lines of comment, and counts from 0 if it is asked to.
  const auto data = expect_decided(
      {.source = folder.write("news.svm",
                              "# Generated by dump_svmlight_file from scikit-learn 1.4.0\n# Column indices are "
                              "zero-based\n#\n2 0:0.5 7:1.25\n0 3:1e-3\n2 1:2 7:4\n")},
      {.kinds = "i", .points = 3, .dimensions = 8, .label = "label", .classes = {"0", "2"}});
  EXPECT_EQ(data->sparse()->value.size(), 5u);
}

TEST(RealFiles, AMatrixOfScipy) {
  const TemporaryFolder folder;
  const auto data =
      expect_decided({.source = folder.write("graph.mtx",
                                             "%%MatrixMarket matrix coordinate real symmetric\n%\n3 3 4\n1 1 "
                                             "4e0\n2 1 -1\n3 2 -1\n3 3 2.5\n")},
                     {.kinds = "", .points = 3, .dimensions = 3, .label = "", .classes = {}});
  EXPECT_EQ(data->sparse()->value.size(), 6u);
}

TEST(RealFiles, AnArchiveOfNumpy) {
  const TemporaryFolder folder;
  const std::string path = tests::write_zip(folder.path("digits.npz"),
                                            {{"images.npy", tests::npy_bytes("(3, 2)", {1, 2, 3, 4, 5, 6.5})},
                                             {"target.npy", tests::npy_bytes("(3,)", {0, 1, 0})}},
                                            true);
  const auto data = expect_decided(
      {.source = path},
      {.kinds = "ir", .taking_part = {"c0", "c1"}, .points = 3, .dimensions = 2, .label = "", .classes = {}});
  EXPECT_TRUE(says(*data, "the archive also holds 'target' (3)"));
}

#if KINESCOPE_HDF5
TEST(RealFiles, CellsOfAnnData) {
  const TemporaryFolder folder;
  tests::write_cells(folder.path("pbmc.h5ad"), "csr_matrix");
  expect_decided(
      {.source = folder.path("pbmc.h5ad")},
      {.kinds = "tciii", .points = 4, .dimensions = 3, .label = "cell_type", .classes = {"B", "T", "missing"}});
}
#endif

TEST(RealFiles, QuotedLineEndsAndEveryKindOfGzip) {
  const std::string table =
      "id\tnote\tx\tmood\n1\t\"two\nlines\"\t1.5\tgood\n2\t\"a \"\"word\"\"\"\t2.5\tbad\n3\t\t3.5\tgood\n";
  const TemporaryFolder folder;
  const std::string half = table.substr(0, 40), rest = table.substr(40);
  for (const std::string& bytes : {table, gzip(table), gzip(half) + gzip(rest), gzip(table) + std::string(512, '\0')}) {
    const auto data = expect_decided({.source = folder.write("notes.tsv", bytes)}, {.header = true,
                                                                                    .kinds = "itrc",
                                                                                    .taking_part = {"id", "x"},
                                                                                    .points = 3,
                                                                                    .dimensions = 2,
                                                                                    .label = "mood",
                                                                                    .classes = {"bad", "good"}});
    EXPECT_EQ(data->table.find("note")->texts, (Names{"two\nlines", "a \"word\"", ""}));
    EXPECT_EQ(data->table.row_lines, (std::vector<std::size_t>{2, 4, 5}));
  }
}

}  // namespace
}  // namespace kinescope::sim::real_files::real_files_test
