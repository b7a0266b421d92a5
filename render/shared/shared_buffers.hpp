// Buffers that a simulation writes and OpenGL draws (docs/architecture.md, "One frame"). One interface has three
// implementations: a ring of mapped OpenGL buffers (CPU), OpenGL buffers registered with CUDA, and a copy through the
// host.
//
// Each frame, on the thread of the OpenGL context:
//   if (buffers.begin(stream)) { simulation.publish(); buffers.end(); }
//   if (buffers.ready()) { draw from buffer(id) + offset(id), size(id) bytes }
//   buffers.drawn();
// Call create() on that thread too, outside begin() … end(): simulations attach there. A frame in which nothing new was
// published draws the previous content: buffer(), offset() and size() stay valid until the next frame's begin().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/shared/drawn_buffers.hpp"

namespace kinescope::render {

enum class SharedPath {
  mapped_ring,  // CPU: persistently mapped, coherent, three slots guarded by fences
  cuda_shared,  // OpenGL buffers registered with CUDA, all mapped in one call a frame
  cuda_staged,  // device memory that is copied to the host and uploaded
};

struct SharedBuffersOptions {
  sim::MemoryKind memory = sim::MemoryKind::host;  // device for a CUDA simulation
  int cuda_device = 0;
  bool force_staging = false;  // device memory only
  // end() waits until what was written can be drawn, so that frame n always shows step n (headless, fixed pace, tests).
  // Otherwise a staged copy appears when it has arrived, a frame or two later.
  bool wait_for_copies = false;
};

class SharedBuffers : public sim::BufferSource, public DrawnBuffers {
 public:
  using DrawnBuffers::view;
  using sim::BufferSource::Id;

  // If sharing does not work, the buffers are staged, and reason() says why. Throws sim::Error (run) if `options`
  // request device memory in a program built without CUDA, or if memory is short.
  static std::unique_ptr<SharedBuffers> make(const SharedBuffersOptions& options);

  virtual SharedPath path() const = 0;
  // "mapped ring", "shared with CUDA", "staged through the host".
  const char* path_text() const;
  // Why staging is used although sharing was wanted, one line; else "". For the log (once) and the panel.
  virtual const std::string& reason() const = 0;

  // Call once a frame. Takes over a staged copy that has arrived. Returns true once anything has been published to
  // draw.
  virtual bool ready() = 0;
  // Counts the publications.
  std::uint64_t generation() const override = 0;
  // Milliseconds that the latest publish spent copying (0 if nothing is copied): `upload_ms`.
  virtual double upload_ms() const = 0;

  // The last published frame. The view is empty before the first one, and for a buffer created since.
  BufferView view(Id id) const override = 0;
  GLuint buffer(Id id) const { return view(id).buffer; }
  GLintptr offset(Id id) const { return view(id).offset; }
  GLsizeiptr size(Id id) const { return view(id).bytes; }
  virtual std::size_t bytes() const = 0;  // of all that was published last

  // Call after the commands that draw from the buffers: what they read is not overwritten before they have finished.
  virtual void drawn() = 0;
};

// The list of named buffers that all implementations share. An Entry has the members `name` and `published`.
template <class Entry>
class NamedBuffers : public SharedBuffers {
 public:
  explicit NamedBuffers(std::string reason = "") : reason_(std::move(reason)) {}
  const std::string& reason() const final { return reason_; }
  std::size_t bytes() const final {
    std::size_t all = 0;
    for (Id id = 0; id < entries_.size(); ++id) all += static_cast<std::size_t>(this->view(id).bytes);
    return all;
  }
  std::uint64_t generation() const final { return generation_; }
  std::optional<Id> find(std::string_view name) const final {
    for (Id id = 0; id < entries_.size(); ++id)
      if (entries_[id].name == name) return id;
    return std::nullopt;
  }

 protected:
  // Adds the entry, or replaces the entry with the same name. OpenGL keeps the storage of a deleted buffer until the
  // draws that read it have finished.
  Id keep(Entry entry) {
    const Id id = find(entry.name).value_or(entries_.size());
    if (id < entries_.size())
      entries_[id] = std::move(entry);
    else
      entries_.push_back(std::move(entry));
    return id;
  }
  void published() {
    for (Entry& entry : entries_) entry.published = true;
    ++generation_;
  }

  std::vector<Entry> entries_;
  bool open_ = false;

 private:
  std::string reason_;
  std::uint64_t generation_ = 0;
};

}  // namespace kinescope::render
