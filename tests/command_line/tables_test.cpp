// --transpose, --metadata and --by.
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::tables_test {
namespace {

TEST(CommandLineTables, CountsWithTheirTableOfSamples) {
  const Folder folder;
  folder.write("counts.tsv", "#OTU ID\tS1\tS2\tS3\tS4\nO1\t3\t0\t1\t5\nO2\t0\t2\t8\t1\nO3\t7\t1\t0\t0\n");
  folder.write("samples.tsv", "sample\tsite\nS1\tnorth\nS2\tnorth\nS3\tsouth\nS4\tsouth\n");
  const Start start{.folder = folder.path()};
  const Outcome plain = run_program({"data", "counts.tsv"}, start);
  EXPECT_NE(plain.out.find("make the samples the rows (--transpose)"), std::string::npos) << plain.out;
  const std::vector<std::string> run = {"run",        "glimmer",     "--data", "counts.tsv",
                                        "--metadata", "samples.tsv", "--out",  "out.csv"};
  EXPECT_NE(run_program(run, start).errors.find("`--transpose` makes these the rows"), std::string::npos);
  std::vector<std::string> transposed = run;
  transposed.emplace_back("--transpose");
  const Outcome outcome = run_program(transposed, start);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("'site' colours the points"), std::string::npos) << outcome.errors;
  EXPECT_EQ(lines_of(read_file(folder.file("out.csv"))).size(), 5u);
  transposed.back() = "--by";
  transposed.emplace_back("site");
  EXPECT_EQ(flaw_of_error(run_program(transposed, start), 2), "");
  EXPECT_EQ(flaw_of_error(run_program({"run", "glimmer", "--data", "counts.tsv", "--transpose", "--metadata",
                                       "samples.tsv", "--out", "samples.tsv"},
                                      start),
                          2),
            "");
}

}  // namespace
}  // namespace kinescope::tests::command_line::tables_test
