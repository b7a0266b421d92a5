#include "sim/core/simulation.hpp"

#include "sim/core/error.hpp"
#include "sim/data/write.hpp"

namespace kinescope::sim {

std::vector<std::string> Simulation::endings(const std::string& output) const {
  if (output == "out") return {".csv", ".npy"};
  return {};
}

void Simulation::write(const std::string& output, const std::string& path) {
  if (output != "out") throw input_error("this run has no --" + output);
  write_table(path, result());
}

}  // namespace kinescope::sim
