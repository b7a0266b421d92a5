// The launches for large levels on the CPU: placing newcomers, and rounds. A part of multilevel_cpu.hpp, which includes
// it.
#pragma once

#include "sim/glimmer/multilevel/multilevel_cpu.hpp"

namespace kinescope::sim::glimmer {

// Gathers the points at positions 64 · block to 64 · block + 63 of a round's order.
template <int L>
template <RowFormula F>
void MultilevelKernels<Cpu, L>::gather(Panel& panel, const RoundOrder& order, std::int64_t block) const {
  const auto n = static_cast<std::int64_t>(order.points), width = panel.width;
  panel.count = std::min<std::int64_t>(64, n - 64 * block);
  std::int64_t slot = order.slot(64 * block);
  for (int k = 0; k < 64; ++k) {
    if (k < panel.count) {
      panel.slots[k] = slot;
      slot += static_cast<std::int64_t>(order.stride);
      if (slot >= n) slot -= n;
    } else {
      panel.slots[k] = panel.slots[0];
    }
  }
  for (int k = 0; k < 64; k += 8) {
    const float* rows[8];
    for (int lane = 0; lane < 8; ++lane) rows[lane] = m_.rows + panel.slots[k + lane] * width;
    for (std::int64_t h = 0; h < width; ++h)
      for (int lane = 0; lane < 8; ++lane) panel.rows[static_cast<std::size_t>(h * 64 + k + lane)] = rows[lane][h];
  }
  if (F == RowFormula::products)
    for (int k = 0; k < 64; ++k) panel.norms[k] = m_.norms[panel.slots[k]];
  for (int c = 0; c < L; ++c)
    for (int k = 0; k < 64; ++k) panel.x[c][k] = m_.x[c * m_.stride + panel.slots[k]];
}

// Places 64 newcomers. They share their anchors, which are blocks of 64 consecutive slots of placed points.
template <int L>
template <RowFormula F>
void MultilevelKernels<Cpu, L>::place_block(std::int64_t block) {
  const std::int64_t first = m_.state().first, n = m_.state().points;
  const PlaceEffort effort = place_effort;
  const int tiles = effort.anchors / 64;
  thread_local std::vector<DistanceTile> squares;
  thread_local std::vector<float> anchors;  // [anchors × L]
  squares.resize(static_cast<std::size_t>(tiles));
  anchors.resize(static_cast<std::size_t>(effort.anchors * L));
  Panel own(panel_width<F>()), other(panel_width<F>());
  const RoundOrder newcomers{static_cast<std::uint64_t>(n), 1, static_cast<std::uint64_t>(first)};
  const std::int64_t count = std::min<std::int64_t>(64, n - first - 64 * block);
  gather<F>(own, newcomers, block);
  for (int tile = 0; tile < tiles; ++tile) {
    const RoundOrder placed{static_cast<std::uint64_t>(first), 1, m_.anchor_block(block, tile)};
    gather<F>(other, placed, 0);
    fill_tile<F>(m_, other, own, squares[static_cast<std::size_t>(tile)]);
    for (int k = 0; k < 64; ++k)
      for (int c = 0; c < L; ++c) anchors[static_cast<std::size_t>((64 * tile + k) * L + c)] = other.x[c][k];
  }
  for (std::int64_t lane = 0; lane < count; lane += 8) {
    Vector8 x[L];
    place_point<L, Vector8>(
        effort,
        [&](int k, Vector8(&p)[L]) {
          for (int c = 0; c < L; ++c) p[c] = lanes::broadcast(anchors[static_cast<std::size_t>(k * L + c)]);
        },
        [&](int k) { return lanes::load<Vector8>(squares[static_cast<std::size_t>(k / 64)].row(k % 64) + lane); }, x);
    for (int c = 0; c < L; ++c)
      for (std::int64_t e = lane; e < std::min(count, lane + 8); ++e) {
        const std::int64_t i = first + 64 * block + e;
        m_.x[c * m_.stride + i] = x[c][e - lane] + m_.jitter(i, c);
      }
  }
}

template <int L>
void MultilevelKernels<Cpu, L>::place() {
  const MultilevelState& state = m_.state();
  const std::int64_t blocks = (state.points - state.first + 63) / 64, begin = state.t * (place_part / 64),
                     end = std::min(blocks, begin + place_part / 64);
  if (!has_matrix_ && m_.run().figure <= floor_stress)  // if the others are exact, the newcomers are too
    cpu_.tasks("place", end - begin, [&](std::int64_t task) {
      const std::int64_t first = state.first + 64 * (begin + task);
      for (std::int64_t i = first; i < std::min(state.points, first + 64); ++i)
        for (int c = 0; c < L; ++c) m_.x[c * m_.stride + i] = m_.reference_scale * m_.reference[i * L + c];
    });
  else
    by_formula([&](auto formula) {
      cpu_.tasks("place", end - begin, [&](std::int64_t task) { place_block<decltype(formula)::value>(begin + task); });
    });
  ++m_.course.state->t;
  if (end == blocks)
    measure();
  else
    m_.course.end_iteration(m_.run().figure, false);
}

template <int L>
void MultilevelKernels<Cpu, L>::round() {
  if (m_.state().moves) cpu_.for_each("move", m_.state().points, TakeStep<L>{m_});
  measure();
}

// Measures the blocks [first, last) against the `partners` blocks after each. Sums of blocks from `last` on go to the
// task's own memory, so that no two tasks write to the same place.
template <int L>
template <RowFormula F>
void MultilevelKernels<Cpu, L>::measure_task(std::int64_t first, std::int64_t last, std::int64_t task) {
  constexpr int values = L + PointSums<L, float>::packed;
  constexpr std::int64_t size = values * 64;
  const RoundPlan plan = RoundPlan::of(m_.state().points, m_.state().few_partners);
  const RoundOrder order = m_.round_order();
  const std::int64_t w = plan.partners;
  std::vector<Panel> panels(static_cast<std::size_t>(w + 1), Panel(panel_width<F>()));
  const auto panel = [&](std::int64_t block) -> Panel& { return panels[static_cast<std::size_t>(block % (w + 1))]; };
  std::fill_n(sums_.begin() + first * size, (last - first) * size, 0.0f);
  float* past = past_.data() + task * w * size;
  std::fill_n(past, w * size, 0.0f);
  DistanceTile tile;
  double error = 0, total = 0;
  for (std::int64_t block = first; block < first + w; ++block) gather<F>(panel(block), order, block % plan.blocks);
  for (std::int64_t block = first; block < last; ++block) {
    gather<F>(panel(block + w), order, (block + w) % plan.blocks);
    const Panel& own = panel(block);
    for (std::int64_t partner = block + 1; partner <= block + w; ++partner) {
      const Panel& other = panel(partner);
      fill_tile<F>(m_, own, other, tile);
      float* own_sums = sums_.data() + block * size;
      float* sums = partner < last ? sums_.data() + partner * size : past + (partner - last) * size;
      Vector8 errors = {}, sizes = {};
      for (std::int64_t i = 0; i < own.count; ++i) {
        Vector8 a[L];
        for (int c = 0; c < L; ++c) a[c] = lanes::broadcast(own.x[c][i]);
        PointSums<L, Vector8> mine;
        const auto meet = [&](std::int64_t j, auto partial) {
          Vector8 b[L];
          for (int c = 0; c < L; ++c) b[c] = lanes::load<Vector8>(other.x[c] + j);
          PointSums<L, Vector8> terms = pair_terms<L>(lanes::load<Vector8>(tile.row(i) + j), a, b);
          if (partial) {
            const lanes::Int8 there = lanes::iota() < static_cast<std::int32_t>(other.count - j);
            for (Vector8& value : terms.gradient) value = lanes::keep(value, there);
            for (Vector8& value : terms.hessian) value = lanes::keep(value, there);
            terms.error = lanes::keep(terms.error, there);
            terms.size = lanes::keep(terms.size, there);
          }
          add_terms(mine, terms);
          for (int c = 0; c < L; ++c)
            lanes::store(sums + c * 64 + j, lanes::load<Vector8>(sums + c * 64 + j) - terms.gradient[c]);
          for (int e = 0; e < values - L; ++e)
            lanes::store(sums + (L + e) * 64 + j, lanes::load<Vector8>(sums + (L + e) * 64 + j) + terms.hessian[e]);
        };
        std::int64_t j = 0;
        for (; j + 8 <= other.count; j += 8) meet(j, std::false_type());
        if (j < other.count) meet(j, std::true_type());
        for (int c = 0; c < L; ++c) own_sums[c * 64 + i] += lanes::sum(mine.gradient[c]);
        for (int e = 0; e < values - L; ++e) own_sums[(L + e) * 64 + i] += lanes::sum(mine.hessian[e]);
        errors = errors + mine.error;
        sizes = sizes + mine.size;
      }
      error += static_cast<double>(lanes::sum(errors));
      total += static_cast<double>(lanes::sum(sizes));
    }
  }
  task_sums_[static_cast<std::size_t>(task)] = {error, total};
}

// Measures a part of a round. The number of tasks, of at least 8 blocks each, does not depend on the number of threads,
// so any number of threads gives the same bits.
template <int L>
void MultilevelKernels<Cpu, L>::measure() {
  constexpr std::int64_t size = (L + PointSums<L, float>::packed) * 64;
  const RoundPlan plan = RoundPlan::of(m_.state().points, m_.state().few_partners);
  const std::int64_t part = m_.state().part, begin = plan.part_begin(part), end = plan.part_begin(part + 1);
  const std::int64_t tasks = std::clamp<std::int64_t>((end - begin) / 8, 1, 64);
  sums_.resize(static_cast<std::size_t>(plan.blocks * size));
  past_.resize(static_cast<std::size_t>(plan.parts * 64 * plan.partners * size));
  task_sums_.assign(static_cast<std::size_t>(plan.parts * 64), {0, 0});
  by_formula([&](auto formula) {
    cpu_.tasks("round", tasks, [&](std::int64_t task) {
      measure_task<decltype(formula)::value>(begin + (end - begin) * task / tasks,
                                             begin + (end - begin) * (task + 1) / tasks, part * 64 + task);
    });
  });
  // Remembers where each task's sums past its end are. find_directions adds them in the tasks' order.
  for (std::int64_t task = 0; task < tasks; ++task) {
    const std::int64_t after = begin + (end - begin) * (task + 1) / tasks;
    task_ends_.push_back({after, (part * 64 + task) * plan.partners * size});
  }
  double error = 0, total = 0;
  for (std::int64_t task = part * 64; task < part * 64 + tasks; ++task) {
    error += task_sums_[static_cast<std::size_t>(task)][0];
    total += task_sums_[static_cast<std::size_t>(task)][1];
  }
  if (part + 1 == plan.parts) find_directions();
  hold_out();
  m_.course.end_round_part(error, total);
}

template <int L>
void MultilevelKernels<Cpu, L>::find_directions() {
  constexpr int packed = PointSums<L, float>::packed;
  constexpr std::int64_t size = (L + packed) * 64;
  const RoundPlan plan = RoundPlan::of(m_.state().points, m_.state().few_partners);
  const RoundOrder order = m_.round_order();
  for (const auto& [after, past] : task_ends_)
    for (std::int64_t k = 0; k < plan.partners; ++k) {
      float* sums = sums_.data() + (after + k) % plan.blocks * size;
      const float* more = past_.data() + past + k * size;
      for (std::int64_t e = 0; e < size; ++e) sums[e] += more[e];
    }
  task_ends_.clear();
  cpu_.tasks("directions", (plan.blocks + 15) / 16, [&](std::int64_t task) {
    for (std::int64_t block = 16 * task; block < std::min(plan.blocks, 16 * task + 16); ++block)
      for (std::int64_t k = 0; k < plan.size(block); ++k) {
        PointSums<L, float> sums;
        const float* from = sums_.data() + block * size + k;
        for (int c = 0; c < L; ++c) sums.gradient[c] = from[c * 64];
        for (int e = 0; e < packed; ++e) sums.hessian[e] = from[(L + e) * 64];
        const std::int64_t slot = order.slot(64 * block + k);
        float step[L];
        find_direction<L>(m_, sums, plan.met(block), slot, m_.state().rounds == 0, step);
        for (int c = 0; c < L; ++c) m_.direction[c * m_.stride + slot] = step[c];
      }
  });
}

}  // namespace kinescope::sim::glimmer
