#include "app/runs/memory_advice.hpp"

namespace kinescope::app {

sim::Error out_of_memory(const sim::SimulationKind* kind, const std::string& what) {
  std::string advice;
  if (kind && kind->default_data.empty())
    advice = "smaller values of its parameters (kinescope list " + kind->name + " describes them), or ";
  else if (kind)
    advice = "fewer points or columns (--columns), or ";
  return sim::run_error(what + "; try " + advice + "a machine with more memory");
}

}  // namespace kinescope::app
