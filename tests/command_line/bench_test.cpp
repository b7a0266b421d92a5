// bench: its table, its CSV and its plot, on experiments small enough for a test.
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <ranges>
#include <set>
#include <unistd.h>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::bench_test {
namespace {

// A CSV line's cells; a cell in double quotes may hold commas.
std::vector<std::string> cells_of_csv(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

constexpr const char* columns =
    "experiment,method,data,points,dimensions,backend,device,threads,repetitions,median_seconds,min_seconds,max_"
    "seconds,"
    "iterations,figure,value";

// A folder with a stand-in for a published data set, under the name cancer.csv: points on a plane, which need no
// projection.
std::string with_published(const Folder& folder) {
  std::string text = "a,b,class\n";
  for (int i = 0; i < 60; ++i) text += std::to_string(i % 8) + "," + std::to_string(i / 8) + ",one\n";
  folder.write("cancer.csv", text);
  return folder.path().string();
}

TEST(CommandLineBench, WritesTheTableTheCsvAndThePlot) {
  const Folder folder, published;
  const Outcome outcome = run_program({"bench", "glimmer", "--quick", "--backend", "cpu", "--threads", "2", "--csv",
                                       "rows.csv", "--plot", "plot.svg", "--data-directory", with_published(published)},
                                      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"plot.svg", "rows.csv"}));
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  ASSERT_GT(lines.size(), 6u);
  EXPECT_EQ(lines[0], columns);
  std::set<std::string> methods, data;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of_csv(lines[i]);
    ASSERT_EQ(cells.size(), 15u) << lines[i];
    const auto number = [&](std::size_t column) { return std::stod(cells[column]); };
    EXPECT_EQ(cells[0], "glimmer");
    methods.insert(cells[1]);
    data.insert(cells[2]);
    EXPECT_GT(number(3), 0);
    EXPECT_LE(number(3), 2000);
    EXPECT_EQ(cells[5], "cpu");
    EXPECT_NE(cells[6], "");
    EXPECT_EQ(cells[7], "2");
    EXPECT_EQ(cells[8], "1");
    EXPECT_GT(number(9), 0);
    EXPECT_LE(number(10), number(9));
    EXPECT_GE(number(11), number(9));
    EXPECT_GT(number(12), 0);
    EXPECT_EQ(cells[13], "stress");
    EXPECT_GE(number(14), 0);
    EXPECT_LT(number(14), 1);
    // Points of a plane can be laid out exactly.
    if (cells[1] == "glimmer" && cells[2] == "cancer.csv") {
      EXPECT_EQ(cells[3], "60");
      EXPECT_LT(number(14), 1e-6);
    }
    EXPECT_NE(outcome.out.find("\n" + cells[1] + " "), std::string::npos);
  }
  EXPECT_EQ(methods, (std::set<std::string>{"glimmer", "glimmer-2007", "stochastic-force"}));
  EXPECT_TRUE(data.contains("cancer.csv"));
  EXPECT_TRUE(data.contains("synthetic:swissroll,n=1089"));
  EXPECT_EQ(lines.size() - 1, methods.size() * data.size());
  const std::string check =
      "python3 -c \"import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])\" '" + folder.file("plot.svg") + "'";
  if (std::system("python3 -c pass 2>/dev/null") == 0) {
    EXPECT_EQ(std::system(check.c_str()), 0);
  }
  const std::string plot = read_file(folder.path() / "plot.svg");
  for (const char* word : {"glimmer-2007, CPU", "median time (s)", ">stress<", ">cancer.csv<", ">swissroll<"})
    EXPECT_NE(plot.find(word), std::string::npos) << word;
}

// Samples of one file share two panels: seconds and stress against the number of points.
TEST(CommandLineBench, SweepsAParameterOverSamples) {
  const Folder folder, published;
  std::string text = "a,b,c,class\n";
  for (int i = 0; i < 683; ++i)
    text += std::to_string(i % 26) + "," + std::to_string(i / 26) + "," + std::to_string(i * 37 % 11) + ",one\n";
  published.write("cancer.csv", text);
  const Outcome outcome = run_program({"bench", "minimum-level", "--quick", "--backend", "cpu", "--csv", "rows.csv",
                                       "--plot", "plot.svg", "--data-directory", published.path().string()},
                                      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, std::set<std::string>> points_of;
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of_csv(lines[i]);
    points_of[cells[1]].insert(cells[3]);
    EXPECT_EQ(cells[2], "cancer.csv,n=" + cells[3]);
    EXPECT_LT(std::stod(cells[14]), 0.3);
  }
  EXPECT_EQ(points_of.size(), 5u);
  for (const char* method : {"M = 100", "M = 500", "M = 1000", "stochastic-force", "glimmer"})
    EXPECT_EQ(points_of[method], (std::set<std::string>{"76", "212", "347", "483", "622"})) << method;
  const std::string plot = read_file(folder.path() / "plot.svg");
  for (const char* word :
       {">minimum-level<", ">cancer.csv<", ">points<", ">stress<", ">median time (s)<", "M = 500, CPU"})
    EXPECT_NE(plot.find(word), std::string::npos) << word;
}

