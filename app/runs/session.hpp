// What is open: a kind of simulation, data, parameters, and the simulation of the three. Data and simulations are made
// in the background; until they are there, and when making them fails, what was open stays.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/runs/runner.hpp"
#include "app/runs/worker.hpp"
#include "render/shared/shared_buffers.hpp"
#include "sim/core/simulation.hpp"
#include "sim/data/load.hpp"

namespace kinescope::app {

struct SessionOptions {
  sim::Setup setup;  // all but the data
  RunnerOptions runner;
  bool staged = false;  // copies through the host although buffers could be shared with CUDA
  bool wait = false;    // open() and remake() wait (headless: the first frame shows the first step)
};

class Session {
 public:
  Session(const sim::SimulationKind& kind, std::unique_ptr<sim::ParameterSet> parameters,
          const SessionOptions& options);
  ~Session();

  // Opens data; an earlier request under way is cancelled. What goes wrong comes out of take_error(). Where the kind
  // that is shown takes no data, the latest that did is shown again.
  void open(sim::DataRequest request);
  // Of another kind of simulation too, with these parameters and this seed.
  void open(const sim::SimulationKind& kind, sim::DataRequest request, std::unique_ptr<sim::ParameterSet> parameters,
            std::uint64_t seed);
  void cancel();
  // A new simulation of the same data, with the parameters as they are now.
  void remake();
  // Another kind of simulation, with the parameters that it had when it was last shown; of the data that were open
  // last, unless it takes none or they were only the default of their kind.
  void show(const sim::SimulationKind& kind);

  // Once a frame. True when another simulation has taken over, which is when it has published something to draw: draw
  // from buffers() from now on; those before live until the next call.
  bool poll();
  bool loading() const { return loading_ != nullptr; }
  const std::string& loading_name() const { return loading_name_; }
  float loading_fraction() const { return loading_ ? loading_->fraction.load() : 0; }
  // What went wrong since the last call.
  std::optional<sim::Error> take_error() { return std::exchange(error_, std::nullopt); }

  // What else went wrong with it, for take_error().
  void refuse(const sim::Error& error) { error_ = error; }

  const sim::SimulationKind& kind() const { return *current_.kind; }
  sim::ParameterSet& parameters() { return *parameters_.at(current_.kind); }  // as the panel shows them
  sim::ParameterSet& made_parameters() { return *current_.parameters; }       // as the simulation was made with
  const sim::DataRequest& request() const { return current_.request; }        // of the open data
  std::shared_ptr<const sim::Dataset> data() const { return current_.data; }
  std::uint64_t seed() const { return current_.seed; }
  Runner* runner() { return current_.runner.get(); }  // null before the first
  render::SharedBuffers* buffers() { return current_.buffers.get(); }
  const SessionOptions& options() const { return options_; }
  RunnerOptions& runner_options() { return options_.runner; }  // of simulations to come

 private:
  // A kind of simulation and what it is made of.
  struct Work {
    const sim::SimulationKind* kind = nullptr;
    sim::DataRequest request;
    std::shared_ptr<const sim::Dataset> data;  // null until the request is loaded, and where there are none
    std::shared_ptr<sim::ParameterSet> parameters;
    std::uint64_t seed = 1;
  };
  struct Made : Work {
    std::unique_ptr<sim::Simulation> simulation;
    std::optional<sim::Error> error;
    bool brings_parameters = false;  // that the panel is to show
  };
  struct Open : Work {
    std::unique_ptr<render::SharedBuffers> buffers;
    std::unique_ptr<Runner> runner;  // after the buffers, which must outlive it
  };
  void make(Work work, std::string name);
  void keep_normalize(const sim::SimulationKind& kind);
  // `made` with the simulation in it, or with what went wrong.
  static Made make_now(Made made, const sim::Setup& setup, sim::LoadProgress& progress);
  void take_over(Made& made);
  void retire(Open&& open);

  std::map<const sim::SimulationKind*, std::unique_ptr<sim::ParameterSet>> parameters_;  // of the kinds shown so far
  SessionOptions options_;
  Open current_, next_;    // next_ runs already, and is current once it has published
  Work latest_of_data_;    // that was current and took data
  std::vector<Open> old_;  // each stops by itself and is destroyed then
  std::shared_ptr<sim::LoadProgress> loading_;
  std::string loading_name_;
  std::optional<sim::Error> error_;
  Worker worker_;
};

}  // namespace kinescope::app
