// The sheet's loop on the CPU: bands of rows, one step per pass.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/fitzhugh_nagumo/axon/axon_cpu.hpp"
#include "sim/fitzhugh_nagumo/sheet/sheet.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <>
class SheetKernels<Cpu> {
 public:
  explicit SheetKernels(Cpu& cpu) : cpu_(cpu) {}

  static constexpr std::int64_t depth = 1;

  void march(const SheetRun& run) {
    if (run.march->steps == 0) return;
    cpu_.tasks("sheet", (run.nodes - 1) / band + 1, [&](std::int64_t which) {
      const FlushTiny flush;
      for (std::int64_t j = which * band; j < std::min((which + 1) * band, run.nodes); ++j) step_row(run, j);
    });
  }

 private:
  static constexpr std::int64_t band = 16;

  static void step_span(const ExplicitStep<float> step, const float* __restrict below, const float* __restrict v,
                        const float* __restrict above, const float* __restrict w, float* __restrict next_v,
                        float* __restrict next_w, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      next_v[i] = step.next_v(v[i], (v[i - 1] + v[i + 1]) + (below[i] + above[i]), w[i]);
      next_w[i] = step.next_w(v[i], w[i]);
    }
  }

  static void step_row(const SheetRun& run, std::int64_t j) {
    const std::int64_t n = run.nodes;
    const int from = run.march->current;
    const float *v = run.fields.v[from] + j * n, *w = run.fields.w[from] + j * n;
    const float *below = run.fields.v[from] + run.inside(j - 1) * n,
                *above = run.fields.v[from] + run.inside(j + 1) * n;
    float *next_v = run.fields.v[from ^ 1] + j * n, *next_w = run.fields.w[from ^ 1] + j * n;
    step_span(run.step, below, v, above, w, next_v, next_w, 1, n - 1);
    for (const std::int64_t i : {std::int64_t{0}, n - 1}) {
      const float beside = v[run.inside(i - 1)] + v[run.inside(i + 1)];
      next_v[i] = run.step.next_v(v[i], beside + (below[i] + above[i]), w[i]);
      next_w[i] = run.step.next_w(v[i], w[i]);
    }
    if (std::abs(j - run.held.y) <= run.held.radius)
      for (std::int64_t i = 0; i < n; ++i)
        if (run.held.holds(i, j)) next_v[i] = 1;
    raise_to(run.march->largest[0], magnitude_bits(next_v, n));
  }

  Cpu& cpu_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
