// The groups that a clustering run has found: how many points each has, and where its centre is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace kinescope::sim {

// Users see groups numbered by size, the largest as 0; a run may hold them in another order, which stays fixed.
template <class Size>
std::vector<std::size_t> by_size(const std::vector<Size>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

struct Groups {
  std::size_t columns = 0;
  std::vector<std::size_t> sizes;  // [groups]
  std::vector<float> centres;      // [groups × columns], in the data's units
  std::vector<std::array<std::uint8_t, 3>>
      colours;  // [groups], r, g, b; empty if the points are not a picture's pixels
  // [groups × spread_columns × spread_columns], covariances of the first columns; empty if groups have none.
  std::size_t spread_columns = 0;
  std::vector<float> spreads;
};

// Groups that belong to published buffers: while publication n is drawn, its groups can be read even if the next one is
// already published. publish() and clear() belong to the simulation's thread, at() to any.
class PublishedGroups {
 public:
  // Call it with each publication (the first is number 1); `groups` is null while there are none.
  void publish(std::shared_ptr<const Groups> groups) {
    const std::lock_guard lock(mutex_);
    before_ = std::exchange(newest_, std::move(groups));
    ++publications_;
  }
  // Removes all groups, whatever is being drawn.
  void clear() {
    const std::lock_guard lock(mutex_);
    before_ = newest_ = nullptr;
  }
  std::shared_ptr<const Groups> at(std::uint64_t publication) const {
    const std::lock_guard lock(mutex_);
    return publication >= publications_ ? newest_ : before_;
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    before_ = newest_ = nullptr;
    publications_ = 0;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Groups> newest_, before_;
  std::uint64_t publications_ = 0;
};

}  // namespace kinescope::sim
