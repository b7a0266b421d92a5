#include "app/view/workers.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/io/session_file.hpp"
#include "app/io/streams.hpp"
#include "app/runs/interrupt.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"
#include "sim/data/readers/packing/temporary_file.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/coordinator.hpp"
#include "sim/k_means/distributed/secret.hpp"
#include "sim/k_means/distributed/store.hpp"
#include "sim/k_means/distributed/worker.hpp"
#include "sim/k_means/prepare.hpp"

namespace kinescope::app {
namespace {

namespace fs = std::filesystem;
namespace km = sim::k_means;

// Calls `f`. If the store cannot be reached, throws an input error about --group.
template <class F>
auto reaching(F f) {
  try {
    return f();
  } catch (const km::Lost& lost) {
    throw sim::input_error(std::string("--group: ") + lost.what());
  }
}

// The group's own folder, inside the folder that --group names.
std::string group_folder(const std::string& group) {
  return (fs::path(group) / "kinescope-group").string();
}

sim::Error taken(const std::string& remedy) {
  return sim::input_error("--group: another run uses this group. If that run was killed, go on with --resume, or " +
                          remedy);
}

// Makes the group.
WorkersGroup make_group(const std::string& group, const std::string& run) {
  const auto begin = [&](const std::string& address) {
    return reaching([&] {
      WorkersGroup made{address, km::Secret::drawn(), km::open_store(address)};
      if (!made.store->begin(km::run_name, run)) throw taken("use another name");
      try {
        made.store->write("secret", made.secret);
      } catch (...) {
        made.store->remove();
        throw;
      }
      return made;
    });
  };
  const auto begin_in = [&](const std::string& new_folder) {
    try {
      return begin(new_folder);
    } catch (...) {
      sim::remove_empty_folder(new_folder);
      throw;
    }
  };
  if (km::is_redis(group)) return begin(group);
  if (group.empty()) return begin_in(sim::make_temporary_folder("kinescope-group-"));
  const std::string folder = group_folder(group);
  const int failure = sim::make_own_folder(folder);
  if (failure == EEXIST) throw taken("remove " + folder);
  if (failure != 0) throw sim::input_error("--group: " + folder + ": " + std::strerror(failure));
  return begin_in(folder);
}

// Takes over the group of a lost run. Its last moment stays; the notes of its processes are removed.
WorkersGroup take_over(const std::string& group, const SavedSession& session, const std::string& run) {
  std::string address = km::is_redis(group) ? group : group_folder(group);
  if (!km::is_redis(group)) {
    std::error_code error;
    if (!fs::exists(address + "/" + km::run_name, error))
      throw sim::input_error("--resume: there is no run to continue in " + group);
  }
  return reaching([&] {
    WorkersGroup taken{address, km::Secret::drawn(), km::open_store(address)};
    const std::unique_ptr<km::Store>& store = taken.store;
    if (!store->has(km::run_name)) throw sim::input_error("--resume: there is no run to continue in " + group);
    const auto beats = [&] { return store->presence("coordinator").value_or(km::Presence{}).beats; };
    const auto before = beats();
    std::this_thread::sleep_for(std::chrono::milliseconds(10 * km::beat_milliseconds));
    if (beats() != before) throw sim::input_error("--resume: the run in " + group + " is still running");
    const SavedSession lost = session_of(std::string(km::run_name) + " in " + group, store->read(km::run_name));
    if (lost.parameters != session.parameters || lost.seed != session.seed)
      throw sim::input_error("--resume: the run in " + group + " has other parameters or another seed");
    // If the store takes no notes now, the lost run stays there.
    store->write(km::run_name, run);
    store->write("secret", taken.secret);
    store->clear({"moment", km::run_name, "secret"});
    return taken;
  });
}

// The store may hold another run by now. A folder whose secret cannot be read is still that which this run has opened.
bool holds_this_run(const WorkersGroup& group) {
  try {
    return group.store->read("secret") == group.secret;
  } catch (const km::StoreLost&) {
    return !km::is_redis(group.address);
  }
}

}  // namespace

bool wants_workers(const sim::SimulationKind& kind, const WorkersSetup& setup) {
  if (setup.count == 0 && setup.group.empty()) {
    if (!setup.listen.empty()) throw sim::input_error("--listen needs --group");
    if (setup.resume) throw sim::input_error("--resume needs --group, the group of the run to continue");
    return false;
  }
  if (!kind.takes_workers)
    throw sim::input_error(kind.name + " computes in one process: --workers and --group are options of k-means");
  if (setup.resume && setup.group.empty())
    throw sim::input_error("--resume needs --group, the group of the run to continue");
  if (!setup.listen.empty() && !km::has_network())
    throw sim::input_error("--listen: this program was built without gloo; install libgloo-dev and build it again");
  return true;
}

void check_read_by_all(const sim::DataRequest& data) {
  for (const std::string& source : {data.source, data.metadata}) {
    if (source.empty() || sim::is_made(source) || (source != sim::standard_input && sim::can_be_read_again(source)))
      continue;
    throw sim::input_error(std::string("--workers and --group need a file: ") +
                           (source == sim::standard_input ? "standard input" : "a pipe") + " has one reader");
  }
}

void check_outside(const WorkersSetup& setup, const std::vector<NamedFile>& files) {
  if (setup.group.empty() || km::is_redis(setup.group)) return;
  std::error_code error;
  const std::string folder = fs::weakly_canonical(group_folder(setup.group), error).string() + "/";
  if (error) throw sim::input_error("--group: " + setup.group + ": " + error.message());
  for (const auto& [option, file] : files)
    if (!file.empty() && fs::weakly_canonical(file, error).string().starts_with(folder))
      throw sim::file_error(file, option + ": is in the folder of the group's notes, which the run removes");
}

Workers::Workers(const WorkersSetup& setup, const sim::SimulationKind& kind, const sim::DataRequest& request,
                 sim::ParameterSet& parameters, std::uint64_t seed)
    : setup_(setup) {
  std::signal(SIGPIPE, SIG_IGN);  // writing to a process that has ended then fails with an error, not a signal
  SavedSession session{.simulation = kind.name, .data = request, .seed = seed};
  parameters.visit([&](sim::Parameter& parameter) { session.parameters[parameter.name()] = parameter.text(); });
  if (const auto* const all = dynamic_cast<const sim::KMeansParameters*>(&parameters))
    megabytes_ = static_cast<std::int64_t>(all->device_memory.value());
  const std::string run = session_text(session);
  // Before there is a group, which would stay if this failed.
  abrupt_end_ = before_abrupt_end([this](bool is_second) { abandon(is_second); });
  group_ = setup.resume ? take_over(setup.group, session, run) : make_group(setup.group, run);
  has_group_ = true;
}

Workers::~Workers() {
  if (!served_ || stopped_()) children_.kill_all();  // before they tell that there is no run
  if (setup_.resume && !served_) return;             // the lost run stays there: it can still be resumed
  try {
    // Workers that missed the end of the run notice that their notes are gone.
    if (holds_this_run(group_)) group_.store->remove();
  } catch (const std::exception&) {  // the store is lost, or there is no memory
  }
}

void Workers::abandon(bool is_second) noexcept {
  try {
    children_.kill_all();
    const bool can_be_resumed = is_second ? !setup_.group.empty() : setup_.resume;
    if (!has_group_ || can_be_resumed) return;
    const auto store = km::open_store(group_.address);  // group_.store may be in use
    if (store->read("secret") == group_.secret) store->remove();
  } catch (const std::exception&) {  // the store is lost, or there is no memory
  }
}

void Workers::serve(sim::Simulation& simulation, const std::function<void(const std::string&)>& tell,
                    std::function<bool()> stopped) {
  backend_ = simulation.backend();
  stopped_ = std::move(stopped);
  km::CoordinatorSetup setup;
  setup.store = group_.address;
  setup.secret = group_.secret;
  setup.listen = setup_.listen;
  // On GPUs the run's own process is one of those that compute.
  setup.computes = backend_ == sim::Backend::cuda && setup_.count > 0;
  setup.processor.backend = backend_;
  setup.megabytes = megabytes_;
  const int started = setup_.count - (setup.computes ? 1 : 0);
  setup.workers = started;
  setup.keeps = !setup_.group.empty();
  setup.resumes = setup_.resume;
  setup.timeout = setup_.timeout;
  setup.ended = [this] { return children_.ended(); };
  setup.tell = tell;
  setup.stopped = stopped_;
  std::shared_ptr<km::Group> group;
  try {
    group = km::make_coordinator(setup);
  } catch (const km::StoreLost& lost) {
    tell("the group's store is lost (" + std::string(lost.what()) + "): this process computes by itself" +
         (setup.resumes ? ", from the start" : ""));
  }
  if (group) {
    for (int n = 0; n < started; ++n) start_worker();
    dynamic_cast<sim::KMeans&>(simulation).compute_with(group);
  }
  served_ = true;
}

void Workers::start_worker() {
  const int all_threads = setup_.threads > 0 ? setup_.threads : sim::cpu_threads();
  const std::string threads = std::to_string(std::max(1, all_threads / std::max(1, setup_.count)));
  const char* backend = backend_ == sim::Backend::cuda ? "cuda" : "cpu";
  std::vector<std::string> words = {"work", "--group", group_.address, "--threads", threads, "--backend", backend};
  if (!setup_.listen.empty()) words.insert(words.end(), {"--listen", setup_.listen});
  children_.start_program(words);
  ++started_;
}

void Workers::start_another() {
  start_worker();
  reaching([&] {
    const auto store = km::open_store(group_.address);
    while (!stopped_() && store->presence(km::worker_name(started_)).value_or(km::Presence{}).ready == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(km::look_milliseconds));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(km::beat_milliseconds));  // the coordinator has seen it too
}

std::shared_ptr<void> make_workers(const WorkersSetup& setup, const sim::SimulationKind& kind,
                                   const sim::DataRequest& request, sim::ParameterSet& parameters, std::uint64_t seed,
                                   sim::Simulation& simulation, const std::atomic<bool>& cancelled) {
  if (!kind.takes_workers) return nullptr;
  auto workers = std::make_shared<Workers>(setup, kind, request, parameters, seed);
  workers->serve(
      simulation, [](const std::string& news) { app::tell("kinescope: {}\n", news); },
      [&cancelled] { return cancelled.load(); });
  return workers;
}

void work(const WorkersSetup& setup, const std::string& source, sim::Backend backend) {
  std::signal(SIGPIPE, SIG_IGN);
  std::string address = setup.group;
  if (!km::is_redis(address)) {
    std::error_code error;
    if (const std::string inside = group_folder(address); fs::exists(inside, error)) address = inside;
  }
  km::Worker worker(address, setup.listen);
  SavedSession session = session_of(address, worker.run());
  sim::KMeansParameters parameters;
  for (sim::Parameter* each :
       std::initializer_list<sim::Parameter*>{&parameters.normalize, &parameters.features, &parameters.device_memory})
    if (const auto text = session.parameters.find(each->name()); text != session.parameters.end())
      each->set(text->second);
  if (!source.empty()) session.data.source = source;
  km::WorkerSetup own{{.backend = backend, .threads = setup.threads}, 0, nullptr, nullptr};
  if (parameters.normalize.value() == sim::Normalization::none) own.file = sim::rows_in_file(session.data);
  own.load = [&] { return km::UsedPoints(sim::load_dataset(session.data), parameters).data; };
  own.megabytes = static_cast<std::int64_t>(parameters.device_memory.value());
  worker.work(own);
}

}  // namespace kinescope::app
