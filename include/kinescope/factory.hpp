// The functions of a SimulationKind, made for the type of its parameters. A simulation is a class template over the
// executor, instantiated in two files. Its header declares its parameters and
//
//   std::unique_ptr<Simulation> make_cpu(const Setup&, HeatParameters&);   // heat_cpu.cpp
//   std::unique_ptr<Simulation> make_cuda(const Setup&, HeatParameters&);  // heat_cuda.cu
#pragma once

#include <memory>

#include "kinescope/data/metric.hpp"
#include "kinescope/data/normalize.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

template <class Parameters>
std::unique_ptr<ParameterSet> make_parameters() {
  return std::make_unique<Parameters>();
}

// Whether the parameters read the data's rows as distances.
template <class Parameters>
bool rows_are_distances(Parameters& parameters) {
  const auto* const metric = parameters.template find<MetricParameter>();
  return metric && metric->value() == Metric::matrix;
}

enum class Takes { data, nothing };

// SimulationKind::make. Throws an input error also if parameters are of another type, if data are lacking or do not
// pass check(), and for CUDA that was not built. normalize=auto is settled.
template <class Parameters, Takes takes = Takes::data>
std::unique_ptr<Simulation> make_simulation(const Setup& setup, ParameterSet& parameters) {
  auto* const own = dynamic_cast<Parameters*>(&parameters);
  if (!own) throw input_error("these are the parameters of another simulation");
  if (takes == Takes::data && !setup.data) throw input_error("this simulation needs data");
  if (setup.data) check(*setup.data, rows_are_distances(*own));
  settle_normalize(*own, setup.data.get());
  if constexpr (cuda_built)
    if (setup.backend == Backend::cuda) return make_cuda(setup, *own);
  if (setup.backend == Backend::cuda) throw input_error("this was built without CUDA");
  return make_cpu(setup, *own);
}

}  // namespace kinescope::sim
