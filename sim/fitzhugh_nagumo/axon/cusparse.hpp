// The vendor's tridiagonal solver, for comparison: cusparse?gtsv2_nopivot. The library is loaded at its first use, so
// that the program starts without it.
#pragma once

#include <cstdint>
#include <string>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "sim/fitzhugh_nagumo/axon/partition.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

class Cusparse {
 public:
  // Throws Error (input) if the library is not installed.
  explicit Cusparse(Cuda& cuda);
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;
  ~Cusparse();

  // All arrays are on the device; enqueues on the executor's stream. The first call for a size allocates.
  template <class T>
  void solve(const System<T>& system, T* solution, std::int64_t rows);

 private:
  void* function(const std::string& name) const;

  Cuda& cuda_;
  void* library_ = nullptr;
  void* handle_ = nullptr;
  Array<unsigned char, Cuda> workspace_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
