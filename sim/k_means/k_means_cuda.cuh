// k-means' launches that CUDA has of its own.
//
//   few      K ≤ 8 and d ≤ 4: a thread holds the centroids and its own sums in registers, four points at a time
//   fused    centroids and a block's sums in shared memory
//   matrix   anything larger: labels first (matrix_cuda.cuh), then the sums change by the points whose label did
//
// Blocks add whole numbers to the sums in global memory, once a block and sum.
#pragma once

#include <algorithm>
#include <cstring>

#include "sim/core/array.hpp"
#include "sim/core/cuda.cuh"
#include "sim/k_means/launches.hpp"
#include "sim/k_means/matrix_cuda.cuh"

namespace kinescope::sim::k_means {

template <class Executor>
class KMeansKernels;

namespace kernels {

inline constexpr int block_threads = 256;

__device__ inline void add_to(std::int64_t* sum, std::int64_t value) {
  if (value != 0) atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

__device__ inline std::int64_t warp_sum(std::int64_t value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFFu, value, offset);
  return value;
}

// Whole sums in shared memory: two words each, for which shared memory has fast atomics.
struct SharedSums {
  unsigned* low;
  int* high;

  __device__ SharedSums(void* memory, int size) : low(static_cast<unsigned*>(memory)) {
    high = reinterpret_cast<int*>(low + size);
    for (int e = threadIdx.x; e < size; e += blockDim.x) low[e] = 0, high[e] = 0;
  }
  __device__ void add(int e, std::int64_t value) const {
    const unsigned part = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(&low[e], part);
    const int rest = static_cast<int>(value >> 32) + (before + part < before);
    if (rest != 0) atomicAdd(&high[e], rest);
  }
  __device__ std::int64_t operator[](int e) const { return (static_cast<std::int64_t>(high[e]) << 32) + low[e]; }
};

// If label is k: adds a point. Predicated by hand: the compiler would branch, and neighbours seldom go the same way.
template <int d>
__device__ inline void add_where(int label, int k, int& count, std::int64_t (&sum)[d], const std::int64_t (&value)[d]) {
  if constexpr (d == 1)
    asm("{ .reg .pred p; setp.eq.s32 p, %2, %3; @p add.s32 %0, %0, 1; @p add.s64 %1, %1, %4; }"
        : "+r"(count), "+l"(sum[0])
        : "r"(label), "r"(k), "l"(value[0]));
  else
    asm("{ .reg .pred p; setp.eq.s32 p, %3, %4; @p add.s32 %0, %0, 1; @p add.s64 %1, %1, %5; @p add.s64 %2, %2, %6; }"
        : "+r"(count), "+l"(sum[0]), "+l"(sum[1])
        : "r"(label), "r"(k), "l"(value[0]), "l"(value[1]));
  if constexpr (d > 2)
    for (int j = 2; j < d; ++j)
      asm("{ .reg .pred p; setp.eq.s32 p, %1, %2; @p add.s64 %0, %0, %3; }"
          : "+l"(sum[j])
          : "r"(label), "r"(k), "l"(value[j]));
}

// The sums of clusters 0 … K − 2 of at most `most`, and the inertia. Even iterations go up through the points and odd
// ones down, so that what the last one left in the cache is used.
template <int d, int most>
__global__ void __launch_bounds__(block_threads, most* d > 16 ? 2 : 4) few(RunView run) {
  if (run.idle(Stage::lloyd)) return;
  const int K = run.clusters;
  float c[most][d];
  const float* centroids = run.current_centroids();
#pragma unroll
  for (int k = 0; k < most; ++k)
#pragma unroll
    for (int j = 0; j < d; ++j) c[k][j] = k < K ? centroids[k * d + j] : NAN;  // farther than anything
  float scale[d];
  for (int j = 0; j < d; ++j) scale[j] = run.scale[j];
  std::int64_t sums[most - 1][d] = {};
  int counts[most - 1] = {};
  double inertia = 0;

  const std::int64_t quads = run.points.panels() * (panel / 4), stride = std::int64_t(gridDim.x) * blockDim.x;
  const bool down = run.control->iterations & 1;
  for (std::int64_t q = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; q < quads; q += stride) {
    const std::int64_t quad = down ? quads - 1 - q : q, first = quad * 4;
    const float* at = run.points.x + first / panel * panel * d + first % panel;
    float x[d][4];
    for (int j = 0; j < d; ++j) *reinterpret_cast<float4*>(x[j]) = *reinterpret_cast<const float4*>(at + j * panel);
    const int present = static_cast<int>(min(std::int64_t(4), run.points.count - first));
    float total = 0;
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      float best = 0;
      int label = 0;
#pragma unroll
      for (int k = 0; k < most; ++k) {
        float square = 0;
#pragma unroll
        for (int j = 0; j < d; ++j) square = add_square(square, x[j][p], c[k][j]);
        const bool nearer = k > 0 && square < best;
        best = k == 0 ? square : nearer ? square : best;
        label = nearer ? k : label;
      }
      if (p >= present) label = most, best = 0;
      total += best;
      std::int64_t value[d];
#pragma unroll
      for (int j = 0; j < d; ++j) value[j] = to_fixed(x[j][p], scale[j]);
#pragma unroll
      for (int k = 0; k < most - 1; ++k) add_where<d>(label, k, counts[k], sums[k], value);
    }
    inertia += total;
  }

