// The links of the documents lead to files that exist.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "tests/places.hpp"

namespace kinescope::app::documents_test {
namespace {

namespace fs = std::filesystem;

// The target of each [text](target), outside of code between ``` lines.
std::vector<std::string> targets(std::string text) {
  for (std::size_t begin = text.find("```"); begin != std::string::npos; begin = text.find("```", begin)) {
    const std::size_t end = text.find("```", begin + 3);
    text.erase(begin, end == std::string::npos ? end : end + 3 - begin);
  }
  std::vector<std::string> found;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at)) {
    at += 2;
    found.push_back(text.substr(at, text.find(')', at) - at));
  }
  return found;
}

TEST(Documents, LinksLeadSomewhere) {
  if (!fs::exists(tests::project_file("sim"))) GTEST_SKIP() << "no sources here";
  std::vector<fs::path> pages;
  for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) pages.push_back(tests::project_file(page));
  for (const auto& entry : fs::recursive_directory_iterator(tests::project_file("docs")))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  int links = 0;
  for (const fs::path& page : pages) {
    std::ifstream file(page);
    for (const std::string& target : targets({std::istreambuf_iterator<char>(file), {}})) {
      const std::string path = target.substr(0, target.find('#'));
      if (path.empty() || path.starts_with("http")) continue;
      ++links;
      EXPECT_TRUE(fs::exists(page.parent_path() / path)) << page << " links to " << target;
    }
  }
  EXPECT_GT(links, 30);
}

}  // namespace
}  // namespace kinescope::app::documents_test
