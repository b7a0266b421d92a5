// Our own Glimmer's launches on CUDA.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/cuda.cuh"
#include "sim/glimmer/matching_functors.cuh"
#include "sim/glimmer/matching_kernels.cuh"

namespace kinescope::sim::glimmer {

template <class Executor, int L>
class MatchingKernels;

template <int L>
class MatchingKernels<Cuda, L> {
  using Memory = MatchingMemory<L>;

 public:
  MatchingKernels(Cuda& cuda, const Memory& memory)
      : cuda_(cuda),
        m_(memory),
        relax_blocks_(std::max<std::int64_t>(Memory::blocks_of(memory.points), 8192 / 64)),
        block_sums_(cuda, static_cast<std::size_t>(relax_blocks_)),
        size_rows_(cuda, static_cast<std::size_t>(std::max<std::int64_t>(memory.small_points, 1))),
        arrived_(cuda, 1) {
    const unsigned zero = 0;
    arrived_.upload(std::span<const unsigned>(&zero, 1));
    int device = 0, limit = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    shared_bytes_ = static_cast<std::size_t>(Memory::coordinates * memory.small_points) * sizeof(float);
    in_shared_ = shared_bytes_ + 1024 <= static_cast<std::size_t>(limit);
    if (in_shared_)
      CUDA_CHECK(cudaFuncSetAttribute(cuda_kernels::anneal<L, true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared_bytes_)));
  }

  void fill_matrix() { cuda_.for_each("distances", m_.small_points * m_.small_stride, FillMatrix<L>{m_}); }
  void start_population() { cuda_.for_each("start", m_.small_points, StartLayout<L>{m_}); }

  void enqueue(std::int32_t program) {
    const cudaStream_t stream = cuda_.stream();
    const auto rows = static_cast<unsigned>(std::clamp<std::int64_t>((m_.small_points + 7) / 8, 1, 1024));
    switch (program) {
      case program_anneal:
        if (in_shared_)
          cuda_kernels::anneal<L, true>
              <<<population, cuda_kernels::team_threads, shared_bytes_, stream>>>(m_, arrived_.data());
        else
          cuda_kernels::anneal<L, false><<<population, cuda_kernels::team_threads, 0, stream>>>(m_, arrived_.data());
        show();
        break;
      case program_place_population:
        cuda_.for_each("place", m_.small_points * population, PlaceInPopulation<L>{m_});
        show();
        cuda_.once("end of stage", EndStage{m_.course, program_place_population});
        break;
      case program_rank:
        cuda_kernels::rank_rows<L>
            <<<dim3(rows, population + 1), cuda_kernels::row_threads, 0, stream>>>(m_, size_rows_.data());
        cuda_kernels::rank<L>
            <<<population + 1, cuda_kernels::team_threads, 0, stream>>>(m_, size_rows_.data(), arrived_.data());
        cuda_kernels::begin_polish<L><<<population, cuda_kernels::team_threads, 0, stream>>>(m_, arrived_.data());
        break;
      case program_polish:
        cuda_kernels::evaluate_candidates<L><<<dim3(rows, population), cuda_kernels::row_threads, 0, stream>>>(m_);
        cuda_kernels::step_candidates<L><<<population, cuda_kernels::team_threads, 0, stream>>>(m_, arrived_.data());
        show();
        break;
      case program_place:
        cuda_.for_each("place", m_.points, PlaceNewcomer<L>{m_});
        cuda_.once("end of stage", EndStage{m_.course, program_place});
        break;
      case program_relax:
        switch (m_.metric) {
          case Metric::euclidean:
            relax<Metric::euclidean>();
            break;
          case Metric::manhattan:
            relax<Metric::manhattan>();
            break;
          case Metric::cosine:
            relax<Metric::cosine>();
            break;
        }
        break;
      case program_average:
        cuda_.for_each("average", m_.points, TakeAverage<L>{m_});
        cuda_.once("end of stage", EndStage{m_.course, program_average});
        break;
    }
    CUDA_CHECK(cudaGetLastError());
  }

 private:
  void show() { cuda_.for_each("show", m_.small_points, ShowSmall<L>{m_}); }

  template <Metric M>
  void relax() {
    const unsigned grid = static_cast<unsigned>(std::min<std::int64_t>(relax_blocks_, 1 << 16));
    cuda_kernels::relax<L, M>
        <<<grid, cuda_kernels::relax_threads, 0, cuda_.stream()>>>(m_, block_sums_.data(), arrived_.data());
  }

  Cuda& cuda_;
  const Memory& m_;
  std::int64_t relax_blocks_;
  Array<double2, Cuda> block_sums_;
  Array<double, Cuda> size_rows_;
  Array<unsigned, Cuda> arrived_;
  std::size_t shared_bytes_ = 0;
  bool in_shared_ = false;
};

}  // namespace kinescope::sim::glimmer
