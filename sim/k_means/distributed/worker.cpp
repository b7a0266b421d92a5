#include "sim/k_means/distributed/worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/executors/cpu.hpp"
#include "sim/k_means/distributed/crew.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/k_means_cpu.hpp"

namespace kinescope::sim::k_means {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A coordinator that was stopped for as long may find its workers gone; then it computes by itself.
constexpr std::chrono::seconds patience{10};

// The first number that nobody has.
PresenceFile join(const std::string& folder, int& number) {
  while (PresenceFile::open(coordinator_file(folder)).exists()) try {
      return PresenceFile::make(worker_file(folder, ++number));
    } catch (const Lost&) {
      if (!PresenceFile::open(worker_file(folder, number)).exists()) break;
    }
  throw input_error(folder + ": no run computes with this group now");
}

}  // namespace

class Worker::Impl {
 public:
  explicit Impl(const std::string& folder) : folder_(folder), file_(join(folder, number_)), notes_(folder) {
    watcher_ = std::thread([this] { watch(); });
  }
  ~Impl() {
    ending_ = true;
    watcher_.join();
  }
  void work(std::shared_ptr<const Dataset> data, int threads);

 private:
  bool is_over() const { return over_ || refused_ || deserted_; }
  void watch();
  void look();
  struct Place {
    int rank = 0, size = 1;   // rank 0: it is not in it
    int part = 0, parts = 0;  // of the rows
  };
  Place place_in(std::int64_t generation);
  bool meets(std::int64_t generation);
  void work_in(std::int64_t generation, const Place& place);

  const std::string folder_;
  int number_ = 0;
  PresenceFile file_;
  Notes notes_;  // the watching thread's, but for reading a generation
  std::shared_ptr<const Dataset> data_;
  int threads_ = 0;
  std::atomic<std::uint32_t> checksum_ = 0;
  std::atomic<bool> ready_ = false, over_ = false, refused_ = false, deserted_ = false, ending_ = false;
  std::atomic<std::int64_t> latest_ = 0, joined_ = 0;  // generations
  std::atomic<std::int64_t> arrived_ = 0;              // the generation in which it waits to meet the others
  std::mutex mutex_;                                   // guards connection_
  std::shared_ptr<Connection> connection_;
  std::thread watcher_;
};

void Worker::Impl::watch() {
  Presence presence = own_presence();
  const PresenceFile coordinator = PresenceFile::open(coordinator_file(folder_));
  std::uint64_t beats = 0;
  Clock::time_point heard = Clock::now(), beaten;
  for (; !ending_; std::this_thread::sleep_for(milliseconds(look_milliseconds))) {
    if (presence.generation != arrived_ || Clock::now() - beaten > milliseconds(beat_milliseconds)) {
      presence.generation = arrived_;
      beaten = Clock::now();
      ++presence.beats;
      presence.checksum = checksum_;
      presence.ready = ready_;
      file_.write(presence);
      const std::uint64_t now = coordinator.read().beats;
      if (now != beats) heard = Clock::now();
      beats = now;
      if (Clock::now() - heard > patience) deserted_ = true;
    }
    look();
    const std::lock_guard lock(mutex_);
    if (connection_ && (is_over() || latest_ > joined_)) connection_->abort();
  }
}

// Reads the notes.
void Worker::Impl::look() {
  if (!file_.is_still(worker_file(folder_, number_)) || notes_.has("over")) over_ = true;
  if (over_) return;
  if (notes_.has("refused/" + std::to_string(number_))) refused_ = true;
  while (notes_.has("generation/" + std::to_string(latest_ + 1))) ++latest_;
}

Worker::Impl::Place Worker::Impl::place_in(std::int64_t generation) {
  std::istringstream text(Notes(folder_).read("generation/" + std::to_string(generation)));
  Place place;
  for (int each = 0; text >> each; ++place.parts) {
    if (each == number_) place.rank = place.size, place.part = place.parts;
    if (each != 0) ++place.size;
  }
  return place;
}

