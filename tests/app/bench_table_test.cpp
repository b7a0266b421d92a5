// The plot of bench's rows: what a line joins.
#include "app/cli/commands/bench_table.hpp"

#include <gtest/gtest.h>

namespace kinescope::app::bench_table_test {
namespace {

bench::BenchmarkRow row(const std::string& method, long points, double seconds, double stress) {
  bench::BenchmarkRow one;
  one.experiment = "layouts";
  one.method = method;
  one.data = "synthetic:grid,n=" + std::to_string(points);
  one.points = points;
  one.backend = "cpu";
  one.repetitions = 1;
  one.median_seconds = seconds;
  one.figure = "stress";
  one.value = stress;
  return one;
}

std::vector<double> times(const PlotSeries& series) {
  std::vector<double> all;
  for (const PlotPoint& point : series.points) all.push_back(point.x);
  return all;
}

// As in the thesis's figure 6.6: PivotMDS with 50, 100 and 300 pivots is one line on each data set.
TEST(BenchTable, JoinsTheSettingsOfAMethodOnOneDataSetAndOtherwiseNumbersOfPoints) {
  const std::vector<bench::BenchmarkRow> rows{row("glimmer", 1000, 1, 0.1), row("pivot-mds", 1000, 2, 0.3),
                                              row("pivot-mds, 100", 1000, 3, 0.2), row("glimmer", 10'000, 4, 0.1),
                                              row("pivot-mds, 100", 10'000, 5, 0.2)};
  const Figure figure = bench_figure("", rows, {});
  ASSERT_EQ(figure.panels.size(), 1u);
  const std::vector<PlotSeries>& series = figure.panels.front().series;
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(times(series[0]), (std::vector<double>{1, 4}));
  EXPECT_EQ(times(series[1]), (std::vector<double>{2, 3}));
  EXPECT_EQ(times(series[2]), (std::vector<double>{5}));
  EXPECT_EQ(series[0].name, "glimmer, CPU");
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(series[i].name, "pivot-mds, CPU");
    EXPECT_EQ(series[i].style, 1);
  }
}

TEST(BenchTable, TimesThatWereNotMeasuredAreEmptyCellsOfTheCsv) {
  const sim::Table table = bench_csv({row("newton", 1000, 0, 0.1), row("glimmer", 1000, 0.5, 0.1)});
  EXPECT_EQ(table.find("median_seconds")->texts, (std::vector<std::string>{"", "0.5"}));
  for (const char* name : {"min_seconds", "max_seconds"})
    EXPECT_EQ(table.find(name)->texts, (std::vector<std::string>{"", ""})) << name;
  EXPECT_EQ(table.find("threads")->texts, (std::vector<std::string>{"0", "0"}));
}

}  // namespace
}  // namespace kinescope::app::bench_table_test
