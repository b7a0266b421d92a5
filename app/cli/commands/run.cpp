// kinescope run: computes to the end, no graphics.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/loading.hpp"
#include "app/io/json_report.hpp"
#include "app/io/output.hpp"
#include "app/io/progress_bar.hpp"
#include "app/io/session_file.hpp"
#include "app/io/streams.hpp"
#include "app/io/tell_findings.hpp"
#include "app/io/trace_file.hpp"
#include "app/runs/interrupt.hpp"
#include "app/runs/memory_advice.hpp"
#include "app/runs/runner.hpp"
#include "app/view/files/saved_course.hpp"
#include "app/view/workers.hpp"
#include "kinescope/data/json_file.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/data/normalize.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

// Checks, before anything is computed, that the output files can be written.
void check_outputs(const sim::SimulationKind& kind, const Options& options, const sim::DataRequest& request,
                   sim::ParameterSet& parameters) {
  std::vector<NamedFile> outputs = {{"--report", options.report}, {"--trace", options.trace}};
  for (const auto& [name, path] : options.outputs) {
    const auto output = std::ranges::find(kind.outputs, name, &sim::OutputKind::option);
    if (output == kind.outputs.end()) throw sim::input_error(kind.name + " has no --" + name);
    check_output("--" + name, path, output->endings);
    outputs.push_back({"--" + name, path});
  }
  check_output("--report", options.report, {});
  check_output("--trace", options.trace, {});
  check_files_apart(options, input_files(request, options, parameters), outputs);
}

// Warns, before the run, of a file that will be large, and refuses it if the disk has no room for it.
void check_size(const std::string& path, double bytes) {
  constexpr double worth_a_word = 256e6;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(sim::written_file(path)).parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder.empty() ? "." : folder, error);
  if (!error && bytes > double(space.available))
    throw sim::run_error(fmt::format("{}: about {:.3g} MB are needed, {:.3g} MB are free", path, 1e-6 * bytes,
                                     1e-6 * double(space.available)));
  if (bytes > worth_a_word) tell("kinescope: {} will take about {:.1f} GB\n", printable(path), 1e-9 * bytes);
}

// Checks what is known only with the data and the parameters. For example, a picture can be written only if the data
// are pixels.
void check_files(const sim::Simulation& simulation, const Options& options) {
  for (const auto& [output, path] : options.outputs) {
    const std::vector<std::string> endings = simulation.endings(output);
    if (endings.empty()) throw sim::input_error("with these data and parameters there is no output --" + output);
    check_output("--" + output, path, endings);
    check_size(path, simulation.bytes_of(output, path));
  }
}

std::string duration_text(double seconds) {
  const auto hours = static_cast<std::size_t>(std::lround(seconds / 3600));
  return hours < 48 ? sim::count_of(hours, "hour") : sim::count_of(hours / 24, "day");
}

// Refuses work that would last over an hour, by the pace of its first second.
class LengthCheck {
 public:
  LengthCheck(const sim::SimulationKind& kind, const Options& options)
      : kind_(kind), at_(options.at), done_(options.longer || !kind.advances_evenly) {}

  void look(const sim::Progress& progress) {
    constexpr double enough = 1, most = 3600;  // seconds
    const double iterations = double(progress.iteration), part = at_ > 0 ? iterations / double(at_) : progress.fraction;
    if (done_ || progress.seconds < enough || !(part > 0)) return;
    done_ = true;
    const double whole = progress.seconds / part;
    if (whole > most)
      throw sim::input_error(
          fmt::format("{}: about {:.2g} iterations would take {} on this machine; --long computes them", kind_.name,
                      iterations / part, duration_text(whole)));
  }

 private:
  const sim::SimulationKind& kind_;
  const long at_;
  bool done_;
};

// What a person did to the run, if the preset is a session that says so and nothing else is asked for; with the values
// at the beginning.
std::optional<RunStory> story_of(const sim::SimulationKind& kind, const Options& options) {
  if (!is_session_file(options.preset) || !options.set.empty()) return std::nullopt;
  const SavedSession session = session_of(options.preset, sim::read_text(options.preset));
  if (!session.course || session.course->events.empty()) return std::nullopt;
  const std::unique_ptr<sim::ParameterSet> values = kind.make_parameters();
  return replay_of(options.preset, kind, session, *values).story;
}

