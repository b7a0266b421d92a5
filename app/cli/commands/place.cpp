// kinescope run SIMULATION --onto RESULT --onto-data OLD: new rows in a result that stays as it is.
#include <chrono>
#include <fmt/core.h>

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/loading.hpp"
#include "app/io/streams.hpp"
#include "app/io/timings.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/data/normalize.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {

void place_command(const Options& options, const sim::SimulationKind& kind, sim::DataRequest request,
                   sim::ParameterSet& parameters) {
  if (!kind.place) throw sim::input_error(kind.name + " has no --onto; only glimmer has it");
  if (options.onto.empty()) throw sim::input_error("--onto-data needs --onto, the layout of these data");
  if (options.onto_data.empty())
    throw sim::input_error("--onto needs --onto-data, the data that the layout was made from");
  if (options.data.source.empty()) throw sim::input_error("--onto needs --data, the rows to be placed");
  if (!options.report.empty() || !options.trace.empty() || options.at >= 0)
    throw sim::input_error("--report, --trace and --at cannot be used with --onto");
  const auto given = options.outputs.find("out");
  const std::string out = given == options.outputs.end() ? "" : given->second;
  std::vector<NamedFile> inputs = input_files(request, options, parameters);
  inputs.push_back({"--onto", options.onto});
  inputs.push_back({"--onto-data", options.onto_data});
  check_output("--out", out, kind.outputs.front().endings);
  check_apart(inputs, {{"--out", out}});
  catch_interrupt();
  const auto load = [&](const sim::DataRequest& asked) {
    return load_with_progress(asked.source, [&](auto& progress) { return sim::load_dataset(asked, &progress); });
  };
  sim::DataRequest old_request = request;
  old_request.source = options.onto_data;
  old_request.metadata.clear();  // it tells of the new rows
  old_request.by.clear();
  const auto old_data = load(old_request);
  sim::settle_normalize(parameters, old_data.get());
  // Without --columns, reads the same columns as those of the old data, by name, unless those data are sparse.
  if (request.columns.empty() && !old_data->sparse()) request.columns = old_data->value_names;
  const auto added = load(request);
  const auto began = std::chrono::steady_clock::now();
  sim::Report figures;
  const sim::Table placed = unless_interrupted("interrupted while placing", [&] {
    return kind.place(*added, *old_data, options.onto, parameters, options.seed.value_or(1), figures);
  });
  const double seconds = seconds_since(began);
  if (!out.empty()) sim::write_table(out, placed);
  Rows rows = {{"placed", sim::count_of(added->points, "row")},
               {"into", fmt::format("{}, {}", printable(options.onto), sim::count_of(old_data->points, "row"))},
               {"seconds", fmt::format("{:.3g}", seconds)}};
  for (const auto& [key, value] : figures.entries)
    if (const auto* number = std::get_if<double>(&value)) rows.push_back({key, fmt::format("{:.6g}", *number)});
  print_text(aligned(rows));
}

}  // namespace kinescope::app
