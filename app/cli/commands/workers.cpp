#include "app/cli/commands/workers.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "app/io/preset.hpp"
#include "app/io/session_file.hpp"
#include "app/runs/interrupt.hpp"
#include "sim/core/error.hpp"
#include "sim/core/executors/devices.hpp"
#include "sim/data/load.hpp"
#include "sim/data/normalize.hpp"
#include "sim/k_means/distributed/coordinator.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/distributed/worker.hpp"
#include "sim/k_means/k_means.hpp"

namespace kinescope::app {
namespace {

namespace fs = std::filesystem;

// The group has a folder of its own in the one that is named.
std::string group_folder(const std::string& store) {
  return (fs::path(store) / "kinescope-group").string();
}

// Who may write there could give workers other data, and the run other sums.
void require_own(const std::string& folder) {
  struct stat found;
  if (lstat(folder.c_str(), &found) != 0) return;  // who opens it says so
  if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid() || (found.st_mode & 0077) != 0)
    throw sim::input_error("--group: " + folder + " must be a folder of yours that nobody else can open (chmod 700)");
}

std::string make_folder(const std::string& store) {
  if (store.empty()) {
    std::string name = (fs::temp_directory_path() / "kinescope-group-XXXXXX").string();
    if (!mkdtemp(name.data())) throw sim::run_error(name + ": " + std::strerror(errno));
    return name;
  }
  std::string folder = group_folder(store);
  if (mkdir(folder.c_str(), 0700) == 0) return folder;
  if (errno == EEXIST)
    throw sim::input_error("--group: another run has this group; if it was killed: --resume, or remove " + folder);
  throw sim::input_error("--group: " + folder + ": " + std::strerror(errno));
}

// The folder of a run that was lost, without what belonged to its processes.
std::string take_over(const std::string& store, const SavedSession& session) {
  std::string folder = group_folder(store);
  const std::string run = sim::k_means::run_file(folder);
  std::error_code error;
  if (!fs::exists(run, error)) throw sim::input_error("--resume: there is no lost run in " + store);
  require_own(folder);
  const auto before = sim::k_means::PresenceFile::open(sim::k_means::coordinator_file(folder)).read().beats;
  std::this_thread::sleep_for(std::chrono::milliseconds(10 * sim::k_means::beat_milliseconds));
  if (sim::k_means::PresenceFile::open(sim::k_means::coordinator_file(folder)).read().beats != before)
    throw sim::input_error("--resume: the run in " + store + " still computes");
  const SavedSession lost = load_session(run);
  if (lost.parameters != session.parameters || lost.seed != session.seed)
    throw sim::input_error("--resume: the run in " + store + " has other parameters or another seed");
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path() != sim::k_means::moment_file(folder)) fs::remove(entry.path(), error);
  return folder;
}

}  // namespace

bool wants_workers(const sim::SimulationKind& kind, const Options& options) {
  if (options.workers == 0 && options.group.empty()) {
    if (options.timeout > 0) throw sim::input_error("--timeout belongs to --workers and --group");
    if (options.resume) throw sim::input_error("--resume needs the --group of the run that was lost");
    return false;
  }
  if (kind.name != sim::k_means_kind().name)
    throw sim::input_error(kind.name + " computes in one process: --workers and --group are options of k-means");
  if (options.backend == BackendChoice::cuda)
    throw sim::input_error("--workers and --group compute on the CPU, not with --backend cuda");
  if (options.resume && options.group.empty())
    throw sim::input_error("--resume needs the --group of the run that was lost");
  sim::k_means::require_gloo();
  return true;
}

Workers::Workers(const Options& options, const sim::SimulationKind& kind, const sim::DataRequest& request,
                 sim::ParameterSet& parameters, std::uint64_t seed)
    : options_(options) {
  std::signal(SIGPIPE, SIG_IGN);  // who writes to a process that has gone gets an error
  SavedSession session;
  session.simulation = kind.name;
  session.data = request;
  session.seed = seed;
  parameters.visit([&](sim::Parameter& parameter) { session.parameters[parameter.name()] = parameter.text(); });
  folder_ = options.resume ? take_over(options.group, session) : make_folder(options.group);
  save_session(sim::k_means::run_file(folder_), session);
}

Workers::~Workers() {
  std::error_code ignored;
  if (options_.resume && !served_) return;  // what was lost stays there to be resumed
  fs::remove_all(folder_, ignored);         // of which workers that have not heard of the end take notice
}

void Workers::serve(sim::Simulation& simulation, std::function<void(const std::string&)> tell) {
  sim::k_means::CoordinatorSetup setup;
  setup.folder = folder_;
  setup.workers = options_.workers;
  setup.keeps = !options_.group.empty();
  setup.resumes = options_.resume;
  if (options_.timeout > 0) setup.timeout = options_.timeout;
  setup.ended = [this] { return children_.ended(); };
  setup.tell = std::move(tell);
  setup.stopped = [] { return interrupted(); };
  const std::shared_ptr<sim::k_means::Crew> crew = sim::k_means::make_coordinator(setup);
  for (int n = 0; n < options_.workers; ++n) start_worker();
  dynamic_cast<sim::KMeans&>(simulation).employ(crew);
  served_ = true;
}

void Workers::start_worker() {
  const int threads =
      std::max(1, (options_.threads > 0 ? options_.threads : sim::cpu_threads()) / std::max(1, options_.workers));
  children_.start_program({"work", "--group", folder_, "--threads", std::to_string(threads)});
  ++started_;
}

void Workers::start_another() {
  using namespace sim::k_means;
  start_worker();
  while (!interrupted() && PresenceFile::open(worker_file(folder_, started_)).read().ready == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(look_milliseconds));
  std::this_thread::sleep_for(std::chrono::milliseconds(beat_milliseconds));  // the coordinator has seen it too
}

int work_command(const Options& options) {
  if (options.group.empty()) throw sim::input_error("work needs a group: kinescope work --group FOLDER");
  if (options.backend == BackendChoice::cuda)
    throw sim::input_error("workers compute on the CPU, not with --backend cuda");
  sim::k_means::require_gloo();
  std::signal(SIGPIPE, SIG_IGN);
  std::error_code error;
  const std::string inside = group_folder(options.group);
  const std::string folder = fs::exists(inside, error) ? inside : options.group;
  if (fs::exists(sim::k_means::run_file(folder), error)) require_own(folder);
  sim::k_means::Worker worker(folder);
  const SavedSession session = load_session(sim::k_means::run_file(folder));
  sim::NormalizeParameter normalize;
  if (const auto text = session.parameters.find("normalize"); text != session.parameters.end())
    normalize.set(text->second);
  const auto data = sim::load_dataset(session.data);
  worker.work(sim::Scaling(*data, normalize.value()).apply(data), options.threads);
  return 0;
}

}  // namespace kinescope::app
