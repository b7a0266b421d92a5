// The parameters that can change while the landscape runs. They are in the executor's memory, because recorded launches
// read them there.
#pragma once

#include <cstdint>

namespace kinescope::sim::landscape {

struct Live {
  double duration = 0;           // s
  float smoke_rate = 0;          // particles/s
  float smoke_radius = 0;        // m
  float wind_x = 0, wind_y = 0;  // m/s, the direction in which the wind blows
  float sea_level = 0;           // m
  std::int64_t butterflies = 0;
};

}  // namespace kinescope::sim::landscape
