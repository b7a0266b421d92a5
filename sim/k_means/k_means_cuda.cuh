// k-means' own launches on CUDA.
//
//   few      K ≤ 8 and d ≤ 4: each thread holds the centroids and its own sums in registers, and takes four points at a
//            time
//   fused    larger K or d, as long as the centroids and a block's sums fit in shared memory
//   matrix   anything larger: labels first (matrix_cuda.cuh); then the sums are corrected for the points whose label
//            changed
//
// Each block adds each of its sums, which are whole numbers, to the sums in global memory once.
#pragma once

#include <algorithm>
#include <cstring>

#include "kinescope/array.hpp"
#include "kinescope/executors/cuda.cuh"
#include "kinescope/executors/functors.hpp"
#include "sim/k_means/candidates.hpp"
#include "sim/k_means/cuda/few_cuda.cuh"
#include "sim/k_means/cuda/fused_cuda.cuh"
#include "sim/k_means/cuda/matrix_labels_cuda.cuh"
#include "sim/k_means/cuda/notes_cuda.cuh"
#include "sim/k_means/cuda/pass_cuda.cuh"
#include "sim/k_means/cuda/slices_cuda.cuh"
#include "sim/k_means/launches.hpp"
#include "sim/k_means/points_cuda.cuh"
#include "sim/k_means/start.hpp"
#include "sim/k_means/sweep/mixture_cuda.cuh"

namespace kinescope::sim::k_means {

template <Executor E>
class KMeansKernels;

// Computes run.labels and run.squares of one point from the centroids placed so far.
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

struct ClearIn {
  RunView run;
  Stage stage;
  std::int64_t* sums;
  __device__ void operator()(std::int64_t e) const {
    if (!run.idle(stage)) sums[e] = 0;
  }
};

// What each candidate leaves of a point's square.
struct PotentialsOfPoint {
  RunView run;

  __device__ Potentials operator()(std::int64_t i) const {
    const Control& control = *run.control;
    Potentials own;
    if (run.idle(run.drawing) || control.candidates <= 1) return own;
    const int d = run.dimensions();
    const float* x = run.points.first_column(i);
    float square[most_candidates] = {};
    for (int c = 0; c < d; ++c) {
      const float value = x[c * panel];
      for (int j = 0; j < most_candidates; ++j)
        if (j < run.candidates) square[j] = add_square(square[j], value, run.rows[j * d + c]);
    }
    const double magic = 0x1.8p52 * control.quantum;
    const float before = run.squares[i];
    for (int j = 0; j < most_candidates; ++j)
      if (j < run.candidates)
        own.sum[j] = to_quanta(static_cast<double>(square[j] < before ? square[j] : before), magic);
    return own;
  }
};

// A point's square after each draw of one centroid.
struct UpdatedSquare {
  __device__ float operator()(const RunView& part, std::int64_t i) const { return updated_square(part, i); }
};

// A point's square after a comparison with known rows, of which `labels` names the nearest.
struct ComparedSquare {
  KnownRows rows;
  const std::uint32_t* labels;

  __device__ float operator()(const RunView& part, std::int64_t i) const {
    const int d = part.dimensions();
    const std::uint32_t label = labels[i];
    const float square = squared_distance(part.points.first_column(i), rows.rows + std::int64_t(label) * d, d);
    if (rows.first > 0 && !(square < part.squares[i])) return part.squares[i];
    rows.nearest[i] = static_cast<std::uint32_t>(rows.first) + label;
    return square;
  }
};

namespace kernels {

// Updates the squares of a part's points, and their panels' sums: a panel for each block.
template <class Square>
__global__ void __launch_bounds__(panel) update_squares(RunView part, Square square_of) {
  if (part.idle(part.drawing) || part.control->placed == 0) return;
  __shared__ double sums[panel / 32];
  const double magic = 0x1.8p52 * part.quantum();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (std::int64_t p = blockIdx.x; p < part.points.panels(); p += gridDim.x) {
    const std::int64_t i = p * panel + threadIdx.x;
    double sum = 0;
    if (i < part.points.count) {
      part.squares[i] = square_of(part, i);
      sum = to_quanta(part.weighted_square(i), magic);
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) part.panel_sums[part.points.first / panel + p] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    __syncthreads();
  }
}

}  // namespace kernels

template <>
class KMeansKernels<Cuda> {
 public:
  explicit KMeansKernels(Cuda& cuda);
  KMeansKernels(const KMeansKernels&) = delete;
  KMeansKernels& operator=(const KMeansKernels&) = delete;
  ~KMeansKernels();

  // The bytes of memory that computing needs for each point of a part, in addition to the point itself.
  static std::int64_t bytes_a_point(int clusters, int dimensions) {
    RunView run;
    run.clusters = clusters;
    run.points.dimensions = dimensions;
    return is_few(run) || fused_bytes(run) <= fused_limit ? 0 : MatrixLabels::bytes_a_point(dimensions);
  }
  void plan(RunView& run) {
    run.leaves_last = is_few(run) && !run.drops;
    run.keeps_sums = !run.leaves_last && fused_bytes(run) > fused_limit;
    if (run.keeps_sums) matrix_.prepare(run);
  }

