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
class AdaptiveAxon : public BufferedSolution<T, E> {
  using Base = BufferedSolution<T, E>;
  using Base::executor_, Base::around_, Base::plan_, Base::fields;

 public:
  AdaptiveAxon(E& executor, AxonKernels<E>& kernels, const Surroundings& surroundings)
      : Base(executor, surroundings),
        kernels_(kernels),
        used_(executor, 1),
        places_(executor, static_cast<std::size_t>(around_.rows.columns)) {}

  void begin(const Plan& plan) override {
    if (Base::points() != plan.intervals + 1) make_arrays(plan.intervals);
    plan_ = plan;
    executor_.for_each("begin", nodes(),
                       Begin<T>{fields(), {plan_.start, nodes(), spacing(), {nodes() - 1, 0, held() ? 0 : -1}}, false});
    if (held()) executor_.once("held end", BeginHeld<T>{fields(), plan_.intervals});
    executor_.for_each("cells", cells().cells, JudgeBeginning<T>{fields(), cells(), rest()});
    const NodesUsed used;
    used_.upload({&used, 1});
    if (around_.rows.values)
      executor_.for_each("first row", around_.rows.columns, PlaceColumns<T>{solution(), around_.rows, places_.data()});
  }

  void enqueue() override {
    const Constants& c = plan_.constants;
    kernels_.march_adaptively(AdaptiveRun<T>{fields(), cells(), around_.march, around_.run, around_.rows,
                                             places_.data(), ReactionStep<T>::make(c, 0.5 * c.dt),
                                             HeatStep<T>::make(c.dt / (spacing() * spacing())), rest(), used_.data(),
                                             end(), around_.nodes, around_.solution});
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
  Cells cells() {
    return {{states_[0].data(), states_[1].data()}, plan_.intervals, static_cast<std::int64_t>(states_[0].size())};
  }
  AdaptiveSolution<T> solution() { return {fields(), cells(), around_.march, around_.nodes, end()}; }

  void make_arrays(std::int64_t intervals) {
    Base::make_fields(intervals + 1);
    for (auto& states : states_)
      states = Array<std::uint8_t, E>(executor_, static_cast<std::size_t>(intervals / cell_nodes + 1));
  }
  std::vector<double> read(bool v) {
    Array<T, E> values(executor_, static_cast<std::size_t>(around_.nodes));
    T *to_v = v ? values.data() : nullptr, *to_w = v ? nullptr : values.data();
    executor_.for_each("read", around_.nodes, PublishAdaptive<T, T>{solution(), to_v, to_w});
    return widened(values.download());
  }

  AxonKernels<E>& kernels_;
  Array<NodesUsed, E> used_;
  Array<Place<T>, E> places_;
  Array<std::uint8_t, E> states_[2];
};

}  // namespace kinescope::sim::fitzhugh_nagumo