// Runs the simulation to its end, or if `at` is not negative, to exactly that iteration. Returns false if it was
// interrupted. Throws an input error if the run ends before iteration `at`. Before the first step has ended there is
// nothing to keep.
bool compute(sim::Simulation& simulation, const sim::SimulationKind& kind, const Options& options,
             const std::vector<RunEvent>& events, ProgressBar& bar, TraceFile& trace) {
  const long at = options.at;
  auto next = events.begin();
  LengthCheck length(kind, options);
  const std::string nothing = "interrupted during the first step";
  std::optional<HearsInterrupt> hears = ends_at_interrupt(nothing);
  // The result does not depend on how the work is cut into slices: a slice is as long as a person may wait for Ctrl-C.
  sim::Budget slice{0.1};
  long done = 0;
  while (!interrupted() && done != at) {
    for (; next != events.end() && next->iteration <= done; ++next) happen(*next, simulation);
    const long until = next != events.end() ? at >= 0 ? std::min(at, next->iteration) : next->iteration : at;
    slice.iterations = until >= 0 ? until - done : sim::Budget().iterations;
    const bool is_first = done == 0, more = simulation.advance(slice);
    if (until >= 0) simulation.finish();  // the host then knows what the device has done
    const sim::Progress progress = simulation.progress();
    done = progress.iteration;
    length.look(progress);
    if (is_first && done > 0) hears.emplace(answers_interrupt());
    bar.show(progress, progress.figure_name.empty() ? kind.figure_name : progress.figure_name);
    if (done > 0) trace.write();  // before, Ctrl-C may end the program at once
    if (!more && next == events.end()) break;
    if (!more && next->iteration > done) throw sim::run_error("the run ended before what a person did to it");
  }
  bar.clear();
  if (interrupted() && done == 0) throw Interrupted(nothing);
  if (at > done && !interrupted()) throw too_late(done, at);
  simulation.finish();
  return !interrupted();
}

struct ValueText {
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{:.6g}", value); }
  std::string operator()(const std::string& value) const { return value; }
  template <class T>
  std::string operator()(const T&) const {
    return "";
  }  // lists belong in the report
};

std::string summary_text(const sim::SimulationKind& kind, const sim::Dataset* data, const Processor& processor,
                         sim::Simulation& simulation) {
  const sim::Progress progress = simulation.progress();
  Rows rows = {{"simulation", kind.name}};
  if (data) {
    rows.push_back({"data", printable(data->name)});
    rows.push_back({"points", data->distances() ? fmt::format("{}, {}", sim::with_commas(data->points),
                                                              data->distances()->description())
                                                : fmt::format("{} × {} dimensions", sim::with_commas(data->points),
                                                              sim::with_commas(data->dimensions))});
    if (!data->rows_left_out.empty())
      rows.push_back(
          {"left out", fmt::format("{} {}", sim::with_commas(data->rows_left_out.size()),
                                   data->graph ? "nodes of smaller components" : "rows with missing values")});
  }
  rows.push_back({"computed on", processor.name});
  rows.push_back({"iterations", sim::with_commas(static_cast<std::size_t>(progress.iteration))});
  rows.push_back({"seconds", fmt::format("{:.3g}", progress.seconds)});
  rows.push_back({"converged", progress.cut         ? "no: the limit on iterations ended it first"
                               : progress.converged ? "yes"
                                                    : "no"});
  for (const auto& [key, value] : simulation.summary().entries) {
    const bool shown = key != "iterations" && key != "seconds" && key != "converged" && key != "points";
    const std::string text = std::visit(ValueText{}, value);
    if (shown && !text.empty()) rows.push_back({key, text});
  }
  return aligned(rows);
}

// How many rows have no place yet, because a limit ended the run.
std::size_t unplaced_rows(sim::Simulation& simulation, bool cut) {
  if (!cut) return 0;
  const sim::Table table = simulation.result();
  std::size_t unplaced = 0;
  for (std::size_t row = 0; row < table.rows; ++row)
    unplaced += std::ranges::any_of(table.columns, [&](const sim::Column& column) {
      return !column.is_text && !std::isfinite(column.numbers[row]);
    });
  return unplaced;
}

// Those that hold the run's result: with the report or, if its figures were not computed, without it.
std::string files_text(const Options& options, bool with_report = true) {
  std::vector<std::string> files;
  for (const auto& [output, path] : options.outputs) files.push_back(path);
  if (with_report && !options.report.empty())
    files.emplace_back(options.report == standard_output ? "standard output" : options.report);
  if (!options.trace.empty()) files.push_back(options.trace);
  return fmt::format("{}", fmt::join(files, " and "));
}

std::string interrupt_text(bool complete, long iterations, const std::string& files) {
  if (complete) return "interrupted after the run had ended" + (files.empty() ? "" : "; its result is in " + files);
  return fmt::format("interrupted after {} iterations", iterations) +
         (files.empty() ? "" : "; the result so far is in " + files);
}

