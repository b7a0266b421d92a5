// Each call to a store fails once, and from some call on all of them: the run ends with the result of one process.
#include <array>
#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/coordinator.hpp"
#include "sim/k_means/distributed/secret.hpp"
#include "sim/k_means/distributed/store.hpp"
#include "sim/k_means/distributed/worker.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means::store_faults_test {
namespace {

using k_means_cases::Trial;

enum Call { has, write, begin, read, claim, beat, owns, presence, calls };
constexpr std::array<const char*, calls> names = {"has", "write", "begin", "read", "claim", "beat", "owns", "presence"};

// Which calls of all stores of a member fail: call number `at` of this kind, or all from there on.
struct Fault {
  Call call = has;
  int at = -1;
  bool lasts = false;
  std::array<std::atomic<int>, calls> seen{};

  bool strikes(Call now) {
    const int number = seen[now]++;
    return now == call && at >= 0 && (lasts ? number >= at : number == at);
  }
};

// Fails as store.hpp says of each function.
class FailingStore final : public Store {
 public:
  FailingStore(std::unique_ptr<Store> store, Fault& fault) : store_(std::move(store)), fault_(fault) {}

  bool has(const std::string& name) override { return !fault_.strikes(Call::has) && store_->has(name); }
  void write(const std::string& name, const std::string& text) override {
    throw_if(Call::write);
    store_->write(name, text);
  }
  bool begin(const std::string& name, const std::string& text) override {
    throw_if(Call::begin);
    return store_->begin(name, text);
  }
  std::string read(const std::string& name) override {
    throw_if(Call::read);
    return store_->read(name);
  }
  bool claim(const std::string& name, const Presence& presence) override {
    throw_if(Call::claim);
    return store_->claim(name, presence);
  }
  void beat(const Presence& presence) override {
    if (!fault_.strikes(Call::beat)) store_->beat(presence);
  }
  bool owns() override { return fault_.strikes(Call::owns) || store_->owns(); }
  std::optional<Presence> presence(const std::string& name) override {
    return fault_.strikes(Call::presence) ? std::nullopt : store_->presence(name);
  }
  void clear(const std::set<std::string>& but) override { store_->clear(but); }
  void remove() override { store_->remove(); }

 private:
  void throw_if(Call call) {
    if (fault_.strikes(call)) throw StoreLost("made to fail");
  }

  std::unique_ptr<Store> store_;
  Fault& fault_;
};

OpenStore failing(Fault& fault) {
  return [&fault](const std::string& address) { return std::make_unique<FailingStore>(open_store(address), fault); };
}

enum class Data { loaded, in_a_file };  // as from a table, or as from a .npy file, of which workers read their rows
enum class Way { memory, network };

struct Ended {
  std::vector<std::uint32_t> labels;
  bool waited_to_its_limit = false;    // for workers, before the first step
  std::vector<std::string> sentences;  // for people
};

struct FaultyRun {
  Trial trial{k_means_cases::gaussians(4000, 5, 6), {"clusters=6"}};
  std::vector<std::uint32_t> expected = labels(*trial.finished());

  static std::vector<std::uint32_t> labels(Simulation& simulation) {
    std::vector<std::uint32_t> found(4000);
    dynamic_cast<KMeans&>(simulation).labels(found);
    return found;
  }

