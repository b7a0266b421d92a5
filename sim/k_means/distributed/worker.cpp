#include "sim/k_means/distributed/worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/distributed/held_rows.hpp"
#include "sim/k_means/distributed/messages.hpp"
#include "sim/k_means/distributed/row_sums.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A worker leaves once the coordinator has been silent for this long. A coordinator that was suspended for longer may
// find its workers gone, and then computes by itself.
constexpr std::chrono::seconds patience{10};

// Claims the first free worker number, and returns it.
int join(const std::string& address, Store& store, const Presence& presence) {
  for (int number = 1; store.presence("coordinator"); ++number)
    if (store.claim(worker_name(number), presence)) return number;
  throw input_error(address + ": no run uses this group now");
}

}  // namespace

class Worker::Impl {
 public:
  Impl(const std::string& store, const std::string& listen, const OpenStore& open)
      : address_(store), listen_(listen), notes_(open(store)), signs_(open(store)) {
    presence_.listens = !listen.empty();
    number_ = join(address_, *signs_, presence_);
    watcher_ = std::thread([this] { watch(); });
  }
  ~Impl() {
    ending_ = true;
    watcher_.join();
  }
  std::string read(const std::string& name) { return notes_->read(name); }
  void work(const WorkerSetup& setup);

 private:
  bool is_over() const { return over_ || refused_ || deserted_; }
  void hold_rows();
  void watch();
  void look();
  struct Assignment {
    int rank = 0, size = 1;   // rank 0: this worker is not in the generation
    int part = 0, parts = 0;  // its part of the rows, and how many there are
    std::shared_ptr<SharedMemory> memory;
  };
  Assignment assignment_in(std::int64_t generation);
  enum class Way { none, memory, network };
  Way meets(std::int64_t generation);
  void work_in(std::int64_t generation, const Assignment& assignment, Way way);
  std::string why_refused();

  const std::string address_, listen_;
  int number_ = 0;
  const std::unique_ptr<Store> notes_, signs_;  // signs_ is the watching thread's
  Presence presence_ = own_presence();          // the watching thread's once that runs
  WorkerSetup setup_;
  std::optional<HeldRows> held_;
  int devices_ = 1;  // number of this machine's GPUs, which the workers take in turn
  std::string device_;
  std::atomic<std::uint32_t> checksum_ = 0;
  std::atomic<bool> awaits_rows_ = false;  // waits for the note `rows`
  std::atomic<bool> ready_ = false, over_ = false, refused_ = false, deserted_ = false, ending_ = false;
  std::atomic<std::int64_t> latest_ = 0, joined_ = 0;  // the latest generation announced, and the latest handled
  std::atomic<std::int64_t> arrived_ = 0;              // the generation in which it waits to meet the others
  std::atomic<std::int64_t> memory_ = 0;               // the generation whose shared memory it has reached
  std::mutex mutex_;                                   // guards connection_
  std::shared_ptr<Connection> connection_;
  std::thread watcher_;
};

void Worker::Impl::watch() {
  std::uint64_t beats = 0;
  Clock::time_point heard = Clock::now(), seen = heard, beaten;
  for (; !ending_; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    if (presence_.generation != arrived_ || Clock::now() - beaten > milliseconds(beat_milliseconds)) {
      presence_.generation = arrived_;
      presence_.memory = memory_;
      beaten = Clock::now();
      ++presence_.beats;
      if (ready_ && presence_.ready == 0) {
        write_text(presence_.device, device_);
        presence_.ready = 1;
      }
      presence_.checksum = checksum_;
      signs_->beat(presence_);
      const Presence coordinator = signs_->presence("coordinator").value_or(Presence{});
      if (coordinator.beats != beats) heard = Clock::now();
      beats = coordinator.beats;
      // A store may have lost the notes of generations between. A worker that cannot see the latest one, or that of the
      // rows, leaves.
      const std::int64_t now = coordinator.generation;
      if (now > latest_ && signs_->has("generation/" + std::to_string(now))) latest_ = now;
      if (now <= latest_ && !(awaits_rows_ && coordinator.ready != 0)) seen = Clock::now();
      if (Clock::now() - std::min(seen, heard) > patience) deserted_ = true;
    }
    look();
    const std::lock_guard lock(mutex_);
    if (connection_ && (is_over() || latest_ > joined_)) connection_->abort();
  }
}

// Reads the notes that concern this worker.
void Worker::Impl::look() {
  if (!signs_->owns() || signs_->has("over")) over_ = true;
  if (over_) return;
  if (signs_->has("refused/" + std::to_string(number_))) refused_ = true;
  while (signs_->has("generation/" + std::to_string(latest_ + 1))) ++latest_;
}

Worker::Impl::Assignment Worker::Impl::assignment_in(std::int64_t generation) {
  const Dealt dealt = dealt_of(notes_->read("generation/" + std::to_string(generation)));
  Assignment assignment;
  assignment.memory = listen_.empty() ? SharedMemory::open(dealt.memory) : nullptr;
  for (const int each : dealt.workers) {
    if (each == number_) assignment.rank = assignment.size, assignment.part = assignment.parts;
    if (each > 0) ++assignment.size;
    ++assignment.parts;
  }
  return assignment;
}

// Waits until all workers of a generation are free. Returns how they connect; none if there is a newer generation.
Worker::Impl::Way Worker::Impl::meets(std::int64_t generation) {
  arrived_ = generation;
  const std::string note = "meet/" + std::to_string(generation);
  for (; !is_over() && latest_ == generation; std::this_thread::sleep_for(milliseconds(1)))
    if (notes_->has(note)) return notes_->read(note) == "memory" ? Way::memory : Way::network;
  return Way::none;
}

