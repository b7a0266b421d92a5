// For simulations that may write far larger files than one thinks.
#pragma once

#include <string>

namespace kinescope::sim {

class LargeOutput {
 public:
  virtual ~LargeOutput() = default;
  // About how large a file of one of its kind's outputs will be, in bytes.
  virtual double bytes_of(const std::string& output, const std::string& path) const = 0;
};

}  // namespace kinescope::sim
