// Bad input gives one clear line and the right exit status, and leaves nothing half-written. Odd but valid input gives
// finite results.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::input_test {
namespace {

struct BadFile {
  std::string name, content, says;
};

// How ctest shows a parameter of the test.
void PrintTo(const BadFile& file, std::ostream* out) {
  *out << file.name;
}

class BadInput : public testing::TestWithParam<BadFile> {};

TEST_P(BadInput, IsOneLineThatNamesTheFileAndNothingIsWritten) {
  const Folder folder;
  folder.write(GetParam().name, GetParam().content);
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", GetParam().name, "--out", "layout.csv", "--report", "r.json"},
                  {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_TRUE(outcome.errors.starts_with("kinescope: error: " + GetParam().says)) << outcome.errors;
  EXPECT_EQ(folder.names(), std::vector<std::string>{GetParam().name});
}

const BadFile bad_files[] = {
    {"empty.csv", "", "empty.csv: "},
    {"header.csv", "a,b\n", "header.csv: "},
    {"ragged.csv", "a,b\n1,2\n3\n", "ragged.csv:3: expected 2 columns, found 1"},
    {"ragged2.csv", "a,b\n1,2\n3,4,5\n", "ragged2.csv:3: expected 2 columns, found 3"},
    {"text.csv", "a\n1.5%\n2.5%\nx\n", "text.csv: no column has numbers"},
    {"words.csv", "a,b\nx,y\nz,w\n", "words.csv: "},
    {"missing.csv", "a,b\n1,\n,2\n", "missing.csv: "},
    {"infinite.csv", "a,b\n1,2\ninf,3\n", "infinite.csv:3: "},
    {"minus.csv", "a,b\n1,2\n1,-Infinity\n", "minus.csv:3: "},
    {"huge.csv", "a,b\n1,2\n1e39,3\n", "huge.csv:3: "},
    {"zeros.csv", std::string(100000, '\0'), "zeros.csv: "},
    {"twice.svm", "1 1:1\n1 2:1 2:1\n", "twice.svm:2: the index '2' occurs twice"},
    {"cut.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n", "cut.mtx:3: cut off: 1 of the 4 entries"},
    {"short.npy", "\x93NUMPY", "short.npy: "},
};

INSTANTIATE_TEST_SUITE_P(CommandLine, BadInput, testing::ValuesIn(bad_files),
                         [](const auto& each) { return each.param.name.substr(0, each.param.name.find('.')); });

TEST(CommandLineInput, MissingFile) {
  const Folder folder;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "glimmer", "--data", "nowhere.csv", "--out", "x.csv"},
        {"data", "nowhere.csv"},
        {"run", "glimmer", "--preset", "nowhere.csv"},
        {"view", "--headless", "--data", "nowhere.csv", "--screenshot", "x.png"}}) {
    const Outcome outcome = run_program(arguments, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("nowhere.csv"), std::string::npos);
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(CommandLineInput, ADirectory) {
  const Folder folder;
  for (const char* option : {"--data", "--preset", "--report"}) {
    const Outcome outcome = run_program({"run", "glimmer", option, "."}, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("is a directory"), std::string::npos) << outcome.errors;
  }
}

// Two inputs of 2 GB: a sparse file of zero bytes, and through a pipe one line of text without an end.
TEST(CommandLineInput, ALineOfTwoGigabytes) {
  const Folder folder;
  std::filesystem::resize_file(folder.write("sparse.csv", "1"), std::uintmax_t{1} << 31);
  const Outcome sparse = run_program({"run", "glimmer", "--data", "sparse.csv", "--out", "x.csv"},
                                     {.folder = folder.path(), .address_space_bytes = std::size_t{1} << 30});
  EXPECT_EQ(flaw_of_error(sparse, 2), "");
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(std::system(("mkfifo " + pipe).c_str()), 0);
  ASSERT_EQ(std::system(("(tr '\\0' 1 </dev/zero | head -c 2147483648 >" + pipe + ") 2>/dev/null &").c_str()), 0);
  const Outcome piped =
      run_program({"run", "glimmer", "--data", "/dev/stdin", "--out", "x.csv"},
                  {.folder = folder.path(), .address_space_bytes = std::size_t{1} << 30, .input = pipe});
  EXPECT_EQ(flaw_of_error(piped, 2), "");
  EXPECT_NE(piped.errors.find("/dev/stdin:1: "), std::string::npos) << piped.errors;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "x.csv"));
}