void Worker::Impl::work(const WorkerSetup& setup) {
  setup_ = setup;
  if (setup_.processor.backend == Backend::cuda) {
    const std::vector<CudaDevice> devices = cuda_devices();
    devices_ = static_cast<int>(devices.size());
    setup_.processor.device = devices.at(static_cast<std::size_t>(number_ % devices_)).index;
  }
  const Started backend = started(setup_.processor);
  device_ = backend.device;
  try {
    hold_rows();
  } catch (const Lost& lost) {
    if (!is_over()) throw run_error(lost.what());
  }
  ready_ = true;
  constexpr int most_unread = 3;
  int unread = 0;  // generations in a row whose notes could not be read
  for (; !is_over(); std::this_thread::sleep_for(milliseconds(1))) {
    const std::int64_t generation = latest_;
    if (generation == joined_) continue;
    joined_ = generation;
    try {
      const Assignment assignment = assignment_in(generation);
      if (assignment.memory) memory_ = generation;
      if (assignment.rank == 0) continue;
      const Way way = meets(generation);
      unread = 0;
      if (way != Way::none) work_in(generation, assignment, way);
    } catch (const StoreLost&) {
      arrived_ = -generation;
      if (++unread >= most_unread) deserted_ = true;
    } catch (const Lost&) {
      arrived_ = -generation;
    }
    const std::lock_guard lock(mutex_);
    connection_ = nullptr;
  }
  if (refused_) throw input_error("worker " + std::to_string(number_) + ": " + why_refused());
  if (deserted_ && !over_) throw run_error("worker " + std::to_string(number_) + ": the run does not answer any more");
}

// Loads the data, or decides to read only the rows dealt. In that case the checksum of the run's data is reported on
// trust, as the file has the same shape; HeldRows::deal checks it when the rows are read.
void Worker::Impl::hold_rows() {
  awaits_rows_ = setup_.file != nullptr;
  while (awaits_rows_ && !is_over() && !notes_->has("rows"))
    std::this_thread::sleep_for(milliseconds(look_milliseconds));
  awaits_rows_ = false;
  if (is_over()) return;
  if (setup_.file) {
    Checksums checksums = Checksums::from_text(notes_->read("rows"));
    if (checksums.points == static_cast<std::int64_t>(setup_.file->rows()) &&
        checksums.dimensions == static_cast<std::int64_t>(setup_.file->columns())) {
      checksum_ = checksums.whole();
      held_.emplace(setup_.file, std::move(checksums));
      return;
    }
  }
  std::shared_ptr<const Dataset> data = setup_.load();
  checksum_ = checksums_of(*data).whole();
  held_.emplace(std::move(data));
}

std::string Worker::Impl::why_refused() {
  try {
    return notes_->read("refused/" + std::to_string(number_));
  } catch (const Lost&) {
    return "refused";
  }
}

void Worker::Impl::work_in(std::int64_t generation, const Assignment& assignment, Way way) {
  const std::string here = listen_.empty() ? loopback : listen_;
  const auto given_up = [&] { return is_over() || latest_ > generation; };
  const std::shared_ptr<Connection> connection =
      way == Way::memory ? connect(assignment.memory, assignment.rank, assignment.size)
                         : connect({*notes_, generation, assignment.rank, assignment.size, here}, given_up);
  {
    const std::lock_guard lock(mutex_);
    connection_ = connection;
  }
  connection->await_message();
  const auto [outline, columns] = outline_of(connection->receive());
  const auto d = static_cast<std::size_t>(outline.dimensions);
  const auto middle = columns.begin() + static_cast<std::ptrdiff_t>(d);
  const RunFacts facts{{columns.begin(), middle}, {middle, columns.end()}, outline.reach, outline.clusters};
  const std::optional<HeldRows::Part> part =
      held_->deal(rows_of(assignment.part, assignment.parts, outline.points), outline.points, outline.dimensions);
  if (!part) {
    checksum_ = ~checksum_.load();
    throw Lost("other rows");
  }
  Setup processor = setup_.processor;
  processor.data = part->data;
  const int sharing = (assignment.size - 1) / devices_ + 1;  // at most: one of them may be the run itself
  const auto own = make_row_sums({processor, facts, part->rows, setup_.megabytes, sharing, connection->memory()});
  *connection->place(1) = part->rows.count;
  connection->answer();

  std::int64_t sending = 0;
  auto lap = [last = Clock::now()]() mutable {
    const Clock::time_point begin = std::exchange(last, Clock::now());
    return std::chrono::nanoseconds(last - begin).count();
  };
  for (;;) {
    connection->await_message();
    const std::int64_t waiting = lap();
    const auto [pass, centroids] = pass_of(connection->receive(), outline);
    const std::int64_t receiving = lap();
    own->compute(pass, centroids);
    const std::size_t numbers = (d + 1) * static_cast<std::size_t>(pass.clusters) + 1;
    std::int64_t* const to = connection->place(numbers + std::tuple_size_v<Times>);
    own->take(0, {to, numbers});
    const Times times = {lap(), receiving + sending, waiting};
    std::copy(times.begin(), times.end(), to + numbers);
    connection->answer();
    sending = lap();
  }
}

Worker::Worker(const std::string& store, const std::string& listen, const OpenStore& open) {
  try {
    impl_ = std::make_unique<Impl>(store, listen, open);
  } catch (const Lost& lost) {
    throw input_error(lost.what());
  }
}
Worker::~Worker() = default;

std::string Worker::run() {
  try {
    return impl_->read(run_name);
  } catch (const Lost& lost) {
    throw run_error(lost.what());
  }
}

void Worker::work(const WorkerSetup& setup) {
  impl_->work(setup);
}

}  // namespace kinescope::sim::k_means
