// What members of a group send to each other: through memory, through the network, and to nobody else.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <future>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "kinescope/data/write.hpp"
#include "sim/core/sip_hash.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/held_rows.hpp"
#include "sim/k_means/distributed/messages.hpp"
#include "sim/k_means/distributed/secret.hpp"
#include "sim/k_means/distributed/store.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::k_means::distributed_test {
namespace {

// Exchanges messages and answers of different lengths.
void talk(Connection& connection, int rank) {
  for (int round = 0; round < 50; ++round) {
    const std::size_t length = round % 3 ? 8 : 64, count = round % 2 ? 40'000 : 7;
    const std::byte last{static_cast<unsigned char>(round)};
    if (rank == 0) {
      std::byte* const message = connection.message(length);
      std::fill_n(message, length - 1, std::byte{0});
      message[length - 1] = last;
      connection.send();
      const Answers answers = connection.answers(count);
      ASSERT_EQ(answers.workers, 2);
      for (int member = 0; member < 2; ++member) {
        ASSERT_EQ(answers[member].size(), count);
        for (std::size_t e = 0; e < count; ++e)
          ASSERT_EQ(answers[member][e], static_cast<std::int64_t>(e) + 1000 * (member + 1) + round) << e;
      }
      continue;
    }
    connection.await_message();
    const std::span<const std::byte> message = connection.receive();
    ASSERT_EQ(message.size(), length);
    EXPECT_EQ(message.back(), last);
    std::int64_t* const numbers = connection.place(count);
    std::iota(numbers, numbers + count, std::int64_t{1000} * rank + round);
    connection.answer();
  }
}

TEST(SharedMemory, CarriesMessagesAndSums) {
  const auto memory = SharedMemory::make(3, 64, 40'000);
  ASSERT_TRUE(memory);
  std::vector<std::future<std::shared_ptr<Connection>>>
      workers;  // kept until the end: a connection's destructor aborts the others
  for (int rank = 1; rank < 3; ++rank)
    workers.push_back(std::async(std::launch::async, [rank, address = memory->address()] {
      auto own = connect(SharedMemory::open(address), rank, 3);
      talk(*own, rank);
      return own;
    }));
  const auto connection = connect(memory, 0, 3);
  talk(*connection, 0);
  for (auto& worker : workers) worker.get();
}

TEST(SharedMemory, EndsWaitingEverywhere) {
  for (const int aborting : {0, 1}) {
    const auto memory = SharedMemory::make(3, 64, 8);
    const std::shared_ptr<Connection> all[] = {connect(memory, 0, 3), connect(memory, 1, 3), connect(memory, 2, 3)};
    all[0]->message(8);
    all[0]->send();
    all[2]->await_message();
    all[2]->answer();
    const auto waits = [&](int rank) {
      if (rank > 0) {
        EXPECT_THROW(all[rank]->await_message(), Lost);
      } else {
        EXPECT_THROW(all[rank]->answers(1), Lost);  // the answer of rank 1 never comes
      }
    };
    auto first = std::async(std::launch::async, waits, 0), second = std::async(std::launch::async, waits, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    all[aborting]->abort();
  }
}

TEST(SharedMemory, IsReachedByItsAddressAlone) {
  const auto memory = SharedMemory::make(2, 64, 8);
  const std::string address = memory->address();
  EXPECT_TRUE(SharedMemory::open(address));
  EXPECT_FALSE(SharedMemory::open(address + "0"));
  EXPECT_FALSE(SharedMemory::open("1 2 3"));
  EXPECT_FALSE(SharedMemory::open(""));
  const auto connection = connect(memory, 0, 2);
  EXPECT_THROW(connection->message(65), Lost);
  EXPECT_THROW(connection->answers(9), Lost);
  EXPECT_THROW(connect(SharedMemory::open(address), 1, 2)->place(9), Lost);
}

// Host memory takes the place of a GPU's here. Whether answers go to the twin changes only with a message, and for all
// members at once.
TEST(SharedMemory, HasATwinOnceAllHaveItOpen) {
  const auto memory = SharedMemory::make(3, 64, 8);
  const auto first = SharedMemory::open(memory->address()), second = SharedMemory::open(memory->address());
  std::int64_t twin[16];
  EXPECT_FALSE(first->hold_twin());
  memory->offer_twin(twin, {std::byte{1}, std::byte{2}}, [] {});
  ASSERT_TRUE(first->hold_twin());
  EXPECT_EQ((*first->hold_twin())[1], std::byte{2});
  EXPECT_EQ(first->answers().size(), memory->answers().size());
  const auto run = connect(memory, 0, 3), one = connect(first, 1, 3), two = connect(second, 2, 3);
  const auto round = [&](SharedMemory* opening, bool used) {
    run->message(8);
    run->send();
    for (const auto& member : {one, two}) {
      member->await_message();
      if (opening) opening->note_open();
      opening = nullptr;
      EXPECT_EQ(reinterpret_cast<std::byte*>(member->place(8)) - (member == one ? first : second)->answers().data(),
                member == one ? 0 : 64);
      member->answer();
    }
    EXPECT_EQ(run->answers(8).twin, used ? twin : nullptr);
    for (const auto& each : {memory, first, second}) EXPECT_EQ(each->uses_twin(), used);
  };
  round(nullptr, false);
  round(first.get(), false);
  round(second.get(), false);
  round(nullptr, true);
}

TEST(SharedMemory, ReleasesATwinWhenNobodyElseHoldsIt) {
  using namespace std::chrono_literals;
  std::atomic<int> released = 0;
  std::int64_t numbers = 0;
  const auto memory_with_twin = [&] {
    auto memory = SharedMemory::make(2, 64, 8);
    memory->offer_twin(&numbers, {}, [&] { ++released; });
    return memory;
  };
  memory_with_twin().reset();
  EXPECT_EQ(released, 1);
  {
    auto memory = memory_with_twin();
    auto other = SharedMemory::open(memory->address());
    EXPECT_TRUE(other->hold_twin());
    const auto releasing = std::async(std::launch::async, [&] { memory.reset(); });
    EXPECT_EQ(releasing.wait_for(20ms), std::future_status::timeout);
    EXPECT_EQ(released, 1);
    other.reset();
  }
  EXPECT_EQ(released, 2);
  {
    auto memory = memory_with_twin();
    int opened[2];
    ASSERT_EQ(pipe(opened), 0);
    const std::string address = memory->address();
    const pid_t process = fork();
    if (process == 0) {
      const auto other = SharedMemory::open(address);
      if (other->hold_twin() && write(opened[1], "o", 1) == 1) pause();
      _exit(1);
    }
    char letter = 0;
    EXPECT_EQ(read(opened[0], &letter, 1), 1);
    const auto releasing = std::async(std::launch::async, [&] { memory.reset(); });
    EXPECT_EQ(releasing.wait_for(20ms), std::future_status::timeout);
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    releasing.wait();
    close(opened[0]), close(opened[1]);
  }
  EXPECT_EQ(released, 3);
  {
    auto memory = memory_with_twin();
    const auto other = SharedMemory::open(memory->address());
    EXPECT_TRUE(other->hold_twin());
    memory.reset();  // `other` still holds the twin, so it is not released
  }
  EXPECT_EQ(released, 3);
}

// A head with numbers, as bytes.
template <class Head>
std::vector<std::byte> message_with(const Head& head, std::size_t numbers) {
  std::vector<std::byte> message(sizeof head + numbers * sizeof(float));
  std::memcpy(message.data(), &head, sizeof head);
  return message;
}

TEST(Messages, AreRefusedIfTheyContradictThemselves) {
  const Outline outline{1000, 3, 4, 1};
  EXPECT_EQ(outline_of(message_with(outline, 6)).numbers.size(), 6u);
  EXPECT_THROW(outline_of(message_with(outline, 5)), Lost);
  EXPECT_THROW(outline_of(message_with(outline, 8)), Lost);
  EXPECT_THROW(outline_of(std::vector<std::byte>(sizeof outline - 1)), Lost);
  EXPECT_THROW(outline_of(message_with(Outline{1000, -3, 4, 1}, 6)), Lost);
  EXPECT_THROW(outline_of(message_with(Outline{std::int64_t{1} << 62, 3, 4, 1}, 6)), Lost);

  const auto pass = [](std::int32_t clusters) { return Pass{clusters, 0, 0, 0, 0}; };
  EXPECT_EQ(pass_of(message_with(pass(4), 12), outline).numbers.size(), 12u);
  EXPECT_THROW(pass_of(message_with(pass(4), 11), outline), Lost);
  EXPECT_THROW(pass_of(message_with(pass(5), 15), outline), Lost);  // more than the answers have places for
  EXPECT_THROW(pass_of(message_with(pass(-1), 0), outline), Lost);
}

TEST(Messages, TextsOfAPresenceEnd) {
  const std::string bytes(sizeof(Presence), 'x');
  const std::optional<Presence> presence = presence_of(bytes);
  ASSERT_TRUE(presence);
  EXPECT_EQ(std::string_view(presence->machine).size(), sizeof presence->machine - 1);
  EXPECT_EQ(std::string_view(presence->device).size(), sizeof presence->device - 1);
  EXPECT_FALSE(presence_of(bytes + "x"));
}

TEST(Messages, NotesAreToldFromOtherNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(
      notes_among({"12/0", "12/rank_1", "13/0", "generation/12", "worker-1", "7-3", "generation-7", "rows.1"}, '/'),
      (Names{"12/0", "12/rank_1", "generation/12", "worker-1"}));
  EXPECT_EQ(notes_among({"12-0", "13-0", "2024-11", "generation-12", "generation-12.99", "12-0.99", "13-0.99"}, '-'),
            (Names{"12-0", "12-0.99", "generation-12", "generation-12.99"}));
  EXPECT_EQ(notes_among({std::string(1'000'000, '7'), "worker-" + std::string(1'000'000, '7')}, '/'), Names());
}

std::shared_ptr<Dataset> rows_of_numbers(std::size_t points, std::size_t dimensions) {
  auto data = std::make_shared<Dataset>();
  data->points = points;
  data->dimensions = dimensions;
  for (std::size_t i = 0; i < points * dimensions; ++i)
    data->rows().values.own().push_back(static_cast<float>(i * 7919 % 10'007));
  return data;
}

TEST(HeldRows, ChecksumsOfBlocksMakeThatOfAll) {
  for (const std::size_t points : {1, 128, 129, 5000, 600'000}) {
    const auto data = rows_of_numbers(points, 3);
    const Checksums sums = checksums_of(*data);
    EXPECT_EQ(sums.whole(), checksum_of(data->values())) << points;
    EXPECT_LE(sums.blocks.size(), 4096u);
    EXPECT_EQ(sums.block % 128, 0);
    EXPECT_EQ(Checksums::from_text(sums.text()).blocks, sums.blocks);
    EXPECT_THROW(Checksums::from_text(sums.text() + "0"), Lost);
  }
  EXPECT_THROW(Checksums::from_text(""), Lost);
}

// Deals rows as to one of four workers whose neighbours are lost; then uses a file in which a row differs.
TEST(HeldRows, AreReadFromTheFileAndCompared) {
  constexpr std::int64_t points = 5000, d = 3;
  const auto data = rows_of_numbers(points, d);
  const Checksums sums = checksums_of(*data);
  const TemporaryFolder folder;
  const auto file_of = [&](const Dataset& numbers) {
    write_npy(folder.path("data.npy"), {numbers.points, std::size_t{d}}, numbers.values());
    return rows_in_file({folder.path("data.npy")});
  };
  HeldRows held(file_of(*data), sums);
  for (const auto& [index, parts] : {std::pair{1, 4}, {1, 4}, {1, 3}, {0, 2}, {0, 1}, {3, 4}, {0, 100}}) {
    const Rows rows = rows_of(index, parts, points);
    const auto part = held.deal(rows, points, d);
    ASSERT_TRUE(part);
    EXPECT_EQ(part->rows.first % 128, 0);
    ASSERT_EQ(part->rows.count, rows.count);
    EXPECT_LE(static_cast<std::int64_t>(part->data->points), rows.count + 2 * sums.block);
    EXPECT_TRUE(std::equal(part->data->values().begin() + part->rows.first * d,
                           part->data->values().begin() + (part->rows.first + rows.count) * d,
                           data->values().begin() + rows.first * d));
  }
  EXPECT_FALSE(held.deal(rows_of(0, 1, points), points, d + 1));
  EXPECT_FALSE(HeldRows(data).deal(rows_of(0, 1, 2 * points), 2 * points, d));
  Dataset other = *data;
  other.rows().values.own()[2600 * d] += 1;
  HeldRows others(file_of(other), sums);
  EXPECT_TRUE(others.deal(rows_of(0, 4, points), points, d));
  EXPECT_FALSE(others.deal(rows_of(2, 4, points), points, d));
}

// Stores of members that share all notes except the secret.
class Notes {
 public:
  class Own : public Store {
   public:
    Own(Notes& notes, std::string secret) : notes_(notes), secret_(std::move(secret)) {}
    bool has(const std::string& name) override {
      const std::lock_guard lock(notes_.mutex_);
      return notes_.texts_.contains(name);
    }
    void write(const std::string& name, const std::string& text) override {
      const std::lock_guard lock(notes_.mutex_);
      notes_.texts_[name] = text;
    }
    std::string read(const std::string& name) override {
      if (name == "secret") return secret_;
      const std::lock_guard lock(notes_.mutex_);
      return notes_.texts_.at(name);
    }
    bool begin(const std::string&, const std::string&) override { return false; }
    bool claim(const std::string&, const Presence&) override { return false; }
    void beat(const Presence&) override {}
    bool owns() override { return true; }
    std::optional<Presence> presence(const std::string&) override { return std::nullopt; }
    void clear(const std::set<std::string>&) override {}
    void remove() override {}

   private:
    Notes& notes_;
    std::string secret_;
  };

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> texts_;
};

// For each of three members, whether it completed the exchange with the others.
std::vector<bool> members_talk(const std::vector<std::string>& secrets) {
  Notes notes;
  std::vector<std::future<bool>> members;
  for (int rank = 0; rank < 3; ++rank)
    members.push_back(std::async(std::launch::async, [&, rank] {
      Notes::Own store(notes, secrets[static_cast<std::size_t>(rank)]);
      try {
        const auto connection = connect({store, 1, rank, 3, loopback}, [] { return false; });
        talk(*connection, rank);
        return true;
      } catch (const Lost&) {
        return false;
      }
    }));
  std::vector<bool> talked;
  for (auto& member : members) talked.push_back(member.get());
  return talked;
}

TEST(Network, CarriesMessagesAndSumsOfThoseWhoKnowTheSecret) {
  if (!has_network()) GTEST_SKIP() << "this build has no gloo";
  const std::string secret = Secret::drawn();
  EXPECT_EQ(members_talk({secret, secret, secret}), std::vector<bool>(3, true));
  EXPECT_EQ(members_talk({secret, secret, Secret::drawn()}), std::vector<bool>(3, false));
  EXPECT_EQ(members_talk({Secret::drawn(), secret, secret}), std::vector<bool>(3, false));
}

// The example of the paper's appendix A.
TEST(Secret, AnswersAsThePaperSays) {
  std::string message;
  for (char byte = 0; byte < 15; ++byte) message += byte;
  EXPECT_EQ(sip_hash(0x0706050403020100u, 0x0f0e0d0c0b0a0908u, message), 0xa129ca6149be45e5u);
  const std::string text = Secret::drawn();
  EXPECT_EQ(Secret(text).answer({1, 2}), Secret(text).answer({1, 2}));
  EXPECT_NE(Secret(text).answer({1, 2}), Secret(text).answer({2, 1}));
  EXPECT_NE(Secret(text).answer({1, 2}), Secret(Secret::drawn()).answer({1, 2}));
  EXPECT_THROW(Secret("none"), Lost);
}

}  // namespace
}  // namespace kinescope::sim::k_means::distributed_test
