// The first principal axes of rows on CUDA: like PrincipalAxes, but made orthonormal by Cholesky factorization.
#pragma once

#include <algorithm>
#include <utility>

#include "kinescope/random.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/glimmer/coordinates/coordinate_kernels.cuh"

namespace kinescope::sim::glimmer {
namespace cuda_kernels {

// gram [n × n] = Zᵀ Z for Z [rows × n], one warp per entry.
__global__ void __launch_bounds__(threads) multiply_by_itself(const float* z, std::int64_t rows, int n, double* gram) {
  const int entry = static_cast<int>(blockIdx.x) * (threads / 32) + static_cast<int>(threadIdx.x) / 32;
  const int a = entry / n, b = entry % n;
  if (a >= n || b < a) return;
  double sum = 0;
#pragma unroll 4
  for (std::int64_t h = threadIdx.x % 32; h < rows; h += 32) sum += double(z[h * n + a]) * z[h * n + b];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) gram[a * n + b] = gram[b * n + a] = sum;
}

// Cholesky factorization: the upper triangle of gram becomes R with Rᵀ R = gram, except that R's diagonal is replaced
// by its inverse. A column that depends on those before it, within float's precision, gets 0 there. Uses one thread
// block. Works in shared memory if `in_shared`.
__global__ void __launch_bounds__(threads) factor(double* gram, int n, bool in_shared) {
  extern __shared__ double shared[];
  __shared__ double whole[most_coordinates + spare_axes];  // the diagonal before the factorization
  double* g = in_shared ? shared : gram;
  for (int k = threadIdx.x; k < n; k += threads) whole[k] = gram[k * n + k];
  if (in_shared)
    for (int k = threadIdx.x; k < n * n; k += threads) shared[k] = gram[k];
  __syncthreads();
  for (int j = 0; j < n; ++j) {
    const double pivot = g[j * n + j], inverse = pivot > 1e-12 * whole[j] ? 1 / sqrt(pivot) : 0;
    __syncthreads();
    for (int b = j + 1 + static_cast<int>(threadIdx.x); b < n; b += threads) g[j * n + b] *= inverse;
    if (threadIdx.x == 0) g[j * n + j] = inverse;
    __syncthreads();
    const int rest = n - j - 1;
    for (int k = threadIdx.x; k < rest * rest; k += threads) {
      const int a = j + 1 + k / rest, b = j + 1 + k % rest;
      if (b >= a) g[a * n + b] -= g[j * n + a] * g[j * n + b];
    }
    __syncthreads();
  }
  if (in_shared)
    for (int k = threadIdx.x; k < n * n; k += threads) gram[k] = shared[k];
}

// One thread block for each axis: computes column `axis` of basis · turn, with its largest entry positive.
__global__ void __launch_bounds__(threads)
    turn_axes(const float* basis, const float* turn, std::int64_t columns, int n, int found, float* axes) {
  __shared__ float largest[threads];
  __shared__ std::int64_t place[threads];
  const int axis = blockIdx.x, thread = threadIdx.x;
  float best = -1, sign = 1;
  std::int64_t where = 0;
  for (std::int64_t h = thread; h < columns; h += threads) {
    float value = 0;
    for (int j = 0; j < n; ++j) value = fmaf(basis[h * n + j], turn[j * n + axis], value);
    axes[h * found + axis] = value;
    if (fabsf(value) > best) best = fabsf(value), where = h;
  }
  largest[thread] = best, place[thread] = where;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (thread < width && (largest[thread + width] > largest[thread] ||
                           (largest[thread + width] == largest[thread] && place[thread + width] < place[thread])))
      largest[thread] = largest[thread + width], place[thread] = place[thread + width];
    __syncthreads();
  }
  sign = axes[place[0] * found + axis] < 0 ? -1.0f : 1.0f;
  __syncthreads();
  for (std::int64_t h = thread; h < columns; h += threads) axes[h * found + axis] *= sign;
}

