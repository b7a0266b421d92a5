#include "sim/k_means/distributed/group.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <zlib.h>

#include "sim/core/error.hpp"
#include "sim/k_means/formulas.hpp"

#if KINESCOPE_GLOO
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/transport/tcp/device.h>
#endif

namespace kinescope::sim::k_means {

#if KINESCOPE_GLOO
namespace {

using std::chrono::milliseconds;

// How long members of a new generation wait for each other. All have just said that they are free, so this is a matter
// of milliseconds; one that is lost just then costs the others so long.
constexpr milliseconds meeting{1000};
// A computation may take long; who is gone is noticed otherwise.
constexpr milliseconds forever = std::chrono::hours(24);

// What gloo throws is for programmers, and here it always means the same.
template <class F>
auto heeding(F f) {
  try {
    return f();
  } catch (const std::exception& error) {
    throw Lost(error.what());
  }
}

// gloo's store looks for a note every 10 ms and gives up after whole seconds.
class Meeting : public gloo::rendezvous::FileStore {
 public:
  Meeting(const std::string& folder, std::function<bool()> given_up)
      : FileStore(folder), given_up_(std::move(given_up)) {}
  void wait(const std::vector<std::string>& names, const milliseconds& timeout) override {
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (!check(names)) {
      if (given_up_() || std::chrono::steady_clock::now() > end) throw Lost("nobody came");
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

 private:
  std::function<bool()> given_up_;
};

}  // namespace

void require_gloo() {}

struct Notes::Store : gloo::rendezvous::FileStore {
  using FileStore::check;
  using FileStore::FileStore;
};

Notes::Notes(const std::string& folder) : store_(heeding([&] { return std::make_unique<Store>(folder); })) {}
Notes::~Notes() = default;
bool Notes::has(const std::string& name) const {
  try {
    return store_->check({name});
  } catch (const std::exception&) {
    return false;
  }
}
void Notes::write(const std::string& name, const std::string& text) {
  heeding([&] { store_->set(name, {text.begin(), text.end()}); });
}
std::string Notes::read(const std::string& name) {
  const std::vector<char> text = heeding([&] { return store_->get(name); });
  return {text.begin(), text.end()};
}

struct Connection::Mesh {
  using Buffer = gloo::transport::UnboundBuffer;

  std::shared_ptr<gloo::rendezvous::Context> context;
  std::uint32_t operations = 0;        // each has a tag of its own
  std::vector<std::int64_t> gathered;  // at rank 0
  std::atomic<bool> aborted = false;
  std::mutex mutex;              // guards what follows
  std::vector<Buffer*> waiting;  // of the present operation

