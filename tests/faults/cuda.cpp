// Fails calls of the CUDA run-time library, which is part of the program: the linker (--wrap) leads each call of
// cuda_calls.inc here first.
#include <cuda_runtime_api.h>
#include <utility>

#include "tests/faults/plan.hpp"

extern "C" {

cudaError_t __real_cudaGetLastError();

namespace {
thread_local cudaError_t last_error = cudaSuccess;
}

// Counts a call; `error` if it is to fail, else 0.
cudaError_t kinescope_cuda_fault(cudaError_t error) {
  static kinescope::tests::Plan* const plan = kinescope::tests::open_plan("cuda");
  if (!fails_now(plan)) return cudaSuccess;
  return last_error = error;
}

// A launch tells its error only here.
cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t own = std::exchange(last_error, cudaSuccess), real = __real_cudaGetLastError();
  return own != cudaSuccess ? own : real;
}
}

// Keeps the arguments, of whatever types, where they are: in six registers and on the stack.
asm(R"(
.macro fault name, error
  .globl __wrap_\name
__wrap_\name:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  sub $8, %rsp
  mov $\error, %edi
  call kinescope_cuda_fault
  add $8, %rsp
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  test %eax, %eax
  jz __real_\name
  ret
.endm
.text
)");
#define CALL(name, error) asm("fault " #name ", " #error);
#include "tests/faults/cuda_calls.inc"
