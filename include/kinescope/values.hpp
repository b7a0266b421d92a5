// The numbers of points: a dataset's own, or an array of somebody else, in the host's memory or a device's, which is
// read where it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "kinescope/large_memory.hpp"

namespace kinescope::sim {

// float32. Reads like std::span<const float>.
class Values {
 public:
  using value_type = float;
  using const_iterator = const float*;

  Values() = default;
  Values(LargeVector<float> own) : own_(std::move(own)) {}
  // Views `array` for as long as this lives. `owner` keeps the array alive; null: the caller sees to it. Nothing is
  // copied or changed.
  static Values borrow(std::span<const float> array, std::shared_ptr<const void> owner = nullptr) {
    Values values;
    values.borrowed_ = array.data();
    values.borrowed_size_ = array.size();
    values.owner_ = std::move(owner);
    return values;
  }
  // The same for an array in a CUDA device's memory, which must be completely written. The host's copy is made when
  // somebody reads the numbers here: once, O(size). Copies of this share it.
  static Values borrow_on_device(std::span<const float> array, int device, std::shared_ptr<const void> owner = nullptr);

  const float* data() const { return borrowed_ ? borrowed_ : on_device_ ? fetched() : own_.data(); }
  std::size_t size() const { return is_borrowed() ? borrowed_size_ : own_.size(); }
  bool empty() const { return size() == 0; }
  const float* begin() const { return data(); }
  const float* end() const { return data() + size(); }
  const float& operator[](std::size_t i) const { return data()[i]; }
  bool operator==(std::span<const float> other) const { return std::ranges::equal(*this, other); }
  bool operator==(const Values& other) const { return std::ranges::equal(*this, other); }
  // The array in that CUDA device's memory; null if it is elsewhere.
  const float* on_device(int device) const;

  // To be changed. A borrowed array becomes a copy of one's own first.
  LargeVector<float>& own() {
    if (is_borrowed()) *this = Values(LargeVector<float>(begin(), end()));
    return own_;
  }
  bool is_borrowed() const { return borrowed_ || on_device_; }

 private:
  struct OnDevice;
  // Any thread may call it. Throws Error (run) if the device fails, or CUDA is not built.
  const float* fetched() const;

  LargeVector<float> own_;
  const float* borrowed_ = nullptr;
  std::size_t borrowed_size_ = 0;  // also of an array on a device
  std::shared_ptr<const void> owner_;
  std::shared_ptr<OnDevice> on_device_;
};

}  // namespace kinescope::sim
