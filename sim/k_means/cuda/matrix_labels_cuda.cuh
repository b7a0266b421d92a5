// Labels by matrix units (matrix_cuda.cuh), and by the formula wherever these leave a doubt.
#pragma once

#include "sim/k_means/cuda/matrix_scan_cuda.cuh"
#include "sim/k_means/cuda/sums_cuda.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

// D² of a point with the row x, in the formula's order.
__device__ inline float square_of_row(const float* x, const float* centroid, int d) {
  float square = 0;
  for (int c = 0; c < d; ++c) square = add_square(square, x[c], centroid[c]);
  return square;
}

// The formula for points with few possible centroids, one warp per point. The warp first sums each D² in another order,
// which is as exact, and uses the formula's own order only if that could make a difference. The bounds of the distances
// then come from the first sums and, for the excluded centroids, from the bound that is already there.
__global__ void __launch_bounds__(matrix_threads) label_close(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  const unsigned count = m.counts->close, lane = threadIdx.x % 32, warps = gridDim.x * (matrix_threads / 32);
  const int d = m.run.dimensions();
  const float error = (d + 8) * 0x1p-24f;  // relative error of a sum
  for (unsigned n = (blockIdx.x * matrix_threads + threadIdx.x) / 32; n < count; n += warps) {
    const std::uint32_t i = m.close[n], own = m.rivals[std::int64_t(n) * most_rivals + lane % most_rivals];
    const float* x = m.rows + std::int64_t(i) * d;
    float best = INFINITY, second = INFINITY;
    std::uint32_t label = 0;
    for (int rival = 0; rival < most_rivals; ++rival) {
      const std::uint32_t k = __shfl_sync(0xFFFFFFFFu, own, rival);
      if (rival > 0 && k == __shfl_sync(0xFFFFFFFFu, own, 0)) break;  // unused places repeat the first rival
      const float* centroid = m.run.current_centroids() + std::int64_t(k) * d;
      float square = 0;
      for (int c = lane; c < d; c += 32) square = add_square(square, x[c], centroid[c]);
      square = warp_sum(square);
      second = fminf(second, fmaxf(best, square));
      if (square < best) best = square, label = k;
    }
    const bool clear = second * (1 - 2.5f * error) > best * (1 + 2.5f * error);
    if (!clear) {
      const float square = square_of_row(x, m.run.current_centroids() + std::int64_t(own) * d, d);
      unsigned long long least = static_cast<unsigned long long>(__float_as_uint(square)) << 32 | own;
      for (int offset = 16; offset > 0; offset /= 2) least = min(least, __shfl_xor_sync(0xFFFFFFFFu, least, offset));
      label = static_cast<std::uint32_t>(least);
    }
    if (lane > 0) continue;
    m.run.labels[i] = label;
    if (stage != Stage::lloyd) continue;
    const float others = fminf(m.bounds[i].others, sqrtf(second) * m.g * (1 - error));
    m.bounds[i] = clear ? MatrixView::Bounds{sqrtf(best) * m.g * (1 + error), others} : MatrixView::Bounds{0, 0};
  }
}

inline constexpr int doubtful_threads = 1024;
inline constexpr int doubts = 8;            // points that a block processes at a time
inline constexpr int doubt_columns = 1024;  // number of columns in shared memory

