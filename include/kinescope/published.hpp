// The buffers that a simulation publishes. Each is declared once, beside its kind, with the type of its elements. The
// simulation creates and writes it through that declaration, and scenes find it through the same one, so that a
// misspelt name does not compile.
//
//   inline constexpr Published<float> positions{"positions"};  // [points × columns], in the data's units
#pragma once

#include <cstddef>

#include "kinescope/buffer_source.hpp"

namespace kinescope::sim {

template <class T>
struct Published {
  const char* name = "";  // "": there is no such buffer
  explicit operator bool() const { return *name != 0; }
};

// The simulation's side of a published buffer.
template <class T>
class Outlet {
 public:
  void create(BufferSource& source, const Published<T>& buffer, std::size_t elements) {
    source_ = &source;
    id_ = source.create(buffer.name, elements * sizeof(T));
  }
  // The address to which the elements are written; valid within publish().
  T* address() const { return static_cast<T*>(source_->address(id_)); }

 private:
  BufferSource* source_ = nullptr;
  BufferSource::Id id_ = 0;
};

}  // namespace kinescope::sim