  void update_squares(const RunView& part) { update(part, UpdatedSquare{}); }
  // The matrix units find the nearest of these rows as of centroids: K is large enough for them (keeps_sums).
  void compare(const RunView& part, const KnownRows& rows) {
    RunView against = part;
    against.asked = true;
    against.centroids = rows.rows;
    against.clusters = rows.count;
    against.last_clusters = 0;  // both sets of centroids are these rows
    against.labels = matrix_.spare_labels(part);
    matrix_.label(against, Stage::gather);
    update(part, ComparedSquare{rows, against.labels});
  }
  // At most as many as there are clusters, for which `matrix_` has memory.
  static std::int64_t rows_at_once(std::int64_t numbers) {
    return std::clamp<std::int64_t>((std::int64_t{1} << 40) / numbers, kernels::tile, most_greedy_clusters);
  }
  void add_potentials(const RunView& part) {
    cuda_.reduce("add potentials", part.points.count, Potentials{}, PotentialsOfPoint{part}, KeepPotentials{part});
  }

  void assign(const RunView& run) {
    if (run.leaves_last) return few(run);
    if (!run.keeps_sums) return fused(run);
    matrix_.label(run, Stage::lloyd);
    const unsigned* changed = matrix_.add_few_changes(run);
    const kernels::Slices slices = slices_of(run);
    cuda_.launch("sums of changes", {grid_of(run, slices), 1024, slice_bytes(slices)}, kernels::add_changes, run,
                 matrix_.earlier_labels(run), slices, changed, MatrixLabels::few_changes(run));
  }

  void label(const RunView& run, Stage stage) {
    if (run.keeps_sums) {
      matrix_.label(run, stage);
      return matrix_.squares(run, stage);
    }
    cuda_.for_each("label", run.points.count, LabelPoint{run, stage});
  }

  static void label_for_repair(const RunView&) {}  // FindFarthest does

  // Computes labels for the screen into part.labels.
  void publish_labels(RunView part) {
    part.squares = nullptr;
    cuda_.for_each("publish labels", part.points.count, LabelPoint{part, Stage::lloyd});
  }

  void spread(const RunView& run) {
    const kernels::Slices slices = slices_of(run);
    cuda_.launch("spread", {grid_of(run, slices), 1024, slice_bytes(slices)}, kernels::add_offsets, run, slices);
  }

  void share(const RunView& run) {
    const std::int64_t size = share_count(run);
    cuda_.for_each("clear shares", size, ClearIn{run, Stage::weigh, run.shares});
    const std::int64_t blocks = (run.sample.count + kernels::block_threads - 1) / kernels::block_threads;
    const unsigned grid = static_cast<unsigned>(std::min<std::int64_t>(blocks, 4 * processors_));
    const std::size_t bytes = size <= kernels::most_shared_shares ? 8 * static_cast<std::size_t>(size) : 0;
    cuda_.launch("share", {grid, kernels::block_threads, bytes}, kernels::share, run);
  }

  // Waits for what is enqueued.
  PassOnHost pass_on_host(const RunView& run, float* place) { return passes_.on_host(run, place); }
  void add_sums(const RunView& run, const PartialSums& parts) { passes_.add_sums(run, parts); }

  void note(const RunView& run) { notes_.write(run); }
  void forget_note() { notes_.forget(); }
  bool look(const RunView& run, bool converged, Look& found);

 private:
  template <class Square>
  void update(const RunView& part, Square square) {
    const unsigned grid = static_cast<unsigned>(std::min<std::int64_t>(part.points.panels(), 16 * processors_));
    cuda_.launch("update squares", {grid, panel}, kernels::update_squares<Square>, part, square);
  }

  static constexpr int fused_limit = 64 << 10;   // bytes of shared memory
  static constexpr int slice_limit = 128 << 10;  // bytes of shared memory

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
    const auto kernel = run.clusters <= 2   ? kernels::few<d, 2>
                        : run.clusters <= 4 ? kernels::few<d, 4>
                                            : kernels::few<d, 8>;
    cuda_.launch("assign", {grid, kernels::block_threads}, kernel, run);
  }

  void fused(const RunView& run) {
    const std::int64_t blocks = (run.points.count + kernels::block_threads - 1) / kernels::block_threads;
    const std::int64_t bytes = fused_bytes(run), resident = std::clamp<std::int64_t>(160 * 1024 / bytes, 1, 6);
    const unsigned grid = static_cast<unsigned>(std::min<std::int64_t>(blocks, resident * processors_));
    cuda_.launch("assign", {grid, kernels::block_threads, static_cast<std::size_t>(bytes)}, kernels::fused, run);
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
  Notes notes_;
  Passes passes_;
  int slice_bytes_ = 48 << 10;
};

}  // namespace kinescope::sim::k_means
