// Newton's method for a step of the implicit scheme with a separate solver of tridiagonal systems. Its launches do
// nothing once the corrections are small. (The halo method does all of it in one kernel.)
#pragma once

#include <cstdint>

#include "sim/fitzhugh_nagumo/axon/tridiagonal.hpp"
#include "sim/fitzhugh_nagumo/fields.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// The largest correction at which Newton's method stops. It converges quadratically, ‖δ'‖ < 0.2 ‖δ‖², so the remaining
// error is below rounding.
template <class T>
inline constexpr float newton_tolerance = sizeof(T) == 8 ? 1e-8f : 2e-4f;

struct NewtonBegin {
  NewtonState* newton;
  const March* march;
  KINESCOPE_HD void operator()() const { newton->idle = march->steps == 0; }
};

// The sum of v at both neighbours of node i. The ghost node beyond an end has the v of the node before the end.
template <class T>
KINESCOPE_HD T neighbours(const T* v, std::int64_t i, std::int64_t nodes) {
  return i == 0 ? T(2) * v[1] : i == nodes - 1 ? T(2) * v[nodes - 2] : v[i - 1] + v[i + 1];
}

template <class T>
struct NewtonKnown {
  Fields<T> fields;
  const March* march;
  ImplicitStep<T> step;
  std::int64_t nodes;
  T* known;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (march->steps == 0) return;
    const T *v = fields.v[march->current], *w = fields.w[march->current];
    known[i] = step.known(v[i], neighbours(v, i, nodes), w[i]);
    fields.v[march->current ^ 1][i] = v[i];
  }
};

template <class T>
struct NewtonSystem {
  Fields<T> fields;
  const March* march;
  const NewtonState* newton;
  ImplicitStep<T> step;
  Held held;
  std::int64_t nodes;
  const T* known;
  System<T> system;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (newton->idle) return;
    const T* v = fields.v[march->current ^ 1];
    const bool fixed = held.holds(i);
    system.right[i] = fixed ? T(0) : step.residual(v[i], neighbours(v, i, nodes), known[i]);
    system.diagonal[i] = fixed ? T(1) : step.diagonal(v[i]);
    system.lower[i] = fixed ? T(0) : step.lower(i, nodes);
    system.upper[i] = fixed ? T(0) : step.upper(i, nodes);
  }
};

template <class T>
struct NewtonCorrect {
  Fields<T> fields;
  const March* march;
  const NewtonState* newton;
  const T* correction;

  KINESCOPE_HD LargestMagnitude operator()(std::int64_t i) const {
    if (newton->idle) return {};
    fields.v[march->current ^ 1][i] -= correction[i];
    return {std::fabs(static_cast<float>(correction[i]))};
  }
};

struct NewtonJudge {
  NewtonState* newton;
  float tolerance;

  KINESCOPE_HD void operator()(LargestMagnitude correction) const {
    if (newton->idle) return;
    newton->now.corrections[newton->now.iterations++] = bits_of(correction.value);
    if (correction.value <= tolerance) newton->idle = 1;
  }
};

// Computes w of the new step. The result is the largest |v|, or a NaN if Newton's method has not converged.
template <class T>
struct NewtonEnd {
  Fields<T> fields;
  const March* march;
  const NewtonState* newton;
  ImplicitStep<T> step;

  KINESCOPE_HD LargestMagnitude operator()(std::int64_t i) const {
    if (march->steps == 0) return {};
    const int from = march->current;
    const T next = fields.v[from ^ 1][i];
    fields.w[from ^ 1][i] = step.next_w(next, step.offset(fields.v[from][i], fields.w[from][i]));
    return {newton->idle ? std::fabs(static_cast<float>(next)) : NAN};
  }
};

}  // namespace kinescope::sim::fitzhugh_nagumo
