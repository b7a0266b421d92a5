// Shared buffers for the CPU: OpenGL buffers with three slots each, mapped once for their lifetime. The simulation
// writes one slot while the GPU still draws from another; a fence after each draw tells when a slot is free.
#pragma once

#include <array>

#include "render/shared/shared_buffers.hpp"

namespace kinescope::render {

struct MappedEntry {
  std::string name;
  std::size_t bytes = 0, stride = 0;
  Buffer buffer;
  std::byte* mapped = nullptr;
  bool published = false;
};

class MappedRing final : public NamedBuffers<MappedEntry> {
 public:
  static constexpr std::size_t slots = 3;

  sim::MemoryKind memory_kind() const override { return sim::MemoryKind::host; }
  Id create(std::string_view name, std::size_t bytes) override;
  void* address(Id id) override;
  bool begin(void* stream) override;
  void end() override;

  SharedPath path() const override { return SharedPath::mapped_ring; }
  bool ready() override { return generation() > 0; }
  double upload_ms() const override { return 0; }
  BufferView view(Id id) const override;
  void drawn() override;

 private:
  std::array<Fence, slots> fences_;  // after the latest draw from each slot
  std::size_t drawn_slot_ = 0, written_slot_ = 0;
};

}  // namespace kinescope::render
