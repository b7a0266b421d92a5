// The scores of matrix_cuda.cuh, and which centroids they leave: a block takes 128 points at a time and multiplies them
// with 128 centroids after another. The accumulators begin so that a score that is out ends below zero: nothing but
// signs are looked at, and what is not negative enters its point's short list of candidates in shared memory.
#pragma once

#include "sim/k_means/matrix_cuda.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

inline constexpr int most_candidates = 6;                   // of a point; one with more is compared with all centroids
inline constexpr int warps_down = matrix_threads / 32 / 2;  // two warps side by side, these many below each other
inline constexpr int bands = tile / 16 / warps_down;        // of 16 points, of a warp
inline constexpr std::uint32_t no_point = 0xFFFFFFFFu;

// Whole numbers in the order of floats, for atomicMax, and back.
__device__ inline int ordered(float value) {
  const int bits = __float_as_int(value);
  return bits ^ (bits >> 31 & 0x7FFFFFFF);
}
__device__ inline float unordered(int value) {
  return __int_as_float(value ^ (value >> 31 & 0x7FFFFFFF));
}

struct Candidate {
  float score;
  std::uint32_t place;  // of a centroid
};

// A block's shared memory; `depth` columns at a time.
template <int depth>
struct MatrixTiles {
  static constexpr int row = depth + 8;  // halves: rows of a tile lie in different banks

  std::uint32_t point[tile];  // no_point past the last
  std::uint32_t own[tile];    // place of the centroid that was the nearest; any where none was
  int best[tile];             // ordered: the largest score known
  float lead[tile];           // how far below it candidates may be
  unsigned found[tile];       // candidates, also those for which there was no room
  Candidate candidates[most_candidates][tile];
  __half centroids[2][tile * row];
  __half points[2][tile * row];  // the second where the columns come in more than one piece
};

// The halves of tile's rows from `first_column` on, without waiting; columns past the last are left out.
template <int depth, class RowOf>
__device__ inline void fetch_tile(__half* to, int columns, int first_column, RowOf from) {
  const int pieces = min(depth, columns - first_column) / 8;
  const auto fetch = [&](int r, int piece) {
    __pipeline_memcpy_async(to + r * MatrixTiles<depth>::row + piece * 8, from(r) + first_column + piece * 8, 16);
  };
  if (pieces == depth / 8) {  // nearly always; a division of each number would cost as much as the products
#pragma unroll
    for (int n = 0; n < tile * (depth / 8) / matrix_threads; ++n) {
      const int e = n * matrix_threads + threadIdx.x;
      fetch(e / (depth / 8), e % (depth / 8));
    }
  } else {
    for (int e = threadIdx.x; e < tile * pieces; e += matrix_threads) fetch(e / pieces, e % pieces);
  }
}

// Scores of a warp's points and of 64 centroids: those of a thread.
using Scores = float[bands][8][4];

// A block's work on a tile of points. Its steps are pieces of columns, `chunks` of which make a round: in the first one
// each point meets its own centroid, in the others all points meet a tile of centroids. Where points have no label, the
// first round is left out, and the best of the first tile stands in for it.
template <int depth>
struct MatrixBlock {
  static constexpr int row = MatrixTiles<depth>::row;

  const MatrixView& m;
  const Largest& largest;
  MatrixTiles<depth>& tiles;
  int chunks;

  // The place in the tile that a thread's accumulators belong to.
  __device__ static int row_of(int band, int half) {
    return threadIdx.x / 64 * (bands * 16) + band * 16 + half * 8 + threadIdx.x % 32 / 4;
  }
  __device__ static int column_of(int j) { return threadIdx.x / 32 % 2 * 64 + j * 8 + threadIdx.x % 4 * 2; }

