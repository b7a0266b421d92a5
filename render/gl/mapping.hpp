// Buffers in the host's memory, for drawing by the processor. With a software renderer they are there anyway.
#pragma once

#include <cstddef>
#include <vector>

#include "render/gl/objects.hpp"

namespace kinescope::render {

// A part of a buffer as the host can read it, while this lives. It is where the buffer is mapped, or it is mapped for
// this; if the buffer allows neither, it is copied. Waits until pending writes to it are done.
class HostView {
 public:
  explicit HostView(const BufferView& view);
  ~HostView();
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;

  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }

 private:
  GLuint unmap_ = 0;
  std::vector<std::byte> copy_;
  const std::byte* data_ = nullptr;
};

// The first bytes of a buffer made with the flags GL_MAP_READ_BIT | GL_MAP_WRITE_BIT, to read and write while this
// lives. Their content is lost. Throws sim::Error (run) if the driver refuses.
class HostSpace {
 public:
  HostSpace(const Buffer& buffer, std::size_t bytes);
  ~HostSpace();
  HostSpace(const HostSpace&) = delete;
  HostSpace& operator=(const HostSpace&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  GLuint name_;
  void* data_;
};

}  // namespace kinescope::render
