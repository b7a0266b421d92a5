// Measures how near our own Glimmer comes to the best known stress: on many datasets, over seeds, against SMACOF from
// many starts.
//
//   glimmer_quality [--starts R] [--seeds S] [--points N] [--least N] [--only NAME] [--dimensions 2|3]
//
// Prints one line for each case. The ratio is our worst seed's stress over the best known stress, which is the
// reference's, or our own best seed's if that is lower. The exit status is 0 whatever the ratios are. Real data are
// taken from the folder that KINESCOPE_DATA names, if it is set.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/glimmer/stress.hpp"
#include "tests/bench/quality_data.hpp"
#include "tests/bench/smacof.hpp"

namespace kinescope::sim::quality {
namespace {

constexpr double floor_stress = 1e-9;  // below it, float32 shows no difference from an exact layout
constexpr double bar = 1.01;

struct Options {
  int starts = 20, seeds = 5;
  std::size_t points = 5000, least = 0;  // the most, and the fewest, points of a dataset
  std::string only;
  int dimensions = 0;  // 0: 2 and 3
};

struct Case {
  std::string name;
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Distances> deltas;
  Metric metric = Metric::euclidean;
  int L = 2, starts = 0;
  std::vector<Minimum> minima;
  std::vector<double> ours;
  std::vector<float> our_layout;  // the layout of seed 1
  double seconds = 0;

