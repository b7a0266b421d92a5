// FitzHugh–Nagumo's parameters, as users set them.
#pragma once

#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace fitzhugh_nagumo {
enum class Scheme { explicit_euler, adaptive, implicit, adaptive_paper };
// Whether a solution by the scheme is on nodes that the scheme chooses.
constexpr bool chooses_nodes(Scheme scheme) {
  return scheme == Scheme::adaptive || scheme == Scheme::adaptive_paper;
}
enum class Solver { automatic, halo, thomas, cyclic_reduction, parallel_cyclic_reduction, cusparse, partition };
enum class Case { automatic, divergent, impulses, traveling, front, rest, spiral, target };
enum class Precision { single_precision, double_precision };
enum class Boundary { no_flux, periodic };
inline constexpr double least_float_tolerance = 1e-5;  // of the adaptive scheme in float32
enum class Compare { none, explicit_euler, adaptive, implicit, adaptive_paper };
}  // namespace fitzhugh_nagumo

struct FitzHughNagumoParameters : ParameterSet {
  Integer dimensions{{"dimensions", "", "1: an axon; 2: a sheet of tissue"}, 1, {1, 2}};
  Choice<fitzhugh_nagumo::Scheme> scheme{{"scheme", "", "method of stepping in time (a sheet is always explicit)"},
                                         {"explicit", "adaptive", "implicit", "adaptive-paper"},
                                         fitzhugh_nagumo::Scheme::explicit_euler};
  Choice<fitzhugh_nagumo::Solver> solver{
      {"solver", "", "method for the tridiagonal systems in Newton's method (implicit)", Change::restart,
       Role::further},
      {"auto", "halo", "thomas", "cyclic-reduction", "parallel-cyclic-reduction", "cusparse", "partition"},
      fitzhugh_nagumo::Solver::automatic};
  Choice<fitzhugh_nagumo::Case> start{
      {"case", "",
       "initial state: an impulse, an impulse every 200 units, an end held at 1, a front (epsilon = 0), rest, spirals, "
       "rings"},
      {"auto", "divergent", "impulses", "traveling", "front", "rest", "spiral", "target"},
      fitzhugh_nagumo::Case::automatic};
  Choice<fitzhugh_nagumo::Precision> precision{
      {"precision", "", "number format of the computation (1-D)", Change::restart, Role::further},
      {"float", "double"},
      fitzhugh_nagumo::Precision::single_precision};
  Real a{{"a", "", "threshold of excitation", Change::live}, 0.01, {1e-6, 0.5}};
  Real gamma{{"gamma", "", "decay of the recovery w", Change::live}, 2, {0.0, 20.0}};
  Real epsilon{{"epsilon", "1/time", "speed of the recovery w", Change::live}, 0.01, {0.0, 1.0}};
  Integer nodes{{"nodes", "", "nodes of the uniform grid; per side in 2-D (at most 8192); 0: 401 in 1-D, 512 in 2-D",
                 Change::restart, Role::further},
                0,
                {0, 1 << 26},
                Scale::logarithmic};
  Real dx{{"dx", "length", "distance between neighbouring nodes", Change::restart, Role::further},
          0.5,
          {1e-4, 10.0},
          Scale::logarithmic};
  Real dt{{"dt", "time",
           "time step; 0: 0.9 of the largest stable step, less where oscillations would grow (explicit), from the "
           "tolerance (adaptive), dx² up to 0.25 (implicit)",
           Change::live},
          0,
          {0.0, 100.0},
          Scale::logarithmic};
  Real end_time{{"end_time", "time", "when the run ends", Change::live}, 300, {0.0, 1e7}, Scale::logarithmic};
  Real tolerance{{"tolerance", "", "rms error of v along the axon that the adaptive scheme aims at"},
                 1e-3,
                 {1e-8, 1.0},
                 Scale::logarithmic};
  Real spacing{
      {"spacing", "length", "distance between the adaptive scheme's nodes, at least dx; 0: chosen from the tolerance",
       Change::restart, Role::further},
      0,
      {0.0, 10.0}};
  Real rest_below{
      {"rest_below", "", "the adaptive scheme skips cells where |v| stays below this; 0: chosen from the tolerance",
       Change::restart, Role::further},
      0,
      {0.0, 0.1}};
  Choice<fitzhugh_nagumo::Compare> compare{{"compare", "", "scheme of a second solution to compare with (1-D)"},
                                           {"none", "explicit", "adaptive", "implicit", "adaptive-paper"},
                                           fitzhugh_nagumo::Compare::none};
  Choice<fitzhugh_nagumo::Boundary> boundary{
      {"boundary", "", "boundary condition at the sheet's edges (2-D)", Change::restart, Role::further},
      {"no-flux", "periodic"},
      fitzhugh_nagumo::Boundary::no_flux};

  void visit(const std::function<void(Parameter&)>& f) override {
    f(dimensions), f(scheme), f(solver), f(start), f(precision), f(a), f(gamma), f(epsilon), f(nodes), f(dx), f(dt);
    f(end_time), f(tolerance), f(spacing), f(rest_below), f(compare), f(boundary);
  }

  bool applies(const Parameter& parameter) const override {
    using namespace fitzhugh_nagumo;
    const bool line = dimensions.value() == 1;
    if (&parameter == &scheme || &parameter == &precision || &parameter == &compare) return line;
    if (&parameter == &solver)
      return line && (scheme.value() == Scheme::implicit || compare.value() == Compare::implicit);
    if (&parameter == &tolerance || &parameter == &spacing || &parameter == &rest_below)
      return line && (scheme.value() == Scheme::adaptive || compare.value() == Compare::adaptive);
    if (&parameter == &boundary) return !line;
    if (&parameter == &gamma || &parameter == &epsilon) return start.value() != Case::front;
    return true;
  }
  // The useful part of a wide range and, while a parameter has its default, the value that the simulation has chosen.
  Hint hint(const Parameter& parameter, const Snapshot& run) const override {
    if (&parameter == &end_time) return {10, 10'000};
    const auto* now = run.find<WaveFigures>();
    if (!now) return {};
    const auto chosen = [&](double value, int digits, double high = 0) -> Hint {
      if (!parameter.has_default() || !(value > 0)) return {0, high};
      return {0, high, "chosen: ", value, digits};
    };
    if (&parameter == &dt) return chosen(now->dt, 4, 4 * now->dx * now->dx);
    if (&parameter == &spacing) return chosen(now->spacing, 3);
    if (&parameter == &rest_below) return chosen(now->rest_below, 2);
    if (&parameter == &nodes) return chosen(static_cast<double>(now->nodes), 1);
    return {};
  }
};

std::unique_ptr<Simulation> make_cpu(const Setup& setup, FitzHughNagumoParameters& parameters);
std::unique_ptr<Simulation> make_cuda(const Setup& setup, FitzHughNagumoParameters& parameters);

}  // namespace kinescope::sim
