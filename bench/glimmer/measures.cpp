#include "bench/glimmer/measures.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/glimmer/nearest.hpp"
#include "kinescope/glimmer/neighbourhood.hpp"
#include "kinescope/glimmer/point_stress.hpp"
#include "kinescope/glimmer/shepard.hpp"
#include "kinescope/glimmer/stress.hpp"

namespace kinescope::bench {
using namespace sim::glimmer;
namespace {

constexpr std::size_t neighbours = 12;                // as in the window
constexpr std::size_t most_neighbourhoods = 100'000;  // points: the ranks of a million take a minute and more

struct Measured {
  std::shared_ptr<const Dataset> data;
  std::string name;
  GlimmerParameters parameters;
  std::vector<float> layout;
};

// Lays the data out by all threads of the CPU.
void lay_out(Measured& measured, const Setup& setup, const Stop& stop) {
  const std::unique_ptr<Simulation> simulation = glimmer_kind().make(setup, measured.parameters);
  run_to_end(*simulation, stop);
  const Table table = simulation->result();
  const std::vector<float> x = table.find("x")->numbers.floats(), y = table.find("y")->numbers.floats();
  for (std::size_t i = 0; i < x.size(); ++i) measured.layout.insert(measured.layout.end(), {x[i], y[i]});
}

// Each measure as a row: its seconds, and what it found.
class Measures {
 public:
  Measures(Measured& measured, Setup setup, bool quick, const EmitRow& emit, const Stop& stop)
      : measured_(measured), setup_(std::move(setup)), quick_(quick), emit_(emit), stop_(stop) {}
  void run();

 private:
  // f() computes; figure_of(result) is the figure's value.
  template <class F, class Figure>
  auto time(const char* method, const char* figure, F f, Figure figure_of) {
    using Clock = std::chrono::steady_clock;
    decltype(f()) result{};
    BenchmarkRow row = row_of("measures", method, measured_.name, setup_);
    set_times(row, time_runs(
                       [&] {
                         const auto begin = Clock::now();
                         if (!stop_()) result = f();
                         return std::chrono::duration<double>(Clock::now() - begin).count();
                       },
                       quick_));
    row.figure = figure;
    row.value = figure_of(result);
    std::array<char, 64> note;
    std::snprintf(note.data(), note.size(), "%s %.4g", figure, row.value);
    row.note = note.data();
    if (!stop_()) emit_(row);
    return result;
  }

  Measured& measured_;
  const Setup setup_;
  const bool quick_;
  const EmitRow& emit_;
  const Stop& stop_;
};

void Measures::run() {
  const std::vector<float>& layout = measured_.layout;
  const auto input = time(
      "rows", "MB", [&] { return std::make_unique<InputDistances>(*measured_.data, measured_.parameters); },
      [](const auto& rows) { return 4e-6 * double(rows->points()) * double(rows->row_stride()); });
  time(
      "stress", "stress", [&] { return full_stress(*input, layout); },
      [](const FullStress& found) { return found.value; });
  time(
      "each point's", "partners", [&] { return point_stress(*input, layout); },
      [](const PointStress& found) { return double(found.partners); });
  const auto sample = time(
      "pairs", "pairs", [&] { return std::make_unique<ShepardSample>(*input); },
      [](const auto& found) { return double(found->pairs()); });
  time(
      "Shepard diagram", "largest distance", [&] { return sample->of(layout); },
      [](const ShepardDiagram& found) { return found.high; });
  if (measured_.data->points <= most_neighbourhoods)
    time(
        "neighbourhoods", "trustworthiness", [&] { return neighbourhood_kept(*input, layout, neighbours); },
        [](const Neighbourhood& found) { return found.trustworthiness; });
  time(
      "nearest rows", "distance of the 12th", [&] { return nearest_rows(*input, 0, neighbours); },
      [](const std::vector<Neighbour>& found) { return double(found.back().distance); });
}

void run_measures(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  struct Size {
    long points;
    int columns;
  };
  std::vector<Size> sizes = {{1'000'000, 3}, {60'000, 784}, {1'000'000, 384}};
  if (benchmark.quick) sizes = {{2'000, 3}};
  for (const auto& [points, columns] : sizes) {
    const std::string source =
        "synthetic:gaussians,n=" + std::to_string(points) + ",k=" + std::to_string(columns) + ",clusters=10";
    Setup setup;
    setup.data = load_dataset({source});
    setup.threads = benchmark.threads;
    for (const char* metric : {"euclidean", "manhattan", "cosine"}) {
      Measured measured{setup.data, source + " metric=" + metric, {}, {}};
      measured.parameters.set("metric", metric);
      lay_out(measured, setup, stop);
      if (stop()) return;
      Measures(measured, setup, benchmark.quick, emit, stop).run();
      if (stop()) return;
    }
  }
}

}  // namespace

BenchmarkExperiment measures_experiment() {
  return {"measures", "Glimmer: seconds to compute the figures that say how good a layout is, and what they are",
          run_measures};
}

}  // namespace kinescope::bench