  // Runs with a worker on another thread. Returns the labels; an Error can only be that the run could not begin.
  std::vector<std::uint32_t> run(Fault& coordinator, Fault& worker) const {
    return run(coordinator, worker, Data::loaded, Way::memory).labels;
  }
  Ended run(Fault& coordinator, Fault& worker, Data held, Way way) const {
    const TemporaryFolder folder;
    const std::string address = folder.path("group"), listen = way == Way::network ? loopback : "";
    write_npy(folder.path("data.npy"), {trial.data->points, trial.data->dimensions}, trial.data->values());
    std::filesystem::create_directory(address);
    std::filesystem::permissions(address, std::filesystem::perms::owner_all);
    open_store(address)->write("secret", Secret::drawn());
    Ended found;
    std::thread member;
    {
      Trial own = trial;
      const std::unique_ptr<Simulation> simulation = own.make();
      CoordinatorSetup setup;
      setup.store = address;
      setup.open = failing(coordinator);
      setup.listen = listen;
      setup.workers = 1;
      setup.keeps = true;
      setup.timeout = 0.2;
      setup.ended = [] { return std::vector<std::int64_t>(); };
      setup.tell = [&](const std::string& sentence) { found.sentences.push_back(sentence); };
      setup.stopped = [&, waits = 0]() mutable { return found.waited_to_its_limit = ++waits > 300; };
      const std::shared_ptr<Group> workers = make_coordinator(setup);
      member = std::thread([&] {
        try {
          Worker here(address, listen, failing(worker));
          WorkerSetup works;
          works.processor.threads = 1;
          works.load = [&] { return trial.data; };
          if (held == Data::in_a_file) works.file = rows_in_file({folder.path("data.npy")});
          here.work(works);
        } catch (const Error&) {  // it says why it could not go on; the run does without it
        }
      });
      dynamic_cast<KMeans&>(*simulation).compute_with(workers);
      while (simulation->advance({})) {
      }
      simulation->finish();
      found.labels = labels(*simulation);
    }
    open_store(address)->remove();  // as the program does
    member.join();
    return found;
  }
};

TEST(StoreFaults, EachCallFailsOnceAndTheResultIsTheSame) {
  const FaultyRun group;
  constexpr int most = 12;  // of each kind; later calls are made in a state that earlier ones were made in
  const std::set<std::string> of_coordinators = {"write", "claim", "beat", "owns", "presence"},
                              of_workers = {"has", "read", "claim", "beat", "owns", "presence"};
  int injected = 0;
  for (const bool of_worker : {false, true})
    for (const bool lasts : {false, true}) {
      std::set<std::string> failed;
      for (int call = 0; call < calls; ++call)
        for (int at = 0; at < (lasts ? 1 : most); ++at) {
          const std::string name = names[static_cast<std::size_t>(call)];
          Fault fault, none;
          fault.call = static_cast<Call>(call), fault.at = at, fault.lasts = lasts;
          try {
            EXPECT_EQ(group.run(of_worker ? none : fault, of_worker ? fault : none), group.expected)
                << (of_worker ? "worker: " : "coordinator: ") << name << ' ' << at << (lasts ? " and after" : "");
          } catch (const Lost&) {
            EXPECT_TRUE(!of_worker && call == claim) << name << ' ' << at;
          }
          if (fault.seen[static_cast<std::size_t>(call)] <= at) break;  // there was no such call
          failed.insert(name);
          ++injected;
        }
      EXPECT_EQ(failed, of_worker ? of_workers : of_coordinators);
    }
  std::printf("%d faults of a store\n", injected);  // how many calls there are depends on how long the run takes
}

// A worker that gives signs of life and cannot come was waited for without end: one that reads its rows from the data's
// file needs the note `rows` first.
TEST(StoreFaults, WorkersThatMissANoteAreNotWaitedFor) {
  const FaultyRun group;
  for (const Data held : {Data::loaded, Data::in_a_file})
    for (const bool lasts : {false, true}) {
      Fault fault, none;
      fault.call = Call::write, fault.at = 0,
      fault.lasts = lasts;  // `rows` is the first note that a coordinator writes
      const Ended ended = group.run(fault, none, held, Way::memory);
      EXPECT_EQ(ended.labels, group.expected);
      EXPECT_FALSE(ended.waited_to_its_limit);
      EXPECT_EQ(ended.sentences,
                std::vector<std::string>{
                    "the group's store is lost (made to fail): the run goes on, but cannot be resumed from here"});
    }
}

// The members of a network meet by notes of their own. The same members met again and again.
TEST(StoreFaults, WorkersWhoseNotesAreLostAreLeft) {
  if (!has_network()) GTEST_SKIP() << "built without gloo";
  const FaultyRun group;
  for (const bool of_worker : {false, true}) {
    Fault fault, none;
    fault.call = Call::write, fault.at = of_worker ? 0 : 1, fault.lasts = true;
    const Ended ended = group.run(of_worker ? none : fault, of_worker ? fault : none, Data::loaded, Way::network);
    EXPECT_EQ(ended.labels, group.expected);
    EXPECT_GT(fault.seen[Call::write], fault.at);
    EXPECT_EQ(ended.sentences.size(), 1u);
  }
}

}  // namespace
}  // namespace kinescope::sim::k_means::store_faults_test
