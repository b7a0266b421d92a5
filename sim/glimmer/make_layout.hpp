// Makes the simulation for the algorithm and the output dimensions that the parameters name.
#pragma once

#include <memory>

#include "kinescope/executors/executor.hpp"
#include "sim/glimmer/components/components_simulation.hpp"
#include "sim/glimmer/forces/force_layout.hpp"
#include "sim/glimmer/multilevel/multilevel_layout.hpp"
#include "sim/glimmer/rivals/rival_layout.hpp"

namespace kinescope::sim::glimmer {

template <Executor E, int L>
std::unique_ptr<Simulation> make_layout_in(const Setup& setup, GlimmerParameters& parameters) {
  const LayoutMethod& method = parameters.algorithm.value();
  if (method.make) return std::make_unique<RivalLayout<E, L>>(setup, parameters);
  if (method.forces) return std::make_unique<ForceLayout<E, L>>(setup, parameters);
  return std::make_unique<MultilevelLayout<E, L>>(setup, parameters);
}

template <Executor E>
std::unique_ptr<Simulation> make_layout(const Setup& setup, GlimmerParameters& parameters) {
  if (!setup.data->components.empty())
    return std::make_unique<ComponentsSimulation<E>>(setup, parameters, &make_layout<E>);
  return parameters.output_dimensions.value() == 3 ? make_layout_in<E, 3>(setup, parameters)
                                                   : make_layout_in<E, 2>(setup, parameters);
}

}  // namespace kinescope::sim::glimmer
