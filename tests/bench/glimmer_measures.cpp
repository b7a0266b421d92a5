// Measures how long it takes, on all threads, to compute the figures that show where a layout is wrong.
//
//   glimmer_measures DATA [NAME=VALUE…]    a file, or synthetic data such as synthetic:topics; parameters of the layout
//
// Lays the data out, then prints for each measure its seconds (the second of two calls) and what it found.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/load.hpp"
#include "sim/glimmer/quality/nearest.hpp"
#include "sim/glimmer/quality/neighbourhood.hpp"
#include "sim/glimmer/quality/point_stress.hpp"
#include "sim/glimmer/quality/shepard.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim {
namespace {

template <class F>
auto timed(const char* name, F f) {
  using Clock = std::chrono::steady_clock;
  f();
  const auto begin = Clock::now();
  auto result = f();
  std::printf("%-16s %8.3f s   ", name, std::chrono::duration<double>(Clock::now() - begin).count());
  return result;
}

void show(const std::string& source, const std::vector<std::string>& settings) {
  DataRequest request;
  request.source = source;
  cases::Trial run(load_dataset(request), settings);
  const std::vector<float> layout = run.layout();
  std::printf("%s: %zu points\n", run.data->name.c_str(), run.data->points);
  const auto make = [&] { return std::make_unique<glimmer::InputDistances>(*run.data, run.parameters); };
  const auto input = timed("rows", make);
  std::printf("scaled once\n");
  const FullStress stress = timed("stress", [&] { return full_stress(*input, layout); });
  std::printf("%.6g, %s\n", stress.value, stress.exact ? "exact" : "sampled");
  const auto each = timed("each point's", [&] { return point_stress(*input, layout); });
  std::printf("%zu partners\n", each.partners);
  const auto sample = timed("pairs", [&] { return std::make_unique<glimmer::ShepardSample>(*input); });
  std::printf("%zu\n", sample->pairs());
  const auto diagram = timed("Shepard diagram", [&] { return sample->of(layout); });
  std::printf("up to %.4g\n", diagram.high);
  const auto kept = timed("neighbourhoods", [&] { return neighbourhood_kept(*input, layout, 12); });
  std::printf("of %zu rows: trustworthiness %.4f, continuity %.4f\n", kept.rows, kept.trustworthiness, kept.continuity);
  const auto nearest = timed("nearest rows", [&] { return nearest_rows(*input, 0, 12); });
  std::printf("of row 1, at %.4g to %.4g\n", double(nearest.front().distance), double(nearest.back().distance));
}

}  // namespace
}  // namespace kinescope::sim

int main(int count, char** words) {
  try {
    if (count > 1) kinescope::sim::show(words[1], {words + 2, words + count});
  } catch (const kinescope::sim::Error& error) {
    std::fprintf(stderr, "glimmer_measures: error: %s\n", error.what());
    return error.exit_status();
  }
}