  GlimmerParameters parameters() const {
    GlimmerParameters parameters;
    parameters.metric.assign_index(static_cast<std::size_t>(metric));
    parameters.set("output_dimensions=" + std::to_string(L));
    return parameters;
  }
};

// The larger the data, the fewer the starts: their minima differ less, and each costs N² a step.
int starts_for(std::size_t points, int starts) {
  return points > 2500 ? std::max(2, starts / 5) : points > 1200 ? std::max(2, 2 * starts / 5) : std::max(2, starts);
}

double run_ours(Case& one, std::uint64_t seed, int threads, double* seconds = nullptr) {
  GlimmerParameters parameters = one.parameters();
  Setup setup;
  setup.data = one.data;
  setup.seed = seed;
  setup.threads = threads;
  const auto began = std::chrono::steady_clock::now();
  const std::unique_ptr<Simulation> simulation = glimmer_kind().make(setup, parameters);
  while (simulation->advance({})) {
  }
  if (seconds) *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const Table table = simulation->result();
  std::vector<float> layout;
  for (std::size_t i = 0; i < table.rows; ++i)
    for (int l = 0; l < one.L; ++l)
      layout.push_back(static_cast<float>(table.columns[static_cast<std::size_t>(l)].numbers[i]));
  const double stress = full_stress(*one.data, parameters, layout).value;
  if (seed == 1) one.our_layout = std::move(layout);
  return stress;
}

// With more points than this, random starts cost too much. The reference is then the lowest stress that full gradients
// reach from classical scaling and from our own layout.
constexpr std::size_t many_points = 5000;

void find_minima_of_many(Case& one) {
  one.minima = {smacof(*one.deltas, one.L, 0, 1e-4),
                smacof_from(*one.deltas, one.L, as_start(*one.deltas, one.L, one.our_layout), 1e-4)};
  if (one.minima[1].stress < one.minima[0].stress) std::swap(one.minima[0], one.minima[1]);
}

// Runs the reference's starts in three rounds: all of them some way, then the better half further, then the best few to
// convergence. Runs all cases at once, so that no thread waits for the last start of one case.
void find_minima(std::vector<Case>& cases) {
  struct Round {
    double gain;
    int (*kept)(int starts, std::size_t points);
  };
  constexpr Round rounds[] = {
      {1e-3, [](int starts, std::size_t) { return starts; }},
      {1e-4, [](int starts, std::size_t) { return (starts + 1) / 2; }},
      {1e-6, [](int starts, std::size_t points) { return std::min(points > 2500 ? 1 : 3, starts); }}};
  for (Case& one : cases) one.minima.resize(static_cast<std::size_t>(one.starts));
  for (const Round& round : rounds) {
    std::vector<std::pair<Case*, int>> work;
    for (Case& one : cases)
      for (int k = 0; k < round.kept(one.starts, one.data->points); ++k) work.emplace_back(&one, k);
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<std::size_t>(0, work.size(), 1),
        [&](const auto& range) {
          for (std::size_t w = range.begin(); w < range.end(); ++w) {
            const auto& [one, k] = work[w];
            Minimum& minimum = one->minima[static_cast<std::size_t>(k)];
            minimum = minimum.x.empty() ? smacof(*one->deltas, one->L, k, round.gain)
                                        : smacof_from(*one->deltas, one->L, std::move(minimum), round.gain);
          }
        },
        oneapi::tbb::simple_partitioner());
    for (Case& one : cases)
      std::stable_sort(one.minima.begin(), one.minima.end(),
                       [](const Minimum& a, const Minimum& b) { return a.stress < b.stress; });
  }
}

// Runs seed 1 alone on all threads, to measure the time. Runs the other seeds in parallel, on one thread each, which
// gives the same layouts as many threads would.
void find_ours(std::vector<Case>& cases, int seeds) {
  for (Case& one : cases) {
    one.ours.resize(static_cast<std::size_t>(seeds));
    one.ours[0] = run_ours(one, 1, 0, &one.seconds);
  }
  const auto others = static_cast<std::size_t>(seeds - 1);
  oneapi::tbb::parallel_for(std::size_t{0}, cases.size() * others, [&](std::size_t k) {
    Case& one = cases[k / others];
    one.ours[k % others + 1] = run_ours(one, k % others + 2, 1);
  });
  for (Case& one : cases) std::sort(one.ours.begin(), one.ours.end());
}

double print(const Case& one) {
  GlimmerParameters parameters = one.parameters();
  const double reference = full_stress(*one.data, parameters, as_layout(*one.deltas, one.L, one.minima[0])).value;
  const double best = one.ours.front(), median = one.ours[one.ours.size() / 2], worst = one.ours.back();
  const double ratio = std::max(worst, floor_stress) / std::max(std::min(reference, best), floor_stress);
  std::printf("%-14s n %5zu  H %3zu  L %d  reference %-11.6g ours %-11.6g %-11.6g %-11.6g ratio %.4f  %.3f s%s\n",
              one.name.c_str(), one.data->points, one.data->dimensions, one.L, reference, best, median, worst, ratio,
              one.seconds, ratio > bar ? "  *" : "");
  return ratio;
}

std::vector<Case> cases_of(const Family& family, std::size_t size, const Options& options) {
  std::vector<Case> cases;
  Case one;
  one.name = family.name;
  one.metric = family.metric;
  one.data = family.make(size);
  one.starts = starts_for(one.data->points, options.starts);
  GlimmerParameters parameters = one.parameters();
  one.deltas = std::make_shared<Distances>(distances(*one.data, parameters));
  for (one.L = 2; one.L <= 3; ++one.L)
    if (options.dimensions == 0 || options.dimensions == one.L) cases.push_back(one);
  return cases;
}

void run(const Options& options) {
  const char* folder = std::getenv("KINESCOPE_DATA");
  const std::vector<Family> all = families(folder ? folder : "");
  std::map<std::size_t, std::vector<const Family*>> by_size;
  for (const Family& family : all)
    for (const std::size_t size : family.sizes)
      if (size >= options.least && size <= options.points && (options.only.empty() || options.only == family.name))
        by_size[size].push_back(&family);
  if (by_size.empty())
    throw input_error("no dataset is named " + options.only + " and has at most " + std::to_string(options.points) +
                      " points");
  std::printf("%-14s %46s %s\n", "", "", "ours: best, median, worst over the seeds");
  double worst = 0;
  int count = 0, above = 0;
  for (const auto& [size, group] : by_size) {
    std::vector<Case> cases;
    for (const Family* family : group)
      for (Case& one : cases_of(*family, size, options)) cases.push_back(std::move(one));
    find_ours(cases, options.seeds);
    if (size > many_points)
      oneapi::tbb::parallel_for(std::size_t{0}, cases.size(), [&](std::size_t k) { find_minima_of_many(cases[k]); });
    else
      find_minima(cases);
    for (const Case& one : cases) {
      const double ratio = print(one);
      worst = std::max(worst, ratio), above += ratio > bar, ++count;
    }
    std::fflush(stdout);
  }
  std::printf("worst ratio %.4f; %d of %d cases above %.2f\n", worst, above, count, bar);
}

Options parse(int count, char** words) {
  Options options;
  for (int k = 1; k < count; k += 2) {
    const std::string name = words[k];
    if (k + 1 == count)
      throw input_error(
          name +
          ": a value is missing, or it is not an option (--starts, --seeds, --points, --least, --only, --dimensions)");
    const std::string value = words[k + 1];
    const auto number = [&](long low, long high) {
      char* end = nullptr;
      const long result = std::strtol(value.c_str(), &end, 10);
      if (*end != '\0' || result < low || result > high)
        throw input_error(name + ": " + value + " is not a whole number from " + std::to_string(low) + " to " +
                          std::to_string(high));
      return result;
    };
    if (name == "--starts")
      options.starts = static_cast<int>(number(2, 10000));
    else if (name == "--seeds")
      options.seeds = static_cast<int>(number(1, 1000));
    else if (name == "--points")
      options.points = static_cast<std::size_t>(number(1, 1'000'000));
    else if (name == "--least")
      options.least = static_cast<std::size_t>(number(0, 1'000'000));
    else if (name == "--dimensions")
      options.dimensions = static_cast<int>(number(2, 3));
    else if (name == "--only")
      options.only = value;
    else
      throw input_error(name + " is not an option (--starts, --seeds, --points, --least, --only, --dimensions)");
  }
  return options;
}

}  // namespace
}  // namespace kinescope::sim::quality

int main(int count, char** words) {
  try {
    kinescope::sim::quality::run(kinescope::sim::quality::parse(count, words));
  } catch (const kinescope::sim::Error& error) {
    std::fprintf(stderr, "glimmer_quality: error: %s\n", error.what());
    return error.exit_status();
  }
}
