// Sessions on the command line: `view --data NAME.kinescope.json`.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::session_test {
namespace {

Outcome view(const Folder& folder, const std::string& session, const std::vector<std::string>& more = {}) {
  folder.write("s.kinescope.json", session);
  std::vector<std::string> arguments = {"view",   "--headless", "--backend", "cpu", "--data",   "s.kinescope.json",
                                        "--size", "96x64",      "--frames",  "3",   "--report", "r.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, {.folder = folder.path()});
}

constexpr const char* zoomed = R"({"simulation": "k-means", "data": {"source": "synthetic:gaussians,n=500,clusters=4"},
  "parameters": {"clusters": 5}, "view": {"camera": "2 5 5 0 0.5 0.6 0.4"}})";

TEST(CommandLineSession, NamesSimulationDataParametersAndView) {
  const Folder folder;
  const Outcome near = view(folder, zoomed, {"--screenshot", "near.png"});
  ASSERT_EQ(near.status, 0) << near.errors;
  const std::string report = read_file(folder.path() / "r.json");
  EXPECT_NE(report.find("\"simulation\": \"k-means\""), std::string::npos) << report;
  EXPECT_NE(report.find("\"clusters\": 5"), std::string::npos);
  EXPECT_NE(report.find("\"points\": 500"), std::string::npos);
  std::string whole = zoomed;
  whole.replace(whole.find("camera"), 6, "colour");
  ASSERT_EQ(view(folder, whole, {"--screenshot", "whole.png"}).status, 0);
  EXPECT_NE(read_file(folder.path() / "near.png"), read_file(folder.path() / "whole.png"));
}

TEST(CommandLineSession, ParametersGivenBesideItWin) {
  const Folder folder;
  ASSERT_EQ(view(folder, zoomed, {"--set", "clusters=3"}).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"clusters\": 3"), std::string::npos);
  ASSERT_EQ(view(folder, zoomed, {"--columns", "c0"}).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"dimensions\": 1"), std::string::npos);
}

TEST(CommandLineSession, KeepsHiddenClassesAndTheSwitchesOfLayers) {
  const Folder folder;
  const auto picture = [&](const std::string& view_of) {
    const std::string session =
        R"({"simulation": "k-means", "data": {"source": "synthetic:gaussians,n=500,clusters=4"},
            "parameters": {"clusters": 4}, "view": {)" +
        view_of + "}}";
    EXPECT_EQ(view(folder, session, {"--screenshot", "p.png", "--no-state", "--steps", "5"}).status, 0) << view_of;
    return read_file(folder.path() / "p.png");
  };
  const std::string all = picture("");
  EXPECT_NE(picture(R"("hidden": "1")"), all);
  EXPECT_NE(picture(R"("hidden": "1")"), picture(R"("hidden": "0 2")"));
  EXPECT_NE(picture(R"("centres": "off")"), all);
  EXPECT_NE(picture(R"("regions": "off")"), all);
  EXPECT_EQ(picture(R"("hidden": "77", "centres": "maybe")"), all);
}

TEST(CommandLineSession, KeepsHowATableIsRead) {
  const Folder folder;
  folder.write("t.csv", "made by hand\n1,2\n3,4\n5,7\n");
  const std::string session =
      R"({"simulation": "glimmer", "data": {"source": "t.csv", "header": "yes", "skip_rows": 1}})";
  ASSERT_EQ(view(folder, session).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"points\": 2"), std::string::npos);
  ASSERT_EQ(view(folder, session, {"--header", "no", "--skip-rows", "2"}).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"points\": 2"), std::string::npos);
}

TEST(CommandLineSession, KeepsSeparatorQuotesLinesAndColumns) {
  const Folder folder;
  folder.write("t.txt", "a|b|c|d\n1|$2|x|\"\nbroken\n3|$4|y|2\n5|$7|z|3\n");
  const std::string session = R"({"simulation": "k-means", "parameters": {"clusters": 2}, "data": {"source": "t.txt",
    "separator": "|", "quotes": "none", "skip_lines": [3], "numbers": ["b"], "texts": ["a"], "drop": ["c", "d"]}})";
  ASSERT_EQ(view(folder, session).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"dimensions\": 1"), std::string::npos);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"points\": 3"), std::string::npos);
}

