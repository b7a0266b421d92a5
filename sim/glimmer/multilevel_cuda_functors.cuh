// The launches of our own Glimmer that need no team of threads: one element, one thread (see multilevel_cuda.cuh). Each
// does nothing unless its program is the current one.
#pragma once

#include <cstdint>

#include "sim/glimmer/multilevel_functors.hpp"

namespace kinescope::sim::glimmer {

// By elements of the matrix of far points.
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

template <int L>
struct FillMatrix {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const std::int64_t i = k / m.small_stride, j = k % m.small_stride;
    float sum = 0;
    if (j < m.small_points)
      for (std::int64_t h = 0; h < m.width; ++h)
        sum = add_column(m.formula, sum, m.rows[i * m.width + h], m.rows[j * m.width + h]);
    const bool normed = m.formula == RowFormula::products && j < m.small_points;
    const float square = square_distance(m.formula, sum, normed ? m.norms[i] : 0.0f, normed ? m.norms[j] : 0.0f);
    m.matrix[k] = j == i || j >= m.small_points ? 0.0f : std::sqrt(square * m.scale_square);
  }
};

// Σ_{i<j} δ² over the points of the level, by elements of the matrix.
template <int L>
struct SquareOfMatrix {
  MultilevelMemory<L> m;
  bool always;

  KINESCOPE_HD double operator()(std::int64_t k) const {
    if (!always && !(m.course.current(program_finish) && m.state().t == 0)) return 0;
    const std::int64_t i = k / m.small_stride, j = k % m.small_stride;
    if (j <= i || j >= m.state().points || i >= m.state().points) return 0;
    const double delta = m.matrix[k];
    return delta * delta;
  }
};

template <int L>
struct TakeSquareOfMatrix {
  MultilevelMemory<L> m;
  bool always;

  KINESCOPE_HD void operator()(double sum) const {
    if (always || (m.course.current(program_finish) && m.state().t == 0)) m.course.state->delta_square = sum;
  }
};

template <int L>
struct StartPicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const PolishVectors v = m.vectors(picture_slot);
    for (int c = 0; c < L; ++c)
      v.x[c * m.small_stride + i] = i < m.state().points ? m.reference_scale * m.reference[i * L + c] : 0.0f;
  }
};

// The picture's step of SMACOF.
template <int L>
struct StepPicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const MultilevelState& s = m.state();
    if (!m.course.current(program_search) || s.batch > 0 || s.picture_rests || s.picture_steps == 0) return;
    if (k % m.small_stride >= s.points) return;  // no gradient there
    const PolishVectors v = m.vectors(picture_slot);
    v.x[k] = v.x[k] - m.picture_step() * v.gradient[k];
  }
};

// What is shown while the picture is a candidate.
template <int L>
struct ShowPicture {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int32_t program = m.run().program;
    if (m.run().converged || i >= m.state().points || program == program_place || program == program_round) return;
    const PolishVectors v = m.vectors(picture_slot);
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = v.x[c * m.small_stride + i];
  }
};

template <int L>
struct SumInGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD GlideSums<L> operator()(std::int64_t i) const {
    if (!m.course.current(program_glide) || m.state().t > 0 || i >= m.state().points) return {};
    return SumGlide<L>{m.vectors(picture_slot), m.vectors(m.state().order[0]), m.small_stride}(i);
  }
};

template <int L>
struct BeginInGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(const GlideSums<L>& sums) const {
    if (m.course.current(program_glide) && m.state().t == 0) BeginGlide<L>{m.course.state, m.glide}(sums);
  }
};

template <int L>
struct AlignInGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (!m.course.current(program_glide) || m.state().t > 0 || i >= m.state().points) return;
    AlignChosen<L>{m.vectors(picture_slot), m.vectors(m.state().order[0]), m.small_stride, m.glide}(i);
  }
};

template <int L>
struct StepGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()() const {
    if (m.course.current(program_glide)) m.course.step_glide();
  }
};

template <int L>
struct MoveInGlide {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (!m.course.current(program_glide) || i >= m.state().points) return;
    GlidePicture<L>{m.course.state, m.vectors(picture_slot), m.vectors(m.state().order[0]), m.small_stride}(i);
  }
};

template <int L>
struct TakeStepInRound {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (m.course.current(program_round) && m.state().moves && i < m.state().points) TakeStep<L>{m}(i);
  }
};

// A part of the newcomers is placed: whether it was the last one.
template <int L>
struct EndPlacing {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()() const {
    if (!m.course.current(program_place)) return;
    MultilevelState& s = *m.course.state;
    ++s.t;
    s.placed = s.first + s.t * place_part >= s.points;
    if (!s.placed) m.course.end_iteration(m.run().figure, false);
  }
};

template <int L>
struct BeginFinish {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    if (!m.course.current(program_finish) || m.state().t > 0) return;
    const PolishVectors v = m.vectors(picture_slot);
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
    if (m.course.current(program_polish)) m.end_polish();
  }
};

template <int L>
struct EndFinish {
  MultilevelMemory<L> m;

  KINESCOPE_HD void operator()() const {
    if (m.course.current(program_finish)) m.end_finish();
  }
};

}  // namespace kinescope::sim::glimmer
