#include "app/cli/commands/workers.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
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

std::string make_folder(const std::string& store) {
  if (store.empty()) {
    std::string name = (fs::temp_directory_path() / "kinescope-group-XXXXXX").string();
    if (!mkdtemp(name.data())) throw sim::run_error(name + ": " + std::strerror(errno));
    return name;
  }
  const std::string folder = group_folder(store);
  if (mkdir(folder.c_str(), 0700) == 0) return folder;
  if (errno == EEXIST)
    throw sim::input_error("--group: a run computes with this group already; if it was killed, remove " + folder);
  throw sim::input_error("--group: " + folder + ": " + std::strerror(errno));
}

}  // namespace

bool wants_workers(const sim::SimulationKind& kind, const Options& options) {
  if (options.workers == 0 && options.group.empty()) {
    if (options.timeout > 0) throw sim::input_error("--timeout belongs to --workers and --group");
    return false;
  }
  if (kind.name != sim::k_means_kind().name)
    throw sim::input_error(kind.name + " computes in one process: --workers and --group are options of k-means");
  if (options.backend == BackendChoice::cuda)
    throw sim::input_error("--workers and --group compute on the CPU, not with --backend cuda");
  sim::k_means::require_gloo();
  return true;
}

Workers::Workers(const Options& options, const sim::SimulationKind& kind, const sim::DataRequest& request,
                 sim::ParameterSet& parameters, std::uint64_t seed)
    : options_(options), folder_(make_folder(options.group)) {
  std::signal(SIGPIPE, SIG_IGN);  // who writes to a process that has gone gets an error
  SavedSession session;
  session.simulation = kind.name;
  session.data = request;
  session.seed = seed;
  parameters.visit([&](sim::Parameter& parameter) { session.parameters[parameter.name()] = parameter.text(); });
  save_session(sim::k_means::run_file(folder_), session);
}

Workers::~Workers() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);  // of which workers that have not heard of the end take notice
}

void Workers::serve(sim::Simulation& simulation, std::function<void(const std::string&)> tell) {
  sim::k_means::CoordinatorSetup setup;
  setup.folder = folder_;
  setup.workers = options_.workers;
  if (options_.timeout > 0) setup.timeout = options_.timeout;
  setup.ended = [this] { return children_.ended(); };
  setup.tell = std::move(tell);
  setup.stopped = [] { return interrupted(); };
  const std::shared_ptr<sim::k_means::Crew> crew = sim::k_means::make_coordinator(setup);
  const int threads =
      std::max(1, (options_.threads > 0 ? options_.threads : sim::cpu_threads()) / std::max(1, options_.workers));
  for (int n = 0; n < options_.workers; ++n)
    children_.start_program({"work", "--group", folder_, "--threads", std::to_string(threads)});
  dynamic_cast<sim::KMeans&>(simulation).employ(crew);
}

int work_command(const Options& options) {
  if (options.group.empty()) throw sim::input_error("work needs a group: kinescope work --group FOLDER");
  sim::k_means::require_gloo();
  std::signal(SIGPIPE, SIG_IGN);
  std::error_code error;
  const std::string inside = group_folder(options.group);
  const std::string folder = fs::exists(inside, error) ? inside : options.group;
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
