// Data, runs and a plain Lloyd iteration that k-means' tests share.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"
#include "kinescope/random.hpp"
#include "tests/places.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/test_points.hpp"
#include "tests/sim/trial.hpp"

namespace kinescope::sim::k_means_cases {

using test_points::dataset, test_points::uniform;

inline std::shared_ptr<const Dataset> gaussians(std::size_t n, int k = 2, int clusters = 8, int seed = 1) {
  return test_points::gaussians(n, k, clusters, seed);
}

// The same numbers as in tests/data/k_means_reference.py.
inline std::shared_ptr<Dataset> made(std::size_t points, std::size_t columns, std::size_t clusters) {
  std::uint64_t state = 12345;
  std::vector<float> values;
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t c = 0; c < columns; ++c) {
      state = (state * 1103515245 + 12345) % (1ull << 31);
      values.push_back(static_cast<float>((i % clusters) * (7 + 3 * c) % 29) +
                       static_cast<float>(static_cast<double>(state) / 0x1p31));
    }
  return dataset(columns, std::move(values));
}

// Two columns with heavy tails: the same numbers as in tests/sim/k_means/scikit_learn.py.
inline std::shared_ptr<Dataset> cauchy(std::size_t points) {
  std::uint64_t state = 12345;
  std::vector<float> values;
  for (std::size_t i = 0; i < 2 * points; ++i) {
    state = (state * 1103515245 + 12345) % (1ull << 31);
    values.push_back(
        static_cast<float>(std::tan(3.14159265358979323846 * ((static_cast<double>(state) + 0.5) / 0x1p31 - 0.5))));
  }
  return dataset(2, std::move(values));
}

// A file of centroids, which the destructor removes: any text, or the rows 0, N/K, 2N/K, … of the data.
class StartFile {
 public:
  explicit StartFile(const std::string& text) {
    static int number = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("k_means_start_" + std::to_string(::getpid()) + "_" + std::to_string(++number) + ".csv"))
                .string();
    std::ofstream(path_) << text;
  }
  StartFile(const Dataset& data, int clusters) : StartFile(text_of(spread_rows(data, clusters), data.dimensions)) {}
  StartFile(const StartFile&) = delete;
  StartFile& operator=(const StartFile&) = delete;
  ~StartFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }
  std::string assignment() const { return "start=" + path_; }

  static std::vector<float> spread_rows(const Dataset& data, int clusters) {
    std::vector<float> rows;
    for (int k = 0; k < clusters; ++k) {
      const std::size_t i = static_cast<std::size_t>(k) * data.points / static_cast<std::size_t>(clusters);
      for (std::size_t c = 0; c < data.dimensions; ++c) rows.push_back(data.values()[i * data.dimensions + c]);
    }
    return rows;
  }

 private:
  static std::string text_of(const std::vector<float>& rows, std::size_t columns) {
    std::ostringstream text;
    text.precision(9);
    for (std::size_t at = 0; at < rows.size(); ++at) text << rows[at] << ((at + 1) % columns ? "," : "\n");
    return text.str();
  }
  std::string path_;
};

struct Plain {
  std::vector<float> centroids;
  std::vector<std::uint32_t> labels;
  std::vector<double> inertias;  // for the centroids with which each iteration began
  double inertia = 0;
};

// Lloyd's iteration in its plainest form: float32 distances in the order of the columns, sums in long double. It makes
// no repairs, so it is for starts that leave no cluster empty.
inline Plain plain_lloyd(const Dataset& data, std::vector<float> centroids, int iterations) {
  const std::size_t d = data.dimensions, K = centroids.size() / d;
  Plain run;
  run.labels.resize(data.points);
  for (int t = 0; t <= iterations; ++t) {
    std::vector<long double> sums(K * d);
    std::vector<std::size_t> counts(K);
    double inertia = 0;
    for (std::size_t i = 0; i < data.points; ++i) {
      float best = std::numeric_limits<float>::infinity();
      for (std::size_t k = 0; k < K; ++k) {
        float square = 0;
        for (std::size_t c = 0; c < d; ++c) {
          const float difference = data.values()[i * d + c] - centroids[k * d + c];
          square = std::fma(difference, difference, square);
        }
        if (square < best) best = square, run.labels[i] = static_cast<std::uint32_t>(k);
      }
      inertia += best;
      ++counts[run.labels[i]];
      for (std::size_t c = 0; c < d; ++c) sums[run.labels[i] * d + c] += data.values()[i * d + c];
    }
    run.inertia = inertia;
    if (t == iterations) break;
    run.inertias.push_back(inertia);
    for (std::size_t k = 0; k < K; ++k)
      for (std::size_t c = 0; c < d; ++c)
        if (counts[k]) centroids[k * d + c] = static_cast<float>(sums[k * d + c] / static_cast<long double>(counts[k]));
  }
  run.centroids = std::move(centroids);
  return run;
}

