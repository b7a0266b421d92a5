#include "sim/fitzhugh_nagumo/plan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace kinescope::sim::fitzhugh_nagumo {
namespace {

constexpr double default_fraction = 0.9;  // of the largest stable step
constexpr long default_nodes = 401, default_side = 512, least_nodes = 8, most_side = 8192;

std::string short_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr};
}

// The limit of an explicit step that reaction and recovery set, with the rate `diffusion` at which diffusion damps the
// fastest mode: 2 over the larger eigenvalue, or 2 Re λ / |λ|², at the v where that is least; v overshoots 1, the more
// so the faster the recovery. Where the recovery does not lower the limit, waves pass too quickly for it to show,
// unless v stays high, as near a held end: default_fraction of the result keeps within it. `everywhere`: the result
// itself does.
double largest_by_reaction(const Constants& c, double diffusion, bool everywhere = false) {
  constexpr double fine = 4;  // diffusion outweighs the reaction
  double limit = std::numeric_limits<double>::infinity();
  const double recovery = c.epsilon * c.gamma, highest = 1.17 + 0.13 * c.epsilon;
  for (const double v : {0.0, (1 + c.a) / 3, 1.0, highest}) {
    const double decay = diffusion + 3 * v * v - 2 * (1 + c.a) * v + c.a;
    const double trace = decay + recovery, determinant = decay * recovery + c.epsilon;
    const double discriminant = trace * trace - 4 * determinant;
    const double coupled = discriminant >= 0 ? 4 / (trace + std::sqrt(discriminant)) : trace / determinant;
    if (!(coupled > 0)) continue;
    const bool lasts = everywhere || diffusion < fine || decay <= 0 || coupled < 2 / decay;
    limit = std::min(limit, lasts ? coupled : coupled / default_fraction);
  }
  return limit;
}

// The step of the explicit scheme with which oscillations of v and w around rest are damped as they should be. Their
// eigenvalues are −d ± iω, but Euler's steps damp them only at the rate d − Δt ω² / 2: by 15 % more slowly at most, or,
// where hardly anything damps them, so that they are larger by a tenth after `time`.
double largest_for_oscillations(const Constants& c, double time) {
  constexpr double slower = 0.15, larger = 0.1, longest = 1000;
  const double recovery = c.epsilon * c.gamma, decay = 0.5 * (c.a + recovery);
  const double difference = 0.5 * (c.a - recovery), square = c.epsilon - difference * difference;  // ω²
  if (!(square > 0)) return std::numeric_limits<double>::infinity();
  return 2 * std::max(slower * decay, larger / std::clamp(time, 1.0, longest)) / square;
}

// The largest stable step of the adaptive scheme. Diffusion is stable up to 1.01 squared spacings. At v = 1 the
// reaction decays at the rate 1 − a; the midpoint rule, in two half steps, is stable up to a step of 4 / (1 − a).
double largest_adaptive(double spacing, const Constants& c) {
  return std::min({1.01 * spacing * spacing, 4 / (1 - c.a), 2 * largest_by_reaction(c, 0)});
}

void choose_start(const FitzHughNagumoParameters& parameters, Plan& plan) {
  plan.start = parameters.start.value();
  const bool sheet = plan.dimensions == 2;
  if (plan.start == Case::automatic) plan.start = sheet ? Case::spiral : Case::divergent;
  const bool for_sheet = plan.start == Case::spiral || plan.start == Case::target;
  const bool for_line = plan.start == Case::traveling || plan.start == Case::front;
  if (for_sheet && !sheet) throw input_error("case=" + parameters.start.text() + " needs dimensions=2");
  if (for_line && sheet) throw input_error("case=" + parameters.start.text() + " needs dimensions=1");
  if (plan.start == Case::front) plan.constants.epsilon = 0;
}

void choose_nodes(const FitzHughNagumoParameters& parameters, Plan& plan) {
  const bool sheet = plan.dimensions == 2;
  plan.nodes = parameters.nodes.value() > 0 ? parameters.nodes.value() : sheet ? default_side : default_nodes;
  if (plan.nodes < least_nodes) throw input_error("nodes: expected at least 8, found " + parameters.nodes.text());
  if (sheet && plan.nodes > most_side)
    throw input_error("nodes: expected at most 8192 per side in 2-D, found " + parameters.nodes.text());
}

double length_of(const Plan& plan) {
  return static_cast<double>(plan.nodes - 1) * plan.constants.dx;
}

struct AdaptiveChoice {
  double step, spacing;
};

// The step and the spacing with which an impulse on an axon of length 200 has the rms error `error` at `time`. Impulses
// run too fast by an amount that is proportional to Δt², so that the error of v grows like Δt² t until they leave or
// meet. For one impulse on an axon of length 200 it is 8.4e-5 Δt² t in the usual case; 4.7e-5 to 8.8e-5 was measured
// for a = 0.01 … 0.25, ε = 0 … 0.015 and γ = 0.5 … 4. The spacing adds an error that grows like its eighth power. With
// a spacing of 2 Δt^¼ that is about a quarter of the error from the step.
AdaptiveChoice choose_for_impulses(double error, double time) {
  constexpr double longest_step = 2, widest_spacing = 2.5;  // beyond them the errors no longer follow these laws
  const double step = std::min(longest_step, std::sqrt(error / (8e-5 * time)));
  return {step, std::min(widest_spacing, 2 * std::sqrt(std::sqrt(step)))};
}

