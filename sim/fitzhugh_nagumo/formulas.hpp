// FitzHugh–Nagumo's equations in one and two dimensions, and their discrete forms, each once for both processors.
//
// "Using GPUs to solve Spatial FitzHugh-Nagumo Equation Numerically" (the paper), after R. FitzHugh, Biophysical J. 1
// (1961) and J. Nagumo, S. Arimoto, S. Yoshizawa, Proc. IRE 50 (1962):
//
//   ∂v/∂t = ∇²v + f(v) − w,   f(v) = v (1 − v)(v − a)        ∂w/∂t = ε (v − γ w)
//
//   v     potential                w     recovery            a   threshold of excitation, 0 < a < 1/2
//   ε     speed of recovery        γ     its decay           Δx, Δt   steps of the grid and of time;  r = Δt/Δx²
//
// No flux at the ends: the ghost node beyond an end equals the node before it (second order; the paper's v_0 = v_1 is
// of first order). Products and sums that belong together are one fused operation, so that both processors round alike.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// The equation's constants and the steps, as the user sets them.
struct Constants {
  double a = 0.01, gamma = 2, epsilon = 0.01, dx = 0.5, dt = 0.1;
  bool operator==(const Constants&) const = default;
};

template <class T>
KINESCOPE_HD T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}
template <class T>
KINESCOPE_HD T larger(T a, T b) {
  return a > b || a != a ? a : b;  // keeps a NaN
}

// f(v) and its derivative.
template <class T>
KINESCOPE_HD T reaction(T v, T a) {
  return v * (fused(v, T(1) + a - v, -a));
}
template <class T>
KINESCOPE_HD T reaction_slope(T v, T a) {
  return fused(v, fused(T(-3), v, T(2) * (T(1) + a)), -a);
}

// Forward time, central space (the paper's explicit scheme), for d dimensions:
//   v' = v + r (Σ neighbours − 2 d v) + Δt (f(v) − w)        w' = w + Δt ε (v − γ w)
// where all that is multiplied by v is gathered in a quadratic polynomial. 8 operations per node (10 in 2-D).
template <class T>
struct ExplicitStep {
  T r, dt, q1, q0;  // v' = r Σ + v (q0 + q1 v − Δt v²) + (v − Δt w)
  T drive, decay;   // w' = drive v + (w − decay w)

  static ExplicitStep make(const Constants& c, int dimensions) {
    const double r = c.dt / (c.dx * c.dx);
    return {T(r),
            T(c.dt),
            T(c.dt * (1 + c.a)),
            T(-2 * dimensions * r - c.dt * c.a),
            T(c.dt * c.epsilon),
            T(c.dt * c.epsilon * c.gamma)};
  }

  KINESCOPE_HD T next_v(T v, T neighbours, T w) const {
    const T q = fused(fused(v, -dt, q1), v, q0);
    return fused(r, neighbours, fused(v, q, fused(-dt, w, v)));
  }
  KINESCOPE_HD T next_w(T v, T w) const { return fused(drive, v, fused(-decay, w, w)); }
};

// Trapezoidal in v and w together (Crank–Nicolson). w' is linear in v' and eliminated: w' = offset + slope v'. What
// remains for each node is F(v') = v' − Δt/2 (δ²v'/Δx² + f(v') − slope v') − known = 0, whose Jacobian is tridiagonal
// with −r/2 beside the diagonal.
template <class T>
struct ImplicitStep {
  T r_half, dt_half, a, slope;
  T from_w, from_v;  // offset = from_w w + from_v v

  static ImplicitStep make(const Constants& c) {
    const double half = 0.5 * c.dt, below = 1 + half * c.epsilon * c.gamma;
    return {T(half / (c.dx * c.dx)),
            T(half),
            T(c.a),
            T(half * c.epsilon / below),
            T((1 - half * c.epsilon * c.gamma) / below),
            T(half * c.epsilon / below)};
  }

  KINESCOPE_HD T offset(T v, T w) const { return fused(from_w, w, from_v * v); }
  KINESCOPE_HD T known(T v, T neighbours, T w) const {
    const T change = fused(dt_half, reaction(v, a) - w - offset(v, w), v);
    return fused(r_half, fused(T(-2), v, neighbours), change);
  }
  KINESCOPE_HD T residual(T v, T neighbours, T known) const {
    const T rest = fused(-dt_half, fused(-slope, v, reaction(v, a)), v - known);
    return fused(-r_half, fused(T(-2), v, neighbours), rest);
  }
  KINESCOPE_HD T diagonal(T v) const { return fused(dt_half, slope - reaction_slope(v, a), fused(T(2), r_half, T(1))); }
  // The off-diagonal entries. At the ends, where v is reflected, the only neighbour counts twice.
  KINESCOPE_HD T lower(std::int64_t i, std::int64_t nodes) const {
    return i == 0 ? T(0) : i == nodes - 1 ? T(-2) * r_half : -r_half;
  }
  KINESCOPE_HD T upper(std::int64_t i, std::int64_t nodes) const { return lower(nodes - 1 - i, nodes); }
  KINESCOPE_HD T next_w(T next_v, T offset) const { return fused(slope, next_v, offset); }
};

// The node whose value stands for that of node i. A node beyond an end is reflected as often as needed.
KINESCOPE_HD inline std::int64_t reflected(std::int64_t i, std::int64_t nodes) {
  if (i < 0) i = -i;
  if (i >= nodes) i = 2 * (nodes - 1) - i;
  if (i >= 0) return i;  // one reflection is enough unless there are few nodes
  const std::int64_t period = 2 * (nodes - 1);
  i = (i % period + period) % period;
  return i < nodes ? i : period - i;
}
KINESCOPE_HD inline std::int64_t wrapped(std::int64_t i, std::int64_t nodes) {
  if (i >= 0 && i < nodes) return i;
  return (i % nodes + nodes) % nodes;
}

}  // namespace kinescope::sim::fitzhugh_nagumo
