// Tests of FitzHugh–Nagumo's schemes: orders, limits, agreement with an independent solver, behaviour of waves.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/fitzhugh_nagumo/time_solver.hpp"
#include "tests/sim/fitzhugh_nagumo/fitzhugh_nagumo_cases.hpp"

namespace kinescope::sim::fitzhugh_nagumo_test {
namespace {

using namespace fitzhugh_nagumo_cases;

const char* const solvers[] = {"halo", "thomas", "cyclic-reduction", "parallel-cyclic-reduction", "partition"};

// The scheme's order in Δt: the slope of its error against a run with a much finer step on the same grid.
double order_in_time(const char* scheme, const std::vector<double>& steps, double finest) {
  const Assignments base = with(exact, {std::string("scheme=") + scheme, "end_time=10", "nodes=201", "dx=1"});
  const Line fine = final_v(with(base, {assign("dt", finest)}));
  std::vector<double> errors;
  for (const double dt : steps) errors.push_back(rms_difference(final_v(with(base, {assign("dt", dt)})), fine));
  return fitted_slope(steps, errors);
}

// The scheme's order in Δx: the slope of its error against a run on a much finer grid with the same Δt.
double order_in_space(const char* scheme, double dt) {
  const Assignments base = with(exact, {std::string("scheme=") + scheme, "end_time=1", assign("dt", dt)});
  const auto run = [&](int cells) {
    return final_v(with(base, {"nodes=" + std::to_string(cells + 1), assign("dx", 200.0 / cells)}));
  };
  const int finest = 6400;
  const Line fine = run(finest);
  std::vector<double> steps, errors;
  for (const int cells : {200, 400, 800}) {
    steps.push_back(200.0 / cells);
    errors.push_back(rms_difference(run(cells), thinned(fine, static_cast<std::size_t>(finest / cells))));
  }
  return fitted_slope(steps, errors);
}

TEST(FitzHughNagumo, ExplicitIsOfFirstOrderInTimeAndSecondInSpace) {
  EXPECT_NEAR(order_in_time("explicit", {0.2, 0.1, 0.05}, 0.0005), 1, 0.1);
  EXPECT_NEAR(order_in_space("explicit", 0.0004), 2, 0.1);
}

TEST(FitzHughNagumo, ImplicitIsOfSecondOrderInBoth) {
  EXPECT_NEAR(order_in_time("implicit", {0.4, 0.2, 0.1}, 0.005), 2, 0.1);
  EXPECT_NEAR(order_in_space("implicit", 0.01), 2, 0.1);
}

TEST(FitzHughNagumo, AgreesWithAnIndependentStiffSolver) {
  ASSERT_EQ(reference(1).size(), 401u);
  for (const auto& [time, column_v] : {std::pair{30, 1}, std::pair{100, 3}}) {
    const Assignments at = with(exact, {assign("end_time", time)});
    const auto implicit = finished(with(at, {"scheme=implicit", "dt=0.02"}));
    EXPECT_LE(rms_difference(column(*implicit, "v"), reference(static_cast<std::size_t>(column_v))), 1e-5) << time;
    EXPECT_LE(rms_difference(column(*implicit, "w"), reference(static_cast<std::size_t>(column_v) + 1)), 1e-5) << time;
    const double rms = rms_difference(final_v(with(at, {"dt=0.002"})), reference(static_cast<std::size_t>(column_v)));
    EXPECT_LE(rms, 1e-3) << time;
  }
}

TEST(FitzHughNagumo, TwoImpulsesLeaveAndTheAxonIsQuiet) {
  for (const char* scheme : {"explicit", "adaptive", "implicit"}) {
    const Line v = final_v({std::string("scheme=") + scheme, "end_time=100"});
    EXPECT_GT(largest(v), 0.5) << scheme;
    EXPECT_LT(std::abs(v[200]), 0.2) << scheme;  // between the impulses
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], v[v.size() - 1 - i], 1e-3) << scheme;
    EXPECT_LT(largest(final_v({std::string("scheme=") + scheme, "end_time=243"})), 0.05) << scheme;
  }
}

