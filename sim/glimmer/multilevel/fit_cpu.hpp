// The launches on the CPU for distances that are known from the landmarks only. A part of multilevel_cpu.hpp, which
// includes it.
#pragma once

#include "sim/glimmer/multilevel/multilevel_cpu.hpp"

namespace kinescope::sim::glimmer {

// Measures 64 newcomers against all landmarks, and finds their next steps.
template <int L>
void MultilevelKernels<Cpu, L>::fit_block(std::int64_t block) {
  const std::int64_t first = m_.state().first, n = m_.state().points, begin = first + 64 * block,
                     end = std::min(n, begin + 64);
  FitSums total;
  for (std::int64_t i = begin; i < end; i += 8) {
    const std::int64_t count = std::min<std::int64_t>(8, end - i);
    Vector8 x[L] = {};
    for (std::int64_t e = 0; e < count; ++e)
      for (int c = 0; c < L; ++c) x[c][e] = m_.x[c * m_.stride + i + e];
    PointSums<L, Vector8> sums;
    for (std::int64_t a = 0; a < first; ++a) {
      const float* row = m_.rows + a * m_.width + i;
      Vector8 delta = {}, p[L];
      if (count == 8)
        delta = lanes::load<Vector8>(row);
      else
        for (std::int64_t e = 0; e < count; ++e) delta[e] = row[e];
      for (int c = 0; c < L; ++c) p[c] = lanes::broadcast(m_.x[c * m_.stride + a]);
      add_terms(sums, pair_terms<L>(delta * delta, x, p));
    }
    for (std::int64_t e = 0; e < count; ++e) {
      PointSums<L, float> own;
      for (int c = 0; c < L; ++c) own.gradient[c] = sums.gradient[c][e];
      for (int k = 0; k < own.packed; ++k) own.hessian[k] = sums.hessian[k][e];
      float step[L];
      find_direction<L>(m_, own, first, i + e, true, step);
      for (int c = 0; c < L; ++c) m_.direction[c * m_.stride + i + e] = step[c];
      total = total + fit_sums<L>(m_, i + e - first, sums.error[e], sums.size[e]);
    }
  }
  fit_sums_[static_cast<std::size_t>(block)] = total;
}

template <int L>
void MultilevelKernels<Cpu, L>::fit() {
  const std::int64_t first = m_.state().first, newcomers = m_.state().points - first, blocks = (newcomers + 63) / 64;
  fit_sums_.assign(static_cast<std::size_t>(blocks), FitSums{});
  if (m_.state().t == 0) {
    cpu_.tasks("place", blocks, [&](std::int64_t block) { place_block<RowFormula::matrix>(block); });
  } else {
    if (m_.state().t > 1)
      cpu_.for_each("move", newcomers, [this, first](std::int64_t k) { TakeStep<L>{m_}(first + k); });
    cpu_.tasks("fit", blocks, [&](std::int64_t block) { fit_block(block); });
  }
  m_.course.end_fit(std::accumulate(fit_sums_.begin(), fit_sums_.end(), FitSums{}));
}

}  // namespace kinescope::sim::glimmer
