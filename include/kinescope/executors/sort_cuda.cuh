// CUB's radix sort on the executor's stream.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"

namespace kinescope::sim {

// Sorts keys, all below `limit`, and values along with them; equal keys keep their order. Keeps its memory for the next
// time. O(n).
template <class Key, class Value>
class PairSort {
 public:
  explicit PairSort(Cuda& cuda) : cuda_(cuda) {}

  void operator()(Array<Key, Cuda>& keys, Array<Value, Cuda>& values, std::uint64_t limit) {
    if (sorted_keys_.size() != keys.size()) {
      sorted_keys_ = Array<Key, Cuda>(cuda_, keys.size());
      sorted_values_ = Array<Value, Cuda>(cuda_, keys.size());
    }
    const int bits = std::max(1, static_cast<int>(std::bit_width(limit)));
    std::size_t bytes = 0;
    const auto sort_in = [&](void* memory) {
      CUDA_CHECK(cub::DeviceRadixSort::SortPairs(memory, bytes, keys.data(), sorted_keys_.data(), values.data(),
                                                 sorted_values_.data(), static_cast<std::int64_t>(keys.size()), 0, bits,
                                                 cuda_.stream()));
    };
    sort_in(nullptr);
    if (memory_.size() < bytes) memory_ = Array<unsigned char, Cuda>(cuda_, bytes);
    cuda_.library("sort", [&] { sort_in(memory_.data()); });
    keys.swap(sorted_keys_);
    values.swap(sorted_values_);
  }

 private:
  Cuda& cuda_;
  Array<Key, Cuda> sorted_keys_;
  Array<Value, Cuda> sorted_values_;
  Array<unsigned char, Cuda> memory_;
};

}  // namespace kinescope::sim
