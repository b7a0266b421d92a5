// A solution that advances with the run: an axon by one scheme, or a sheet.
#pragma once

#include <cstddef>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/executor.hpp"
#include "sim/fitzhugh_nagumo/axon/adaptive.hpp"
#include "sim/fitzhugh_nagumo/axon/newton.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// What a solution knows of its run. The pointers are to the executor's memory.
struct Surroundings {
  March* march = nullptr;
  const RunState* run = nullptr;
  Rows rows;                  // null values: it keeps none
  std::int64_t nodes = 0;     // per side
  std::int32_t solution = 0;  // 0 for the first, 1 for the second
};

template <class T>
std::vector<double> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <Executor E>
class Solution {
 public:
  virtual ~Solution() = default;

  virtual void begin(const Plan& plan) = 0;          // sets the initial values
  virtual void continue_with(const Plan& plan) = 0;  // uses the constants of this plan from now on
  // Enqueues March::steps steps from the current buffers into the others.
  virtual void enqueue() = 0;
  // Whether one launch can do many steps in place, and their bookkeeping.
  virtual bool resident() const { return false; }
  virtual void enqueue_whole_run(HistoryPoint*, std::int64_t) {}

  // State in the executor's memory; null unless the scheme is implicit.
  virtual NewtonState* newton() { return nullptr; }
  // Counts the nodes in use; the result is in the executor's memory. Null unless the scheme is adaptive.
  virtual const NodesUsed* used() { return nullptr; }

  virtual void publish(float* v, float* w) = 0;
  virtual void publish_used(std::uint32_t*) {}
  virtual void publish_tips(float*) {}
  virtual void paint(const Stimulus& stimulus) = 0;

  // These wait for the device. `current` is the index of the buffer that holds the solution.
  virtual std::vector<double> read_v(std::int32_t current) = 0;
  virtual std::vector<double> read_w(std::int32_t current) = 0;
  virtual std::size_t field_bytes() const = 0;
  virtual void copy_fields(std::int32_t current, void* v, void* w) = 0;
  virtual std::vector<float> newton_corrections() { return {}; }
  virtual NodesUsed nodes_used() const { return {}; }
};

// A solution with two buffers for each of v and w.
template <class T, Executor E>
class BufferedSolution : public Solution<E> {
 public:
  BufferedSolution(E& executor, const Surroundings& around) : executor_(executor), around_(around) {}

  void continue_with(const Plan& plan) override { plan_ = plan; }
  void publish(float* v, float* w) override {
    executor_.for_each("publish", points(), Publish<T>{fields(), around_.march, v, w});
  }
  std::vector<double> read_v(std::int32_t current) override { return widened(v_[current].download()); }
  std::vector<double> read_w(std::int32_t current) override { return widened(w_[current].download()); }
  std::size_t field_bytes() const override { return v_[0].size() * sizeof(T); }
  void copy_fields(std::int32_t current, void* v, void* w) override {
    executor_.copy_out(v, v_[current].data(), field_bytes());
    executor_.copy_out(w, w_[current].data(), field_bytes());
  }

 protected:
  void make_fields(std::int64_t points) {
    for (auto* pair : {v_, w_})
      for (int i = 0; i < 2; ++i) pair[i] = Array<T, E>(executor_, static_cast<std::size_t>(points));
  }
  std::int64_t points() const { return static_cast<std::int64_t>(v_[0].size()); }
  Fields<T> fields() { return {{v_[0].data(), v_[1].data()}, {w_[0].data(), w_[1].data()}}; }
  void keep_first_row() {
    if (around_.rows.values)
      executor_.for_each("first row", around_.rows.columns, KeepFirstRow<T>{fields(), around_.rows});
  }

  E& executor_;
  Surroundings around_;
  Plan plan_;

 private:
  Array<T, E> v_[2], w_[2];
};

}  // namespace kinescope::sim::fitzhugh_nagumo