TEST(CommandLineBench, KeepsTheRowsMeasuredBeforeAnInterrupt) {
  const Folder folder, published;
  const Outcome outcome =
      run_program({"bench", "--backend", "cpu", "--csv", "rows.csv", "--data-directory", with_published(published)},
                  {.folder = folder.path(), .interrupt_after = "  cpu  "});
  EXPECT_EQ(outcome.status, 130);
  ASSERT_EQ(lines_of(outcome.errors).size(), 1u) << outcome.errors;
  EXPECT_TRUE(outcome.errors.starts_with("kinescope: error: interrupted after ")) << outcome.errors;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"rows.csv"});
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], columns);
  const std::vector<std::string> printed = lines_of(outcome.out);
  const auto rows = std::count_if(printed.begin(), printed.end(),
                                  [](const std::string& line) { return line.find("  cpu  ") != std::string::npos; });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(lines.size()) - 1, rows);
  EXPECT_NE(outcome.errors.find("interrupted after " + std::to_string(rows) + " rows"), std::string::npos)
      << outcome.errors;
}

TEST(CommandLineBench, OneFileThatFailsCostsNeitherRowsNorTheOther) {
  const Folder folder;
  const Outcome outcome = run_program({"bench", "solvers", "--quick", "--csv", "rows.csv", "--plot", "plot.svg"},
                                      {.folder = folder.path(), .out = "/dev/null", .file_size_bytes = 150});
  EXPECT_EQ(outcome.status, 1);
  ASSERT_EQ(lines_of(outcome.errors).size(), 1u) << outcome.errors;
  for (const char* file : {"rows.csv: ", "plot.svg: "})
    EXPECT_NE(outcome.errors.find(file), std::string::npos) << outcome.errors;
}

// Ten million points are made in one step, which takes long on any machine; and a person at a terminal.
TEST(CommandLineBench, AnInterruptDoesNotWaitForTheRow) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const Outcome outcome = run_program({"bench", "k-means-from-memory", "--backend", "cpu", "--threads", "1"},
                                      {.errors = ptsname(terminal), .interrupt_after = "CPU: "});
  EXPECT_EQ(outcome.status, 130);
  std::string errors;
  char part[4096];
  for (ssize_t count = 0; (count = read(terminal, part, sizeof part)) > 0;)  // a terminal gives parts
    errors.append(part, static_cast<std::size_t>(count));
  close(terminal);
  EXPECT_NE(errors.find("interrupted after 0 rows"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("ends first"), std::string::npos) << errors;
}

