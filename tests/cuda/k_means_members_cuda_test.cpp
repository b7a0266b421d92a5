// k-means on CUDA by several members: the same bytes as one process computes.
#include <cstring>
#include <cuda_runtime_api.h>
#include <future>
#include <gtest/gtest.h>
#include <optional>
#include <tuple>

#include "sim/core/executors/devices.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "tests/cuda/k_means_cuda_cases.hpp"

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

TEST_F(KMeansMembersCuda, OfSeveralMembersHasTheSameBytes) {
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

TEST_F(KMeansMembersCuda, OfMembersThatShareMemoryHasTheSameBytes) {
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

}  // namespace
}  // namespace kinescope::sim::k_means_members_cuda_test