  constexpr int size = (most - 1) * (d + 1) + 1;
  __shared__ std::int64_t block[block_threads / 32][size];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto keep = [&](int e, std::int64_t value) {
    value = warp_sum(value);
    if (lane == 0) block[warp][e] = value;
  };
  for (int k = 0; k < most - 1; ++k) {
    for (int j = 0; j < d; ++j) keep(j * (most - 1) + k, sums[k][j]);
    keep(d * (most - 1) + k, counts[k]);
  }
  keep(size - 1, to_fixed(inertia, run.square_scale()));
  __syncthreads();
  if (threadIdx.x >= size) return;
  std::int64_t value = 0;
  for (int w = 0; w < block_threads / 32; ++w) value += block[w][threadIdx.x];
  const int column = threadIdx.x / (most - 1), k = threadIdx.x % (most - 1);
  std::int64_t* to = run.current_sums();
  if (threadIdx.x == size - 1)
    add_to(to + static_cast<std::int64_t>(d + 1) * K, value);
  else if (k < K - 1)
    add_to(to + column * K + k, value);
}

inline constexpr int chunk = 8;  // centroids at a time

inline int padded(int clusters) {
  return (clusters + chunk - 1) / chunk * chunk;
}

// Centroids by column in shared memory, NaN past the last.
__device__ inline void load_centroids(const float* centroids, int K, int padded, int d, float* shared) {
  for (int e = threadIdx.x; e < padded * d; e += blockDim.x) {
    const int k = e % padded, c = e / padded;
    shared[e] = k < K ? centroids[k * d + c] : NAN;
  }
}

__device__ inline Nearest nearest_in_shared(const float* x, const float* shared, int padded, int d) {
  Nearest best{0, INFINITY};
  for (int k = 0; k < padded; k += chunk) {
    float square[chunk] = {};
    for (int c = 0; c < d; ++c) {
      const float value = x[c * panel];
      const float4 a = *reinterpret_cast<const float4*>(shared + c * padded + k),
                   b = *reinterpret_cast<const float4*>(shared + c * padded + k + 4);
      const float centroid[chunk] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
      for (int j = 0; j < chunk; ++j) square[j] = add_square(square[j], value, centroid[j]);
    }
    for (int j = 0; j < chunk; ++j)
      if (square[j] < best.square) best = {static_cast<std::uint32_t>(k + j), square[j]};
  }
  return best;
}

// What the fused kernel adds: by points, one a thread; or, where there are many columns, by columns, so that a warp's
// lanes never meet in one sum.
__device__ inline void add_by_columns(const RunView& run, std::int64_t base, const std::uint32_t* label, int present,
                                      const SharedSums& sums) {
  const int K = run.clusters, d = run.dimensions(), lane = threadIdx.x % 32;
  for (int quad = threadIdx.x / 32; quad * 4 < present; quad += block_threads / 32) {
    const float* at = run.points.first_column(base + quad * 4);
    for (int c = lane; c < d; c += 32) {
      const float4 x = *reinterpret_cast<const float4*>(at + c * panel);
      const float value[4] = {x.x, x.y, x.z, x.w};
      for (int p = 0; p < 4 && quad * 4 + p < present; ++p)
        sums.add(c * K + static_cast<int>(label[quad * 4 + p]), to_fixed(value[p], run.scale[c]));
    }
  }
}

inline constexpr int many_columns = 32;

__global__ void __launch_bounds__(block_threads) inline fused(RunView run) {
  if (run.idle(Stage::lloyd)) return;
  extern __shared__ float4 shared_memory[];
  __shared__ std::uint32_t labels[block_threads];
  const int K = run.clusters, d = run.dimensions(), pad = (K + chunk - 1) / chunk * chunk;
  float* centroids = reinterpret_cast<float*>(shared_memory);
  load_centroids(run.current_centroids(), K, pad, d, centroids);
  const SharedSums sums(centroids + pad * d, (d + 1) * K);
  double inertia = 0;
  __syncthreads();
  for (std::int64_t base = std::int64_t(blockIdx.x) * block_threads; base < run.points.count;
       base += std::int64_t(gridDim.x) * block_threads) {
    const std::int64_t i = base + threadIdx.x;
    const int present = static_cast<int>(min(std::int64_t(block_threads), run.points.count - base));
    if (i < run.points.count) {
      const float* x = run.points.first_column(i);
      const Nearest best = nearest_in_shared(x, centroids, pad, d);
      inertia += best.square;
      labels[threadIdx.x] = best.label;
      sums.add(d * K + static_cast<int>(best.label), 1);
      if (d < many_columns)
        for (int c = 0; c < d; ++c)
          sums.add(c * K + static_cast<int>(best.label), to_fixed(x[c * panel], run.scale[c]));
    }
    if (d >= many_columns) {
      __syncthreads();
      add_by_columns(run, base, labels, present, sums);
      __syncthreads();
    }
  }
  __syncthreads();
  std::int64_t* to = run.current_sums();
  for (int e = threadIdx.x; e < (d + 1) * K; e += block_threads) add_to(to + e, sums[e]);
  const std::int64_t part = warp_sum(to_fixed(inertia, run.square_scale()));
  if (threadIdx.x % 32 == 0) add_to(to + static_cast<std::int64_t>(d + 1) * K, part);
}

// Adds what the points of one part, of gridDim.z, bring to a slice of the columns and a range of the clusters. The last
// slice is n_k.
struct Slices {
  int columns, clusters;  // of a block
};

// What is added: coordinates where the label has changed (and taken from where it was), or squared offsets.
struct Coordinates {
  const std::uint32_t* before;
  __device__ std::uint32_t old_label(std::int64_t i) const { return before[i]; }
  __device__ std::int64_t value(const RunView& run, float x, int c, std::uint32_t) const {
    return to_fixed(x, run.scale[c]);
  }
};
struct Offsets {
  double scale;
  __device__ std::uint32_t old_label(std::int64_t) const { return no_centroid; }
  __device__ std::int64_t value(const RunView& run, float x, int c, std::uint32_t k) const {
    const double offset = static_cast<double>(x) - run.current_centroids()[std::int64_t(k) * run.dimensions() + c];
    return to_fixed(offset * offset, scale);
  }
};

template <class What>
__device__ void add_slice(const RunView& run, What what, Slices slices, std::int64_t* to) {
  extern __shared__ float4 shared_memory[];
  const int K = run.clusters, d = run.dimensions();
  const int first_column = blockIdx.x * slices.columns, columns = min(slices.columns, d + 1 - first_column);
  const int first_cluster = blockIdx.y * slices.clusters, clusters = min(slices.clusters, K - first_cluster);
  const SharedSums sums(shared_memory, slices.columns * slices.clusters);
  __syncthreads();
  const std::int64_t panels = run.points.panels();
  const std::int64_t begin = panels * blockIdx.z / gridDim.z * panel,
                     end = min(run.points.count, panels * (blockIdx.z + 1) / gridDim.z * panel);
  const auto add = [&](std::int64_t i, std::uint32_t before, std::uint32_t now) {
    const float* x = run.points.first_column(i);
    const std::uint32_t from = before - first_cluster, into = now - first_cluster;
    for (int j = 0; j < columns; ++j) {
      const int c = first_column + j;
      const std::int64_t value = c == d ? 1 : what.value(run, x[c * panel], c, now);
      if (before != no_centroid && from < clusters) sums.add(j * clusters + static_cast<int>(from), -value);
      if (into < clusters) sums.add(j * clusters + static_cast<int>(into), value);
    }
  };
  // Four points' labels at a time: where few have changed, reading them is all there is to do.
  for (std::int64_t first = begin + threadIdx.x; first < end; first += 4 * blockDim.x) {
    std::uint32_t before[4], now[4];
    for (int n = 0; n < 4; ++n) {
      const std::int64_t i = min(first + n * blockDim.x, end - 1);
      before[n] = what.old_label(i), now[n] = run.labels[i];
    }
    for (int n = 0; n < 4; ++n)
      if (first + n * blockDim.x < end && before[n] != now[n]) add(first + n * blockDim.x, before[n], now[n]);
  }
  __syncthreads();
  for (int e = threadIdx.x; e < columns * clusters; e += blockDim.x)
    add_to(to + std::int64_t(first_column + e / clusters) * K + first_cluster + e % clusters, sums[e]);
}

__global__ void inline add_changes(RunView run, const std::uint32_t* before, Slices slices) {
  if (!run.idle(Stage::lloyd)) add_slice(run, Coordinates{before}, slices, run.current_sums());
}
__global__ void inline add_offsets(RunView run, Slices slices) {
  if (!run.idle(Stage::measure)) add_slice(run, Offsets{run.square_scale()}, slices, run.spreads);
}

}  // namespace kernels