TEST(CommandLineBench, HelpNamesTheExperiments) {
  const Outcome outcome = run_program({"bench", "--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* word : {"Experiments:", "  glimmer  ", "--csv", "--plot", "--backend"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
  EXPECT_EQ(outcome.out.find("--seed"), std::string::npos);
}

TEST(CommandLineBench, ASimulationsNameStandsForItsExperiments) {
  const Folder folder;
  const Outcome outcome =
      run_program({"bench", "fitzhugh-nagumo", "--quick", "--backend", "cpu", "--csv", "b.csv", "--plot", "b.svg"},
                  {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::string csv = read_file(folder.path() / "b.csv"), plot = read_file(folder.path() / "b.svg");
  for (const char* experiment : {"errors-dx", "errors-dt", "stability", "newton", "adaptive", "steps", "solvers"}) {
    EXPECT_NE(csv.find(std::string("\n") + experiment + ","), std::string::npos) << experiment;
    EXPECT_NE(plot.find(std::string(">") + experiment + "<"), std::string::npos) << experiment;
  }
  for (const char* axis : {">dx<", ">dt<", ">nodes<", ">iteration<"})
    EXPECT_NE(plot.find(axis), std::string::npos) << axis;
}

// The stress that is shown is the true one at every moment of a small layout, and the picture comes to rest.
TEST(CommandLineBench, FilmsALayout) {
  const Folder folder;
  const Outcome outcome = run_program({"bench", "films", "--quick", "--backend", "cpu", "--csv", "rows.csv", "--plot",
                                       "plot.svg", "--data-directory", folder.path().string()},
                                      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, std::map<long, double>> series;  // by method: the figure at each iteration
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of_csv(lines[i]);
    EXPECT_EQ(cells[2], "synthetic:swissroll,n=1089");
    series[cells[1]][std::stol(cells[12])] = std::stod(cells[14]);
  }
  ASSERT_EQ(series.size(), 3u);
  EXPECT_GE(series["shown"].size(), 20u);
  for (const auto& [iteration, shown] : series["shown"]) EXPECT_NEAR(shown, series["true"][iteration], 0.01 * shown);
  EXPECT_LT(series["shown"].rbegin()->second, series["shown"].begin()->second);
  EXPECT_EQ(series["largest move"].begin()->second, 0);
  EXPECT_GT(std::ranges::max(series["largest move"] | std::views::values), 0.01);
  EXPECT_LT(series["largest move"].rbegin()->second, 0.1);
  const std::string plot = read_file(folder.path() / "plot.svg");
  for (const char* word : {">iteration<", "shown, CPU", "true, CPU"})
    EXPECT_NE(plot.find(word), std::string::npos) << word;
}

TEST(CommandLineBench, TimesTheMeasuresOfALayout) {
  const Folder folder;
  const Outcome outcome =
      run_program({"bench", "measures", "--quick", "--threads", "2", "--csv", "rows.csv"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, double> found;  // with Euclidean distances
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of_csv(lines[i]);
    EXPECT_GT(std::stod(cells[9]), 0) << lines[i];
    if (cells[2].ends_with(" metric=euclidean")) found[cells[1]] = std::stod(cells[14]);
  }
  EXPECT_EQ(lines.size(), 1u + 3 * 7);
  EXPECT_EQ(found["each point's"], 2'000);  // exact
  EXPECT_EQ(found["pairs"], 1e6);
  EXPECT_GT(found["stress"], 0);
  EXPECT_LT(found["stress"], 0.1);
  EXPECT_GT(found["neighbourhoods"], 0.8);
  EXPECT_LT(found["neighbourhoods"], 1);
  EXPECT_GT(found["nearest rows"], 0);
}

// A process of its own for each size; bytes a point are the difference of their peaks.
TEST(CommandLineBench, MeasuresMemory) {
  const Folder folder;
  const Outcome outcome =
      run_program({"bench", "memory", "--quick", "--backend", "cpu", "--csv", "rows.csv"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, std::vector<std::pair<double, double>>> peaks;  // by method and columns: points, MB
  std::set<std::string> methods;
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "rows.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of_csv(lines[i]);
    const double points = std::stod(cells[3]), value = std::stod(cells[14]);
    auto& own = peaks[cells[1] + cells[4]];
    methods.insert(cells[1]);
    if (cells[13] == "peak MB") {
      EXPECT_GT(value, 5) << lines[i];
      EXPECT_LT(value, 2'000) << lines[i];
      own.emplace_back(points, value);
    } else {
      ASSERT_EQ(cells[13], "bytes a point");
      ASSERT_EQ(own.size(), 2u);
      EXPECT_NEAR(value, 1e6 * (own[1].second - own[0].second) / (own[1].first - own[0].first), 1) << lines[i];
    }
  }
  EXPECT_EQ(methods, (std::set<std::string>{"glimmer", "k-means", "mean-shift"}));
  EXPECT_EQ(lines.size(), 1u + 6 * 3);
}

// What needs no published data. That the documents state these figures is tested in tests/app/claims_test.cpp. How
// large an error is depends on the order in which a processor rounds.
TEST(CommandLineBench, ClaimsHold) {
  const Folder folder;
  const Outcome outcome = run_program(
      {"bench", "claims", "--quick", "--backend", "cpu", "--threads", "2", "--data-directory", folder.path().string()},
      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::map<std::string, int> claims;
  for (const std::string& line : lines_of(outcome.out)) {
    const std::size_t stated = line.find(", stated "), end = line.find(": ", stated);
    if (stated == std::string::npos) continue;
    ++claims[line.substr(0, line.find(' '))];
    const bool is_error = line.find(" largest_error ") != std::string::npos;
    EXPECT_LT(std::abs(std::stod(line.substr(end + 2))), is_error ? 100 : 1) << line;
  }
  for (const auto& [simulation, least] :
       std::map<std::string, int>{{"glimmer", 1}, {"k-means", 7}, {"mean-shift", 5}, {"fitzhugh-nagumo", 13}})
    EXPECT_GE(claims[simulation], least) << simulation;
}

}  // namespace
}  // namespace kinescope::tests::command_line::bench_test
