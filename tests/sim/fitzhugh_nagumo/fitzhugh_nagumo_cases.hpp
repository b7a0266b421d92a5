// Helpers of FitzHugh–Nagumo's tests: runs, and measures of their results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "kinescope/bench/experiments.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"
#include "tests/places.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim::fitzhugh_nagumo_cases {

using Line = std::vector<double>;
using Assignments = std::vector<std::string>;
using test_buffers::HostBuffers;

inline const Assignments exact = {"precision=double"};

inline std::string assign(const char* name, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%s=%.17g", name, value);
  return text;
}

inline std::unique_ptr<Simulation> make(const Assignments& assignments, Backend backend = Backend::cpu, int threads = 2,
                                        bool history = false) {
  FitzHughNagumoParameters parameters;
  for (const std::string& assignment : assignments) parameters.set(assignment);
  Setup setup;
  setup.backend = backend;
  setup.threads = threads;
  setup.history = history;
  return fitzhugh_nagumo_kind().make(setup, parameters);
}

inline std::unique_ptr<Simulation> finished(const Assignments& assignments, Backend backend = Backend::cpu,
                                            int threads = 2, bool history = false) {
  std::unique_ptr<Simulation> simulation = make(assignments, backend, threads, history);
  while (simulation->advance({})) {
  }
  simulation->finish();
  return simulation;
}

inline Line column(Simulation& simulation, const std::string& name) {
  const Table table = simulation.result();
  const Numbers& numbers = table.find(name)->numbers;
  return {numbers.begin(), numbers.end()};
}

inline Line final_v(const Assignments& assignments, Backend backend = Backend::cpu) {
  return column(*finished(assignments, backend), "v");
}

inline Assignments with(Assignments assignments, const Assignments& more) {
  assignments.insert(assignments.end(), more.begin(), more.end());
  return assignments;
}

inline double rms_difference(const Line& a, const Line& b) {
  double sum = a.size() == b.size() ? 0 : NAN;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / double(a.size()));
}

inline double largest_difference(const Line& a, const Line& b) {
  double largest = a.size() == b.size() ? 0 : NAN;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // a NaN is never small
  }
  return largest;
}

inline double largest(const Line& v) {
  return largest_difference(v, Line(v.size()));
}

// Every `step`-th value.
inline Line thinned(const Line& v, std::size_t step) {
  Line thin;
  for (std::size_t i = 0; i < v.size(); i += step) thin.push_back(v[i]);
  return thin;
}

using bench::fitted_slope;

template <class T>
T reported(Simulation& simulation, const std::string& key) {
  for (const auto& [name, value] : simulation.report().entries)
    if (name == key) return std::get<T>(value);
  return T{};
}

// A column of the reference figures (tests/data/fitzhugh_nagumo_reference.py): 0: x, 1: v(30), 2: w(30), 3: v(100), …
inline Line reference(std::size_t which) {
  std::ifstream file(tests::project_file("tests/data/fitzhugh_nagumo_reference.csv"));
  std::string row, cell;
  std::getline(file, row);
  Line column;
  while (std::getline(file, row)) {
    std::istringstream cells(row);
    for (std::size_t i = 0; i <= which; ++i) std::getline(cells, cell, ',');
    column.push_back(std::stod(cell));
  }
  return column;
}

// The last place where v falls below 1/2, in units of length.
inline double front(const Line& v, double dx) {
  for (std::size_t i = v.size() - 1; i > 0; --i)
    if (v[i - 1] >= 0.5 && v[i] < 0.5) return dx * (double(i - 1) + (v[i - 1] - 0.5) / (v[i - 1] - v[i]));
  return NAN;
}

// A run for each way to compute.
inline const std::vector<Assignments>& kinds_of_run() {
  static const std::vector<Assignments> kinds = {
      {"end_time=20", "nodes=9001", "case=impulses"},
      {"end_time=20", "case=traveling"},
      {"end_time=5", "scheme=adaptive", "nodes=5001", "case=impulses"},
      {"end_time=60", "scheme=adaptive", "nodes=5001"},
      {"end_time=20", "scheme=adaptive", "case=traveling", "compare=explicit"},
      {"end_time=5", "scheme=implicit", "nodes=5001", "case=impulses"},
      {"end_time=5", "scheme=implicit", "solver=cyclic-reduction", "precision=double"},
      {"end_time=5", "compare=implicit"},
      {"end_time=5", "dimensions=2", "nodes=130", "case=spiral"},
      {"end_time=5", "dimensions=2", "nodes=97", "case=target", "boundary=periodic"}};
  return kinds;
}

}  // namespace kinescope::sim::fitzhugh_nagumo_cases
