#include "sim/core/executors/devices.hpp"

#include <cstdlib>
#include <fstream>
#include <oneapi/tbb/info.h>
#include <string>

#ifdef KINESCOPE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace kinescope::sim {

std::vector<CudaDevice> cuda_devices([[maybe_unused]] std::string* why) {
  std::vector<CudaDevice> devices;
#ifdef KINESCOPE_CUDA
  // All kernels are loaded with the device, not each at its first launch: MNIST's layout, 15 ms, else takes 6 more.
  // Before CUDA's first call, and only once.
  [[maybe_unused]] static const int eager = setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    if (why) *why = cudaGetErrorString(status);
    cudaGetLastError();  // clears it, so that nothing later reports this one
    return devices;
  }
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) continue;
    devices.push_back({index, properties.name, properties.major, properties.minor, properties.multiProcessorCount,
                       properties.totalGlobalMem});
  }
#else
  if (why) *why = "this program was built without CUDA";
#endif
  return devices;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "CPU";
}

int cpu_threads() {
  return oneapi::tbb::info::default_concurrency();
}

std::string processor_name(Backend backend, int device) {
  if (backend == Backend::cuda)
    for (const CudaDevice& each : cuda_devices())
      if (each.index == device) return each.name;
  return cpu_name();
}

}  // namespace kinescope::sim
