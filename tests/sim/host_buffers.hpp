// Buffers in plain memory, as `run` has them, found again by their names. What nobody has written is NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kinescope/buffer_source.hpp"

namespace kinescope::sim::test_buffers {

class HostBuffers : public BufferSource {
 public:
  MemoryKind memory_kind() const override { return MemoryKind::host; }
  Id create(std::string_view name, std::size_t bytes) override {
    ids_[std::string(name)] = memory_.size();
    memory_.emplace_back(bytes / sizeof(std::uint32_t), 0xFFFFFFFFu);
    return memory_.size() - 1;
  }
  void* address(Id id) override { return memory_[id].data(); }
  bool begin(void*) override { return true; }
  void end() override {}
  bool same_as(const HostBuffers& other) const {
    return ids_.size() == other.ids_.size() && std::all_of(ids_.begin(), ids_.end(), [&](const auto& named) {
             const auto found = other.ids_.find(named.first);
             return found != other.ids_.end() && memory_[named.second] == other.memory_[found->second];
           });
  }

  // Empty if there is no such buffer.
  template <class T = float>
  std::span<const T> of(const std::string& name) const {
    static_assert(sizeof(T) == sizeof(std::uint32_t));
    const auto found = ids_.find(name);
    if (found == ids_.end()) return {};
    const std::vector<std::uint32_t>& words = memory_[found->second];
    return {reinterpret_cast<const T*>(words.data()), words.size()};
  }

 private:
  std::map<std::string, std::size_t> ids_;
  std::vector<std::vector<std::uint32_t>> memory_;
};

}  // namespace kinescope::sim::test_buffers
