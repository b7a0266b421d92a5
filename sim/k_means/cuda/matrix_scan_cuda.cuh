// Computes the scores described in matrix_cuda.cuh, and the labels and bounds that follow from them. A block processes
// 128 points at a time, and multiplies them with one tile of 128 centroids after another.
#pragma once

#include <cuda_pipeline.h>

#include "sim/k_means/cuda/matrix_products_cuda.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

// The three largest scores so far among the centroids that a thread processes, with the centroids' numbers in the
// lowest bits.
struct Leaders {
  float score[3] = {-INFINITY, -INFINITY, -INFINITY};

  __device__ void enter(float each, int number, int mask) {
    int bits;  // each & ~mask | number, in one instruction
    asm("lop3.b32 %0, %1, %2, %3, 0xBA;" : "=r"(bits) : "r"(__float_as_int(each)), "r"(mask), "r"(number));
    const float numbered = __int_as_float(bits);
    const float second = fminf(score[0], numbered), third = fminf(score[1], second);
    score[0] = fmaxf(score[0], numbered);
    score[1] = fmaxf(score[1], second);
    score[2] = fmaxf(score[2], third);
  }
};

// Starts loading a tile's rows into shared memory, `depth` halves of each from `first_column` on, and does not wait.
// Columns past the last are left out.
template <int depth, class RowOf>
__device__ inline void fetch_rows(__half* to, int columns, int first_column, RowOf from) {
  constexpr int whole = depth / 8;
  const int pieces = min(depth, columns - first_column) / 8;
  const auto fetch = [&](int r, int piece) {
    __pipeline_memcpy_async(to + Products<depth>::offset(r, piece), from(r) + first_column + piece * 8, 16);
  };
  if (pieces == whole) {  // nearly always; otherwise the divisions would cost as much as the products
#pragma unroll
    for (int n = 0; n < tile * whole / matrix_threads; ++n)
      fetch((n * matrix_threads + threadIdx.x) / whole, threadIdx.x % whole);
  } else {
    for (int e = threadIdx.x; e < tile * pieces; e += matrix_threads) fetch(e / pieces, e % pieces);
  }
}

// The centroids of a tile are divided among eight lists of leaders: one for each of four lanes, times two adjacent
// warps (WarpProducts), or times even and odd groups of eight centroids (WarpgroupProducts).
inline constexpr int parts = 8;

template <int depth>
struct PartsOf {
  static constexpr int lists = Products<depth>::eights / 8;  // lists per thread
  static constexpr int each = tile / parts;                  // centroids of a tile per list

  __device__ static int part(int list) { return (Products<depth>::side() + list) * 4 + threadIdx.x % 4; }
  // The number, within a list, of one of the two centroids that the list has in a group of eight.
  __device__ static int number(int centroid_tile, int eighth, int odd) {
    return centroid_tile * each + eighth / lists * 2 + odd;
  }
  __device__ static std::uint32_t centroid(int number, int part) {
    const int eighth = lists == 1 ? number % each / 2 + part / 4 * 8 : number % each / 2 * 2 + part / 4;
    return number / each * tile + eighth * 8 + part % 4 * 2 + number % 2;
  }
};

// Finds the label, or else the centroids that may be it; and the bounds of the distances.
template <class Parts>
__device__ inline void decide(const MatrixView& m, Stage stage, std::uint32_t i, const Leaders* leaders,
                              const LargestNorms& largest) {
  bool doubtful = false, close = false;
  std::uint32_t left[most_rivals] = {};
  int count = 0;
  if (i != no_point) {
    float best = -INFINITY, rest = -INFINITY;
    for (int part = 0; part < parts; ++part) best = fmaxf(best, leaders[part * tile].score[0]);
    const float E = largest_error(m, i, largest), lead = possible_lead(m, i, best, E), square = m.point_squares[i];
    const int mask = (1 << m.number_bits) - 1;
    for (int part = 0; part < parts; ++part)
      for (int n = 0; n < 3; ++n) {
        const float score = leaders[part * tile].score[n];
        if (best - score > lead) {
          rest = fmaxf(rest, score);
          continue;
        }
        if (count < most_rivals) left[count] = Parts::centroid(__float_as_int(score) & mask, part);
        ++count;
        doubtful |= n == 2;  // the list may have had a fourth
      }
    doubtful |= count > most_rivals || !(lead < 1e30f);
    close = !doubtful && count > 1;
    if (!doubtful && !close) m.run.labels[i] = left[0];
    if (stage == Stage::lloyd)
      m.bounds[i] = doubtful
                        ? MatrixView::Bounds{0, 0}
                        : MatrixView::Bounds{distance_at_most(square, best, E), distance_at_least(square, rest, E)};
  }
  const unsigned doubtful_place = take_place(&m.counts->doubtful, doubtful),
                 close_place = take_place(&m.counts->close, close);
  if (doubtful) m.doubtful[doubtful_place] = i;
  if (close) {
    m.close[close_place] = i;
    std::uint32_t* rivals = m.rivals + std::int64_t(close_place) * most_rivals;
    for (int n = 0; n < most_rivals; ++n) rivals[n] = left[n < count ? n : 0];
  }
}

// A block's shared memory. The block processes `depth` columns at a time.
template <int depth>
struct MatrixTiles {
  static constexpr int halves = tile * (depth + 8);

