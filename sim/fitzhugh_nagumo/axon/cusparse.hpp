// The vendor's tridiagonal solver, for comparison: cusparse?gtsv2_nopivot. The library is loaded at its first use, so
// that the program starts without it.
#pragma once

#include <cstdint>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"

namespace kinescope::sim::fitzhugh_nagumo {

class Cusparse {
 public:
  // Throws Error (input) if the library is not installed.
  explicit Cusparse(Cuda& cuda);
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;
  ~Cusparse();

  // All arrays are on the device; enqueues on the executor's stream. The first call for a size allocates.
  void solve(const float* lower, const float* diagonal, const float* upper, const float* right, float* solution,
             std::int64_t rows);
  void solve(const double* lower, const double* diagonal, const double* upper, const double* right, double* solution,
             std::int64_t rows);

 private:
  template <class T>
  void solve_with(const char* size_function, const char* solve_function, const T* lower, const T* diagonal,
                  const T* upper, const T* right, T* solution, std::int64_t rows);
  void* function(const char* name) const;

  Cuda& cuda_;
  void* library_ = nullptr;
  void* handle_ = nullptr;
  Array<unsigned char, Cuda> workspace_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
