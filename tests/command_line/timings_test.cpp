// kinescope timings: what it says of one file and of two, what it writes, and what it refuses.
#include <gtest/gtest.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::timings_test {
namespace {

const std::string head = "frame,cpu_ms,gpu_ms,sim_ms,upload_ms,draw_ms,panels_ms,points,timer,iterations,frame_ms\n";

// 120 frames that take `scale` · (10 … 10.6) ms, and one in which nothing moved.
std::string recording(double scale) {
  std::string text = head;
  for (int i = 0; i < 120; ++i)
    text += std::to_string(i) + "," + std::to_string(scale * (1 + 0.01 * (i * 7 % 10))) + ",2,1,0,1,1,300,finish,1," +
            std::to_string(scale * (10 + 0.1 * (i * 3 % 7))) + "\n";
  return text + "120,1,2,1,0,1,1,300,finish,0,250\n";
}

Outcome compare(const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "timings");
  return run_program(arguments, {.folder = folder.path()});
}

TEST(CommandLineTimings, TellsWhichOfTwoIsFaster) {
  const Folder folder;
  folder.write("a.csv", recording(1));
  folder.write("b.csv", recording(0.88));
  const Outcome faster = compare(folder, {"a.csv", "b.csv", "--csv", "t.csv", "--plot", "t.svg"});
  ASSERT_EQ(faster.status, 0) << faster.errors;
  EXPECT_NE(faster.out.find("A: a.csv: 120 frames, 300 points; 1 frame in which the simulation did not move left out"),
            std::string::npos)
      << faster.out;
  EXPECT_NE(faster.out.find("B's frames take 12 % less time (95 %: "), std::string::npos) << faster.out;
  EXPECT_EQ(faster.out, compare(folder, {"a.csv", "b.csv"}).out) << "it is the same every time";
  const std::vector<std::string> rows = lines_of(read_file(folder.path() / "t.csv"));
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_TRUE(rows[0].starts_with("part,a_median,a_p95,a_p99,b_median,b_p95,b_p99,ratio,ratio_low,ratio_high,"))
      << rows[0];
  EXPECT_TRUE(rows[1].starts_with("frame_ms,10.3,10.6,10.6,9.064,9.328,9.328,0.8")) << rows[1];
  EXPECT_NE(read_file(folder.path() / "t.svg").find("Whole frame"), std::string::npos);
  const Outcome same = compare(folder, {"a.csv", "a.csv"});
  EXPECT_NE(same.out.find("Whole frames: no difference that these frames show"), std::string::npos) << same.out;
  const Outcome one = compare(folder, {"b.csv"});
  EXPECT_NE(one.out.find("Whole frame     9.06   9.33   9.33"), std::string::npos) << one.out;
}

TEST(CommandLineTimings, ReadsWhatViewWrites) {
  const Folder folder;
  for (const char* name : {"a.csv", "b.csv"}) {
    const Outcome outcome =
        run_program({"view", "fitzhugh-nagumo", "--headless", "--backend", "cpu", "--size", "64x48", "--frames", "110",
                     "--set", "dimensions=2", "--set", "nodes=32", "--timings", name},
                    {.folder = folder.path()});
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
  }
  const Outcome outcome = compare(folder, {"a.csv", "b.csv"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.out.find("B: b.csv: 110 frames"), std::string::npos) << outcome.out;
}

TEST(CommandLineTimings, RefusesOtherFilesInOneLine) {
  const Folder folder;
  const std::string row = "0,1,2,1,0,1,1,300,finish,1,12\n", good = folder.write("good.csv", recording(1));
  const std::pair<std::string, std::string> cases[] = {
      {"a,b\n1,2\n", "x.csv:1: is no file of --timings: column 1 is 'a', not 'frame'"},
      {head.substr(0, head.rfind(',')) + "\n", "x.csv:1: has no column 'frame_ms'"},
      {head.substr(0, head.size() - 1) + ",more\n", "x.csv:1: has a column 'more' that --timings does not write"},
      {head + row + "1,2,3\n", "x.csv:3: expected 11 columns, found 3"},
      {head + row + "1,1,2,1,0,1,oops,300,finish,1,12\n", "x.csv:3: panels_ms: expected milliseconds, found 'oops'"},
      {head + "1,1,-2,1,0,1,1,300,finish,1,12\n", "x.csv:2: gpu_ms: expected milliseconds, found '-2'"},
      {head + "1,1,2,1,0,1,1,300,clock,1,12\n", "x.csv:2: timer: expected query or finish, found 'clock'"},
      {head, "x.csv: holds no frames"},
      {head + row, "x.csv: 1 frame in which the simulation moved; a comparison needs at least 100"}};
  for (const auto& [content, message] : cases) {
    folder.write("x.csv", content);
    const Outcome outcome = compare(folder, {"good.csv", "x.csv"});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_NE(outcome.errors.find(message), std::string::npos) << outcome.errors;
  }
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"nowhere.csv"},
                                                    {good, good, good},
                                                    {good, "--plot", "good.png"},
                                                    {good, "--csv", good}})
    EXPECT_EQ(flaw_of_error(compare(folder, arguments), 2), "");
}

}  // namespace
}  // namespace kinescope::tests::command_line::timings_test
