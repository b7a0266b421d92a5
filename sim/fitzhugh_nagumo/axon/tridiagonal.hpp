// Tridiagonal systems  lower_i x_{i−1} + diagonal_i x_i + upper_i x_{i+1} = right_i,  solved in several ways:
//   thomas                      one row after another: O(n), no parallelism
//   cyclic reduction            R. Hockney, J. ACM 12 (1965): O(n), log₂ n stages of reduction and of substitution
//   parallel cyclic reduction   all rows at every stage: O(n log n), half as many stages
//   halo                        overlapping tiles, each solved on its own: exact where the inverse fades fast
//   partition                   tiles reduced to a small system (sim/fitzhugh_nagumo/axon/partition.hpp): O(n)
//   cusparse                    the vendor's library (sim/fitzhugh_nagumo/axon/cusparse.hpp)
#pragma once

#include <cstdint>
#include <memory>

#include "sim/core/array.hpp"
#include "sim/core/executors/host_device.hpp"
#include "sim/fitzhugh_nagumo/axon/partition.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// If *idle is set, the work is skipped: Newton's method has converged, or there is no step to do.
template <class T>
struct ThomasSolve {
  System<T> system;
  T* solution;
  std::int64_t rows;
  const std::int32_t* idle;

  // Destroys `upper` and `right`.
  KINESCOPE_HD void operator()() const {
    if (idle && *idle) return;
    const auto [lower, diagonal, upper, right] = system;
    T above = 0, value = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      const T pivot = diagonal[i] - lower[i] * above;
      value = (right[i] - lower[i] * value) / pivot;
      above = upper[i] / pivot;
      upper[i] = above;
      right[i] = value;
    }
    for (std::int64_t i = rows - 1; i >= 0; --i)
      solution[i] = value = i == rows - 1 ? right[i] : right[i] - upper[i] * value;
  }
};

// Row 2h(k + 1) − 1 absorbs its neighbours at distance h, which no longer take part from then on.
template <class T>
struct ReduceRows {
  System<T> system;
  std::int64_t rows, distance;
  const std::int32_t* idle;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (idle && *idle) return;
    const auto [lower, diagonal, upper, right] = system;
    const std::int64_t i = 2 * distance * (k + 1) - 1, above = i - distance, below = i + distance;
    const T share = -lower[i] / diagonal[above];
    T middle = diagonal[i] + share * upper[above], value = right[i] + share * right[above];
    lower[i] = share * lower[above];
    if (below < rows) {
      const T other = -upper[i] / diagonal[below];
      middle += other * lower[below];
      value += other * right[below];
      upper[i] = other * upper[below];
    }
    diagonal[i] = middle;
    right[i] = value;
  }
};

// Solves rows h(2k + 1) − 1, which lie between solved rows.
template <class T>
struct SubstituteRows {
  System<T> system;
  T* solution;
  std::int64_t rows, distance;
  const std::int32_t* idle;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (idle && *idle) return;
    const std::int64_t i = distance * (2 * k + 1) - 1, above = i - distance, below = i + distance;
    T value = system.right[i];
    if (above >= 0) value -= system.lower[i] * solution[above];
    if (below < rows) value -= system.upper[i] * solution[below];
    solution[i] = value / system.diagonal[i];
  }
};

// Every row absorbs its neighbours at distance `distance`.
template <class T>
struct ReduceAllRows {
  System<T> from, to;
  std::int64_t rows, distance;
  const std::int32_t* idle;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (idle && *idle) return;
    const std::int64_t above = i - distance, below = i + distance;
    T lower = 0, diagonal = from.diagonal[i], upper = 0, right = from.right[i];
    if (above >= 0) {
      const T share = -from.lower[i] / from.diagonal[above];
      diagonal += share * from.upper[above];
      right += share * from.right[above];
      lower = share * from.lower[above];
    }
    if (below < rows) {
      const T share = -from.upper[i] / from.diagonal[below];
      diagonal += share * from.lower[below];
      right += share * from.right[below];
      upper = share * from.upper[below];
    }
    to.lower[i] = lower;
    to.diagonal[i] = diagonal;
    to.upper[i] = upper;
    to.right[i] = right;
  }
};

template <class T>
struct DivideRows {
  System<T> system;
  T* solution;
  const std::int32_t* idle;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (!idle || !*idle) solution[i] = system.right[i] / system.diagonal[i];
  }
};

// AxonKernels of each backend (sim/fitzhugh_nagumo/axon/axon_cpu.hpp, axon_cuda.cuh) has the solvers `halo` and
// `cusparse`, and those of the tiles of `partition`.

template <class T, Executor E>
class Tridiagonal {
 public:
  Tridiagonal(E& executor, AxonKernels<E>& kernels, std::int64_t rows)
      : executor_(executor), kernels_(kernels), rows_(rows), solution_(executor, count()) {
    for (auto& array : arrays_) array = Array<T, E>(executor, count());
  }

  System<T> system() { return system(0); }  // solve() destroys it: fill it again for each solution
  T* solution() { return solution_.data(); }

  // `halo` rows on both sides of a tile make its inner rows exact (Solver::halo; plan.hpp, halo_rows).
  void solve(Solver solver, const std::int32_t* idle, std::int64_t halo = 0) {
    if (solver == Solver::thomas)
      executor_.once("Thomas", ThomasSolve<T>{system(), solution(), rows_, idle});
    else if (solver == Solver::cyclic_reduction)
      reduce_cyclically(idle);
    else if (solver == Solver::parallel_cyclic_reduction)
      reduce_all(idle);
    else if (solver == Solver::partition)
      partition().solve(system(), solution(), idle);
    else if (solver == Solver::cusparse)
      kernels_.solve_by_cusparse(system(), solution(), rows_, idle);
    else
      kernels_.solve_by_halo(system(), solution(), rows_, halo, idle);
  }

 private:
  std::size_t count() const { return static_cast<std::size_t>(rows_); }
  System<T> system(std::size_t which) {
    Array<T, E>* a = arrays_ + 4 * which;
    return {a[0].data(), a[1].data(), a[2].data(), a[3].data()};
  }

  void reduce_cyclically(const std::int32_t* idle) {
    std::int64_t distance = 1;
    for (; 2 * distance <= rows_; distance *= 2)
      executor_.for_each("reduce rows", rows_ / (2 * distance), ReduceRows<T>{system(), rows_, distance, idle});
    for (; distance >= 1; distance /= 2)
      executor_.for_each("substitute rows", (rows_ + distance) / (2 * distance),
                         SubstituteRows<T>{system(), solution(), rows_, distance, idle});
  }

  void reduce_all(const std::int32_t* idle) {
    for (std::size_t i = 4; i < 8; ++i)
      if (arrays_[i].size() != count()) arrays_[i] = Array<T, E>(executor_, count());
    std::size_t from = 0;
    for (std::int64_t distance = 1; distance < rows_; distance *= 2, from ^= 1)
      executor_.for_each("reduce all rows", rows_,
                         ReduceAllRows<T>{system(from), system(from ^ 1), rows_, distance, idle});
    executor_.for_each("divide rows", rows_, DivideRows<T>{system(from), solution(), idle});
  }

  Partition<T, E>& partition() {
    if (!partition_) partition_ = std::make_unique<Partition<T, E>>(executor_, kernels_, rows_);
    return *partition_;
  }

  E& executor_;
  AxonKernels<E>& kernels_;
  std::int64_t rows_;
  Array<T, E> arrays_[8], solution_;
  std::unique_ptr<Partition<T, E>> partition_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
