#include "app/cli/command_line.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/commands/commands.hpp"
#include "app/cli/options.hpp"
#include "app/io/output.hpp"
#include "app/io/picture_state.hpp"
#include "app/io/session_data.hpp"
#include "app/io/settings.hpp"
#include "app/io/streams.hpp"
#include "app/panels/comparison_panel.hpp"
#include "app/runs/interrupt.hpp"
#include "app/runs/memory_advice.hpp"
#include "app/runs/registry.hpp"
#include "app/view/recording/recorder.hpp"
#include "app/view/view.hpp"
#include "kinescope/data/output_file.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/cpu.hpp"
#include "sim/core/suggest.hpp"
#include "sim/data/readers/input_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

const sim::SimulationKind& simulation_to_view(const Options& options) {
  const std::string& word = options.subject;
  if (word.empty()) return *simulation_kinds().front();
  if (const sim::SimulationKind* kind = find_simulation(word)) return *kind;
  std::vector<std::string> names = command_names();
  for (const sim::SimulationKind* kind : simulation_kinds()) names.push_back(kind->name);
  throw sim::input_error("there is no command or simulation '" + word + "'" + sim::suggestion(word, names));
}

// The first word may be a file to be opened. A word with a dot or a slash can be nothing else.
void take_file(Options& options) {
  std::error_code error;
  const std::string& word = options.subject;
  if (word.empty() || find_simulation(word)) return;
  const bool exists = std::filesystem::exists(word, error);
  if (exists && !options.data.source.empty())
    throw sim::input_error("two files to open: '" + word + "', and '" + options.data.source + "' of --data");
  if (auto state = exists ? state_of_picture(word) : std::nullopt; state && options.state.empty()) {
    options.state = std::move(*state);
    options.state_from = std::exchange(options.subject, "");
  } else if (exists)
    options.data.source = std::exchange(options.subject, "");
  else if (word.find_first_of("./") != std::string::npos)
    throw sim::no_such_file(word);
}

// A session names a simulation, its data, and a preset of its parameters. Options on the command line win over it.
std::optional<SavedSession> take_session(Options& options) {
  const bool is_text = !options.state.empty();
  const bool is_picture = !options.state_from.empty();
  if (!is_text && !is_session_file(options.data.source)) return std::nullopt;
  if (!is_picture) options.state_from = is_text ? "--state" : options.data.source;
  const std::string path = options.state_from;
  SavedSession saved = is_text ? portable_session(path, options.state) : load_session(path);
  if (is_picture && !options.yes) {
    const std::string about = path + ": holds " + description_of(saved);
    if (options.headless)
      throw sim::input_error(about + "; --yes opens it" +
                             (path.ends_with(".png") ? ", --data " + path + " reads the picture's pixels" : ""));
    return std::nullopt;  // the window asks
  }
  if (is_text && !find_data(path, saved, load_settings(settings_path()).recent))
    throw sim::file_error(path, sim::shown(saved.data.source) + " is not beside it");
  if (!find_simulation(saved.simulation))
    throw sim::file_error(path, "there is no simulation " + sim::shown(saved.simulation));
  if (!options.subject.empty() && options.subject != saved.simulation)
    throw sim::file_error(path, "is a session of " + saved.simulation + ", not of " + options.subject);
  options.subject = saved.simulation;
  options.data = saved.data;
  apply_data_options(options.data_options, options.data);
  // Another run than the saved one begins anew.
  if (!options.preset.empty() || !options.set.empty() || options.seed || options.at >= 0 || options.steps > 0 ||
      !options.compare.empty() || !options.data_options.empty())
    saved.course = std::nullopt;
  if (has_changed(saved)) tell("kinescope: {}: others than when the session was saved\n", saved.data.source);
  return saved;
}

