// The base of all simulations over an executor: parameters, executor, stepper, published buffers, time and progress. A
// simulation derives from it and adds its own:
//
//   template <class Executor>
//   class Heat : public Shell<Executor, HeatParameters> {
//     using Base = Shell<Executor, HeatParameters>;
//     Heat(const Setup& setup, HeatParameters& parameters) : Base(heat_kind(), setup, parameters, 1 << 16) {
//       ... memory ...
//       begin();
//     }
//     void create_buffers(BufferSource&) override;     publish() writes them
//     void start() override;                           the state before the first iteration; ends in stepper_.reset
//     void iterate(std::int32_t program) override;     enqueues one iteration
//     publish(), change(), result(), report()          of Simulation
//   };
//
// `Interface` is an abstract class derived from Simulation, for what the simulation offers beyond that.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "sim/core/array.hpp"
#include "sim/core/error.hpp"
#include "sim/core/executors/stepper.hpp"
#include "sim/core/published.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

template <class Executor, class Parameters, class Interface = Simulation>
class Shell : public Interface {
 public:
  void attach(BufferSource& source) override {
    source_ = &source;
    create_buffers(source);
  }
  bool advance(const Budget& budget) override {
    return stepper_.advance(budget, [this](std::int32_t program) { iterate(program); });
  }
  void finish() override { stepper_.wait(); }
  void restart() override {
    const auto began = Clock::now();
    stepper_.wait();
    start();
    earlier_seconds_ = since(began);
  }
  Progress progress() const override {
    const RunState seen = stepper_.seen();
    Progress progress;
    progress.phase = kind_.phases[static_cast<std::size_t>(seen.phase)];
    progress.points = static_cast<std::size_t>(seen.points);
    progress.iteration = static_cast<long>(seen.iteration);
    progress.figure = seen.figure;
    progress.fraction = seen.converged ? 1 : seen.fraction;
    progress.seconds = earlier_seconds_ + stepper_.seconds();
    progress.converged = seen.converged != 0;
    progress.cut = seen.cut != 0;
    describe(seen, progress);
    return progress;
  }
  void history(History& history) const override { stepper_.copy_history(history); }
  std::vector<std::string> endings(const std::string& output) const override {
    for (const OutputKind& each : kind_.outputs)
      if (each.option == output) return each.endings;
    return {};
  }
  Table table(const std::string& output) override {
    if (output != "out") throw input_error("this run has no --" + output);
    return this->result();
  }
  bool write(const std::string&, const std::string&) override { return false; }
  Backend backend() const override { return Executor::backend; }
  void* stream() const override { return stream_; }

 protected:
  using Clock = std::chrono::steady_clock;
  template <class T>
  using Memory = Array<T, Executor>;

  // Throws an input error if the kind cannot take so many points, sparse rows, or distances without rows. `kind` must
  // outlive the simulation. The figures of `history_capacity` iterations are kept.
  Shell(const SimulationKind& kind, const Setup& setup, Parameters& parameters, std::size_t history_capacity)
      : setup_(setup), executor_(setup), stepper_(executor_, history_capacity), kind_(kind) {
    if (setup.data && setup.data->points > kind.most_points)
      throw input_error(setup.data->name + ": more than " + std::to_string(kind.most_points) + " points");
    if (setup.data && setup.data->sparse && !kind.takes_sparse)
      throw input_error(setup.data->name + ": " + kind.name + " needs an ordinary table of numbers, not sparse rows");
    if (setup.data && setup.data->distances && !kind.takes_distances)
      throw input_error(setup.data->name + ": " + kind.name + " needs a table of numbers, not distances alone (" +
                        setup.data->distances->description() + "); only glimmer can lay out distances");
    parameters_.copy_values(parameters);
  }

  virtual void create_buffers(BufferSource& source) = 0;
  virtual void start() = 0;
  virtual void iterate(std::int32_t program) = 0;
  // Adds to progress() what only this simulation knows; called from any thread.
  virtual void describe(const RunState&, Progress&) const {}

  // Starts the run; call it at the end of the constructor. The time until then counts as preparing.
  void begin() {
    start();
    earlier_seconds_ = since(made_);
  }
  // Continues from `state` with another run of the stepper; the seconds so far are kept.
  void go_on(const RunState& state) {
    earlier_seconds_ += stepper_.seconds();
    stepper_.reset(state);
  }
  // True if publish() will be called.
  bool watched() const { return source_ != nullptr; }
  static double since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

  Setup setup_;
  Parameters parameters_;
  mutable Executor executor_;
  Stepper<Executor> stepper_;
  // The time of preparing, and of computing before the stepper's current run; progress() reads it on other threads.
  std::atomic<double> earlier_seconds_ = 0;

 private:
  void* const stream_ = executor_.stream();  // for other threads: Cuda::record() swaps the executor's own
  const SimulationKind& kind_;
  const Clock::time_point made_ = Clock::now();
  BufferSource* source_ = nullptr;
};

}  // namespace kinescope::sim
