#include "kinescope/executors/devices.hpp"

#include <cstdlib>
#include <fstream>
#include <oneapi/tbb/info.h>
#include <string>

#ifdef KINESCOPE_CUDA
#include "kinescope/executors/cuda_check.hpp"
#else
#include "kinescope/error.hpp"
#endif

namespace kinescope::sim {

std::vector<CudaDevice> cuda_devices([[maybe_unused]] std::string* why) {
  std::vector<CudaDevice> devices;
#ifdef KINESCOPE_CUDA
  // Loads all kernels with the device instead of each at its first launch: otherwise the layout of MNIST, which takes
  // 15 ms, takes 6 ms more. It must be set once, before the first CUDA call.
  [[maybe_unused]] static const int eager = setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
    int driver = 0;
    cudaDriverGetVersion(&driver);  // 0 if none is installed, which cudaGetDeviceCount() calls an old driver
    if (why) *why = driver == 0 ? "there is no NVIDIA driver" : cudaGetErrorString(status);
    cudaGetLastError();  // clears the error, so that no later call reports it
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

std::size_t cuda_free_bytes([[maybe_unused]] int device) {
#ifdef KINESCOPE_CUDA
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) return free;
  cudaGetLastError();  // clears the error, so that no later call reports it
#endif
  return 0;
}

void fetch_from_device([[maybe_unused]] int device, [[maybe_unused]] const void* from, std::span<std::byte> to) {
#ifdef KINESCOPE_CUDA
  CUDA_CHECK(cudaSetDevice(device));
  CUDA_CHECK(cudaMemcpy(to.data(), from, to.size(), cudaMemcpyDeviceToHost));
#else
  throw run_error("numbers in a device's memory cannot be read: this program was built without CUDA (" +
                  std::to_string(to.size()) + " bytes)");
#endif
}

std::string cpu_name(const std::string& file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t name = line.find_first_not_of(": \t", line.find(':'));
    if (name != std::string::npos) return line.substr(name);
  }
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
