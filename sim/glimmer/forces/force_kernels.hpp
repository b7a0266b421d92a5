// Glimmer's forces (S. Ingram, "Multilevel Multidimensional Scaling on the GPU", 2007, chapter 4: GPU-SF).
//
//   symbol      here          meaning
//   N, H, L     points, dimensions, dimension count of Vector
//   δ_ij        delta         distance in the input
//   d_ij        d             distance in the layout
//   û           direction     unit vector from j to i in the layout
//   Near, Random              index sets of a point: nearest found so far, drawn anew each iteration
//
//   F_i = 1/|Near ∪ Random| Σ_j ( k (δ_ij − d_ij) − c (v_i − v_j)·û ) û            forces act on i only
//   v_i ← λ (v_i + h F_i),  |v| limited;   x_i ← x_i + h v_i      (Euler; λ and the limit are the released program's)
//   sparse stress = Σ_i Σ_j (d_ij − δ_ij)² / Σ_i Σ_j δ_ij²                                                 (eq. 4.1)
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "kinescope/random.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/forces/force_state.hpp"

namespace kinescope::sim::glimmer {

template <int L>
using Vector = glm::vec<L, float, glm::defaultp>;

template <int L>
KINESCOPE_HD inline float dot(Vector<L> a, Vector<L> b) {
  float sum = a[0] * b[0];
  for (int l = 1; l < L; ++l) sum = std::fma(a[l], b[l], sum);
  return sum;
}

// The streams of random numbers, one for each purpose.
enum Stream : std::uint32_t { stream_permutation = 101, stream_start, stream_draw, stream_direction };

// Uniform in the cube [−1, 1]^L.
template <int L>
KINESCOPE_HD inline Vector<L> random_vector(const RandomWords& words) {
  Vector<L> x;
  for (int l = 0; l < L; ++l) x[l] = std::fma(2.0f, uniform_float(words[l]), -1.0f);
  return x;
}

// The layout of one moment: position and velocity of each point.
template <int L>
struct Layout {
  Vector<L>* position;
  Vector<L>* velocity;
};

inline constexpr int maximum_set = 16;  // capacity of the Near set, and of the Random set
inline constexpr std::int32_t nobody = -1;

// Another point, and its distance in the input.
struct Candidate {
  std::int32_t index;
  float delta;
};

// One iteration for point i: reads the layout `now`, writes point i of `next`, renews its Near set, and returns its
// share of the sums. The two layouts are swapped each iteration, so that no point sees a half-moved layout.
template <int L>
struct StochasticForce {
  const RunState* run;
  const ForceState* state;
  const ForceConstants* constants;
  Rows rows;
  Layout<L> layouts[2];
  Candidate* near;  // [points × maximum_set], nobody where fewer were found
  std::uint64_t seed;

  KINESCOPE_HD ForceSums operator()(std::int64_t i) const {
    const Layout<L> now = layouts[run->iteration & 1], next = layouts[~run->iteration & 1];
    if (run->converged) return {};
    if (i < state->first_free) {
      next.position[i] = now.position[i];
      next.velocity[i] = now.velocity[i];
      return {};
    }
    Candidate candidates[2 * maximum_set];
    const int count = gather(i, candidates);
    Vector<L> x = now.position[i], v = now.velocity[i];
    if (constants->arrive && state->stage_iteration == 0 && i >= first_newcomer())
      arrive(i, now, candidates, count, x, v);
    Vector<L> force(0.0f);
    SparseStress sum;
    for (int k = 0; k < count; ++k) {
      const auto [j, delta] = candidates[k];
      const Vector<L> between = x - now.position[j];
      const float d = std::sqrt(dot<L>(between, between));
      const Vector<L> direction = d > 0 ? between / d : random_direction(i);
      const float closing = dot<L>(v - now.velocity[j], direction);
      force += (constants->spring * (delta - d) - constants->damping * closing) * direction;
      sum = sum + SparseStress{(d - delta) * (d - delta), delta * delta};
    }
    const float h = constants->step;
    const float share = 1 / float(constants->near + constants->random);
    v = (v + (h / float(constants->near + constants->random)) * force) * constants->velocity_decay;
    for (int l = 0; l < L; ++l)
      v[l] = std::fmin(std::fmax(v[l], -constants->velocity_limit), constants->velocity_limit);
    next.position[i] = x + h * v;
    next.velocity[i] = v;
    keep_nearest(i, candidates, count);
    return {sum, std::sqrt(dot<L>(v, v)), share * std::sqrt(dot<L>(force, force))};
  }