TEST(FitzHughNagumo, AFrontMovesAtItsSpeed) {
  for (const double a : {0.01, 0.1, 0.25}) {
    const Assignments base =
        with(exact, {"case=front", assign("a", a), "scheme=implicit", "nodes=1201", "dx=0.25", "dt=0.04"});
    const double early = front(final_v(with(base, {"end_time=50"})), 0.25),
                 late = front(final_v(with(base, {"end_time=90"})), 0.25);
    const double speed = (1 - 2 * a) / std::sqrt(2.0);
    EXPECT_NEAR((late - early) / 40, speed, 0.01 * speed) << a;
  }
}

TEST(FitzHughNagumo, AFastRecoveryLowersTheDefaultStep) {
  for (const char* scheme : {"dimensions=1", "dimensions=2", "scheme=adaptive"})
    for (const double dx : {0.5, 1.0, 2.0})
      for (const auto& [epsilon, gamma] :
           {std::pair{1.0, 20.0}, {0.5, 20.0}, {1.0, 0.0}, {1.0, 3.0}, {1.0, 5.0}, {0.1, 20.0}}) {
        const Assignments base = {
            assign("epsilon", epsilon), assign("gamma", gamma), scheme, assign("dx", dx), "nodes=48", "end_time=100"};
        for (const char* tolerance : {"tolerance=1e-3", "tolerance=0.1"})
          EXPECT_LT(largest(final_v(with(base, {tolerance}))), 3)
              << scheme << ", dx " << dx << ", epsilon " << epsilon << ", gamma " << gamma << ", " << tolerance;
      }
}

TEST(FitzHughNagumo, TheDefaultStepIsStableOnCoarseGrids) {
  for (const Assignments& each :
       {Assignments{"dimensions=2", "dx=10", "a=0.5"}, Assignments{"dimensions=2", "dx=5", "a=0.5", "epsilon=0.39"},
        Assignments{"dimensions=2", "dx=10", "a=0.5", "epsilon=0.44", "gamma=2"},
        Assignments{"epsilon=0.374457", "gamma=2", "a=0.467192", "dx=4.30212"},
        Assignments{"dimensions=2", "dx=2", "epsilon=0.01", "gamma=0", "a=0.5", "case=spiral"},
        Assignments{"dimensions=2", "dx=2.6", "epsilon=1", "gamma=0", "a=0.5", "case=spiral"},
        Assignments{"dimensions=2", "dx=2.61", "epsilon=1", "gamma=0.088", "a=0.243", "case=target"}})
    EXPECT_LT(largest(final_v(with({"nodes=48", "end_time=600"}, each))), 3) << each[0] << ' ' << each[1];
}

// With steps that were only stable, v reached 0.36 where it should have been 0.006.
TEST(FitzHughNagumo, OscillationsFadeAsTheyShould) {
  for (const Assignments& each : {Assignments{"epsilon=1", "gamma=0", "a=0.07", "dx=1"},
                                  {"epsilon=1", "gamma=0.3", "a=0.04", "dx=1.28"},
                                  {"epsilon=0.2", "gamma=0", "a=0.0002", "dx=1.13"},
                                  {"epsilon=1", "gamma=0", "a=0.2", "dx=4"},
                                  {"epsilon=1", "gamma=0", "a=0.0001", "dx=0.3"}}) {
    const Assignments run = with(with(exact, {"nodes=64", "end_time=60"}), each);
    const Line expected = final_v(with(run, {"scheme=implicit", "dt=0.01"}));
    EXPECT_LT(rms_difference(final_v(run), expected), 0.02) << each.front() << " " << each.back();
  }
}

TEST(FitzHughNagumo, ExplicitIsStableJustBelowItsLimitAndNotJustAbove) {
  for (const double dx : {0.25, 0.5}) {
    const double limit = dx * dx / 2;
    const Assignments base = {assign("dx", dx), "end_time=300"};
    EXPECT_LT(largest(final_v(with(base, {assign("dt", 0.99 * limit)}))), 1.5) << dx;
    try {
      finished(with(base, {assign("dt", 1.02 * limit)}));
      ADD_FAILURE() << "no error at dx = " << dx;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::run);
      EXPECT_NE(std::string(error.what()).find("largest stable dt is " + std::string(dx == 0.5 ? "0.112" : "0.030")),
                std::string::npos)
          << error.what();
      ASSERT_FALSE(error.remedies().empty());
      EXPECT_EQ(error.remedies().front().parameter, "dt");
      EXPECT_NO_THROW(finished(with(base, {"dt=" + error.remedies().front().value})));
    }
  }
}

