// list, data and devices: what they print, and that the manual says the same.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "tests/command_line/program.hpp"
#include "tests/sim/data/table_shapes.hpp"

namespace kinescope::tests::command_line::list_test {
namespace {

// The cells of a line; two or more spaces separate them.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, 2, "  ") == 0) {
      while (i + 1 < line.size() && line[i + 1] == ' ') ++i;
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

std::string in_markdown(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    line += "| ";
    for (const char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
    line += " ";
  }
  return line + "|";
}

// The names in the first column of `kinescope list`.
std::vector<std::string> simulations() {
  std::vector<std::string> names;
  const std::vector<std::string> lines = lines_of(run_program({"list"}).out);
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (const auto cells = cells_of(lines[i]); cells.size() == 3) names.push_back(cells[0]);
  return names;
}

TEST(CommandLineList, ManualsTablesOfParametersAreWhatListPrints) {
  const std::vector<std::string> names = simulations();
  ASSERT_NE(std::find(names.begin(), names.end(), "glimmer"), names.end());
  for (const std::string& name : names) {
    const std::string page = "docs/manual/" + name + ".md", text = read_file(project_file(page));
    const std::string opening = "<!-- parameters:" + name + " -->\n", closing = "<!-- /parameters -->";
    const std::size_t begin = text.find(opening);
    ASSERT_NE(begin, std::string::npos) << page << " has no line " << opening;
    const std::size_t end = text.find(closing, begin);
    ASSERT_NE(end, std::string::npos) << page << " has no line " << closing;
    const std::vector<std::string> table = lines_of(text.substr(begin + opening.size(), end - begin - opening.size()));

    const Outcome markdown = run_program({"list", name, "--markdown"});
    ASSERT_EQ(markdown.status, 0) << markdown.errors;
    EXPECT_EQ(table, lines_of(markdown.out))
        << "bring " << page << " up to date with: kinescope list " << name << " --markdown";

    const Outcome plain = run_program({"list", name});
    ASSERT_EQ(plain.status, 0) << plain.errors;
    std::vector<std::string> rows;
    for (const std::string& line : lines_of(plain.out))
      if (const auto cells = cells_of(line); cells.size() == 6) rows.push_back(in_markdown(cells));
    ASSERT_GT(rows.size(), 1u);
    rows.insert(rows.begin() + 1, "|---|---|---|---|---|---|");
    EXPECT_EQ(table, rows) << name;
  }
}

// The words in `text` that begin with two dashes: names of options.
std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> names;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at), text.size());
    names.insert(text.substr(at, end - at));
    at = end;
  }
  return names;
}

// The options that --help lists: those before the meaning on each line.
std::set<std::string> options_of_help(const std::string& command) {
  std::set<std::string> names;
  for (const std::string& line : lines_of(run_program({command, "--help"}).out))
    if (line.starts_with("  --")) names.merge(options_in(line.substr(0, line.find("  ", 2))));
  return names;
}

TEST(CommandLineList, ManualsTableOfOptionsIsWhatHelpPrints) {
  const std::string page = "docs/manual/command-line.md";
  std::map<std::string, std::set<std::string>> in_manual;  // by command
  const std::set<std::string> commands = {"view", "run", "bench", "list", "data", "devices", "work", "timings"};
  for (const std::string& line : lines_of(read_file(project_file(page)))) {
    if (!line.starts_with("| `--")) continue;
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    ASSERT_NE(second, std::string::npos) << line;
    const std::string where = line.substr(first + 3, second - first - 3);
    for (const std::string& command : commands)
      if (where == "all" || (", " + where + ",").find(", " + command + ",") != std::string::npos)
        in_manual[command].merge(options_in(line.substr(0, first)));
  }
  for (const std::string& command : commands) {
    const std::set<std::string> in_help = options_of_help(command);
    EXPECT_FALSE(in_help.empty());
    EXPECT_EQ(in_manual[command], in_help) << page << " and kinescope " << command << " --help differ";
  }
}

TEST(CommandLineList, NamesSimulationsWithTheirDataAndParametersWithTheirRanges) {
  const Outcome all = run_program({"list"});
  ASSERT_EQ(all.status, 0);
  EXPECT_NE(all.out.find("glimmer  "), std::string::npos);
  EXPECT_NE(all.out.find("synthetic:colours,n=4096"), std::string::npos);
  const Outcome one = run_program({"list", "glimmer"});
  for (const char* word :
       {"algorithm", "metric", "output_dimensions", "decimation", "minimum_level", "near", "random", "step", "damping",
        "epsilon", "window", "maximum_iterations", "normalize", "euclidean|cosine|manhattan"})
    EXPECT_NE(one.out.find(word), std::string::npos) << word;
}

