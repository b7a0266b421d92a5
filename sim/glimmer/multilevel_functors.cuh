// The launches of our own Glimmer that need no team of threads: one element, one thread (see matching_cuda.cuh).
#pragma once

#include <cstdint>

#include "sim/glimmer/matching_memory.hpp"

namespace kinescope::sim::glimmer {

// One newcomer of a large level.
template <int L>
struct PlaceNewcomer {
  MatchingMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const std::int64_t first = m.state().first, i = first + k;
    if (!m.course.current(program_place) || i >= m.state().points) return;
    const auto level = static_cast<std::uint32_t>(m.run().level);
    std::int64_t anchor[anchors];
    float p[anchors][L], delta[anchors] = {}, x[L];
    RandomWords words{};
    for (int a = 0; a < anchors; ++a) {
      if (a % 4 == 0)
        words = Random(m.seed, stream_anchors)
                    .words(static_cast<std::uint64_t>(k / 64), 4 * level + static_cast<std::uint32_t>(a / 4));
      anchor[a] = uniform_below(words[a % 4], static_cast<std::uint32_t>(first));
      for (int c = 0; c < L; ++c) p[a][c] = m.x[c * m.stride + anchor[a]];
    }
    for (std::int32_t h = 0; h < m.dimensions; ++h) {
      const float* column = m.columns + h * m.stride;
      for (int a = 0; a < anchors; ++a) delta[a] = add_dimension(m.metric, delta[a], column[anchor[a]], column[i]);
    }
    for (float& value : delta) value = finish_distance(m.metric, value) * m.scale;
    multilaterate<L>(p, delta, x);
    for (int c = 0; c < L; ++c)
      m.x[c * m.stride + i] =
          x[c] +
          1e-6f *
              near_normal(
                  Random(m.seed, stream_jitter).words(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(c)));
  }
};

// One newcomer of a small level, in one layout of the population.
template <int L>
struct PlaceInPopulation {
  MatchingMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const std::int64_t first = m.state().first, newcomers = m.state().points - first;
    if (!m.course.current(program_place_population) || k >= newcomers * population) return;
    const std::int64_t i = first + k % newcomers, layout = k / newcomers;
    float* home = m.layouts + layout * m.coordinates * m.small_stride;
    float p[anchors][L], delta[anchors], x[L];
    RandomWords words{};
    for (int a = 0; a < anchors; ++a) {
      if (a % 4 == 0)
        words = Random(m.seed, stream_population_anchors)
                    .words(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(a / 4));
      const std::int64_t anchor = uniform_below(words[a % 4], static_cast<std::uint32_t>(first));
      delta[a] = m.matrix[i * m.small_stride + anchor];
      for (int c = 0; c < L; ++c) p[a][c] = home[c * m.small_stride + anchor];
    }
    multilaterate<L>(p, delta, x);
    for (int c = 0; c < m.coordinates; ++c) {
      const float jitter =
          1e-6f *
          near_normal(
              Random(m.seed, stream_jitter).words(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(c)));
      home[c * m.small_stride + i] = c < L ? x[c < L ? c : 0] + jitter : 0.0f;
    }
  }
};

// What is shown before the first iteration.
template <int L>
struct StartLayout {
  MatchingMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    for (int c = 0; c < L; ++c)
      if (i < m.state().points) m.x[c * m.stride + i] = m.first_start(0, i, c);
  }
};

template <int L>
struct FillMatrix {
  MatchingMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t k) const {
    const std::int64_t i = k / m.small_stride, j = k % m.small_stride;
    float delta = 0;
    for (std::int32_t h = 0; h < m.dimensions; ++h)
      delta =
          add_dimension(m.metric, delta, m.columns[h * m.stride + i], m.columns[h * m.stride + (j < m.points ? j : i)]);
    m.matrix[k] = j == i || j >= m.small_points ? 0.0f : finish_distance(m.metric, delta) * m.scale;
  }
};

// What is shown while levels are small: the best layout of the population so far, or the best candidate of all.
template <int L>
struct ShowSmall {
  MatchingMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const RunState& run = m.run();
    const MatchingState& state = m.state();
    if (run.program == program_relax || i >= run.points) return;
    const bool candidate = run.program == program_polish || run.program == program_place || state.champion >= 0;
    const float* x = candidate ? m.vectors(state.shown).x : m.layouts + state.shown * m.coordinates * m.small_stride;
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = x[c * m.small_stride + i];
  }
};

template <int L>
struct TakeAverage {
  MatchingMemory<L> m;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (!m.course.current(program_average) || !(m.state().weight_sum > 0)) return;
    const float factor = static_cast<float>(1 / m.state().weight_sum);
    for (int c = 0; c < L; ++c) m.x[c * m.stride + i] = m.average[c * m.stride + i] * factor;
  }
};

// Ends a stage of one iteration.
struct EndStage {
  Course course;
  Program program;

  KINESCOPE_HD void operator()() const {
    if (course.current(program)) course.end_iteration(course.run->figure, true);
  }
};

}  // namespace kinescope::sim::glimmer
