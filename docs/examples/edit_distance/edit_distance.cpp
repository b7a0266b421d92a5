// Lays words out by their edit distance: a distance function of your own, given to the layout through DistanceFeeder.
// docs/feeding.md explains it step by step.
//
//   edit_distance WORDS.txt LAYOUT.csv        one word a line
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/data/write.hpp"
#include "kinescope/distance_feeder.hpp"
#include "kinescope/glimmer/glimmer.hpp"

namespace {

using namespace kinescope;

// The number of letters to insert, delete or replace to turn one word into the other (V. Levenshtein, 1966). O(letters
// of a × letters of b).
float edit_distance(const std::string& a, const std::string& b) {
  // Element j of a row is the distance of the first letters of a from the first j letters of b.
  std::vector<int> above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j)
      row[j + 1] = std::min({row[j] + 1, above[j + 1] + 1, above[j] + (a[i] == b[j] ? 0 : 1)});
    std::swap(row, above);
  }
  return static_cast<float>(above.back());
}

class EditDistances final : public sim::DistanceFeeder {
 public:
  explicit EditDistances(std::vector<std::string> words) : words_(std::move(words)) {}

  std::size_t points() const override { return words_.size(); }
  void row(std::size_t from, std::span<float> distances) const override {
    for (std::size_t i = 0; i < words_.size(); ++i) distances[i] = edit_distance(words_[from], words_[i]);
  }
  std::string description() const override { return "edit distances of words"; }

 private:
  std::vector<std::string> words_;
};

std::vector<std::string> read_words(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw sim::file_error(path, "cannot be read");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word);)
    if (!word.empty()) words.push_back(word);
  return words;
}

sim::Table lay_out(const std::string& path) {
  const std::vector<std::string> words = read_words(path);
  auto data = std::make_shared<sim::Dataset>();
  data->name = path;
  data->points = words.size();
  data->numbers = std::make_shared<EditDistances>(words);

  const sim::SimulationKind& kind = sim::glimmer_kind();
  const auto parameters = kind.make_parameters();
  parameters->set("metric=matrix");  // the data are distances, not coordinates
  const auto simulation = kind.make({.data = data}, *parameters);
  while (simulation->advance({})) {
  }
  for (const auto& [key, value] : simulation->report().entries)
    if (key == "stress") std::printf("%zu words, stress %.3f\n", words.size(), std::get<double>(value));
  sim::Table layout = simulation->result();  // x, y
  layout.columns.push_back({"word", true, {}, words});
  return layout;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw sim::input_error("usage: edit_distance WORDS.txt LAYOUT.csv");
  sim::write_table(argv[2], lay_out(argv[1]));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
