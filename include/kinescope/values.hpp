// The numbers of points, as rows or not: a dataset's own, or an array of somebody else, which is read where it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "kinescope/large_memory.hpp"

namespace kinescope::sim {

// float32 in the host's memory. Reads like std::span<const float>.
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
    values.borrowed_ = array;
    values.owner_ = std::move(owner);
    return values;
  }

  const float* data() const { return borrowed_.data() ? borrowed_.data() : own_.data(); }
  std::size_t size() const { return borrowed_.data() ? borrowed_.size() : own_.size(); }
  bool empty() const { return size() == 0; }
  const float* begin() const { return data(); }
  const float* end() const { return data() + size(); }
  const float& operator[](std::size_t i) const { return data()[i]; }
  bool operator==(std::span<const float> other) const { return std::ranges::equal(*this, other); }
  bool operator==(const Values& other) const { return std::ranges::equal(*this, other); }

  // To be changed. A borrowed array becomes a copy of one's own first.
  LargeVector<float>& own() {
    if (borrowed_.data()) {
      own_.assign(borrowed_.begin(), borrowed_.end());
      borrowed_ = {};
      owner_ = nullptr;
    }
    return own_;
  }
  bool is_borrowed() const { return borrowed_.data() != nullptr; }

 private:
  LargeVector<float> own_;
  std::span<const float> borrowed_;
  std::shared_ptr<const void> owner_;
};

}  // namespace kinescope::sim
