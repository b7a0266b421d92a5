// The landscape's parts on the CPU.
#include "kinescope/executors/cpu.hpp"
#include "sim/landscape/parts_of.hpp"

namespace kinescope::sim::landscape {

std::unique_ptr<Parts> make_parts_cpu(int threads) {
  return std::make_unique<PartsOf<Cpu>>(threads);
}

}  // namespace kinescope::sim::landscape