struct OddFile {
  std::string name, content;
  std::size_t rows, read = rows;  // rows of the layout, and of the file
};

void PrintTo(const OddFile& file, std::ostream* out) {
  *out << file.name;
}

class OddInput : public testing::TestWithParam<OddFile> {};

TEST_P(OddInput, GivesAFiniteLayout) {
  const Folder folder;
  folder.write("odd.csv", GetParam().content);
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", "odd.csv", "--out", "layout.csv"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(outcome.errors.starts_with("kinescope: odd.csv: " + std::to_string(GetParam().read))) << outcome.errors;
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "layout.csv"));
  ASSERT_EQ(lines.size(), GetParam().rows + 1);
  EXPECT_TRUE(lines[0].starts_with("x,y")) << lines[0];
  for (std::size_t i = 1; i < lines.size(); ++i) {
    char* end = nullptr;
    const double x = std::strtod(lines[i].c_str(), &end), y = std::strtod(end + 1, nullptr);
    EXPECT_TRUE(std::isfinite(x) && std::isfinite(y) && end != lines[i].c_str() && *end == ',') << lines[i];
  }
}

const OddFile odd_files[] = {
    {"OneRow", "a,b\n1,2\n", 1},
    {"OneNumber", "5\n", 1},
    {"OneColumn", "a\n1\n2\n4\n8\n", 4},
    {"TwoRows", "a,b\n1,2\n3,4\n", 2},
    {"EqualRows", "a,b\n1,2\n1,2\n1,2\n1,2\n", 4},
    {"LargeNumbers", "a,b\n1e18,0\n-1e18,3\n0,1e18\n", 3},
    {"SmallNumbers", "a,b\n1e-18,0\n-1e-18,3e-18\n0,1e-18\n", 3},
    {"SomeMissing", "a,b\n1,2\n?,3\n4,5\n", 2, 3},
};

INSTANTIATE_TEST_SUITE_P(CommandLine, OddInput, testing::ValuesIn(odd_files),
                         [](const auto& each) { return each.param.name; });

TEST(CommandLineInput, OneRowIsAPointAtTheOrigin) {
  const Folder folder;
  folder.write("one.csv", "a,b\n7,8\n");
  ASSERT_EQ(run_program({"run", "glimmer", "--data", "one.csv", "--out", "x.csv"}, {.folder = folder.path()}).status,
            0);
  EXPECT_EQ(read_file(folder.path() / "x.csv"), "x,y\n0,0\n");
}

struct BadPreset {
  std::string content, says;
};

