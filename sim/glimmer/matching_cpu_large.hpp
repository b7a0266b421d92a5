// The launches of large levels on the CPU: newcomers placed, random matchings, the average of positions. Part of
// matching_cpu.hpp, which includes it.
#pragma once

#include "sim/glimmer/matching_cpu.hpp"

namespace kinescope::sim::glimmer {

// Newcomers in blocks of 64 that share their anchors.
template <int L>
template <Metric M>
void MatchingKernels<Cpu, L>::place() {
  const std::int64_t first = m_.state().first, n = m_.state().points;
  const auto level = static_cast<std::uint32_t>(m_.run().level);
  cpu_.tasks("place", (n - first + 255) / 256, [&](std::int64_t task) {
    for (std::int64_t block = 4 * task; block < std::min((n - first + 63) / 64, 4 * task + 4); ++block) {
      std::int64_t anchor[anchors];
      Vector8 p[anchors][L];
      for (int k = 0; k < anchors; ++k) {
        const RandomWords words =
            Random(m_.seed, stream_anchors)
                .words(static_cast<std::uint64_t>(block), 4 * level + static_cast<std::uint32_t>(k / 4));
        anchor[k] = uniform_below(words[k % 4], static_cast<std::uint32_t>(first));
        for (int c = 0; c < L; ++c) p[k][c] = lanes::broadcast(m_.x[c * m_.stride + anchor[k]]);
      }
      const std::int64_t end = std::min(n, first + 64 * block + 64);
      for (std::int64_t i = first + 64 * block; i < end; i += 8) {
        Vector8 delta[anchors] = {}, x[L];
        for (std::int32_t h = 0; h < m_.dimensions; ++h) {
          const float* column = m_.columns + h * m_.stride;
          const Vector8 own = lanes::load<Vector8>(column + i);
          for (int k = 0; k < anchors; ++k)
            delta[k] = add_dimension(M, delta[k], lanes::broadcast(column[anchor[k]]), own);
        }
        for (Vector8& value : delta) value = finish_distance(M, value) * m_.scale;
        multilaterate<L>(p, delta, x);
        for (int c = 0; c < L; ++c)
          for (int lane = 0; lane < 8 && i + lane < end; ++lane) {
            const RandomWords words = Random(m_.seed, stream_jitter)
                                          .words(static_cast<std::uint64_t>(i + lane), static_cast<std::uint32_t>(c));
            m_.x[c * m_.stride + i + lane] = x[c][lane] + 1e-6f * near_normal(words);
          }
      }
    }
  });
  m_.course.end_iteration(m_.run().figure, true);
}

// K vectors of points against K others, element k of one with element order[k] of the other.
template <int L>
template <Metric M, int K>
void MatchingKernels<Cpu, L>::match(const std::int64_t (&i)[K], const std::int64_t (&j)[K], lanes::Int8 order,
                                    Vector8 eta, Vector8& errors, Vector8& sizes) {
  Vector8 delta[K] = {};
  const float* column = m_.columns;
  for (std::int32_t h = 0; h < m_.dimensions; ++h, column += m_.stride)
    for (int k = 0; k < K; ++k)
      delta[k] = add_dimension(M, delta[k], lanes::load<Vector8>(column + i[k]),
                               lanes::permute(lanes::load<Vector8>(column + j[k]), order));
  const std::int64_t n = m_.state().points;
  for (int k = 0; k < K; ++k) {
    Vector8 a[L], b[L];
    for (int c = 0; c < L; ++c) {
      a[c] = lanes::load<Vector8>(m_.x + c * m_.stride + i[k]);
      b[c] = lanes::permute(lanes::load<Vector8>(m_.x + c * m_.stride + j[k]), order);
    }
    delta[k] = finish_distance(M, delta[k]) * m_.scale;
    if (i[k] + 8 <= n && j[k] + 8 <= n) {
      const Vector8 error = move_pair<L>(delta[k], eta, a, b);
      errors = lanes::fma(error, error, errors);
      sizes = lanes::fma(delta[k], delta[k], sizes);
    } else {  // past the last point there is nobody
      const lanes::Int8 there =
          (lanes::iota() < static_cast<std::int32_t>(n - i[k])) & (order < static_cast<std::int32_t>(n - j[k]));
      const Vector8 size = lanes::keep(delta[k], there);
      const Vector8 error = lanes::keep(move_pair<L>(delta[k], lanes::keep(eta, there), a, b), there);
      errors = lanes::fma(error, error, errors);
      sizes = lanes::fma(size, size, sizes);
    }
    for (int c = 0; c < L; ++c) {
      lanes::store(m_.x + c * m_.stride + i[k], a[c]);
      lanes::store(m_.x + c * m_.stride + j[k], lanes::permute(b[c], order));  // `order` is its own inverse
    }
  }
}

// Eight matchings between the points of blocks b and q: vector v of one with vector (s − v) of the other, element k
// with c − k.
template <int L>
template <Metric M>
void MatchingKernels<Cpu, L>::relax_blocks(std::int64_t b, std::int64_t q, std::int64_t step,
                                           const std::array<float, sub_matchings>& eta, Vector8& errors,
                                           Vector8& sizes) {
  const std::int64_t n = m_.state().points, size = Memory::block_size(n), vectors = size / 8;
  for (int u = 0; u < sub_matchings; ++u) {
    const RandomWords words =
        Random(m_.seed, stream_matching + 16 * static_cast<std::uint32_t>(m_.run().level))
            .words(static_cast<std::uint64_t>(step), static_cast<std::uint32_t>(b * sub_matchings + u));
    const std::int64_t s = words[0] % static_cast<std::uint32_t>(vectors);
    const lanes::Int8 order = (static_cast<std::int32_t>(words[1] & 7) - lanes::iota()) & 7;
    const Vector8 eta_u = lanes::broadcast(eta[static_cast<std::size_t>(u)]);
    std::int64_t v = 0;
    if (q != b && (std::max(b, q) + 1) * size <= n)
      for (; v + 4 <= vectors; v += 4) {
        std::int64_t i[4], j[4];
        for (int k = 0; k < 4; ++k) i[k] = b * size + 8 * (v + k), j[k] = q * size + 8 * ((s - v - k) & (vectors - 1));
        match<M, 4>(i, j, order, eta_u, errors, sizes);
      }
    for (; v < vectors; ++v) {
      const std::int64_t w = (s - v) & (vectors - 1);
      if (q == b && w <= v) continue;
      const std::int64_t i[1] = {b * size + 8 * v}, j[1] = {q * size + 8 * w};
      if (i[0] < n && j[0] < n) match<M, 1>(i, j, order, eta_u, errors, sizes);
    }
  }
}

template <int L>
template <Metric M>
void MatchingKernels<Cpu, L>::relax() {
  const std::int64_t n = m_.state().points, blocks = m_.state().blocks, size = Memory::block_size(n),
                     step = m_.state().t / sub_matchings;
  const RandomWords words = Random(m_.seed, stream_matching + 16 * static_cast<std::uint32_t>(m_.run().level))
                                .words(static_cast<std::uint64_t>(step), 0xffffffffu);
  const std::int64_t r = uniform_below(words[0], static_cast<std::uint32_t>(blocks));
  std::array<float, sub_matchings> eta;
  for (int u = 0; u < sub_matchings; ++u) eta[static_cast<std::size_t>(u)] = m_.course.relax_eta(u);
  const bool averaging = m_.course.averaging();
  const float weight = m_.course.average_weight();
  const bool begins = m_.state().weight_sum == 0;
  block_sums_.assign(static_cast<std::size_t>(blocks), {0, 0});
  const auto pair = [&](std::int64_t b) {
    const std::int64_t q = (r - b + blocks) % blocks;
    if (q < b) return;
    Vector8 errors = {}, sizes = {};
    relax_blocks<M>(b, q, step, eta, errors, sizes);
    block_sums_[static_cast<std::size_t>(b)] = {lanes::sum(errors), lanes::sum(sizes)};
    if (!averaging) return;
    for (const std::int64_t block : {b, q}) {
      for (int c = 0; c < L; ++c) {
        float* sum = m_.average + c * m_.stride;
        const float* x = m_.x + c * m_.stride;
        const std::int64_t end = std::min(n, (block + 1) * size);
        for (std::int64_t i = block * size; i < end; ++i) sum[i] = (begins ? 0.0f : sum[i]) + weight * x[i];
      }
      if (q == b) break;
    }
  };
  const std::int64_t tasks = std::min<std::int64_t>(blocks, 32);
  cpu_.tasks("relax", n * m_.dimensions < 30000 ? 1 : tasks, [&](std::int64_t task) {
    const std::int64_t share = n * m_.dimensions < 30000 ? 1 : tasks;
    for (std::int64_t b = blocks * task / share; b < blocks * (task + 1) / share; ++b) pair(b);
  });
  double error = 0, total = 0;
  for (const auto& [e, s] : block_sums_) error += e, total += s;
  m_.course.end_relax(error, total);
}

template <int L>
void MatchingKernels<Cpu, L>::average() {
  const double weights = m_.state().weight_sum;
  const float factor = weights > 0 ? static_cast<float>(1 / weights) : 0;
  if (weights > 0)
    cpu_.for_each("average", m_.state().points, [&](std::int64_t i) {
      for (int c = 0; c < L; ++c) m_.x[c * m_.stride + i] = m_.average[c * m_.stride + i] * factor;
    });
  m_.course.end_iteration(m_.run().figure, true);
}

}  // namespace kinescope::sim::glimmer
