// The sheet's kernel on CUDA: a block holds a square of nodes in its registers and does several steps between two
// passes over memory. A warp holds some rows of the square, a thread four neighbouring nodes of each of these rows.
// Values of neighbouring nodes come by shuffles within a row, from the thread's own registers between its rows, and
// through shared memory between warps.
#pragma once

#include "kinescope/executors/cuda.cuh"
#include "sim/fitzhugh_nagumo/sheet/sheet.hpp"
#include "sim/fitzhugh_nagumo/warp_tile.cuh"

namespace kinescope::sim::fitzhugh_nagumo {
namespace sheet_kernels {

inline constexpr int across = 4;                   // nodes of a thread in each of its rows
inline constexpr int width = warp_width * across;  // width of a block's square

// Halo on all sides, rows per thread, warps per block.
template <int Depth, int Rows, int Warps>
struct Shape {
  static constexpr int depth = Depth, rows = Rows, warps = Warps, height = Rows * Warps;
  static constexpr int own_width = width - 2 * Depth, own_height = height - 2 * Depth;
};

template <class S>
struct Edges {
  float4 row[2][S::warps][2][warp_width];  // by parity of the step, warp, first or last row
};

template <int R>
__device__ __forceinline__ void load_square(const SheetRun& run, const float* __restrict__ from, std::int64_t x,
                                            std::int64_t y, bool plain, float (&to)[R][across]) {
  if (plain) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const float4 values = *reinterpret_cast<const float4*>(from + (y + r) * run.nodes + x);
      to[r][0] = values.x, to[r][1] = values.y, to[r][2] = values.z, to[r][3] = values.w;
    }
    return;
  }
  std::int64_t columns[across];
#pragma unroll
  for (int c = 0; c < across; ++c) columns[c] = run.inside(x + c);
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const float* row = from + run.inside(y + r) * run.nodes;
#pragma unroll
    for (int c = 0; c < across; ++c) to[r][c] = row[columns[c]];
  }
}

// One step of the block's square. `held` has a bit for each of the thread's nodes.
template <bool any_held, class S>
__device__ __forceinline__ void step_square(const ExplicitStep<float>& step, Edges<S>& edges, int parity,
                                            const std::uint64_t held, float (&v)[S::rows][across],
                                            float (&w)[S::rows][across]) {
  constexpr int R = S::rows;
  const int warp = threadIdx.x / warp_width, lane = threadIdx.x % warp_width;
  edges.row[parity][warp][0][lane] = make_float4(v[0][0], v[0][1], v[0][2], v[0][3]);
  edges.row[parity][warp][1][lane] = make_float4(v[R - 1][0], v[R - 1][1], v[R - 1][2], v[R - 1][3]);
  __syncthreads();
  const float4 below = edges.row[parity][warp > 0 ? warp - 1 : 0][1][lane];
  const float4 above = edges.row[parity][warp + 1 < S::warps ? warp + 1 : warp][0][lane];
  float before[across] = {below.x, below.y, below.z, below.w};
  const float after[across] = {above.x, above.y, above.z, above.w};
#pragma unroll
  for (int r = 0; r < R; ++r) {
    float left = __shfl_up_sync(whole_warp, v[r][across - 1], 1);
    const float right = __shfl_down_sync(whole_warp, v[r][0], 1);
#pragma unroll
    for (int c = 0; c < across; ++c) {
      const float here = v[r][c];
      const float beside = left + (c + 1 < across ? v[r][c + 1 < across ? c + 1 : c] : right);
      const float others = before[c] + (r + 1 < R ? v[r + 1 < R ? r + 1 : r][c] : after[c]);
      v[r][c] = step.next_v(here, beside + others, w[r][c]);
      w[r][c] = step.next_w(here, w[r][c]);
      if (any_held && (held >> (r * across + c) & 1)) v[r][c] = 1;
      left = before[c] = here;
    }
  }
}

