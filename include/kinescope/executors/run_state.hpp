// The state of an iterating run. It is in the executor's memory, where the kernels advance it; the host has a copy. A
// launch after convergence does nothing, so the host may enqueue more iterations than needed without first checking.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

struct RunState {
  std::int64_t iteration = 0;  // number done since the start
  std::int64_t points = 0;     // number of points that take part now
  std::int32_t level = 0;      // counted from 1, the coarsest; 0 if there are no levels
  std::int32_t phase = 0;      // index into the names of the phases
  float figure = 0;            // the figure of merit of the last iteration; NaN before there is one
  float fraction = 0;          // estimate of the part done, 0 … 1
  std::int32_t converged = 0;  // nothing is left to compute
  std::int32_t cut = 0;        // a limit on iterations ended the run
  std::int32_t program = 0;    // which launches make the next iteration, if there is more than one kind
  float second_figure = NAN;   // measured at intervals, noted with each iteration
  std::int64_t left = -1;      // iterations that the program has left at most; -1: unknown

  // Counts an iteration and notes it in the history, if its `capacity` entries are not full.
  KINESCOPE_HD void record(float value, HistoryPoint* history, std::int64_t capacity) {
    figure = value;
    if (iteration < capacity)
      history[iteration] = {static_cast<long>(iteration + 1), value, static_cast<std::int16_t>(level),
                            static_cast<std::int16_t>(phase), second_figure};
    ++iteration;
    if (left > 0) --left;
  }
};

}  // namespace kinescope::sim
