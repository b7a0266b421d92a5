// The error of an executor that gets no memory.
#pragma once

#include <cstddef>
#include <string>

#include "kinescope/error.hpp"

namespace kinescope::sim {

// Its message gives no advice: what would take less memory is known where the simulation is.
class OutOfMemory : public Error {
 public:
  explicit OutOfMemory(std::size_t bytes)
      : Error(Fault::run, "out of memory: " + std::to_string(bytes >> 20) + " MiB more are needed") {}
};

}  // namespace kinescope::sim
