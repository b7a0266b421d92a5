// FitzHugh–Nagumo on a CUDA device against the CPU.
#include <cstdio>
#include <gtest/gtest.h>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/fitzhugh_nagumo/time_solver.hpp"
#include "tests/sim/fitzhugh_nagumo/fitzhugh_nagumo_cases.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::sim::fitzhugh_nagumo_cuda_test {
namespace {

using namespace fitzhugh_nagumo_cases;

class FitzHughNagumoCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

std::string name_of(const Assignments& assignments) {
  std::string name;
  for (const std::string& assignment : assignments) name += assignment + ' ';
  return name;
}

std::vector<Assignments> all_kinds() {
  std::vector<Assignments> kinds = kinds_of_run();
  for (const char* precision : {"float", "double"})
    for (const char* nodes : {"9", "401", "3072", "3073", "20000"}) {
      const Assignments base = {std::string("precision=") + precision, std::string("nodes=") + nodes, "end_time=12"};
      for (const char* scheme : {"explicit", "adaptive", "implicit", "adaptive-paper"})
        kinds.push_back(with(base, {std::string("scheme=") + scheme, "case=impulses"}));
      kinds.push_back(with(base, {"case=traveling"}));
      kinds.push_back(with(base, {"case=traveling", "scheme=implicit"}));
      for (const char* solver : {"thomas", "cyclic-reduction", "parallel-cyclic-reduction", "partition"})
        kinds.push_back(with(base, {"scheme=implicit", "case=impulses", std::string("solver=") + solver}));
    }
  for (const char* nodes : {"8", "64", "113", "300"})
    for (const char* boundary : {"no-flux", "periodic"})
      for (const char* start : {"spiral", "target", "impulses"})
        kinds.push_back({"dimensions=2", "end_time=10", std::string("nodes=") + nodes,
                         std::string("boundary=") + boundary, std::string("case=") + start});
  return kinds;
}

TEST_F(FitzHughNagumoCuda, EveryKindOfRunAgreesWithTheCpu) {
  for (const Assignments& kind : all_kinds()) {
    const auto here = finished(kind, Backend::cpu), there = finished(kind, Backend::cuda);
    const bool exact = std::find(kind.begin(), kind.end(), "precision=double") != kind.end();
    const double tolerance = exact ? 1e-6 : 2e-4;  // rounding, after some 100 steps
    EXPECT_LE(largest_difference(column(*there, "v"), column(*here, "v")), tolerance) << name_of(kind);
    EXPECT_LE(largest_difference(column(*there, "w"), column(*here, "w")), tolerance) << name_of(kind);
    EXPECT_EQ(reported<std::int64_t>(*there, "steps"), reported<std::int64_t>(*here, "steps")) << name_of(kind);
  }
}

TEST_F(FitzHughNagumoCuda, BudgetsNeverChangeTheResult) {
  for (const Assignments& kind : all_kinds()) {
    const auto whole = finished(kind, Backend::cuda);
    auto cut = make(kind, Backend::cuda);
    for (long i = 1; cut->advance({i % 3 == 0 ? 1e-5 : INFINITY, i % 7 + 1}); ++i) {
    }
    const Table expected = whole->result(), found = cut->result();
    for (std::size_t c = 0; c < expected.columns.size(); ++c)
      EXPECT_TRUE(same_bits(found.columns[c].numbers, expected.columns[c].numbers)) << name_of(kind);
    const History curve = whole->history(), cut_curve = cut->history();
    ASSERT_EQ(cut_curve.entries.size(), curve.entries.size()) << name_of(kind);
    for (std::size_t i = 0; i < curve.entries.size(); ++i) {
      ASSERT_EQ(curve.entries[i].iteration, long(i + 1)) << name_of(kind);
      ASSERT_TRUE(cut_curve.entries[i].figure == curve.entries[i].figure || std::isnan(curve.entries[i].figure))
          << name_of(kind) << i;
    }
  }
}

TEST_F(FitzHughNagumoCuda, AgreesWithAnIndependentStiffSolver) {
  for (const auto& [time, which] : {std::pair{30, 1}, std::pair{100, 3}}) {
    const Assignments at = {"precision=double", "end_time=" + std::to_string(time)};
    for (const char* solver : {"halo", "cyclic-reduction", "parallel-cyclic-reduction", "partition", "cusparse"}) {
      try {
        const auto run =
            finished(with(at, {"scheme=implicit", "dt=0.02", std::string("solver=") + solver}), Backend::cuda);
        EXPECT_LE(rms_difference(column(*run, "v"), reference(static_cast<std::size_t>(which))), 1e-5) << solver;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("libcusparse"), std::string::npos) << error.what();
      }
    }
    EXPECT_LE(
        rms_difference(final_v(with(at, {"dt=0.002"}), Backend::cuda), reference(static_cast<std::size_t>(which))),
        1e-3);
  }
}

