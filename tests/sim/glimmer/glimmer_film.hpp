// A run of Glimmer as the user sees it: the picture after each iteration.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kinescope/glimmer/aligned_move.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim::cases {

using glimmer::aligned_move;

struct Film {
  std::vector<double> moves, figures;
  std::vector<std::vector<float>> pictures;
  std::vector<std::string> names;
  std::vector<Progress> moments;
};

inline Film film(Trial& run) {
  const auto simulation = run.make();
  test_buffers::HostBuffers buffers;
  simulation->attach(buffers);
  Film result;
  bool more = true;
  while (more) {
    more = simulation->advance({INFINITY, 1});
    simulation->publish();
    const auto positions = buffers.of("positions");
    result.pictures.emplace_back(positions.begin(), positions.end());
    result.moments.push_back(simulation->progress());
    result.figures.push_back(result.moments.back().figure);
    result.names.push_back(result.moments.back().figure_name);
    const std::size_t count = result.pictures.size();
    if (count > 1) result.moves.push_back(aligned_move(result.pictures[count - 2], result.pictures[count - 1]));
  }
  return result;
}

}  // namespace kinescope::sim::cases
