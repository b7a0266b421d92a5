// The interface of a simulation: it advances within a budget, reports its progress, and writes what is to be drawn into
// the buffers that it is given.
//
// Call order:  make(setup) -> attach(buffers) -> { advance(budget) ; publish() } ... -> finish() -> result(), report()
// One thread at a time calls these. Other threads read the run's latest snapshot, and nothing else.
#pragma once

#include <any>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/buffer_source.hpp"
#include "kinescope/dataset.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/report.hpp"
#include "kinescope/snapshot.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

class Trace;

struct Setup {
  std::shared_ptr<const Dataset> data;  // null if the simulation takes none
  Backend backend = Backend::cpu;
  int threads = 0;  // CPU threads of the iterations; 0: all. Preparing takes all; oneTBB's global_control bounds both.
  int device = 0;   // CUDA device
  std::uint64_t seed = 1;
  std::shared_ptr<Trace> trace = nullptr;  // records the launches; null for none
  bool history = false;                    // the output `history` will be asked for: keep it also where that takes time
  // The same data, if nobody else reads their rows from now on, and attach() is not called: the simulation may take
  // DenseRows::values for itself. Else null.
  std::shared_ptr<Dataset> given = nullptr;
};

// The limits of advance(): it returns after the iteration in which the first of the two is reached, so at least one is
// computed. The result never depends on how the work is divided among calls.
struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  long iterations = std::numeric_limits<long>::max();
};

// A file that a run can write: its option, the endings that its name may have (of a table: table_endings(),
// kinescope/data/table_writer.hpp), and what it holds.
struct OutputKind {
  std::string option;  // "out"
  std::vector<std::string> endings;
  std::string meaning;
};

// What the user does to the running state with the mouse, in the units of the simulation's domain.
struct Stimulus {
  double x = 0, y = 0, radius = 0;
  double value = 0;
  double stroke_x = 0, stroke_y = 0;  // movement of the mouse from (x, y), in a straight line
};

class Simulation {
 public:
  virtual ~Simulation() = default;

  // Creates the buffers that publish() will write. Called once before the first publish, and again for another source.
  virtual void attach(BufferSource& source) = 0;

  // Does as much as fits the budget; CUDA enqueues that much without waiting. Returns false if nothing is left to do.
  virtual bool advance(const Budget& budget) = 0;

  // Writes what is to be drawn; called only between the source's begin() and end(). Does nothing before attach().
  virtual void publish() = 0;

  // Waits for the work enqueued so far.
  virtual void finish() = 0;

  // What is known of the run; from any thread, at any time. It is of the end of the latest call above, or of a moment
  // within advance(). After publish() it describes what was written. Never null.
  std::shared_ptr<const Snapshot> snapshot() const {
    const std::lock_guard lock(copies_);
    return snapshot_;
  }
  Progress progress() const { return snapshot()->progress; }
  History history() const { return snapshot()->history; }

  // Gives the live parameters the values that they have in `values`, a set of the kind's type. Throws Error if the run
  // cannot have them; then it keeps its own. For a parameter with Change::restart, the owner makes a new simulation
  // (kind.make, attach) and drops this one.
  virtual void apply(const ParameterSet& values) = 0;
  // The same for one parameter, given as text. Throws an input error also for an unknown name, a value out of range, or
  // another value of a parameter with Change::restart.
  virtual void set(const std::string& name, const std::string& value) = 0;
  // Starts again from the beginning with the present parameters.
  virtual void restart() = 0;
  // What a person does to the run: a Stimulus, or what the kind's header names. Others are ignored. Throws Error.
  virtual void receive(const std::any& /*input*/) {}

  // The result in the input's order; waits for the device. May be called at any time, even before the run has
  // converged.
  virtual Table result() = 0;
  // The endings that file names of this output may have; none: the run has no such output.
  virtual std::vector<std::string> endings(const std::string& output) const = 0;
  // One of the kind's outputs as a table; waits for the device.
  virtual Table table(const std::string& output) = 0;
  // Writes an output that is more than a table (a picture, meshes) if the path's ending asks for one; returns false if
  // the output is table(output). write_output (kinescope/data/write.hpp) writes either. Waits for the device; throws
  // Error.
  virtual bool write(const std::string& output, const std::string& path) = 0;
  // The approximate size of that file in bytes; 0: no larger than the data.
  virtual double bytes_of(const std::string& /*output*/, const std::string& /*path*/) const { return 0; }
  // The simulation's own figures; may take long (a sum over all pairs). Waits for the device.
  virtual Report report() = 0;
  // The report for a reader who waits: what would take longer than a blink is left out, or estimated by a stated amount
  // of work.
  virtual Report summary() { return report(); }

  virtual Backend backend() const = 0;
  virtual void* stream() const { return nullptr; }  // the cudaStream_t that publish() writes on

 protected:
  void show(Snapshot snapshot) {
    auto made = std::make_shared<const Snapshot>(std::move(snapshot));
    const std::lock_guard lock(copies_);
    snapshot_.swap(made);
  }

 private:
  // Not std::atomic<std::shared_ptr>: a reader in GCC 12's library unlocks without order, which is a race where the
  // processor orders little (and for the thread sanitizer).
  mutable std::mutex copies_;  // of the pointer
  std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<const Snapshot>();
};

// Describes a kind of simulation to the command line and the window.
struct SimulationKind {
  std::string name;          // "glimmer"
  std::string title;         // "Glimmer layout"
  std::string summary;       // one line for `kinescope list`
  std::string default_data;  // as for --data; "" if it takes none
  std::size_t most_points = 1'000'000'000;
  bool takes_sparse = false;       // works on sparse rows too
  bool takes_distances = false;    // works on distances without rows too
  bool takes_workers = false;      // other processes can compute for it
  std::string figure_name;         // the figure of merit: "sparse stress"
  std::string second_figure_name;  // the figure of a second curve: "clusters"; "": there is none
  std::vector<std::string> phases = {"running"};
  double pace = 20;  // iterations a second at which one can watch its default data; infinity: no limit
  // The same for a run with these parameters on these data (null: there are none); a null function: `pace`.
  double (*pace_of)(const ParameterSet& parameters, const Dataset* data) = nullptr;
  bool advances_evenly = false;     // Progress::fraction grows with the work, so that it tells how long a run will last
  std::vector<OutputKind> outputs;  // the first is the result, "out"
  std::unique_ptr<ParameterSet> (*make_parameters)();
  // Throws Error; an input error if `parameters` are not of make_parameters' type, if data are lacking, or if they do
  // not pass check(). The values of `parameters` are copied; normalize=auto is settled in them first.
  std::unique_ptr<Simulation> (*make)(const Setup& setup, ParameterSet& parameters);
  // Places the rows `added` into an earlier result: the file `result` was computed from `data` by this kind of
  // simulation, and is not changed. Returns a row for each added one, in the form of result(), and adds their figures
  // to `figures`. Throws Error (input). Null for most kinds.
  Table (*place)(const Dataset& added, const Dataset& data, const std::string& result, ParameterSet& parameters,
                 std::uint64_t seed, Report& figures) = nullptr;
};

}  // namespace kinescope::sim
