// The interface from which scenes get their buffers: named buffers that all hold the content of one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kinescope/buffer_source.hpp"
#include "kinescope/published.hpp"
#include "render/gl/objects.hpp"

namespace kinescope::render {

class DrawnBuffers {
 public:
  using Id = sim::BufferSource::Id;

  virtual ~DrawnBuffers() = default;

  // The buffer with that name; nullopt if there is none.
  virtual std::optional<Id> find(std::string_view name) const = 0;
  // The view is empty while the buffer has no content.
  virtual BufferView view(Id id) const = 0;
  template <class T>
  BufferView view(const sim::Published<T>& buffer) const {
    const std::optional<Id> id = find(buffer.name);
    return id ? view(*id) : BufferView{};
  }
  // Changes whenever the content changes; bounds or a density must then be recomputed.
  virtual std::uint64_t generation() const = 0;
};

}  // namespace kinescope::render
