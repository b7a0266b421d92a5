// The smoke's particles. They are born at rest, in batches, at the chimney's mouth. Forward Euler moves them through a
// smooth random flow that rises, and with the wind, until they leave the cube.
//
//   v ← v + h (u(x, t) − v) / τ        x ← x + h v
//   u = rise + wind · profile(z) + Σ_m a_m sin 2π(k_m·x − w_m t + φ_m),   a_m ⊥ k_m: the flow has no sources
//
// Particle number n is in slot n modulo the capacity. The living particles have numbers first … next − 1, with gaps.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/run_state.hpp"
#include "kinescope/landscape/landscape.hpp"
#include "kinescope/random.hpp"
#include "sim/landscape/live.hpp"
#include "sim/landscape/smoke/field_kernels.hpp"

namespace kinescope::sim::landscape {

inline constexpr std::int64_t smoke_capacity = 1 << 17;
inline constexpr std::uint32_t smoke_stream = 0x50CE0000u, flow_stream = 0x50CE0001u;
inline constexpr int batch_steps = 3;           // iterations between two batches
inline constexpr float oldest_smoke = 20;       // s
inline constexpr float largest_growth = 1.25f;  // of a metaball's radius, at most, as a multiple of smoke_radius

struct Particle {
  float x, y, z;       // m
  float size;          // factor on its radius; 0: no particle
  float vx, vy, vz;    // m/s
  std::uint32_t born;  // iteration
};

struct SmokeFlow {
  static constexpr int modes = 10;
  struct Mode {
    float kx, ky, kz;   // turns per metre
    float phase, rate;  // turns, turns per second
    float ax, ay, az;   // m/s
  };
  Mode mode[modes] = {};
  float corner[3] = {};  // of the cube
  float mouth[3] = {};   // of the chimney
};

SmokeFlow make_flow(std::uint64_t seed, const glm::vec3& chimney_mouth);

struct SmokeState {
  std::int64_t first = 0, next = 0;  // range of the living particles' numbers
  std::int64_t born = 0;             // particles from this number on are born in this step
  std::int64_t span = 0;             // next − first
  double owed = 0;                   // particles that the rate demands but that are not yet made
  std::int64_t living = 0;
};

// sin 2πt, to 1e-6, with the same bits everywhere.
KINESCOPE_HD inline float sine_turns(float t) {
  const float part = t - std::floor(t + 0.5f);
  // Folds the turn to |t| ≤ ¼, then takes a polynomial of seventh degree.
  const float folded = part > 0.25f ? 0.5f - part : part < -0.25f ? -0.5f - part : part;
  const float x = folded * 6.2831853f, square = x * x;
  return x * (1 + square * (-1.6666654611e-1f + square * (8.3321608736e-3f + square * -1.9515295891e-4f)));
}

struct LivingSmoke {
  std::int64_t first = INT64_MAX;
  std::int64_t count = 0;
  KINESCOPE_HD LivingSmoke operator+(LivingSmoke other) const {
    return {first < other.first ? first : other.first, count + other.count};
  }
};

// How a particle is born, and how it moves in a step of `h` seconds that begins at an iteration.
struct SmokeMotion {
  SmokeFlow flow;
  std::uint64_t seed;
  const Live* live;

  KINESCOPE_HD Particle newborn(std::int64_t number, std::int64_t iteration) const {
    const RandomWords words = Random(seed, smoke_stream).words(static_cast<std::uint64_t>(number));
    const float x = 2 * uniform_float(words[0]) - 1, y = 2 * uniform_float(words[1]) - 1;
    return {flow.mouth[0] + 0.28f * x,
            flow.mouth[1] + 0.28f * y,
            flow.mouth[2] + 0.15f * uniform_float(words[2]),
            0.75f + 0.5f * uniform_float(words[3]),
            0,
            0,
            0,
            static_cast<std::uint32_t>(iteration)};
  }

