#include "app/preset.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/suggest.hpp"
#include "sim/core/error.hpp"

namespace kinescope::app {
namespace {

using nlohmann::ordered_json;
using sim::file_error;

constexpr std::uintmax_t largest_preset = 1 << 20;

std::string read_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw file_error(path, "is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw file_error(path, std::strerror(errno));
  std::string text(largest_preset + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest_preset) throw file_error(path, "is too large for a preset");
  return text;
}

ordered_json parse(const std::string& path, const std::string& text) {
  try {
    return ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), error.byte ? error.byte - 1 : 0));
    throw file_error(path, static_cast<std::size_t>(1 + std::count(text.begin(), end, '\n')), "is not valid JSON");
  }
}

std::string value_text(const std::string& path, const std::string& name, const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw file_error(path, name + ": expected a number or a text");
}

}  // namespace

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

std::vector<sim::Remedy> preset_values(const std::string& path, const std::string& text,
                                       const sim::SimulationKind& kind) {
  const ordered_json preset = parse(path, text);
  if (!preset.is_object()) throw file_error(path, "expected a JSON object of parameters");
  const bool nested = preset.contains("parameters");
  if (preset.contains("simulation") && preset["simulation"] != kind.name)
    throw file_error(path, "is a preset of " +
                               preset["simulation"].dump(-1, ' ', true, ordered_json::error_handler_t::replace) +
                               ", not of " + kind.name);
  const ordered_json& values = nested ? preset["parameters"] : preset;
  if (!values.is_object()) throw file_error(path, "parameters: expected a JSON object");
  std::vector<sim::Remedy> found;
  for (const auto& [name, value] : values.items())
    if (nested || name != "simulation") found.push_back({name, value_text(path, name, value)});
  return found;
}

void read_preset(const std::string& path, const sim::SimulationKind& kind, sim::ParameterSet& parameters) {
  for (const sim::Remedy& each : preset_values(path, read_text(path), kind)) {
    try {
      set_parameter(kind, parameters, each.parameter, each.value);
    } catch (const sim::Error& error) {
      throw file_error(path, error.what());
    }
  }
}

}  // namespace kinescope::app
