// Tests of the sheet: several steps in one pass are the steps of a plain loop, bit by bit.
#include <gtest/gtest.h>

#include "sim/fitzhugh_nagumo/fields.hpp"
#include "tests/sim/fitzhugh_nagumo/fitzhugh_nagumo_cases.hpp"

namespace kinescope::sim::fitzhugh_nagumo {
namespace {

using namespace fitzhugh_nagumo_cases;

struct PlainSheet {
  std::int64_t nodes;
  bool periodic;
  Held held;
  ExplicitStep<float> formula;
  std::vector<float> v, w;

  std::size_t at(std::int64_t i, std::int64_t j) const {
    const auto inside = [&](std::int64_t k) { return periodic ? wrapped(k, nodes) : reflected(k, nodes); };
    return static_cast<std::size_t>(inside(j) * nodes + inside(i));
  }
  void begin(Case start, double dx) {
    const Beginning beginning{start, nodes, dx, held};
    for (std::int64_t k = 0; k < nodes * nodes; ++k) {
      const auto values = beginning.sheet(k % nodes, k / nodes);
      v.push_back(static_cast<float>(values.v)), w.push_back(static_cast<float>(values.w));
    }
  }
  void step() {
    const std::vector<float> from = v;
    for (std::int64_t j = 0; j < nodes; ++j)
      for (std::int64_t i = 0; i < nodes; ++i) {
        const float here = from[at(i, j)];
        const float beside = from[at(i - 1, j)] + from[at(i + 1, j)], others = from[at(i, j - 1)] + from[at(i, j + 1)];
        v[at(i, j)] = held.holds(i, j) ? 1 : formula.next_v(here, beside + others, w[at(i, j)]);
        w[at(i, j)] = formula.next_w(here, w[at(i, j)]);
      }
  }
};

// Numbers below 1e-38 are 0 in the program.
Line without_tiny(const std::vector<float>& values) {
  Line line;
  for (const float value : values) line.push_back(std::fabs(value) < 1.2e-38f ? 0 : value);
  return line;
}

TEST(FitzHughNagumoSheet, StepsAreThoseOfAPlainLoop) {
  for (const std::int64_t nodes : {8, 9, 17, 64, 65, 130})
    for (const bool periodic : {false, true})
      for (const auto& [start, name] : {std::pair{Case::spiral, "spiral"}, {Case::target, "target"}})
        for (const int steps : {1, 7, 8, 9, 35}) {
          Constants constants;
          constants.dt = 0.05;
          const Held held =
              start == Case::target ? Held{nodes / 2, nodes / 2, 8} : Held{};  // 4 units of length, 0.5 apart
          PlainSheet plain{nodes, periodic, held, ExplicitStep<float>::make(constants, 2), {}, {}};
          plain.begin(start, constants.dx);
          for (int step = 0; step < steps; ++step) plain.step();
          const auto run =
              finished({"dimensions=2", std::string("case=") + name, "nodes=" + std::to_string(nodes), "dt=0.05",
                        assign("end_time", 0.05 * steps), periodic ? "boundary=periodic" : "boundary=no-flux"});
          ASSERT_EQ(run->progress().iteration, steps);
          EXPECT_EQ(without_tiny(plain.v), column(*run, "v")) << nodes << name << periodic << steps;
          EXPECT_EQ(without_tiny(plain.w), column(*run, "w")) << nodes << name << periodic << steps;
          EXPECT_EQ(run->progress().figure, largest(column(*run, "v")));
        }
}

TEST(FitzHughNagumoSheet, ABudgetOfAStepChangesNothing) {
  const Assignments kind = {"dimensions=2", "nodes=100", "dt=0.05", "end_time=1.45"};
  const auto whole = finished(kind), one = make(kind);
  while (one->advance({INFINITY, 1})) {
  }
  EXPECT_EQ(one->progress().iteration, whole->progress().iteration);
  EXPECT_EQ(one->progress().figure, whole->progress().figure);
  EXPECT_EQ(column(*one, "v"), column(*whole, "v"));
  EXPECT_EQ(column(*one, "w"), column(*whole, "w"));
}

}  // namespace
}  // namespace kinescope::sim::fitzhugh_nagumo
