// Reads a few bytes of a buffer back from the GPU without waiting for it.
//
//   if (!readback.under_way()) readback.request(buffer, offset);
//   if (const std::uint32_t* words = readback.take()) ...   // a frame or two later
#pragma once

#include "render/gl/objects.hpp"

namespace kinescope::render {

class Readback {
 public:
  // Reads `bytes` bytes at a time. Throws sim::Error (run) if there is no memory for them.
  explicit Readback(std::size_t bytes);

  // Requests the buffer's content as earlier shaders and commands have written it; cancels an earlier request.
  void request(GLuint buffer, GLintptr offset = 0);
  bool under_way() const { return bool(fence_); }
  // The answer to the latest request. Null while the request is under way (with `wait`, waits instead), and after the
  // answer has been taken.
  const std::uint32_t* take(bool wait = false);
  void forget() { fence_.reset(); }

 private:
  Buffer buffer_;
  const std::uint32_t* mapped_ = nullptr;
  Fence fence_;
};

}  // namespace kinescope::render
