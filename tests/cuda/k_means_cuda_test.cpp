// k-means on a CUDA device against the CPU and a plain Lloyd iteration.
#include <cstring>
#include <cuda_runtime_api.h>
#include <future>
#include <gtest/gtest.h>
#include <optional>
#include <tuple>

#include "sim/core/executors/devices.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "tests/sim/host_buffers.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_cuda_test {
namespace {

using namespace k_means_cases;

class KMeansCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

struct Case {
  std::shared_ptr<const Dataset> data;
  int clusters, iterations;
};

// One of each way to compute: few clusters and columns, sums in shared memory by points and by columns, matrices.
std::vector<Case> every_way() {
  return {{gaussians(50'000), 2, 12},        {gaussians(30'001), 4, 20},  {uniform(20'000, 3), 8, 9},
          {uniform(5000, 1), 3, 30},         {uniform(999, 4), 7, 12},    {gaussians(20'000), 40, 15},
          {gaussians(8000, 17, 9), 9, 8},    {uniform(6000, 128), 2, 8},  {gaussians(9000, 40, 19), 20, 6},
          {gaussians(6000, 128, 64), 64, 5}, {uniform(4000, 2), 3000, 3}, {uniform(5000, 100), 130, 4},
          {uniform(20'000, 16), 700, 5},     {uniform(2000, 300), 33, 4}, {gaussians(5000, 64, 3), 110, 25}};
}

// A crew in this process: three members with a third of the rows each, on the GPU or on the CPU. From iteration 4 on it
// deals anew, as after a loss, and in iteration 3 nobody is there.
class ThreeMembers : public k_means::Crew {
 public:
  explicit ThreeMembers(std::vector<Backend> backends) : backends_(std::move(backends)) {}
  std::string begin(std::shared_ptr<const Dataset> data, const k_means::RunFacts& facts) override {
    data_ = std::move(data);
    facts_ = facts;
    deal();
    return "";
  }
  bool wants_moment() const override { return false; }
  void keep(const std::string&) override {}
  float* place(std::size_t) override { return nullptr; }
  std::optional<k_means::PartialSums> sum(const k_means::Pass& pass, std::span<const float> centroids) override {
    if (pass.iteration == 3) return std::nullopt;
    if (pass.iteration == 4) deal();
    const std::size_t count = centroids.size() + static_cast<std::size_t>(pass.clusters) + 1;
    answers_.resize(members_.size() * count);
    for (std::size_t member = 0; member < members_.size(); ++member) {
      members_[member]->compute(pass, centroids);
      members_[member]->take(0, std::span(answers_).subspan(member * count, count));
    }
    return k_means::PartialSums{{answers_.data(), static_cast<std::int64_t>(count), 3, count}};
  }
  std::int64_t rows_missing() const override { return 0; }
  KMeansWorkers workers() const override { return {}; }
  void report(Report&) const override {}

 private:
  void deal() {
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
  std::shared_ptr<const Dataset> data_;
  k_means::RunFacts facts_;
  std::vector<std::unique_ptr<k_means::RowSums>> members_;
  std::vector<std::int64_t> answers_;
};

TEST_F(KMeansCuda, OfSeveralMembersHasTheSameBytes) {
  for (const Case& c : every_way()) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto alone = run.on(Backend::cuda).finished();
    for (const auto& backends : {std::vector{Backend::cuda, Backend::cuda, Backend::cuda},
                                 std::vector{Backend::cuda, Backend::cpu, Backend::cuda}})
      for (const Backend backend : {Backend::cuda, Backend::cpu}) {
        const auto crewed = run.on(backend).make();
        dynamic_cast<KMeans&>(*crewed).employ(std::make_shared<ThreeMembers>(backends));
        while (crewed->advance({})) {
        }
        crewed->finish();
        EXPECT_TRUE(same_bytes(crewed->result(), alone->result()))
            << c.data->points << " x " << c.data->dimensions << ", K " << c.clusters;
      }
  }
}

// A run and workers in threads of this process, with mappings of the memory of their own as processes have: all GPUs
// read and write it, unless somebody else has registered it before. In iteration 4 they meet in a new one.
class MembersInMemory : public k_means::Crew {
 public:
  MembersInMemory(int workers, Backend backend, bool taken) : size_(workers + 1), backend_(backend), taken_(taken) {}
  ~MembersInMemory() override { part(); }
  std::string begin(std::shared_ptr<const Dataset> data, const k_means::RunFacts& facts) override {
    data_ = std::move(data);
    facts_ = facts;
    meet();
    return "";
  }
  bool wants_moment() const override { return false; }
  void keep(const std::string&) override {}
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
  std::int64_t rows_missing() const override { return 0; }
  KMeansWorkers workers() const override { return {}; }
  void report(Report&) const override {}

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
    } catch (const k_means::Lost&) {  // the end
    }
  }
  void meet() {
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
  const Backend backend_;  // of the run, which computes a part itself on a GPU
  const bool taken_;       // before the members come
  std::shared_ptr<const Dataset> data_;
  k_means::RunFacts facts_;
  std::shared_ptr<k_means::Connection> connection_;
  Member own_;
  std::vector<std::future<void>> members_;
};

TEST_F(KMeansCuda, OfMembersThatShareMemoryHasTheSameBytes) {
  for (const Case& c : {Case{gaussians(20'000, 128, 64), 1024, 7},
                        {gaussians(50'000), 64, 20},
                        {uniform(300, 3), 8, 7},
                        {uniform(5000, 100), 130, 8}}) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto alone = run.on(Backend::cuda).finished();
    for (const auto& [workers, backend, taken] : {std::tuple{1, Backend::cuda, false},
                                                  {3, Backend::cuda, false},
                                                  {3, Backend::cpu, false},
                                                  {2, Backend::cuda, true}}) {
      const auto crewed = run.on(backend).make();
      dynamic_cast<KMeans&>(*crewed).employ(std::make_shared<MembersInMemory>(workers, backend, taken));
      while (crewed->advance({})) {
      }
      crewed->finish();
      EXPECT_TRUE(same_bytes(crewed->result(), alone->result()))
          << c.data->points << " x " << c.data->dimensions << ", K " << c.clusters << ", workers " << workers;
    }
  }
}

TEST_F(KMeansCuda, EqualsAPlainLloydIterationAndTheCpu) {
  for (const Case& c : every_way()) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto cpu = run.on(Backend::cpu).finished();
    const auto cuda = run.on(Backend::cuda).finished();
    const Plain plain = plain_lloyd(*c.data, StartFile::spread_rows(*c.data, c.clusters), c.iterations);
    const std::string what = std::to_string(c.data->points) + " x " + std::to_string(c.data->dimensions) + ", K " +
                             std::to_string(c.clusters);
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << what;
    EXPECT_EQ(cuda->progress().iteration, cpu->progress().iteration) << what;
    const auto sizes = entry<std::vector<std::int64_t>>(*cpu, "sizes");
    if (plain.inertias.size() == 0 || sizes.back() == 0) continue;
    EXPECT_EQ(differences(labels(*cuda), plain.labels), 0u) << what;
    EXPECT_NEAR(inertia(*cuda), plain.inertia, 1e-6 * plain.inertia) << what;
    EXPECT_NEAR(inertia(*cuda), inertia(*cpu), 1e-9 * plain.inertia) << what;
    History history;
    cuda->history(history);
    for (std::size_t t = 0; t < history.points.size(); ++t)
      EXPECT_NEAR(history.points[t].figure, plain.inertias[t], 2e-6 * plain.inertias[t]) << what;
  }
}

TEST_F(KMeansCuda, EqualsScikitLearn) {
  for (const Reference& reference : references()) {
    if (!reference.data) continue;
    const StartFile start(*reference.data, reference.clusters);
    const auto simulation = Trial(reference.data, {"clusters=" + std::to_string(reference.clusters), start.assignment(),
                                                   "tolerance=0", "iterations=1000"})
                                .on(Backend::cuda)
                                .finished();
    EXPECT_EQ(differences(labels(*simulation), reference.labels), 0u) << reference.name;
    EXPECT_NEAR(inertia(*simulation), reference.inertia, 1e-5 * reference.inertia) << reference.name;
  }
}

TEST_F(KMeansCuda, StartsAndSweepsAreTheCpus) {
  for (const auto& settings : std::vector<std::vector<std::string>>{{"clusters=6"},
                                                                    {"clusters=50"},
                                                                    {"clusters=12", "start=random"},
                                                                    {"clusters=9", "restarts=4"},
                                                                    {"clusters=70", "start=random", "restarts=3"},
                                                                    {"sweep=1:14"},
                                                                    {"clusters=300", "iterations=4"}})
    for (const int columns : {2, 30}) {
      // Of 40,000 points a sweep weighs a sample.
      const std::size_t points = settings[0].starts_with("sweep") && columns == 2 ? 40'000 : 5000;
      Trial run(gaussians(points, columns, 7), settings);
      const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
      EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << settings[0] << ", " << columns << " columns";
      const bool one_run = !settings[0].starts_with("sweep") && !settings.back().starts_with("restarts");
      EXPECT_TRUE(!one_run || never_rises(*cuda)) << settings[0];
      EXPECT_EQ(cuda->progress().iteration, cpu->progress().iteration) << settings[0];
      const auto mine = dynamic_cast<const KMeans&>(*cuda).curve(), theirs = dynamic_cast<const KMeans&>(*cpu).curve();
      ASSERT_EQ(mine.size(), theirs.size());
      for (std::size_t k = 0; k < mine.size(); ++k) {
        EXPECT_NEAR(mine[k].inertia, theirs[k].inertia, 1e-9 * theirs[k].inertia);
        EXPECT_NEAR(mine[k].bic, theirs[k].bic, 1e-9 * std::fabs(theirs[k].bic));
      }
    }
}

TEST_F(KMeansCuda, EmptyClustersAreRepairedAlike) {
  for (const auto& [columns, clusters] : {std::pair{2, 4}, {2, 12}, {64, 100}}) {
    std::string row, text;
    for (int c = 0; c < columns; ++c) row += c ? ",5" : "5";
    for (int k = 0; k < clusters; ++k) text += row + "\n";
    const StartFile start(text);
    Trial run(uniform(3000, static_cast<std::size_t>(columns)),
              {"clusters=" + std::to_string(clusters), start.assignment(), "iterations=12"});
    const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << columns << " columns";
    EXPECT_TRUE(never_rises(*cuda));
  }
}

// Clusters lose their last point in the midst of a run, which goes on for long after.
TEST_F(KMeansCuda, RepairsOnTheWayAreTheCpus) {
  for (const auto& [points, made, clusters] : {std::tuple{4000, 60, 140}, {4000, 140, 140}, {3000, 20, 200}}) {
    const auto data = gaussians(static_cast<std::size_t>(points), 40, made);
    const StartFile start(*data, clusters);
    Trial run(data, {"clusters=" + std::to_string(clusters), start.assignment(), "stop=iterations", "iterations=40"});
    const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << made << " Gaussians, K " << clusters;
  }
}

TEST_F(KMeansCuda, BudgetsNeverChangeTheResult) {
  for (const Case& c : every_way()) {
    if (c.clusters > 1000) continue;
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), "iterations=10"});
    const Table whole = run.on(Backend::cuda).finished()->result();
    const auto cut = run.make();
    for (long count = 1; cut->advance({1e-4, count}); ++count) {
    }
    EXPECT_TRUE(same_bytes(cut->result(), whole)) << c.data->dimensions << " columns, K " << c.clusters;
  }
}

// Points that do not fit are sent in parts, for each iteration anew.
TEST_F(KMeansCuda, PartsOfThePointsGiveTheSameBytes) {
  const auto wide = gaussians(5000, 256, 40), narrow = gaussians(300'000, 2, 6);
  std::string text;
  for (int k = 0; k < 6; ++k) text += "5,5\n";
  const StartFile one_place(text);
  for (const auto& [data, settings] : std::vector<std::pair<std::shared_ptr<const Dataset>, std::vector<std::string>>>{
           {narrow, {"clusters=6"}},
           {narrow, {"clusters=6", one_place.assignment(), "iterations=12"}},
           {narrow, {"clusters=40", "start=random", "restarts=2", "iterations=10"}},
           {narrow, {"sweep=4:6", "iterations=10"}},
           {wide, {"clusters=3", "iterations=10"}},
           {wide, {"clusters=150", "iterations=15"}},
           {wide, {"clusters=150", "start=random", "iterations=15", "stop=iterations"}}}) {
    Trial parts(data, settings), whole(data, settings);
    parts.parameters.set("device_memory=1");
    const auto many = parts.on(Backend::cuda).finished(), one = whole.on(Backend::cuda).finished(),
               cpu = whole.on(Backend::cpu).finished();
    const std::string what = settings[0] + ", " + std::to_string(data->dimensions) + " columns";
    EXPECT_TRUE(same_bytes(many->result(), one->result())) << what;
    EXPECT_TRUE(same_bytes(many->result(), cpu->result())) << what;
    EXPECT_TRUE(same_bytes(many->table("centroids"), one->table("centroids"))) << what;
    EXPECT_EQ(many->progress().iteration, one->progress().iteration) << what;
    EXPECT_NEAR(inertia(*many), inertia(*one), 1e-9 * inertia(*one)) << what;
  }
}

// Large enough for the lanes of copying, in both directions.
TEST_F(KMeansCuda, ManyPointsComeAndGoWhole) {
  Trial run(gaussians(3'000'001), {"clusters=4", "iterations=3"});
  const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
  EXPECT_TRUE(same_bytes(cuda->result(), cpu->result()));
}

// Asking for results labels the points anew, which must not disturb what iterations know of them.
TEST_F(KMeansCuda, ResultsAskedOnTheWayChangeNothing) {
  Trial run(gaussians(6000, 64, 40), {"clusters=150", "start=random", "iterations=25", "stop=iterations"});
  const Table whole = run.on(Backend::cuda).finished()->result();
  const auto asked = run.make();
  for (int step = 0; asked->advance({1e9, 1}); ++step)
    if (step % 3 == 0) asked->result();
  EXPECT_TRUE(same_bytes(asked->result(), whole));
}

TEST_F(KMeansCuda, ClustersChangeWhileItRuns) {
  for (const int columns : {2, 70}) {
    const auto simulation = Trial(gaussians(4000, columns, 9), {"clusters=4"}).on(Backend::cuda).make();
    simulation->advance({1e9, 6});
    for (const char* clusters : {"9", "2", "120", "1", "8"}) {
      simulation->change("clusters", clusters);
      while (simulation->advance({})) {
      }
      EXPECT_EQ(entry<std::int64_t>(*simulation, "clusters"), std::stoi(clusters));
      EXPECT_TRUE(dynamic_cast<const KMeans&>(*simulation).paths()->rows.size() >= 2);
    }
  }
}

// Device memory as a buffer source.
class KMeansBuffers : public BufferSource {
 public:
  ~KMeansBuffers() override {
    for (void* buffer : buffers_) cudaFree(buffer);
  }
  MemoryKind memory_kind() const override { return MemoryKind::device; }
  Id create(std::string_view, std::size_t bytes) override {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    buffers_.push_back(memory);
    return buffers_.size() - 1;
  }
  void* address(Id id) override { return buffers_[id]; }
  bool begin(void*) override { return true; }
  void end() override {}

 private:
  std::vector<void*> buffers_;
};

// What a window asks for is there while the run goes on, at most one publication late.
TEST_F(KMeansCuda, TellsTheWindowWhileItRuns) {
  const auto simulation =
      Trial(gaussians(5000), {"clusters=5", "iterations=200", "stop=iterations"}).on(Backend::cuda).make();
  const auto& view = dynamic_cast<const KMeans&>(*simulation);
  KMeansBuffers buffers;
  simulation->attach(buffers);
  std::size_t told = 0;
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(simulation->advance({1e9, 3}));
    simulation->publish();
    simulation->finish();
    told = std::max(told, view.paths()->rows.size());
  }
  EXPECT_GT(told, 30u);
  EXPECT_LE(told, 60u);  // iterations made
  const auto twin = Trial(gaussians(5000), {"clusters=5", "iterations=200", "stop=iterations"}).make();
  test_buffers::HostBuffers host;
  twin->attach(host);
  twin->advance({1e9, 60});
  twin->publish();
  const auto expected = dynamic_cast<const KMeans&>(*twin).paths(), found = view.paths();
  for (std::size_t row = 0; row < found->rows.size() && row < expected->rows.size(); ++row)
    EXPECT_EQ(found->rows[row], expected->rows[row]) << "iteration " << row;
  ASSERT_NE(view.groups(), nullptr);
  EXPECT_EQ(view.groups()->sizes.size(), 5u);
  std::size_t points = 0;
  for (const std::size_t size : view.groups()->sizes) points += size;
  EXPECT_EQ(points, 5000u);
}

}  // namespace
}  // namespace kinescope::sim::k_means_cuda_test
