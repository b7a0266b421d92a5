// kinescope bench: the published experiments on this machine, as tables, CSV and a plot.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>

#include "app/cli/commands/bench_table.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "app/runs/interrupt.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/bench/experiments.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "sim/core/suggest.hpp"

namespace kinescope::app {
namespace {

using Experiments = std::vector<bench::BenchmarkExperiment>;

Experiments all_experiments() {
  Experiments all = {memory_experiment()};  // first: while this process itself has little
  for (const sim::SimulationKind* kind : simulation_kinds())
    for (bench::BenchmarkExperiment& each : bench::experiments_of(kind->name)) all.push_back(std::move(each));
  all.push_back(workers_experiment());
  all.push_back(transports_experiment());
  all.push_back(claims_experiment());
  all.push_back(two_cores_experiment());
  return all;
}

// The experiments that a name stands for: one experiment, or all experiments of a simulation.
Experiments named(const std::string& name, const Experiments& all) {
  Experiments found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const auto& experiment) { return experiment.name == name; });
  return found.empty() ? bench::experiments_of(name) : found;
}

// The named experiments in the order of their names, each once; all of them if none is named.
Experiments choose_experiments(const std::vector<std::string>& names) {
  Experiments all = all_experiments(), chosen;
  if (names.empty()) return all;
  std::vector<std::string> known;
  for (const bench::BenchmarkExperiment& experiment : all) known.push_back(experiment.name);
  for (const std::string& name : names) {
    const Experiments found = named(name, all);
    const std::string nearest = sim::suggestion(name, known);
    if (found.empty())
      throw sim::input_error("there is no experiment '" + name + "'" +
                             (nearest.empty() ? fmt::format("; available: {}", fmt::join(known, ", ")) : nearest));
    for (const bench::BenchmarkExperiment& each : found)
      if (std::ranges::find(chosen, each.name, &bench::BenchmarkExperiment::name) == chosen.end())
        chosen.push_back(each);
  }
  return chosen;
}

bench::BenchmarkSetup choose_setup(const Options& options) {
  bench::BenchmarkSetup setup;
  const Processor processor = choose_processor(options.backend);
  if (options.backend != BackendChoice::cuda) setup.backends.push_back(sim::Backend::cpu);
  if (processor.backend == sim::Backend::cuda) setup.backends.push_back(sim::Backend::cuda);
  setup.threads = options.threads;
  setup.device = processor.device;
  setup.data_directory = options.data_directory;
  setup.quick = options.quick;
  std::error_code error;
  if (!setup.data_directory.empty() && !std::filesystem::is_directory(setup.data_directory, error))
    throw sim::file_error(setup.data_directory,
                          "is not a folder; --data-directory must be the folder with the published data");
  return setup;
}

void check_outputs(const Options& options) {
  check_output("--csv", options.csv, {});
  check_output("--plot", options.plot, {".svg"});
  std::vector<NamedFile> inputs;
  std::error_code error;
  constexpr auto past_locked_folders = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator file(options.data_directory, past_locked_folders, error), end;
       file != end; file.increment(error))
    inputs.push_back({"--data-directory", file->path().string()});
  check_apart(inputs, {{"--csv", options.csv}, {"--plot", options.plot}});
}

Figure figure_of(const Experiments& experiments, const std::vector<bench::BenchmarkRow>& rows) {
  const std::string title = experiments.size() == 1 ? experiments.front().title : "Experiments of Kinescope";
  std::map<std::string, bench::BenchmarkPlot> plots;
  for (const bench::BenchmarkExperiment& experiment : experiments) plots[experiment.name] = experiment.plot;
  return bench_figure(title, rows, plots);
}

std::string machine_text(const bench::BenchmarkSetup& setup) {
  std::string text =
      fmt::format("CPU: {}, {} threads\n", sim::cpu_name(), setup.threads > 0 ? setup.threads : sim::cpu_threads());
  if (setup.backends.back() == sim::Backend::cuda)
    for (const sim::CudaDevice& device : sim::cuda_devices())
      if (device.index == setup.device) text += fmt::format("CUDA: {}\n", device.name);
  return text;
}

}  // namespace

void bench_command(const Options& options) {
  const Experiments experiments = choose_experiments(options.experiments);
  const bench::BenchmarkSetup setup = choose_setup(options);
  check_outputs(options);
  catch_interrupt();
  // Rows that nobody sees and no file keeps need not be measured.
  const auto stop = [&] {
    return interrupted() || (options.csv.empty() && options.plot.empty() && flush_output() != 0);
  };
  print_text(machine_text(setup));
  flush_output();
  std::vector<bench::BenchmarkRow> rows;
  std::mutex mutex;  // guards the rows and the files
  const auto keep_rows = [&] {
    if (!options.csv.empty() && !rows.empty()) sim::write_csv(options.csv, bench_csv(rows));
  };
  const auto keep_all = [&] {
    FinalWrites final_writes;
    final_writes(keep_rows);
    final_writes([&] {
      if (!options.plot.empty() && !rows.empty())
        sim::write_bytes(options.plot, svg_text(figure_of(experiments, rows)));
    });
    return final_writes;
  };
  const auto line_of = [&](const FinalWrites& final_writes) {
    const bool are_kept = !options.csv.empty() && !rows.empty() && !final_writes.failed();
    return final_writes.after(fmt::format("interrupted after {} rows", rows.size()) +
                              (are_kept ? "; they are in " + options.csv : ""));
  };
  // What is measured at that moment is no row.
  std::optional<HearsInterrupt> hears = ends_at_interrupt([&] {
    const std::lock_guard lock(mutex);
    return printable(line_of(keep_all()));
  });
  for (const bench::BenchmarkExperiment& experiment : experiments) {
    if (stop()) break;
    bool headed = false;
    const auto show = [&](const bench::BenchmarkRow& row) {
      const std::lock_guard lock(mutex);
      if (!headed) print("\n{}\n{}\n", experiment.title, bench_head(row.figure));
      headed = true;
      print("{}\n", bench_line(row));
      flush_output();
      if (row.repetitions == 0) return;
      rows.push_back(row);
      FinalWrites()(keep_rows);  // after each row, so that what has been measured is kept if the run ends early
    };
    experiment.run(setup, show, stop);
    if (!headed && !stop())
      tell(
          "kinescope: {} has nothing to measure here: its data were not found (--data-directory or KINESCOPE_DATA "
          "names their folder), or it needs a GPU\n",
          experiment.name);
  }
  hears.reset();
  const FinalWrites final_writes = keep_all();
  if (interrupted()) throw Interrupted(line_of(final_writes));
  final_writes.finish();
}

std::string experiments_text() {
  const Experiments all = all_experiments();
  std::size_t width = 0;
  for (const bench::BenchmarkExperiment& experiment : all) width = std::max(width, experiment.name.size());
  std::string text = "Experiments:\n";
  for (const bench::BenchmarkExperiment& experiment : all)
    text += fmt::format("  {:{}}  {}\n", experiment.name, width, experiment.title);
  return text;
}

}  // namespace kinescope::app
