// Where a simulation puts what is to be drawn. The simulation asks once for its buffers and, once a frame, writes into
// the addresses it is given; whether these are plain memory (`run`), OpenGL buffers registered with CUDA (`view` on
// CUDA) or persistently mapped OpenGL buffers in a ring (`view` on the CPU) it neither knows nor cares.
//
// Call order:  create(...) for each buffer, once
//              each frame: begin() -> address(id) ... (the simulation's publish writes) ... -> end()
// begin and end belong to the owner of the source (the window's thread); a simulation calls create and address only.
#pragma once

#include <cstddef>
#include <string_view>

namespace kinescope::sim {

enum class MemoryKind { host, device };

class BufferSource {
 public:
  using Id = std::size_t;

  virtual ~BufferSource() = default;

  // The memory that the addresses point to; a CPU simulation needs host, a CUDA one device.
  virtual MemoryKind memory_kind() const = 0;

  // A buffer of `bytes` bytes, found again by its name. Creating a name anew replaces the buffer (another size, say).
  // The content starts undefined.
  virtual Id create(std::string_view name, std::size_t bytes) = 0;

  // Writable from begin() to end(), by any thread or (device) by work on the stream given to begin(). May differ from
  // frame to frame: nothing written in an earlier frame can be relied on, so each frame writes every buffer whole.
  virtual void* address(Id id) = 0;

  // Makes all buffers writable, in one call. `stream` is the cudaStream_t that will write (device), else ignored.
  // Returns false, and nothing is writable, when all slots of a ring are still being drawn: try again next frame.
  virtual bool begin(void* stream) = 0;

  // What was written since begin() becomes what is drawn.
  virtual void end() = 0;
};

}  // namespace kinescope::sim
