#include <filesystem>
#include <fmt/format.h>

#include "app/cli/commands/commands.hpp"
#include "app/io/preset.hpp"
#include "app/io/session_file.hpp"
#include "app/runs/registry.hpp"
#include "app/view/workers.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/data/reading.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"
#include "sim/core/suggest.hpp"
#include "sim/landscape/plants/plant_files.hpp"

namespace kinescope::app {

Processor choose_processor(BackendChoice choice) {
  if (choice != BackendChoice::cpu) {
    std::string why;
    const std::vector<sim::CudaDevice> devices = sim::cuda_devices(&why);
    if (!devices.empty()) return {sim::Backend::cuda, devices.front().index, devices.front().name};
    if (choice == BackendChoice::cuda)
      throw sim::input_error("--backend cuda: " + (why.empty() ? std::string("no CUDA device was found") : why) +
                             "; --backend cpu runs on the CPU");
  }
  return {sim::Backend::cpu, 0, sim::cpu_name()};
}

const sim::SimulationKind& choose_simulation(const std::string& name) {
  if (const sim::SimulationKind* kind = find_simulation(name)) return *kind;
  std::error_code error;
  if (std::filesystem::exists(name, error))
    throw sim::input_error("there is no simulation '" + name + "'; to use the file as data: kinescope run " +
                           simulation_kinds().front()->name + " --data " + name);
  std::vector<std::string> names;
  for (const sim::SimulationKind* kind : simulation_kinds()) names.push_back(kind->name);
  const std::string nearest = sim::suggestion(name, names);
  throw sim::input_error("there is no simulation '" + name + "'" +
                         (nearest.empty() ? fmt::format("; available: {}", fmt::join(names, ", ")) : nearest));
}

std::unique_ptr<sim::ParameterSet> choose_parameters(const sim::SimulationKind& kind, Options& options,
                                                     const SavedSession* session) {
  const bool view = options.command == Command::view;
  std::unique_ptr<sim::ParameterSet> parameters = view ? first_parameters(kind) : kind.make_parameters();
  try {
    if (session)
      for (const auto& [name, text] : session->parameters) set_parameter(kind, *parameters, name, text);
  } catch (const sim::Error& error) {
    throw sim::file_error(options.state_from, error.what());
  }
  if (!options.preset.empty()) {
    const std::optional<std::uint64_t> seed = read_preset(options.preset, kind, *parameters);
    if (!options.seed) options.seed = seed;
  }
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw sim::input_error("--set: expected NAME=VALUE, found '" + assignment + "'");
    set_parameter(kind, *parameters, assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  return parameters;
}

std::string idle_text(const std::vector<std::string>& assignments, sim::ParameterSet& parameters) {
  std::string text;
  for (const std::string& assignment : assignments) {
    const sim::Parameter* parameter = parameters.find(assignment.substr(0, assignment.find('=')));
    if (parameter && !parameters.applies(*parameter))
      text += "kinescope: " + parameter->name() + " has no effect with the other parameters\n";
  }
  return text;
}

sim::DataRequest choose_data(const sim::SimulationKind& kind, const Options& options, sim::ParameterSet& parameters) {
  const sim::DataRequest& asked = options.data;
  if (kind.default_data.empty() && (asked != sim::DataRequest() || !options.data_options.empty()))
    throw sim::input_error(kind.name + " takes no data");
  sim::DataRequest request = asked;
  if (request.source.empty()) request.source = kind.default_data;
  request.reading = sim::choose_reading(request.source, parameters);
  return request;
}

std::vector<NamedFile> input_files(const sim::DataRequest& request, const Options& options,
                                   sim::ParameterSet& parameters) {
  std::vector<NamedFile> files = {{"--data", options.state_from}, {"--preset", options.preset}};
  if (!sim::is_made(request.source)) files.push_back({"--data", request.source});
  if (!request.metadata.empty()) files.push_back({"--metadata", request.metadata});
  parameters.visit([&](sim::Parameter& parameter) {
    std::error_code error;
    if (dynamic_cast<sim::Text*>(&parameter) && std::filesystem::is_regular_file(parameter.text(), error))
      files.push_back({"--set " + parameter.name(), parameter.text()});
  });
  std::error_code error;
  for (const auto& plant : std::filesystem::directory_iterator(sim::landscape::own_plants_folder(), error))
    files.push_back({"a landscape", plant.path().string()});
  return files;
}

void check_files_apart(const Options& options, const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs) {
  check_apart(inputs, outputs);
  check_outside(options.workers, inputs);
  check_outside(options.workers, outputs);
}

}  // namespace kinescope::app
