#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/glimmer/measures.hpp"
#include "kinescope/buffer_source.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/glimmer/aligned_move.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/glimmer/stress.hpp"

namespace kinescope::bench {
using namespace sim::glimmer;
namespace {

constexpr const char* filmed[] = {"cancer.csv", "digits.csv", "synthetic:swissroll,n=1089", "synthetic:colours,n=4096",
                                  "mnist-t10k-images-idx3-ubyte.gz"};
constexpr std::size_t shown_moments = 24, filmed_quickly = 2'000;

// The published buffers, in plain memory.
class Screen : public BufferSource {
 public:
  MemoryKind memory_kind() const override { return MemoryKind::host; }
  Id create(std::string_view name, std::size_t bytes) override {
    if (name == published::positions.name) positions_ = memory_.size();
    memory_.emplace_back(bytes / sizeof(float));
    return memory_.size() - 1;
  }
  void* address(Id id) override { return memory_[id].data(); }
  bool begin(void*) override { return true; }
  void end() override {}
  const std::vector<float>& positions() const { return memory_[positions_]; }

 private:
  std::vector<std::vector<float>> memory_;
  std::size_t positions_ = 0;
};

struct Moment {
  std::vector<float> positions;
  Progress progress;
  double move = 0;  // since the moment before
};

std::vector<Moment> film(const Setup& setup, GlimmerParameters& parameters, const Stop& stop) {
  const std::unique_ptr<Simulation> simulation = glimmer_kind().make(setup, parameters);
  Screen screen;
  simulation->attach(screen);
  std::vector<Moment> moments;
  for (bool more = true; more && !stop();) {
    more = simulation->advance({std::numeric_limits<double>::infinity(), 1});
    simulation->publish();
    Moment moment{screen.positions(), simulation->progress()};
    if (!moments.empty()) moment.move = aligned_move(moments.back().positions, moment.positions);
    moments.push_back(std::move(moment));
  }
  return moments;
}

// Shows the last moment, those at which a phase begins, and about `shown_moments` others. The move is the largest since
// the moment shown before.
void emit_film(const std::vector<Moment>& moments, const Setup& setup, GlimmerParameters& parameters,
               const EmitRow& emit, const Stop& stop) {
  const InputDistances input(*setup.data, parameters);
  double move = 0;
  std::size_t part = shown_moments;  // of the film, from which the latest moment was shown
  for (std::size_t k = 0; k < moments.size() && !stop(); ++k) {
    const Moment& moment = moments[k];
    move = std::max(move, moment.move);
    const bool begins = k == 0 || moment.progress.phase != moments[k - 1].progress.phase;
    if (!begins && k + 1 < moments.size() && k * shown_moments / moments.size() == part) continue;
    part = k * shown_moments / moments.size();
    BenchmarkRow row = row_of("films", "", setup.data->name, setup);
    row.points = static_cast<long>(moment.progress.points);
    row.iterations = static_cast<long>(k + 1);
    const auto put = [&](const char* method, const char* figure, double value) {
      row.method = method;
      row.figure = figure;
      row.value = value;
      std::array<char, 32> note;
      std::snprintf(note.data(), note.size(), "%s %.4g", figure, value);
      row.note = note.data();
      emit(row);
    };
    put("shown", "stress", moment.progress.figure);
    put("true", "stress", full_stress(input, moment.positions).value);
    put("largest move", "move", std::exchange(move, 0));
  }
}

void run(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const std::string name : filmed) {
    DataRequest request{name};
    if (!is_made(name)) request.source = (std::filesystem::path(benchmark.data_directory) / name).string();
    std::error_code error;
    if (!is_made(name) && (benchmark.data_directory.empty() || !std::filesystem::exists(request.source, error)))
      continue;
    Setup setup;
    setup.data = load_dataset(request);
    if (benchmark.quick && setup.data->points > filmed_quickly) continue;
    setup.backend = benchmark.backends.back();
    setup.threads = benchmark.threads;
    setup.device = benchmark.device;
    GlimmerParameters parameters;
    const std::vector<Moment> moments = film(setup, parameters, stop);
    if (stop()) return;
    emit_film(moments, setup, parameters, emit, stop);
  }
}

}  // namespace

BenchmarkExperiment films_experiment() {
  return {"films", "Glimmer while it converges: the stress shown, the true one, and how far the picture moves", run,
          BenchmarkPlot::figure_over_iterations};
}

}  // namespace kinescope::bench
