// A solution along an axon by the adaptive scheme: its arrays and launches.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kinescope/array.hpp"
#include "sim/fitzhugh_nagumo/axon/adaptive.hpp"
#include "sim/fitzhugh_nagumo/solution.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <Executor E>
class AxonKernels;

template <class T, Executor E>
class AdaptiveAxon : public Solution<E> {
 public:
  AdaptiveAxon(E& executor, AxonKernels<E>& kernels, const Surroundings& surroundings, std::int32_t solution)
      : executor_(executor),
        kernels_(kernels),
        around_(surroundings),
        solution_(solution),
        used_(executor, 1),
        places_(executor, static_cast<std::size_t>(around_.rows.columns)) {}

  void begin(const Plan& plan) override {
    if (plan.intervals != plan_.intervals || v_[0].size() == 0) make_arrays(plan.intervals);
    plan_ = plan;
    executor_.for_each("begin", nodes(),
                       Begin<T>{fields(), {plan_.start, nodes(), spacing(), {nodes() - 1, 0, held() ? 0 : -1}}, false});
    if (held()) executor_.once("held end", BeginHeld<T>{fields(), plan_.intervals});
    executor_.for_each("cells", cells().cells, JudgeBeginning<T>{fields(), cells(), rest()});
    const NodesUsed used;
    used_.upload({&used, 1});
    if (solution_ == 0)
      executor_.for_each("first row", around_.rows.columns, PlaceColumns<T>{solution(), around_.rows, places_.data()});
  }

  // Nodes stay where they are, because the plan of a continued run has the same `intervals`.
  void continue_with(const Plan& plan) override { plan_ = plan; }

  void enqueue() override {
    const Constants& c = plan_.constants;
    kernels_.march_adaptively(AdaptiveRun<T>{
        fields(), cells(), around_.march, around_.run, solution_ == 0 ? around_.rows : Rows{}, places_.data(),
        ReactionStep<T>::make(c, 0.5 * c.dt), HeatStep<T>::make(c.dt / (spacing() * spacing())), rest(), used_.data(),
        end(), around_.nodes, solution_});
  }

  void publish(float* v, float* w) override {
    executor_.for_each("publish", around_.nodes, PublishAdaptive<T, float>{solution(), v, w});
  }
  void publish_used(std::uint32_t* used) override {
    executor_.for_each("publish nodes", around_.nodes,
                       PublishAdaptiveNodes{cells(), around_.march, around_.nodes, used});
  }
  const NodesUsed* used() override {
    executor_.reduce("nodes used", cells().cells, std::int64_t{0}, CountAdaptiveNodes{cells(), around_.march},
                     NoteNodes{used_.data()});
    return used_.data();
  }
  void paint(const Stimulus& stimulus) override {
    Stimulus wide = stimulus;
    wide.radius = std::max(stimulus.radius, 1.5 * spacing());
    const double ends[] = {wide.x, wide.x + wide.stroke_x};
    executor_.for_each("wake", cells().cells,
                       Wake<T>{fields(), cells(), around_.march, (std::min(ends[0], ends[1]) - wide.radius) / spacing(),
                               (std::max(ends[0], ends[1]) + wide.radius) / spacing()});
    executor_.for_each("stimulus", nodes(), Paint<T>{fields(), around_.march, wide, nodes(), spacing(), false});
  }

  std::size_t field_bytes() const override { return v_[0].size() * sizeof(T); }
  void copy_fields(std::int32_t current, void* v, void* w) override {
    executor_.copy_out(v, v_[current].data(), field_bytes());
    executor_.copy_out(w, w_[current].data(), field_bytes());
  }
  std::vector<double> read_v(std::int32_t) override { return read(true); }
  std::vector<double> read_w(std::int32_t) override { return read(false); }
  NodesUsed nodes_used() const override { return used_.download()[0]; }

 private:
  std::int64_t nodes() const { return plan_.intervals + 1; }
  double spacing() const { return adaptive_spacing(plan_); }
  // Near rest v and w oscillate, one after the other, with |w| ≈ √ε |v|, so that w can bring about a v of |w| / √ε.
  Rest<T> rest() const {
    return {static_cast<T>(plan_.rest), static_cast<T>(1 / std::sqrt(std::max(plan_.constants.epsilon, 1e-4)))};
  }
  bool held() const { return plan_.start == Case::traveling; }
  LastEnd<T> end() const { return {held(), static_cast<T>(spacing() * spacing())}; }
  Fields<T> fields() { return {{v_[0].data(), v_[1].data()}, {w_[0].data(), w_[1].data()}}; }
  Cells cells() {
    return {{states_[0].data(), states_[1].data()}, plan_.intervals, static_cast<std::int64_t>(states_[0].size())};
  }
  AdaptiveSolution<T> solution() { return {fields(), cells(), around_.march, around_.nodes, end()}; }

  void make_arrays(std::int64_t intervals) {
    for (auto* pair : {v_, w_})
      for (int i = 0; i < 2; ++i) pair[i] = Array<T, E>(executor_, static_cast<std::size_t>(intervals + 1));
    for (auto& states : states_)
      states = Array<std::uint8_t, E>(executor_, static_cast<std::size_t>(intervals / cell_nodes + 1));
  }
  std::vector<double> read(bool v) {
    Array<T, E> values(executor_, static_cast<std::size_t>(around_.nodes));
    T *to_v = v ? values.data() : nullptr, *to_w = v ? nullptr : values.data();
    executor_.for_each("read", around_.nodes, PublishAdaptive<T, T>{solution(), to_v, to_w});
    return widened(values.download());
  }

  E& executor_;
  AxonKernels<E>& kernels_;
  Surroundings around_;
  std::int32_t solution_;
  Plan plan_;
  Array<NodesUsed, E> used_;
  Array<Place<T>, E> places_;
  Array<T, E> v_[2], w_[2];
  Array<std::uint8_t, E> states_[2];
};

}  // namespace kinescope::sim::fitzhugh_nagumo
