// Our own Glimmer's launches on CUDA.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/core/executors/cuda.cuh"
#include "sim/core/executors/executor.hpp"
#include "sim/glimmer/coordinates/coordinates_cuda.cuh"
#include "sim/glimmer/multilevel/fit_kernels.cuh"
#include "sim/glimmer/multilevel/multilevel_cuda_functors.cuh"
#include "sim/glimmer/multilevel/multilevel_kernels.cuh"
#include "sim/glimmer/multilevel/tile_kernels.cuh"

namespace kinescope::sim::glimmer {

template <Executor E, int L>
class MultilevelKernels;

template <int L>
class MultilevelKernels<Cuda, L> {
  using Memory = MultilevelMemory<L>;

 public:
  MultilevelKernels(Cuda& cuda, Memory& memory)
      : cuda_(cuda),
        m_(memory),
        place_blocks_((std::min<std::int64_t>(memory.points, place_part) + 63) / 64),
        squares_(cuda,
                 static_cast<std::size_t>(fits() || memory.points <= std::min<std::int64_t>(256, memory.small_points)
                                              ? 0
                                              : place_blocks_ * place_effort.anchors * 64)),
        round_tasks_(most_tasks(memory.points)),
        task_sums_(cuda, static_cast<std::size_t>(round_tasks_)),
        sums_(cuda, static_cast<std::size_t>(RoundSums<L>::size(memory.points))),
        orders_(cuda, 2),
        round_{sums_.data(), orders_.data()},
        arrived_(cuda, 1) {
    const unsigned zero = 0;
    arrived_.upload(std::span<const unsigned>(&zero, 1));
    shared_bytes_ = static_cast<std::size_t>(Memory::coordinates * memory.small_points) * sizeof(float);
    in_shared_ = shared_bytes_ <= cuda.allow_shared(cuda_kernels::anneal<L, true>);
  }

  // Call it if only the distances from the landmarks are known; their rows [landmarks × width] are in pinned memory.
  // Distances take at most `megabytes` of the device's memory; 0: half of what is free.
  void take_pages(std::shared_ptr<float> rows, std::int64_t megabytes) {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const std::int64_t limit = megabytes > 0 ? megabytes * 1'000'000 : static_cast<std::int64_t>(free / 2),
                       matrix = m_.small_points * m_.small_stride * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t landmarks = m_.small_points, newcomers = m_.points - landmarks;
    pages_ = std::make_unique<DistancePages>(cuda_, std::move(rows), landmarks, m_.sources - landmarks, m_.width,
                                             newcomers, limit - matrix);
    m_.held = pages_->held();
    m_.held_width = newcomers;
    fit_sums_ = Array<float2, Cuda>(cuda_, static_cast<std::size_t>(newcomers));
  }

  // Bytes of distances that iterations have sent to the device so far.
  std::int64_t bytes_sent() const { return pages_ ? pages_->bytes_sent() : 0; }

  void fill_matrix() {
    if (pages_) {
      cuda_.for_each("distances", m_.small_points * m_.small_stride, Fill<float>{m_.matrix, 0});
      return pages_->send_landmarks(m_.matrix, m_.small_stride);
    }
    const auto blocks = static_cast<unsigned>((m_.small_stride + 63) / 64);
    cuda_.launch("distances", {dim3(blocks, blocks), cuda_kernels::tile_threads}, cuda_kernels::fill_matrix<L>, m_);
  }

  void start() {
    fill_matrix();
    sum_matrix(true);
    cuda_.for_each("start", m_.small_stride, StartPicture<L>{m_});
    show();
  }

  void enqueue(std::int32_t program) {
    switch (program) {
      case program_search:
        cuda_.for_each("step", L * m_.small_stride, StepPicture<L>{m_});
        show();
        hold_out(program_search);
        evaluate(1, 0);
        end_picture();
        anneal();
        break;
      case program_rank:
        rank();
        break;
      case program_polish:
        for (int time = 0; time < hidden_evaluations; ++time) {
          evaluate(population + 1, time);
          step(population + 1, time);
        }
        show();
        hold_out(program_polish);
        cuda_.once("end of polish", EndPolish<L>{m_});
        break;
      case program_glide:
        cuda_.reduce("align", m_.small_points, GlideSums<L>{}, SumGlide<L>{m_}, BeginGlide<L>{m_});
        cuda_.for_each("align", m_.small_points, AlignChosen<L>{m_});
        cuda_.once("glide", StepGlide<L>{m_});
        cuda_.for_each("glide", m_.small_points, GlidePicture<L>{m_});
        show();
        hold_out(program_glide);
        evaluate(1, 0);
        end_picture();
        break;
      case program_place:
        place();
        cuda_.once("end of placing", EndPlacing<L>{m_, round_});
        hold_out(program_place);
        measure(true);
        break;
      case program_round:
        cuda_.for_each("move", m_.points, MoveInRound<L>{m_, round_});
        hold_out(program_round);
        measure(false);
        break;
      case program_finish:
        sum_matrix(false);
        cuda_.for_each("finish", L * m_.small_stride, BeginFinish<L>{m_});
        evaluate(1, 0);
        step(1, 0);
        show();
        hold_out(program_finish);
        cuda_.once("end of polish", EndPolish<L>{m_});
        break;
      case program_fit:
        pages_->for_each([&](const DistancePage& page) {
          const auto groups = [&](std::int64_t size) { return static_cast<unsigned>((page.count + size - 1) / size); };
          cuda_.launch("place", {groups(64), cuda_kernels::tile_threads}, cuda_kernels::place_page<L>, m_, page);
          cuda_.launch("fit", {groups(32), cuda_kernels::tile_threads}, cuda_kernels::fit_page<L>, m_, page,
                       fit_sums_.data());
        });
        cuda_.reduce("fit", m_.points - m_.small_points, FitSums{}, TakeFit<L>{m_, fit_sums_.data()},
                     EndFit{m_.course});
        break;
    }
  }

