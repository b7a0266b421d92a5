// Memory of arrays that may be large.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace kinescope::sim {

// Makes the system give the pages of this memory, which nothing was written to yet, in one call: that takes a fifth
// less than a fault for each of them. Does nothing where the system cannot. Huge pages are not asked for: where a
// virtual machine's host has to find them, they take four times as long as small ones.
void populate(void* memory, std::size_t bytes) noexcept;

// Gives the whole pages in this memory back to the system. They stay allocated; what they held is lost.
void give_back(void* memory, std::size_t bytes) noexcept;

// Memory that is aligned to lines of the cache. Elements without a value start undefined, so that resizing touches
// none.
template <class T>
struct LargeAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, alignment); }
  template <class Element, class... From>
  void construct(Element* at, From&&... from) {
    if constexpr (sizeof...(From) == 0)
      ::new (static_cast<void*>(at)) Element;
    else
      ::new (static_cast<void*>(at)) Element(std::forward<From>(from)...);
  }
  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

template <class T>
bool operator==(const LargeVector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace kinescope::sim