// Waits until all of a generation are free; false if there is a newer one.
bool Worker::Impl::meets(std::int64_t generation) {
  arrived_ = generation;
  Notes notes(folder_);
  for (; !is_over() && latest_ == generation; std::this_thread::sleep_for(milliseconds(1)))
    if (notes.has("meet/" + std::to_string(generation))) return true;
  return false;
}

void Worker::Impl::work(std::shared_ptr<const Dataset> data, int threads) {
  data_ = std::move(data);
  threads_ = threads;
  checksum_ = checksum_of(data_->values);
  ready_ = true;
  for (; !is_over(); std::this_thread::sleep_for(milliseconds(1))) {
    const std::int64_t generation = latest_;
    if (generation == joined_) continue;
    joined_ = generation;
    try {
      const Place place = place_in(generation);
      if (place.rank > 0 && meets(generation)) work_in(generation, place);
    } catch (const Lost&) {
      arrived_ = -generation;
    }
    const std::lock_guard lock(mutex_);
    connection_ = nullptr;
  }
  if (refused_) throw input_error("worker " + std::to_string(number_) + ": its data are not those of the run");
  if (deserted_ && !over_) throw run_error("worker " + std::to_string(number_) + ": the coordinator has gone silent");
}

void Worker::Impl::work_in(std::int64_t generation, const Place& place) {
  const auto connection = std::make_shared<Connection>(folder_, generation, place.rank, place.size,
                                                       [&] { return is_over() || latest_ > generation; });
  {
    const std::lock_guard lock(mutex_);
    connection_ = connection;
  }
  const std::int64_t N = static_cast<std::int64_t>(data_->points);
  const std::size_t d = data_->dimensions;
  Outline outline;
  connection->from_first(&outline, sizeof outline);
  std::vector<float> scale(d), centroids;
  connection->from_first(scale.data(), d * sizeof(float));

  const Rows rows = rows_of(place.part, place.parts, N);
  Cpu cpu(threads_);
  KMeansKernels<Cpu> kernels(cpu);
  PointParts<Cpu> parts(cpu, data_, 0, 0, rows.first, rows.count);
  std::int64_t dealt = rows.count;
  connection->sum_at_first({&dealt, 1});

  std::vector<std::int64_t> sums;
  Control control;
  RunView run;
  run.scale = scale.data();
  run.control = &control;
  run.asked = true;
  std::int64_t sending = 0;
  auto lap = [last = Clock::now()]() mutable {
    const Clock::time_point begin = std::exchange(last, Clock::now());
    return std::chrono::nanoseconds(last - begin).count();
  };
  for (;;) {
    Pass pass;
    connection->from_first(&pass, sizeof pass);
    const std::int64_t waiting = lap();
    centroids.resize(static_cast<std::size_t>(pass.clusters) * d);
    connection->from_first(centroids.data(), centroids.size() * sizeof(float));
    const std::int64_t receiving = lap();
    run.clusters = run.first_clusters = run.last_clusters = pass.clusters;
    run.drops = pass.drops != 0;
    run.points = parts.all();
    control.inertia_limit = pass.inertia_limit;
    const std::size_t numbers = static_cast<std::size_t>(run.sum_size());
    sums.assign(numbers + static_cast<std::size_t>(place.size - 1) * std::tuple_size_v<Times>, 0);
    run.centroids = centroids.data();
    run.sums = sums.data();
    kernels.plan(run);
    parts.for_each([&](const Points& points) {
      run.points = points;
      kernels.assign(run);
    });
    const Times times = {lap(), receiving + sending, waiting};
    std::copy(times.begin(), times.end(),
              sums.data() + numbers + static_cast<std::size_t>(place.rank - 1) * times.size());
    connection->sum_at_first(sums);
    sending = lap();
  }
}

Worker::Worker(const std::string& folder) {
  require_gloo();
  try {
    impl_ = std::make_unique<Impl>(folder);
  } catch (const Lost& lost) {
    throw run_error(folder + ": " + lost.what());
  }
}
Worker::~Worker() = default;

void Worker::work(std::shared_ptr<const Dataset> data, int threads) {
  impl_->work(std::move(data), threads);
}

}  // namespace kinescope::sim::k_means
