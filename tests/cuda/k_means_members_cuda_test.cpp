// k-means on CUDA by several members gives the same bytes as one process.
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <future>
#include <gtest/gtest.h>
#include <optional>
#include <tuple>

#include "app/runs/children.hpp"
#include "kinescope/executors/devices.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/coordinator.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "sim/k_means/distributed/worker.hpp"
#include "tests/cuda/k_means_cuda_cases.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::k_means_members_cuda_test {
namespace {

using namespace k_means_cases;

class KMeansMembersCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

// A group whose workers get the run's data and facts directly.
class TestGroup : public k_means::Group {
 public:
  std::string begin(std::shared_ptr<const Dataset> data, const k_means::RunFacts& facts) override {
    data_ = std::move(data);
    facts_ = facts;
    meet();
    return "";
  }
  bool wants_moment() const override { return false; }
  void keep(const std::string&) override {}
  float* place(std::size_t) override { return nullptr; }
  std::int64_t rows_missing() const override { return 0; }
  KMeansWorkers workers() const override { return {}; }
  void tell(std::function<void()>) override {}
  void report(Report&) const override {}

 protected:
  virtual void meet() = 0;

  std::shared_ptr<const Dataset> data_;
  k_means::RunFacts facts_;
};

// Three members in this process, with a third of the rows each, on the GPU or on the CPU. In iteration 3 no member is
// there. In iteration 4 rows are dealt anew, as after a loss.
class ThreeMembers : public TestGroup {
 public:
  explicit ThreeMembers(std::vector<Backend> backends) : backends_(std::move(backends)) {}
  std::optional<k_means::PartialSums> sum(const k_means::Pass& pass, std::span<const float> centroids) override {
    if (pass.iteration == 3) return std::nullopt;
    if (pass.iteration == 4) meet();
    const std::size_t count = centroids.size() + static_cast<std::size_t>(pass.clusters) + 1;
    answers_.resize(members_.size() * count);
    for (std::size_t member = 0; member < members_.size(); ++member) {
      members_[member]->compute(pass, centroids);
      members_[member]->take(0, std::span(answers_).subspan(member * count, count));
    }
    return k_means::PartialSums{{answers_.data(), static_cast<std::int64_t>(count), 3, count}};
  }

 private:
  void meet() override {
    members_.clear();
    for (int part = 0; part < 3; ++part) {
      Setup setup;
      setup.data = data_;
      setup.backend = backends_[static_cast<std::size_t>(part)];
      const k_means::Rows rows = k_means::rows_of(part, 3, static_cast<std::int64_t>(data_->points));
      members_.push_back(k_means::make_row_sums({setup, facts_, rows}));
    }
  }

  const std::vector<Backend> backends_;
  std::vector<std::unique_ptr<k_means::RowSums>> members_;
  std::vector<std::int64_t> answers_;
};

TEST_F(KMeansMembersCuda, OfSeveralMembersHasTheSameBytes) {
  for (const Case& c : every_way()) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto alone = run.on(Backend::cuda).finished();
    for (const auto& backends : {std::vector{Backend::cuda, Backend::cuda, Backend::cuda},
                                 std::vector{Backend::cuda, Backend::cpu, Backend::cuda}})
      for (const Backend backend : {Backend::cuda, Backend::cpu}) {
        const auto helped = run.on(backend).make();
        dynamic_cast<KMeans&>(*helped).compute_with(std::make_shared<ThreeMembers>(backends));
        while (helped->advance({})) {
        }
        helped->finish();
        EXPECT_TRUE(same_bytes(helped->result(), alone->result()))
            << c.data->points << " x " << c.data->dimensions << ", K " << c.clusters;
      }
  }
}

// A run and its workers in threads of this process. Each has a mapping of its own of the shared memory, as processes
// have. All GPUs read and write that memory, unless something else has registered it before, and there is no twin in a
// GPU's memory. In iteration 4 the members meet in a new memory.
class MembersInMemory : public TestGroup {
 public:
  MembersInMemory(int workers, Backend backend, bool taken) : size_(workers + 1), backend_(backend), taken_(taken) {}
  ~MembersInMemory() override { part(); }
  float* place(std::size_t numbers) override {
    return own_.sums && own_.sums->registered()
               ? reinterpret_cast<float*>(connection_->message(sizeof(k_means::Pass) + 4 * numbers) +
                                          sizeof(k_means::Pass))
               : nullptr;
  }
  std::optional<k_means::PartialSums> sum(const k_means::Pass& pass, std::span<const float> centroids) override {
    const std::vector<float> kept(centroids.begin(), centroids.end());
    if (pass.iteration == 4) part(), meet();
    std::byte* const message = connection_->message(sizeof pass + centroids.size_bytes());
    std::memcpy(message, &pass, sizeof pass);
    std::memcpy(message + sizeof pass, kept.data(), centroids.size_bytes());
    connection_->send();
    k_means::PartialSums sums;
    if (own_.sums) {
      own_.sums->compute(pass, {reinterpret_cast<const float*>(message + sizeof pass), kept.size()});
      sums.own = own_.sums->sums();
      sums.registered = own_.sums->registered();
    }
    sums.others = connection_->answers(kept.size() + static_cast<std::size_t>(pass.clusters) + 1);
    return sums;
  }

