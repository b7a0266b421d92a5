#include "sim/glimmer/quality/report.hpp"

#include <string>

#include "sim/glimmer/quality/neighbourhood.hpp"
#include "sim/glimmer/stress.hpp"

namespace kinescope::sim::glimmer {

void add_quality(Report& report, const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout,
                 std::span<const float> start) {
  const auto basis = [](bool exact) { return std::string(exact ? "exact" : "sampled"); };
  const InputDistances input(data, parameters);
  const FullStress stress = full_stress(input, layout);
  report.add("stress", stress.value);
  report.add("stress_is", basis(stress.exact));
  if (!start.empty()) report.add("start_stress", full_stress(input, start).value);
  const std::int64_t k = parameters.neighbourhood.value();
  if (k == 0) return;
  const Neighbourhood kept = neighbourhood_kept(input, layout, static_cast<std::size_t>(k));
  report.add("neighbourhood", k);
  report.add("trustworthiness", kept.trustworthiness);
  report.add("continuity", kept.continuity);
  report.add("neighbourhood_is", basis(kept.exact));
}

}  // namespace kinescope::sim::glimmer