using Trial = TrialOf<KMeansParameters, k_means_kind>;

inline std::vector<std::uint32_t> labels(Simulation& simulation) {
  const Table table = simulation.result();
  return {table.columns[0].numbers.begin(), table.columns[0].numbers.end()};
}

// How many points have different labels after the clusters of `b` have been matched to those of `a`, greedily by common
// points.
inline std::size_t differences(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> together;
  for (std::size_t i = 0; i < a.size(); ++i) ++together[{a[i], b[i]}];
  std::map<std::uint32_t, std::uint32_t> partner, back;
  std::size_t same = 0;
  while (true) {
    const std::pair<const std::pair<std::uint32_t, std::uint32_t>, std::size_t>* most = nullptr;
    for (const auto& each : together)
      if (!partner.count(each.first.first) && !back.count(each.first.second) && (!most || each.second > most->second))
        most = &each;
    if (!most) break;
    partner[most->first.first] = most->first.second;
    back[most->first.second] = most->first.first;
    same += most->second;
  }
  return a.size() - same + (b.size() > a.size() ? b.size() - a.size() : 0);
}

template <class T>
T entry(Simulation& simulation, const std::string& key) {
  for (const auto& [name, value] : simulation.report().entries)
    if (name == key) return std::get<T>(value);
  throw std::runtime_error("no entry " + key);
}

inline double inertia(Simulation& simulation) {
  return entry<double>(simulation, "inertia");
}

// Whether two tables have the same bits.
inline bool same_bytes(const Table& a, const Table& b) {
  if (a.columns.size() != b.columns.size()) return false;
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    if (!same_bits(a.columns[c].numbers, b.columns[c].numbers)) return false;
  }
  return true;
}

// Whether the inertia never rises in the history, except by rounding.
inline bool never_rises(const Simulation& simulation) {
  const History history = simulation.history();
  for (std::size_t t = 1; t < history.entries.size(); ++t)
    if (!(history.entries[t].figure <= history.entries[t - 1].figure * (1 + 1e-6f))) return false;
  return !history.entries.empty();
}

struct Reference {
  std::string name;
  int clusters = 0;
  double inertia = 0;
  std::vector<std::uint32_t> labels;
  std::shared_ptr<const Dataset> data;  // null where the published file is absent
};

// scikit-learn's results (tests/data/k_means_reference.py).
inline std::vector<Reference> references() {
  std::vector<Reference> all;
  std::ifstream file(tests::project_file("tests/data/k_means_reference.csv"));
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Reference reference;
    std::string clusters, inertia_text, letters;
    std::getline(fields, reference.name, ',');
    std::getline(fields, clusters, ',');
    std::getline(fields, inertia_text, ',');
    std::getline(fields, letters, ',');
    reference.clusters = std::stoi(clusters);
    reference.inertia = std::stod(inertia_text);
    for (const char letter : letters) reference.labels.push_back(static_cast<std::uint32_t>(letter - 'a'));
    const std::string path = tests::data_file(reference.name + ".csv");
    if (reference.name == "made")
      reference.data = made(1500, 3, 9);
    else if (!path.empty())
      reference.data = load_dataset({path});
    all.push_back(std::move(reference));
  }
  return all;
}

// Settings of a run that stops only when nothing moves any more.
inline const std::vector<std::string> to_the_end = {"tolerance=0", "iterations=1000"};

inline CentroidPaths paths_of(const Simulation& simulation) {
  return *simulation.snapshot()->share<CentroidPaths>();
}

// A start with one centroid so far off that it gets no points, and then jumps to the farthest point.
inline std::string far_start(const Dataset& data, int clusters) {
  std::ostringstream text;
  text.precision(9);
  const std::vector<float> rows = StartFile::spread_rows(data, clusters - 1);
  for (std::size_t at = 0; at < rows.size(); ++at) text << rows[at] << ((at + 1) % data.dimensions ? ',' : '\n');
  for (std::size_t c = 0; c < data.dimensions; ++c) text << (c ? ",1000" : "1000");
  return text.str() + '\n';
}

}  // namespace kinescope::sim::k_means_cases
