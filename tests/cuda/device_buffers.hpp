// Buffers in device memory, as `run --backend cuda` has them, which tests find again by name. Memory that nothing has
// written is NaN.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "kinescope/buffer_source.hpp"

namespace kinescope::sim::test_buffers {

class DeviceBuffers : public BufferSource {
 public:
  DeviceBuffers() = default;
  DeviceBuffers(const DeviceBuffers&) = delete;
  DeviceBuffers& operator=(const DeviceBuffers&) = delete;
  ~DeviceBuffers() override {
    for (const auto& [memory, bytes] : memory_) cudaFree(memory);
  }
  MemoryKind memory_kind() const override { return MemoryKind::device; }
  Id create(std::string_view name, std::size_t bytes) override {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemset(memory, 0xFF, bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // the simulation's stream does not wait for the memset
    ids_[std::string(name)] = memory_.size();
    memory_.push_back({memory, bytes});
    return memory_.size() - 1;
  }
  void* address(Id id) override { return memory_[id].first; }
  bool begin(void*) override { return true; }
  void end() override {}

  // A copy; waits for the device. Empty if there is no such buffer.
  template <class T = float>
  std::vector<T> of(const std::string& name) const {
    const auto found = ids_.find(name);
    if (found == ids_.end()) return {};
    const auto& [memory, bytes] = memory_[found->second];
    std::vector<T> values(bytes / sizeof(T));
    EXPECT_EQ(cudaMemcpy(values.data(), memory, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  std::map<std::string, Id> ids_;
  std::vector<std::pair<void*, std::size_t>> memory_;
};

}  // namespace kinescope::sim::test_buffers