// The start of subspace iteration: the axes found before, then random vectors.
struct StartBasis {
  const float* axes;
  std::int64_t found, n;
  bool whole;  // as many vectors as columns
  float* to;
  __device__ void operator()(std::int64_t k) const {
    const std::int64_t c = k / n, a = k % n;
    to[k] = whole ? static_cast<float>(c == a)
            : a < found
                ? axes[c * found + a]
                : Random(1, stream_axes).uniform(static_cast<std::uint64_t>(c), static_cast<std::uint32_t>(a)) - 0.5f;
  }
};

// Z ← Z R⁻¹, row by row.
struct Orthonormalize {
  const double* factor;
  int n;
  float* z;
  __device__ void operator()(std::int64_t h) const {
    float* row = z + h * n;
    for (int j = 0; j < n; ++j) {
      double value = row[j];
      for (int i = 0; i < j; ++i) value = fma(-double(row[i]), factor[i * n + j], value);
      row[j] = static_cast<float>(value * factor[j * n + j]);
    }
  }
};

}  // namespace cuda_kernels

// gram [n × n] = Zᵀ Z for Z [rows × n].
inline void multiply_by_itself(Cuda& cuda, const float* z, std::int64_t rows, int n, double* gram) {
  using namespace cuda_kernels;
  cuda.launch("axes", {static_cast<unsigned>(parts_of(std::int64_t{n} * n, threads / 32)), threads},
              cuda_kernels::multiply_by_itself, z, rows, n, gram);
}

// A Sample is a set of rows S, about their mean or about 0. It has:
//   std::int64_t rows(), columns()
//   const float* mean()                                     [columns], null where it is 0
//   void image(const float* b, std::int64_t n, float* to)   S B [rows × n] of B [columns × n]
//   void back(const float* z, std::int64_t n, float* to)    Sᵀ Z [columns × n] of Z [rows × n]
template <class Sample>
class CudaAxes {
 public:
  CudaAxes(Cuda& cuda, Sample sample) : cuda_(cuda), sample_(std::move(sample)) {}

  void find(std::int64_t wanted) {
    using namespace cuda_kernels;
    const std::int64_t rows = sample_.rows(), columns = sample_.columns(),
                       count = std::min(wanted + spare_axes, columns), found = count == columns ? count : wanted;
    const auto n = static_cast<int>(count);
    Array<float, Cuda> basis(cuda_, static_cast<std::size_t>(columns * count)),
        image(cuda_, static_cast<std::size_t>(rows * count));
    Array<double, Cuda> gram(cuda_, static_cast<std::size_t>(count * count));
    const bool whole = count == columns;
    cuda_.for_each("axes", columns * count, StartBasis{axes_.data(), found_, count, whole, basis.data()});
    const std::size_t bytes = static_cast<std::size_t>(count * count) * sizeof(double);
    const bool in_shared = bytes <= 48 << 10;
    for (int pass = 0; pass < (whole ? 0 : axis_passes); ++pass) {
      sample_.image(basis.data(), count, image.data());
      sample_.back(image.data(), count, basis.data());
      glimmer::multiply_by_itself(cuda_, basis.data(), columns, n, gram.data());
      cuda_.launch("axes", {1, threads, in_shared ? bytes : 0}, factor, gram.data(), n, in_shared);
      cuda_.for_each("axes", columns, Orthonormalize{gram.data(), n, basis.data()});
    }
    sample_.image(basis.data(), count, image.data());
    glimmer::multiply_by_itself(cuda_, image.data(), rows, n, gram.data());
    const Array<float, Cuda> turn(cuda_, principal_turn(gram.download(), count));
    axes_ = Array<float, Cuda>(cuda_, static_cast<std::size_t>(columns * found));
    cuda_.launch("axes", {static_cast<unsigned>(found), threads}, turn_axes, basis.data(), turn.data(), columns, n,
                 static_cast<int>(found), axes_.data());
    found_ = found;
    cuda_.wait();
  }
  std::int64_t found() const { return found_; }
  const float* axes() const { return axes_.data(); }  // [columns × found]
  Sample& sample() { return sample_; }

 private:
  Cuda& cuda_;
  Sample sample_;
  Array<float, Cuda> axes_;
  std::int64_t found_ = 0;
};

}  // namespace kinescope::sim::glimmer