// Also near a held end and behind a front, where v stays at 1.
TEST(FitzHughNagumo, TheStepThatTheErrorNamesIsStable) {
  for (const char* start : {"case=traveling", "case=front", "case=divergent"})
    for (const double dx : {0.11, 0.4}) {
      const Assignments base = {start, assign("dx", dx), "nodes=200", "end_time=60"};
      try {
        finished(with(base, {"dt=5"}));
        ADD_FAILURE() << start;
      } catch (const Error& error) {
        const std::string told = error.what(), key = "largest stable dt is ";
        EXPECT_NO_THROW(finished(with(base, {"dt=" + told.substr(told.find(key) + key.size())}))) << start << " " << dx;
      }
    }
}

TEST(FitzHughNagumo, NewtonConvergesQuadraticallyWithEverySolver) {
  for (const char* solver : solvers) {
    auto simulation =
        make(with(exact, {"scheme=implicit", "dt=2", "dx=2", "end_time=20", std::string("solver=") + solver}));
    HostBuffers buffers;
    simulation->attach(buffers);
    simulation->advance({INFINITY, 3});
    simulation->publish();
    const std::vector<float> corrections = simulation->snapshot()->find<WaveFigures>()->corrections;
    ASSERT_GE(corrections.size(), 3u) << solver;
    EXPECT_LE(corrections.back(), 1e-8) << solver;
    for (std::size_t i = 1; i < corrections.size(); ++i)
      EXPECT_LE(corrections[i], 2 * corrections[i - 1] * corrections[i - 1] + 1e-14) << solver << ' ' << i;
  }
}

TEST(FitzHughNagumo, SolversAgree) {
  const Assignments base = with(exact, {"scheme=implicit", "end_time=20", "nodes=397"});
  for (const char* solver : solvers)
    for (const char* dt : {"0.05", "0.25", "1.25"}) {
      const Assignments at = with(base, {std::string("dt=") + dt});
      EXPECT_LE(largest_difference(final_v(with(at, {std::string("solver=") + solver})),
                                   final_v(with(at, {"solver=thomas"}))),
                1e-7)
          << solver << ", dt = " << dt;
    }
  // Systems of many tiles. With dt = 4 the inverse decays too slowly for a halo.
  const Assignments many = with(exact, {"scheme=implicit", "case=impulses", "nodes=9001", "end_time=10"});
  for (const char* dt : {"0.25", "4"})
    EXPECT_LE(largest_difference(final_v(with(many, {"solver=halo", std::string("dt=") + dt})),
                                 final_v(with(many, {"solver=thomas", std::string("dt=") + dt}))),
              1e-7)
        << dt;
}

TEST(FitzHughNagumo, EverySolverSolvesSystemsOfAnySize) {
  using fitzhugh_nagumo::Solver;
  for (const Solver solver :
       {Solver::thomas, Solver::cyclic_reduction, Solver::parallel_cyclic_reduction, Solver::halo, Solver::partition})
    for (const long rows : {2L, 3L, 7L, 8L, 9L, 100L, 256L, 257L, 1023L, 1024L, 1025L, 20000L})
      EXPECT_LE(fitzhugh_nagumo::time_solver_cpu(2, solver, rows).residual, 2e-6)
          << static_cast<int>(solver) << ' ' << rows;
  // With a diagonal that hardly dominates, residuals grow with the entries of the rows.
  for (const Solver solver : {Solver::thomas, Solver::cyclic_reduction, Solver::partition})
    for (const double ratio : {10.0, 100.0, 1000.0})
      for (const long rows : {255L, 4097L, 70000L})
        EXPECT_LE(fitzhugh_nagumo::time_solver_cpu(2, solver, rows, ratio).residual, 2e-6 * ratio)
            << static_cast<int>(solver) << ' ' << rows << ' ' << ratio;
}