  std::uint32_t point[tile];  // no_point past the last
  float half_squares[2][tile];
  alignas(1024) __half centroids[2][halves];
  alignas(1024) __half points[2][halves];  // the second is used only if columns come in several pieces

  // The leaders, in the memory of the centroids once all centroids have been processed.
  __device__ Leaders (&leaders())[parts][tile] { return *reinterpret_cast<Leaders(*)[parts][tile]>(centroids); }
};

// One step: a piece of the columns of one tile of centroids.
struct Step {
  int centroid_tile = 0, chunk = 0, buffer = 0;

  __device__ Step next(int chunks) const {
    return chunk + 1 < chunks ? Step{centroid_tile, chunk + 1, 1 - buffer} : Step{centroid_tile + 1, 0, 1 - buffer};
  }
};

template <int depth>
struct MatrixBlock {
  using P = Products<depth>;
  using Parts = PartsOf<depth>;

  const MatrixView& m;
  MatrixTiles<depth>& tiles;
  int chunks;

  __device__ __half* points_of(const Step& step) const { return tiles.points[chunks > 1 ? step.buffer : 0]; }

  __device__ void fetch(const Step& step) const {
    const int first_column = step.chunk * depth;
    if (chunks > 1 || step.centroid_tile == 0)
      fetch_rows<depth>(points_of(step), m.columns, first_column, [&](int r) {
        const std::uint32_t i = tiles.point[r];
        return m.points + std::int64_t(i == no_point ? 0 : i) * m.columns;
      });
    const __half* centroids = m.centroid_halves + std::int64_t(step.centroid_tile) * tile * m.columns;
    fetch_rows<depth>(tiles.centroids[step.buffer], m.columns, first_column,
                      [&](int r) { return centroids + unsigned(r * m.columns); });
    if (step.chunk == 0 && threadIdx.x < tile / 4)
      __pipeline_memcpy_async(tiles.half_squares[step.centroid_tile % 2] + threadIdx.x * 4,
                              m.half_squares + step.centroid_tile * tile + threadIdx.x * 4, 16);
    __pipeline_commit();
  }

  // Waits for what fetch() has started. After this and a barrier, matrix units may read it.
  __device__ static void wait() {
    __pipeline_wait_prior(0);
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  }

  // [band][half][list]
  using Best = Leaders[P::bands][2][Parts::lists];

  __device__ void enter(const Step& step, const typename P::Scores& products, Best& best) const {
    const int mask = (1 << m.number_bits) - 1;
    const float* halves = tiles.half_squares[step.centroid_tile % 2] + P::side() * 64 + threadIdx.x % 4 * 2;
#pragma unroll
    for (int j = 0; j < P::eights; ++j) {
      const float2 half = *reinterpret_cast<const float2*>(halves + j * 8);
#pragma unroll
      for (int e = 0; e < 4 * P::bands; ++e)
        best[e / 4][e % 4 / 2][j % Parts::lists].enter(products[e / 4][j][e % 4] - (e % 2 ? half.y : half.x),
                                                       Parts::number(step.centroid_tile, j, e % 2), mask);
    }
  }

  // Finds the leaders for this thread's points of the tile.
  __device__ void find(Best& best) const {
    const int centroid_tiles = m.centroids / tile;
    typename P::Scores products;
    fetch({});
    for (Step step; step.centroid_tile < centroid_tiles;) {
      const Step next = step.next(chunks);
      wait();
      __syncthreads();  // all threads have also finished the previous step
      if (next.centroid_tile < centroid_tiles) fetch(next);
      P::accumulate(points_of(step), tiles.centroids[step.buffer], min(depth, m.columns - step.chunk * depth), products,
                    step.chunk == 0);
      if (step.chunk == chunks - 1) enter(step, products, best);
      step = next;
    }
    __syncthreads();
  }
};

template <int depth>
__global__ void __launch_bounds__(matrix_threads, 2) label_by_matrix(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  extern __shared__ __align__(1024) unsigned char matrix_memory[];
  MatrixTiles<depth>& tiles = *reinterpret_cast<MatrixTiles<depth>*>(matrix_memory);
  const LargestNorms largest = largest_norms(m);
  const unsigned points = m.counts->listed;
  for (std::int64_t first = std::int64_t(blockIdx.x) * tile; first < points; first += std::int64_t(gridDim.x) * tile) {
    if (threadIdx.x < tile)
      tiles.point[threadIdx.x] = first + threadIdx.x < points ? m.listed[first + threadIdx.x] : no_point;
    __syncthreads();
    using P = Products<depth>;
    typename MatrixBlock<depth>::Best best;
    MatrixBlock<depth>{m, tiles, (m.columns + depth - 1) / depth}.find(best);
#pragma unroll
    for (int n = 0; n < 2 * P::bands; ++n)
#pragma unroll
      for (int list = 0; list < PartsOf<depth>::lists; ++list)
        tiles.leaders()[PartsOf<depth>::part(list)][P::point(n / 2, n % 2)] = best[n / 2][n % 2][list];
    __syncthreads();
    if (threadIdx.x < tile)
      decide<PartsOf<depth>>(m, stage, tiles.point[threadIdx.x], &tiles.leaders()[0][threadIdx.x], largest);
    __syncthreads();
  }
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