std::string many_names() {
  std::string text = "{\"x\": 0";
  for (int i = 0; i < 60'000; ++i) text += ",\"n" + std::to_string(i) + "\":1";
  return text + "}";
}

// A library that looks through a list at the end of each of its objects took a minute for a megabyte of these.
TEST(CommandLineInput, APresetOfManyObjectsTakesNoTime) {
  const Folder folder;
  std::string objects = "{\"near\": [{}";
  for (int i = 0; i < 300'000; ++i) objects += ",{}";
  folder.write("p.json", objects + "]}");
  const Outcome outcome =
      run_program({"run", "glimmer", "--preset", "p.json"}, {.folder = folder.path(), .limit_seconds = 8});
  EXPECT_EQ(outcome.errors, "kinescope: error: p.json: near: expected a number or a text\n");
}

TEST(CommandLineInput, BadPresets) {
  const Folder folder;
  for (const BadPreset& bad :
       {BadPreset{"", "p.json:1: is not valid JSON"},
        {"{\"near\": 4,\n \"random\" 4}", "p.json:2: is not valid JSON"},
        {R"({"near": 4, "near": 5})", "p.json: 'near' is named twice"},
        {"[4]", "p.json: expected a JSON object"},
        {"{\"neer\": 4}", "p.json: there is no parameter 'neer' of glimmer; did you mean 'near'?"},
        {"{\"near\": [4]}", "p.json: near: expected a number or a text"},
        {"{\"near\": 1e9}", "p.json: near: expected a whole number"},
        {"{\"near\": 1e999}", "p.json: a number is too large"},
        {"{\"near\": \"a\\u0000b\"}", "p.json: near: a text with a zero byte"},
        {"{\"near\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}", "p.json: is nested too deep"},
        {many_names(), "p.json: has more than 4096 names in one object"},
        {"{\"simulation\": \"k-means\"}", "p.json: is a preset of \"k-means\""}}) {
    folder.write("p.json", bad.content);
    const Outcome outcome = run_program({"run", "glimmer", "--preset", "p.json"}, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_TRUE(outcome.errors.starts_with("kinescope: error: " + bad.says)) << outcome.errors;
  }
}

TEST(CommandLineInput, APipeWithoutAWriterIsTold) {
  const Folder folder;
  folder.write("t.csv", "name,a\nu,1\nv,2\nw,5\n");
  ASSERT_EQ(std::system(("mkfifo " + folder.file("pipe.csv")).c_str()), 0);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "glimmer", "--data", "pipe.csv", "--out", "x.csv"},
        {"data", "pipe.csv"},
        {"data", "t.csv", "--metadata", "pipe.csv"}}) {
    const Outcome outcome = run_program(arguments, {.folder = folder.path(), .limit_seconds = 60});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("pipe.csv: nothing writes into this pipe"), std::string::npos) << outcome.errors;
  }
}

// As from the shell's <(…), also by a writer that comes late and is slow.
TEST(CommandLineInput, APipeIsReadToItsEnd) {
  const Folder folder;
  ASSERT_EQ(std::system(("mkfifo " + folder.file("t.csv")).c_str()), 0);
  const std::string write = "echo a,b; sleep 1; seq -s, 1 2; seq -s, 3 4";
  for (const char* wait : {"0", "1"}) {
    const std::string command = "cd " + folder.path().string() + " && (sleep " + wait + "; (" + write + ") > t.csv) &";
    ASSERT_EQ(std::system(command.c_str()), 0);
    const Outcome outcome = run_program({"data", "t.csv"}, {.folder = folder.path(), .limit_seconds = 60});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.out.find("rows            2\n"), std::string::npos) << outcome.out;
  }
}

TEST(CommandLineInput, APresetIsARegularFile) {
  const Folder folder;
  ASSERT_EQ(std::system(("mkfifo " + folder.file("p.json")).c_str()), 0);
  for (const std::string& path : {folder.file("p.json"), std::string("/dev/zero")}) {
    const Outcome outcome = run_program({"run", "glimmer", "--preset", path}, {.limit_seconds = 20});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("is not a regular file"), std::string::npos) << outcome.errors;
  }
}

TEST(CommandLineInput, UnknownColumnsAreNamed) {
  const Folder folder;
  folder.write("t.csv", "a,b\n1,2\n3,4\n");
  for (const char* option : {"--label", "--columns"}) {
    const Outcome outcome =
        run_program({"run", "glimmer", "--data", "t.csv", option, "zebra"}, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("zebra"), std::string::npos) << outcome.errors;
  }
}