// The same for an axon with a held end. There the solution has a corner. Waves start one after the other, so that
// errors add up until the end of the run: 7e-5 to 1.2e-4 Δt² t and at most 8e-6 Δx⁴ t were measured at t = 100 and 300.
AdaptiveChoice choose_for_held_end(double error, double time) {
  return {std::min(1.0, std::sqrt(error / (1.2e-4 * time))), std::min(2.0, std::pow(error / (3e-5 * time), 0.25))};
}

// Chooses the adaptive scheme's nodes and the bound below which cells sleep. Returns the step that the tolerance
// allows.
double choose_adaptive(const FitzHughNagumoParameters& parameters, const Plan* before, Plan& plan) {
  constexpr double usual_length = 200, speed = 0.63;
  constexpr double least_time = 20;  // an impulse takes that long to form
  const double length = length_of(plan), tolerance = parameters.tolerance.value();
  const bool many = plan.start == Case::impulses;
  // An impulse runs half of `reach` until it meets another one or leaves.
  const double reach = many ? std::min(length, usual_length) : length;
  const double time = std::clamp(0.5 * reach / speed, least_time, std::max(least_time, plan.end_time));
  const double impulses = many ? std::max(1.0, length / usual_length) : 1;
  // The rms error allowed on 200 units of length around each impulse. Elsewhere v has no error.
  const double near_waves = tolerance * std::sqrt(length / (usual_length * impulses));
  AdaptiveChoice choice = choose_for_impulses(near_waves, time);
  if (plan.start == Case::traveling) {
    const AdaptiveChoice at_end = choose_for_held_end(near_waves, std::max(least_time, plan.end_time));
    choice = {std::min(choice.step, at_end.step), std::min(choice.spacing, at_end.spacing)};
  }
  plan.rest = parameters.rest_below.value();
  if (plan.rest == 0) plan.rest = std::clamp(0.1 * near_waves, 1e-8, 1e-3);
  const double spacing = parameters.spacing.value() > 0 ? parameters.spacing.value() : choice.spacing;
  const double most = static_cast<double>(plan.nodes - 1), least = static_cast<double>(least_nodes - 1);
  plan.intervals = before ? before->intervals
                          : static_cast<std::int64_t>(std::clamp(std::ceil(length / spacing - 1e-9), least, most));
  return std::min(choice.step, default_fraction * largest_adaptive(adaptive_spacing(plan), plan.constants));
}

// Rounding adds 1e-5 to the error in float32: with shorter steps the error grows again.
void require_precision(const FitzHughNagumoParameters& parameters, const Plan& plan) {
  if (!plan.has(Scheme::adaptive) || parameters.precision.value() == Precision::double_precision) return;
  if (parameters.tolerance.value() < least_float_tolerance)
    throw input_error("tolerance: float32 reaches 1e-5 at best, found " + parameters.tolerance.text() +
                      "; precision=double reaches 1e-8")
        .with({"precision", "double"});
}

void choose_step(const FitzHughNagumoParameters& parameters, double time, const Plan* before, Plan& plan) {
  Constants& c = plan.constants;
  c.dt = parameters.dt.value();
  const double adaptive_step = choose_adaptive(parameters, before, plan);
  const double explicit_step = std::min(default_fraction * largest_stable(c, plan.dimensions),
                                        largest_for_oscillations(c, parameters.end_time.value()));
  // The implicit scheme has no stability limit. With this step its error from time is about as large as from space.
  const double implicit_step = std::min(c.dx * c.dx, 0.25);
  if (c.dt == 0 && plan.steps_by_euler()) c.dt = explicit_step;
  if (c.dt == 0 && plan.has(Scheme::adaptive))
    c.dt = plan.has(Scheme::implicit) ? std::min(adaptive_step, implicit_step) : adaptive_step;
  if (c.dt == 0) c.dt = implicit_step;
  const double left = std::max(0.0, parameters.end_time.value() - time);
  const double steps = std::ceil(left / c.dt * (1 - 1e-12) - 1e-9);
  if (steps > 1e12) throw input_error("dt: more than 1e12 steps to end_time");
  plan.steps = static_cast<std::int64_t>(steps);
  if (plan.steps > 0) c.dt = left / steps;  // makes the last step end at end_time
}