TEST(CommandLineData, TellsWhatAFileHolds) {
  const Folder folder;
  folder.write("t.csv", "size,weight,class\n1,0.5,cat\n2,?,dog\n4,2.5,cat\n");
  const Outcome outcome = run_program({"data", "t.csv"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(outcome.out)) {
    rows.push_back(cells_of(line));
    std::erase(rows.back(), "");
  }
  const auto has = [&](const std::vector<std::string>& row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
  };
  EXPECT_TRUE(has({"rows", "3"})) << outcome.out;
  EXPECT_TRUE(has({"columns", "3"})) << outcome.out;
  EXPECT_TRUE(has({"missing values", "1 in 1 row"})) << outcome.out;
  EXPECT_TRUE(has({"label column", "class"})) << outcome.out;
  EXPECT_TRUE(has({"1", "size", "integer", "0", "1", "2.33333", "4"})) << outcome.out;
  EXPECT_TRUE(has({"2", "weight", "real", "1", "0.5", "1.5", "2.5"})) << outcome.out;
  EXPECT_TRUE(has({"3", "class", "text", "0", "2 different"})) << outcome.out;
  EXPECT_TRUE(has({"2", "?", "dog"})) << outcome.out;
}

// In plain words: what the program makes of typical files by itself, without options.
TEST(CommandLineData, SaysWhatWasDecided) {
  const Folder folder;
  const auto told = [&](const std::string& name, const std::string& content,
                        const std::vector<std::string>& more = {}) {
    folder.write(name, content);
    std::vector<std::string> arguments = {"data", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments, {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    return outcome.out;
  };
  struct Case {
    std::string name, content;
    std::vector<std::string> says;
  };
  const std::string data = "- no header: row 1 looks like the rows below it\n";
  for (const Case& each : std::vector<Case>{
           {"abalone.data",
            abalone(),
            {"- 4,177 rows × 9 columns, CSV\n", data, "- distances are computed from 8 columns of numbers\n",
             "- 'c0' colours the points\n", " % of the squared distances: standardize (--set normalize=zscore)\n"}},
           {"iris.data", iris(), {"- 150 rows × 5 columns", data, "4 columns of numbers\n", "- 'c4' colours"}},
           {"sonar.all-data", sonar(), {"- 208 rows × 61 columns", data, "60 columns of numbers\n", "- 'c60' colours"}},
           {"ionosphere.data",
            ionosphere(),
            {"- 351 rows × 35 columns", data, "34 columns of numbers\n", "- 'c34' colours",
             "- 'c1' is the same in all rows"}},
           {"breast-cancer.data",
            breast_cancer(),
            {"- 286 rows × 10 columns", data, "1 column of numbers\n",
             "- 'c1' colours the points: it explains more of the numbers",
             "use these columns too (--columns c0,c2,c3,c4,c5,c6,c7,c8,c9)"}},
           {"categories.data", categories_only(), {"8 columns of categories ('c0', ", data, "- 9 rows left out"}},
           {"horse-colic.data",
            horse_colic(),
            {"- 300 rows × 28 columns, CSV, separated by blanks\n", data, "28 columns of numbers\n",
             "- 294 of 300 rows lack a value and were left out: fill with mean (--missing mean)\n",
             "leave out these columns (--columns c0,c1,c2,c23,c24,c25,c26,c27)\n"}},
           {"banknote.txt", banknote(), {"- 1,372 rows × 5 columns", data, "use it as label (--label c4)"}},
           {"winequality-white.csv",
            white_wine(),
            {"- 4,898 rows × 12 columns, CSV, separated by semicolons\n",
             "- row 1 is the header: 'fixed acidity' stands above numbers\n", "12 columns of numbers\n"}},
           {"pollution.csv",
            pollution(),
            {"- 60 rows × 17 columns, CSV\n", "- row 1 is the header: 'obs' stands above numbers\n",
             "- 'obs' seems to number the rows, but is used for distances: leave it out (--columns PREC,"}}}) {
    const std::string out = told(each.name, each.content);
    for (const std::string& words : each.says) EXPECT_NE(out.find(words), std::string::npos) << words << "\n" << out;
  }
  EXPECT_NE(told("t.csv", "1,2\n3,4\n", {"--header", "yes"}).find("yes: --header yes asks for it"), std::string::npos);
  EXPECT_NE(told("t.csv", "about;it\nx,y\n3,4\n", {"--skip-rows", "1"}).find("- 1 row × 2 columns"), std::string::npos);
  EXPECT_NE(told("t.csv", "a,b,c\n1,2,3\n4,5,7\n", {"--columns", "a,b", "--label", "c"}).find("'c' colours the points"),
            std::string::npos);
  const std::string dated = told("dated.csv", "day,share,x,\n2024-03-01,46%,1,\n2024-03-05,5%,3,\n");
  for (const std::string words :
       {"- 'day' is a date: days since 1970-01-01\n", "- 'share' was read as text because of '46%'",
        "- 'c3' is empty\n", "date ", "empty ", "2024-03-05  5% ", "missing values  none\n",
        "2024-03-01  2024-03-03  2024-03-05  days since 1970-01-01\n"})
    EXPECT_NE(dated.find(words), std::string::npos) << words << "\n" << dated;
  EXPECT_NE(told("words.csv", "a,b\nx,y\nz,w\n").find("not at all: words.csv: no column has numbers"),
            std::string::npos);
  EXPECT_NE(told("stray.csv", "a,b\n1,2\n7,4\nz,3\n")
                .find("- 'a' was read as text because of 'z' in line 4; `--numbers a` reads its 2 numbers\n"),
            std::string::npos);
  EXPECT_NE(told("stray.csv", "a,b\n1,2\nz,3\n", {"--columns", "b"}).find("'a' is only shown with the points"),
            std::string::npos);
  EXPECT_EQ(flaw_of_error(run_program({"data", "t.csv", "--header", "perhaps"}, {.folder = folder.path()}), 2), "");
  EXPECT_EQ(flaw_of_error(run_program({"data", "t.csv", "--skip-rows", "-1"}, {.folder = folder.path()}), 2), "");
}

// Each option as it is typed, and what the table is then.
TEST(CommandLineData, ReadsATableAsTheOptionsSay) {
  const Folder folder;
  const auto told = [&](const std::string& content, std::vector<std::string> options) {
    folder.write("t.csv", content);
    options.insert(options.begin(), {"data", "t.csv"});
    const Outcome outcome = run_program(options, {.folder = folder.path()});
    return outcome.status == 0 ? outcome.out : outcome.errors;
  };
  struct Case {
    std::string content;
    std::vector<std::string> options;
    std::string says;
  };
  for (const Case& each : std::vector<Case>{
           {"a,b;c\n1,5;2\n", {"--separator", ","}, "- 1 row × 2 columns, CSV\n"},
           {"a:b\n1:2\n", {"--separator", ":"}, "- 1 row × 2 columns, CSV\n"},
           {"a,b\tc\n1,2\t3\n", {"--separator", "tab"}, "- 1 row × 2 columns, TSV"},
           {"a b\n1 x\n", {"--separator", "blank"}, "- 1 row × 2 columns, CSV, separated by blanks\n"},
           {"a,b\n\"1\",2\n3,4\n", {"--quote", "none"}, "'a' is only shown"},
           {"a,b\ns,N\n1,2\n#\nx\n3,4\n", {"--skip-lines", "5,2"}, "- 2 rows × 2 columns, CSV\n"},
           {"zip,x\n007,1\n010,2\n", {"--text", "zip"}, "007  1\n"},
           {"zip,x\n007,1\n010,2\n", {}, "read 'zip' as text (--text zip)\n"},
           {"p,x\n\"$1,000\",1\n$5,2\nfree,3\n",
            {"--numbers", "p"},
            "- 'p' was read as numbers: 2 numbers without thousands separators and '$'; 1 other value, 'free', is "
            "missing\n"},
           {"p,x,y\n1,2,3\n4,5,6\n", {"--drop", "p,y"}, "- 2 rows × 1 column, CSV\n"},
           {"height,x\n1,2\n", {"--drop", "hight"}, "there is no column 'hight'; did you mean 'height'?"}}) {
    const std::string out = told(each.content, each.options);
    EXPECT_NE(out.find(each.says), std::string::npos) << each.says << "\n" << out;
  }
}

TEST(CommandLineData, TellsTheSizeOfSparseRows) {
  const Folder folder;
  folder.write("t.svm", "2 1:0.5 7000:2\n1 3:1\n");
  const Outcome rows = run_program({"data", "t.svm"}, {.folder = folder.path()});
  EXPECT_EQ(rows.status, 0) << rows.errors;
  for (const char* words : {"svmlight", "7,000\n", "3 nonzero values (48 bytes)\n", "c0 0.5, c6999 2\n",
                            "- 2 rows × 7,000 columns, 3 nonzero values (48 bytes), svmlight\n",
                            "- distances are computed from all columns\n", "- 'label' colours the points\n"})
    EXPECT_NE(rows.out.find(words), std::string::npos) << words << "\n" << rows.out;
  EXPECT_LT(lines_of(rows.out).size(), 30u);
  folder.write("t.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
  const Outcome matrix = run_program({"data", "t.mtx"}, {.folder = folder.path()});
  EXPECT_EQ(matrix.status, 0) << matrix.errors;
  EXPECT_NE(matrix.out.find("- 3 rows × 3 columns, 3 nonzero values"), std::string::npos) << matrix.out;
  EXPECT_NE(matrix.out.find("- no column colours the points\n"), std::string::npos) << matrix.out;
}

TEST(CommandLineData, AbbreviatesWideFiles) {
  const Folder folder;
  std::string text = "c0";
  for (int i = 1; i < 5000; ++i) text.append(",c").append(std::to_string(i));
  text += "\n0";
  for (int i = 1; i < 5000; ++i) text.append(",").append(std::to_string(i));
  folder.write("wide.csv", text + "\n");
  const Outcome outcome = run_program({"data", "wide.csv"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_LT(lines_of(outcome.out).size(), 50u);
  for (const char* word : {"5,000", "c0 ", "c4999 ", "4,976 more"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
  for (const std::string& line : lines_of(outcome.out)) EXPECT_LT(line.size(), 200u);
}

TEST(CommandLineDevices, NamesTheProcessorsAndTheRenderer) {
  const Outcome outcome = run_program({"devices"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  for (const char* word : {"CPU ", "threads", "CUDA", "OpenGL", "chosen backend"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << "\n" << outcome.out;
}

}  // namespace
}  // namespace kinescope::tests::command_line::list_test
