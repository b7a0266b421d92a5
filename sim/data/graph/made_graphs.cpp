#include "sim/data/graph/made_graphs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/data/graph/edges.hpp"

namespace kinescope::sim {
namespace {

Edge edge(std::size_t from, std::size_t to) {
  return {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
}

}  // namespace

Graph grid_graph(std::size_t n, const NodeTick& tick) {
  auto width = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (width * width < n) ++width;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    tick(i);
    if (i % width > 0) edges.push_back(edge(i - 1, i));
    if (i >= width) edges.push_back(edge(i - width, i));
  }
  return make_graph(n, std::move(edges));
}

std::size_t torus_rows(std::size_t n) {
  auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (rows > 1 && (n % rows != 0 || rows * rows > n)) --rows;
  return rows;
}

Graph torus_graph(std::size_t rows, std::size_t columns, const NodeTick& tick) {
  std::vector<Edge> edges;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t node = row * columns + column;
      tick(node);
      edges.push_back(edge(node, row * columns + (column + 1) % columns));
      edges.push_back(edge(node, (row + 1) % rows * columns + column));
    }
  return make_graph(rows * columns, std::move(edges));
}

Graph small_world_graph(std::size_t n, std::size_t neighbours, double p, const Random& random, const NodeTick& tick) {
  std::vector<Edge> edges;
  std::unordered_set<std::uint64_t> present;
  std::vector<std::size_t> degree(n, neighbours);
  const auto key = [](std::size_t a, std::size_t b) { return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b); };
  for (std::size_t away = 1; away <= neighbours / 2; ++away)
    for (std::size_t i = 0; i < n; ++i) {
      edges.push_back(edge(i, (i + away) % n));
      present.insert(key(i, (i + away) % n));
    }
  for (std::size_t at = 0; at < edges.size(); ++at) {
    const std::size_t i = edges[at].from;
    tick(at);
    const RandomWords words = random.words(at);
    if (uniform_double(words[0], words[1]) >= p || degree[i] + 1 >= n) continue;
    std::size_t to = i;
    for (std::uint32_t draw = 1; to == i || present.contains(key(i, to)); ++draw)
      to = uniform_below(random.words(at, draw)[0], static_cast<std::uint32_t>(n));
    present.erase(key(i, edges[at].to));
    present.insert(key(i, to));
    --degree[edges[at].to];
    ++degree[to];
    edges[at].to = static_cast<std::uint32_t>(to);
  }
  return make_graph(n, std::move(edges));
}

Graph tree_graph(std::size_t n, std::size_t branching, const NodeTick& tick) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    tick(i);
    if (i > 0) edges.push_back(edge((i - 1) / branching, i));
  }
  return make_graph(n, std::move(edges));
}

// There is one small triangle for each (x, y) with x & y = 0, that is, without a binary digit that is 1 in both. Its
// corners are (x, y), (x + 1, y) and (x, y + 1). Corners are numbered row by row.
Graph sierpinski_graph(int level, const NodeTick& tick) {
  const std::uint64_t width = std::uint64_t{1} << level;
  std::vector<std::uint64_t> corners, triangles;
  const auto at = [&](std::uint64_t x, std::uint64_t y) { return y * (width + 1) + x; };
  for (std::uint64_t y = 0; y < width; ++y) {
    const std::uint64_t free = ~y & (width - 1);
    for (std::uint64_t x = 0;; x = (x - free) & free) {  // all x whose 1 digits are also 1 in `free`, ascending
      tick(triangles.size());
      triangles.push_back(at(x, y));
      for (const std::uint64_t corner : {at(x, y), at(x + 1, y), at(x, y + 1)}) corners.push_back(corner);
      if (x == free) break;
    }
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const auto number = [&](std::uint64_t corner) {
    return static_cast<std::size_t>(std::lower_bound(corners.begin(), corners.end(), corner) - corners.begin());
  };
  std::vector<Edge> edges;
  for (const std::uint64_t first : triangles) {
    const std::size_t a = number(first), b = number(first + 1), c = number(first + width + 1);
    for (const Edge& side : {edge(a, b), edge(b, c), edge(a, c)}) edges.push_back(side);
  }
  return make_graph(corners.size(), std::move(edges));
}

}  // namespace kinescope::sim
