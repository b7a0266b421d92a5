// Tests of FitzHugh–Nagumo's adaptive scheme: its orders, its tolerance, and that sleeping cells change no result.
#include <cstdio>
#include <gtest/gtest.h>

#include "kinescope/error.hpp"
#include "tests/sim/fitzhugh_nagumo/fitzhugh_nagumo_cases.hpp"

namespace kinescope::sim::adaptive_test {
namespace {

using namespace fitzhugh_nagumo_cases;

TEST(FitzHughNagumoAdaptive, AdaptiveUsesHalfTheNodesAtTheExplicitSchemesError) {
  const Assignments base = with(exact, {"end_time=60"});
  const Line fine = thinned(final_v(with(base, {"scheme=implicit", "nodes=3201", "dx=0.0625", "dt=0.05"})), 8);
  const double explicit_error = rms_difference(final_v(base), fine);
  const auto adaptive = finished(with(base, {"scheme=adaptive"}));
  const double error = rms_difference(column(*adaptive, "v"), fine);
  std::printf("explicit %.3g, adaptive %.3g with %ld of 401 nodes\n", explicit_error, error,
              long(reported<std::int64_t>(*adaptive, "nodes_used")));
  EXPECT_LE(error, 1.1 * explicit_error);
  EXPECT_LE(reported<std::int64_t>(*adaptive, "nodes_used"), 200);
}

// For several equations, at the time when the error is largest.
TEST(FitzHughNagumoAdaptive, TheAdaptiveSchemesErrorIsNearItsTolerance) {
  for (const Assignments& equation : {Assignments{"a=0.01"}, {"a=0.1", "epsilon=0.005"}, {"a=0.05", "epsilon=0"}}) {
    const Assignments base = with(with(exact, {"end_time=80"}), equation);
    // Combines two runs so that their errors of second order cancel.
    Line fine = thinned(final_v(with(base, {"scheme=implicit", "nodes=1601", "dx=0.125", "dt=0.05"})), 4);
    const Line coarse = thinned(final_v(with(base, {"scheme=implicit", "nodes=801", "dx=0.25", "dt=0.1"})), 2);
    for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
    for (const double tolerance : {2e-2, 2e-3, 2e-4}) {
      const double error =
          rms_difference(final_v(with(base, {"scheme=adaptive", assign("tolerance", tolerance)})), fine);
      std::printf("%s: tolerance %g, error %.3g\n", equation[0].c_str(), tolerance, error);
      EXPECT_LE(error, 3 * tolerance) << equation[0];
      EXPECT_GE(error, tolerance / 3) << equation[0];
    }
  }
}

// Their common reference is 2.2e-8 away from what LSODA finds on a grid eight times as fine.
TEST(FitzHughNagumoAdaptive, FineTolerancesAreKeptAsFarAsThePrecisionReaches) {
  const Assignments base = {"scheme=adaptive", "end_time=60"};
  const Line fine = thinned(final_v(with(base, {"precision=double", "tolerance=1e-8", "nodes=801", "dx=0.25"})), 2);
  for (const auto& [precision, tolerance] :
       {std::pair("float", 1e-4), {"float", 1e-5}, {"double", 1e-6}, {"double", 1e-7}}) {
    const Line found = final_v(with(base, {std::string("precision=") + precision, assign("tolerance", tolerance)}));
    EXPECT_LE(rms_difference(found, fine), 3 * tolerance) << precision;
  }
}

// At a held end waves start one after the other, and errors add up.
TEST(FitzHughNagumoAdaptive, TheErrorIsNearTheToleranceWithAHeldEndToo) {
  for (const double time : {100.0, 300.0}) {
    const Assignments base = with(exact, {"case=traveling", assign("end_time", time)});
    Line fine = thinned(final_v(with(base, {"scheme=implicit", "nodes=3201", "dx=0.0625", "dt=0.03125"})), 8);
    const Line coarse = thinned(final_v(with(base, {"scheme=implicit", "nodes=1601", "dx=0.125", "dt=0.0625"})), 4);
    for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
    for (const double tolerance : {1e-2, 1e-3}) {
      const double error =
          rms_difference(final_v(with(base, {"scheme=adaptive", assign("tolerance", tolerance)})), fine);
      std::printf("t = %g: tolerance %g, error %.3g\n", time, tolerance, error);
      EXPECT_LE(error, 3 * tolerance) << time;
      EXPECT_GE(error, tolerance / 3) << time;
    }
  }
}

// Both interpolate the adaptive grid, whose nodes near the end are mirrored beyond it.
TEST(FitzHughNagumoAdaptive, TheResultIsTheLastKeptRowAtAHeldEndToo) {
  for (const char* precision : {"precision=float", "precision=double"}) {
    const auto axon = finished({"scheme=adaptive", "case=traveling", "end_time=100", "tolerance=0.01", precision});
    const Table rows = axon->table("history");
    Line last;
    for (const Column& node : rows.columns) last.push_back(node.numbers.back());
    EXPECT_LE(largest_difference(column(*axon, "v"), last), 1e-6) << precision;
  }
}

TEST(FitzHughNagumoAdaptive, TheRecoveryKeepsItsSlopeAtAHeldEnd) {
  const Assignments base = with(exact, {"case=traveling", "end_time=100"});
  const auto fine = finished(with(base, {"scheme=implicit", "nodes=1601", "dx=0.125", "dt=0.0625"}));
  const auto adaptive = finished(with(base, {"scheme=adaptive", "tolerance=0.001"}));
  EXPECT_LE(largest_difference(column(*adaptive, "w"), thinned(column(*fine, "w"), 4)), 0.005);
}

TEST(FitzHughNagumoAdaptive, TheAdaptiveSchemeIsOfSecondOrderInTimeAndEighthInSpace) {
  const Assignments base = with(exact, {"scheme=adaptive", "end_time=30", "nodes=801", "dx=0.25", "rest_below=1e-9"});
  const auto errors = [&](const char* name, const std::vector<double>& values, double finest, const char* other) {
    const Line fine = final_v(with(base, {assign(name, finest), other}));
    std::vector<double> found;
    for (const double value : values)
      found.push_back(rms_difference(final_v(with(base, {assign(name, value), other})), fine));
    return fitted_slope(values, found);
  };
  EXPECT_NEAR(errors("dt", {0.8, 0.4, 0.2}, 0.02, "spacing=1"), 2, 0.1);
  EXPECT_NEAR(errors("spacing", {1.25, 1, 0.8}, 0.4, "dt=0.1"), 8, 1);
}

TEST(FitzHughNagumoAdaptive, WhatSleepsChangesNothingElsewhere) {
  const Assignments base = {"scheme=adaptive", "end_time=80", "dt=0.4", "spacing=1"};
  const auto near_by = finished(base), far = finished(with(base, {"nodes=20001"}));
  const Line whole = column(*far, "v");
  const Line middle(whole.begin() + 9'800, whole.begin() + 10'201);
  EXPECT_LE(largest_difference(middle, column(*near_by, "v")), 1e-3);
  EXPECT_EQ(whole[5'000], 0);
  EXPECT_LT(reported<std::int64_t>(*far, "nodes_used"), 300);
  // A stimulus starts an impulse among the sleeping cells, which wakes them.
  far->receive(Stimulus{1'000, 0, 5, 1});
  far->set("end_time", "160");
  while (far->advance({})) {
  }
  const Line later = column(*far, "v");
  EXPECT_GT(largest(Line(later.begin() + 1'800, later.begin() + 2'200)), 0.5);
  EXPECT_EQ(later[5'000], 0);
}

TEST(FitzHughNagumoAdaptive, ARestartWithAnotherEndHasTheNodesOfANewRun) {
  const Assignments base = {"scheme=adaptive", "nodes=2001"};
  auto changed = make(with(base, {"end_time=30"}));
  changed->advance({INFINITY, 20});
  changed->set("end_time", "900");
  changed->advance({INFINITY, 20});
  changed->restart();
  while (changed->advance({})) {
  }
  EXPECT_EQ(largest_difference(column(*changed, "v"), final_v(with(base, {"end_time=900"}))), 0);
}

TEST(FitzHughNagumoAdaptive, AStepTooLargeForTheAdaptiveSchemeNamesTheLargest) {
  try {
    finished({"scheme=adaptive", "spacing=1", "dt=1.1"});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("largest stable dt is 1.01"), std::string::npos) << error.what();
    ASSERT_FALSE(error.remedies().empty());
    EXPECT_NO_THROW(finished({"scheme=adaptive", "spacing=1", "dt=1"}));
  }
}

TEST(FitzHughNagumoPaper, UsesTwoToThreeTimesFewerNodes) {
  for (const double time : {30.13, 60.12, 90.11}) {  // of figure 8
    const Assignments at = {assign("end_time", time)};
    const auto paper = finished(with(at, {"scheme=adaptive-paper"}));
    const auto used = reported<std::int64_t>(*paper, "nodes_used");
    EXPECT_GE(used, 401 / 3.5) << time;
    EXPECT_LE(used, 401 / 2) << time;
    const Line v = column(*paper, "v");
    EXPECT_LE(rms_difference(v, final_v(at)), 1e-3) << time;
    // Rounding chooses no nodes.
    EXPECT_LE(largest_difference(v, Line(v.rbegin(), v.rend())), 1e-6) << time;
  }
}

TEST(FitzHughNagumoPaper, TheFirstStepIsTheExplicitSchemes) {
  const Assignments step = with(exact, {"end_time=0.1", "dt=0.1"});
  EXPECT_LE(largest_difference(final_v(with(step, {"scheme=adaptive-paper"})), final_v(step)), 1e-14);
}

TEST(FitzHughNagumoPaper, AStationarySolutionHasNoOscillations) {
  const Line v = final_v({"scheme=adaptive-paper", "case=front", "end_time=120.11"});  // figure 7
  for (const double value : v) {
    EXPECT_GE(value, -1e-3);
    EXPECT_LE(value, 1 + 1e-3);
  }
}

TEST(FitzHughNagumoPaper, AStimulusBetweenNodesInUseStartsAnImpulse) {
  const auto axon = make({"scheme=adaptive-paper", "case=rest", "nodes=801", "end_time=40"});
  axon->advance({INFINITY, 10});
  axon->receive(Stimulus{201.5, 0, 1.4, 3});
  while (axon->advance({})) {
  }
  EXPECT_GT(largest(column(*axon, "v")), 0.5);
}

// The nodes shown are those of the solution that chooses them, also if it is the second.
TEST(FitzHughNagumoPaper, NodesShownAreOfTheSolutionThatChoosesThem) {
  for (const char* scheme : {"adaptive", "adaptive-paper"}) {
    const auto axon = finished({"scheme=explicit", std::string("compare=") + scheme, "end_time=30"});
    HostBuffers buffers;
    axon->attach(buffers);
    axon->publish();
    const auto used = buffers.of<std::uint32_t>("used");
    const auto count = std::count(used.begin(), used.end(), 1u);
    EXPECT_LT(count, 300) << scheme;
    EXPECT_GT(count, 20) << scheme;
  }
}

}  // namespace
}  // namespace kinescope::sim::adaptive_test
