// What must hold for every simulation on a CUDA device: it gives what the CPU gives, however its budget is cut, and its
// trace names the CPU's launches. A sanitizer can follow all of these cases in minutes (test.sh --device --sanitize).
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "kinescope/executors/devices.hpp"
#include "kinescope/trace.hpp"
#include "tests/app/law_cases.hpp"
#include "tests/cuda/device_buffers.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim::laws::laws_cuda_test {
namespace {

class LawsCuda : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }

  static std::unique_ptr<Simulation> make(Backend backend, const std::shared_ptr<Trace>& trace = nullptr) {
    return laws::make(GetParam(), sim::Setup{.backend = backend, .threads = 2, .trace = trace});
  }

  template <class Buffers>
  static std::unique_ptr<Simulation> run(Backend backend, Buffers& buffers, const std::shared_ptr<Trace>& trace) {
    auto simulation = make(backend, trace);
    simulation->attach(buffers);
    simulation->publish();
    simulation->advance({std::numeric_limits<double>::infinity(), GetParam().iterations});
    simulation->publish();
    simulation->finish();
    return simulation;
  }

  static std::set<std::string> labels(Trace& trace) {
    std::set<std::string> found;
    for (const Trace::Span& span : trace.take()) found.insert(span.label);
    return found;
  }
};

void expect_finite(Simulation& simulation) {
  const Table table = simulation.result();
  EXPECT_GT(table.rows, 0u);
  for (const Column& column : table.columns)
    for (const double number : column.numbers) ASSERT_TRUE(std::isfinite(number)) << column.name;
}

TEST_P(LawsCuda, RunsAndPublishes) {
  test_buffers::DeviceBuffers buffers;
  const auto simulation = run(Backend::cuda, buffers, nullptr);
  EXPECT_GT(simulation->progress().iteration, 0);
  expect_finite(*simulation);
}

// Compares two tables: numbers must agree within the case's tolerance, relative to the largest in their column.
void expect_near(const Table& found, const Table& expected, double parity) {
  ASSERT_EQ(found.columns.size(), expected.columns.size());
  for (std::size_t c = 0; c < found.columns.size(); ++c) {
    const Numbers &mine = found.columns[c].numbers, &theirs = expected.columns[c].numbers;
    ASSERT_EQ(mine.size(), theirs.size());
    double largest = 0;
    for (const double number : theirs) largest = std::max(largest, std::abs(number));
    for (std::size_t i = 0; i < mine.size(); ++i)
      ASSERT_LE(std::abs(mine[i] - theirs[i]), parity * largest) << found.columns[c].name << ", row " << i;
  }
}

TEST_P(LawsCuda, EqualsTheCpu) {
  test_buffers::HostBuffers host;
  test_buffers::DeviceBuffers device;
  const auto cpu = run(Backend::cpu, host, nullptr), cuda = run(Backend::cuda, device, nullptr);
  if (GetParam().iterations < until_done) EXPECT_EQ(cuda->progress().iteration, cpu->progress().iteration);
  expect_near(cuda->result(), cpu->result(), GetParam().parity);
}

TEST_P(LawsCuda, CutsAndRestartsChangeNothing) {
  test_buffers::DeviceBuffers buffers;
  const auto whole = run(Backend::cuda, buffers, nullptr), cut = make(Backend::cuda);
  for (int round = 0; round < 2; ++round) {
    for (long done = 0; done < GetParam().iterations;) {
      const bool more = cut->advance({.iterations = std::min(7L, GetParam().iterations - done)});
      cut->finish();
      done = cut->progress().iteration;
      if (!more) break;
    }
    expect_near(cut->result(), whole->result(), 0);
    cut->restart();
  }
}

// The device's trace names every phase that the CPU's trace names, except those that only the CPU has.
TEST_P(LawsCuda, NamesThePhasesOfTheCpu) {
  const auto cpu = std::make_shared<Trace>(), cuda = std::make_shared<Trace>();
  cpu->enable(true);
  cuda->enable(true);
  test_buffers::HostBuffers host;
  test_buffers::DeviceBuffers device;
  run(Backend::cpu, host, cpu);
  run(Backend::cuda, device, cuda);
  const std::set<std::string> of_the_cpu = {
      "combine",    "label",  // k-means: adding up the threads' sums; labels, which a device computes with "assign",
      "inertia",    "sums",   // as it does these
      "densities",  "add grids",  // mean shift: adding up the threads' grids
      "rank",       "full stress", "rows",
      "directions",  // Glimmer: a device ranks with the stress, and computes directions in the round
      "implicit",   "explicit",    "turn"};  // FitzHugh–Nagumo: on a device one launch computes the whole run
  const std::set<std::string> known = labels(*cuda);
  for (const std::string& label : labels(*cpu))
    EXPECT_TRUE(of_the_cpu.contains(label) || known.contains(label)) << label;
}

INSTANTIATE_TEST_SUITE_P(Every, LawsCuda, testing::ValuesIn(cases()), [](const auto& each) { return name_of(each); });

}  // namespace
}  // namespace kinescope::sim::laws::laws_cuda_test
