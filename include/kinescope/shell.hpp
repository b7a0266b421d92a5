// The base of all simulations over an executor: parameters, executor, stepper, published buffers, time and progress. A
// simulation derives from it and adds its own:
//
//   template <Executor E>
//   class Heat : public Shell<E, HeatParameters> {
//     using Base = Shell<E, HeatParameters>;
//     Heat(const Setup& setup, HeatParameters& parameters) : Base(heat_kind(), setup, parameters, 1 << 16) {
//       ... memory ...
//       begin();
//     }
//     void create_buffers(BufferSource&) override;     makes what is published
//     void write_buffers() override;                   publishes it
//     void start() override;                           the state before the first iteration; ends in stepper_.reset
//     void iterate(std::int32_t program) override;     enqueues one iteration
//     void change(const HeatParameters& before) override;
//     result(), report()                               of Simulation
//   };
//
// `Interface` is an abstract class derived from Simulation, for what the simulation offers beyond that.
#pragma once

#include <chrono>
#include <new>
#include <string>
#include <utility>

#include "kinescope/array.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/stepper.hpp"
#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

template <Executor E, class Parameters, class Interface = Simulation>
class Shell : public Interface {
 public:
  void attach(BufferSource& source) final {
    const AtEnd at_end{*this};
    source_ = &source;
    create_buffers(source);
  }
  bool advance(const Budget& budget) final {
    const AtEnd at_end{*this};
    return work(budget);
  }
  void publish() final {
    const AtEnd at_end{*this};
    if (source_) write_buffers();
  }
  void finish() final {
    stepper_.wait();
    show_present();
  }
  void restart() final {
    const AtEnd at_end{*this};
    begin_again();
  }
  void apply(const ParameterSet& values) final {
    const AtEnd at_end{*this};
    const auto* const own = dynamic_cast<const Parameters*>(&values);
    if (!own) throw input_error("these are the parameters of another simulation");
    const Parameters before = parameters_, given = *own;  // of no derived type
    if (!parameters_.copy_live(given)) return;
    try {
      change(before);
    } catch (...) {
      parameters_ = before;
      throw;
    }
  }
  void set(const std::string& name, const std::string& value) final {
    Parameters values = parameters_;
    values.set(name, value);
    const Parameter& named = *values.find(name);
    if (named.change() == Change::restart && !named.same_value(*parameters_.find(name)))
      throw input_error(name + " cannot change while a run goes on: it needs a new one");
    apply(values);
  }
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
  Backend backend() const override { return E::backend; }
  void* stream() const override { return stream_; }

 protected:
  using Clock = std::chrono::steady_clock;
  template <class T>
  using Memory = Array<T, E>;

  // Throws an input error if the kind cannot take so many points, sparse rows, or distances without rows. `kind` must
  // outlive the simulation. The figures of `history_capacity` iterations are kept.
  Shell(const SimulationKind& kind, const Setup& setup, Parameters& parameters, std::size_t history_capacity)
      : setup_(setup), executor_(setup), stepper_(executor_, history_capacity), kind_(kind) {
    if (setup.data && setup.data->points > kind.most_points)
      throw input_error(setup.data->name + ": more than " + std::to_string(kind.most_points) + " points");
    if (setup.data && setup.data->sparse() && !kind.takes_sparse)
      throw input_error(setup.data->name + ": " + kind.name + " needs an ordinary table of numbers, not sparse rows");
    if (setup.data && setup.data->distances() && !kind.takes_distances)
      throw input_error(setup.data->name + ": " + kind.name + " needs a table of numbers, not distances alone (" +
                        setup.data->distances()->description() + "); only glimmer can lay out distances");
    parameters_ = parameters;
    stepper_.tell([this] { show_present(); });
  }

  virtual void create_buffers(BufferSource& source) = 0;
  virtual void start() = 0;
  virtual void iterate(std::int32_t program) = 0;
  virtual void write_buffers() = 0;  // publish()
  // Acts on the parameters, of which at least one live one differs from `before`. If it throws, they are restored.
  virtual void change(const Parameters& before) = 0;
  virtual bool work(const Budget& budget) {  // advance()
    return stepper_.advance(budget, [this](std::int32_t program) { iterate(program); });
  }
  virtual void begin_again() {  // restart()
    const auto began = Clock::now();
    stepper_.wait();
    start();
    earlier_seconds_ = since(began);
  }
  // Adds to a snapshot what only this simulation knows.
  virtual void describe(const RunState&, Snapshot&) const {}

  // Starts the run; call it at the end of the constructor. The time until then counts as preparing.
  void begin() {
    start();
    earlier_seconds_ = since(made_);
    show_present();
  }
  void show_present() {
    const RunState& seen = stepper_.seen();
    Snapshot snapshot;
    Progress& progress = snapshot.progress;
    progress.phase = kind_.phases[static_cast<std::size_t>(seen.phase)];
    progress.points = static_cast<std::size_t>(seen.points);
    progress.iteration = static_cast<long>(seen.iteration);
    progress.figure = seen.figure;
    progress.fraction = seen.converged ? 1 : seen.fraction;
    progress.seconds = earlier_seconds_ + stepper_.seconds();
    progress.converged = seen.converged != 0;
    progress.cut = seen.cut != 0;
    snapshot.history = stepper_.seen_history();
    snapshot.backend = E::backend;
    snapshot.memory = executor_.held();
    describe(seen, snapshot);
    this->show(std::move(snapshot));
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
  mutable E executor_;
  Stepper<E> stepper_;
  double earlier_seconds_ = 0;  // of preparing, and of computing before the stepper's current run

 private:
  // Shows what a call has led to, also if it throws. Without memory for a snapshot the one before stays.
  struct AtEnd {
    Shell& shell;
    ~AtEnd() {
      try {
        shell.show_present();
      } catch (const std::bad_alloc&) {
      }
    }
  };

  void* const stream_ = executor_.stream();  // for other threads: Cuda::record() swaps the executor's own
  const SimulationKind& kind_;
  const Clock::time_point made_ = Clock::now();
  BufferSource* source_ = nullptr;
};

}  // namespace kinescope::sim
