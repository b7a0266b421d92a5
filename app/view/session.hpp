// What is open: data, parameters, and the simulation of the two. Data and simulations are made in the background; until they
// are there, and when making them fails, what was open stays.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/runner.hpp"
#include "app/view/background.hpp"
#include "render/shared_buffers.hpp"
#include "sim/core/simulation.hpp"
#include "sim/data/load.hpp"

namespace kinescope::app {

struct SessionOptions {
  sim::Setup setup;      // all but the data
  RunnerOptions runner;
  bool wait = false;     // open() and remake() wait (headless: the first frame shows the first step)
};

class Session {
 public:
  Session(const sim::SimulationKind& kind, std::unique_ptr<sim::ParameterSet> parameters, const SessionOptions& options);
  ~Session();

  // Opens data; an earlier request under way is cancelled. What goes wrong comes out of take_error().
  void open(sim::DataRequest request);
  void cancel();
  // A new simulation of the same data, with the parameters as they are now.
  void remake();

  // Once a frame. True when another simulation has taken over; `new_data` then says whether the data are others too.
  bool poll(bool& new_data);
  bool loading() const { return loading_ != nullptr; }
  const std::string& loading_name() const { return loading_name_; }
  float loading_fraction() const { return loading_ ? loading_->fraction.load() : 0; }
  // One line for people, "" if nothing went wrong since the last call.
  std::string take_error() { return std::exchange(error_, ""); }

  const sim::SimulationKind& kind() const { return kind_; }
  sim::ParameterSet& parameters() { return *parameters_; }     // as the panel shows them
  const sim::DataRequest& request() const { return request_; }  // of the open data
  std::shared_ptr<const sim::Dataset> data() const { return data_; }
  Runner* runner() { return runner_.get(); }                    // null before the first
  render::SharedBuffers* buffers() { return buffers_.get(); }
  const SessionOptions& options() const { return options_; }
  RunnerOptions& runner_options() { return options_.runner; }   // of simulations to come

 private:
  struct Made {
    std::shared_ptr<const sim::Dataset> data;
    std::unique_ptr<sim::Simulation> simulation;
    sim::DataRequest request;
    std::string error;
  };
  struct Old {  // stops by itself and is destroyed then
    std::unique_ptr<render::SharedBuffers> buffers;
    std::unique_ptr<Runner> runner;
  };
  void make(sim::DataRequest request, std::shared_ptr<const sim::Dataset> data, std::string name);
  void take_over(Made& made);

  const sim::SimulationKind& kind_;
  std::unique_ptr<sim::ParameterSet> parameters_;
  SessionOptions options_;
  sim::DataRequest request_;
  std::shared_ptr<const sim::Dataset> data_;
  std::unique_ptr<render::SharedBuffers> buffers_;
  std::unique_ptr<Runner> runner_;  // after the buffers, which must outlive it
  std::vector<Old> old_;
  std::shared_ptr<sim::LoadProgress> loading_;
  std::string loading_name_, error_;
  bool taken_over_ = false, new_data_ = false;
  Background background_;
};

}  // namespace kinescope::app
