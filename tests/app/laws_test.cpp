// What holds for every simulation, on the CPU. A new simulation is tested as soon as it is in the program's list.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/groups.hpp"
#include "tests/app/law_cases.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/host_buffers.hpp"
#include "tests/temporary_folder.hpp"

namespace kinescope::sim::laws::laws_test {
namespace {

using test_buffers::HostBuffers;

// What a run produces: everything that it has published, its table, its curve.
struct Outcome {
  HostBuffers buffers;
  Table table;
  History curve;
  Progress progress;
};

bool same_figure(float a, float b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_TRUE(a.buffers.same_as(b.buffers)) << "published";
  ASSERT_EQ(a.table.columns.size(), b.table.columns.size());
  for (std::size_t c = 0; c < a.table.columns.size(); ++c)
    EXPECT_TRUE(same_bits(a.table.columns[c].numbers, b.table.columns[c].numbers)) << a.table.columns[c].name;
  ASSERT_EQ(a.curve.entries.size(), b.curve.entries.size());
  for (std::size_t i = 0; i < a.curve.entries.size(); ++i) {
    EXPECT_EQ(a.curve.entries[i].iteration, b.curve.entries[i].iteration);
    ASSERT_TRUE(same_figure(a.curve.entries[i].figure, b.curve.entries[i].figure)) << "iteration " << i + 1;
  }
  EXPECT_EQ(a.progress.iteration, b.progress.iteration);
  EXPECT_EQ(a.progress.converged, b.progress.converged);
}

Outcome outcome_of(Simulation& simulation) {
  Outcome outcome;
  simulation.attach(outcome.buffers);
  simulation.publish();
  simulation.finish();
  outcome.table = simulation.result();
  outcome.curve = simulation.history();
  outcome.progress = simulation.progress();
  return outcome;
}

class Laws : public testing::TestWithParam<Case> {
 protected:
  static std::unique_ptr<Simulation> make(int threads = 2) {
    return laws::make(GetParam(), sim::Setup{.threads = threads});
  }
  static void run(Simulation& simulation) { simulation.advance({.iterations = GetParam().iterations}); }
};

TEST_P(Laws, PublishesBeforeTheFirstStep) {
  const auto simulation = make();
  HostBuffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  EXPECT_EQ(simulation->progress().iteration, 0);
  while (simulation->progress().iteration == 0 && simulation->advance({.iterations = 100})) {
  }
  simulation->publish();
  EXPECT_GT(simulation->progress().iteration, 0);
}

TEST_P(Laws, ThreadsChangeNothing) {
  const auto one = make(1);
  run(*one);
  const Outcome expected = outcome_of(*one);
  for (const int threads : {2, 7}) {
    const auto other = make(threads);
    run(*other);
    expect_same(outcome_of(*other), expected);
  }
}

TEST_P(Laws, CutsOfTheBudgetChangeNothing) {
  const auto whole = make(), cut = make();
  run(*whole);
  for (long left = GetParam().iterations, i = 1; left > 0; ++i) {
    const long part = std::min(i % 7 + 1, left);
    if (!cut->advance({.iterations = part})) break;
    left -= part;
  }
  expect_same(outcome_of(*cut), outcome_of(*whole));
  // Then to the end with budgets of time, where nobody knows how much fits into one.
  whole->advance({});
  while (cut->advance({.seconds = 1e-5})) {
  }
  expect_same(outcome_of(*cut), outcome_of(*whole));
}

TEST_P(Laws, ARestartEqualsANewRun) {
  const auto fresh = make(), again = make();
  run(*fresh);
  run(*again);
  again->restart();
  EXPECT_FALSE(again->progress().converged);
  run(*again);
  expect_same(outcome_of(*again), outcome_of(*fresh));
}

// The window's thread reads what the run's thread changes. A race is found with ./test.sh --sanitize thread.
TEST_P(Laws, MayBeReadWhileItRunsAndRestarts) {
  const auto simulation = make();
  std::atomic<bool> ended = false;
  std::thread window([&] {
    while (!ended) {
      const std::shared_ptr<const Snapshot> now = simulation->snapshot();
      EXPECT_GE(now->progress.iteration, 0);
      EXPECT_LT(now->progress.figure_name.size(), 100u);
      EXPECT_LE(now->history.entries.size(), std::size_t(now->progress.iteration));
      for (const HistoryPoint& point : now->history.entries) ASSERT_LE(point.iteration, now->progress.iteration);
      if (const auto* groups = now->find<Groups>())
        EXPECT_EQ(groups->centres.size(), groups->sizes.size() * groups->columns);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  for (int i = 0; i < 5; ++i) {
    run(*simulation);
    simulation->restart();
  }
  ended = true;
  window.join();
}

TEST_P(Laws, TheReportsKeysAreThoseOfAnyMoment) {
  const auto keys = [](Simulation& simulation) {
    std::set<std::string> found;
    const Report report = simulation.report();
    for (const auto& [key, value] : report.entries) EXPECT_TRUE(found.insert(key).second) << key;
    return found;
  };
  const auto simulation = make();
  const std::set<std::string> before = keys(*simulation);
  EXPECT_FALSE(before.empty());
  run(*simulation);
  EXPECT_EQ(keys(*simulation), before);
}

TEST_P(Laws, EveryOutputCanBeWritten) {
  const auto simulation = make();
  run(*simulation);
  const TemporaryFolder folder;
  for (const OutputKind& output : GetParam().kind->outputs) {
    const std::vector<std::string> endings = simulation->endings(output.option);
    for (const std::string& ending : endings) {
      EXPECT_EQ(std::ranges::count(endings, ending), 1) << output.option << ending;
      EXPECT_NO_THROW(write_output(*simulation, output.option, folder.path("law" + ending))) << output.option << ending;
    }
  }
  EXPECT_TRUE(simulation->endings("nothing").empty());
  EXPECT_THROW(write_output(*simulation, "nothing", folder.path("law.csv")), Error);
}

INSTANTIATE_TEST_SUITE_P(Every, Laws, testing::ValuesIn(cases()), [](const auto& each) { return name_of(each); });

class KindLaws : public testing::TestWithParam<const SimulationKind*> {
 protected:
  static std::vector<Case> own_cases() {
    std::vector<Case> own;
    for (const Case& each : cases())
      if (each.kind == GetParam()) own.push_back(each);
    return own;
  }
};

// Values at the ends of a parameter's range, and each of its options.
std::vector<std::string> extremes(const Parameter& parameter) {
  if (const auto* integer = dynamic_cast<const Integer*>(&parameter))
    return {std::to_string(integer->range().minimum), std::to_string(integer->range().maximum)};
  if (const auto* real = dynamic_cast<const Real*>(&parameter)) {
    const auto text = [](double value) {
      std::ostringstream out;
      out.precision(17);
      out << value;
      return out.str();
    };
    return {text(real->range().minimum), text(real->range().maximum)};
  }
  if (const auto* choice = dynamic_cast<const ChoiceParameter*>(&parameter)) return choice->options();
  return {};
}

TEST_P(KindLaws, NamesAreThoseOfTheCommandLine) {
  const std::string& name = GetParam()->name;
  EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << name;
}

// Each live parameter must change the run in at least one of the simulation's cases.
TEST_P(KindLaws, EveryLiveParameterActs) {
  const auto acts = [](const Case& tested, const std::string& name, const std::string& value) {
    const sim::Setup setup{.threads = 2};
    const auto parameters = parameters_of(tested);
    const auto plain = make(tested, setup), changed = make(tested, setup);
    const long before = std::min(tested.iterations, 5L), after = 2000;
    HostBuffers one, other;
    plain->attach(one);
    changed->attach(other);
    for (Simulation* each : {plain.get(), changed.get()}) each->advance({.iterations = before});
    try {
      parameters->set(name, value);
      changed->set(name, value);
      for (Simulation* each : {plain.get(), changed.get()}) each->advance({.iterations = after});
    } catch (const Error&) {  // an impossible value
      return false;
    }
    for (Simulation* each : {plain.get(), changed.get()}) each->publish();
    return !one.same_as(other) || plain->progress().iteration != changed->progress().iteration ||
           plain->progress().converged != changed->progress().converged ||
           plain->progress().second_figure_name != changed->progress().second_figure_name ||  // another curve
           plain->report().entries.size() != changed->report().entries.size();  // it adds a figure to the report
  };
  const auto all = GetParam()->make_parameters();
  for (const Parameter* parameter : all->all()) {
    if (parameter->change() != Change::live || parameter->name() == "on_change") continue;  // says how changes act
    const auto acts_in = [&](const Case& tested) {
      const auto own = parameters_of(tested);
      if (!own->applies(*own->find(parameter->name()))) return false;
      const std::vector<std::string> values = extremes(*parameter);
      return std::any_of(values.begin(), values.end(),
                         [&](const std::string& value) { return acts(tested, parameter->name(), value); });
    };
    const std::vector<Case> own = own_cases();
    EXPECT_TRUE(std::any_of(own.begin(), own.end(), acts_in)) << parameter->name();
  }
}

TEST_P(KindLaws, ExtremesAreRunOrRefusedInOneLine) {
  const Case tested = own_cases().front();
  const auto all = GetParam()->make_parameters();
  for (const Parameter* parameter : all->all())
    for (const std::string& value : extremes(*parameter)) {
      const std::string assignment = parameter->name() + "=" + value;
      try {
        const auto parameters = parameters_of(tested);
        parameters->set(assignment);
        const auto simulation = make(tested, *parameters, sim::Setup{.threads = 2});
        HostBuffers buffers;
        simulation->attach(buffers);
        simulation->advance({.seconds = 0.1, .iterations = 2});
        simulation->publish();
        EXPECT_GT(simulation->result().columns.size(), 0u) << assignment;
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << assignment;
        EXPECT_NE(std::string(error.what()), "") << assignment;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, KindLaws, testing::ValuesIn(app::simulation_kinds()), [](const auto& each) {
  std::string name = each.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace kinescope::sim::laws::laws_test
