// Reads files of graphs, for tests of their formats.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/data/reading.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::graph_cases {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;
using Texts = std::vector<std::string>;
using Floats = std::vector<float>;

inline Table read(std::string_view bytes, const std::string& name, EdgesAre edges_are = EdgesAre::automatic) {
  const TemporaryFolder folder;
  DataRequest request{folder.write(name, bytes)};
  request.reading = Reading::graph;
  request.edges_are = edges_are;
  return load_table(request);
}

inline std::string refusal(std::string_view bytes, const std::string& name, EdgesAre edges_are = EdgesAre::automatic) {
  DataRequest request;
  request.reading = Reading::graph;
  request.edges_are = edges_are;
  return message_of_reading(bytes, name, request);
}

}  // namespace kinescope::sim::graph_cases
