// The launches that polish small levels: the full stress over all pairs, its gradient, the layouts' ranks. A part of
// multilevel_cpu.hpp, which includes it.
#pragma once

#include "sim/glimmer/multilevel/multilevel_cpu.hpp"

namespace kinescope::sim::glimmer {

// The pairs of rows i and i + 1 with the eight points from j on: adds their errors to `errors`, and with Gradient the
// rows' gradients to `sum` and the other points' gradient to `own`. With Edge, pairs below the diagonal or past the
// last point do not count.
template <int L>
template <bool Gradient, bool Edge>
inline void MultilevelKernels<Cpu, L>::row_pair(const Rows2& rows, std::int64_t j, float* own, Vector8& errors,
                                                Vector8 (&sum)[2][L]) const {
  const std::int64_t stride = m_.small_stride;
  Vector8 other[L], x[L];
  for (int c = 0; c < L; ++c) {
    x[c] = lanes::load<Vector8>(rows.x + c * stride + j);
    if (Gradient) other[c] = lanes::load<Vector8>(own + c * stride + j);
  }
  for (int row = 0; row < 2; ++row) {
    Vector8 between[L], square = Vector8{} + tiny_square;
    for (int c = 0; c < L; ++c) {
      between[c] = rows.a[row][c] - x[c];
      square = lanes::fma(between[c], between[c], square);
    }
    const Vector8 d = lanes::sqrt(square);
    const Vector8 delta = lanes::load<Vector8>(rows.delta[row] + j);
    Vector8 error = lanes::keep(d - delta, delta == delta);  // pairs without a distance are NaN
    if (Edge) {
      const auto low = static_cast<std::int32_t>(rows.i + row - j), high = static_cast<std::int32_t>(rows.end[row] - j);
      error = lanes::keep(error, (lanes::iota() > low) & (lanes::iota() < high));
    }
    errors = lanes::fma(error, error, errors);
    if (!Gradient) continue;
    const Vector8 part = error / d;
    for (int c = 0; c < L; ++c) {
      sum[row][c] = lanes::fma(part, between[c], sum[row][c]);
      other[c] = lanes::fma(-part, between[c], other[c]);
    }
  }
  if (Gradient)
    for (int c = 0; c < L; ++c) lanes::store(own + c * stride + j, other[c]);
}

// Σ_{i<j} (d − δ)² and, with Gradient, half its gradient; each unordered pair counts once. Blocks of eight rows are
// dealt out to eight tasks. Each task has its own gradient; they are added in the tasks' order.
template <int L>
template <bool Gradient>
double MultilevelKernels<Cpu, L>::evaluate(const float* x, float* gradient, bool all_threads) {
  const std::int64_t n = m_.state().points, stride = m_.small_stride, size = L * stride;
  constexpr std::int64_t parts = 8;
  std::vector<float> gradients(Gradient ? static_cast<std::size_t>(parts * size) : 0);
  double values[parts];
  const auto part = [&](std::int64_t t) {
    float* own = gradients.data() + (Gradient ? t * size : 0);
    double value = 0;
    for (std::int64_t block = 0; 8 * block < n; ++block) {
      const std::int64_t turn = block % (2 * parts);
      if (turn != t && turn != 2 * parts - 1 - t) continue;
      Vector8 errors = {};
      for (std::int64_t i = 8 * block; i < std::min(n, 8 * block + 8); i += 2) {
        const bool two = i + 1 < n;
        Rows2 rows{x, i, {n, two ? n : 0}, {m_.matrix + i * stride, m_.matrix + (two ? i + 1 : i) * stride}, {}};
        for (int c = 0; c < L; ++c) {
          rows.a[0][c] = lanes::broadcast(x[c * stride + i]);
          rows.a[1][c] = lanes::broadcast(x[c * stride + (two ? i + 1 : i)]);
        }
        Vector8 sum[2][L] = {};
        std::int64_t j = 8 * block;
        row_pair<Gradient, true>(rows, j, own, errors, sum);
        for (j += 8; two && j + 8 <= n; j += 8) row_pair<Gradient, false>(rows, j, own, errors, sum);
        for (; j < n; j += 8) row_pair<Gradient, true>(rows, j, own, errors, sum);
        if (!Gradient) continue;
        for (int row = 0; row < 2; ++row)
          for (int c = 0; c < L; ++c) own[c * stride + i + row] += lanes::sum(sum[row][c]);
      }
      value += static_cast<double>(lanes::sum(errors));
    }
    values[t] = value;
  };
  if (all_threads)
    cpu_.tasks("full stress", parts, part);
  else
    for (std::int64_t t = 0; t < parts; ++t) part(t);
  if (Gradient)
    for (std::int64_t k = 0; k < size; ++k) {
      float sum = gradients[static_cast<std::size_t>(k)];
      for (std::int64_t t = 1; t < parts; ++t) sum += gradients[static_cast<std::size_t>(t * size + k)];
      gradient[k] = sum;
    }
  double value = 0;
  for (const double v : values) value += v;
  return value;
}

template <int L>
double MultilevelKernels<Cpu, L>::sum_delta_square() {
  const std::int64_t n = m_.state().points, stride = m_.small_stride;
  cpu_.tasks("rows", (n + 63) / 64, [&](std::int64_t task) {
    for (std::int64_t i = 64 * task; i < std::min(n, 64 * task + 64); ++i) {
      const float* after = m_.matrix + i * stride + i + 1;
      m_.row_values[i] = SerialTeam().sum(n - i - 1, [&](std::int64_t j) { return size_of_pair(after[j]); });
    }
  });
  return SerialTeam().sum(n, [&](std::int64_t i) { return m_.row_values[i]; });
}

template <int L>
void MultilevelKernels<Cpu, L>::rank() {
  const std::int64_t n = m_.state().points, stride = m_.small_stride;
  const MultilevelState& state = m_.state();
  const auto copy = [&](std::int32_t layout, float* to) {
    std::fill(to, to + L * stride, 0.0f);
    for (std::int64_t i = 0; i < n; ++i)
      for (int c = 0; c < L; ++c) to[c * stride + i] = at(layout / 8, i)[c * 8 + layout % 8];
  };
  cpu_.tasks("rank", population, [&](std::int64_t layout) {
    std::vector<float> x(static_cast<std::size_t>(L * stride));
    copy(static_cast<std::int32_t>(layout), x.data());
    m_.layout_errors[layout] = evaluate<false>(x.data(), nullptr, false);
  });
  m_.end_rank();
  for (std::int32_t k = 0; k < state.alive; ++k) {
    const PolishVectors v = m_.vectors(state.order[k]);
    m_.polish[state.order[k]] = PolishState{};
    if (state.source[k] >= 0) copy(state.source[k], v.x);
    std::copy_n(v.x, v.size, v.trial);
    std::fill(v.gradient, v.gradient + v.size, 0.0f);
  }
  m_.course.end_iteration(m_.course.shown(state.picture), true);
}

template <int L>
void MultilevelKernels<Cpu, L>::polish() {
  const MultilevelState& state = m_.state();
  const PolishGoal goal = m_.goal();
  const auto step = [&](std::int32_t candidate) {
    const PolishVectors v = m_.vectors(candidate);
    for (int k = 0; k < m_.evaluations() && !m_.polish[candidate].resting; ++k) {
      const double value = evaluate<true>(v.trial, v.trial_gradient, true);
      polish_step(SerialTeam(), m_.polish[candidate], v, value, state.points, goal);
    }
  };
  if (state.alive == 1)
    step(state.order[0]);
  else
    cpu_.tasks("polish", state.alive, [&](std::int64_t k) { step(state.order[k]); });
  show();
  hold_out();
  m_.end_polish();
}

// Moves the picture towards the chosen layout. First turns that layout to match the picture as well as possible.
template <int L>
void MultilevelKernels<Cpu, L>::glide() {
  const std::int64_t n = m_.state().points;
  if (m_.state().t == 0) {
    const SumGlide<L> term{m_};
    GlideSums<L> sums;
    for (std::int64_t i = 0; i < n; ++i) sums = sums + term(i);
    BeginGlide<L>{m_}(sums);
    cpu_.for_each("align", n, AlignChosen<L>{m_});
  }
  m_.course.step_glide();
  cpu_.for_each("glide", n, GlidePicture<L>{m_});
  const double value = evaluate<false>(m_.picture().x, nullptr, true);
  show();
  hold_out();
  m_.end_glide(value);
}

// Polishes all the data, one evaluation in each iteration. Starts where the rounds have ended, or at the given start.
template <int L>
void MultilevelKernels<Cpu, L>::finish() {
  MultilevelState& state = *m_.course.state;
  const PolishVectors v = m_.picture();
  if (state.t == 0) {
    if (!has_matrix_) fill_matrix();
    state.delta_square = sum_delta_square();
    m_.polish[picture_slot] = PolishState{};
    std::fill_n(v.x, v.size, 0.0f);
    for (int c = 0; c < L; ++c) std::copy_n(m_.x + c * m_.stride, state.points, v.x + c * m_.small_stride);
    std::copy_n(v.x, v.size, v.trial);
    std::fill_n(v.gradient, v.size, 0.0f);
  }
  const double value = evaluate<true>(v.trial, v.trial_gradient, true);
  polish_step(SerialTeam(), m_.polish[picture_slot], v, value, state.points, m_.goal());
  show();
  hold_out();
  m_.end_finish();
}

}  // namespace kinescope::sim::glimmer
