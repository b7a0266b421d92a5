#include "sim/glimmer/quality/report.hpp"

#include <chrono>
#include <string>

#include "kinescope/glimmer/neighbourhood.hpp"
#include "kinescope/glimmer/stress.hpp"

namespace kinescope::sim::glimmer {

Table layout_table(const Dataset& data, std::span<const float> layout, std::size_t L) {
  static constexpr const char* names[] = {"x", "y", "z"};
  Table table;
  table.source = data.name;
  table.rows = data.points;
  for (std::size_t l = 0; l < L; ++l) {
    Column column{names[l]};
    for (std::size_t i = 0; i < data.points; ++i) column.numbers.push_back(layout[i * L + l]);
    table.columns.push_back(std::move(column));
  }
  if (const Column* label = data.table.find(data.label_name)) {
    table.columns.push_back(*label);
    table.columns.back().name = "label";
  }
  if (data.graph)  // nodes may have names, and some may have been left out
    if (const Column* node = data.table.find("node")) table.columns.push_back(*node);
  return table;
}

void add_quality(Report& report, const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout,
                 std::span<const float> start, bool brief) {
  const auto basis = [](bool exact) { return std::string(exact ? "exact" : "sampled"); };
  const InputDistances input(data, parameters);
  const auto began = std::chrono::steady_clock::now();
  const StressEffort effort = brief ? brief_effort(input) : StressEffort();
  const FullStress stress = full_stress(input, layout, {}, effort);
  const bool ordinal = parameters.algorithm.value().is_ordinal;
  report.add("figure_is", std::string(ordinal ? "stress-1" : "stress"));
  report.add("stress", stress.value);
  report.add("stress_is", basis(stress.exact));
  if (!stress.exact) report.add("stress_error", stress.standard_error);
  if (data.graph && data.graph->weights != EdgeWeights::none)
    report.add("edges_are", std::string(data.graph->weights == EdgeWeights::strengths ? "strength" : "length"));
  if (data.pairs_left_out > 0) report.add("pairs_left_out", static_cast<std::int64_t>(data.pairs_left_out));
  if (!start.empty()) report.add("start_stress", full_stress(input, start, {}, effort).value);
  if (const std::int64_t k = parameters.neighbourhood.value(); k > 0) {
    const Neighbourhood kept = neighbourhood_kept(input, layout, static_cast<std::size_t>(k));
    report.add("neighbourhood", k);
    report.add("trustworthiness", kept.trustworthiness);
    report.add("continuity", kept.continuity);
    report.add("neighbourhood_is", basis(kept.exact));
  }
  if (!brief)
    report.add("figure_seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

}  // namespace kinescope::sim::glimmer
