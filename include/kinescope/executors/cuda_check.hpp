// Every CUDA call is checked: CUDA_CHECK(cudaMalloc(...)) throws a run error with the cause, the expression, the file
// and the line.
#pragma once

#include <cuda_runtime_api.h>

namespace kinescope::sim {

void check_cuda(cudaError_t status, const char* expression, const char* file, int line);

}  // namespace kinescope::sim

// A macro, because only a macro knows the expression.
#define CUDA_CHECK(expression) ::kinescope::sim::check_cuda((expression), #expression, __FILE__, __LINE__)
