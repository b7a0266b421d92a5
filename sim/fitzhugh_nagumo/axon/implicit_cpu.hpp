// The implicit scheme on the CPU: tiles with a halo, each with all its Newton iterations while it is in the caches.
// Thomas' algorithm divides in each row and waits for the row before, so several tiles are solved together, one in
// each lane of a vector. The tiles at the ends and with the held node have other equations there, and are solved alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <thread>

#include "kinescope/executors/cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"
#include "sim/fitzhugh_nagumo/axon/loops_cpu.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

inline constexpr std::int64_t implicit_tile = 1024;
inline constexpr std::int64_t implicit_group = 8;  // tiles that a thread computes at a time

// Copies values first … first + count − 1 of an axon that is reflected beyond its ends.
template <class T>
inline void load_reflected(const T* from, std::int64_t nodes, std::int64_t first, std::int64_t count, T* to) {
  const std::int64_t before = std::clamp<std::int64_t>(-first, 0, count);
  const std::int64_t inside = std::clamp<std::int64_t>(nodes - first, before, count);
  for (std::int64_t i = 0; i < before; ++i) to[i] = from[reflected(first + i, nodes)];
  std::copy(from + first + before, from + first + inside, to + before);
  for (std::int64_t i = inside; i < count; ++i) to[i] = from[reflected(first + i, nodes)];
}

// One tile. Outside it v stays unchanged; the halo keeps that error out of the tile's own nodes.
template <class T>
class ImplicitTile {
 public:
  static constexpr std::int64_t most = implicit_tile + 2 * most_halo + 8;

  ImplicitTile(const HaloRun<T>& run, std::int64_t own)
      : run_(run),
        own_(own),
        own_end_(std::min(own + implicit_tile, run.nodes)),
        begin_(std::max<std::int64_t>(0, own - run.halo)),
        count_(std::min(own_end_ + run.halo, run.nodes) - begin_),
        held_(run.held.radius < 0 ? -1 : run.held.x - begin_) {
    load_reflected(v(), run.nodes, begin_ - 1, count_ + 2, value_.data());
    const T *next = value_.data() + 1, *w = this->w();
    for (std::int64_t i = 0; i < count_; ++i)
      known_[i] = run.step.known(next[i], next[i - 1] + next[i + 1], w[begin_ + i]);
  }

  bool converged() const { return converged_; }
  std::int64_t count() const { return count_; }
  // Whether all its equations are those of nodes within the axon.
  bool inner() const { return begin_ > 0 && begin_ + count_ < run_.nodes && (held_ < 0 || held_ >= count_); }
  const T* diagonal() const { return diagonal_.data(); }
  T* correction() { return correction_.data(); }  // before it is solved: the residuals

  // Computes the residuals and the diagonal of the Jacobian.
  void linearize() {
    T* next = value_.data() + 1;
    if (begin_ == 0) next[-1] = next[1];
    if (begin_ + count_ == run_.nodes) next[count_] = next[count_ - 2];
    for (std::int64_t i = 0; i < count_; ++i) {
      correction_[i] = run_.step.residual(next[i], next[i - 1] + next[i + 1], known_[i]);
      diagonal_[i] = run_.step.diagonal(next[i]);
    }
  }

  // Solves for the correction by Thomas' algorithm.
  void solve() {
    T last_above = 0, last = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      const bool fixed = i == held_;
      const T lower = i == 0 || fixed ? T(0) : run_.step.lower(begin_ + i, run_.nodes);
      const T upper = fixed ? T(0) : run_.step.upper(begin_ + i, run_.nodes);
      const T diagonal = fixed ? T(1) : diagonal_[i], right = fixed ? T(0) : correction_[i];
      const T inverse = T(1) / (diagonal - lower * last_above);
      diagonal_[i] = last_above = upper * inverse;
      correction_[i] = last = (right - lower * last) * inverse;
    }
    for (std::int64_t i = count_ - 2; i >= 0; --i) correction_[i] -= diagonal_[i] * correction_[i + 1];
  }

  // Subtracts the correction.
  void correct() {
    T* next = value_.data() + 1;
    for (std::int64_t i = 0; i < count_; ++i) next[i] -= correction_[i];
    const std::uint32_t all = magnitude_bits(correction_.data(), count_);
    converged_ = float_of(all) <= newton_tolerance<T>;
    raise_to(run_.newton->now.corrections[iterations_], all);
    raise_to(run_.newton->now.iterations, static_cast<std::uint32_t>(++iterations_));
  }

  void store() const {
    const int to = run_.march->current ^ 1;
    const T *next = value_.data() + 1 - begin_, *v = this->v(), *w = this->w();
    T *v_to = run_.fields.v[to], *w_to = run_.fields.w[to];
    for (std::int64_t i = own_; i < own_end_; ++i) {
      v_to[i] = next[i];
      w_to[i] = run_.step.next_w(v_to[i], run_.step.offset(v[i], w[i]));
    }
    raise_to(run_.march->largest[run_.solution],
             converged_ ? magnitude_bits(next + own_, own_end_ - own_) : 0x7FC00000u);
  }

 private:
  const T* v() const { return run_.fields.v[run_.march->current]; }
  const T* w() const { return run_.fields.w[run_.march->current]; }

  const HaloRun<T>& run_;
  std::int64_t own_, own_end_, begin_, count_, held_;
  int iterations_ = 0;
  bool converged_ = false;
  alignas(64) std::array<T, most + 2> value_;  // v', with one more value at each end
  alignas(64) std::array<T, most> known_, diagonal_, correction_;
};

