// The buffers into which a simulation writes what is to be drawn. The simulation creates its buffers once, and in each
// frame writes to the addresses it is given. It does not know whether these are plain memory (`run`), OpenGL buffers
// registered with CUDA (`view` on CUDA) or persistently mapped OpenGL buffers in a ring (`view` on the CPU).
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

  // Where the addresses are: a CPU simulation needs host memory, a CUDA simulation device memory.
  virtual MemoryKind memory_kind() const = 0;

  // Creates a buffer of `bytes` bytes, to be found by its name. The same name again replaces the buffer (to change its
  // size, say). The content is undefined at first.
  virtual Id create(std::string_view name, std::size_t bytes) = 0;

  // Writable from begin() to end(), by any thread or (device memory) by work on the stream given to begin(). The
  // address may change from frame to frame and old content may be lost, so each frame must write the whole buffer.
  virtual void* address(Id id) = 0;

  // Makes all buffers writable, in one call. `stream` is the cudaStream_t that will write (device memory only). Returns
  // false, with nothing writable, if all slots of a ring are still being drawn: try again next frame.
  virtual bool begin(void* stream) = 0;

  // Ends the writing: from now on the new content is drawn.
  virtual void end() = 0;
};

}  // namespace kinescope::sim
