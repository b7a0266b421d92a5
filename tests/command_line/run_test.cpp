// What `run` writes, and that the same seed writes the same bytes.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::run_test {
namespace {

using nlohmann::json;

// Three groups of rows; the label stands between the numbers, and one row has a missing value.
std::string groups_csv() {
  std::string text = "a,class,b,c\n";
  for (int i = 0; i < 60; ++i) {
    const int group = i % 3;
    text += std::to_string(group * 10 + i % 7) + "," +
            (group == 0   ? "red"
             : group == 1 ? "green"
                          : "blue") +
            "," + std::to_string(group * 5 - i % 5) + "," + (i == 10 ? "?" : std::to_string(i % 4)) + "\n";
  }
  return text;
}

std::string run_to_bytes(const Folder& folder, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", "glimmer", "--out", "layout.csv"});
  const Outcome outcome = run_program(options, {.folder = folder.path()});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.errors.find("error"), std::string::npos) << outcome.errors;
  return read_file(folder.path() / "layout.csv");
}

TEST(CommandLineRun, CsvHasARowForEachPointInTheInputsOrder) {
  const Folder folder;
  folder.write("groups.csv", groups_csv());
  const std::vector<std::string> lines = lines_of(run_to_bytes(folder, {"--data", "groups.csv"}));
  ASSERT_EQ(lines.size(), 60u);  // a head, and 60 rows without the one that was left out
  EXPECT_EQ(lines[0], "x,y,label");
  const char* names[] = {"red", "green", "blue"};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t row = i - 1 < 10 ? i - 1 : i;
    EXPECT_TRUE(lines[i].ends_with(std::string(",") + names[row % 3])) << i << ": " << lines[i];
  }
  EXPECT_EQ(lines_of(run_to_bytes(folder, {"--data", "groups.csv", "--missing", "mean"})).size(), 61u);
  EXPECT_EQ(lines_of(run_to_bytes(folder, {"--data", "groups.csv", "--set", "output_dimensions=3"}))[0], "x,y,z,label");
  EXPECT_EQ(lines_of(run_to_bytes(folder, {"--data", "groups.csv", "--columns", "a,b"})).size(), 61u);
}

