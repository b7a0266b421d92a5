// The published experiments, as rows of figures. Those of a simulation are made by the function NAME_experiments() in
// bench/NAME; `kinescope bench` runs them, prints them as tables, and writes CSV and plots.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::bench {

using namespace sim;

// One measured row: the columns of `bench --csv`, in this order.
struct BenchmarkRow {
  std::string experiment, method, data;  // a method's setting may follow its name: "pivot-mds, 100"
  long points = 0, dimensions = 0;
  std::string backend, device;
  int threads = 0, repetitions = 0;
  double median_seconds = 0, min_seconds = 0, max_seconds = 0;
  long iterations = 0;
  std::string figure;  // names the quality beside the time, such as "stress"
  double value = 0;
  std::string note = "";  // why there is no value, in a few words; with 0 repetitions the row holds only this note
};

struct BenchmarkSetup {
  std::vector<Backend> backends;  // the available ones, the CPU first
  int threads = 0;                // CPU threads; 0: all
  int device = 0;
  std::string data_directory;  // folder of the published data; "" if there is none
  bool quick = false;          // at most 2,000 points, each row measured once: a check that it works
};

// What the plot of an experiment shows.
enum class BenchmarkPlot {
  figure_over_seconds,
  figure_over_parameter,  // the row's data have the form "dx=0.5", a parameter's name and value; other rows are not
                          // plotted
  figure_over_iterations,
  seconds_over_points,  // rows of a part of a run, whose method reads "METHOD: part", are not plotted
  figure_over_points,
  seconds_and_figure_over_points,  // the two plots above
};

using EmitRow = std::function<void(const BenchmarkRow&)>;
using Stop = std::function<bool()>;  // true: stop early

struct BenchmarkExperiment {
  std::string name;   // "glimmer"
  std::string title;  // one line above its table
  // Emits each row as soon as it is measured; stops early, without error, once `stop` returns true.
  std::function<void(const BenchmarkSetup&, const EmitRow& emit, const Stop& stop)> run;
  BenchmarkPlot plot = BenchmarkPlot::figure_over_seconds;
};

// Those of the simulation of this name; none if the library was built without it, or if it has none.
std::vector<BenchmarkExperiment> experiments_of(std::string_view simulation);

// Times of repeated runs: medians with their spread.
struct RepeatedTimes {
  double median = 0, minimum = 0, maximum = 0;
  int repetitions = 0;
};

// A row with what is measured and where: points and dimensions of the data, if there are any; backend, device, threads.
BenchmarkRow row_of(std::string experiment, std::string method, std::string data, const Setup& setup);
void set_times(BenchmarkRow& row, const RepeatedTimes& times);

// Runs `once` (which returns its seconds) once for warming up, then at least `least` and at most `most` times, and
// stops once `enough_seconds` have passed.
RepeatedTimes repeat_timed(const std::function<double()>& once, int least = 3, int most = 11,
                           double enough_seconds = 2.0);

// Like repeat_timed, for runs that may be long: a run of more than 1.5 s, or any run if `quick`, is measured once.
RepeatedTimes time_runs(const std::function<double()>& once, bool quick);

// The figure of this name in the run's report; NaN if there is none.
double reported(Simulation& simulation, const std::string& figure);

// Runs to the end, or until `stop`; nothing is in flight when it returns.
void run_to_end(Simulation& simulation, const Stop& stop);
// The seconds of a whole run, with the data already in memory.
double time_restart(Simulation& simulation, const Stop& stop);

// The slope of log error against log step, by least squares: the order of a scheme. O(steps).
double fitted_slope(const std::vector<double>& steps, const std::vector<double>& errors);

}  // namespace kinescope::bench
