#include "sim/data/readers/inside.hpp"

#include <array>
#include <string_view>
#include <unistd.h>

#include "sim/data/text.hpp"

namespace kinescope::sim {

Inside split_inside(const std::string& source) {
  static constexpr std::array<std::string_view, 4> endings = {".npz", ".h5", ".hdf5", ".h5ad"};
  if (access(source.c_str(), F_OK) == 0) return {source, ""};
  for (std::size_t colon = source.find(':'); colon != std::string::npos; colon = source.find(':', colon + 1))
    for (const std::string_view ending : endings)
      if (ends_with_ignoring_case(std::string_view(source).substr(0, colon), ending))
        return {source.substr(0, colon), source.substr(colon + 1)};
  return {source, ""};
}

}  // namespace kinescope::sim