// The formula for the doubtful points: each thread compares with every 1024th centroid.
__global__ void __launch_bounds__(doubtful_threads) label_doubtful(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  __shared__ unsigned long long best[doubts];
  __shared__ alignas(16) float kept[doubt_columns][doubts];
  const unsigned count = m.counts->doubtful;
  const int d = m.run.dimensions(), K = m.run.clusters, near = min(d, doubt_columns);
  for (unsigned base = blockIdx.x * doubts; base < count; base += gridDim.x * doubts) {
    if (threadIdx.x < doubts) best[threadIdx.x] = ~0ull;
    const auto point = [&](int p) { return m.run.points.first_column(m.doubtful[min(base + p, count - 1)]); };
    for (int e = threadIdx.x; e < near * doubts; e += doubtful_threads)
      kept[e / doubts][e % doubts] = point(e % doubts)[e / doubts * panel];
    __syncthreads();
    unsigned long long own[doubts];
    for (unsigned long long& each : own) each = 0x7F800000ull << 32;
    for (int k = threadIdx.x; k < K; k += doubtful_threads) {
      float square[doubts] = {};
      const float* centroid = m.by_column + k;
#pragma unroll 8
      for (int c = 0; c < near; ++c) {
        const float value = centroid[std::int64_t(c) * m.centroids];
        for (int p = 0; p < doubts; ++p) square[p] = add_square(square[p], kept[c][p], value);
      }
      for (int c = near; c < d; ++c)
        for (int p = 0; p < doubts; ++p)
          square[p] = add_square(square[p], point(p)[c * panel], centroid[std::int64_t(c) * m.centroids]);
      for (int p = 0; p < doubts; ++p)
        own[p] = min(own[p], static_cast<unsigned long long>(__float_as_uint(square[p])) << 32 | unsigned(k));
    }
    for (int p = 0; p < doubts; ++p) {
      for (int offset = 16; offset > 0; offset /= 2) own[p] = min(own[p], __shfl_xor_sync(0xFFFFFFFFu, own[p], offset));
      if (threadIdx.x % 32 == 0) atomicMin(&best[p], own[p]);
    }
    __syncthreads();
    if (threadIdx.x < doubts && base + threadIdx.x < count)
      m.run.labels[m.doubtful[base + threadIdx.x]] = static_cast<std::uint32_t>(best[threadIdx.x]);
    __syncthreads();
  }
}

// Lists the points whose label has changed, in any order, in the memory of the doubtful ones. Invalidates their bounds,
// because a repair may return a point to the cluster that it has just left: its label would then look unchanged.
__global__ void __launch_bounds__(matrix_threads) list_changes(MatrixView m) {
  if (m.run.idle(Stage::lloyd)) return;
  for (std::int64_t base = std::int64_t(blockIdx.x) * blockDim.x; base < m.run.points.count;
       base += std::int64_t(gridDim.x) * blockDim.x) {
    const std::int64_t i = base + threadIdx.x;
    const bool changed = i < m.run.points.count && m.earlier[i] != m.run.labels[i];
    const unsigned place = take_place(&m.counts->changed, changed);
    if (!changed) continue;
    m.doubtful[place] = static_cast<std::uint32_t>(i);
    m.bounds[i] = {0, 0};
  }
}

// Adds the contributions of the changed points directly to global memory, one warp per point; for few points.
__global__ void __launch_bounds__(matrix_threads) add_listed(MatrixView m, unsigned most) {
  if (m.run.idle(Stage::lloyd)) return;
  const unsigned count = m.counts->changed, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (count > most) return;
  const int d = m.run.dimensions(), K = m.run.clusters;
  std::int64_t* sums = m.run.current_sums();
  for (unsigned n = warp; n < count; n += gridDim.x * (matrix_threads / 32)) {
    const std::uint32_t i = m.doubtful[n], from = m.earlier[i], into = m.run.labels[i];
    const float* x = m.rows + std::int64_t(i) * d;
    for (int c = threadIdx.x % 32; c <= d; c += 32) {
      const std::int64_t value = c == d ? 1 : to_fixed(x[c], m.run.scale[c]);
      if (from != no_centroid) add_to(sums + std::int64_t(c) * K + from, -value);
      add_to(sums + std::int64_t(c) * K + into, value);
    }
  }
}

}  // namespace kernels

struct SquareOfLabel {
  RunView run;
  Stage stage;
  __device__ void operator()(std::int64_t i) const {
    if (run.idle(stage)) return;
    run.squares[i] =
        squared_distance(run.points.first_column(i),
                         run.current_centroids() + std::int64_t(run.labels[i]) * run.dimensions(), run.dimensions());
  }
};

