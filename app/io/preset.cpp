#include "app/io/preset.hpp"

#include "app/io/session_file.hpp"
#include "kinescope/data/json_file.hpp"
#include "sim/core/suggest.hpp"

namespace kinescope::app {

using nlohmann::ordered_json;
using sim::file_error;

void set_parameter(const sim::SimulationKind& kind, sim::ParameterSet& parameters, const std::string& name,
                   const std::string& value) {
  if (sim::Parameter* parameter = parameters.find(name)) {
    parameter->set(value);
    return;
  }
  std::vector<std::string> names;
  for (const sim::Parameter* parameter : parameters.all()) names.push_back(parameter->name());
  const std::string near = sim::suggestion(name, names);
  throw sim::input_error("there is no parameter '" + name + "' of " + kind.name +
                         (near.empty() ? " (kinescope list " + kind.name + " names them)" : near));
}

PresetValues preset_values(const std::string& path, const std::string& text, const sim::SimulationKind& kind) {
  const ordered_json preset = sim::parse_json(path, text);
  if (!preset.is_object()) throw file_error(path, "expected a JSON object of parameters");
  const bool nested = preset.contains("parameters") || is_session_file(path);
  if (preset.contains("simulation") && preset["simulation"] != kind.name)
    throw file_error(path, "is a preset of " +
                               preset["simulation"].dump(-1, ' ', true, ordered_json::error_handler_t::replace) +
                               ", not of " + kind.name);
  const ordered_json values = nested ? preset.value("parameters", ordered_json::object()) : preset;
  if (!values.is_object()) throw file_error(path, "parameters: expected a JSON object");
  PresetValues found;
  if (nested && preset.contains("seed")) found.seed = sim::whole_number(path, "seed", preset["seed"]);
  for (const auto& [name, value] : values.items())
    if (nested || name != "simulation") found.parameters.push_back({name, sim::value_text(path, name, value)});
  return found;
}

std::optional<std::uint64_t> read_preset(const std::string& path, const sim::SimulationKind& kind,
                                         sim::ParameterSet& parameters) {
  const PresetValues preset = preset_values(path, sim::read_text(path), kind);
  for (const sim::Remedy& each : preset.parameters) {
    try {
      set_parameter(kind, parameters, each.parameter, each.value);
    } catch (const sim::Error& error) {
      throw file_error(path, error.what());
    }
  }
  return preset.seed;
}

}  // namespace kinescope::app
