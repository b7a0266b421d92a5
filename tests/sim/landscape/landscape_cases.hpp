// Helpers of the landscape's tests on both backends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/landscape/landscape.hpp"
#include "kinescope/landscape/parts.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim::landscape_cases {

using namespace landscape;
using test_buffers::HostBuffers;

inline std::unique_ptr<Simulation> make_landscape(const std::vector<std::string>& settings,
                                                  Backend backend = Backend::cpu, int threads = 0,
                                                  std::uint64_t seed = 1) {
  const auto parameters = landscape_kind().make_parameters();
  for (const std::string& setting : settings) parameters->set(setting);
  Setup setup;
  setup.backend = backend;
  setup.threads = threads;
  setup.seed = seed;
  return landscape_kind().make(setup, *parameters);
}

struct Topology {
  std::size_t vertices = 0, edges = 0, triangles = 0;
  std::size_t open_edges = 0;  // edges that are not in exactly two triangles, once in each direction
  long euler() const { return long(vertices) - long(edges) + long(triangles); }
};

inline Topology topology(const SurfaceData& surface) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
  std::set<std::uint32_t> used;
  for (std::size_t i = 0; i < surface.indices.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) {
      ++directed[{surface.indices[i + k], surface.indices[i + (k + 1) % 3]}];
      used.insert(surface.indices[i + k]);
    }
  Topology result;
  result.vertices = used.size();
  result.triangles = surface.indices.size() / 3;
  for (const auto& [edge, count] : directed) {
    const auto back = directed.find({edge.second, edge.first});
    if (back == directed.end() || edge.first < edge.second) ++result.edges;
    result.open_edges += count != 1 || back == directed.end() || back->second != 1;
  }
  return result;
}

// Topology::open_edges of the surface, computed faster.
inline std::size_t open_edges(const SurfaceData& surface) {
  std::vector<std::uint64_t> edges;  // each edge of each triangle, the direction in the last bit
  for (std::size_t i = 0; i < surface.indices.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t a = surface.indices[i + k], b = surface.indices[i + (k + 1) % 3];
      edges.push_back(a < b ? a << 33 | b << 1 : b << 33 | a << 1 | 1);
    }
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end] >> 1 == edges[i] >> 1) ++end;
    open += end - i != 2 || edges[i] == edges[i + 1];
    i = end;
  }
  return open;
}

inline double volume(const SurfaceData& surface) {
  double sum = 0;
  for (std::size_t i = 0; i < surface.indices.size(); i += 3) {
    const float* a = surface.positions.data() + 3 * std::size_t{surface.indices[i]};
    const float* b = surface.positions.data() + 3 * std::size_t{surface.indices[i + 1]};
    const float* c = surface.positions.data() + 3 * std::size_t{surface.indices[i + 2]};
    sum += double(a[0]) * (double(b[1]) * c[2] - double(b[2]) * c[1]) +
           double(a[1]) * (double(b[2]) * c[0] - double(b[0]) * c[2]) +
           double(a[2]) * (double(b[0]) * c[1] - double(b[1]) * c[0]);
  }
  return sum / 6;
}

// Balls in the middle of the unit cube, so that their surface ends before its border.
inline std::vector<Ball> cloud(int count, float radius, std::uint64_t seed = 3) {
  const Random random(seed, 77);
  std::vector<Ball> balls;
  for (int i = 0; i < count; ++i) {
    const RandomWords words = random.words(static_cast<std::uint64_t>(i));
    const float room = 1 - 2.2f * radius;
    balls.push_back({1.1f * radius + room * uniform_float(words[0]), 1.1f * radius + room * uniform_float(words[1]),
                     1.1f * radius + room * uniform_float(words[2]), radius * (0.6f + 0.4f * uniform_float(words[3]))});
  }
  return balls;
}

}  // namespace kinescope::sim::landscape_cases
