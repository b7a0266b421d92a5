// A test of Gray–Scott alone; other tests run for every simulation.
#include "sim/gray_scott/gray_scott.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace kinescope::sim::gray_scott_test {
namespace {

// The squares of v have died out, so v has decayed in most places. If it went on decaying, the tiny numbers would slow
// the processor down.
TEST(gray_scott, VIsEitherNothingOrFarFromTheSmallestNumbers) {
  const auto parameters = gray_scott_kind().make_parameters();
  parameters->set("nodes=32");
  parameters->set("steps=1500");
  const auto simulation = gray_scott_kind().make({}, *parameters);
  while (simulation->advance({})) {
  }
  const Table table = simulation->result();
  const Numbers& v = table.find("v")->numbers;
  EXPECT_TRUE(std::all_of(v.begin(), v.end(), [](double each) { return each == 0 || each > 1e-18f; }));
}

}  // namespace
}  // namespace kinescope::sim::gray_scott_test
