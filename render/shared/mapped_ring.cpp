#include "render/shared/mapped_ring.hpp"

#include <algorithm>
#include <cassert>

#include "kinescope/error.hpp"
#include "render/gl/opengl.hpp"

namespace kinescope::render {

sim::BufferSource::Id MappedRing::create(std::string_view name, std::size_t bytes) {
  assert(!open_);
  // Where the processor draws, it reads what is to be drawn from here.
  const GLbitfield flags =
      GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | (current_is_software() ? GL_MAP_READ_BIT : 0);
  constexpr std::size_t alignment =
      256;  // the largest offset alignment of storage buffers that OpenGL lets a driver demand
  MappedEntry entry{std::string(name), bytes,
                    std::max<std::size_t>((bytes + alignment - 1) / alignment * alignment, alignment)};
  entry.buffer = Buffer(slots * entry.stride, nullptr, flags);
  entry.mapped =
      static_cast<std::byte*>(glMapNamedBufferRange(entry.buffer.name(), 0, GLsizeiptr(slots * entry.stride), flags));
  if (!entry.mapped) throw sim::run_error("out of graphics memory for the buffer '" + entry.name + "'");
  return keep(std::move(entry));
}

void* MappedRing::address(Id id) {
  assert(open_);
  return entries_[id].mapped + written_slot_ * entries_[id].stride;
}

bool MappedRing::begin(void*) {
  assert(!open_);
  for (std::size_t step = 1; step < slots && !open_; ++step) {
    written_slot_ = (drawn_slot_ + step) % slots;
    open_ = fences_[written_slot_].signalled();
  }
  return open_;
}

void MappedRing::end() {
  assert(open_);
  open_ = false;
  fences_[written_slot_].reset();
  drawn_slot_ = written_slot_;
  published();
}

BufferView MappedRing::view(Id id) const {
  const MappedEntry& entry = entries_[id];
  if (!entry.published) return {};
  return {entry.buffer.name(), GLintptr(drawn_slot_ * entry.stride), GLsizeiptr(entry.bytes)};
}

void MappedRing::drawn() {
  if (generation() > 0) fences_[drawn_slot_] = Fence::place();
}

}  // namespace kinescope::render