TEST(CommandLineInput, AMatrixThatClaimsMoreRowsThanFitTakesNoMemory) {
  const Folder folder;
  folder.write("t.mtx", "%%MatrixMarket matrix coordinate pattern general\n2147483647 2 1\n1 1\n");
  const Outcome outcome = run_program({"run", "glimmer", "--data", "t.mtx"},
                                      {.folder = folder.path(), .address_space_bytes = std::size_t{1} << 30});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_NE(outcome.errors.find("68 bytes would become 2,147,483,647 rows"), std::string::npos) << outcome.errors;
}

TEST(CommandLineInput, SparseRowsAreRefusedByWhatDoesNotTakeThem) {
  const Folder folder;
  folder.write("t.svm", "1 1:1 5:2\n2 3:1\n1 2:1\n");
  for (const std::string kind : {"k-means", "mean-shift"}) {
    const Outcome outcome = run_program({"run", kind, "--data", "t.svm", "--out", "x.csv"}, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_EQ(outcome.errors,
              "kinescope: error: t.svm: " + kind + " needs an ordinary table of numbers, not sparse rows\n");
  }
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--columns", "label"}, {"--missing", "mean"}, {"--header", "no"}}) {
    std::vector<std::string> arguments = {"run", "glimmer", "--data", "t.svm"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments, {.folder = folder.path()});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find("t.svm: " + more.front()), std::string::npos) << outcome.errors;
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.svm"});
}

TEST(CommandLineInput, StandardInputIsATableAndTheReportGoesToStandardOutput) {
  const Folder folder;
  const std::string edges = folder.write("edges", "1,2\n2,3\n3,1\n3,4\n"),
                    table = folder.write("t", "a,b\n0,1\n0,2\n9,9\n");
  const Outcome described = run_program({"data", "-"}, {.folder = folder.path(), .input = table});
  EXPECT_EQ(described.status, 0) << described.errors;
  EXPECT_TRUE(described.out.starts_with("standard input\nformat          CSV\nrows            3\n")) << described.out;
  // A header that is an edge is read once more.
  const Outcome graph = run_program({"run", "glimmer", "--data", "-", "--set", "metric=graph", "--report", "-"},
                                    {.folder = folder.path(), .input = edges});
  EXPECT_EQ(graph.status, 0) << graph.errors;
  EXPECT_TRUE(graph.out.starts_with("{\n  \"simulation\": \"glimmer\"")) << graph.out;
  EXPECT_TRUE(graph.out.ends_with("}\n")) << graph.out;
  EXPECT_NE(graph.out.find("\"edges\": 4"), std::string::npos) << graph.out;
  const Outcome empty = run_program({"run", "k-means", "--data", "-"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(empty, 2), "");
  EXPECT_NE(empty.errors.find("standard input: is empty"), std::string::npos) << empty.errors;
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"edges", "t"}));
}

// The content of a file must not control the terminal that shows it.
TEST(CommandLineInput, ControlCharactersOfAFileAreNotPrinted) {
  const Folder folder;
  folder.write("t.csv", "a\x1b[31m,\"b\nc\"\n1,2\n4,5\n3,x\x1b]0;y\x07\n");
  const Outcome told = run_program({"run", "glimmer", "--data", "t.csv"}, {.folder = folder.path()});
  EXPECT_NE(told.errors.find("]0;y"), std::string::npos) << told.errors;
  EXPECT_EQ(told.errors.find('\x1b'), std::string::npos);
  const Outcome failed = run_program({"run", "glimmer", "--data", "t.csv", "--drop", "z"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(failed, 2), "");
  EXPECT_EQ(failed.errors.find('\x1b'), std::string::npos);
  folder.write("u.csv", "a\x1b[31m,\"b\nc\"\n1,2\n3,4\n");
  const Outcome shown = run_program({"data", "u.csv"}, {.folder = folder.path()});
  EXPECT_EQ(shown.status, 0) << shown.errors;
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace kinescope::tests::command_line::input_test
