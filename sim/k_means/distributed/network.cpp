// Connections by gloo over TCP, for processes that are not all on one machine.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/secret.hpp"
#include "sim/k_means/distributed/store.hpp"

#if KINESCOPE_GLOO
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#endif

namespace kinescope::sim::k_means {

#if KINESCOPE_GLOO
namespace {

using std::chrono::milliseconds;

// How long the processes of a new generation wait for each other. All have just said that they are free, so this
// normally takes milliseconds; if one is lost at that moment, the others lose this time.
constexpr milliseconds meeting{1000};
// A computation may take long; the loss of a process is noticed in another way, by missing signs of life.
constexpr milliseconds forever = std::chrono::hours(24);

// Turns gloo's exceptions into Lost: whatever they say, here they mean that a process is gone.
template <class F>
void heeding(F f) {
  try {
    f();
  } catch (const std::exception& error) {
    throw Lost(error.what());
  }
}

// Where gloo's processes publish the addresses at which they listen.
class Meeting : public gloo::rendezvous::Store {
 public:
  Meeting(k_means::Store& store, std::int64_t generation, const std::function<bool()>& given_up)
      : store_(store), prefix_(std::to_string(generation) + "/"), given_up_(given_up) {}
  void set(const std::string& name, const std::vector<char>& data) override {
    store_.write(prefix_ + name, {data.begin(), data.end()});
  }
  // Waits for the note first, because gloo does not always call wait() before get().
  std::vector<char> get(const std::string& name) override {
    wait({name}, meeting);
    const std::string text = store_.read(prefix_ + name);
    return {text.begin(), text.end()};
  }
  void wait(const std::vector<std::string>& names) override { wait(names, meeting); }
  void wait(const std::vector<std::string>& names, const milliseconds& timeout) override {
    const auto end = std::chrono::steady_clock::now() + timeout;
    for (const std::string& name : names)
      while (!store_.has(prefix_ + name)) {
        if (given_up_() || std::chrono::steady_clock::now() > end) throw Lost("nobody came");
        std::this_thread::sleep_for(milliseconds(1));
      }
  }

 private:
  k_means::Store& store_;
  const std::string prefix_;
  const std::function<bool()>& given_up_;
};

class NetworkConnection : public Connection {
 public:
  NetworkConnection(const NetworkSetup& setup, const std::function<bool()>& given_up) {
    heeding([&] {
      Meeting meeting_place(setup.store, setup.generation, given_up);
      std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(setup.listen.c_str());
      context_ = std::make_shared<gloo::rendezvous::Context>(setup.rank, setup.size);
      context_->setTimeout(meeting);
      context_->connectFullMesh(meeting_place, device);
    });
    timeout_ = meeting;
    prove(Secret(setup.store.read("secret")), static_cast<std::uint64_t>(setup.generation));
    timeout_ = forever;
  }

  std::byte* message(std::size_t bytes) override { return sized(message_, bytes); }
  void send() override {
    std::uint64_t length = message_.size();
    from_first(&length, sizeof length);
    from_first(message_.data(), message_.size());
  }
  Answers answers(std::size_t count) override {
    gather({sized(answer_, count), count});
    return {gathered_.data() + count, static_cast<std::int64_t>(count), context_->size - 1, count};
  }

  void await_message() override {
    std::uint64_t length = 0;
    from_first(&length, sizeof length);
    heeding([&] { message_.resize(length); });
  }
  std::span<const std::byte> receive() override {
    from_first(message_.data(), message_.size());
    return message_;
  }
  std::int64_t* place(std::size_t count) override { return sized(answer_, count); }
  void answer() override { gather(answer_); }

  // When a wait times out, gloo closes all connections of the context, which the other processes notice, and ends the
  // waits on them. It misses waits on connections that were closed before, so these are ended one by one. What the
  // calls return is ignored.
  void abort() override {
    if (!aborted_.exchange(true)) try {
        char nothing = 0;
        context_->createUnboundBuffer(&nothing, 1)->waitRecv(nullptr, milliseconds(1));
      } catch (const std::exception&) {
      }
    const std::lock_guard lock(mutex_);
    for (Buffer* buffer : waiting_) buffer->abortWaitRecv(), buffer->abortWaitSend();
  }

 private:
  using Buffer = gloo::transport::UnboundBuffer;

  template <class T>
  static T* sized(std::vector<T>& place, std::size_t count) {
    place.resize(count);
    return place.data();
  }

