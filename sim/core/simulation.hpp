// What every simulation is to the program: something that advances within a budget, tells how far it is, and writes
// what is to be drawn into buffers that it is given.
//
// Call order:  make(setup) -> attach(buffers) -> { advance(budget) ; publish() } ... -> finish() -> result(), report()
// One thread at a time calls these; progress() and history() may be called from any thread at any time.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/buffer_source.hpp"
#include "sim/core/dataset.hpp"
#include "sim/core/parameter.hpp"
#include "sim/core/report.hpp"
#include "sim/core/table.hpp"

namespace kinescope::sim {

struct BenchmarkExperiment;
class Trace;

enum class Backend { cpu, cuda };

struct Setup {
  std::shared_ptr<const Dataset> data;  // null for a simulation that takes none
  Backend backend = Backend::cpu;
  int threads = 0;  // CPU threads; 0: all
  int device = 0;   // CUDA device
  std::uint64_t seed = 1;
  std::shared_ptr<Trace> trace;  // records the launches; null for none
};

// How much advance() may do: it returns after the first of the two. The result never depends on how the work was cut.
struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  long iterations = std::numeric_limits<long>::max();
};

struct Progress {
  std::string phase;          // "interpolate", "relax", ... for people
  int level = 0, levels = 0;  // level counts from 1, the coarsest; 0 where there are none
  std::size_t points = 0;     // that take part now
  long iteration = 0;         // since the start
  double figure = 0;          // the figure of merit now (NaN before there is one)
  double fraction = 0;        // estimate of the part done, 0 … 1
  double seconds = 0;         // spent computing
  bool converged = false;     // nothing is left to compute
  bool cut = false;           // then: because a limit on iterations ended the run before it had converged
  std::string figure_name;    // what the figure is now, where SimulationKind::figure_name does not say all; or ""
  double second_figure = std::numeric_limits<double>::quiet_NaN();  // of SimulationKind::second_figure_name, now
};

// One point of the curves that the window plots.
struct HistoryPoint {
  long iteration = 0;
  float figure = 0;
  std::int16_t level = 0;                                         // of Progress
  std::int16_t phase = 0;                                         // index of the phase within the level
  float second_figure = std::numeric_limits<float>::quiet_NaN();  // as last measured; a NaN: never
};

// The curve so far. A restart begins another run: Simulation::history then empties the points before it appends.
struct History {
  std::vector<HistoryPoint> points;
  std::int64_t run = -1;  // which run the points are of; for Simulation::history alone
};

// A file that a run can write: the option that names it, what its name may end in, and what it holds.
struct OutputKind {
  std::string option;  // "out"
  std::vector<std::string> endings;
  std::string meaning;
};

// What a person does to the running state with the mouse, in the units of the simulation's domain.
struct Stimulus {
  double x = 0, y = 0, radius = 0;
  double value = 0;
  double stroke_x = 0, stroke_y = 0;  // how far the hand went on from there, in a straight line
};

class Simulation {
 public:
  virtual ~Simulation() = default;

  // Creates the buffers that publish() will write. Called once, before the first publish; again for another source.
  virtual void attach(BufferSource& source) = 0;

  // Does as much as fits the budget; on CUDA it enqueues that much and does not wait. False once there is nothing left
  // to do.
  virtual bool advance(const Budget& budget) = 0;

  // Writes what is to be drawn; only between the source's begin() and end().
  virtual void publish() = 0;

  // The work enqueued so far is done when this returns.
  virtual void finish() = 0;

  virtual Progress progress() const = 0;
  // Appends what has come since it last filled `history`.
  virtual void history(History& history) const = 0;

  // Gives a parameter that changes live a value that its ParameterSet has accepted. For one that restarts, the owner
  // makes a new simulation (kind.make, attach) and drops this one.
  virtual void change(const std::string& name, const std::string& value) = 0;
  // From the beginning, with the parameters as they are.
  virtual void restart() = 0;
  virtual void stimulate(const Stimulus&) {}

  // The result in the input's order; waits for the device. Valid at any time, for a run that was cut short too.
  virtual Table result() = 0;
  // What the names of the files that this run can write may end in, for one of its kind's outputs; none: it has none.
  virtual std::vector<std::string> endings(const std::string& output) const = 0;
  // One of its kind's outputs as a table; waits for the device.
  virtual Table table(const std::string& output) = 0;
  // Writes an output that is more than a table (a picture, meshes), if the path's ending asks for one; false: it is
  // table(output). write_output (sim/data/writers/write.hpp) writes either. Waits for the device; throws Error.
  virtual bool write(const std::string& output, const std::string& path) = 0;
  // About how large that file will be, in bytes; 0: no larger than the data.
  virtual double bytes_of(const std::string& /*output*/, const std::string& /*path*/) const { return 0; }
  // The simulation's own figures; may take long (a sum over all pairs). Waits for the device.
  virtual Report report() = 0;

  virtual Backend backend() const = 0;
  virtual void* stream() const { return nullptr; }  // the cudaStream_t that publish() writes on
};

// A simulation as the command line and the window know it.
struct SimulationKind {
  std::string name;          // "glimmer"
  std::string title;         // "Glimmer layout"
  std::string summary;       // one line for `kinescope list`
  std::string default_data;  // as for --data; "" if it takes none
  std::size_t most_points = 1'000'000'000;
  std::string figure_name;         // the figure of merit: "sparse stress"
  std::string second_figure_name;  // what a second curve shows: "clusters"; "": there is none
  std::vector<std::string> phases;
  double pace = 20;  // iterations a second with which one can watch its default data; infinity: as fast as it goes
  std::vector<OutputKind> outputs = {{"out", {".csv", ".npy"}, "the result"}};
  std::unique_ptr<ParameterSet> (*make_parameters)();
  // Throws Error. `parameters` must be of make_parameters' type; its values are copied.
  std::unique_ptr<Simulation> (*make)(const Setup& setup, ParameterSet& parameters);
  // Its published experiments (sim/core/benchmark.hpp); may be null.
  std::vector<BenchmarkExperiment> (*experiments)() = nullptr;
};

}  // namespace kinescope::sim