TEST_F(FitzHughNagumoCuda, NewtonConvergesQuadraticallyAndSystemsAreSolved) {
  using fitzhugh_nagumo::Solver;
  for (const Solver solver :
       {Solver::thomas, Solver::cyclic_reduction, Solver::parallel_cyclic_reduction, Solver::halo, Solver::partition})
    for (const long rows : {2L, 3L, 8L, 9L, 100L, 256L, 257L, 1024L, 1025L, 20000L})
      EXPECT_LE(fitzhugh_nagumo::time_solver_cuda(0, solver, rows).residual, 3e-6)
          << static_cast<int>(solver) << ' ' << rows;
  for (const double ratio : {10.0, 100.0, 1000.0})
    for (const long rows : {255L, 4097L, 70000L, 5000000L})
      EXPECT_LE(fitzhugh_nagumo::time_solver_cuda(0, Solver::partition, rows, ratio).residual, 3e-6 * ratio)
          << rows << ' ' << ratio;
}

TEST_F(FitzHughNagumoCuda, AStepTooLargeStopsWithItsCause) {
  for (const char* nodes : {"401", "20000"}) {
    try {
      finished({std::string("nodes=") + nodes, "dt=0.128"}, Backend::cuda);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("largest stable dt is 0.1125"), std::string::npos) << error.what();
      EXPECT_FALSE(error.remedies().empty());
    }
  }
  EXPECT_THROW(finished({"dimensions=2", "nodes=200", "dt=0.07"}, Backend::cuda), Error);
}

TEST_F(FitzHughNagumoCuda, RowsAreKeptAsOnTheCpu) {
  for (const Assignments& kind :
       {Assignments{"end_time=20"}, Assignments{"end_time=20", "nodes=5000", "case=impulses"},
        Assignments{"end_time=20", "nodes=5000", "case=traveling"},
        Assignments{"end_time=20", "nodes=5000", "case=traveling", "scheme=adaptive"},
        Assignments{"end_time=20", "scheme=implicit"}, Assignments{"dimensions=2", "nodes=600", "end_time=20"}}) {
    const TemporaryFolder folder;
    const std::string name = folder.path("rows.npy");
    std::string bytes[2];
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      auto simulation = finished(kind, backend, 2, true);
      write_output(*simulation, "history", name);
      std::ifstream file(name, std::ios::binary);
      bytes[static_cast<int>(backend)].assign(std::istreambuf_iterator<char>(file), {});
    }
    ASSERT_EQ(bytes[0].size(), bytes[1].size());
    const auto values = [](const std::string& all) {
      Line line;
      for (std::size_t at = 128; at + 4 <= all.size(); at += 4) {
        float value;
        std::memcpy(&value, all.data() + at, 4);
        line.push_back(value);
      }
      return line;
    };
    EXPECT_LE(largest_difference(values(bytes[0]), values(bytes[1])), 2e-4) << name_of(kind);
  }
}

}  // namespace
}  // namespace kinescope::sim::fitzhugh_nagumo_cuda_test
