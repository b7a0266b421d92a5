// Tiles of an axon in the registers of a warp: thread k holds `M` neighbouring nodes, and thread k + 1 the next ones.
// Tiles overlap by a halo on both sides, so that no thread waits for another warp.
#pragma once

#include <cstdint>

#include "kinescope/executors/warp.cuh"
#include "sim/fitzhugh_nagumo/formulas.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

inline constexpr unsigned whole_warp = 0xFFFFFFFFu;
inline constexpr int warp_width = 32;

template <class T>
struct Sixteen;  // 16 bytes in one load
template <>
struct Sixteen<float> {
  using Type = float4;
  static constexpr int count = 4;
};
template <>
struct Sixteen<double> {
  using Type = double2;
  static constexpr int count = 2;
};

// Loads M values from place `base` on, of an axon that is reflected beyond its ends. base is a multiple of 4.
template <class T, int M>
__device__ __forceinline__ void load_tile(const T* __restrict__ from, std::int64_t base, std::int64_t nodes,
                                          T (&to)[M]) {
  using Vector = typename Sixteen<T>::Type;
  constexpr int width = Sixteen<T>::count;
  if (base >= 0 && base + M <= nodes) {
#pragma unroll
    for (int i = 0; i < M; i += width) {
      const Vector values = *reinterpret_cast<const Vector*>(from + base + i);
#pragma unroll
      for (int k = 0; k < width; ++k) to[i + k] = reinterpret_cast<const T*>(&values)[k];
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < M; ++i) to[i] = from[reflected(base + i, nodes)];
}

// Loads M values from place `base` on, with `outside` beyond the ends.
template <class T, int M>
__device__ __forceinline__ void load_rows(const T* __restrict__ from, std::int64_t base, std::int64_t rows, T outside,
                                          T (&to)[M]) {
  if (base >= 0 && base + M <= rows) return load_tile(from, base, rows, to);
#pragma unroll
  for (int i = 0; i < M; ++i) to[i] = base + i >= 0 && base + i < rows ? from[base + i] : outside;
}

// Writes the values whose place within the tile is in [halo, tile − halo).
template <class T, int M>
__device__ __forceinline__ void store_tile(T* __restrict__ to, std::int64_t base, std::int64_t nodes, int place,
                                           int halo, const T (&from)[M]) {
  using Vector = typename Sixteen<T>::Type;
  constexpr int width = Sixteen<T>::count, tile = warp_width * M;
#pragma unroll
  for (int i = 0; i < M; i += width) {  // halo is a multiple of 4: a vector is wholly inside or wholly outside
    if (place + i < halo || place + i >= tile - halo) continue;
    if (base + i + width <= nodes) {
      Vector values;
#pragma unroll
      for (int k = 0; k < width; ++k) reinterpret_cast<T*>(&values)[k] = from[i + k];
      *reinterpret_cast<Vector*>(to + base + i) = values;
    } else {
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (base + i + k < nodes) to[base + i + k] = from[i + k];
    }
  }
}

// The bits of the largest |value| in the tile without its halo; those of a NaN are above all.
template <class T, int M>
__device__ __forceinline__ std::uint32_t largest_of_tile(std::int64_t base, std::int64_t nodes, int place, int halo,
                                                         const T (&values)[M]) {
  std::uint32_t largest = 0;
#pragma unroll
  for (int i = 0; i < M; ++i) {
    const bool own = place + i >= halo && place + i < warp_width * M - halo && base + i < nodes;
    const std::uint32_t bits = __float_as_uint(static_cast<float>(values[i])) & 0x7FFFFFFFu;
    largest = own && bits > largest ? bits : largest;
  }
  return warp_max(largest);
}

// Reads before it writes: one address can serve only few atomics at a time. It can serve only few reads, too, so
// step_tiles and the sheet call this once per block.
__device__ __forceinline__ void raise_on_device(std::uint32_t* to, std::uint32_t bits) {
  if (bits > *reinterpret_cast<volatile std::uint32_t*>(to)) atomicMax(to, bits);
}

// Returns true in all threads of the block's warp that arrives last. That warp passes on what the others have left in
// shared memory, so that no warp waits. `arrived` is in shared memory too, and is 0 at first.
__device__ __forceinline__ bool last_warp(unsigned* arrived) {
  unsigned before = 0;
  __syncwarp();
  if (threadIdx.x % warp_width == 0) {
    __threadfence_block();
    before = atomicAdd(arrived, 1u);
    __threadfence_block();
  }
  return __shfl_sync(whole_warp, before, 0) == blockDim.x / warp_width - 1;
}

// One explicit step of a tile. `held` has a bit for each of the thread's nodes that is held at 1.
template <bool any_held, class T, int M>
__device__ __forceinline__ void step_tile(const ExplicitStep<T>& step, unsigned held, T (&v)[M], T (&w)[M]) {
  T left = __shfl_up_sync(whole_warp, v[M - 1], 1);
  const T right = __shfl_down_sync(whole_warp, v[0], 1);
#pragma unroll
  for (int i = 0; i < M; ++i) {
    const T here = v[i], sum = left + (i + 1 < M ? v[i + 1 < M ? i + 1 : i] : right);
    v[i] = step.next_v(here, sum, w[i]);
    w[i] = step.next_w(here, w[i]);
    if (any_held && (held >> i & 1)) v[i] = T(1);
    left = here;
  }
}

__device__ __forceinline__ float reciprocal(float x) {
  float inverse;  // precise to the last place or two, which is enough for pivots
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
}
__device__ __forceinline__ double reciprocal(double x) {
  return 1.0 / x;
}

// The M neighbouring rows of a tridiagonal system that a thread holds, expressed by two unknowns: X of its own last
// row, and L of the last row of the thread to its left.
template <class T, int M>
struct ThreadRows {
  T c[M], l[M];                     // x_i = right_i − l_i L − c_i x_{i+1} of all rows but the last
  T f0, l0, c0;                     // x_0 = f0 − l0 L − c0 X
  T lower, diagonal, upper, right;  // of the last row: lower L + diagonal X + upper x_0 of the next thread = right

  template <class Lower, class Diagonal, class Upper>
  __device__ __forceinline__ void eliminate(Lower lower_of, Diagonal diagonal_of, Upper upper_of, T (&rights)[M]) {
    T inverse = reciprocal(diagonal_of(0));
    c[0] = upper_of(0) * inverse;
    l[0] = lower_of(0) * inverse;
    rights[0] *= inverse;
#pragma unroll
    for (int i = 1; i < M - 1; ++i) {
      inverse = reciprocal(fused(-lower_of(i), c[i - 1], diagonal_of(i)));
      const T share = lower_of(i) * inverse;
      c[i] = upper_of(i) * inverse;
      l[i] = -share * l[i - 1];
      rights[i] = fused(-share, rights[i - 1], rights[i] * inverse);
    }
    f0 = rights[M - 2], l0 = l[M - 2], c0 = c[M - 2];
#pragma unroll
    for (int i = M - 3; i >= 0; --i) {
      f0 = fused(-c[i], f0, rights[i]);
      l0 = fused(-c[i], l0, l[i]);
      c0 = -c[i] * c0;
    }
    const T below = lower_of(M - 1);
    lower = -below * l[M - 2];
    diagonal = fused(-below, c[M - 2], diagonal_of(M - 1));
    upper = upper_of(M - 1);
    right = fused(-below, rights[M - 2], rights[M - 1]);
  }
  // Solves for the threads' last rows, which are a tridiagonal system of 32 rows, by parallel cyclic reduction. It
  // needs `couplings` doublings of distance (at most 5): beyond them rows no longer affect each other. On return x is
  // the thread's last row. With `open` two rows stay unknown, the one before the first thread's and the last thread's
  // last one: then the last row of each thread but the last is x − before · the former − after · the latter.
  template <bool open>
  __device__ __forceinline__ void couple(int couplings, T& before, T& after, T& x) const {
    const int lane = threadIdx.x % warp_width, solved = open ? warp_width - 1 : warp_width;
    T f_next = __shfl_down_sync(whole_warp, f0, 1), l_next = __shfl_down_sync(whole_warp, l0, 1),
      c_next = __shfl_down_sync(whole_warp, c0, 1);
    if (!open && lane == warp_width - 1) f_next = l_next = c_next = 0;
    T inverse = reciprocal(fused(-upper, l_next, diagonal));
    before = !open && lane == 0 ? T(0) : lower * inverse;
    after = -upper * c_next * inverse;
    x = fused(-upper, f_next, right) * inverse;
    for (int k = 0, distance = 1; k < couplings; ++k, distance *= 2) {
      const T before_l = __shfl_up_sync(whole_warp, before, distance),
              after_l = __shfl_up_sync(whole_warp, after, distance), x_l = __shfl_up_sync(whole_warp, x, distance);
      const T before_r = __shfl_down_sync(whole_warp, before, distance),
              after_r = __shfl_down_sync(whole_warp, after, distance), x_r = __shfl_down_sync(whole_warp, x, distance);
      const bool has_left = lane >= distance, has_right = lane + distance < solved;
      const T left_share = has_left ? before : T(0), right_share = has_right ? after : T(0);
      inverse = reciprocal(fused(-left_share, after_l, fused(-right_share, before_r, T(1))));
      x = fused(-left_share, x_l, fused(-right_share, x_r, x)) * inverse;
      before = (open && !has_left ? before : -left_share * before_l) * inverse;
      after = (open && !has_right ? after : -right_share * after_r) * inverse;
    }
  }
  // Computes the solution of all rows from that of L and X.
  __device__ __forceinline__ void expand(T left, T own, T (&rights)[M]) const {
    rights[M - 1] = own;
#pragma unroll
    for (int i = M - 2; i >= 0; --i) rights[i] = fused(-c[i], rights[i + 1], fused(-l[i], left, rights[i]));
  }
};

// Solves a tridiagonal system of 32 M rows, M per thread. On return `right` holds the solution. Outside the tile the
// solution counts as 0.
template <class T, int M, class Lower, class Diagonal, class Upper>
__device__ __forceinline__ void solve_tile(Lower lower, Diagonal diagonal, Upper upper, T (&right)[M], int couplings) {
  ThreadRows<T, M> rows;
  rows.eliminate(lower, diagonal, upper, right);
  T before, after, x;
  rows.template couple<false>(couplings, before, after, x);
  T last = __shfl_up_sync(whole_warp, x, 1);
  if (threadIdx.x % warp_width == 0) last = 0;
  rows.expand(last, x, right);
}

}  // namespace kinescope::sim::fitzhugh_nagumo