 private:
  bool fits() const { return m_.sources > 0 && m_.small_points < m_.points; }
  void show() { cuda_.for_each("show", m_.small_points, ShowPicture<L>{m_}); }

  template <class F>
  During<F> during(Program program, F f) const {
    return {m_.course, program, f};
  }
  void hold_out(Program program) {
    if (m_.held_out)
      cuda_.reduce("held-out pairs", m_.held_out_each, HeldOutSums{}, during(program, SumHeldOut<L>{m_}),
                   during(program, Store<HeldOutSums>{&m_.course.state->held_out}));
    if (!m_.far) return;
    cuda_.for_each("far points", m_.far_each, during(program, FindFar<L>{m_}));
    cuda_.reduce("far pairs", m_.far_each * m_.far_each, FarSums<double>{}, during(program, SumFar<L>{m_}),
                 during(program, Store<FarSums<double>>{&m_.course.state->far}));
  }

  void sum_matrix(bool always) {
    cuda_.reduce("rows", m_.small_points * m_.small_stride, 0.0, SquareOfMatrix<L>{m_, always},
                 TakeSquareOfMatrix<L>{m_, always});
  }

  unsigned row_blocks() const {
    return static_cast<unsigned>(std::clamp<std::int64_t>((m_.small_points + 7) / 8, 1, 1024));
  }

  void evaluate(unsigned candidates, int time) {
    cuda_.launch("full stress", {dim3(row_blocks(), candidates), cuda_kernels::row_threads}, cuda_kernels::evaluate<L>,
                 m_, time);
  }
  void step(unsigned candidates, int time) {
    cuda_.launch("polish", {candidates, cuda_kernels::polish_threads}, cuda_kernels::step_candidates<L>, m_, time);
  }
  void end_picture() {
    cuda_.launch("end of picture", {1, cuda_kernels::team_threads}, cuda_kernels::end_picture<L>, m_);
  }
  void anneal() {
    if (in_shared_)
      cuda_.launch("anneal", {population, cuda_kernels::team_threads, shared_bytes_}, cuda_kernels::anneal<L, true>, m_,
                   arrived_.data());
    else
      cuda_.launch("anneal", {population, cuda_kernels::team_threads}, cuda_kernels::anneal<L, false>, m_,
                   arrived_.data());
  }
  void rank() {
    using cuda_kernels::row_threads, cuda_kernels::team_threads;
    cuda_.launch("full stress", {dim3(row_blocks(), population), row_threads}, cuda_kernels::rank_rows<L>, m_);
    cuda_.launch("rank", {population, team_threads}, cuda_kernels::rank<L>, m_, arrived_.data());
    cuda_.launch("polish", {population + 1, team_threads}, cuda_kernels::begin_polish<L>, m_, arrived_.data());
  }
  void place() {
    const auto blocks = static_cast<unsigned>(place_blocks_);
    cuda_.launch("distances", {dim3(blocks, place_effort.anchors / 64), cuda_kernels::tile_threads},
                 cuda_kernels::anchor_distances<L>, m_, squares_.data());
    cuda_.launch("place", {blocks, cuda_kernels::tile_threads}, cuda_kernels::place_newcomers<L>, m_, squares_.data());
  }
  void measure(bool placing) {
    cuda_.launch("round", {static_cast<unsigned>(round_tasks_), cuda_kernels::tile_threads}, cuda_kernels::measure<L>,
                 m_, placing, round_, task_sums_.data(), arrived_.data());
  }
  // Number of thread blocks for a part of a round, at any level of at most n points.
  static std::int64_t most_tasks(std::int64_t n) {
    const RoundPlan plan = RoundPlan::of(n), few = RoundPlan::of(n, true);
    return std::max(plan.partners * std::min(plan.blocks, RoundSums<L>::many_blocks),
                    (few.blocks + few.parts - 1) / few.parts);
  }

  Cuda& cuda_;
  Memory& m_;
  std::int64_t place_blocks_;
  Array<float, Cuda> squares_;  // δ² between a part's newcomers and their anchors
  std::int64_t round_tasks_;
  Array<double2, Cuda> task_sums_;  // for a part of a round
  Array<float, Cuda> sums_;
  Array<RoundOrder, Cuda> orders_;
  RoundSums<L> round_;
  Array<unsigned, Cuda> arrived_;
  std::unique_ptr<DistancePages> pages_;
  Array<float2, Cuda> fit_sums_;
  std::size_t shared_bytes_ = 0;
  bool in_shared_ = false;
};

}  // namespace kinescope::sim::glimmer