  KINESCOPE_HD void move(Particle& p, std::int64_t iteration, float h) const {
    constexpr float step = static_cast<float>(step_seconds), inverse_tau = 1.8f;
    const float time = static_cast<float>(iteration % 1'000'000) * step;
    const float age = static_cast<float>(static_cast<std::uint32_t>(iteration) - p.born) * step;
    const float x = p.x - flow.corner[0], y = p.y - flow.corner[1], z = p.z - flow.corner[2];
    // Just above the roof the wind is weak; the rise slows down as the smoke cools.
    const float wind = z < 12 ? 0.25f + z * (0.75f / 12) : 1.0f;
    float ux = live->wind_x * wind, uy = live->wind_y * wind, uz = 0.9f + 2.6f / (1 + 0.35f * age);
    const float stir = age < 2 ? 0.35f + 0.325f * age : 1.0f;
    for (const SmokeFlow::Mode& m : flow.mode) {
      const float s = stir * sine_turns(m.kx * x + m.ky * y + m.kz * z - m.rate * time + m.phase);
      ux += m.ax * s;
      uy += m.ay * s;
      uz += m.az * s;
    }
    p.vx += h * (ux - p.vx) * inverse_tau;
    p.vy += h * (uy - p.vy) * inverse_tau;
    p.vz += h * (uz - p.vz) * inverse_tau;
    p.x += h * p.vx;
    p.y += h * p.vy;
    p.z += h * p.vz;
    const float at[3] = {p.x - flow.corner[0], p.y - flow.corner[1], p.z - flow.corner[2]};
    for (const float c : at)
      if (!(c >= 0 && c <= smoke_cube_side)) p.size = 0;
    if (age > oldest_smoke) p.size = 0;
  }
};

struct MoveSmoke {
  SmokeMotion motion;
  const RunState* run;
  const SmokeState* state;
  Particle* particles;  // [smoke_capacity]

  KINESCOPE_HD LivingSmoke operator()(std::int64_t i) const {
    const std::int64_t number = state->first + i;
    Particle& slot = particles[number & (smoke_capacity - 1)];
    if (run->converged) return slot.size > 0 ? LivingSmoke{number, 1} : LivingSmoke{};
    Particle p = number >= state->born ? motion.newborn(number, run->iteration) : slot;
    if (p.size > 0) motion.move(p, run->iteration, static_cast<float>(step_seconds));
    slot = p;
    return p.size > 0 ? LivingSmoke{number, 1} : LivingSmoke{};
  }
};

// The smoke that has risen before the first iteration, as if the chimney had smoked for oldest_smoke seconds at this
// rate and in this wind; older particles would have died. Each particle moves independently, in longer steps than in
// the run. The smallest eddies are still eight steps wide.
struct RisenSmoke {
  double batch = 0;          // particles in a batch, not always a whole number
  std::int64_t batches = 0;  // born before the first iteration; one more is born in it

  // Makes as many batches as there is room for.
  explicit RisenSmoke(double rate) : batch(rate * (batch_steps * step_seconds)) {
    if (!(batch > 0)) return;
    const double room = static_cast<double>(smoke_capacity) / batch - 1;
    batches = static_cast<std::int64_t>(std::fmin(oldest_smoke / (batch_steps * step_seconds), room));
  }
  KINESCOPE_HD std::int64_t made_in(std::int64_t count) const {
    return static_cast<std::int64_t>(std::floor(batch * static_cast<double>(count)));
  }
  KINESCOPE_HD std::int64_t particles() const { return made_in(batches); }
  // The iteration, before 0, in which a particle was born.
  KINESCOPE_HD std::int64_t birth(std::int64_t number) const {
    const auto before = static_cast<std::int64_t>(std::ceil(static_cast<double>(number + 1) / batch)) - 1;
    return (before < batches ? before - batches : -1) * batch_steps;
  }
};

struct RaiseSmoke {
  static constexpr std::int64_t most_steps = 6;  // iterations that one step covers, at most
  SmokeMotion motion;
  RisenSmoke risen;
  Particle* particles;  // [smoke_capacity]

