// The polish of small levels: L-BFGS (J. Nocedal 1980) on the full stress over all pairs. Each step needs one
// evaluation, so that the polish can be watched, stopped at a limit and cancelled anywhere. It is written for a team:
// one thread on the CPU, a thread block on CUDA.
//
//   team.for_each(n, f)   f(k) for k in 0 … n − 1
//   team.sum(n, f)        their sum, known to all
//   team.first()          true for one thread
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim::glimmer {

inline constexpr int memory_pairs = 8;  // number of (s, y) pairs remembered
inline constexpr int stall_window = 8;  // accepted steps over which progress is measured

// The scalars of one candidate.
struct PolishState {
  double value = 0;            // Σ_{i<j} (d − δ)² at x
  double step = 1, slope = 0;  // of the trial step; the slope is half that of the value
  double rho[memory_pairs] = {};
  double recent[stall_window + 1] = {};
  std::int32_t pairs = 0;     // number of (s, y) pairs found so far; the latest memory_pairs are stored
  std::int32_t accepted = 0;  // steps taken
  std::int32_t round_start = 0;
  std::int32_t tries = 0;
  bool started = false, resting = false;  // resting: has nothing more to do in this round
};

// The vectors of one candidate, of `size` floats each; s and y are [memory_pairs × size].
struct PolishVectors {
  std::int64_t size;
  float *x, *trial, *gradient, *trial_gradient, *direction, *s, *y;
};

// When a candidate rests: after `steps` steps, when the last stall_window steps gained less than `gain` of the value,
// or when the value is at `floor`.
struct PolishGoal {
  std::int32_t steps;
  double gain, floor;
};

template <class Team>
KINESCOPE_HD inline void choose_direction(const Team& team, PolishState& state, const PolishVectors& v,
                                          double initial_scale) {
  const auto dot = [&](const float* a, const float* b) {
    return team.sum(v.size, [&](std::int64_t k) { return static_cast<double>(a[k] * b[k]); });
  };
  for (;;) {
    team.for_each(v.size, [&](std::int64_t k) { v.direction[k] = v.gradient[k]; });
    double alpha[memory_pairs];
    const int stored = state.pairs < memory_pairs ? state.pairs : memory_pairs;
    double scale = initial_scale;
    for (int back = 0; back < stored; ++back) {
      const int q = (state.pairs - 1 - back) % memory_pairs;
      const float *s = v.s + q * v.size, *y = v.y + q * v.size;
      alpha[back] = state.rho[q] * dot(s, v.direction);
      const float a = static_cast<float>(alpha[back]);
      team.for_each(v.size, [&](std::int64_t k) { v.direction[k] -= a * y[k]; });
      if (back == 0) scale = 1 / (state.rho[q] * dot(y, y));
    }
    const float factor = static_cast<float>(scale);
    team.for_each(v.size, [&](std::int64_t k) { v.direction[k] *= factor; });
    for (int back = stored - 1; back >= 0; --back) {
      const int q = (state.pairs - 1 - back) % memory_pairs;
      const float *s = v.s + q * v.size, *y = v.y + q * v.size;
      const float a = static_cast<float>(alpha[back] - state.rho[q] * dot(y, v.direction));
      team.for_each(v.size, [&](std::int64_t k) { v.direction[k] += a * s[k]; });
    }
    const double slope = -dot(v.gradient, v.direction);
    team.sync();
    if (team.first()) state.slope = slope;
    if (slope < 0 || state.pairs == 0) {
      team.sync();
      return;
    }
    team.sync();
    if (team.first()) state.pairs = 0;  // the stored pairs mislead: start again from the gradient
    team.sync();
  }
}

// Takes the value and the gradient at `trial` (in `value` and v.trial_gradient), and sets the next trial point.
template <class Team>
KINESCOPE_HD inline void polish_step(const Team& team, PolishState& state, const PolishVectors& v, double value,
                                     std::int64_t points, const PolishGoal& goal) {
  const bool accepted = !state.started || 0.5 * value <= 0.5 * state.value + 1e-4 * state.step * state.slope;
  bool rest = false;
  if (accepted) {
    const int q = state.pairs % memory_pairs;
    float *s = v.s + q * v.size, *y = v.y + q * v.size;
    const bool started = state.started;
    team.for_each(v.size, [&](std::int64_t k) {
      s[k] = v.trial[k] - v.x[k];
      y[k] = v.trial_gradient[k] - v.gradient[k];
      v.x[k] = v.trial[k];
      v.gradient[k] = v.trial_gradient[k];
    });
    const double sy = team.sum(v.size, [&](std::int64_t k) { return static_cast<double>(s[k] * y[k]); });
    const double yy = team.sum(v.size, [&](std::int64_t k) { return static_cast<double>(y[k] * y[k]); });
    team.sync();
    if (team.first()) {
      if (started && sy > 1e-12 * yy / static_cast<double>(points)) {
        state.rho[q] = 1 / sy;
        ++state.pairs;
      }
      state.accepted += started;
      state.started = true;
      state.value = value;
      state.recent[state.accepted % (stall_window + 1)] = value;
      state.tries = 0;
      state.step = 1;
    }
    team.sync();
    const double before = state.recent[(state.accepted + 1) % (stall_window + 1)];
    rest = value <= goal.floor || state.accepted - state.round_start >= goal.steps ||
           (state.accepted >= stall_window && before - value < goal.gain * value);
    choose_direction(team, state, v, 1.0 / static_cast<double>(points));
    rest = rest || !(state.slope < 0);
  } else if (state.tries > 6) {
    rest = state.pairs == 0;
    team.sync();
    if (team.first()) state.pairs = state.tries = 0, state.step = 1;
    team.sync();
    if (!rest) choose_direction(team, state, v, 1.0 / static_cast<double>(points));
    rest = rest || !(state.slope < 0);
  } else {
    const double bend = 0.5 * (value - state.value) - state.step * state.slope;
    const double wanted = bend > 0 ? -state.slope * state.step * state.step / (2 * bend) : 0.3 * state.step;
    team.sync();
    if (team.first()) {
      const double low = 0.1 * state.step, high = 0.6 * state.step;
      state.step = wanted < low ? low : wanted > high ? high : wanted;
      ++state.tries;
    }
    team.sync();
  }
  const float step = static_cast<float>(state.step);
  team.for_each(v.size, [&](std::int64_t k) { v.trial[k] = v.x[k] - step * v.direction[k]; });
  if (team.first()) state.resting = rest;
  team.sync();
}

}  // namespace kinescope::sim::glimmer
