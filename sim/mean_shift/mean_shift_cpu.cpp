// Mean shift on the CPU.
#include "sim/mean_shift/mean_shift_cpu.hpp"

#include <chrono>

#include "kinescope/executors/cpu_stepper.hpp"
#include "kinescope/mean_shift/naive_part.hpp"
#include "sim/mean_shift/mean_shift_build.hpp"
#include "sim/mean_shift/mean_shift_results.hpp"
#include "sim/mean_shift/mean_shift_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, MeanShiftParameters& parameters) {
  return std::make_unique<mean_shift::MeanShiftSimulation<Cpu>>(setup, parameters);
}

double naive_seconds_of_part(const Dataset& data, double bandwidth, int iterations, std::int64_t part) {
  using namespace mean_shift;
  MeanShiftParameters parameters;
  parameters.set("bandwidth", std::to_string(bandwidth));
  const Prepared prepared = prepare(data, parameters);
  const auto count = static_cast<std::int64_t>(prepared.points);
  Cpu cpu(1);
  const float scale = static_cast<float>(internal_bandwidth(Kernel::gaussian) / bandwidth);
  std::vector<float> x = prepared.raw, y(static_cast<std::size_t>(2 * part)), weight(static_cast<std::size_t>(part));
  for (float& value : x) value *= scale;
  for (std::int64_t i = 0; i < part; ++i)
    for (std::int64_t c = 0; c < 2; ++c)
      y[static_cast<std::size_t>(c * part + i)] = x[static_cast<std::size_t>(c * prepared.stride + i * count / part)];
  const RunState run;
  const NaiveShift<Kernel::gaussian, 2> shift{{x.data(), prepared.stride, count},
                                              {y.data(), weight.data(), part, &run, true}};
  const auto start = std::chrono::steady_clock::now();
  for (int t = 0; t < iterations; ++t) cpu.reduce("naive", part, LargestSquare{}, shift, [](const LargestSquare&) {});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace kinescope::sim
