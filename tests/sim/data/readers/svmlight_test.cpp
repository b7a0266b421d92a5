// svmlight and libsvm: what is read, what colours, what is refused.
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/sparse_cases.hpp"

namespace kinescope::sim::svmlight_test {
namespace {

using tests::dense;
using Rows = std::vector<std::vector<float>>;

TEST(Svmlight, IndicesCountFromOne) {
  const Table table = read_bytes("# made\n+1 1:0.5 3:-2 # the first\n\n-1 2:1e-3\r\n0\n1 qid:7 2:4 3:0\n", "a.svm");
  EXPECT_EQ(table.format, "svmlight");
  EXPECT_EQ(dense(table), (Rows{{0.5f, 0, -2}, {0, 1e-3f, 0}, {0, 0, 0}, {0, 4, 0}}));
  EXPECT_EQ(table.sparse->value.size(), 4u);  // the written 0 is not kept
  EXPECT_EQ(table.row_lines, (std::vector<std::size_t>{2, 4, 5, 6}));
  ASSERT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(table.columns[0].name, "label");
  EXPECT_EQ(table.columns[0].numbers, (std::vector<float>{1, -1, 0, 1}));
}

TEST(Svmlight, IndicesCountFromZeroIfOneIsZero) {
  EXPECT_EQ(dense(read_bytes("1 1:5\n1 0:2 1:3\n")), (Rows{{0, 5}, {2, 3}}));
  EXPECT_EQ(dense(read_bytes("1 0:2\n")), (Rows{{2}}));
  EXPECT_EQ(dense(read_bytes("1 1:5\n1 0:0 2:3\n")), (Rows{{0, 5, 0}, {0, 0, 3}}));
}

TEST(Svmlight, LabelsAreTextsUnlessAllAreNumbers) {
  const Table several = read_bytes("1,3 1:1\n2 2:1\n");
  EXPECT_TRUE(several.columns[0].is_text);
  EXPECT_EQ(several.columns[0].texts, (std::vector<std::string>{"1,3", "2"}));
  EXPECT_EQ(read_bytes("spam 1:1\nham 2:1\n", "a.libsvm").columns[0].texts[0], "spam");
  const Table none = read_bytes("1:0.5 4:2\n3:1\n");
  EXPECT_TRUE(none.columns.empty());
  EXPECT_EQ(dense(none), (Rows{{0.5f, 0, 0, 2}, {0, 0, 1, 0}}));
}

TEST(Svmlight, IsKnownByItsContentOrItsName) {
  EXPECT_EQ(read_bytes("# made\n\n1\t2:3\n", "a.txt").format, "svmlight");
  EXPECT_EQ(read_bytes("2 qid:1 2:3\n", "a.dat").format, "svmlight");
  EXPECT_EQ(read_bytes(gzip("2 2:3\n"), "a.dat.gz").format, "svmlight, gzipped");
  EXPECT_EQ(read_bytes("5\n7 1:1\n", "a.svm").rows, 2u);
  // Times of day are not rows.
  EXPECT_EQ(read_bytes("12:30\n13:45\n").format, "CSV");
  EXPECT_EQ(read_bytes("time,x\n12:30,5\n").format, "CSV");
  EXPECT_EQ(read_bytes("5 10:30\n7 11:15\n").format, "CSV, separated by blanks");
  EXPECT_EQ(read_bytes("5\t10:30\n7\t11:15\n").format, "TSV");
  EXPECT_EQ(read_bytes("2020-01-01 00:00\n2020-01-02 10:30\n").format, "CSV");
  EXPECT_EQ(read_bytes("5 10:30\n7 11:1.5\n").format, "svmlight");
}

TEST(Svmlight, LinesMayBeLongAndTheLastMayLackItsEnd) {
  std::string text = "1";
  for (int i = 1; i <= 400'000; ++i) text += " " + std::to_string(i) + ":" + std::to_string(i % 7 + 1);
  const Table table = read_bytes("\xEF\xBB\xBF" + text + "\n2 400000:5", "a.svm");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.sparse->columns, 400'000u);
  EXPECT_EQ(table.sparse->size_of(0), 400'000u);
  EXPECT_EQ(table.sparse->value_of(1)[0], 5);
  EXPECT_EQ(table.columns[0].numbers, (std::vector<float>{1, 2}));
}

TEST(Svmlight, LiesAreOneLine) {
  const auto says = [](const std::string& bytes, const std::string& message) {
    EXPECT_EQ(message_of_reading(bytes, "a.svm"), "a.svm:" + message) << bytes;
  };
  says("1 1:1\n1 3:1 2:1\n", "2: the index '2' follows 3; indices must ascend");
  says("1 3:1 3:1\n", "1: the index '3' occurs twice");
  says("1 x:1\n", "1: expected INDEX:VALUE, found 'x:1'");
  says("1 -1:1\n", "1: expected INDEX:VALUE, found '-1:1'");
  says("1 1:1 2\n", "1: expected INDEX:VALUE, found '2'");
  says("1 :5\n", "1: expected INDEX:VALUE, found ':5'");
  says("1 2147483649:1\n", "1: the index '2147483649' is beyond 2^31");
  says("1 99999999999999999999:1\n", "1: the index '99999999999999999999' is beyond 2^31");
  says("1 1:abc\n", "1: expected a number after ':', found '1:abc'");
  says("1 1:\n", "1: expected a number after ':', found '1:'");
  says("1 1:nan\n", "1: expected a number after ':', found '1:nan'");
  says("1 1:inf\n", "1: '1:inf' is beyond float32");
  says("1 1:1e39\n", "1: '1:1e39' is beyond float32");
  says("1 1:1\ninf 1:1\n", "2: the label 'inf' is not a finite number");
  says("4 3 1\n1 0:1\n", " 1 row, but the first line says 4");
  says("1 3 1\n1 3:1\n", " the index 3 is beyond the 3 columns that the first line says");
  says("# nothing\n", " no rows");
  says("1\n2\n", " no values: all rows are empty");
  const TableFormat header{Header::yes};
  EXPECT_EQ(message_of_reading("1 1:1\n", "a.svm", {.format = header}),
            "a.svm: --header and --skip-rows apply only to text tables such as CSV");
}

TEST(Svmlight, RowsHaveSeveralLabelsOrNone) {
  const Table sized = read_bytes("3 5 10\n1,2 0:0.5 3:1\n2 2:1\n1 1:2 2:3\n", "a.svm");
  EXPECT_EQ(sized.sparse->columns, 5u);
  EXPECT_EQ(sized.columns[0].texts, (std::vector<std::string>{"1,2", "2", "1"}));
  const Table last = read_bytes("1,2 1:0.5 3:1\n2 2:1\n 1:2 2:3\n", "a.svm");
  EXPECT_EQ(last.columns[0].texts, (std::vector<std::string>{"1,2", "2", ""}));
  const Table first = read_bytes("1:1 2:1\n7 1:1\n", "a.svm");
  EXPECT_TRUE(std::isnan(first.columns[0].numbers[0]));
  EXPECT_EQ(first.columns[0].numbers[1], 7);
}

TEST(Svmlight, EveryPrefixIsReadOrRefused) {
  const std::string whole = "# made\n+1 1:0.5 3:-2e2 # first\n-1 qid:3 2:1e-3 12:7\r\n1\n1,2 4:0.25\n";
  tests::expect_prefixes_read_or_refused(whole, "a.svm");
  tests::expect_prefixes_read_or_refused(gzip(whole), "a.svm.gz");
}

TEST(SparseData, BecomePointsWithAllTheirColumns) {
  const TemporaryFolder folder;
  DataRequest request;
  request.source = folder.write("a.svm", "2 1:0.5 9:2\n1 3:1\n2 3:1\n");
  const auto data = load_dataset(request);
  EXPECT_EQ(data->points, 3u);
  EXPECT_EQ(data->dimensions, 9u);
  EXPECT_TRUE(data->values().empty());
  ASSERT_TRUE(data->sparse());
  EXPECT_EQ(data->sparse()->value, (std::vector<float>{0.5f, 2, 1, 1}));
  EXPECT_EQ(data->label_name, "label");
  EXPECT_EQ(data->label_names, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(data->labels, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(data->findings->sentences(),
            (std::vector<std::string>{"3 rows × 9 columns, 4 nonzero values (64 bytes), svmlight",
                                      "distances are computed from all columns", "'label' colours the points"}));
  EXPECT_TRUE(data->findings->suggestions.empty());
}

TEST(SparseData, HaveNeitherNamedColumnsNorMissingValues) {
  EXPECT_EQ(message_of_reading("1 1:1\n", "a.svm", {.columns = {"label"}}),
            "a.svm: --columns cannot be used with sparse rows, whose columns have no names");
  EXPECT_EQ(message_of_reading("1 1:1\n", "a.svm", {.missing = Missing::mean}),
            "a.svm: --missing cannot be used with sparse rows, in which values that are not stored are 0");
  EXPECT_EQ(message_of_reading("1 1:1\n", "a.svm", {.label = "x"}),
            "a.svm: there is no column 'x'; available: 'label'");
}

TEST(SparseData, DocumentsOfRealData) {
  const std::string path = tests::data_file("docs.svm.gz");
  if (path.empty()) GTEST_SKIP() << "docs.svm.gz is absent";
  DataRequest request;
  request.source = path;
  LoadProgress progress;
  const auto data = load_dataset(request, &progress);
  EXPECT_EQ(progress.fraction, 1.0f);
  EXPECT_EQ(data->points, 26'096u);
  EXPECT_EQ(data->dimensions, 15'394u);
  EXPECT_EQ(data->sparse()->value.size(), 714'802u);
  EXPECT_EQ(data->label_names, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8"}));
  for (std::size_t row = 0; row < data->points; ++row) {
    double square = 0;
    for (const float value : data->sparse()->value_of(row)) square += double{value} * value;
    ASSERT_NEAR(square, 1, 2e-3) << row;  // rows of length 1, written with four decimals
  }
  EXPECT_EQ(data->findings->sentences().front(),
            "26,096 rows × 15,394 columns, 714,802 nonzero values (5.9 MB), svmlight, gzipped");
  progress.cancelled = true;
  EXPECT_THROW(load_dataset(request, &progress), Cancelled);
}

}  // namespace
}  // namespace kinescope::sim::svmlight_test