// run.labels and run.squares of a point, for the centroids placed.
struct LabelPoint {
  RunView run;
  Stage stage;

  __device__ void operator()(std::int64_t i) const {
    if (run.idle(stage)) return;
    const int placed = run.control->placed;
    if (placed == 0) {
      run.labels[i] = no_centroid;
      return;
    }
    const Nearest best = nearest(run.points.first_column(i), run.current_centroids(), placed, run.dimensions());
    run.labels[i] = best.label;
    if (run.squares) run.squares[i] = best.square;
  }
};

struct ClearSpreads {
  RunView run;
  __device__ void operator()(std::int64_t e) const {
    if (!run.idle(Stage::measure)) run.spreads[e] = 0;
  }
};

struct CopyLabels {
  const std::uint32_t* from;
  std::uint32_t* to;
  __device__ void operator()(std::int64_t i) const { to[i] = from[i]; }
};

// A point in the race for the next centroid.
struct DrawPoint {
  RunView run;

  __device__ Race operator()(std::int64_t i) const {
    if (run.idle(Stage::start)) return {};
    const std::uint32_t draw = static_cast<std::uint32_t>(run.control->placed);
    const float square = updated_square(run, i);
    run.squares[i] = square;
    Race own;
    enter(own, i, race_uniform(Random(run.seed, start_stream).words(static_cast<std::uint64_t>(i / 2), draw), i),
          draw == 0 ? 1.0 : static_cast<double>(square));
    return own;
  }
};

