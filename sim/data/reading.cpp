#include "sim/data/reading.hpp"

#include <algorithm>
#include <string>

#include "sim/data/made.hpp"
#include "sim/data/readers/file_formats.hpp"

namespace kinescope::sim {

Reading choose_reading(std::string_view source, ParameterSet& parameters) {
  auto* metric = dynamic_cast<ChoiceParameter*>(parameters.find("metric"));
  if (!metric) return Reading::rows;
  const auto offers = [&](std::string_view name) {
    return std::find(metric->options().begin(), metric->options().end(), name) != metric->options().end();
  };
  if (offers("graph") && (is_made_graph(source) || holds_graph(std::string(source)))) metric->set("graph");
  const std::string name = metric->text();
  if (name == "matrix") return Reading::matrix;
  if (name == "graph") return Reading::graph;
  if (name == "haversine") return Reading::degrees;
  if (name == "gower") return Reading::mixed;
  return Reading::rows;
}

}  // namespace kinescope::sim
