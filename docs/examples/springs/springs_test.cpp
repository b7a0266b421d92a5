// A test of the springs alone; other tests run for every simulation.
#include "sim/springs/springs.hpp"

#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"

namespace kinescope::sim::springs_test {
namespace {

TEST(springs, LaysPointsOfAPlaneOutExactly) {
  sim::Setup setup;
  setup.data = load_dataset({"synthetic:grid,n=400,h=2"});
  const auto simulation = springs_kind().make(setup, *springs_kind().make_parameters());
  simulation->advance({});
  EXPECT_TRUE(simulation->progress().converged);
  EXPECT_LT(simulation->progress().figure, 1e-3);
}

}  // namespace
}  // namespace kinescope::sim::springs_test
