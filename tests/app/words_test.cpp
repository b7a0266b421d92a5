// Phrases that were hard to understand have been replaced. They must not come back in the window, on the command line
// or in the manual.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "tests/places.hpp"

namespace kinescope::app::words_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& old_words() {
  static const std::vector<std::string> words{
      "begins the run anew", "starts anew",       "start anew",         "begin anew",    "acts at once",
      "takes part",          "take part",         "takes no part",      "at a stretch",  "centroid's way",
      "above the least",     "which is not read", "grew beyond all",    "own values",    "one colour",
      "own colour\"",        "made data",         "from the beginning", "another scene", "nearer, farther",
      "as fast as it goes",  "let go of"};
  return words;
}

std::string content(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

// The string literals in C++ source, in lower case, one a line; adjacent literals become one.
std::string literals(const std::string& source) {
  std::string found;
  bool comment = false, inside = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (comment) {
      comment = c != '\n';
    } else if (!inside && c == '/' && i + 1 < source.size() && source[i + 1] == '/') {
      comment = true;
    } else if (c == '\'' && !inside && i + 2 < source.size()) {
      i += source[i + 1] == '\\' ? 3 : source[i + 2] == '\'' ? 2 : 0;  // a character, not a separator of digits
    } else if (c == '"') {
      inside = !inside;
    } else if (inside) {
      if (c == '\\' && i + 1 < source.size()) ++i;
      found += source[i];
    } else if (!std::isspace(static_cast<unsigned char>(c)) && !found.empty() && found.back() != '\n') {
      found += '\n';
    }
  }
  return lower(found);
}

TEST(Words, StringsOfTheProgramHaveNoOldOnes) {
  if (!fs::exists(tests::project_file("sim"))) GTEST_SKIP() << "no sources here";
  int read = 0;
  for (const char* folder : {"app", "sim"})
    for (const auto& entry : fs::recursive_directory_iterator(tests::project_file(folder))) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      ++read;
      const std::string text = literals(content(entry.path()));
      for (const std::string& words : old_words())
        EXPECT_EQ(text.find(words), std::string::npos) << entry.path() << " says \"" << words << '"';
    }
  EXPECT_GT(read, 100);
}

TEST(Words, TheManualHasNoOldOnes) {
  std::vector<fs::path> pages{tests::project_file("README.md")};
  for (const auto& entry : fs::directory_iterator(tests::project_file("docs/manual"))) pages.push_back(entry.path());
  ASSERT_GT(pages.size(), 5u);
  for (const fs::path& page : pages) {
    const std::string text = lower(content(page));
    ASSERT_GT(text.size(), 1000u) << page << ": a page of the manual has at least 1,000 characters";
    for (const std::string& words : old_words())
      EXPECT_EQ(text.find(words), std::string::npos) << page << " says \"" << words << '"';
  }
}

TEST(Words, LiteralsAreFound) {
  EXPECT_EQ(literals("f(\"A \" \n \"b\", 'x', \"C\"); // \"no\""), "a b\nc\n");
}

}  // namespace
}  // namespace kinescope::app::words_test
