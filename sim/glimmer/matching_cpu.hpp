// Our own Glimmer's launches on the CPU: eight layouts of the population, or eight points, to a vector register.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "sim/core/cpu.hpp"
#include "sim/core/lanes.hpp"
#include "sim/glimmer/matching_memory.hpp"

namespace kinescope::sim::glimmer {

// One thread as a team.
struct SerialTeam {
  bool first() const { return true; }
  void sync() const {}
  template <class F>
  void for_each(std::int64_t n, F f) const {
    for (std::int64_t k = 0; k < n; ++k) f(k);
  }
  // Sixteen running sums, so that the compiler makes vectors of them.
  template <class F>
  double sum(std::int64_t n, F f) const {
    double sums[16] = {};
    std::int64_t k = 0;
    for (; k + 16 <= n; k += 16)
      for (int lane = 0; lane < 16; ++lane) sums[lane] += f(k + lane);
    for (; k < n; ++k) sums[0] += f(k);
    for (int width = 8; width > 0; width /= 2)
      for (int lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
    return sums[0];
  }
};

template <class Executor, int L>
class MatchingKernels;

template <int L>
class MatchingKernels<Cpu, L> {
  using Memory = MatchingMemory<L>;
  using Vector8 = lanes::Float8;
  static constexpr int C = Memory::coordinates;

 public:
  MatchingKernels(Cpu& cpu, const Memory& memory) : cpu_(cpu), m_(memory) {}

  // Positions of the population: layout g·8 + lane, slot i, coordinate c at ((g · small_stride + i) · C + c) · 8 +
  // lane.
  float* at(std::int64_t group, std::int64_t i) const { return m_.layouts + (group * m_.small_stride + i) * C * 8; }

  void fill_matrix() {
    by_metric([this](auto metric) { fill_matrix_of<metric()>(); });
  }
  void start_population();

  void enqueue(std::int32_t program) {
    switch (program) {
      case program_anneal:
        return m_.course.stage().coarsest ? anneal<extra_dimensions>() : anneal<0>();
      case program_place_population:
        return place_population();
      case program_rank:
        return rank();
      case program_polish:
        return polish();
      case program_place:
        return by_metric([this](auto metric) { place<metric()>(); });
      case program_relax:
        return by_metric([this](auto metric) { relax<metric()>(); });
      case program_average:
        return average();
    }
  }

 private:
  template <class F>
  void by_metric(F f) {
    switch (m_.metric) {
      case Metric::euclidean:
        return f(std::integral_constant<Metric, Metric::euclidean>());
      case Metric::manhattan:
        return f(std::integral_constant<Metric, Metric::manhattan>());
      case Metric::cosine:
        return f(std::integral_constant<Metric, Metric::cosine>());
    }
  }

  template <Metric M>
  void fill_matrix_of();
  template <int Extra>
  void anneal();
  void start_group(std::int64_t group, bool second);
  void show();
  void place_population();
  void rank();
  void polish();
  // Rows i and i + 1 of the pairs' matrix; `end` is 0 for a row that does not exist.
  struct Rows2 {
    const float* x;
    std::int64_t i, end[2];
    const float* delta[2];
    Vector8 a[2][L];
  };
  template <bool Gradient, bool Edge>
  void row_pair(const Rows2& rows, std::int64_t j, float* own, Vector8& errors, Vector8 (&sum)[2][L]) const;
  template <bool Gradient>
  double evaluate(const float* x, float* gradient, bool all_threads);
  template <Metric M>
  void place();
  template <Metric M>
  void relax();
  template <Metric M>
  void relax_blocks(std::int64_t b, std::int64_t q, std::int64_t step, const std::array<float, sub_matchings>& eta,
                    Vector8& errors, Vector8& sizes);
  template <Metric M, int K>
  void match(const std::int64_t (&i)[K], const std::int64_t (&j)[K], lanes::Int8 order, Vector8 eta, Vector8& errors,
             Vector8& sizes);
  void average();

