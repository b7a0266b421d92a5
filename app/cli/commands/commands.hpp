// All commands except view. They throw sim::Error.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/io/output.hpp"
#include "kinescope/bench/experiments.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::app {

void run_command(const Options& options);
// `run --onto`: places rows into a layout that exists.
void place_command(const Options& options, const sim::SimulationKind& kind, sim::DataRequest request,
                   sim::ParameterSet& parameters);
void bench_command(const Options& options);
std::string experiments_text();  // what bench can run, for its --help
void list_command(const Options& options);
void data_command(const Options& options);
void devices_command(const Options& options);
void work_command(const Options& options);
void timings_command(const Options& options);
WorkersSetup workers_of(const Options& options);
bench::BenchmarkExperiment workers_experiment();     // k-means-distributed
bench::BenchmarkExperiment transports_experiment();  // k-means-transports
bench::BenchmarkExperiment memory_experiment();      // memory
bench::BenchmarkExperiment claims_experiment();      // claims
bench::BenchmarkExperiment two_cores_experiment();   // two-cores

// The processor that a command computes on.
struct Processor {
  sim::Backend backend = sim::Backend::cpu;
  int device = 0;
  std::string name;  // "NVIDIA H200"
};
// Resolves --backend; throws an input error for cuda without a device, saying why there is none.
Processor choose_processor(BackendChoice choice);
// The simulation named `name`; throws an input error that suggests the nearest name.
const sim::SimulationKind& choose_simulation(const std::string& name);
// The kind's parameters after --preset and --set. They begin as the window's (first_parameters) for `view`. Sets the
// seed to that of the preset if --seed is not given.
std::unique_ptr<sim::ParameterSet> choose_parameters(const sim::SimulationKind& kind, Options& options,
                                                     const SavedSession* session = nullptr);
// A line for each parameter that was set without an effect, for stderr.
std::string idle_text(const std::vector<std::string>& assignments, sim::ParameterSet& parameters);
// The data that the options name, or the kind's default data. How they are read follows from the parameters; in turn,
// data that can be read in one way only set the parameter `metric` (choose_reading). Throws an input error if data are
// named and the kind takes none.
sim::DataRequest choose_data(const sim::SimulationKind& kind, const Options& options, sim::ParameterSet& parameters);

// All files that will be read: the data, the preset, files that parameters name (such as a start of k-means), and a
// user's own plants.
std::vector<NamedFile> input_files(const sim::DataRequest& request, const Options& options,
                                   sim::ParameterSet& parameters);
// As check_apart(); throws an input error also if one of the files is among the notes of the group's workers.
void check_files_apart(const Options& options, const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs);

}  // namespace kinescope::app
