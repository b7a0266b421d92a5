#include "kinescope/data/reading.hpp"

#include <string>

#include "kinescope/data/made.hpp"
#include "kinescope/data/metric.hpp"
#include "sim/data/readers/file_format.hpp"

namespace kinescope::sim {

Reading choose_reading(std::string_view source, ParameterSet& parameters) {
  auto* metric = parameters.find<MetricParameter>();
  if (!metric) return Reading::rows;
  if (is_made_graph(source) || holds_graph(std::string(source))) metric->assign(Metric::graph);
  switch (metric->value()) {
    case Metric::matrix:
      return Reading::matrix;
    case Metric::graph:
      return Reading::graph;
    case Metric::haversine:
      return Reading::degrees;
    case Metric::gower:
      return Reading::mixed;
    default:
      return Reading::rows;
  }
}

}  // namespace kinescope::sim