  // Which points these are. Returns whether all of them have labels, to every thread.
  __device__ bool begin(const std::uint32_t* listed, std::int64_t count, int direction, bool labelled) const {
    bool unknown = false;
    if (threadIdx.x < tile) {
      const std::uint32_t i = threadIdx.x < count ? listed[direction * std::int64_t(threadIdx.x)] : no_point;
      const std::uint32_t label = i != no_point && labelled ? m.run.labels[i] : no_centroid;
      unknown = i != no_point && label == no_centroid;
      tiles.point[threadIdx.x] = i;
      tiles.own[threadIdx.x] = label == no_centroid ? 0 : m.places[label];
      tiles.best[threadIdx.x] = ordered(i == no_point ? INFINITY : -INFINITY);
      tiles.lead[threadIdx.x] = 0;
      tiles.found[threadIdx.x] = 0;
    }
    return !__syncthreads_or(unknown);
  }

  __device__ void fetch(int step, bool first) const {
    const int round = step / chunks, first_column = step % chunks * depth;
    if (chunks > 1 || first)
      fetch_tile<depth>(tiles.points[chunks > 1 ? step % 2 : 0], m.columns, first_column, [&](int r) {
        const std::uint32_t i = tiles.point[r];
        return m.points + std::int64_t(i == no_point ? 0 : i) * m.columns;
      });
    fetch_tile<depth>(tiles.centroids[step % 2], m.columns, first_column, [&](int r) {
      return m.centroid_halves + std::int64_t(round == 0 ? tiles.own[r] : (round - 1) * tile + r) * m.columns;
    });
    __pipeline_commit();
  }

  __device__ const __half* points_at(int step) const { return tiles.points[chunks > 1 ? step % 2 : 0]; }
  __device__ int columns_of(int step) const { return min(depth, m.columns - step % chunks * depth); }