void run_kind(const sim::SimulationKind& kind, Options options) {
  const std::unique_ptr<sim::ParameterSet> parameters = choose_parameters(kind, options);
  sim::DataRequest request = choose_data(kind, options, *parameters);
  if (!options.onto.empty() || !options.onto_data.empty()) return place_command(options, kind, request, *parameters);
  check_outputs(kind, options, request, *parameters);
  request.keep_columns = false;  // there is no window that shows them
  const WorkersSetup workers_setup = workers_of(options);
  const bool with_workers = wants_workers(kind, workers_setup);
  if (with_workers) check_read_by_all(request);
  const Processor processor = choose_processor(options.backend);

  catch_interrupt();
  const std::uint64_t seed = options.seed.value_or(1);
  std::optional<Workers> workers;
  TraceFile trace(options.trace);
  sim::Setup setup{nullptr,
                   processor.backend,
                   options.threads,
                   processor.device,
                   seed,
                   trace.trace(),
                   options.outputs.contains("history")};
  const auto traced = [&](const char* label, auto&& work) {
    const sim::ScopedSpan span(*setup.trace, label, sim::Trace::Track::program);
    return work();
  };
  std::shared_ptr<sim::Dataset> loaded;
  if (!request.source.empty())
    setup.data = loaded = traced("read the data", [&] {
      return load_with_progress(request.source, [&](auto& progress) { return sim::load_dataset(request, &progress); });
    });
  if (!with_workers) setup.given = loaded;
  const bool standardized = sim::settle_normalize(*parameters, setup.data.get());
  const std::optional<RunStory> story = story_of(kind, options);
  ProgressBar bar;
  if (with_workers) workers.emplace(workers_setup, kind, request, *parameters, seed);
  const auto simulation = traced("prepare", [&] {
    return unless_interrupted("interrupted while preparing the run",
                              [&] { return kind.make(setup, story ? *copy_of(kind, *story->begin) : *parameters); });
  });
  check_files(*simulation, options);
  if (workers)
    workers->serve(
        *simulation,
        [&](const std::string& news) {
          bar.clear();
          tell("kinescope: {}\n", news);
        },
        interrupted);
  // Without a terminal the findings are printed after the run, so that the error of a failed run is the only line.
  const auto tell_decisions = [&] {
    tell_text(idle_text(options.set, *parameters));
    if (setup.data) tell_findings(request, *setup.data, *parameters, standardized);
  };
  const bool watched = is_terminal();
  if (watched) tell_decisions();
  const bool complete = traced("compute", [&] {
    return compute(*simulation, kind, options, story ? story->events : std::vector<RunEvent>(), bar, trace);
  });

  const bool ended = interrupted();
  const sim::Progress progress = simulation->progress();
  FinalWrites final_writes;
  traced("write", [&] {
    const HearsInterrupt hears = answers_interrupt("what has been computed is written first");
    for (const auto& [output, path] : options.outputs)
      final_writes([&, &name = output, &file = path] { sim::write_output(*simulation, name, file); });
  });
  if (!options.report.empty())
    traced("report", [&] {
      bar.say("computing the report's figures");
      const HearsInterrupt hears = hears_during_report(ended, [&, writes = final_writes]() mutable {
        writes([&] { trace.finish(); });
        const std::string files = writes.failed() ? "" : files_text(options, false);
        return printable(writes.after(interrupt_text(complete, progress.iteration, files) + without_report));
      });
      final_writes([&] {
        write_report(options.report, kind, *parameters, setup.data.get(), seed, processor.name, *simulation);
      });
    });
  final_writes([&] { trace.finish(); });
  if (interrupted() && final_writes.failed())
    throw Interrupted(final_writes.after(fmt::format("interrupted after {} iterations", progress.iteration)));
  final_writes.finish();
  const std::string files = files_text(options), line = interrupt_text(complete, progress.iteration, files);
  if (!complete || (interrupted() && !files.empty())) throw Interrupted(line);
  const std::size_t unplaced =
      unless_interrupted(line, [&] { return unplaced_rows(*simulation, progress.cut || options.at >= 0); });
  if (unplaced > 0 && options.at >= 0)
    tell("kinescope: {} not yet in the layout after {}\n", sim::count_of(unplaced, "point"),
         sim::count_of(std::size_t(progress.iteration), "iteration"));
  else if (unplaced > 0)
    throw sim::run_error(fmt::format("the limit on iterations ended the run before {} points had a place in the layout",
                                     sim::with_commas(unplaced)) +
                         (files.empty() ? "" : "; the result so far is in " + files));
  if (!watched) tell_decisions();
  if (files.empty())
    print_text(unless_interrupted(line, [&] { return summary_text(kind, setup.data.get(), processor, *simulation); }));
  else if (flush_output() == 0)
    bar.leave(
        fmt::format("{} iterations in {:.3g} s; written: {}", progress.iteration, progress.seconds, printable(files)));
}

}  // namespace

void run_command(const Options& options) {
  if (options.subject.empty())
    throw sim::input_error("run needs a simulation: kinescope run SIMULATION (kinescope list names them)");
  const sim::SimulationKind& kind = choose_simulation(options.subject);
  advise_on_memory(&kind, [&] { run_kind(kind, options); });
}

}  // namespace kinescope::app
