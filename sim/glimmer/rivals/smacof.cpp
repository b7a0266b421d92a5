#include "sim/glimmer/rivals/smacof.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/restarted.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {
namespace {

// The run ends when an iteration lowers the stress by less than this part of it.
constexpr double least_smacof_gain = 1e-5;
constexpr int smacof_steps = 3000;

}  // namespace

Smacof::Smacof(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
    : L_(static_cast<std::size_t>(parameters.output_dimensions.value())) {
  const InputDistances distances(data, parameters);
  delta_ = all_pairs(distances, data, "smacof");
  for (const float delta : delta_)
    if (!std::isnan(delta)) size_ += double(delta) * double(delta);
  figure_name_ = "stress, all pairs";
  move_to(start_layout(distances, StressFigure(distances), data, parameters, seed));
}

void Smacof::move_to(std::vector<double> layout) {
  layout_ = std::move(layout);
  Guttman found = guttman(delta_, layout_, L_);
  next_ = std::move(found.next);
  seen_.figure = size_ > 0 ? found.stress / size_ : 0;
}

void Smacof::step() {
  const double before = seen_.figure;
  move_to(std::move(next_));
  ++steps_;
  seen_.converged =
      before - seen_.figure < least_smacof_gain * seen_.figure || seen_.figure < 1e-14 || steps_ == smacof_steps;
  seen_.fraction = seen_.converged ? 1 : 1 - 1 / (1 + 0.02 * steps_);  // a guess: the number of steps is not known
}

extern const LayoutMethod smacof_method = {.name = "smacof",
                                           .label = "SMACOF",
                                           .parameters = "start restarts",
                                           .begins_classic = true,
                                           .takes_gaps = true,
                                           .make = restarted<Smacof>};

}  // namespace kinescope::sim::glimmer
