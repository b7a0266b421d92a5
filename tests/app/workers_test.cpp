// Workers of a run whose group's store is lost, or has another run's notes, before they compute.
// command_line/losses_test.cpp loses it in the middle of a run.
#include "app/view/workers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/runs/interrupt.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::app::workers_test {
namespace {

namespace fs = std::filesystem;

class WorkersWithoutStore : public testing::Test {
 protected:
  void begin(bool has_name) {
    parameters_ = kind_.make_parameters();
    parameters_->set("clusters=5");
    WorkersSetup setup;
    setup.count = 1;
    if (has_name) setup.group = folder_.path("");
    setenv("TMPDIR", folder_.path("").c_str(), 1);
    workers_.emplace(setup, kind_, request_, *parameters_, 1);
    unsetenv("TMPDIR");
    group_ = folder_.path(folder_.names().at(0));
  }
  // Another run begins where this one's notes were.
  void replace() {
    fs::remove_all(group_);
    fs::create_directory(group_);
    fs::permissions(group_, fs::perms::owner_all);
    for (const std::string& name : notes_) std::ofstream(group_ / name) << "another's";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(group_)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  // Serves a run, which computes to its end; returns what people are told.
  std::vector<std::string> told() {
    sim::Setup setup;
    setup.data = sim::load_dataset(request_);
    const auto simulation = kind_.make(setup, *parameters_);
    std::vector<std::string> told;
    workers_->serve(
        *simulation, [&](const std::string& news) { told.push_back(news); }, [] { return false; });
    while (simulation->advance({})) {
    }
    simulation->finish();
    EXPECT_TRUE(simulation->progress().converged);
    return told;
  }

  const TemporaryFolder folder_;
  fs::path group_;
  const std::vector<std::string> notes_ = {"coordinator", "generation-1", "run.kinescope.json", "secret", "worker-1"};
  const sim::SimulationKind& kind_ = sim::k_means_kind();
  const sim::DataRequest request_{"synthetic:gaussians,n=1000,k=2"};
  std::unique_ptr<sim::ParameterSet> parameters_;
  std::optional<Workers> workers_;
};

TEST_F(WorkersWithoutStore, AnAbruptEndLeavesAnotherRunsNotes) {
  begin(false);
  replace();
  prepare_abrupt_end();
  workers_.reset();
  EXPECT_EQ(names(), notes_);
}

TEST_F(WorkersWithoutStore, TheRunGoesOnIfTheFolderIsRemoved) {
  begin(true);
  fs::remove_all(group_);
  const std::vector<std::string> news = told();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_NE(news[0].find("the group's store is lost"), std::string::npos) << news[0];
  EXPECT_NE(news[0].find("this process computes by itself"), std::string::npos) << news[0];
  workers_.reset();
  EXPECT_FALSE(fs::exists(group_));
}

TEST_F(WorkersWithoutStore, TheRunGoesOnIfTheFolderIsOpenedToOthers) {
  begin(true);
  fs::permissions(group_, fs::perms::owner_all | fs::perms::others_read);
  EXPECT_EQ(told().size(), 1u);
  workers_.reset();
  EXPECT_FALSE(fs::exists(group_));
}

TEST_F(WorkersWithoutStore, TheRunGoesOnIfAnotherTakesItsPlace) {
  begin(true);
  replace();
  EXPECT_EQ(told().size(), 1u);
  workers_.reset();
  EXPECT_EQ(names(), notes_);
}

}  // namespace
}  // namespace kinescope::app::workers_test
