#include "sim/glimmer/rivals/smacof.hpp"

#include <algorithm>
#include <cmath>

#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {
namespace {

// The run ends when an iteration lowers the stress by less than this part of it.
constexpr double least_smacof_gain = 1e-5;
constexpr int smacof_steps = 3000;

}  // namespace

Smacof::Smacof(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
    : pairs_(PairList::all(data.points)), L_(static_cast<std::size_t>(parameters.output_dimensions.value())) {
  const InputDistances distances(data, parameters);
  delta_ = all_pairs(distances, data, "smacof");
  for (const float delta : delta_)
    if (!std::isnan(delta)) size_ += double(delta) * double(delta);
  layout_ = start_layout(distances, StressFigure(distances), data, parameters, seed);
  figure_name_ = "stress, all pairs";
  look();
}

void Smacof::look() {
  seen_.figure = size_ > 0 ? raw_stress(pairs_, delta_, layout_, L_) / size_ : 0;
}

void Smacof::step() {
  const double before = seen_.figure;
  layout_ = majorize(pairs_, delta_, layout_, L_);
  look();
  ++steps_;
  seen_.converged =
      before - seen_.figure < least_smacof_gain * seen_.figure || seen_.figure < 1e-14 || steps_ == smacof_steps;
  seen_.fraction = seen_.converged ? 1 : 1 - 1 / (1 + 0.02 * steps_);  // a guess: the number of steps is not known
}

}  // namespace kinescope::sim::glimmer
