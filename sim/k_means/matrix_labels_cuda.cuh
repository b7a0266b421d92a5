// Labels by matrix units (matrix_cuda.cuh), and the formula wherever they leave a doubt.
#pragma once

#include "sim/k_means/matrix_cuda.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

// The formula for points with few centroids left.
__global__ void inline label_close(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  const unsigned count = m.counts[1];
  const int d = m.run.dimensions();
  const float* centroids = m.run.current_centroids();
  for (unsigned n = blockIdx.x * blockDim.x + threadIdx.x; n < count; n += gridDim.x * blockDim.x) {
    const std::uint32_t i = m.close[n];
    const uint4 rivals = m.rivals[n];
    const std::uint32_t k[4] = {rivals.x, rivals.y, rivals.z, rivals.w};
    const float* x = m.run.points.first_column(i);
    float square[4] = {};
#pragma unroll 8
    for (int c = 0; c < d; ++c)
      for (int r = 0; r < 4; ++r)
        square[r] = add_square(square[r], x[c * panel], centroids[std::int64_t(k[r]) * d + c]);
    unsigned long long best = 0x7F800000ull << 32;
    for (int r = 0; r < 4; ++r)
      best = min(best, static_cast<unsigned long long>(__float_as_uint(square[r])) << 32 | k[r]);
    m.run.labels[i] = static_cast<std::uint32_t>(best);
  }
}

inline constexpr int doubts = 2;  // points of a block at a time

// The formula for the doubtful points: a thread takes every 256th centroid.
__global__ void __launch_bounds__(matrix_threads) inline label_doubtful(MatrixView m, Stage stage) {
  if (m.run.idle(stage)) return;
  __shared__ unsigned long long best[doubts];
  const unsigned count = m.counts[0];
  const int d = m.run.dimensions(), K = m.run.clusters;
  for (unsigned base = blockIdx.x * doubts; base < count; base += gridDim.x * doubts) {
    if (threadIdx.x < doubts) best[threadIdx.x] = ~0ull;
    __syncthreads();
    const float* x[doubts];
    for (int p = 0; p < doubts; ++p) x[p] = m.run.points.first_column(m.doubtful[min(base + p, count - 1)]);
    unsigned long long own[doubts];
    for (unsigned long long& each : own) each = 0x7F800000ull << 32;
    for (int k = threadIdx.x; k < K; k += matrix_threads) {
      float square[doubts] = {};
#pragma unroll 8
      for (int c = 0; c < d; ++c) {
        const float centroid = m.by_column[std::int64_t(c) * m.centroids + k];
        for (int p = 0; p < doubts; ++p) square[p] = add_square(square[p], x[p][c * panel], centroid);
      }
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

struct RememberLabel {
  RunView run;
  std::uint32_t* to;
  __device__ void operator()(std::int64_t i) const {
    if (!run.idle(Stage::lloyd)) to[i] = run.labels[i];
  }
};

class MatrixLabels {
 public:
  MatrixLabels(Cuda& cuda, int processors) : cuda_(cuda), processors_(processors) {
    CUDA_CHECK(cudaFuncSetAttribute(kernels::label_by_matrix, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(sizeof(kernels::MatrixTiles))));
  }

  // The points' halves, once; room for as many centroids as the run will have.
  void prepare(const RunView& run) {
    const std::size_t N = static_cast<std::size_t>(run.points.count);
    const int columns = (run.dimensions() + 15) / 16 * 16;
    const int most = (run.last_clusters + kernels::tile - 1) / kernels::tile * kernels::tile;
    if (earlier_.size() == 0) {
      earlier_ = Array<std::uint32_t, Cuda>(cuda_, N);
      doubtful_ = Array<std::uint32_t, Cuda>(cuda_, N);
      close_ = Array<std::uint32_t, Cuda>(cuda_, N);
      rivals_ = Array<uint4, Cuda>(cuda_, N);
      counts_ = Array<unsigned, Cuda>(cuda_, 2);
      norms_ = Array<float2, Cuda>(cuda_, N);
      const std::size_t rows = (N + kernels::tile - 1) / kernels::tile * kernels::tile;
      points_ = Array<__half, Cuda>(cuda_, rows * static_cast<std::size_t>(columns));
      kernels::halve_points<<<static_cast<unsigned>(rows / kernels::tile), kernels::tile, 0, cuda_.stream()>>>(
          view(run));
      CUDA_CHECK(cudaGetLastError());
    }
    if (centroid_norms_.size() < static_cast<std::size_t>(most)) {
      centroids_ = Array<__half, Cuda>(cuda_, static_cast<std::size_t>(most) * static_cast<std::size_t>(columns));
      by_column_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(most) * static_cast<std::size_t>(columns));
      centroid_norms_ = Array<float2, Cuda>(cuda_, static_cast<std::size_t>(most));
      half_squares_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(most));
    }
  }

  // Before run.labels are made anew.
  void remember_labels(const RunView& run) {
    cuda_.for_each("earlier labels", run.points.count, RememberLabel{run, earlier_.data()});
  }
  const std::uint32_t* earlier_labels() const { return earlier_.data(); }

  void label(const RunView& run, Stage stage) {
    const MatrixView m = view(run);
    kernels::halve_centroids<<<m.centroids / 8, 256, 0, cuda_.stream()>>>(m, stage);
    const std::size_t spare = m.columns > kernels::depth ? 0 : sizeof(kernels::MatrixTiles::points) / 2;
    kernels::label_by_matrix<<<2 * processors_, kernels::matrix_threads, sizeof(kernels::MatrixTiles) - spare,
                               cuda_.stream()>>>(m, stage);
    kernels::label_close<<<8 * processors_, 256, 0, cuda_.stream()>>>(m, stage);
    kernels::label_doubtful<<<4 * processors_, kernels::matrix_threads, 0, cuda_.stream()>>>(m, stage);
    CUDA_CHECK(cudaGetLastError());
  }
  void squares(const RunView& run, Stage stage) {
    cuda_.for_each("squares", run.points.count, SquareOfLabel{run, stage});
  }

 private:
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
    m.doubtful = doubtful_.data();
    m.half_squares = half_squares_.data();
    m.close = close_.data();
    m.rivals = rivals_.data();
    m.counts = counts_.data();
    m.number_bits = 4;
    while ((1 << m.number_bits) < m.centroids / kernels::parts) ++m.number_bits;
    return m;
  }

  Cuda& cuda_;
  int processors_;
  Array<std::uint32_t, Cuda> earlier_, doubtful_, close_;
  Array<uint4, Cuda> rivals_;
  Array<unsigned, Cuda> counts_;
  Array<float2, Cuda> norms_;
  Array<__half, Cuda> points_, centroids_;
  Array<float, Cuda> by_column_, half_squares_;
  Array<float2, Cuda> centroid_norms_;
};

}  // namespace kinescope::sim::k_means
