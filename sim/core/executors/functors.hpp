// Functors that most simulations give to executors.
#pragma once

#include <cstdint>

#include "sim/core/executors/host_device.hpp"

namespace kinescope::sim {

template <class T>
struct Fill {
  T* to;
  T value;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = value; }
};

template <class T>
struct Copy {
  const T* from;
  T* to;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

}  // namespace kinescope::sim
