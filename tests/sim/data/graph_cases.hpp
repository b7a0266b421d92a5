// Graphs that are read or made, and their shortest paths, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/data/reading.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::graph_cases {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;
using Rows = std::vector<std::vector<float>>;
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

inline Rows path_lengths_of(const DistanceFeeder& feeder) {
  Rows rows(feeder.points(), std::vector<float>(feeder.points()));
  for (std::size_t i = 0; i < rows.size(); ++i) feeder.row(i, rows[i]);
  return rows;
}

inline std::shared_ptr<const Dataset> made(const std::string& text) {
  DataRequest request;
  request.source = "synthetic:" + text;
  return load_dataset(request);
}

}  // namespace kinescope::sim::graph_cases