void view_command(const Options& given) {
  Options options = given;
  take_file(options);
  std::optional<SavedSession> session = take_session(options);
  const sim::SimulationKind& kind = simulation_to_view(options);
  ViewOptions view;
  static_cast<ViewChoices&>(view) = options;
  view.session = std::move(session);
  (view.session ? view.session_from : view.offered) = options.state_from;
  view.parameters = choose_parameters(kind, options, view.session ? &*view.session : nullptr);
  view.data = choose_data(kind, options, *view.parameters);
  check_compared(kind, *view.parameters, options.compare);
  check_output("--screenshot", options.screenshot, {".png"});
  check_output("--figure", options.figure, figure_endings);
  std::string recorded;
  if (!options.record.empty()) {
    const RecordingPlace place = recording_place(options.record);
    recorded = place.path;
    if (place.video || !place.notice.empty()) check_output("--record", options.record, {".mp4"});
  }
  check_output("--report", options.report, {});
  check_output("--timings", options.timings, {});
  check_output("--trace", options.trace, {});
  check_files_apart(options, input_files(view.data, options, *view.parameters),
                    {{"--screenshot", options.screenshot},
                     {"--figure", options.figure},
                     {"--record", recorded},
                     {"--report", options.report},
                     {"--timings", options.timings},
                     {"--trace", options.trace}});
  const Processor processor = choose_processor(options.backend);
  view.kind = &kind;
  view.backend = processor.backend;
  view.device = processor.device;
  if (const WorkersSetup workers = workers_of(options); wants_workers(kind, workers)) {
    check_read_by_all(options.data);
    view.workers = workers;
  }
  if (view.session && view.session->course && !view.session->course->ended && options.headless)
    view.at = view.session->course->iteration;
  view.seed = options.seed.value_or(view.session ? view.session->seed : 1);
  const std::string idle = options.headless ? idle_text(options.set, *view.parameters) : "";
  advise_on_memory(&kind, [&] { options.headless ? run_headless(std::move(view)) : run_window(std::move(view)); });
  tell_text(idle);  // at the end, so that the error of a failed run is the only line
}

void dispatch(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  if (options.version) return print("kinescope {}\n", KINESCOPE_VERSION);
  if (options.help) {
    print_text(options.command_named ? help_text(options.command) : help_text());
    if (options.command == Command::bench) print("\n{}", experiments_text());
    return;
  }
  const std::shared_ptr<void> limit = sim::limit_threads(options.threads);
  constexpr std::pair<Command, void (*)(const Options&)> commands[] = {
      {Command::view, view_command}, {Command::run, run_command},        {Command::bench, bench_command},
      {Command::list, list_command}, {Command::data, data_command},      {Command::devices, devices_command},
      {Command::work, work_command}, {Command::timings, timings_command}};
  for (const auto& [command, start] : commands)
    if (options.command == command) start(options);
}

int fail(int status, const std::string& message) {
  flush_output();
  tell("kinescope: error: {}\n", printable(message));
  return status;
}

// Whether memory has run out: nothing else is thrown where no exception may leave, as in a destructor of a library's
// object. That may itself be run for such an exception.
bool is_without_memory() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
  return std::uncaught_exceptions() > 0;
}

[[noreturn]] void end_without_handler() {
  static std::atomic<bool> ends = false;
  if (!is_without_memory() || ends.exchange(true)) std::abort();
  constexpr std::string_view line = "kinescope: error: out of memory\n";
  tell_at_once(line);
  prepare_abrupt_end(false);
  std::_Exit(1);
}

}  // namespace

// The messages of library exceptions are replaced: they are written for programmers.
int run_command_line(int argc, char** argv) try {
  std::set_terminate(end_without_handler);
  settle_streams();
  dispatch(argc, argv);
  const int error = flush_output();
  if (error == EPIPE) return 1;  // as after `| head`: whoever read it has what they wanted
  if (error == EBADF) return fail(1, "standard output is closed");
  return error == 0 ? 0 : fail(1, sim::cannot_write("standard output", error).what());
} catch (const sim::Error& error) {
  return fail(error.exit_status(), error.what());
} catch (const Interrupted& interrupt) {
  return fail(130, interrupt.what());
} catch (const sim::Cancelled&) {
  return fail(130, "interrupted");
} catch (const std::bad_alloc&) {
  return fail(1, out_of_memory(nullptr).what());
} catch (const std::filesystem::filesystem_error& error) {
  return fail(1, error.path1().string() + ": " + error.code().message());
} catch (const std::system_error& error) {
  return fail(1, "the operating system reported an error: " + error.code().message());
} catch (const std::exception& error) {
  // oneTBB's, by nothing but its text.
  if (std::string_view(error.what()).starts_with("pthread_create"))
    return fail(1, "the operating system starts no more threads");
  return fail(1, "the program failed unexpectedly; this is a bug; please report it together with the command line");
}

}  // namespace kinescope::app