 private:
  struct Member {
    std::shared_ptr<void> taken;
    std::unique_ptr<k_means::RowSums> sums;
  };
  Member member(int rank, const k_means::Connection& connection) const {
    Setup setup;
    setup.data = data_;
    setup.backend = Backend::cuda;
    const int parts = backend_ == Backend::cuda ? size_ : size_ - 1;
    const k_means::Rows rows =
        k_means::rows_of(rank - (size_ - parts), parts, static_cast<std::int64_t>(data_->points));
    Member made;
    if (taken_) {
      const std::shared_ptr<k_means::SharedMemory> memory = connection.memory();
      EXPECT_EQ(cudaHostRegister(memory->all().data(), memory->all().size(), cudaHostRegisterDefault), cudaSuccess);
      made.taken = {nullptr, [memory](void*) { cudaHostUnregister(memory->all().data()); }};
    }
    made.sums = k_means::make_row_sums({setup, facts_, rows, 0, size_, connection.memory()});
    EXPECT_EQ(made.sums->registered(), !taken_);
    return made;
  }
  void work(const std::string& address, int rank) const {
    const auto connection = k_means::connect(k_means::SharedMemory::open(address), rank, size_);
    const Member own = member(rank, *connection);
    try {
      for (;;) {
        connection->await_message();
        const std::span<const std::byte> message = connection->receive();
        k_means::Pass pass;
        std::memcpy(&pass, message.data(), sizeof pass);
        const std::size_t numbers = static_cast<std::size_t>(pass.clusters) * data_->dimensions,
                          count = numbers + static_cast<std::size_t>(pass.clusters) + 1;
        own.sums->compute(pass, {reinterpret_cast<const float*>(message.data() + sizeof pass), numbers});
        own.sums->take(0, {connection->place(count), count});
        connection->answer();
      }
    } catch (const k_means::Lost&) {  // part() aborts the connection
    }
  }
  void meet() override {
    const std::size_t numbers = facts_.scale.size() * static_cast<std::size_t>(facts_.clusters);
    auto memory = k_means::SharedMemory::make(size_, sizeof(k_means::Pass) + 4 * numbers,
                                              numbers + static_cast<std::size_t>(facts_.clusters) + 1);
    const std::string address = memory->address();
    connection_ = k_means::connect(std::move(memory), 0, size_);
    if (backend_ == Backend::cuda) own_ = member(0, *connection_);
    for (int rank = 1; rank < size_; ++rank)
      members_.push_back(std::async(std::launch::async, [this, address, rank] { work(address, rank); }));
  }
  void part() {
    if (connection_) connection_->abort();
    for (auto& member : members_) member.get();
    members_.clear();
    own_ = {};
    connection_ = nullptr;
  }

  const int size_;
  const Backend backend_;  // the run's; on a GPU it computes a part itself
  const bool taken_;       // the memory is already registered when the members come
  std::shared_ptr<k_means::Connection> connection_;
  Member own_;
  std::vector<std::future<void>> members_;
};

