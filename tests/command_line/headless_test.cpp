// view --headless: what its frames compute, and what it tells on stderr.
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::headless_test {
namespace {

using Arguments = std::vector<std::string>;

Outcome view(const Folder& folder, const Arguments& more) {
  Arguments arguments = {"view", "--headless", "--backend", "cpu", "--size", "64x48", "--frames", "3"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, {.folder = folder.path()});
}

TEST(CommandLineHeadless, EachFrameComputesTheStepsAskedFor) {
  const Folder folder;
  const Outcome outcome = view(folder, {"fitzhugh-nagumo", "--set", "dimensions=2", "--set", "nodes=32", "--steps", "7",
                                        "--timings", "t.csv", "--report", "r.json"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::vector<std::string> rows = lines_of(read_file(folder.path() / "t.csv"));
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_NE(rows[i].find(",7,"), std::string::npos) << rows[i];
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"iterations\": 21,"), std::string::npos);
}

TEST(CommandLineHeadless, TellsWhatItFoundInAFile) {
  const Folder folder;
  folder.write("gaps.csv", "a,b\n1,2\n3,\n4,6\n7,1\n");
  const Outcome outcome = view(folder, {"glimmer", "--data", "gaps.csv", "--screenshot", "g.png"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("1 row left out for missing values"), std::string::npos) << outcome.errors;
}

TEST(CommandLineHeadless, SaysThatNothingWasKept) {
  const Folder folder;
  const Outcome nothing = view(folder, {"k-means"}), kept = view(folder, {"k-means", "--timings", "t.csv"});
  ASSERT_EQ(nothing.status, 0) << nothing.errors;
  EXPECT_NE(nothing.errors.find("nothing was kept of 3 frames"), std::string::npos) << nothing.errors;
  EXPECT_EQ(kept.errors.find("nothing was kept"), std::string::npos) << kept.errors;
}

TEST(CommandLineHeadless, SaysThatAParameterHasNoEffect) {
  const Folder folder;
  const Outcome idle = view(folder, {"glimmer", "--set", "near=3"}),
                used = view(folder, {"glimmer", "--set", "near=3", "--set", "algorithm=glimmer-2007"});
  EXPECT_NE(idle.errors.find("near has no effect"), std::string::npos) << idle.errors;
  EXPECT_EQ(used.errors.find("no effect"), std::string::npos) << used.errors;
}

}  // namespace
}  // namespace kinescope::tests::command_line::headless_test
