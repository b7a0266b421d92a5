#include "app/io/json_report.hpp"

#include <nlohmann/json.hpp>

#include "app/io/output.hpp"
#include "app/io/streams.hpp"
#include "kinescope/data/write.hpp"

namespace kinescope::app {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const sim::Report& report) {
  Json object = Json::object();
  for (const auto& [key, value] : report.entries)
    object[key] = std::visit(
        [](const auto& v) -> Json {
          using Value = std::decay_t<decltype(v)>;
          if constexpr (std::is_same_v<Value, sim::Report>) {
            return to_json(v);
          } else if constexpr (std::is_same_v<Value, std::vector<sim::Report>>) {
            Json list = Json::array();
            for (const sim::Report& item : v) list.push_back(to_json(item));
            return list;
          } else {
            return v;  // JSON knows no NaN: the library writes null
          }
        },
        value);
  return object;
}

// Values that are numbers become JSON numbers.
Json to_json(sim::ParameterSet& parameters) {
  Json object = Json::object();
  parameters.visit([&](sim::Parameter& parameter) {
    if (const auto* integer = dynamic_cast<sim::Integer*>(&parameter))
      object[parameter.name()] = integer->value();
    else if (const auto* real = dynamic_cast<sim::Real*>(&parameter))
      object[parameter.name()] = real->value();
    else
      object[parameter.name()] = parameter.text();
  });
  return object;
}

}  // namespace

void write_report(const std::string& path, const sim::SimulationKind& kind, sim::ParameterSet& parameters,
                  const sim::Dataset* data, std::uint64_t seed, const std::string& device_name,
                  sim::Simulation& simulation, const sim::Report& drawing) {
  simulation.finish();
  const sim::Progress progress = simulation.progress();
  Json json;
  json["simulation"] = kind.name;
  json["backend"] = simulation.backend() == sim::Backend::cuda ? "cuda" : "cpu";
  json["device"] = device_name;
  if (data) {
    json["points"] = data->points;
    if (data->distances())
      json["distances"] = data->distances()->description();
    else
      json["dimensions"] = data->dimensions;
    if (data->graph) json["edges"] = data->graph->edges.size();
    if (data->sparse()) {
      json["stored_values"] = data->sparse()->value.size();
      json["data_bytes"] = data->sparse()->bytes();
    }
  }
  json["seed"] = seed;
  json["parameters"] = to_json(parameters);
  json["iterations"] = progress.iteration;
  json["seconds"] = progress.seconds;
  json["converged"] = progress.converged && !progress.cut;
  json.update(to_json(simulation.report()));
  json.update(to_json(drawing));
  if (data && !data->rows_left_out.empty()) json["rows_left_out"] = data->rows_left_out;

  // File names may hold any bytes. Those that are not UTF-8 are replaced; by default the library would throw.
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  if (path == standard_output)
    print("{}\n", text);
  else
    sim::write_bytes(path, text + "\n");
}

}  // namespace kinescope::app