  // A warp takes 16 points and their own centroids at a time: of 16 × 16 products the diagonal counts.
  __device__ void meet_own(int step, float (&scores)[bands / 2][2][4]) const {
    const int lane = threadIdx.x % 32, columns = columns_of(step);
#pragma unroll
    for (int n = 0; n < bands / 2; ++n) {
      const int first = (threadIdx.x / 32 + n * (matrix_threads / 32)) * 16;
      const __half* a_from = points_at(step) + (first + lane % 16) * row + lane / 16 * 8;
      const __half* b_from = tiles.centroids[step % 2] + (first + lane % 8 + lane / 16 * 8) * row + lane / 8 % 2 * 8;
      for (int c = 0; c < columns; c += 16) {
        unsigned a[4], b[4];
        load_matrix(a, a_from + c);
        load_matrix(b, b_from + c);
        multiply(scores[n][0], a, b[0], b[1]);
        multiply(scores[n][1], a, b[2], b[3]);
      }
    }
  }
  // Candidates are those who come near the own one's score; that one itself if it will not be met again.
  __device__ void enter_own(const float (&scores)[bands / 2][2][4], int met) const {
    const int lane = threadIdx.x % 32, at = lane / 4;
    if (lane % 4 != at / 2) return;
#pragma unroll
    for (int n = 0; n < bands / 2; ++n)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int r = (threadIdx.x / 32 + n * (matrix_threads / 32)) * 16 + half * 8 + at;
        if (tiles.point[r] == no_point) continue;
        const float product = at % 2 ? scores[n][half][2 * half + 1] : scores[n][half][2 * half];
        const float score = product - m.half_squares[tiles.own[r]];
        tiles.best[r] = ordered(score);
        tiles.lead[r] = possible_lead(m, tiles.point[r], score, largest);
        if (tiles.own[r] < met) continue;
        tiles.found[r] = 1;
        tiles.candidates[0][r] = {score, tiles.own[r]};
      }
  }

  // What scores must reach, and accumulators that end at what they are above that.
  __device__ void start(int round, float (&threshold)[bands][2], Scores& scores) const {
#pragma unroll
    for (int i = 0; i < bands; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int best = tiles.best[row_of(i, half)];
        threshold[i][half] = best == ordered(-INFINITY) ? 0 : unordered(best) - tiles.lead[row_of(i, half)];
      }
    const float* halves = m.half_squares + (round - 1) * tile + column_of(0);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const float2 half = *reinterpret_cast<const float2*>(halves + j * 8);
#pragma unroll
      for (int i = 0; i < bands; ++i) {
        scores[i][j][0] = -threshold[i][0] - half.x;
        scores[i][j][1] = -threshold[i][0] - half.y;
        scores[i][j][2] = -threshold[i][1] - half.x;
        scores[i][j][3] = -threshold[i][1] - half.y;
      }
    }
  }

  __device__ void accumulate(int step, Scores& scores) const {
    const int lane = threadIdx.x % 32, columns = columns_of(step);
    const __half* a_from = points_at(step) + (threadIdx.x / 64 * (bands * 16) + lane % 16) * row + lane / 16 * 8;
    const __half* b_from =
        tiles.centroids[step % 2] + (threadIdx.x / 32 % 2 * 64 + lane % 8 + lane / 16 * 8) * row + lane / 8 % 2 * 8;
    const auto sixteen = [&](int c) {
      unsigned a[bands][4], b[4][4];
#pragma unroll
      for (int i = 0; i < bands; ++i) load_matrix(a[i], a_from + i * 16 * row + c);
#pragma unroll
      for (int j = 0; j < 4; ++j) load_matrix(b[j], b_from + j * 16 * row + c);
#pragma unroll
      for (int i = 0; i < bands; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) multiply(scores[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    };
    if (columns == depth) {
#pragma unroll
      for (int c = 0; c < depth; c += 16) sixteen(c);
    } else {
      for (int c = 0; c < columns; c += 16) sixteen(c);
    }
  }

  // Without labels: the best of the first tile.
  __device__ void find_threshold(float (&threshold)[bands][2], Scores& scores) const {
#pragma unroll
    for (int i = 0; i < bands; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float best = -INFINITY;
#pragma unroll
        for (int j = 0; j < 8; ++j) best = fmaxf(best, fmaxf(scores[i][j][2 * half], scores[i][j][2 * half + 1]));
        best = fmaxf(best, __shfl_xor_sync(0xFFFFFFFFu, best, 1));
        best = fmaxf(best, __shfl_xor_sync(0xFFFFFFFFu, best, 2));
        if (threadIdx.x % 4 == 0) atomicMax(&tiles.best[row_of(i, half)], ordered(best));
      }
    __syncthreads();
    const std::uint32_t point = threadIdx.x < tile ? tiles.point[threadIdx.x] : no_point;
    if (point != no_point)
      tiles.lead[threadIdx.x] = possible_lead(m, point, unordered(tiles.best[threadIdx.x]), largest);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < bands; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        threshold[i][half] = unordered(tiles.best[row_of(i, half)]) - tiles.lead[row_of(i, half)];
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          scores[i][j][2 * half] -= threshold[i][half];
          scores[i][j][2 * half + 1] -= threshold[i][half];
        }
      }
    __syncthreads();
  }

  __device__ void enter(int r, float score, std::uint32_t place) const {
    const unsigned n = atomicAdd(&tiles.found[r], 1u);
    if (n < most_candidates) tiles.candidates[n][r] = {score, place};
    atomicMax(&tiles.best[r], ordered(score));
  }
  __device__ void enter_all(int round, const float (&threshold)[bands][2], const Scores& scores) const {
    int signs = -1;
#pragma unroll
    for (const auto& band : scores)
#pragma unroll
      for (const auto& four : band)
#pragma unroll
        for (const float score : four) signs &= __float_as_int(score);
    if (signs < 0) return;
#pragma unroll
    for (int i = 0; i < bands; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        signs = -1;
#pragma unroll
        for (int j = 0; j < 8; ++j)
          signs &= __float_as_int(scores[i][j][2 * half]) & __float_as_int(scores[i][j][2 * half + 1]);
        if (signs < 0) continue;
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
          for (int odd = 0; odd < 2; ++odd)
            if (const float score = scores[i][j][2 * half + odd]; score >= 0)
              enter(row_of(i, half), score + threshold[i][half], (round - 1) * tile + column_of(j) + odd);
      }
  }

  // Of one point: the label, or which centroids may be it.
  __device__ void decide() const {
    const std::uint32_t i = tiles.point[threadIdx.x];
    bool doubtful = false, close = false;
    std::uint32_t left[4] = {};
    if (i != no_point) {
      const float best = unordered(tiles.best[threadIdx.x]), lead = possible_lead(m, i, best, largest);
      const unsigned found = tiles.found[threadIdx.x];
      int count = 0;
      for (unsigned n = 0; n < min(found, most_candidates); ++n) {
        const Candidate candidate = tiles.candidates[n][threadIdx.x];
        if (best - candidate.score > lead) continue;
        if (count < 4) left[count] = m.clusters[candidate.place];
        ++count;
      }
      doubtful = found > most_candidates || count == 0 || count > 4 || !(lead < 1e30f);
      close = !doubtful && count > 1;
      if (!doubtful && !close) m.run.labels[i] = left[0];
      for (int n = count; n < 4; ++n) left[n] = left[0];
    }
    const unsigned doubtful_place = take_place(&m.counts->doubtful, doubtful),
                   close_place = take_place(&m.counts->close, close);
    if (doubtful) m.doubtful[doubtful_place] = i;
    if (close) {
      m.close[close_place] = i;
      m.rivals[close_place] = {left[0], left[1], left[2], left[3]};
    }
  }

  // All of it, for the points that begin() has named, and `rounds` tiles of centroids.
  __device__ void label(bool labelled, int rounds) const {
    const int first = labelled ? 0 : chunks, end = (rounds + 1) * chunks;
    float own[bands / 2][2][4] = {}, threshold[bands][2];
    Scores scores;
    fetch(first, true);
    for (int step = first; step < end; ++step) {
      const int round = step / chunks;
      if (step + 1 < end) fetch(step + 1, false);
      if (round > 0 && step % chunks == 0) start(round, threshold, scores);
      __pipeline_wait_prior(step + 1 < end ? 1 : 0);
      __syncthreads();
      if (round == 0)
        meet_own(step, own);
      else
        accumulate(step, scores);
      if (step % chunks == chunks - 1) {
        if (round == 0)
          enter_own(own, rounds * tile);
        else {
          if (!labelled && round == 1) find_threshold(threshold, scores);
          enter_all(round, threshold, scores);
        }
      }
      __syncthreads();
    }
    if (threadIdx.x < tile) decide();
    __syncthreads();
  }
};

template <int depth>
__global__ void __launch_bounds__(matrix_threads, 2) label_by_matrix(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  extern __shared__ float4 shared_memory[];
  const Largest largest = largest_norms(m);
  const MatrixBlock<depth> block{m, largest, *reinterpret_cast<MatrixTiles<depth>*>(shared_memory),
                                 (m.columns + depth - 1) / depth};
  const std::int64_t for_all = m.counts->for_all, for_moved = m.counts->for_moved;
  const std::int64_t all_tiles = (for_all + tile - 1) / tile, moved_tiles = (for_moved + tile - 1) / tile;
  for (std::int64_t t = blockIdx.x; t < all_tiles + moved_tiles; t += gridDim.x) {
    const bool all = t < all_tiles;
    const std::int64_t first = (all ? t : t - all_tiles) * tile;
    const std::uint32_t* listed = all ? m.listed + first : m.listed + m.run.points.count - 1 - first;
    const bool labelled = block.begin(listed, (all ? for_all : for_moved) - first, all ? 1 : -1, stage == Stage::lloyd);
    block.label(labelled, all ? m.centroids / tile : (m.counts->moved + tile - 1) / tile);
  }
}

}  // namespace kernels
}  // namespace kinescope::sim::k_means
