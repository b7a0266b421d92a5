// Shared buffers for the CPU: OpenGL buffers with three slots each, mapped once for their lifetime. The simulation
// writes one slot while the GPU still draws from another; a fence after each draw tells when a slot is free.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "render/shared/shared_buffers.hpp"

namespace kinescope::render {

class MappedRing final : public SharedBuffers {
 public:
  static constexpr std::size_t slots = 3;

  sim::MemoryKind memory_kind() const override { return sim::MemoryKind::host; }
  Id create(std::string_view name, std::size_t bytes) override;
  void* address(Id id) override;
  bool begin(void* stream) override;
  void end() override;

  SharedPath path() const override { return SharedPath::mapped_ring; }
  const std::string& reason() const override { return reason_; }
  bool ready() override { return generation_ > 0; }
  std::uint64_t generation() const override { return generation_; }
  double upload_ms() const override { return 0; }
  std::optional<Id> find(std::string_view name) const override;
  BufferView view(Id id) const override;
  void drawn() override;

 private:
  struct Entry {
    std::string name;
    std::size_t bytes = 0, stride = 0;
    Buffer buffer;
    std::byte* mapped = nullptr;
    bool published = false;
  };

  std::vector<Entry> entries_;
  std::array<Fence, slots> fences_;  // after the latest draw from each slot
  std::size_t drawn_slot_ = 0, written_slot_ = 0;
  bool open_ = false;
  std::uint64_t generation_ = 0;
  std::string reason_;
};

}  // namespace kinescope::render
