// Counts the places that the shifted points occupy, as cells of a grid whose side is the merge radius. Each occupied
// cell sets a bit of a hash table, and the number of set bits gives an estimate of the number of cells (K.-Y. Whang and
// others, "A linear-time probabilistic counting algorithm", 1990), which is exact if they are few.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#ifndef __CUDACC__
#include <atomic>
#endif

#include "kinescope/executors/run_state.hpp"

namespace kinescope::sim::mean_shift {

inline constexpr std::int64_t place_words = 1 << 13;  // 2^18 bits
// The most points used; if there are more, evenly chosen ones, which cost next to nothing.
inline constexpr std::int64_t place_points = 1 << 16;

// Adds one more coordinate of a cell to its hash.
KINESCOPE_HD inline std::uint64_t mix_place(std::uint64_t hash, std::int64_t cell) {
  hash = (hash ^ static_cast<std::uint64_t>(cell)) * 0x9E3779B97F4A7C15ull;  // 2^64 over the golden ratio
  return hash ^ (hash >> 29);
}

struct MarkPlaces {
  const float* y;
  std::int64_t stride, step;  // every step-th point
  int columns;
  float inverse_side;
  std::uint32_t* words;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    std::uint64_t hash = 0;
    for (int c = 0; c < columns; ++c)
      hash = mix_place(hash, static_cast<std::int64_t>(std::floor(y[c * stride + i * step] * inverse_side)));
    const std::uint64_t bit = hash % (32 * static_cast<std::uint64_t>(place_words));
    const std::uint32_t mask = 1u << (bit % 32);
    std::uint32_t& word = words[bit / 32];
#ifdef __CUDACC__
#ifdef __CUDA_ARCH__
    if ((*static_cast<volatile std::uint32_t*>(&word) & mask) == 0) atomicOr(&word, mask);
#endif
#else
    const std::atomic_ref<std::uint32_t> shared(word);
    if ((shared.load(std::memory_order_relaxed) & mask) == 0) shared.fetch_or(mask, std::memory_order_relaxed);
#endif
  }
};

struct CountBits {
  const std::uint32_t* words;
  KINESCOPE_HD std::int64_t operator()(std::int64_t i) const {
#ifdef __CUDA_ARCH__
    return __popc(words[i]);
#else
    return std::popcount(words[i]);
#endif
  }
};

struct KeepPlaces {
  RunState* run;
  KINESCOPE_HD void operator()(std::int64_t count) const {
    const double all = 32.0 * double(place_words);
    const double free = 1 - double(count) / all;
    run->second_figure = static_cast<float>(std::round(free > 0 ? -all * std::log(free) : all));
  }
};

}  // namespace kinescope::sim::mean_shift