std::vector<Case> shared_cases() {
  return {{gaussians(20'000, 128, 64), 1024, 7},
          {gaussians(50'000), 64, 20},
          {uniform(300, 3), 8, 7},
          {uniform(5000, 100), 130, 8}};
}

TEST_F(KMeansMembersCuda, OfMembersThatShareMemoryHasTheSameBytes) {
  for (const Case& c : shared_cases()) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto alone = run.on(Backend::cuda).finished();
    for (const auto& [workers, backend, taken] : {std::tuple{1, Backend::cuda, false},
                                                  {3, Backend::cuda, false},
                                                  {3, Backend::cpu, false},
                                                  {2, Backend::cuda, true}}) {
      const auto helped = run.on(backend).make();
      dynamic_cast<KMeans&>(*helped).compute_with(std::make_shared<MembersInMemory>(workers, backend, taken));
      while (helped->advance({})) {
      }
      helped->finish();
      EXPECT_TRUE(same_bytes(helped->result(), alone->result()))
          << c.data->points << " x " << c.data->dimensions << ", K " << c.clusters << ", workers " << workers;
    }
  }
}

constexpr const char *group_variable = "KINESCOPE_TEST_GROUP", *case_variable = "KINESCOPE_TEST_CASE";

// Run by Processes, which starts this program again: works as a worker.
TEST_F(KMeansMembersCuda, DISABLED_WorksForAnotherProcess) {
  const char *group = std::getenv(group_variable), *number = std::getenv(case_variable);
  ASSERT_TRUE(group && number);
  k_means::Worker(group, "").work(
      {{.backend = Backend::cuda}, 0, nullptr, [&] { return shared_cases().at(std::stoul(number)).data; }});
}

// A coordinator with two workers in processes of their own, one of which may be killed in an iteration. Counts the
// passes, and those whose answers came through the memory of the run's GPU.
class Processes : public k_means::Group {
 public:
  Processes(std::size_t number, std::int64_t killing) : killing_(killing) {
    setenv(group_variable, folder_.path("").c_str(), 1);
    setenv(case_variable, std::to_string(number).c_str(), 1);
    // If this test runs in a shard, the program that is started must not inherit that, or it could skip the test it is
    // for.
    unsetenv("GTEST_TOTAL_SHARDS");
    unsetenv("GTEST_SHARD_INDEX");
    k_means::CoordinatorSetup setup;
    setup.store = folder_.path("");
    setup.computes = true;
    setup.processor.backend = Backend::cuda;
    setup.workers = 2;
    setup.ended = [this] { return children_.ended(); };
    setup.tell = [this](const std::string& text) { told += text + "\n"; };
    setup.stopped = [] { return false; };
    group_ = k_means::make_coordinator(setup);
    for (int n = 0; n < setup.workers; ++n)
      children_.start_program({"--gtest_also_run_disabled_tests", "--gtest_filter=*DISABLED_WorksForAnotherProcess"});
  }
  std::string begin(std::shared_ptr<const Dataset> data, const k_means::RunFacts& facts) override {
    return group_->begin(std::move(data), facts);
  }
  bool wants_moment() const override { return group_->wants_moment(); }
  void keep(const std::string& moment) override { group_->keep(moment); }
  float* place(std::size_t numbers) override { return group_->place(numbers); }
  std::optional<k_means::PartialSums> sum(const k_means::Pass& pass, std::span<const float> centroids) override {
    if (pass.iteration == killing_) children_.kill_first();
    auto sums = group_->sum(pass, centroids);
    ++passes;
    if (sums && sums->others.twin) ++through_gpu;
    return sums;
  }
  std::int64_t rows_missing() const override { return group_->rows_missing(); }
  KMeansWorkers workers() const override { return group_->workers(); }
  void tell(std::function<void()> news) override { group_->tell(std::move(news)); }
  void report(Report& report) const override { group_->report(report); }

  int passes = 0, through_gpu = 0;
  std::string told;

 private:
  const std::int64_t killing_;
  const TemporaryFolder folder_;
  app::Children children_;
  std::shared_ptr<k_means::Group> group_;
};

TEST_F(KMeansMembersCuda, OfProcessesHasTheSameBytes) {
  const std::vector<Case> cases = shared_cases();
  bool none = false;
  for (const auto& [number, killing] : {std::pair{0, -1}, {0, 3}, {1, 9}}) {
    const Case& c = cases[static_cast<std::size_t>(number)];
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto alone = run.on(Backend::cuda).finished();
    const auto group = std::make_shared<Processes>(number, killing);
    const auto helped = run.make();
    dynamic_cast<KMeans&>(*helped).compute_with(group);
    while (helped->advance({})) {
    }
    helped->finish();
    EXPECT_TRUE(same_bytes(helped->result(), alone->result())) << "case " << number << ", " << group->told;
    EXPECT_EQ(group->told.find("was lost") != std::string::npos, killing >= 0) << group->told;
    EXPECT_EQ(group->passes, c.iterations);
    // The first pass of each generation goes through the host: only during that pass do members open the twin.
    if (group->through_gpu > 0) {
      EXPECT_EQ(group->through_gpu, group->passes - (killing >= 0 ? 2 : 1));
    } else {
      none = true;
    }
  }
  if (none) GTEST_SKIP() << "here no process opens another's device memory";
}

}  // namespace
}  // namespace kinescope::sim::k_means_members_cuda_test