template <>
class KMeansKernels<Cuda> {
 public:
  explicit KMeansKernels(Cuda& cuda);
  KMeansKernels(const KMeansKernels&) = delete;
  KMeansKernels& operator=(const KMeansKernels&) = delete;
  ~KMeansKernels();

  void prepare(const RunView&) {}

  void plan(RunView& run) {
    run.leaves_last = is_few(run);
    run.keeps_sums = !run.leaves_last && fused_bytes(run) > fused_limit;
    if (run.keeps_sums) matrix_.prepare(run);
  }

  void draw(const RunView& run) { cuda_.reduce("draw", run.points.count, Race{}, DrawPoint{run}, Place{run}); }

  void assign(const RunView& run) {
    if (run.leaves_last) return few(run);
    if (!run.keeps_sums) return fused(run);
    matrix_.remember_labels(run);
    matrix_.label(run, Stage::lloyd);
    const kernels::Slices slices = slices_of(run);
    kernels::add_changes<<<grid_of(run, slices), 1024, slice_bytes(slices), cuda_.stream()>>>(
        run, matrix_.earlier_labels(), slices);
    CUDA_CHECK(cudaGetLastError());
  }

  void label(const RunView& run, Stage stage) {
    if (run.keeps_sums) {
      matrix_.label(run, stage);
      return matrix_.squares(run, stage);
    }
    cuda_.for_each("label", run.points.count, LabelPoint{run, stage});
  }