  Cpu& cpu_;
  const Memory& m_;
  std::vector<std::array<double, 2>> block_sums_;
};

// δ of all pairs i < j of the small levels; below the diagonal nothing is read.
template <int L>
template <Metric M>
void MatchingKernels<Cpu, L>::fill_matrix_of() {
  const std::int64_t n = m_.small_points, stride = m_.small_stride;
  cpu_.tasks("distances", (n + 7) / 8, [&](std::int64_t task) {
    for (std::int64_t i = 8 * task; i < std::min(n, 8 * task + 8); ++i) {
      float* row = m_.matrix + i * stride;
      for (std::int64_t j = i / 8 * 8; j < stride; j += 32) {
        const int count = static_cast<int>(std::min<std::int64_t>(4, (stride - j) / 8));
        Vector8 sums[4] = {};
        for (std::int32_t h = 0; h < m_.dimensions; ++h) {
          const float* column = m_.columns + h * m_.stride;
          const Vector8 own = lanes::broadcast(column[i]);
          for (int k = 0; k < count; ++k)
            sums[k] = add_dimension(M, sums[k], own, lanes::load<Vector8>(column + j + 8 * k));
        }
        for (int k = 0; k < count; ++k) lanes::store(row + j + 8 * k, finish_distance(M, sums[k]) * m_.scale);
      }
      row[i] = 0;
      std::fill(row + n, row + stride, 0.0f);
    }
  });
}

// All layouts of a group where they start; `second` for the second time.
template <int L>
void MatchingKernels<Cpu, L>::start_group(std::int64_t group, bool second) {
  for (std::int64_t i = 0; i < m_.state().points; ++i) {
    float* x = at(group, i);
    float before[L * group_size];
    std::copy(x, x + L * group_size, before);
    for (int c = 0; c < C; ++c)
      for (int lane = 0; lane < group_size; ++lane) {
        const int layout = static_cast<int>(group) * group_size + lane;
        const int source = m_.state().source[layout] % group_size;
        x[c * group_size + lane] = second
                                       ? m_.second_start(layout, i, c, before[std::min(c, L - 1) * group_size + source])
                                       : m_.first_start(layout, i, c);
      }
  }
}

template <int L>
void MatchingKernels<Cpu, L>::start_population() {
  cpu_.tasks("start", groups, [&](std::int64_t group) { start_group(group, false); });
  show();
}

// The best layout of the population so far, or the best candidate of all.
template <int L>
void MatchingKernels<Cpu, L>::show() {
  const MatchingState& state = m_.state();
  const std::int32_t program = m_.run().program;
  if (program == program_polish || program == program_place || state.champion >= 0) {
    const PolishVectors v = m_.vectors(state.shown);
    for (int c = 0; c < L; ++c) std::copy_n(v.x + c * m_.small_stride, m_.run().points, m_.x + c * m_.stride);
    return;
  }
  for (std::int64_t i = 0; i < state.points; ++i)
    for (int c = 0; c < L; ++c)
      m_.x[c * m_.stride + i] = at(state.shown / group_size, i)[c * group_size + state.shown % group_size];
}

template <int L>
template <int Extra>
void MatchingKernels<Cpu, L>::anneal() {
  const std::int64_t n = m_.state().points, first = m_.state().t;
  const Annealing timetable = m_.annealing();
  cpu_.tasks("anneal", groups, [&](std::int64_t group) {
    if (Extra > 0 && first == 0) start_group(group, false);
    if (Extra > 0 && timetable.squeezes && first == timetable.second) start_group(group, true);
    double error_sums[group_size] = {}, sizes = 0;
    for (std::int64_t t = first; t < first + timetable.chunk; ++t) {
      const std::int64_t r = m_.rotation(static_cast<int>(group), t);
      const Vector8 eta = lanes::broadcast(timetable.eta(t, static_cast<int>(group)));
      float size = 0;
      Vector8 errors = {};
      const auto pairs = [&](auto extra, std::int64_t i, std::int64_t j) {
        constexpr int D = L + decltype(extra)::value;
        for (; i < j; ++i, --j) {
          const float delta = m_.matrix[i * m_.small_stride + j];
          size += delta * delta;
          float *own = at(group, i), *other = at(group, j);
          Vector8 a[D], b[D];
          for (int c = 0; c < D; ++c)
            a[c] = lanes::load<Vector8>(own + 8 * c), b[c] = lanes::load<Vector8>(other + 8 * c);
          const Vector8 error = move_pair<D>(lanes::broadcast(delta), eta, a, b);
          errors = lanes::fma(error, error, errors);
          for (int c = 0; c < D; ++c) lanes::store(own + 8 * c, a[c]), lanes::store(other + 8 * c, b[c]);
        }
      };
      const auto matching = [&](auto extra) {
        pairs(extra, 0, r);
        pairs(extra, r + 1, n - 1);
      };
      if (timetable.flat(t))  // the extra coordinates are 0 by now
        matching(std::integral_constant<int, 0>());
      else
        matching(std::integral_constant<int, Extra>());
      for (int lane = 0; lane < group_size; ++lane) error_sums[lane] += static_cast<double>(errors[lane]);
      sizes += static_cast<double>(size);
      if (const float factor = timetable.squeeze(t); Extra > 0 && factor < 1)
        for (std::int64_t i = 0; i < n; ++i)
          for (int c = 8 * L; c < 8 * (L + Extra); ++c) at(group, i)[c] *= factor;
    }
    for (int lane = 0; lane < group_size; ++lane) {
      m_.layout_errors[group * group_size + lane] = error_sums[lane];
      m_.layout_sizes[group * group_size + lane] = sizes;
    }
  });
  m_.end_anneal();
  show();
}

template <int L>
void MatchingKernels<Cpu, L>::place_population() {
  const std::int64_t first = m_.state().first, n = m_.state().points;
  cpu_.tasks("place", groups, [&](std::int64_t group) {
    for (std::int64_t i = first; i < n; ++i) {
      Vector8 p[anchors][L], delta[anchors], x[L];
      for (int k = 0; k < anchors; ++k) {
        const RandomWords words = Random(m_.seed, stream_population_anchors)
                                      .words(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(k / 4));
        const std::int64_t anchor = uniform_below(words[k % 4], static_cast<std::uint32_t>(first));
        delta[k] = lanes::broadcast(m_.matrix[anchor * m_.small_stride + i]);
        for (int c = 0; c < L; ++c) p[k][c] = lanes::load<Vector8>(at(group, anchor) + 8 * c);
      }
      multilaterate<L>(p, delta, x);
      for (int c = 0; c < C; ++c) {
        const float jitter =
            1e-6f *
            near_normal(
                Random(m_.seed, stream_jitter).words(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(c)));
        lanes::store(at(group, i) + 8 * c, c < L ? x[std::min(c, L - 1)] + jitter : Vector8{});
      }
    }
  });
  show();
  m_.course.end_iteration(m_.run().figure, true);
}

}  // namespace kinescope::sim::glimmer

#include "sim/glimmer/matching_cpu_large.hpp"
#include "sim/glimmer/matching_cpu_polish.hpp"
