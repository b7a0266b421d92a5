// The landscape's parts on CUDA.
#include "sim/landscape/groups.cuh"
#include "sim/landscape/parts_of.hpp"

namespace kinescope::sim::landscape {

std::unique_ptr<Parts> make_parts_cuda(int device) {
  return std::make_unique<PartsOf<Cuda>>(device);
}

}  // namespace kinescope::sim::landscape
