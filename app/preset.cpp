#include "app/preset.hpp"

#include "app/json_file.hpp"
#include "app/suggest.hpp"
#include "sim/core/error.hpp"

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
  throw sim::input_error("there is no parameter '" + name + "' of " + kind.name + suggestion(name, names));
}

void read_preset(const std::string& path, const sim::SimulationKind& kind, sim::ParameterSet& parameters) {
  const ordered_json preset = read_json(path);
  if (!preset.is_object()) throw file_error(path, "expected a JSON object of parameters");
  const bool nested = preset.contains("parameters");
  if (preset.contains("simulation") && preset["simulation"] != kind.name)
    throw file_error(path, "is a preset of " +
                               preset["simulation"].dump(-1, ' ', true, ordered_json::error_handler_t::replace) +
                               ", not of " + kind.name);
  const ordered_json& values = nested ? preset["parameters"] : preset;
  if (!values.is_object()) throw file_error(path, "parameters: expected a JSON object");
  for (const auto& [name, value] : values.items()) {
    if (!nested && name == "simulation") continue;
    const std::string text = value_text(path, name, value);
    try {
      set_parameter(kind, parameters, name, text);
    } catch (const sim::Error& error) {
      throw file_error(path, error.what());
    }
  }
}

}  // namespace kinescope::app