// Solves for the corrections of inner tiles, one a lane.
template <class T>
void solve_together(const HaloRun<T>& run, ImplicitTile<T>* const* tile) {
  using Lanes = Vector<T>;
  constexpr int lanes = lane_count<T>;
  alignas(64) std::array<Lanes, ImplicitTile<T>::most> above, value;
  const std::int64_t count = tile[0]->count();
  const T beside = run.step.lower(1, 3);
  Lanes last_above{}, last{};
  for (std::int64_t first = 0; first < count; first += lanes) {
    Lanes diagonal[lanes], right[lanes];
    for (int k = 0; k < lanes; ++k) {
      std::memcpy(&diagonal[k], tile[k]->diagonal() + first, sizeof(Lanes));
      std::memcpy(&right[k], tile[k]->correction() + first, sizeof(Lanes));
    }
    transpose(diagonal);
    transpose(right);
    for (std::int64_t i = first; i < std::min(first + lanes, count); ++i) {
      const T lower = i == 0 ? T(0) : beside;
      const Lanes inverse = T(1) / (diagonal[i - first] - lower * last_above);
      above[static_cast<std::size_t>(i)] = last_above = beside * inverse;
      value[static_cast<std::size_t>(i)] = last = (right[i - first] - lower * last) * inverse;
    }
  }
  for (std::int64_t first = (count - 1) / lanes * lanes; first >= 0; first -= lanes) {
    Lanes block[lanes] = {};
    for (std::int64_t i = std::min(first + lanes, count) - 1; i >= first; --i) {
      const auto at = static_cast<std::size_t>(i);
      block[i - first] = last = i == count - 1 ? value[at] : value[at] - above[at] * last;
    }
    transpose(block);
    for (int k = 0; k < lanes; ++k) std::memcpy(tile[k]->correction() + first, &block[k], sizeof(Lanes));
  }
}

// Does a Newton iteration in the tiles that have not converged. Returns whether there are any.
template <class T>
bool solve_some(const HaloRun<T>& run, std::span<std::optional<ImplicitTile<T>>> tiles) {
  ImplicitTile<T>*open[implicit_group], *inner[implicit_group];
  int open_count = 0, inner_count = 0;
  for (auto& tile : tiles) {
    if (tile->converged()) continue;
    tile->linearize();
    open[open_count++] = &*tile;
    if (tile->inner()) inner[inner_count++] = &*tile;
  }
  const bool together = inner_count > 1;
  if (together) {
    std::fill(inner + inner_count, inner + implicit_group, inner[inner_count - 1]);  // has the other lanes, too
    for (int first = 0; first < inner_count; first += lane_count<T>) solve_together(run, inner + first);
  }
  for (int t = 0; t < open_count; ++t) {
    if (!together || !open[t]->inner()) open[t]->solve();
    open[t]->correct();
  }
  return open_count > 0;
}

// Does a step of the implicit scheme.
template <class T>
void step_by_halo(Cpu& cpu, const HaloRun<T>& run) {
  const std::int64_t tiles = (run.nodes - 1) / implicit_tile + 1,
                     threads = std::max(1u, std::thread::hardware_concurrency()),
                     together = std::clamp<std::int64_t>(tiles / threads, 1, implicit_group);
  cpu.tasks("implicit", (tiles - 1) / together + 1, [&](std::int64_t task) {
    const FlushTiny flush;
    std::optional<ImplicitTile<T>> own[implicit_group];
    const std::int64_t first = task * together, count = std::min(together, tiles - first);
    for (std::int64_t t = 0; t < count; ++t) own[t].emplace(run, (first + t) * implicit_tile);
    const std::span<std::optional<ImplicitTile<T>>> all(own, static_cast<std::size_t>(count));
    for (int iteration = 0; iteration < newton_limit && solve_some(run, all); ++iteration) continue;
    for (const auto& tile : all) tile->store();
  });
}

}  // namespace kinescope::sim::fitzhugh_nagumo
