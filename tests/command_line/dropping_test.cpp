// --set on_loss=drop: the rows of a lost worker are left out until a worker comes.
#include <algorithm>
#include <cctype>
#include <csignal>
#include <future>
#include <gtest/gtest.h>
#include <numeric>
#include <utility>

#include "tests/command_line/workers.hpp"

namespace kinescope::tests::command_line::dropping_test {
namespace {

// Three quarters of these rows are a good sample of all of them: their centroids are nearly those of all rows.
TEST(CommandLineWorkers, RowsOfOneThatIsKilledAreDropped) {
  for (const std::vector<std::string>& few : {std::vector<std::string>{}, {"--set", "clusters=3"}}) {
    const Folder folder;
    std::vector<std::string> more = {"--set", "on_loss=drop", "--timeout", "10"};
    more.insert(more.end(), few.begin(), few.end());
    const Files files = disturbed_run(
        folder, [](const std::vector<pid_t>& workers) { kill(workers[1], SIGKILL); }, more);
    more = few;
    more.insert(more.end(), {"--set", "iterations=" + files.report["iterations"].dump()});
    const Files one = run(folder, long_run, more);
    ASSERT_EQ(files.report["lost"].size(), 1u);
    EXPECT_NEAR(files.report["rows_missing"].get<double>(), rows / 4, 128);
    EXPECT_FALSE(files.centroids == one.centroids);
    EXPECT_NEAR(files.report["inertia"].get<double>() / one.report["inertia"].get<double>(), 1, 0.02);
    const std::vector<std::string> labels = lines_of(files.labels);
    EXPECT_EQ(labels.size(), rows + 1u);
    EXPECT_EQ(
        std::count_if(labels.begin() + 1, labels.end(), [](const std::string& line) { return !std::isdigit(line[0]); }),
        0);
    const auto sizes = files.report["sizes"].get<std::vector<std::int64_t>>();
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), rows);
  }
}

TEST(CommandLineWorkers, DroppedRowsTakePartAgainOnceTheWorkerIsBack) {
  const Files files = run_with_a_return({"--set", "on_loss=drop"});
  const Files& one = alone(files.report["iterations"]);
  EXPECT_EQ(files.report["rows_missing"], 0);
  EXPECT_NEAR(files.report["inertia"].get<double>() / one.report["inertia"].get<double>(), 1, 0.02);
}

// Two runs from the centroids `start`: one by four workers, the other by one process. Worker 4 has the rows with a =
// 1000, and is killed.
std::pair<Files, Files> run_without_the_last(const Folder& folder, int clusters, const std::string& start) {
  std::string rows;
  for (int i = 0; i < 60000; ++i) rows += (i < 45000 ? "0," : "1000,") + std::to_string(i % 7) + "\n";
  folder.write("data.csv", "a,b\n" + rows);
  folder.write("start.csv", "a,b\n" + start);
  const std::vector<std::string> arguments = {"run",       "k-means",
                                              "--backend", "cpu",
                                              "--data",    "data.csv",
                                              "--set",     "start=start.csv",
                                              "--set",     "stop=iterations",
                                              "--set",     "iterations=1000",
                                              "--set",     "clusters=" + std::to_string(clusters)};
  const Files one = run(folder, arguments);
  auto files = std::async(std::launch::async, [&] {
    return run(folder, arguments,
               {"--set", "on_loss=drop", "--timeout", "10", "--workers", "4", "--group", folder.path().string()});
  });
  await_iteration(folder, 5);
  const pid_t last = static_cast<pid_t>(said_by(folder, "worker-4").process);
  EXPECT_GT(last, 0);
  if (last > 0) kill(last, SIGKILL);
  Files found = files.get();
  EXPECT_EQ(found.report["lost"].size(), 1u);
  return {found, one};
}

// A cluster without points among the remaining rows may have points among the dropped ones. To repair it, all rows are
// needed.
TEST(CommandLineWorkers, AClusterThatIsEmptyWithoutDroppedRowsIsRepairedWithThem) {
  const Folder folder;
  const auto [found, one] = run_without_the_last(folder, 4, "0,1\n0,5\n1000,1\n1000,5\n");
  EXPECT_EQ(found.report["rows_missing"], 0);
  expect_same(found, one);
}

// In this run nearly all of the inertia comes from the rows that are left out.
TEST(CommandLineWorkers, TheInertiaCountsDroppedRows) {
  const Folder folder;
  const auto [found, one] = run_without_the_last(folder, 1, "0,3\n");
  EXPECT_NEAR(found.report["rows_missing"].get<double>(), 15000, 128);
  double inertia = 0;
  const std::vector<std::string> lines = lines_of(found.labels);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const double distance = std::stod(lines[i].substr(lines[i].find(',') + 1));
    inertia += distance * distance;
  }
  EXPECT_GT(inertia, 1e10);
  EXPECT_NEAR(found.report["inertia"].get<double>() / inertia, 1, 1e-5);
}

}  // namespace
}  // namespace kinescope::tests::command_line::dropping_test
