// The figures that `bench claims` measures again stand in the documents, in a line that names the data.
#include "app/cli/commands/claims.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "tests/places.hpp"

namespace kinescope::app::claims_test {
namespace {

std::vector<std::string> lines_of_documents() {
  std::vector<std::string> lines;
  for (const char* page : {"docs/measurements.md", "docs/manual/fitzhugh-nagumo.md"}) {
    std::ifstream text(tests::project_file(page));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

// Whether `line` has `word`, and no digit or letter is joined to it.
bool has_whole(const std::string& line, const std::string& word) {
  const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.'; };
  for (std::size_t at = 0; (at = line.find(word, at)) != std::string::npos; ++at) {
    const std::size_t end = at + word.size();
    const bool ends_sentence = end + 1 == line.size() || (end + 1 < line.size() && line[end + 1] == ' ');
    if ((at == 0 || !joins(line[at - 1])) && (end == line.size() || !joins(line[end]) || ends_sentence)) return true;
  }
  return false;
}

// What the documents call the data.
std::vector<std::string> names_of(const std::string& data, const std::string& simulation) {
  static const std::map<std::string, std::vector<std::string>> names = {
      {"mnist-t10k-images-idx3-ubyte.gz", {"MNIST's"}},
      {"docs.svm.gz", {"Debian's"}},
      {"synthetic:swissroll,n=1089", {"Swiss roll"}},
      {"", {"nodes", "times"}}};
  if (const auto known = names.find(data); known != names.end()) return known->second;
  if (simulation == "glimmer" || data.find(',') == std::string::npos) return {data.substr(0, data.find('.'))};
  return {"`" + data + "`"};
}

TEST(Claims, StandInTheDocumentsBesideTheirData) {
  if (!std::filesystem::exists(tests::project_file("docs/measurements.md"))) GTEST_SKIP() << "no documents";
  const std::vector<std::string> lines = lines_of_documents();
  for (const Claim& claim : claims()) {
    const std::vector<std::string> names = names_of(claim.data, claim.simulation);
    EXPECT_TRUE(std::ranges::any_of(lines,
                                    [&](const std::string& line) {
                                      return has_whole(line, claim.stated) &&
                                             std::ranges::any_of(names, [&](const std::string& name) {
                                               return line.find(name) != std::string::npos;
                                             });
                                    }))
        << claim.simulation << " " << claim.data << " " << claim.settings << " " << claim.figure << " " << claim.stated;
  }
  for (const ExperimentClaim& claim : experiment_claims())
    EXPECT_TRUE(std::ranges::any_of(lines,
                                    [&](const std::string& line) {
                                      return has_whole(line, claim.stated) &&
                                             line.find(claim.experiment) != std::string::npos;
                                    }))
        << claim.experiment << " " << claim.method << " " << claim.data << " " << claim.stated;
}

// So that a run is made once for all of its claims, and none is measured twice.
TEST(Claims, OfOneRunStandTogether) {
  std::set<std::string> runs, figures;
  std::string last;
  for (const Claim& claim : claims()) {
    const std::string run = std::string(claim.simulation) + " " + claim.data + " " + claim.settings;
    if (run != last) EXPECT_TRUE(runs.insert(run).second) << run;
    EXPECT_TRUE(figures.insert(run + " " + claim.figure).second) << run << " " << claim.figure;
    last = run;
  }
}

}  // namespace
}  // namespace kinescope::app::claims_test
