// The processors that simulations can run on.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::sim {

struct CudaDevice {
  int index = 0;
  std::string name;          // "NVIDIA H200"
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
};

// Whether the program was built with the CUDA backend.
#ifdef KINESCOPE_CUDA
inline constexpr bool cuda_built = true;
#else
inline constexpr bool cuda_built = false;
#endif
// Empty if there is no device, no driver, or no CUDA backend; `why` (if given) then names the reason, in one line.
std::vector<CudaDevice> cuda_devices(std::string* why = nullptr);
// The memory of that device which no process has; 0 if it does not answer. Starts CUDA there.
std::size_t cuda_free_bytes(int device);
// Copies from that device's memory. Throws Error (run) if it fails, or if CUDA is not built.
void fetch_from_device(int device, const void* from, std::span<std::byte> to);

// "Intel(R) Xeon(R) Processor @ 2.50GHz", or "CPU" if `file`, the system's list of its processors, names none.
std::string cpu_name(const std::string& file = "/proc/cpuinfo");
int cpu_threads();  // hardware threads this process may use
// The name of the processor that computes: that CUDA device, or the CPU.
std::string processor_name(Backend backend, int device);

}  // namespace kinescope::sim
