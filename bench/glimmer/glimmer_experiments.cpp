// The experiments of the thesis. They measure seconds and stress of Glimmer and of the stochastic force (`glimmer`),
// and of all algorithms (`layouts`, figures 6.1 and 6.6). They show how these grow with the number of points
// (`layouts-growing`, 6.3 to 6.5), and how they depend on the factor between levels (`decimation`, 3.3) and on the size
// of the smallest level (`minimum-level`, 3.4 and 3.5). `signals` draws what could end a stage (4.1 and 4.2).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "bench/glimmer/measures.hpp"
#include "kinescope/bench/experiments.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/permutation.hpp"

namespace kinescope::bench {
namespace {

struct Case {
  std::string source;           // the name of a published file, or of synthetic data
  long points = 0;              // number of points; a sample of that size if the file has more
  std::string assignment = "";  // a parameter that the experiment sets, "NAME=VALUE"
  long all_points = 0;          // number of points in the file, if a sample is taken

  bool is_published() const { return !source.starts_with("synthetic:"); }
  bool is_sample() const { return all_points > points; }
  // The source without its number of points.
  std::string family() const {
    const std::size_t begin = source.find(",n=");
    if (begin == std::string::npos) return source;
    const std::size_t end = source.find(',', begin + 1);
    return source.substr(0, begin) + (end == std::string::npos ? "" : source.substr(end));
  }
  std::string name() const {
    const std::string sampled = is_sample() ? source + ",n=" + std::to_string(points) : source;
    return assignment.empty() ? sampled : sampled + " " + assignment;
  }
};

// An algorithm, perhaps with a parameter set to a value. `name` is what rows and plots call it.
struct Method {
  std::string name, algorithm, assignment = "";
  Method(const char* plain) : name(plain), algorithm(plain) {}
  Method(std::string shown, const char* of, std::string set)
      : name(std::move(shown)), algorithm(of), assignment(std::move(set)) {}
};

const std::vector<Case> cases = {
    {"cancer.csv", 683},
    {"digits.csv", 1'797},
    {"shuttle.csv", 43'500, "normalize=minmax"},
    {"synthetic:grid,n=10000,h=8", 10'000},
    {"synthetic:swissroll,n=1089", 1'089},
    {"synthetic:simplex,n=1000", 1'000},
    {"synthetic:colours,n=4096", 4'096},
    {"synthetic:gaussians,n=20000,k=9,clusters=10", 20'000},
    {"mnist-t10k-images-idx3-ubyte.gz", 10'000},
    {"synthetic:topics,n=20000", 20'000},
    {"synthetic:topics,n=100000", 100'000},
    {"synthetic:grid,n=1000,h=9", 1'000},
    {"synthetic:grid,n=10000,h=9", 10'000},
    {"synthetic:grid,n=100000,h=9", 100'000},
    {"synthetic:grid,n=1000000,h=9", 1'000'000},
};
const std::vector<Method> methods = {"glimmer", "glimmer-2007", "stochastic-force"};

// The thesis's shuttle_small has 14,500 rows of the same kind. It is UCI's file of that size; here it is a sample of
// the larger file.
const std::vector<Case> compared_cases = {
    {"cancer.csv", 683},
    {"synthetic:grid,n=1000,h=8,noise=0.01", 1'000},
    {"synthetic:swissroll,n=1089", 1'089},
    {"synthetic:grid,n=1600,h=8", 1'600},
    {"bcspwr10.mtx", 5'300, "metric=graph"},
    {"synthetic:grid,n=10000,h=8", 10'000},
    {"synthetic:grid,n=10000,h=8,noise=0.01", 10'000},
    {"shuttle.csv", 14'500, "", 43'500},
    {"docs.svm.gz", 26'096, "metric=cosine-squared"},
    {"shuttle.csv", 43'500},
};
const std::vector<Method> rivals = {"glimmer",   "glimmer-2007", "stochastic-force", "chalmers", "hybrid",
                                    "pivot-mds", "landmark",     "classic",          "smacof",   "nonmetric"};

std::vector<Case> samples(const std::string& file, long all, const std::string& assignment,
                          const std::vector<long>& sizes) {
  std::vector<Case> found;
  for (const long size : sizes) found.push_back({file, size, assignment, all});
  return found;
}

template <class T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Figure 6.6 shows three runs of PivotMDS: with 50 pivots (the usual number), 100 and 300.
std::vector<Method> compared_methods() {
  return joined(rivals, {{"pivot-mds, 100", "pivot-mds", "pivots=100"}, {"pivot-mds, 300", "pivot-mds", "pivots=300"}});
}

// The cases of figures 6.3 to 6.5.
std::vector<Case> growing_cases() {
  std::vector<Case> grids;
  for (const long points : {400L, 1'600L, 4'900L, 10'000L, 40'000L, 160'000L})
    grids.push_back({"synthetic:grid,n=" + std::to_string(points) + ",h=8", points});
  return joined(joined(grids, samples("shuttle.csv", 43'500, "", {300, 2'300, 5'300, 10'300, 20'300, 43'500})),
                samples("docs.svm.gz", 26'096, "metric=cosine-squared", {1'000, 2'000, 4'000, 10'000, 26'096}));
}

// The decimation factors F and the minimum levels M of the thesis, each list with our own method for comparison.
std::vector<Method> decimations() {
  std::vector<Method> all;
  for (const char* factor : {"2", "4", "8", "16", "32"})
    all.emplace_back(std::string("F = ") + factor, "glimmer-2007", std::string("decimation=") + factor);
  all.emplace_back("glimmer");
  return all;
}

std::vector<Method> minimum_levels() {
  std::vector<Method> all;
  for (const char* least : {"100", "500", "1000"})
    all.emplace_back(std::string("M = ") + least, "glimmer-2007", std::string("minimum_level=") + least);
  all.emplace_back("stochastic-force");
  all.emplace_back("glimmer");
  return all;
}

constexpr long quick_points = 2'000;

// A run is stopped after this time.
constexpr double longest_seconds = 60;

// `count` points drawn at random. Every algorithm gets the same sample, and a larger sample contains every smaller one.
std::shared_ptr<const Dataset> sample_of(const Dataset& data, std::size_t count, const std::string& name) {
  auto sample = std::make_shared<Dataset>();
  sample->name = name;
  sample->points = count;
  sample->dimensions = data.dimensions;
  auto rows = std::make_shared<SparseRows>();
  rows->columns = data.dimensions;
  const Permutation drawn(data.points, 1);
  for (std::size_t k = 0; k < count; ++k) {
    const auto row = static_cast<std::size_t>(drawn(k));
    if (data.sparse()) {
      const auto index = data.sparse()->index_of(row);
      const auto value = data.sparse()->value_of(row);
      rows->index.insert(rows->index.end(), index.begin(), index.end());
      rows->value.insert(rows->value.end(), value.begin(), value.end());
      rows->begin.push_back(rows->index.size());
    } else {
      const float* values = data.values().data() + row * data.dimensions;
      sample->rows().values.own().insert(sample->rows().values.own().end(), values, values + data.dimensions);
    }
  }
  sample->rows().origin = data.origin();
  if (data.sparse()) sample->numbers = rows;
  return sample;
}

// Returns null if the file does not exist.
std::shared_ptr<const Dataset> load(const Case& each, const std::string& directory) {
  DataRequest request{each.source};
  if (each.assignment == "metric=graph") request.reading = Reading::graph;
  if (each.is_published()) {
    const std::filesystem::path path = std::filesystem::path(directory) / each.source;
    std::error_code error;
    if (directory.empty() || !std::filesystem::exists(path, error)) return nullptr;
    request.source = path.string();
  }
  std::shared_ptr<const Dataset> data = load_dataset(request);
  const auto wanted = static_cast<std::size_t>(each.points);
  return each.is_sample() && wanted < data->points ? sample_of(*data, wanted, each.name()) : data;
}

// NaN unless every point has a place: a report's stress leaves out points without a place, which would flatter a failed
// run.
double stress_of(Simulation& simulation) {
  for (const Column& column : simulation.result().columns)
    if (!std::all_of(column.numbers.begin(), column.numbers.end(), [](double x) { return std::isfinite(x); }))
      return std::numeric_limits<double>::quiet_NaN();
  return reported(simulation, "stress");
}

BenchmarkRow measured_row(const std::string& experiment, const Case& each, const Method& method, const Setup& setup,
                          bool quick, const Stop& stop) {
  const SimulationKind& kind = glimmer_kind();
  const std::unique_ptr<ParameterSet> parameters = kind.make_parameters();
  parameters->set("algorithm", method.algorithm);
  for (const std::string& assignment : {each.assignment, method.assignment})
    if (!assignment.empty()) parameters->set(assignment);
  BenchmarkRow row = row_of(experiment, method.name, each.name(), setup);
  row.figure = "stress";
  std::unique_ptr<Simulation> simulation;
  try {
    simulation = kind.make(setup, *parameters);
  } catch (const Error& error) {
    if (error.exit_status() != 2) throw;
    row.repetitions = 0;  // the data exceed a limit of the algorithm
    row.note = error.what();
    return row;
  }
  using Clock = std::chrono::steady_clock;
  Clock::time_point began;
  bool late = false;
  const Stop enough = [&] {
    late = late || std::chrono::duration<double>(Clock::now() - began).count() > longest_seconds;
    return late || stop();
  };
  const auto once = [&] {
    began = Clock::now();
    return time_restart(*simulation, enough);
  };
  set_times(row, time_runs(once, quick));
  row.iterations = simulation->progress().iteration;
  if (late) row.note = "stopped after " + std::to_string(std::lround(longest_seconds)) + " s";
  row.value = late || stop() ? std::numeric_limits<double>::quiet_NaN() : stress_of(*simulation);
  return row;
}

void run_cases(const std::string& experiment, const std::vector<Case>& list, const std::vector<Method>& of,
               const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  std::map<std::string, long> late;  // method, backend and family → the number of points with which a run took too long
  for (const Case& each : list) {
    if (benchmark.quick && each.points > quick_points) continue;
    const std::shared_ptr<const Dataset> data = load(each, benchmark.data_directory);
    if (!data) continue;
    for (const Method& method : of)
      for (const Backend backend : benchmark.backends) {
        const Setup setup{data, backend, benchmark.threads, benchmark.device};
        const std::string key = method.name + (backend == Backend::cuda ? " cuda " : " cpu ") + each.family();
        BenchmarkRow row = row_of(experiment, method.name, each.name(), setup);
        if (const auto known = late.find(key); known != late.end() && known->second <= each.points) {
          row.repetitions = 0;
          row.note = "took too long with " + std::to_string(known->second) + " points";
        } else {
          row = measured_row(experiment, each, method, setup, benchmark.quick, stop);
          if (row.repetitions > 0 && !row.note.empty()) late[key] = each.points;
        }
        if (stop()) return;
        emit(row);
      }
  }
}

// A signal that could end stages, as shares of its largest value in the level. It is counted where it rises, once
// filtered as the sparse stress is.
class SignalOfRun {
 public:
  explicit SignalOfRun(std::span<const HistoryPoint> points, float HistoryPoint::*signal) {
    std::map<int, double> largest;  // by level
    for (const HistoryPoint& point : points)
      largest[point.level] = std::max(largest[point.level], double(point.*signal));
    std::size_t begin = 0;  // of the stage
    for (std::size_t i = 0; i < points.size(); ++i) {
      values_.push_back(double(points[i].*signal) / largest[points[i].level]);
      if (i > 0 && (points[i].level != points[i - 1].level || points[i].phase != points[i - 1].phase)) begin = i;
      if (i - begin + 1 >= filter_.size()) look_at(i);
    }
  }
  double value(std::size_t i) const { return values_[i]; }
  std::string note() const {
    return "rises in " + std::to_string(rising_) + " of " + std::to_string(seen_) + " filtered iterations";
  }

 private:
  void look_at(std::size_t last) {
    double change = 0;
    for (std::size_t k = 0; k < filter_.size(); ++k) change += double(filter_[k]) * values_[last - k];
    rising_ += change > 0;
    ++seen_;
  }

  const std::vector<float> filter_ = glimmer::termination_filter(50);  // the default of `window`
  std::vector<double> values_;
  std::size_t rising_ = 0, seen_ = 0;
};

// One signal of a run of the 2007 program whose stages last longer than by default, at some sixty iterations.
void emit_signal(const Case& each, const std::string& signal, Setup setup, const EmitRow& emit, const Stop& stop) {
  const std::unique_ptr<ParameterSet> parameters = glimmer_kind().make_parameters();
  for (const std::string& assignment :
       {std::string("algorithm=glimmer-2007"), std::string("epsilon=1e-6"), each.assignment})
    if (!assignment.empty()) parameters->set(assignment);
  const bool is_stress = signal == "sparse stress";
  if (!is_stress) parameters->set("second_curve", signal);
  setup.seed = 1;
  const std::unique_ptr<Simulation> simulation = glimmer_kind().make(setup, *parameters);
  run_to_end(*simulation, stop);
  if (stop()) return;
  const History history = simulation->history();
  const SignalOfRun values(history.entries, is_stress ? &HistoryPoint::figure : &HistoryPoint::second_figure);
  const std::size_t apart = history.entries.size() / 60 + 1;
  for (std::size_t i = 0; i < history.entries.size(); ++i) {
    const bool end = i + 1 == history.entries.size();
    if (i % apart != 0 && !end) continue;
    BenchmarkRow row = row_of("signals", signal, each.name(), setup);
    row.repetitions = 1;
    row.iterations = history.entries[i].iteration;
    row.figure = "of its largest in the level";
    row.value = values.value(i);
    if (end) row.note = values.note();
    emit(row);
  }
}

void signals(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  const Case grid =
      benchmark.quick ? Case{"synthetic:grid,n=1600,h=8", 1'600} : Case{"synthetic:grid,n=10000,h=8", 10'000};
  for (const Case& each : {grid, Case{"cancer.csv", 683}, Case{"docs.svm.gz", 26'096, "metric=cosine-squared"}}) {
    if (benchmark.quick && each.points > quick_points) continue;
    const std::shared_ptr<const Dataset> data = load(each, benchmark.data_directory);
    if (!data) continue;
    for (const char* signal : {"sparse stress", "velocity", "force"})
      if (!stop())
        emit_signal(each, signal, {data, benchmark.backends.back(), benchmark.threads, benchmark.device}, emit, stop);
  }
}

BenchmarkExperiment experiment_of(const std::string& name, std::string title, std::vector<Case> list,
                                  std::vector<Method> of, BenchmarkPlot plot) {
  const auto run = [name, list = std::move(list), of = std::move(of)](const BenchmarkSetup& setup, const EmitRow& emit,
                                                                      const Stop& stop) {
    run_cases(name, list, of, setup, emit, stop);
  };
  return {name, std::move(title), run, plot};
}

}  // namespace

// The experiments: seconds and stress of the layouts, on the thesis's data if the files are present, and on synthetic
// data. Times begin with the data on the device and end with the converged layout there. They exclude reading,
// preparing and uploading the data, and computing the full stress.
std::vector<BenchmarkExperiment> glimmer_experiments() {
  const BenchmarkPlot frontier = BenchmarkPlot::figure_over_seconds,
                      growth = BenchmarkPlot::seconds_and_figure_over_points;
  return {
      experiment_of("glimmer",
                    "Glimmer layouts: seconds with the data on the device, and the normalized stress reached", cases,
                    methods, frontier),
      experiment_of("layouts",
                    "Glimmer and the methods it is compared with: seconds, and the normalized stress reached",
                    compared_cases, compared_methods(), frontier),
      experiment_of("layouts-growing", "All layouts against the number of points: seconds and stress", growing_cases(),
                    rivals, growth),
      experiment_of("decimation", "Glimmer of 2007 with decimation factors F, on samples of shuttle",
                    samples("shuttle.csv", 43'500, "", {700, 4'300, 7'900, 15'000, 22'000, 29'000, 36'000, 43'500}),
                    decimations(), growth),
      experiment_of(
          "minimum-level", "Glimmer of 2007 with sizes M of the coarsest level, on samples of docs and cancer",
          joined(samples("docs.svm.gz", 26'096, "metric=cosine-squared", {285, 3'000, 6'000, 11'700, 17'300, 23'000}),
                 samples("cancer.csv", 683, "", {76, 212, 347, 483, 622})),
          minimum_levels(), growth),
      {"signals", "Glimmer of 2007: what could end a stage, against the iterations", signals,
       BenchmarkPlot::figure_over_iterations},
      films_experiment(),
      measures_experiment()};
}

}  // namespace kinescope::bench
