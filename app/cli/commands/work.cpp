// kinescope work: a worker of a run elsewhere.
#include "app/cli/commands/commands.hpp"
#include "app/view/workers.hpp"
#include "sim/core/error.hpp"

namespace kinescope::app {

WorkersSetup workers_of(const Options& options) {
  if (options.timeout > 0 && options.workers == 0 && options.group.empty())
    throw sim::input_error("--timeout belongs to --workers and --group");
  WorkersSetup setup;
  setup.count = options.workers;
  setup.group = options.group;
  setup.listen = options.listen;
  setup.resume = options.resume;
  setup.threads = options.threads;
  if (options.timeout > 0) setup.timeout = options.timeout;
  return setup;
}

int work_command(const Options& options) {
  if (options.group.empty()) throw sim::input_error("work needs a group: kinescope work --group STORE");
  const Processor processor = choose_processor(options.backend);
  WorkSetup setup{options.group, options.listen, options.data.source, {}};
  setup.processor.backend = processor.backend;
  setup.processor.threads = options.threads;
  work(setup);
  return 0;
}

}  // namespace kinescope::app
