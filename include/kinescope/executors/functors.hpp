// Functors that most simulations give to executors.
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"

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

// The `finish` of a reduction: stores its result.
template <class T>
struct Store {
  T* to;
  KINESCOPE_HD void operator()(const T& value) const { *to = value; }
};

}  // namespace kinescope::sim
