// The work per point that both backends share in our own Glimmer: held-out pairs, the glide of the picture, the steps
// of a round.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/functors.hpp"
#include "sim/glimmer/multilevel/multilevel_memory.hpp"
#include "sim/glimmer/orientation.hpp"

namespace kinescope::sim::glimmer {

template <int L>
struct SumHeldOut {
  MultilevelMemory<L> m;

  KINESCOPE_HD HeldOutSums operator()(std::int64_t k) const {
    const HeldOutPair pair = m.held_out[(m.course.stage().level - 1) * m.held_out_each + k];
    double square = 0;
    for (int c = 0; c < L; ++c) {
      const double between = double(m.x[c * m.stride + pair.i]) - m.x[c * m.stride + pair.j];
      square += between * between;
    }
    const double d = std::sqrt(square), exact = d - pair.delta, estimate = d - pair.estimate;
    return {pair.weight * (exact * exact - estimate * estimate),
            pair.weight * (double(pair.delta) * pair.delta - double(pair.estimate) * pair.estimate)};
  }
};

// Tells which pairs of blocks meet in the current part of a round.
struct MetBlocks {
  float blocks = 0, partners = 0, begin = 0, end = 0;

  template <int L>
  KINESCOPE_HD static MetBlocks of(const MultilevelMemory<L>& m) {
    if (!m.in_round()) return {};
    const RoundPlan plan = RoundPlan::of(m.state().points, m.state().few_partners);
    return {static_cast<float>(plan.blocks), static_cast<float>(plan.partners),
            static_cast<float>(plan.part_begin(m.state().part)),
            static_cast<float>(plan.part_begin(m.state().part + 1))};
  }
  // 1 if the blocks a and b meet, else 0.
  template <class S>
  KINESCOPE_HD S operator()(S a, S b) const {
    const S zero = {}, one = zero + 1.0f, reach = zero + (partners + 0.5f);
    const S ahead = b - a + lanes::select(lanes::below(b, a), zero + blocks, zero);
    const S apart = lanes::min(ahead, zero + blocks - ahead), own = lanes::select(lanes::below(ahead, reach), a, b);
    return lanes::select(lanes::below(zero + 0.5f, apart), one, zero) *
           lanes::select(lanes::below(apart, reach), one, zero) *
           lanes::select(lanes::below(own, zero + begin), zero, one) *
           lanes::select(lanes::below(own, zero + end), one, zero);
  }
};

// Writes the far points' places to far_now; in a round also their blocks and the expected Σ δ².
template <int L>
struct FindFar {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (k >= m.course.stage().far) return;
    const std::int64_t slot = m.far[(m.course.stage().level - 1) * m.far_each + k];
    for (int c = 0; c < L; ++c) m.far_now[c * m.far_each + k] = m.x[c * m.stride + slot];
    if (!m.in_round()) return;
    const std::int64_t block = m.round_order().position(slot) / RoundPlan::block_points;
    const std::int64_t met = RoundPlan::of(m.state().points, m.state().few_partners).met_in_part(block, m.state().part);
    m.far_now[L * m.far_each + k] = static_cast<float>(block);
    m.far_now[(L + 1) * m.far_each + k] = static_cast<float>(met) * m.far_reach_here()[k];
  }
};

// The terms of the pair of far points (i, j), or of eight pairs from (i, j) on.
template <int L, class S>
KINESCOPE_HD inline FarSums<S> far_terms(const MultilevelMemory<L>& m, const MetBlocks& blocks, std::int64_t i,
                                         std::int64_t j) {
  const std::int64_t k = ((m.course.stage().level - 1) * m.far_each + i) * m.far_each + j;
  const S delta = lanes::load<S>(m.far_delta + k), estimate = lanes::load<S>(m.far_estimate + k);
  S square = S{} + 0.0f;
  for (int c = 0; c < L; ++c) {
    const float* x = m.far_now + c * m.far_each;
    const S between = lanes::load<S>(x + j) - x[i];
    square = lanes::fma(between, between, square);
  }
  const float* block = m.far_now + L * m.far_each;
  const S d = lanes::sqrt(square), error = d - delta, estimated = d - estimate;
  FarSums<S> sums;
  sums.error = error * error;
  sums.size = delta * delta;
  sums.estimated_error = estimated * estimated;
  sums.estimated_size = estimate * estimate;
  sums.met = blocks(S{} + block[i], lanes::load<S>(block + j));
  sums.met_error = sums.met * sums.estimated_error;
  sums.met_size = sums.met * sums.estimated_size;
  sums.expected = -sums.met * (lanes::load<S>(m.far_reach_here() + j) + m.far_reach_here()[i]);
  return sums;
}

// The launches of the glide do nothing while another program is current, nor past the last point. SumGlide, BeginGlide
// and AlignChosen begin the glide.
//
// GlideSums are sums over points that align the chosen layout with the picture. In OrientationSums, `t` is the picture
// and `x` the chosen layout.
template <int L>
struct GlideSums {
  OrientationSums<L> both;
  double picture_square = 0, chosen_square = 0;