void choose_solver(const FitzHughNagumoParameters& parameters, Backend backend, Plan& plan) {
  plan.solver = parameters.solver.value();
  if (!plan.has(Scheme::implicit)) return;
  if (plan.solver == Solver::cusparse && backend == Backend::cpu)
    throw input_error("solver=cusparse needs the CUDA backend");
  if (plan.solver == Solver::thomas && backend == Backend::cuda && plan.nodes > 65'536)
    throw input_error("solver=thomas computes row by row: on CUDA at most 65,536 nodes are allowed");
  if (plan.solver != Solver::automatic && plan.solver != Solver::halo) return;
  plan.halo = halo_rows(plan.constants, parameters.precision.value());
  // On the CPU Thomas' algorithm is faster for small systems: `partition` reads and eliminates the rows twice.
  constexpr std::int64_t worth_tiles = 8192;
  const Solver other = backend == Backend::cpu && plan.nodes < worth_tiles ? Solver::thomas : Solver::partition;
  plan.solver = plan.halo > 0 ? Solver::halo : other;
}

}  // namespace

double adaptive_spacing(const Plan& plan) {
  return length_of(plan) / static_cast<double>(plan.intervals);
}

double largest_stable(const Constants& c, int dimensions) {
  const double by_diffusion = c.dx * c.dx / (2 * dimensions);
  return std::min(by_diffusion, largest_by_reaction(c, 4 * dimensions / (c.dx * c.dx)));
}

double stable_everywhere(const Constants& c, int dimensions) {
  const double rate = 4 * dimensions / (c.dx * c.dx);
  return std::min(largest_stable(c, dimensions), largest_by_reaction(c, rate, true));
}

double decay_per_row(const Constants& c) {
  const double r = c.dt / (c.dx * c.dx), half = 0.5 * c.dt;
  const double steepest = (1 + c.a) * (1 + c.a) / 3 - c.a;  // the largest f'(v)
  const double diagonal = 1 + r - half * steepest + half * half * c.epsilon / (1 + half * c.epsilon * c.gamma);
  const double ratio = diagonal / (0.5 * r);  // of diagonal to off-diagonal; the decay x per row solves x + 1/x = ratio
  return ratio <= 2 ? 1 : 0.5 * (ratio - std::sqrt(ratio * ratio - 4));
}

std::int64_t halo_rows(const Constants& constants, Precision precision) {
  const double decay = decay_per_row(constants);
  // The error at a tile's edge is at most a Newton correction of the neighbouring row, well below 1. The threshold is a
  // thousand times below rounding, because several Newton iterations pass the error on.
  const double enough = precision == Precision::double_precision ? 1e-19 : 1e-10;
  const double rows = decay < 1 ? std::ceil(std::log(enough) / std::log(decay)) : double(most_halo) + 1;
  const auto whole = static_cast<std::int64_t>(std::min(rows, double(most_halo) + 1));
  const std::int64_t even =
      (std::max<std::int64_t>(whole, 8) + 3) / 4 * 4;  // tiles begin where four numbers are aligned
  return even <= most_halo ? even : -1;
}

Plan make_plan(const FitzHughNagumoParameters& parameters, Backend backend, double time, const Plan* before) {
  Plan plan;
  plan.constants = {parameters.a.value(), parameters.gamma.value(), parameters.epsilon.value(), parameters.dx.value(),
                    parameters.dt.value()};
  plan.dimensions = static_cast<int>(parameters.dimensions.value());
  plan.end_time = parameters.end_time.value();
  plan.periodic = parameters.boundary.value() == Boundary::periodic;
  plan.scheme = plan.dimensions == 2 ? Scheme::explicit_euler : parameters.scheme.value();
  plan.compare = plan.dimensions == 2 ? Compare::none : parameters.compare.value();
  require_precision(parameters, plan);
  choose_start(parameters, plan);
  choose_nodes(parameters, plan);
  choose_step(parameters, time, before, plan);
  choose_solver(parameters, backend, plan);
  return plan;
}

Error blown_up_error(const Plan& plan, double time) {
  const Constants& c = plan.constants;
  const double stable = largest_stable(c, plan.dimensions);
  const double lasting = 0.999 * stable_everywhere(c, plan.dimensions);
  const std::string what = "the solution blew up by t = " + short_number(time) + ": ";
  // The remedy is not a fixed value: that would survive a change to another grid, where it may be too large.
  const Remedy automatic{"dt", "0", "Choose dt automatically"};
  if (!plan.steps_by_euler() && plan.has(Scheme::adaptive)) {
    const double spacing = adaptive_spacing(plan);
    return run_error(what + "dt = " + short_number(c.dt) + " is too large for the adaptive scheme with nodes " +
                     short_number(spacing) + " apart; the largest stable dt is " +
                     short_number(largest_adaptive(spacing, c)))
        .with(automatic);
  }
  if (!plan.steps_by_euler()) {
    const std::string better = short_number(0.25 * c.dt);
    return run_error(what + "Newton's method does not converge with dt = " + short_number(c.dt) +
                     "; try dt = " + better)
        .with(c.dt > default_fraction * stable * 1.001 ? automatic : Remedy{"dt", better});
  }
  return run_error(what + "dt = " + short_number(c.dt) + " is too large for the explicit scheme at dx = " +
                   short_number(c.dx) + "; the largest stable dt is " + short_number(lasting))
      .with(automatic);
}

}  // namespace kinescope::sim::fitzhugh_nagumo