TEST(CommandLineSession, ComparesTheAlgorithmsThatTheProgramKnows) {
  const Folder folder;
  const auto compared = [&](const std::string& algorithms) {
    const std::string session = R"({"simulation": "glimmer", "data": {"source": "synthetic:grid,n=100,h=3"},
      "view": {"compare": ")" + algorithms +
                                "\"}}";
    EXPECT_EQ(view(folder, session, {"--steps", "1"}).status, 0);
    const std::string report = read_file(folder.path() / "r.json");
    std::string names;
    for (const char* name : {"smacof", "pivot-mds", "soap"})
      if (report.find("\"algorithm\": \"" + std::string(name)) != std::string::npos) names += std::string(name) + " ";
    return names;
  };
  EXPECT_EQ(compared("smacof pivot-mds"), "smacof pivot-mds ");
  EXPECT_EQ(compared("smacof soap glimmer smacof pivot-mds"), "smacof pivot-mds ");
  EXPECT_EQ(compared("soap"), "");
}

TEST(CommandLineSession, ComparesValuesOfAnyParameter) {
  const Folder folder;
  const auto run = [&](const std::string& compared) {
    return run_program({"view", "k-means", "--headless", "--backend", "cpu", "--data", "synthetic:gaussians,n=300,k=2",
                        "--set", "clusters=4", "--until-done", "--report", "r.json", "--compare", compared},
                       {.folder = folder.path()});
  };
  ASSERT_EQ(run("clusters=2,restarts=3").status, 0);
  const auto report = nlohmann::json::parse(read_file(folder.path() / "r.json"));
  ASSERT_EQ(report["compared"].size(), 2u);
  EXPECT_EQ(report["compared"][0]["other"], "clusters=2");
  EXPECT_GT(report["compared"][0]["inertia"], report["inertia"]);
  EXPECT_LE(report["compared"][1]["inertia"], report["inertia"]);
  for (const auto& [compared, words] : {std::pair{"clusters=4", "is what the first picture has already"},
                                        {"clusters=2,clusters=2", "is given twice"},
                                        {"clusters=x", "clusters: expected"},
                                        {"clutsers=3", "clutsers"},
                                        {"smacof", "no algorithms"}}) {
    const Outcome outcome = run(compared);
    EXPECT_EQ(flaw_of_error(outcome, 2), "") << compared;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
  }
}

TEST(CommandLineSession, HowDataAreReadIsOverriddenOptionByOption) {
  const Folder folder;
  folder.write("t.csv", "a,b,c\n1,2,0\n3,4,1\n5,7,0\n8,,1\n9,1,0\n");
  const std::string session = R"({"simulation": "k-means", "parameters": {"clusters": 2},
    "data": {"source": "t.csv", "missing": "mean", "header": "yes", "skip_rows": 0}})";
  const auto has = [&](const std::vector<std::string>& options, const std::string& figure) {
    EXPECT_EQ(view(folder, session, options).status, 0);
    const std::string report = read_file(folder.path() / "r.json");
    return report.find(figure) != std::string::npos ? "" : report;
  };
  EXPECT_EQ(has({}, "\"points\": 5,"), "");
  EXPECT_EQ(has({"--missing", "leave-out"}, "\"points\": 4,"), "");
  EXPECT_EQ(has({"--skip-rows", "1"}, "\"points\": 4,"), "");  // the session's header stays: the row 1,2,0
  EXPECT_EQ(has({}, "\"dimensions\": 3,"), "");
  EXPECT_EQ(has({"--categories", "c"}, "\"dimensions\": 2,"), "");  // a category is no dimension
}

TEST(CommandLineSession, KeepsTheSeed) {
  const Folder folder;
  const char* const session = R"({"simulation": "fitzhugh-nagumo", "seed": 18446744073709551615})";
  ASSERT_EQ(view(folder, session).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"seed\": 18446744073709551615"), std::string::npos);
  ASSERT_EQ(view(folder, session, {"--seed", "9"}).status, 0);
  EXPECT_NE(read_file(folder.path() / "r.json").find("\"seed\": 9"), std::string::npos);
}

TEST(CommandLineSession, OneClearLineForWhatIsNone) {
  const Folder folder;
  for (const char* bad :
       {"", "[]", "{}", "{\"simulation\": 3}", "{\"simulation\": \"soap\"}",
        "{\"simulation\":", R"({"simulation": "k-means", "pace": -1})", R"({"simulation": "k-means", "data": 1})",
        R"({"simulation": "k-means", "parameters": {"tolerance": 1e999}})",
        R"({"simulation": "k-means", "data": {"source": "a\u0000b"}})", R"({"simulation": "k-means", "seed": -1})",
        R"({"simulation": "k-means", "data": {"source": "nowhere.csv"}})",
        R"({"simulation": "k-means", "data": {"columns": "a"}})",
        R"({"simulation": "k-means", "parameters": {"clusters": 0}})",
        R"({"simulation": "k-means", "parameters": {"colour": "red"}})", R"({"simulation": "k-means", "zzz": 1})",
        R"({"simulation": "k-means", "data": {"source": "synthetic:grid", "zzz": 1}})",
        R"({"simulation": "k-means", "data": {"source": "synthetic:grid", "separator": "\n"}})"})
    EXPECT_EQ(flaw_of_error(view(folder, bad), 2), "") << bad;
  EXPECT_EQ(flaw_of_error(view(folder, zoomed, {"--set", "bandwidth=1"}), 2), "");
}

}  // namespace
}  // namespace kinescope::tests::command_line::session_test
