// What a run that clusters has found: how many points each group has, and where its centre is.
#pragma once

#include <cstddef>
#include <vector>

namespace kinescope::sim {

struct Groups {
  std::size_t columns = 0;
  std::vector<std::size_t> sizes;  // [groups]
  std::vector<float> centres;      // [groups × columns], in the data's units
};

}  // namespace kinescope::sim