template <class S>
__device__ std::uint64_t held_nodes(const SheetRun& run, std::int64_t x, std::int64_t y) {
  static_assert(S::rows * across <= 64);
  std::uint64_t held = 0;
  if (run.held.radius < 0) return held;
  for (int r = 0; r < S::rows; ++r)
    for (int c = 0; c < across; ++c)
      held |= std::uint64_t(run.held.holds(run.inside(x + c), run.inside(y + r))) << (r * across + c);
  return held;
}

template <class S>
__global__ void __launch_bounds__(S::warps* warp_width) march_squares(SheetRun run) {
  constexpr int R = S::rows;
  __shared__ Edges<S> edges;
  __shared__ std::uint32_t block_largest;
  const int current = run.march->current, steps = static_cast<int>(run.march->steps);
  if (steps == 0) return;
  const int place_x = threadIdx.x % warp_width * across, place_y = threadIdx.x / warp_width * R;
  const std::int64_t x = std::int64_t(blockIdx.x) * S::own_width - S::depth + place_x;
  const std::int64_t y = std::int64_t(blockIdx.y) * S::own_height - S::depth + place_y;
  const bool plain = run.nodes % 4 == 0 && x >= 0 && x + across <= run.nodes && y >= 0 && y + R <= run.nodes;
  float v[R][across], w[R][across];
  load_square<R>(run, run.fields.v[current], x, y, plain, v);
  load_square<R>(run, run.fields.w[current], x, y, plain, w);
  if (threadIdx.x == 0) block_largest = 0;
  const std::uint64_t held = held_nodes<S>(run, x, y);
  if (__syncthreads_or(held != 0))
    for (int s = 0; s < steps; ++s) step_square<true, S>(run.step, edges, s & 1, held, v, w);
  else
    for (int s = 0; s < steps; ++s) step_square<false, S>(run.step, edges, s & 1, 0, v, w);

  const bool own_x = place_x >= S::depth && place_x < width - S::depth;
  std::uint32_t largest = 0;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    if (!own_x || place_y + r < S::depth || place_y + r >= S::height - S::depth || y + r >= run.nodes) continue;
    const std::int64_t at = (y + r) * run.nodes + x;
    float *to_v = run.fields.v[current ^ 1] + at, *to_w = run.fields.w[current ^ 1] + at;
    if (run.nodes % 4 == 0 && x + across <= run.nodes) {
      *reinterpret_cast<float4*>(to_v) = make_float4(v[r][0], v[r][1], v[r][2], v[r][3]);
      *reinterpret_cast<float4*>(to_w) = make_float4(w[r][0], w[r][1], w[r][2], w[r][3]);
    }
#pragma unroll
    for (int c = 0; c < across; ++c) {
      if (x + c >= run.nodes) continue;
      if (run.nodes % 4 != 0) to_v[c] = v[r][c], to_w[c] = w[r][c];
      const std::uint32_t bits = __float_as_uint(v[r][c]) & 0x7FFFFFFFu;
      largest = bits > largest ? bits : largest;
    }
  }
  if (!run.march->checks(run.run->iteration + steps)) return;
  largest = warp_max(largest);
  if (threadIdx.x % warp_width == 0) atomicMax(&block_largest, largest);
  __syncthreads();
  if (threadIdx.x == 0) raise_on_device(&run.march->largest[0], block_largest);
}

template <class S>
void march(Cuda& cuda, const SheetRun& run) {
  const auto count = [&](int own) { return static_cast<unsigned>((run.nodes - 1) / own + 1); };
  cuda.launch("sheet", {dim3(count(S::own_width), count(S::own_height)), S::warps * warp_width}, march_squares<S>, run);
}

// The fastest of ten shapes on an H200: smaller squares waste more in their halo, larger ones leave too few warps.
using Best = Shape<8, 8, 8>;

}  // namespace sheet_kernels

template <>
class SheetKernels<Cuda> {
 public:
  explicit SheetKernels(Cuda& cuda) : cuda_(cuda) {}

  static constexpr std::int64_t depth = sheet_kernels::Best::depth;

  void march(const SheetRun& run) { sheet_kernels::march<sheet_kernels::Best>(cuda_, run); }

 private:
  Cuda& cuda_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