TEST(FitzHughNagumo, TheReportNamesTheSolverThatRan) {
  const auto solver = [](const Assignments& more) {
    return reported<std::string>(*finished(with({"scheme=implicit", "end_time=8", "solver=halo"}, more)),
                                 "solver_used");
  };
  EXPECT_EQ(solver({"dt=0.25"}), "halo");
  EXPECT_EQ(solver({"dt=8"}), "thomas");
  EXPECT_EQ(solver({"dt=8", "nodes=10001"}), "partition");
}

// The paper's Fig. 7: between the fronts v is at rest at 1, does not oscillate, and stays at rest.
TEST(FitzHughNagumo, AStationaryFrontDoesNotOscillate) {
  for (const char* scheme : {"explicit", "adaptive", "implicit"})
    for (const double time : {60.11, 90.12, 120.11}) {
      const Line v = final_v({"case=front", std::string("scheme=") + scheme, assign("end_time", time)});
      const auto middle = static_cast<std::ptrdiff_t>(v.size() / 2);
      for (std::ptrdiff_t i = middle - 20; i <= middle + 20; ++i)
        EXPECT_NEAR(v[static_cast<std::size_t>(i)], 1, 1e-3) << scheme << ' ' << time;
      for (std::size_t i = v.size() / 2; i + 1 < v.size(); ++i)
        EXPECT_LE(v[i + 1], v[i] + 1e-5) << scheme << ' ' << time;
    }
}

TEST(FitzHughNagumo, ATrainOfWavesLeavesTheHeldEnd) {
  auto simulation = finished({"case=traveling", "end_time=306.19"});
  const Line v = column(*simulation, "v");
  EXPECT_EQ(v.back(), 1);
  int peaks = 0;
  for (std::size_t i = 1; i + 1 < v.size(); ++i) peaks += v[i] > 0.5 && v[i] >= v[i - 1] && v[i] > v[i + 1];
  EXPECT_GE(peaks, 2);
  const Assignments fine = {"case=traveling", "end_time=100"};
  EXPECT_LE(largest_difference(final_v(with(fine, {"dt=0.005"})), final_v(with(fine, {"scheme=implicit", "dt=0.05"}))),
            0.02);
  const Line adaptive = final_v(with(fine, {"scheme=adaptive", "tolerance=3e-4"}));
  EXPECT_EQ(adaptive.back(), 1);
  EXPECT_LE(largest_difference(
                thinned(final_v(with(fine, {"scheme=implicit", "dx=0.125", "nodes=1601", "dt=0.05"})), 4), adaptive),
            0.02);
}

TEST(FitzHughNagumo, RestStaysAtRest) {
  for (const char* scheme : {"explicit", "adaptive", "implicit"})
    EXPECT_EQ(largest(final_v({"case=rest", std::string("scheme=") + scheme, "end_time=20"})), 0) << scheme;
  EXPECT_EQ(largest(final_v({"dimensions=2", "case=rest", "nodes=64", "end_time=5"})), 0);
}

TEST(FitzHughNagumo, NeitherThreadsNorBudgetsChangeTheResult) {
  for (const Assignments& kind : kinds_of_run()) {
    const auto one = finished(kind, Backend::cpu, 1);
    const Table expected = one->result();
    const History curve = one->history();
    for (const int threads : {2, 7}) {
      const auto other = finished(kind, Backend::cpu, threads);
      for (std::size_t c = 0; c < expected.columns.size(); ++c)
        EXPECT_TRUE(same_bits(other->result().columns[c].numbers, expected.columns[c].numbers))
            << kind[1] << ' ' << threads;
    }
    auto cut = make(kind);
    for (long i = 1; cut->advance({i % 3 == 0 ? 1e-5 : INFINITY, i % 7 + 1}); ++i) {
    }
    for (std::size_t c = 0; c < expected.columns.size(); ++c)
      EXPECT_TRUE(same_bits(cut->result().columns[c].numbers, expected.columns[c].numbers)) << kind[1] << ", cut";
    const History cut_curve = cut->history();
    ASSERT_EQ(cut_curve.entries.size(), curve.entries.size());
    for (std::size_t i = 0; i < curve.entries.size(); ++i) {
      EXPECT_EQ(cut_curve.entries[i].iteration, curve.entries[i].iteration);
      EXPECT_TRUE(cut_curve.entries[i].figure == curve.entries[i].figure ||
                  (std::isnan(cut_curve.entries[i].figure) && std::isnan(curve.entries[i].figure)));
    }
  }
}