  // The first newcomer of the interpolation. The coarsest level has none: all its points start at random.
  KINESCOPE_HD std::int64_t first_newcomer() const { return state->first_free > 0 ? state->first_free : state->points; }

  // Gathers the Near set and fresh draws, without i itself and without duplicates. While a level interpolates, its
  // points see only placed ones.
  KINESCOPE_HD int gather(std::int64_t i, Candidate* candidates) const {
    int count = 0;
    for (int k = 0; k < constants->near; ++k) count = add(i, near[i * maximum_set + k], candidates, count);
    const int known = count;
    const std::uint32_t reach = static_cast<std::uint32_t>(state->first_free > 0 ? state->first_free : state->points);
    RandomWords words{};
    for (int k = 0; k < constants->random; ++k) {
      if (k % 4 == 0)
        words = Random(seed, stream_draw).words(i, static_cast<std::uint32_t>(4 * run->iteration + k / 4));
      count = add(i, {static_cast<std::int32_t>(uniform_below(words[k % 4], reach)), 0}, candidates, count);
    }
    return measure(i, candidates, known, count);
  }

  KINESCOPE_HD static int add(std::int64_t i, Candidate candidate, Candidate* candidates, int count) {
    if (candidate.index == nobody || candidate.index == i) return count;
    for (int k = 0; k < count; ++k)
      if (candidates[k].index == candidate.index) return count;
    candidates[count] = candidate;
    return count + 1;
  }

  // Computes δ of the candidates from number `known` on, and leaves out those without one.
  KINESCOPE_HD int measure(std::int64_t i, Candidate* candidates, int known, int count) const {
    constexpr int together = 4;
    int kept = known;
    for (int first = known; first < count; first += together) {
      std::int32_t j[together];
      float delta[together];
      for (int k = 0; k < together; ++k) j[k] = candidates[first + k < count ? first + k : count - 1].index;
      rows.distances<together>(i, j, delta);
      for (int k = 0; k < together && first + k < count; ++k)
        if (delta[k] == delta[k]) candidates[kept++] = {j[k], delta[k]};
    }
    return kept;
  }

  // A newcomer starts near the nearest of the points it has found.
  KINESCOPE_HD void arrive(std::int64_t i, const Layout<L>& now, const Candidate* candidates, int count, Vector<L>& x,
                           Vector<L>& v) const {
    v = Vector<L>(0.0f);
    x = Vector<L>(0.0f);
    int nearest = 0;
    for (int k = 1; k < count; ++k)
      if (candidates[k].delta < candidates[nearest].delta) nearest = k;
    if (count > 0) x = now.position[candidates[nearest].index] + 0.5f * candidates[nearest].delta * random_direction(i);
  }

  KINESCOPE_HD Vector<L> random_direction(std::int64_t i) const {
    const Vector<L> x =
        random_vector<L>(Random(seed, stream_direction).words(i, static_cast<std::uint32_t>(run->iteration)));
    const float length = std::sqrt(dot<L>(x, x));
    Vector<L> axis(0.0f);
    axis[0] = 1;
    return length > 1e-3f ? x / length : axis;
  }

  // The candidates with the smallest δ become the new Near set. Equal ones keep their order.
  KINESCOPE_HD void keep_nearest(std::int64_t i, Candidate* candidates, int count) const {
    for (int k = 1; k < count; ++k) {
      const Candidate moving = candidates[k];
      int place = k;
      for (; place > 0 && candidates[place - 1].delta > moving.delta; --place)
        candidates[place] = candidates[place - 1];
      candidates[place] = moving;
    }
    for (int k = 0; k < constants->near; ++k)
      near[i * maximum_set + k] = k < count ? candidates[k] : Candidate{nobody, 0};
  }
};

// The start: all points at random in a cube of about the data's size, at rest, with empty Near sets.
template <int L>
struct Scatter {
  Layout<L> layouts[2];
  Candidate* near;
  std::uint64_t seed;
  float size;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    layouts[0].position[i] = layouts[1].position[i] = size * random_vector<L>(Random(seed, stream_start).words(i));
    layouts[0].velocity[i] = layouts[1].velocity[i] = Vector<L>(0.0f);
    for (int k = 0; k < maximum_set; ++k) near[i * maximum_set + k] = {nobody, 0};
  }
};

}  // namespace kinescope::sim::glimmer
