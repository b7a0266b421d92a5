// The published experiments of a simulation, as rows of figures. A simulation offers them in
// sim/NAME/NAME_benchmark.cpp; `kinescope bench` runs them, prints them as tables, and writes CSV and plots.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/simulation.hpp"

namespace kinescope::sim {

// One measured row: the columns of `bench --csv`, in this order.
struct BenchmarkRow {
  std::string experiment, method, data;
  long points = 0, dimensions = 0;
  std::string backend, device;
  int threads = 0, repetitions = 0;
  double median_seconds = 0, min_seconds = 0, max_seconds = 0;
  long iterations = 0;
  std::string figure;  // names the quality beside the time, such as "stress"
  double value = 0;
};

struct BenchmarkSetup {
  std::vector<Backend> backends;  // those that are here, the CPU first
  int threads = 0;                // CPU threads; 0: all
  int device = 0;
  std::string data_directory;  // holds the published data where they are present; "" if not
  bool quick = false;          // at most 2,000 points, each row measured once: to see that it works
};

// What the plot of an experiment shows.
enum class BenchmarkPlot {
  figure_over_seconds,
  figure_over_parameter,  // whose name and value are the row's data: "dx=0.5"; other rows have no place in it
  figure_over_iterations,
  seconds_over_points,
};

using EmitRow = std::function<void(const BenchmarkRow&)>;
using Stop = std::function<bool()>;  // whether to leave off

struct BenchmarkExperiment {
  std::string name;   // "glimmer"
  std::string title;  // one line above its table
  // Emits each row as soon as it is measured; stops early, without error, once `stop` returns true.
  std::function<void(const BenchmarkSetup&, const EmitRow& emit, const Stop& stop)> run;
  BenchmarkPlot plot = BenchmarkPlot::figure_over_seconds;
};

// Times of repeated runs: medians with their spread.
struct RepeatedTimes {
  double median = 0, minimum = 0, maximum = 0;
  int repetitions = 0;
};

// A row that says what is measured and where: the points and dimensions of the data, if there are any; backend, device,
// threads.
BenchmarkRow row_of(std::string experiment, std::string method, std::string data, const Setup& setup);
void set_times(BenchmarkRow& row, const RepeatedTimes& times);

// Runs `once` (which returns its seconds) after one run for warming up, at least `least` and at most `most` times, and
// no more once `enough_seconds` have passed.
RepeatedTimes repeat_timed(const std::function<double()>& once, int least = 3, int most = 11,
                           double enough_seconds = 2.0);

// The same of a run that may be long: one that takes more than 1.5 s, or is to be measured quickly, runs once.
RepeatedTimes time_runs(const std::function<double()>& once, bool quick);

// To the end of the run, or until `stop`; all is done when it returns.
void run_to_end(Simulation& simulation, const Stop& stop);
// The seconds of a run from the beginning, with the data in memory.
double time_restart(Simulation& simulation, const Stop& stop);

}  // namespace kinescope::sim