TEST(FitzHughNagumo, BudgetsAreKeptToTheStep) {
  for (const Assignments& kind : kinds_of_run()) {
    auto simulation = make(kind);
    simulation->advance({INFINITY, 5});
    EXPECT_EQ(simulation->progress().iteration, 5) << kind[1];
    simulation->advance({INFINITY, 1});
    EXPECT_EQ(simulation->progress().iteration, 6) << kind[1];
  }
}

TEST(FitzHughNagumo, ASecondSolutionRunsBesideTheFirst) {
  const auto both = finished({"compare=implicit", "end_time=30", "dt=0.1"});
  HostBuffers buffers;
  both->attach(buffers);
  both->publish();
  const auto line = [&](const char* name) {
    const auto& values = buffers.of(name);
    return Line(values.begin(), values.begin() + 401);
  };
  EXPECT_EQ(largest_difference(line("v"), final_v({"end_time=30", "dt=0.1"})), 0);
  EXPECT_EQ(largest_difference(line("v2"), final_v({"end_time=30", "dt=0.1", "scheme=implicit"})), 0);
  EXPECT_GT(largest_difference(line("v"), line("v2")), 1e-4);
}

TEST(FitzHughNagumo, ThePictureOfSpaceAndTimeFills) {
  auto simulation = make({"end_time=100"});
  HostBuffers buffers;
  simulation->attach(buffers);
  simulation->advance({INFINITY, 445});
  simulation->publish();
  const auto& picture = buffers.of("space_time");
  const auto row = [&](std::size_t which) {
    return Line(picture.begin() + std::ptrdiff_t(which * 401), picture.begin() + std::ptrdiff_t((which + 1) * 401));
  };
  EXPECT_NEAR(row(0)[200], 1, 1e-6);
  EXPECT_TRUE(std::isnan(row(511)[0]));
  for (std::size_t r = 0; r < 240; ++r) ASSERT_FALSE(std::isnan(row(r)[200])) << r;
  while (simulation->advance({})) {
  }
  simulation->publish();
  for (std::size_t i = 0; i < 512 * 401; ++i) ASSERT_FALSE(std::isnan(buffers.of("space_time")[i])) << i / 401;
  EXPECT_LE(largest_difference(row(511), column(*simulation, "v")), 0);
}

TEST(FitzHughNagumo, LiveChangesActFromNowOn) {
  const Assignments base = {"end_time=40", "dt=0.1"};
  auto simulation = make(base);
  simulation->advance({INFINITY, 200});
  simulation->set("dt", "0.05");
  simulation->set("end_time", "60");
  while (simulation->advance({})) {
  }
  EXPECT_EQ(reported<std::int64_t>(*simulation, "steps"), 200 + 800);
  EXPECT_NEAR(reported<double>(*simulation, "time"), 60, 1e-9);
  EXPECT_LE(largest_difference(column(*simulation, "v"), final_v({"end_time=60", "dt=0.05"})), 0.05);
  simulation->set("end_time", "80");
  EXPECT_TRUE(simulation->advance({INFINITY, 1}));
  simulation->set("epsilon", "0");
  while (simulation->advance({})) {
  }
  EXPECT_NEAR(reported<double>(*simulation, "time"), 80, 1e-9);
  EXPECT_THROW(simulation->set("dt", "nonsense"), Error);
  HostBuffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  for (std::size_t i = 0; i < 512 * 401; ++i) ASSERT_FALSE(std::isnan(buffers.of("space_time")[i])) << i / 401;
}

TEST(FitzHughNagumo, ARunWithoutTimeGetsSomeAndLosesIt) {
  auto simulation = make({"end_time=0"});
  EXPECT_FALSE(simulation->advance({}));
  simulation->set("end_time", "20");
  while (simulation->advance({})) {
  }
  EXPECT_EQ(largest_difference(column(*simulation, "v"), final_v({"end_time=20"})), 0);
  simulation->set("end_time", "0");
  EXPECT_FALSE(simulation->advance({}));
  HostBuffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  for (std::size_t i = 0; i < 512 * 401; ++i) ASSERT_FALSE(std::isnan(buffers.of("space_time")[i])) << i / 401;
}