TEST(CommandLineRun, NpyHoldsTheSameNumbersAsTheCsv) {
  const Folder folder;
  folder.write("groups.csv", groups_csv());
  const std::vector<std::string> lines = lines_of(run_to_bytes(folder, {"--data", "groups.csv"}));
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", "groups.csv", "--out", "layout.npy"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::string bytes = read_file(folder.path() / "layout.npy");
  ASSERT_GT(bytes.size(), 128u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(bytes.find("(59, 2)"), std::string::npos);
  EXPECT_NE(bytes.find("'<f4'"), std::string::npos);
  const std::size_t begin = bytes.size() - 59 * 2 * sizeof(float);
  EXPECT_EQ(begin % 64, 0u);
  for (std::size_t i = 0; i < 59; ++i) {
    float pair[2];
    std::memcpy(pair, bytes.data() + begin + i * sizeof pair, sizeof pair);
    char* end = nullptr;
    EXPECT_EQ(pair[0], std::strtof(lines[i + 1].c_str(), &end));
    EXPECT_EQ(pair[1], std::strtof(end + 1, nullptr));
  }
}

TEST(CommandLineRun, TheSameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  const Folder folder;
  const std::vector<std::string> options = {"--data", "synthetic:swissroll,n=3000", "--backend", "cpu"};
  const std::string first = run_to_bytes(folder, options);
  EXPECT_EQ(lines_of(first).size(), 3001u);
  EXPECT_TRUE(first == run_to_bytes(folder, options)) << "two equal runs differ";
  for (const char* threads : {"1", "2", "7"}) {
    std::vector<std::string> threaded = options;
    threaded.insert(threaded.end(), {"--threads", threads});
    EXPECT_TRUE(first == run_to_bytes(folder, threaded)) << threads << " threads differ";
  }
  std::vector<std::string> seeded = options;
  seeded.insert(seeded.end(), {"--seed", "2"});
  EXPECT_FALSE(first == run_to_bytes(folder, seeded)) << "the seed has no effect";
}

TEST(CommandLineRun, ReportHasTheKeysOfTheInterface) {
  const Folder folder;
  folder.write("groups.csv", groups_csv());
  const Outcome outcome = run_program({"run", "glimmer", "--data", "groups.csv", "--report", "r.json", "--seed", "9",
                                       "--backend", "cpu", "--set", "near=5"},
                                      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.out, "");
  const json report = json::parse(read_file(folder.path() / "r.json"));
  EXPECT_EQ(report.at("simulation"), "glimmer");
  EXPECT_EQ(report.at("backend"), "cpu");
  EXPECT_FALSE(report.at("device").get<std::string>().empty());
  EXPECT_EQ(report.at("points"), 59);
  EXPECT_EQ(report.at("dimensions"), 3);
  EXPECT_EQ(report.at("seed"), 9);
  EXPECT_EQ(report.at("parameters").at("near"), 5);
  EXPECT_EQ(report.at("parameters").at("metric"), "euclidean");
  EXPECT_GT(report.at("iterations").get<long>(), 0);
  EXPECT_GT(report.at("seconds").get<double>(), 0);
  EXPECT_EQ(report.at("converged"), true);
  EXPECT_GE(report.at("stress").get<double>(), 0);
  EXPECT_LT(report.at("stress").get<double>(), 1);
  EXPECT_EQ(report.at("stress_is"), "exact");
  EXPECT_EQ(report.at("rows_left_out"), json::array({12}));  // the line, the head being line 1
}

TEST(CommandLineRun, ReportTellsTheSizeOfSparseRows) {
  const Folder folder;
  std::string text;
  for (int row = 0; row < 30; ++row)
    text += std::to_string(row % 2) + " " + std::to_string(row + 1) + ":1 " + std::to_string(100 + row % 2) + ":3\n";
  folder.write("t.svm", text);
  const Outcome outcome = run_program({"run", "glimmer", "--data", "t.svm", "--report", "r.json", "--backend", "cpu"},
                                      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const json report = json::parse(read_file(folder.path() / "r.json"));
  EXPECT_EQ(report.at("points"), 30);
  EXPECT_EQ(report.at("dimensions"), 101);
  EXPECT_EQ(report.at("stored_values"), 60);
  EXPECT_EQ(report.at("data_bytes"), 31 * 8 + 60 * 8);
  EXPECT_LT(report.at("stress").get<double>(), 1);
}

TEST(CommandLineRun, PresetsSetParametersAndSetWinsOverThem) {
  const Folder folder;
  folder.write("p.json", R"({"near": 5, "metric": "manhattan", "epsilon": 1e-3})");
  const auto parameters_of = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"run", "glimmer", "--data", "synthetic:grid,n=100", "--report", "r.json"});
    const Outcome outcome = run_program(options, {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return json::parse(read_file(folder.path() / "r.json")).at("parameters");
  };
  const json preset = parameters_of({"--preset", "p.json"});
  EXPECT_EQ(preset.at("near"), 5);
  EXPECT_EQ(preset.at("metric"), "manhattan");
  EXPECT_EQ(preset.at("epsilon"), 1e-3);
  const json both = parameters_of({"--set", "near=6", "--preset", "p.json"});
  EXPECT_EQ(both.at("near"), 6);
  EXPECT_EQ(both.at("metric"), "manhattan");
  std::filesystem::rename(folder.path() / "r.json", folder.path() / "before.json");
  EXPECT_EQ(parameters_of({"--preset", "before.json"}), both) << "a report is a preset of its own run";
}

TEST(CommandLineRun, AReportRepeatsItsRun) {
  const Folder folder;
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(),
                   {"run", "k-means", "--data", "synthetic:gaussians,n=500", "--report", "r.json", "--out", "o.csv"});
    const Outcome outcome = run_program(options, {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return std::pair(json::parse(read_file(folder.path() / "r.json")).at("seed").get<int>(),
                     read_file(folder.path() / "o.csv"));
  };
  const auto first = run({"--set", "start=random", "--set", "clusters=9", "--set", "iterations=1", "--seed", "5"});
  std::filesystem::rename(folder.path() / "r.json", folder.path() / "before.json");
  EXPECT_EQ(run({"--preset", "before.json"}), first);
  EXPECT_EQ(run({"--preset", "before.json", "--seed", "6"}).first, 6);
  folder.write("s.kinescope.json", R"({"simulation": "k-means", "parameters": {"clusters": 3}, "seed": 7})");
  EXPECT_EQ(run({"--preset", "s.kinescope.json"}).first, 7);
  folder.write("bad.json", R"({"parameters": {}, "seed": -1})");
  const Outcome bad = run_program({"run", "k-means", "--preset", "bad.json"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(bad, 2), "");
  EXPECT_NE(bad.errors.find("bad.json: seed: expected a whole number"), std::string::npos) << bad.errors;
}

TEST(CommandLineRun, WithoutFilesASummaryIsPrinted) {
  const Outcome outcome = run_program({"run", "glimmer", "--data", "synthetic:grid,n=400"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  for (const char* word : {"points", "400", "iterations", "seconds", "stress"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << "\n" << outcome.out;
}

// What nobody asked for takes no time: the criteria are left out, a long sum is estimated. A report has both.
TEST(CommandLineRun, ASummaryTakesLittle) {
  const Folder folder;
  const auto ends = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--backend", "cpu"});
    const Outcome outcome = run_program(words, {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.out;
  };
  const std::vector<std::string> k_means = {"run",   "k-means",    "--data", "synthetic:gaussians,n=500,k=2,clusters=3",
                                            "--set", "clusters=3", "--set",  "iterations=5"};
  EXPECT_EQ(ends(k_means).find("bic"), std::string::npos);
  EXPECT_NE(ends(k_means).find("inertia"), std::string::npos);
  std::vector<std::string> words = k_means;
  words.insert(words.end(), {"--set", "sweep=1:3"});
  EXPECT_NE(ends(words).find("bic"), std::string::npos);
  words = k_means;
  words.insert(words.end(), {"--report", "k.json"});
  ends(words);
  json report = json::parse(read_file(folder.path() / "k.json"));
  EXPECT_GT(report.at("bic").get<double>(), 0);
  EXPECT_GE(report.at("criteria_seconds").get<double>(), 0);

  const std::vector<std::string> layout = {"run", "glimmer", "--data", "synthetic:topics,n=4000,h=600"};
  const std::string summary = ends(layout);
  EXPECT_NE(summary.find("sampled"), std::string::npos) << summary;
  words = layout;
  words.insert(words.end(), {"--report", "l.json"});
  ends(words);
  report = json::parse(read_file(folder.path() / "l.json"));
  EXPECT_EQ(report.at("stress_is"), "exact");
  EXPECT_GT(report.at("figure_seconds").get<double>(), 0);
  const auto number_after = [&](const std::string& key) {
    return std::stod(summary.substr(summary.find("\n" + key + " ") + key.size() + 1));
  };
  EXPECT_NEAR(number_after("stress"), report.at("stress").get<double>(), 5 * number_after("stress_error"));
  EXPECT_LT(number_after("stress_error"), 0.01 * number_after("stress"));
}

TEST(CommandLineRun, InterruptWritesTheResultSoFar) {
  const Folder folder;
  // The published algorithm, with a tolerance that is never met: far more work than fits into two seconds.
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", "synthetic:gaussians,n=100000,k=3", "--backend", "cpu", "--set",
                   "algorithm=glimmer-2007", "--set", "epsilon=1e-9", "--out", "layout.csv"},
                  {.folder = folder.path(), .interrupt_after_seconds = 2, .limit_seconds = 300});
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"layout.csv"});
  EXPECT_EQ(lines_of(read_file(folder.path() / "layout.csv")).size(), 100001u);
}

// A closed terminal ends a run like SIGTERM does.
TEST(CommandLineRun, HangUpWritesTheResultSoFar) {
  const Folder folder;
  const Outcome outcome = run_program({"run", "fitzhugh-nagumo", "--backend", "cpu", "--set", "nodes=20000", "--set",
                                       "end_time=1e7", "--long", "--out", "x.csv"},
                                      {.folder = folder.path(), .interrupt_after_seconds = 1, .signal = SIGHUP});
  EXPECT_EQ(flaw_of_error(outcome, 130), "");
  EXPECT_EQ(lines_of(read_file(folder.path() / "x.csv")).size(), 20001u);
}

TEST(CommandLineRun, AFileBeyondTheLimitIsAFailedRun) {
  const Folder folder;
  const Outcome outcome = run_program({"run", "glimmer", "--data", "synthetic:grid,n=20000", "--out", "x.csv"},
                                      {.folder = folder.path(), .file_size_bytes = 65536});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_NE(outcome.errors.find("x.csv: cannot be written"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(folder.names().empty());
}

TEST(CommandLineRun, ARunThatALimitCutShortHasNotConverged) {
  const Folder folder;
  const auto converged = [&](const std::string& simulation, const std::string& limit) {
    const Outcome outcome = run_program({"run", simulation, "--data", "synthetic:gaussians,n=2000,k=3,clusters=5",
                                         "--set", limit, "--report", "r.json"},
                                        {.folder = folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return json::parse(read_file(folder.path() / "r.json")).at("converged").get<bool>();
  };
  EXPECT_FALSE(converged("glimmer", "maximum_iterations=3"));
  EXPECT_TRUE(converged("glimmer", "maximum_iterations=0"));
  EXPECT_FALSE(converged("mean-shift", "iterations=2"));
  EXPECT_TRUE(converged("mean-shift", "iterations=0"));
  EXPECT_FALSE(converged("k-means", "iterations=1"));
  EXPECT_TRUE(converged("k-means", "iterations=1000"));
  const Outcome cut =
      run_program({"run", "k-means", "--data", "synthetic:gaussians,n=2000,clusters=5", "--set", "iterations=1"});
  EXPECT_NE(cut.out.find("no: the limit on iterations ended it first"), std::string::npos) << cut.out;
  // A run that is drawn ends there too.
  EXPECT_EQ(run_program({"view", "k-means", "--headless", "--backend", "cpu", "--data", "synthetic:gaussians,n=2000",
                         "--set", "iterations=1", "--until-done", "--size", "64x48"},
                        {.limit_seconds = 60})
                .status,
            0);
}

TEST(CommandLineRun, PointsWithoutAPlaceAreNoSuccess) {
  const Folder folder;
  const Outcome outcome = run_program(
      {"run", "glimmer", "--data", "synthetic:gaussians,n=3000", "--set", "maximum_iterations=1", "--out", "x.csv"},
      {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_NE(outcome.errors.find("points had a place in the layout; the result so far is in x.csv"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(lines_of(read_file(folder.path() / "x.csv")).size(), 3001u);
}

// The state after so many iterations is that of a run whose limit ends it there.
TEST(CommandLineRun, EndsAtTheIterationAskedFor) {
  const Folder folder;
  folder.write("groups.csv", groups_csv());
  const std::string at = run_to_bytes(folder, {"--data", "groups.csv", "--at", "7", "--report", "at.json"});
  EXPECT_EQ(json::parse(read_file(folder.path() / "at.json"))["iterations"], 7);
  EXPECT_EQ(at, run_to_bytes(folder, {"--data", "groups.csv", "--set", "maximum_iterations=7"}));
  EXPECT_NE(at, run_to_bytes(folder, {"--data", "groups.csv"}));
  EXPECT_NE(at, run_to_bytes(folder, {"--data", "groups.csv", "--at", "0"}));
  const Outcome late = run_program({"run", "glimmer", "--data", "groups.csv", "--at", "100000", "--out", "late.csv"},
                                   {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(late, 2), "");
  EXPECT_NE(late.errors.find("--at 100000: the run already ended after "), std::string::npos) << late.errors;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "late.csv"));
}

// On stderr, once the run has succeeded: what was decided about the data, and suggestions.
TEST(CommandLineRun, TellsWhatOpeningTheDataHasFound) {
  const Folder folder;
  folder.write("groups.csv", groups_csv());
  const Outcome outcome =
      run_program({"run", "k-means", "--data", "groups.csv", "--out", "x.csv"}, {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(
      outcome.errors,
      "kinescope: groups.csv: 60 rows × 4 columns, CSV\n  row 1 is the header: 'a' stands above numbers\n  distances "
      "are computed from 3 columns of numbers\n  'class' colours the points\n  1 row left out for missing "
      "values\nkinescope: 1 of 60 rows lacks a value and was left out: fill with mean (--missing mean)\n");
  const Outcome mended =
      run_program({"run", "k-means", "--data", "groups.csv", "--missing", "mean"}, {.folder = folder.path()});
  EXPECT_NE(mended.errors.find("1 missing value filled with the means"), std::string::npos) << mended.errors;
  EXPECT_EQ(mended.errors.find("kinescope: ", 1), std::string::npos) << mended.errors;  // no suggestion
  for (const std::string& line : lines_of(mended.errors)) EXPECT_LE(line.size(), 100u) << line;
  const Outcome failed =
      run_program({"run", "k-means", "--data", "groups.csv", "--set", "clusters=100"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(failed, 2), "");
}

TEST(CommandLineRun, NormalizeBelongsToAllSimulationsOfPoints) {
  const Folder folder;
  std::string text = "a,b\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i % 2) + "," + std::to_string(1000 + 37 * i % 500) + "\n";
  folder.write("t.csv", text);
  for (const char* simulation : {"glimmer", "mean-shift", "k-means"})
    for (const char* normalize : {"none", "zscore", "minmax"}) {
      const Outcome outcome = run_program(
          {"run", simulation, "--data", "t.csv", "--set", std::string("normalize=") + normalize, "--report", "r.json"},
          {.folder = folder.path()});
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
      EXPECT_EQ(json::parse(read_file(folder.path() / "r.json")).at("parameters").at("normalize"), normalize);
      EXPECT_EQ(outcome.errors.find("standardize") != std::string::npos, std::string(normalize) == "none")
          << outcome.errors;
    }
}

TEST(CommandLineRun, OutOfMemoryIsAFailedRun) {
  const Folder folder;
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", "synthetic:grid,n=20000000", "--backend", "cpu", "--out", "layout.csv"},
                  {.folder = folder.path(), .address_space_bytes = std::size_t{400} << 20});
  EXPECT_EQ(flaw_of_error(outcome, 1), "");
  EXPECT_NE(outcome.errors.find("out of memory"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(folder.names().empty());
}

TEST(CommandLineRun, AdviceOnMemoryFitsTheSimulation) {
  const Folder folder;
  const Outcome land = run_program(
      {"run", "landscape", "--backend", "cpu", "--threads", "1", "--set", "terrain_size=13", "--out", "x.ply"},
      {.folder = folder.path(), .address_space_bytes = std::size_t{500} << 20});
  EXPECT_EQ(flaw_of_error(land, 1), "");
  EXPECT_NE(land.errors.find("try smaller values of its parameters (kinescope list landscape"), std::string::npos)
      << land.errors;
  const Outcome points = run_program(
      {"run", "k-means", "--data", "synthetic:grid,n=20000000", "--backend", "cpu", "--threads", "1", "--out", "x.csv"},
      {.folder = folder.path(), .address_space_bytes = std::size_t{700} << 20});
  EXPECT_EQ(flaw_of_error(points, 1), "");
  EXPECT_NE(points.errors.find("out of memory"), std::string::npos) << points.errors;
  EXPECT_EQ(points.errors.find("kinescope list"), std::string::npos) << points.errors;
}

TEST(CommandLineRun, AnOldResultIsReplacedWhole) {
  const Folder folder;
  folder.write("layout.csv", std::string(1 << 20, 'x'));
  EXPECT_EQ(lines_of(run_to_bytes(folder, {"--data", "synthetic:grid,n=100"})).size(), 101u);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"layout.csv"});
}

// The stress that the thesis reports, on its data.
TEST(CommandLineRun, CancerReachesTheThesisStress) {
  const std::string cancer = data_file("cancer.csv");
  if (cancer.empty()) GTEST_SKIP() << "the project's data are absent";
  const Folder folder;
  const Outcome outcome = run_program({"run", "glimmer", "--data", cancer, "--out", "layout.csv", "--report", "r.json"},
                                      {.folder = folder.path()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_LE(json::parse(read_file(folder.path() / "r.json")).at("stress").get<double>(), 0.027);
  const std::vector<std::string> lines = lines_of(read_file(folder.path() / "layout.csv"));
  ASSERT_EQ(lines.size(), 684u);
  // Benign and malignant lie apart: nearly every row is nearer to its own class's mean.
  std::vector<std::array<double, 3>> points;  // x, y, 1 for malignant
  double mean[2][3] = {};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    char* end = nullptr;
    const double x = std::strtod(lines[i].c_str(), &end), y = std::strtod(end + 1, &end);
    const int malignant = std::string(end) == ",malignant" ? 1 : 0;
    points.push_back({x, y, static_cast<double>(malignant)});
    mean[malignant][0] += x;
    mean[malignant][1] += y;
    mean[malignant][2] += 1;
  }
  int apart = 0;
  for (const auto& [x, y, malignant] : points) {
    const auto distance = [&](const double* m) { return std::hypot(x - m[0] / m[2], y - m[1] / m[2]); };
    apart += (distance(mean[1]) < distance(mean[0])) == (malignant == 1) ? 1 : 0;
  }
  EXPECT_GE(apart, 0.94 * static_cast<double>(points.size()));
}

}  // namespace
}  // namespace kinescope::tests::command_line::run_test