class MatrixLabels {
 public:
  MatrixLabels(Cuda& cuda, int processors, int shared_memory)
      : cuda_(cuda),
        processors_(processors),
        wide_(shared_memory >= static_cast<int>(sizeof(kernels::MatrixTiles<wide>))) {
    if (wide_)
      allow<wide>();
    else
      allow<narrow>();
  }

  // Allocates memory for a part of the points and for as many centroids as the run will have. If all points are on the
  // device, also computes them in half precision, once.
  void prepare(const RunView& run) {
    const std::size_t N = static_cast<std::size_t>(run.part_points);
    const std::size_t all = static_cast<std::size_t>(run.points.total);
    const int columns = (run.dimensions() + 15) / 16 * 16;
    const int most = (run.last_clusters + kernels::tile - 1) / kernels::tile * kernels::tile;
    if (earlier_.size() == 0) {
      earlier_ = Array<std::uint32_t, Cuda>(cuda_, all);
      doubtful_ = Array<std::uint32_t, Cuda>(cuda_, N);
      close_ = Array<std::uint32_t, Cuda>(cuda_, N);
      rivals_ = Array<std::uint32_t, Cuda>(cuda_, N * kernels::most_rivals);
      listed_ = Array<std::uint32_t, Cuda>(cuda_, N);
      bounds_ = Array<MatrixView::Bounds, Cuda>(cuda_, all);
      squares_ = Array<float, Cuda>(cuda_, N);
      by_row_ = Array<float, Cuda>(cuda_, N * static_cast<std::size_t>(run.dimensions()));
      counts_ = Array<MatrixView::Counts, Cuda>(cuda_, 1);
      norms_ = Array<float2, Cuda>(cuda_, N);
      const std::size_t rows = (N + kernels::tile - 1) / kernels::tile * kernels::tile;
      points_ = Array<__half, Cuda>(cuda_, rows * static_cast<std::size_t>(columns));
      if (!run.paged) halve(run);
    }
    if (centroid_norms_.size() < static_cast<std::size_t>(most)) {
      centroids_ = Array<__half, Cuda>(cuda_, static_cast<std::size_t>(most) * static_cast<std::size_t>(columns));
      by_column_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(most) * static_cast<std::size_t>(columns));
      centroid_norms_ = Array<float2, Cuda>(cuda_, static_cast<std::size_t>(most));
      half_squares_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(most));
      movements_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(most));
    }
  }

  const std::uint32_t* earlier_labels(const RunView& part) const { return earlier_.data() + part.points.first; }

  // Memory for labels of a part's points that the stage `lloyd` does not need before its first iteration.
  std::uint32_t* spare_labels(const RunView& part) { return earlier_.data() + part.points.first; }

  // Computes run.labels. In Lloyd's iteration it keeps the previous labels, from which the changes of the sums follow.
  void label(const RunView& run, Stage stage) {
    if (run.paged) halve(run);
    const MatrixView m = view(run);
    CUDA_CHECK(cudaMemsetAsync(m.counts, 0, sizeof *m.counts, cuda_.stream()));
    cuda_.launch("halve centroids", {static_cast<unsigned>(m.centroids / 8), 256}, kernels::halve_centroids, m, stage);
    const std::int64_t lists = (run.points.count + kernels::list_threads - 1) / kernels::list_threads;
    cuda_.launch("list points", {static_cast<unsigned>(lists), kernels::list_threads}, kernels::list_points, m, stage);
    if (wide_)
      label_by_matrix<wide>(m, stage);
    else
      label_by_matrix<narrow>(m, stage);
    cuda_.launch("close points", {blocks(8), kernels::matrix_threads}, kernels::label_close, m, stage);
    cuda_.launch("doubtful points", {blocks(2), kernels::doubtful_threads}, kernels::label_doubtful, m, stage);
  }
  // Adds the changes that label() made to the sums if at most few_changes() points changed; otherwise the caller must
  // add them. Returns the address of the number of changed points.
  const unsigned* add_few_changes(const RunView& run) {
    const MatrixView m = view(run);
    cuda_.launch("list changes", {blocks(8), kernels::matrix_threads}, kernels::list_changes, m);
    cuda_.launch("sums of changes", {blocks(8), kernels::matrix_threads}, kernels::add_listed, m, few_changes(run));
    return &m.counts->changed;
  }
  // The bytes of memory that prepare() allocates for each point of a part.
  static std::int64_t bytes_a_point(int dimensions) {
    const std::int64_t columns = (dimensions + 15) / 16 * 16;
    return 2 * columns + 4 * dimensions + 4 * (3 + kernels::most_rivals) + 4 + 8;
  }
  static unsigned few_changes(const RunView& run) { return static_cast<unsigned>(run.points.count / 16); }

  void squares(const RunView& run, Stage stage) {
    cuda_.for_each("squares", run.points.count, SquareOfLabel{run, stage});
  }

 private:
  // Columns processed at a time; the choice depends on a block's shared memory.
  static constexpr int wide = 128, narrow = 32;

  unsigned blocks(int a_processor) const { return static_cast<unsigned>(a_processor * processors_); }
  void halve(const RunView& part) {
    const std::int64_t tiles = (part.points.count + kernels::tile - 1) / kernels::tile;
    cuda_.launch("halve points", {static_cast<unsigned>(tiles), kernels::tile}, kernels::halve_points, view(part));
  }
  template <int depth>
  void allow() {
    CUDA_CHECK(cudaFuncSetAttribute(kernels::label_by_matrix<depth>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(sizeof(kernels::MatrixTiles<depth>))));
  }
  template <int depth>
  void label_by_matrix(const MatrixView& m, Stage stage) {
    using Tiles = kernels::MatrixTiles<depth>;
    const std::size_t spare = m.columns > depth ? 0 : sizeof(Tiles::points) / 2;
    cuda_.launch("assign", {blocks(2), kernels::matrix_threads, sizeof(Tiles) - spare}, kernels::label_by_matrix<depth>,
                 m, stage);
  }

  MatrixView view(const RunView& run) {
    MatrixView m;
    m.run = run;
    m.columns = (run.dimensions() + 15) / 16 * 16;
    m.centroids = (run.clusters + kernels::tile - 1) / kernels::tile * kernels::tile;
    m.g = run.reach > 0 ? std::ldexp(1.0f, std::clamp(7 - std::ilogb(run.reach), -100, 100)) : 1.0f;
    m.points = points_.data();
    m.point_norms = norms_.data();
    m.centroid_halves = centroids_.data();
    m.by_column = by_column_.data();
    m.centroid_norms = centroid_norms_.data();
    m.half_squares = half_squares_.data();
    m.movements = movements_.data();
    m.point_squares = squares_.data();
    m.bounds = bounds_.data() + run.points.first;
    m.rows = by_row_.data();
    m.earlier = earlier_.data() + run.points.first;
    m.listed = listed_.data();
    m.doubtful = doubtful_.data();
    m.close = close_.data();
    m.rivals = rivals_.data();
    m.counts = counts_.data();
    m.number_bits = 4;
    while ((1 << m.number_bits) < m.centroids / kernels::parts) ++m.number_bits;
    return m;
  }

  Cuda& cuda_;
  int processors_;
  bool wide_;
  Array<std::uint32_t, Cuda> earlier_, listed_, doubtful_, close_, rivals_;
  Array<MatrixView::Counts, Cuda> counts_;
  Array<MatrixView::Bounds, Cuda> bounds_;
  Array<float2, Cuda> norms_;
  Array<__half, Cuda> points_, centroids_;
  Array<float, Cuda> by_column_, half_squares_, movements_, squares_, by_row_;
  Array<float2, Cuda> centroid_norms_;
};

}  // namespace kinescope::sim::k_means
