// Reads a few bytes of a buffer back from the GPU without waiting for it.
//
//   if (!readback.under_way()) readback.request(buffer, offset);
//   if (const std::uint32_t* words = readback.take()) ...   // a frame or two later
#pragma once

#include "render/gl/objects.hpp"

namespace kinescope::render {

class Readback {
 public:
  // Throws sim::Error (run) if there is no memory for so many bytes.
  explicit Readback(std::size_t bytes);

  // Asks for what earlier shaders and commands have written; cancels an earlier request.
  void request(GLuint buffer, GLintptr offset = 0);
  bool under_way() const { return bool(fence_); }
  // The answer to the latest request; null while it is under way (unless told to `wait`), and once it was taken.
  const std::uint32_t* take(bool wait = false);
  void forget() { fence_.reset(); }

 private:
  Buffer buffer_;
  const std::uint32_t* mapped_ = nullptr;
  Fence fence_;
};

}  // namespace kinescope::render
