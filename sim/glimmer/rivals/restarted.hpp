// Several runs of a rival, one after the other: the first from the start that the parameters name, the others from
// random layouts. The run that ended with the lowest figure is kept.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/glimmer/rivals/rival.hpp"

namespace kinescope::sim::glimmer {

template <class Own>
class Restarted : public Rival {
 public:
  Restarted(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed, int runs)
      : data_(data), seed_(seed), runs_(runs), present_(std::make_unique<Own>(data, parameters, seed)) {
    random_.copy_values(parameters);
    random_.start.set("random");
    figure_name_ = present_->figure_name();
    look();
  }

  void step() override {
    if (present_->seen().converged) {
      ++run_;
      present_ = std::make_unique<Own>(data_, random_, seed_ + static_cast<std::uint64_t>(run_));
    } else {
      present_->step();
    }
    look();
  }

  void add_to(Report& report) const override {
    (best_ && best_->seen().figure <= present_->seen().figure ? best_ : present_)->add_to(report);
  }

 private:
  void look() {
    const bool ended = present_->seen().converged;
    if (ended && (!best_ || present_->seen().figure < best_->seen().figure)) best_ = present_;
    const bool over = ended && run_ + 1 == runs_;
    seen_ = (over ? best_ : present_)->seen();
    layout_ = (over ? best_ : present_)->layout();
    seen_.converged = over;
    seen_.fraction = (run_ + present_->seen().fraction) / runs_;
  }

  const Dataset& data_;
  GlimmerParameters random_;
  std::uint64_t seed_;
  int runs_, run_ = 0;
  std::shared_ptr<Own> present_, best_;
};

template <class Own>
std::unique_ptr<Rival> restarted(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  const int runs = parameters.starts_from_file() ? 1 : static_cast<int>(parameters.restarts.value());
  if (runs == 1) return std::make_unique<Own>(data, parameters, seed);
  return std::make_unique<Restarted<Own>>(data, parameters, seed, runs);
}

}  // namespace kinescope::sim::glimmer
