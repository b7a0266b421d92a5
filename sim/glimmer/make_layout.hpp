// Makes the simulation for the algorithm and the output dimensions that the parameters name.
#pragma once

#include <memory>

#include "sim/glimmer/components/components_simulation.hpp"
#include "sim/glimmer/forces/force_layout.hpp"
#include "sim/glimmer/multilevel/multilevel_layout.hpp"
#include "sim/glimmer/rivals/rival_layout.hpp"

namespace kinescope::sim::glimmer {

template <class Executor, int L>
std::unique_ptr<Simulation> make_layout_in(const Setup& setup, GlimmerParameters& parameters) {
  const LayoutAlgorithm algorithm = parameters.algorithm.value();
  if (algorithm == LayoutAlgorithm::glimmer) return std::make_unique<MultilevelLayout<Executor, L>>(setup, parameters);
  if (of_forces(algorithm)) return std::make_unique<ForceLayout<Executor, L>>(setup, parameters);
  return std::make_unique<RivalLayout<Executor, L>>(setup, parameters);
}

template <class Executor>
std::unique_ptr<Simulation> make_layout(const Setup& setup, GlimmerParameters& parameters) {
  if (!setup.data->components.empty())
    return std::make_unique<ComponentsSimulation<Executor>>(setup, parameters, &make_layout<Executor>);
  return parameters.output_dimensions.value() == 3 ? make_layout_in<Executor, 3>(setup, parameters)
                                                   : make_layout_in<Executor, 2>(setup, parameters);
}

}  // namespace kinescope::sim::glimmer