  KINESCOPE_HD LivingSmoke operator()(std::int64_t number) const {
    const std::int64_t birth = risen.birth(number);
    Particle p = motion.newborn(number, birth);
    std::int64_t iteration = birth;
    while (iteration < 0 && p.size > 0) {
      const std::int64_t steps = -iteration < most_steps ? -iteration : most_steps;
      motion.move(p, iteration, static_cast<float>(static_cast<double>(steps) * step_seconds));
      iteration += steps;
    }
    particles[number] = p;
    return p.size > 0 ? LivingSmoke{number, 1} : LivingSmoke{};
  }
};

struct EndRaising {
  RisenSmoke risen;
  SmokeState* state;

  KINESCOPE_HD void operator()(LivingSmoke living) const {
    state->born = risen.particles();
    state->next = risen.made_in(risen.batches + 1);
    state->first = living.count > 0 ? living.first : state->born;
    state->span = state->next - state->first;
    state->owed = risen.batch * static_cast<double>(risen.batches + 1) - static_cast<double>(state->next);
    state->living = living.count;
  }
};

// Called when all particles have moved: counts the living, decides how many are born in the next step, and ends the
// iteration.
struct EndSmoke {
  RunState* run;
  HistoryPoint* history;
  std::int64_t capacity;
  SmokeState* state;
  const Live* live;

  KINESCOPE_HD void operator()(LivingSmoke living) const {
    if (run->converged) return;
    run->record(static_cast<float>(living.count), history, capacity);
    const double time = static_cast<double>(run->iteration) * step_seconds;
    run->points = living.count;
    run->converged = time >= live->duration - 1e-9;
    run->fraction = time < live->duration ? static_cast<float>(time / live->duration) : 1.0f;
    state->living = living.count;
    state->first = living.count > 0 ? living.first : state->next;
    state->born = state->next;
    if (run->iteration % batch_steps == 0) {
      state->owed += static_cast<double>(live->smoke_rate) * (batch_steps * step_seconds);
      const std::int64_t room = smoke_capacity - (state->next - state->first);
      const std::int64_t wanted = static_cast<std::int64_t>(state->owed);
      const std::int64_t made = wanted < room ? wanted : room;
      state->owed -= static_cast<double>(wanted);  // particles without room are never made
      state->next += made;
    }
    state->span = state->next - state->first;
  }
};

// The metaball of each living particle. It grows as the particle rises, and shrinks where it would reach out of the
// cube. Therefore the field is zero on all of the cube's sides, its floor at the chimney too, and the surface is
// closed.
struct MakeBalls {
  SmokeFlow flow;
  const RunState* run;
  const SmokeState* state;
  const Live* live;
  const Particle* particles;
  Ball* balls;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t number = state->first + i;
    const Particle p = particles[number & (smoke_capacity - 1)];
    const bool unborn = number >= state->born;
    if (unborn || !(p.size > 0)) {
      balls[i] = {0, 0, 0, 0};
      return;
    }
    const float age = static_cast<float>((static_cast<std::uint32_t>(run->iteration) - p.born) * step_seconds);
    const float growth = age < 4 ? 0.3f + 0.175f * age : 1.0f;
    const float fading = age > oldest_smoke - 5 ? (oldest_smoke - age) * 0.2f : 1.0f;
    float radius = live->smoke_radius * p.size * growth * (fading > 0 ? fading : 0.0f);
    const float x = p.x - flow.corner[0], y = p.y - flow.corner[1], z = p.z - flow.corner[2];
    const float gaps[6] = {x, smoke_cube_side - x, y, smoke_cube_side - y, z, smoke_cube_side - z};
    for (const float gap : gaps) radius = gap < radius ? gap : radius;
    balls[i] = {p.x, p.y, p.z, radius};
  }
};

}  // namespace kinescope::sim::landscape