  void from_first(void* bytes, std::size_t count) {
    operate<gloo::BroadcastOptions>([&](gloo::BroadcastOptions& options) {
      options.setOutput<char>(buffer(bytes, count));
      gloo::broadcast(options);
    });
  }

  // All workers send to rank 0 at once. In a ring, as gloo reduces, each number would be sent fewer times, but ten
  // times as many messages would wait for each other.
  void gather(std::span<std::int64_t> numbers) {
    operate<gloo::GatherOptions>([&](gloo::GatherOptions& options) {
      options.setInput<std::int64_t>(buffer(numbers.data(), numbers.size_bytes()));
      if (context_->rank == 0) {
        gathered_.resize(numbers.size() * static_cast<std::size_t>(context_->size));
        options.setOutput<std::int64_t>(buffer(gathered_.data(), gathered_.size() * sizeof(std::int64_t)));
      }
      gloo::gather(options);
    });
  }

  // gloo does not authenticate its peers. So each side draws a random number, and the other side answers with a hash of
  // both numbers that only the secret makes possible. A stranger in a process's place is found out before it hears or
  // says anything about the data.
  void prove(const Secret& secret, std::uint64_t generation) {
    std::random_device random;
    const auto drawn = [&] { return std::uint64_t{random()} << 32 | random(); };
    const std::size_t workers = static_cast<std::size_t>(context_->size) - 1;
    std::uint64_t asked = drawn();
    from_first(&asked, sizeof asked);
    const auto answer = [&](std::uint64_t side, std::size_t rank, std::uint64_t own) {
      return secret.answer({side, generation, rank, asked, own});
    };
    const std::uint64_t own = drawn();
    std::int64_t said[2] = {};  // the number a worker drew, and its answer
    if (const auto rank = static_cast<std::size_t>(context_->rank); rank > 0) {
      said[0] = static_cast<std::int64_t>(own);
      said[1] = static_cast<std::int64_t>(answer(1, rank, own));
    }
    gather(said);
    std::vector<std::uint64_t> answers(workers);
    if (context_->rank == 0)
      for (std::size_t rank = 1; rank <= workers; ++rank) {
        const auto theirs = static_cast<std::uint64_t>(gathered_[2 * rank]);
        if (static_cast<std::uint64_t>(gathered_[2 * rank + 1]) != answer(1, rank, theirs))
          throw Lost("not of this group");
        answers[rank - 1] = answer(0, rank, theirs);
      }
    from_first(answers.data(), answers.size() * sizeof(std::uint64_t));
    if (const auto rank = static_cast<std::size_t>(context_->rank);
        rank > 0 && answers[rank - 1] != answer(0, rank, own))
      throw Lost("not of this group");
  }

  std::unique_ptr<Buffer> buffer(void* bytes, std::size_t count) {
    auto made = context_->createUnboundBuffer(bytes, count);
    const std::lock_guard lock(mutex_);
    waiting_.push_back(made.get());
    return made;
  }
  // Calls f(options) with the options of one operation, which own its buffers.
  template <class Options, class F>
  void operate(F f) {
    heeding([&] {
      Options options(context_);
      options.setRoot(0);
      options.setTag(++operations_);
      options.setTimeout(timeout_);
      const std::shared_ptr<void> forget(nullptr, [this](void*) {
        const std::lock_guard lock(mutex_);
        waiting_.clear();
      });
      f(options);
    });
    if (aborted_) throw Lost("aborted");
  }

  std::shared_ptr<gloo::rendezvous::Context> context_;
  milliseconds timeout_ = meeting;
  std::uint32_t operations_ = 0;  // each has a tag of its own
  std::vector<std::byte> message_;
  std::vector<std::int64_t> answer_, gathered_;  // gathered_: the answers of all ranks, at rank 0
  std::atomic<bool> aborted_ = false;
  std::mutex mutex_;              // guards what follows
  std::vector<Buffer*> waiting_;  // the buffers of the present operation
};

}  // namespace

bool has_network() {
  return true;
}
std::shared_ptr<Connection> connect(const NetworkSetup& setup, const std::function<bool()>& given_up) {
  return std::make_shared<NetworkConnection>(setup, given_up);
}

#else

bool has_network() {
  return false;
}
std::shared_ptr<Connection> connect(const NetworkSetup&, const std::function<bool()>&) {
  throw Lost("this program was built without gloo");
}

#endif

}  // namespace kinescope::sim::k_means
