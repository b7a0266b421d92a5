// list, data and devices: what they print, and that the README says the same.
#include <gtest/gtest.h>

#include "tests/app/program.hpp"

namespace kinescope::tests {
namespace {

// The cells of a line, which two or more spaces part.
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

TEST(CommandLineList, ReadmesTablesOfParametersAreWhatListPrints) {
  const std::string readme = read_file(project_file("README.md"));
  const std::vector<std::string> names = simulations();
  ASSERT_NE(std::find(names.begin(), names.end(), "glimmer"), names.end());
  for (const std::string& name : names) {
    const std::string opening = "<!-- parameters:" + name + " -->\n", closing = "<!-- /parameters -->";
    const std::size_t begin = readme.find(opening);
    ASSERT_NE(begin, std::string::npos) << "the README has no table for " << name;
    const std::size_t end = readme.find(closing, begin);
    ASSERT_NE(end, std::string::npos);
    const std::vector<std::string> table =
        lines_of(readme.substr(begin + opening.size(), end - begin - opening.size()));

    const Outcome markdown = run_program({"list", name, "--markdown"});
    ASSERT_EQ(markdown.status, 0) << markdown.errors;
    EXPECT_EQ(table, lines_of(markdown.out))
        << "bring the README up to date with: kinescope list " << name << " --markdown";

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
  EXPECT_TRUE(has({"missing values", "1 in 1 rows"})) << outcome.out;
  EXPECT_TRUE(has({"label column", "class"})) << outcome.out;
  EXPECT_TRUE(has({"1", "size", "integer", "0", "1", "2.33333", "4"})) << outcome.out;
  EXPECT_TRUE(has({"2", "weight", "real", "1", "0.5", "1.5", "2.5"})) << outcome.out;
  EXPECT_TRUE(has({"3", "class", "text", "0", "2 different"})) << outcome.out;
  EXPECT_TRUE(has({"2", "?", "dog"})) << outcome.out;
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
}  // namespace kinescope::tests
