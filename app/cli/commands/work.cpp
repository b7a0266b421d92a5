// kinescope work: a worker for the run of another process.
#include "app/cli/commands/commands.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {

WorkersSetup workers_of(const Options& options) {
  if (options.timeout_given && options.workers.count == 0 && options.workers.group.empty())
    throw sim::input_error("--timeout needs --workers or --group");
  WorkersSetup setup = options.workers;
  setup.threads = options.threads;
  return setup;
}

void work_command(const Options& options) {
  if (options.workers.group.empty()) throw sim::input_error("work needs a group: kinescope work --group STORE");
  work(workers_of(options), options.data.source, choose_processor(options.backend).backend);
}

}  // namespace kinescope::app