  std::unique_ptr<Buffer> buffer(void* bytes, std::size_t count) {
    auto made = context->createUnboundBuffer(bytes, count);
    const std::lock_guard lock(mutex);
    waiting.push_back(made.get());
    return made;
  }
  // Calls f(options) with the options of one operation, which own its buffers.
  template <class Options, class F>
  void operate(F f) {
    heeding([&] {
      Options options(context);
      options.setRoot(0);
      options.setTag(++operations);
      options.setTimeout(forever);
      const std::shared_ptr<void> forget(nullptr, [this](void*) {
        const std::lock_guard lock(mutex);
        waiting.clear();
      });
      f(options);
    });
    if (aborted) throw Lost("aborted");
  }
};

Connection::Connection(const std::string& folder, std::int64_t generation, int rank, int size,
                       const std::function<bool()>& given_up)
    : mesh_(std::make_unique<Mesh>()) {
  heeding([&] {
    Meeting meeting_place(folder, given_up);
    gloo::rendezvous::PrefixStore notes(std::to_string(generation), meeting_place);
    std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice("127.0.0.1");
    mesh_->context = std::make_shared<gloo::rendezvous::Context>(rank, size);
    mesh_->context->setTimeout(meeting);
    mesh_->context->connectFullMesh(notes, device);
  });
}
Connection::~Connection() = default;

void Connection::from_first(void* bytes, std::size_t count) {
  mesh_->operate<gloo::BroadcastOptions>([&](gloo::BroadcastOptions& options) {
    options.setOutput<char>(mesh_->buffer(bytes, count));
    gloo::broadcast(options);
  });
}

// All send at once to rank 0: in a ring, as gloo reduces, each number would be sent less often, but ten times as many
// messages wait for each other.
void Connection::sum_at_first(std::span<std::int64_t> numbers) {
  const gloo::Context& context = *mesh_->context;
  std::vector<std::int64_t>& gathered = mesh_->gathered;
  mesh_->operate<gloo::GatherOptions>([&](gloo::GatherOptions& options) {
    options.setInput<std::int64_t>(mesh_->buffer(numbers.data(), numbers.size_bytes()));
    if (context.rank == 0) {
      gathered.resize(numbers.size() * static_cast<std::size_t>(context.size));
      options.setOutput<std::int64_t>(mesh_->buffer(gathered.data(), gathered.size() * sizeof(std::int64_t)));
    }
    gloo::gather(options);
  });
  if (context.rank != 0) return;
  for (std::size_t at = numbers.size(); at < gathered.size(); ++at) numbers[at % numbers.size()] += gathered[at];
}

// A wait that runs out of time makes gloo close all connections of the context, which the others notice, and end waits.
// It forgets those for a connection that was closed before: these are ended one by one, and what they return is
// dropped.
void Connection::abort() {
  if (!mesh_->aborted.exchange(true)) try {
      char nothing = 0;
      mesh_->context->createUnboundBuffer(&nothing, 1)->waitRecv(nullptr, milliseconds(1));
    } catch (const std::exception&) {
    }
  const std::lock_guard lock(mesh_->mutex);
  for (gloo::transport::UnboundBuffer* buffer : mesh_->waiting) buffer->abortWaitRecv(), buffer->abortWaitSend();
}

#else

void require_gloo() {
  throw input_error("this build has no gloo, which carries what workers send: build it where libgloo-dev is installed");
}

struct Notes::Store {};
Notes::Notes(const std::string&) {
  require_gloo();
}
Notes::~Notes() = default;
bool Notes::has(const std::string&) const {
  return false;
}
void Notes::write(const std::string&, const std::string&) {}
std::string Notes::read(const std::string&) {
  return "";
}

struct Connection::Mesh {};
Connection::Connection(const std::string&, std::int64_t, int, int, const std::function<bool()>&) {
  require_gloo();
}
Connection::~Connection() = default;
void Connection::from_first(void*, std::size_t) {}
void Connection::sum_at_first(std::span<std::int64_t>) {}
void Connection::abort() {}

#endif

PresenceFile PresenceFile::make(const std::string& path) {
  PresenceFile made;
  made.file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (!made.exists()) throw Lost(path + ": " + std::strerror(errno));
  made.write(own_presence());
  return made;
}
PresenceFile PresenceFile::open(const std::string& path) {
  PresenceFile opened;
  opened.file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return opened;
}
PresenceFile::PresenceFile(PresenceFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
PresenceFile& PresenceFile::operator=(PresenceFile&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}
PresenceFile::~PresenceFile() {
  if (file_ >= 0) close(file_);
}
bool PresenceFile::is_still(const std::string& path) const {
  struct stat own, named;
  return fstat(file_, &own) == 0 && stat(path.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}
// What does not arrive looks like silence.
void PresenceFile::write(const Presence& presence) const {
  [[maybe_unused]] const ssize_t written = pwrite(file_, &presence, sizeof presence, 0);
}
Presence PresenceFile::read() const {
  Presence presence;
  if (pread(file_, &presence, sizeof presence, 0) != ssize_t{sizeof presence}) return {};
  return presence;
}

std::string coordinator_file(const std::string& folder) {
  return folder + "/coordinator";
}
std::string worker_file(const std::string& folder, int number) {
  return folder + "/worker-" + std::to_string(number);
}
std::string run_file(const std::string& folder) {
  return folder + "/run.kinescope.json";
}

std::string moment_file(const std::string& folder) {
  return folder + "/moment";
}

Presence own_presence() {
  Presence presence;
  presence.process = getpid();
  gethostname(presence.machine, sizeof presence.machine - 1);
  return presence;
}

std::uint32_t checksum_of(std::span<const float> values) {
  return checksum_of(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
}
std::uint32_t checksum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

Rows rows_of(int index, int parts, std::int64_t points) {
  const std::int64_t panels = (points + panel - 1) / panel;
  const std::int64_t first = panels * index / parts * panel, end = panels * (index + 1) / parts * panel;
  return {first, std::min(end, points) - std::min(first, points)};
}

}  // namespace kinescope::sim::k_means
