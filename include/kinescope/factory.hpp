// The functions of a SimulationKind, made for the type of its parameters. A simulation is a class template over the
// executor, instantiated in two files. Its header declares its parameters and
//
//   std::unique_ptr<Simulation> make_cpu(const Setup&, HeatParameters&);   // heat_cpu.cpp
//   std::unique_ptr<Simulation> make_cuda(const Setup&, HeatParameters&);  // heat_cuda.cu
#pragma once

#include <memory>

#include "kinescope/executors/devices.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

template <class Parameters>
std::unique_ptr<ParameterSet> make_parameters() {
  return std::make_unique<Parameters>();
}

// `parameters` must be of this type; their values are copied.
template <class Parameters>
std::unique_ptr<Simulation> make_simulation(const Setup& setup, ParameterSet& parameters) {
  auto& own = static_cast<Parameters&>(parameters);
  if constexpr (cuda_built)
    if (setup.backend == Backend::cuda) return make_cuda(setup, own);
  return make_cpu(setup, own);
}

}  // namespace kinescope::sim