  void publish_labels(RunView run, std::uint32_t* to) {
    if (run.keeps_sums) return cuda_.for_each("publish labels", run.points.count, CopyLabels{run.labels, to});
    run.labels = to;
    run.squares = nullptr;
    cuda_.for_each("publish labels", run.points.count, LabelPoint{run, Stage::lloyd});
  }

  void spread(const RunView& run) {
    cuda_.for_each("clear spreads", run.sum_size() - 1, ClearSpreads{run});
    const kernels::Slices slices = slices_of(run);
    kernels::add_offsets<<<grid_of(run, slices), 1024, slice_bytes(slices), cuda_.stream()>>>(run, slices);
    CUDA_CHECK(cudaGetLastError());
  }

  bool look(const RunView& run, bool converged, Look& found);

 private:
  static constexpr int fused_limit = 64 << 10;   // bytes of shared memory
  static constexpr int slice_limit = 128 << 10;  // likewise

  static bool is_few(const RunView& run) { return run.clusters <= 8 && run.dimensions() <= 4; }
  static std::int64_t fused_bytes(const RunView& run) {
    const std::int64_t d = run.dimensions(), K = run.clusters;
    return 4 * d * kernels::padded(run.clusters) + 8 * (d + 1) * K;
  }

  void few(const RunView& run) {
    switch (run.dimensions()) {
      case 1:
        return few_of<1>(run);
      case 2:
        return few_of<2>(run);
      case 3:
        return few_of<3>(run);
      default:
        return few_of<4>(run);
    }
  }
  template <int d>
  void few_of(const RunView& run) {
    const std::int64_t blocks =
        (run.points.panels() * (panel / 4) + kernels::block_threads - 1) / kernels::block_threads;
    const unsigned grid = static_cast<unsigned>(std::min<std::int64_t>(blocks, 4 * processors_));
    if (run.clusters <= 2)
      kernels::few<d, 2><<<grid, kernels::block_threads, 0, cuda_.stream()>>>(run);
    else if (run.clusters <= 4)
      kernels::few<d, 4><<<grid, kernels::block_threads, 0, cuda_.stream()>>>(run);
    else
      kernels::few<d, 8><<<grid, kernels::block_threads, 0, cuda_.stream()>>>(run);
    CUDA_CHECK(cudaGetLastError());
  }

  void fused(const RunView& run) {
    const std::int64_t blocks = (run.points.count + kernels::block_threads - 1) / kernels::block_threads;
    const int bytes = static_cast<int>(fused_bytes(run)), resident = std::clamp(160 * 1024 / bytes, 1, 6);
    const unsigned grid = static_cast<unsigned>(std::min<std::int64_t>(blocks, std::int64_t(resident) * processors_));
    kernels::fused<<<grid, kernels::block_threads, bytes, cuda_.stream()>>>(run);
    CUDA_CHECK(cudaGetLastError());
  }

  kernels::Slices slices_of(const RunView& run) const {
    const int clusters = std::min(run.clusters, slice_bytes_ / 8);
    return {std::clamp(slice_bytes_ / 8 / clusters, 1, run.dimensions() + 1), clusters};
  }
  static std::size_t slice_bytes(const kernels::Slices& slices) {
    return std::size_t(8) * static_cast<std::size_t>(slices.columns) * static_cast<std::size_t>(slices.clusters);
  }
  dim3 grid_of(const RunView& run, const kernels::Slices& slices) const {
    const unsigned x = static_cast<unsigned>((run.dimensions() + slices.columns) / slices.columns),
                   y = static_cast<unsigned>((run.clusters + slices.clusters - 1) / slices.clusters);
    const std::int64_t wanted = std::max<std::int64_t>(1, 2 * processors_ / (std::int64_t(x) * y));
    return {x, y, static_cast<unsigned>(std::min(wanted, run.points.panels()))};
  }

  Cuda& cuda_;
  int processors_;
  MatrixLabels matrix_;
  int slice_bytes_ = 48 << 10;
};

}  // namespace kinescope::sim::k_means
