// Our own Glimmer's launches that need no team of threads: one thread for each element (see multilevel_cuda.cuh). Each
// does nothing unless its program is the current one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/glimmer/multilevel/multilevel_functors.hpp"

namespace kinescope::sim::glimmer {

// Calls f while its program is the current one. Otherwise does nothing, or returns an empty result.
template <class F>
struct During {
  Course course;
  Program program;
  F f;

  template <class A>
  KINESCOPE_HD auto operator()(const A& a) const {
    using Result = decltype(f(a));
    if (!course.current(program)) return Result();
    return f(a);
  }
};

// One call for each element of the matrix of far points.
template <int L>
struct SumFar {
  MultilevelMemory<L> m;

  KINESCOPE_HD FarSums<double> operator()(std::int64_t k) const {
    FarSums<double> sums;
    const std::int64_t i = k / m.far_each, j = k % m.far_each;
    if (j < i || j >= m.course.stage().far || !m.measures_far()) return sums;
    if (j == i) {
      if (m.in_round()) sums.expected = m.far_now[(L + 1) * m.far_each + i];
      return sums;
    }
    const FarSums<float> terms = far_terms<L, float>(m, MetBlocks::of(m), i, j);
    sums.error = terms.error, sums.size = terms.size;
    sums.estimated_error = terms.estimated_error, sums.estimated_size = terms.estimated_size;
    sums.met_error = terms.met_error, sums.met_size = terms.met_size, sums.met = terms.met;
    sums.expected = terms.expected;
    return sums;
  }
};

// Σ_{i<j} δ² over the points of the level, one call for each element of the matrix.
template <int L>
struct SquareOfMatrix {
  MultilevelMemory<L> m;
  bool always;

  KINESCOPE_HD double operator()(std::int64_t k) const {
    if (!always && !m.course.begins(program_finish)) return 0;
    const std::int64_t i = k / m.small_stride, j = k % m.small_stride;
    if (j <= i || j >= m.state().points || i >= m.state().points) return 0;
    return size_of_pair(m.matrix[k]);
  }
};

template <int L>
struct TakeSquareOfMatrix {
  MultilevelMemory<L> m;
  bool always;

  KINESCOPE_HD void operator()(double sum) const {
    if (always || m.course.begins(program_finish)) m.course.state->delta_square = sum;
  }
};

template <int L>
struct StartPicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const PolishVectors v = m.picture();
    for (int c = 0; c < L; ++c)
      v.x[c * m.small_stride + i] = i < m.state().points ? m.reference_scale * m.reference[i * L + c] : 0.0f;
  }
};

// The picture's SMACOF step.
template <int L>
struct StepPicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const MultilevelState& s = m.state();
    if (!m.course.current(program_search) || s.batch > 0 || s.picture_rests || s.picture_steps == 0) return;
    if (k % m.small_stride >= s.points) return;  // past the last point there is no gradient
    const PolishVectors v = m.picture();
    v.x[k] = v.x[k] - m.picture_step() * v.gradient[k];
  }
};

// Copies the picture to the layout shown, unless newcomers are placed or points move in rounds.
template <int L>
struct ShowPicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int32_t program = m.run().program;
    if (m.run().converged || i >= m.state().points || program == program_place || program == program_round ||
        program == program_fit)
      return;
    const PolishVectors v = m.picture();
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = v.x[c * m.small_stride + i];
  }
};

template <int L>
struct StepGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()() const {
    if (m.course.current(program_glide)) m.course.step_glide();
  }
};

// The sums that points gather from their partners in a round, by position in its order. A thread block pairs its own
// points with one of the partner blocks, or with all of them if there are many blocks. There is one array of sums for
// each such split of the partners, and one for each earlier block that has met these points as its partners.
template <int L>
struct RoundSums {
  static constexpr int values = L + MultilevelMemory<L>::packed;
  static constexpr std::int64_t many_blocks =
      2048;  // more than can be resident at once, so that splitting gains nothing

  float* sums = nullptr;         // [splits + partners][values][64 · blocks]
  RoundOrder* orders = nullptr;  // [2]: for even and for odd rounds

  KINESCOPE_HD static int splits(const RoundPlan& plan) {
    return plan.blocks < many_blocks ? static_cast<int>(plan.partners) : 1;
  }
  // Size of the arrays for any level of at most n points.
  static std::int64_t size(std::int64_t n) {
    const std::int64_t blocks = RoundPlan::of(n).blocks;
    return 64 * values * std::max(8 * std::min(blocks, many_blocks), 5 * blocks);
  }
  KINESCOPE_HD float* at(const RoundPlan& plan, int array, int value) const {
    return sums + (static_cast<std::int64_t>(array) * values + value) * 64 * plan.blocks;
  }
  KINESCOPE_HD RoundOrder& order(std::int64_t round) const { return orders[round % 2]; }
};

// Takes the step that follows from the last round's sums. k is the position in that round.
template <int L>
struct MoveInRound {
  MultilevelMemory<L> m;
  RoundSums<L> round;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const MultilevelState& s = m.state();
    if (!m.course.current(program_round) || !s.moves || k >= s.points) return;
    const RoundPlan plan = RoundPlan::of(s.points, s.few_partners);
    const std::int64_t slot = round.order(s.rounds - 1).slot(k);
    PointSums<L, float> sums;
    const int arrays = round.splits(plan) + static_cast<int>(plan.partners);
    for (int array = 0; array < arrays; ++array) {
      for (int c = 0; c < L; ++c) sums.gradient[c] += round.at(plan, array, c)[k];
      for (int e = 0; e < MultilevelMemory<L>::packed; ++e) sums.hessian[e] += round.at(plan, array, L + e)[k];
    }
    float step[L];
    find_direction<L>(m, sums, plan.met(k / 64), slot, s.rounds == 1, step);
    for (int c = 0; c < L; ++c) {
      float& x = m.x[c * m.stride + slot];
      x = std::fma(-m.gamma(), step[c], x);
    }
  }
};

// Called when a part of the newcomers has been placed. Records whether it was the last part.
template <int L>
struct EndPlacing {
  MultilevelMemory<L> m;
  RoundSums<L> round;

  KINESCOPE_HD void operator()() const {
    if (!m.course.current(program_place)) return;
    MultilevelState& s = *m.course.state;
    ++s.t;
    s.placed = s.first + s.t * place_part >= s.points;
    if (s.placed)
      round.order(0) = m.round_order();
    else
      m.course.end_iteration(m.run().figure, false);
  }
};

template <int L>
struct BeginFinish {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (!m.course.begins(program_finish)) return;
    const PolishVectors v = m.picture();
    const std::int64_t c = k / m.small_stride, i = k % m.small_stride;
    v.x[k] = v.trial[k] = i < m.state().points ? m.x[c * m.stride + i] : 0.0f;
    v.gradient[k] = v.trial_gradient[k] = 0;
    if (k == 0) m.polish[picture_slot] = PolishState{};
  }
};

template <int L>
struct EndPolish {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()() const {
    if (m.course.current(program_polish))
      m.end_polish();
    else if (m.course.current(program_finish))
      m.end_finish();
  }
};

}  // namespace kinescope::sim::glimmer
