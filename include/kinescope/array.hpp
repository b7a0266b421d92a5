// A move-only array in an executor's memory.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kinescope/executors/executor.hpp"

namespace kinescope::sim {

template <class T, Executor E>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  // Elements start undefined. Throws Error (run) when memory is short.
  Array(E& executor, std::size_t size)
      : executor_(&executor), data_(static_cast<T*>(executor.allocate(size * sizeof(T)))), size_(size) {}
  Array(E& executor, std::span<const T> values) : Array(executor, values.size()) { upload(values); }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    Array(std::move(other)).swap(*this);
    return *this;
  }
  ~Array() {
    if (data_) executor_->release(data_, size_ * sizeof(T));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  // upload and download wait for the work enqueued before them, and for the copy.
  void upload(std::span<const T> values) { executor_->copy_in(data_, values.data(), values.size_bytes()); }
  std::vector<T> download() const { return download(0, size_); }
  std::vector<T> download(std::size_t first, std::size_t count) const {
    std::vector<T> values(count);
    executor_->copy_out(values.data(), data_ + first, count * sizeof(T));
    return values;
  }

  void swap(Array& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  E* executor_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace kinescope::sim