TEST(FitzHughNagumo, AStimulusStartsAWaveAndAWipeEndsIt) {
  for (const char* scheme : {"explicit", "adaptive", "implicit"}) {
    auto simulation = make({"case=rest", std::string("scheme=") + scheme, "end_time=400"});
    simulation->advance({INFINITY, 10});
    simulation->receive(Stimulus{50, 0, 5, 1});
    simulation->advance({INFINITY, 500});
    EXPECT_GT(largest(column(*simulation, "v")), 0.5) << scheme;
    simulation->receive(Stimulus{100, 0, 200, -1});
    EXPECT_EQ(largest(column(*simulation, "v")), 0) << scheme;
  }
}

TEST(FitzHughNagumo, ARingOnASheetIsSymmetric) {
  const Line v = final_v({"dimensions=2", "case=divergent", "nodes=101", "dx=0.5", "dt=0.05", "end_time=20"});
  EXPECT_GT(largest(v), 0.5);
  for (std::size_t j = 0; j < 101; ++j)
    for (std::size_t i = 0; i < 101; ++i) {
      EXPECT_NEAR(v[j * 101 + i], v[i * 101 + j], 1e-5);
      EXPECT_NEAR(v[j * 101 + i], v[(100 - j) * 101 + i], 1e-5);
    }
}

TEST(FitzHughNagumo, ABrokenWaveWindsUpAndItsTipIsFound) {
  auto simulation = finished({"dimensions=2", "nodes=256", "dx=0.8", "end_time=150"});
  HostBuffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  int tips = 0;
  for (std::size_t i = 0; i < 64; ++i)
    if (!std::isnan(buffers.of("tips")[2 * i])) {
      ++tips;
      std::printf("tip at %.2f, %.2f\n", buffers.of("tips")[2 * i], buffers.of("tips")[2 * i + 1]);
    }
  EXPECT_GE(tips, 1);
  EXPECT_GT(largest(column(*simulation, "v")), 0.5);
}

TEST(FitzHughNagumo, ImpossibleParametersAreRefused) {
  EXPECT_THROW(make({"nodes=5"}), Error);
  EXPECT_THROW(make({"dimensions=2", "nodes=10000"}), Error);
  EXPECT_THROW(make({"case=spiral"}), Error);
  EXPECT_THROW(make({"dimensions=2", "case=traveling"}), Error);
  EXPECT_THROW(make({"scheme=implicit", "solver=cusparse"}), Error);
  EXPECT_THROW(make({"scheme=adaptive", "tolerance=9e-6"}), Error);
  EXPECT_NO_THROW(make({"scheme=adaptive", "tolerance=9e-6", "precision=double"}));
  EXPECT_NO_THROW(make({"tolerance=9e-6"}));  // has no effect
}

TEST(FitzHughNagumo, FilesHoldWhatTheInterfaceSays) {
  const auto folder = std::filesystem::temp_directory_path() / ("kinescope-fhn-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto size = [&](const std::string& name) { return std::filesystem::file_size(folder / name); };
  auto axon = finished({"end_time=20"});
  write_output(*axon, "history", (folder / "history.npy").string());
  write_output(*axon, "out", (folder / "axon.csv").string());
  EXPECT_EQ(size("history.npy"), 128 + 4 * 401 * (178 + 1));  // 20 / 0.1125 steps, and the initial values
  std::ifstream csv(folder / "axon.csv");
  std::string head;
  std::getline(csv, head);
  EXPECT_EQ(head, "x,v,w");
  auto sheet = finished({"dimensions=2", "nodes=32", "end_time=1"});
  write_output(*sheet, "out", (folder / "sheet.npy").string());
  write_output(*sheet, "out", (folder / "sheet.png").string());
  EXPECT_EQ(size("sheet.npy"), 128 + 4 * 2 * 32 * 32);
  EXPECT_GT(size("sheet.png"), 60u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace kinescope::sim::fitzhugh_nagumo_test