  KINESCOPE_HD friend GlideSums operator+(const GlideSums& a, const GlideSums& b) {
    return {a.both + b.both, a.picture_square + b.picture_square, a.chosen_square + b.chosen_square};
  }
};

template <int L>
struct SumGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD GlideSums<L> operator()(std::int64_t i) const {
    GlideSums<L> sums;
    if (!m.course.begins(program_glide) || i >= m.state().points) return sums;
    float t[L], x[L];
    for (int c = 0; c < L; ++c) {
      t[c] = m.picture().x[c * m.small_stride + i], x[c] = m.chosen().x[c * m.small_stride + i];
      sums.picture_square += double(t[c]) * t[c];
      sums.chosen_square += double(x[c]) * x[c];
    }
    sums.both = OrientationSums<L>::of(t, x);
    return sums;
  }
};

// Computes how the chosen layout is turned to match the picture (Procrustes), and how far away it is.
template <int L>
struct BeginGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(const GlideSums<L>& sums) const {
    if (!m.course.begins(program_glide)) return;
    MultilevelState* state = m.course.state;
    Glide<L>* glide = m.glide;
    FinishOrientation<L>{&glide->turn}(sums.both);
    const double count = sums.both.count > 0 ? sums.both.count : 1;
    double picture = sums.picture_square, chosen = sums.chosen_square, product = 0;
    for (int r = 0; r < L; ++r) {
      glide->centre[r] = sums.both.t[r] / count;
      picture -= sums.both.t[r] * glide->centre[r];
      chosen -= sums.both.x[r] * sums.both.x[r] / count;
      for (int c = 0; c < L; ++c)
        product += glide->turn.rotation[r][c] * (sums.both.tx[r][c] - sums.both.t[r] * sums.both.x[c] / count);
    }
    const double square = picture + chosen - 2 * product;
    state->way = picture > 0 && square > 0 ? std::sqrt(square / picture) : 0;
    state->gone = 0;
  }
};

// Writes the aligned chosen layout into its own `trial`, and the present picture into the picture's `trial`.
template <int L>
struct AlignChosen {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (!m.course.begins(program_glide) || i >= m.state().points) return;
    const PolishVectors picture = m.picture(), chosen = m.chosen();
    for (int r = 0; r < L; ++r) {
      double turned = m.glide->centre[r];
      for (int c = 0; c < L; ++c)
        turned += m.glide->turn.rotation[r][c] * (chosen.x[c * m.small_stride + i] - m.glide->turn.centre[c]);
      chosen.trial[r * m.small_stride + i] = static_cast<float>(turned);
      picture.trial[r * m.small_stride + i] = picture.x[r * m.small_stride + i];
    }
  }
};

template <int L>
struct GlidePicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (!m.course.current(program_glide) || i >= m.state().points) return;
    const PolishVectors picture = m.picture(), chosen = m.chosen();
    const double gone = m.state().gone;
    const auto part = static_cast<float>(gone * gone * (3 - 2 * gone));
    for (int c = 0; c < L; ++c) {
      const std::int64_t k = c * m.small_stride + i;
      const float from = picture.trial[k], to = chosen.trial[k];
      picture.x[k] = gone < 1 ? from + part * (to - from) : to;
    }
  }
};

// Applies the step that the last round has found.
template <int L>
struct TakeStep {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const float gamma = m.gamma();
    for (int c = 0; c < L; ++c) {
      const std::int64_t k = c * m.stride + i;
      m.x[k] = std::fma(-gamma, m.direction[k], m.x[k]);
    }
  }
};

// The terms of newcomer k, counted from 0, in the sums of a fit.
template <int L>
KINESCOPE_HD inline FitSums fit_sums(const MultilevelMemory<L>& m, std::int64_t k, float error, float size) {
  const double own = static_cast<double>(error);
  return {own, static_cast<double>(size), m.held_error(k), k < m.sources - m.state().first ? own : 0.0};
}

// Turns a point's sums over `met` partners into its direction. `first`: the level has had no round before.
template <int L>
KINESCOPE_HD inline void find_direction(const MultilevelMemory<L>& m, const PointSums<L, float>& sums, std::int64_t met,
                                        std::int64_t slot, bool first, float (&step)[L]) {
  const float share = 1.0f / static_cast<float>(met);
  float hessian[MultilevelMemory<L>::packed];
  for (int e = 0; e < MultilevelMemory<L>::packed; ++e) {
    float& old = m.hessian[e * m.stride + slot];
    hessian[e] = first ? sums.hessian[e] * share : 0.5f * (old + sums.hessian[e] * share);
    old = hessian[e];
  }
  for (int c = 0; c < L; ++c) step[c] = sums.gradient[c] * share;
  newton_step<L>(hessian, round_floor, step);
}

}  // namespace kinescope::sim::glimmer
