#include "kinescope/data/made.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <unordered_set>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/graph.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/random.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/made_keys.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

Edge edge(std::size_t from, std::size_t to) {
  return {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
}

Graph grid_graph(std::size_t n, const Ticker& tick) {
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

// Rows of a torus of n nodes: the largest divisor of n that is at most √n.
std::size_t torus_rows(std::size_t n) {
  auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (rows > 1 && (n % rows != 0 || rows * rows > n)) --rows;
  return rows;
}

// Both are at least 3.
Graph torus_graph(std::size_t rows, std::size_t columns, const Ticker& tick) {
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

// `neighbours` is even and less than n.
Graph small_world_graph(std::size_t n, std::size_t neighbours, double p, const Random& random, const Ticker& tick) {
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

Graph tree_graph(std::size_t n, std::size_t branching, const Ticker& tick) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    tick(i);
    if (i > 0) edges.push_back(edge((i - 1) / branching, i));
  }
  return make_graph(n, std::move(edges));
}

// There is one small triangle for each (x, y) with x & y = 0, that is, without a binary digit that is 1 in both. Its
// corners are (x, y), (x + 1, y) and (x, y + 1). Corners are numbered row by row.
Graph sierpinski_graph(int level, const Ticker& tick) {
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

// The table of a graph's nodes; `make` is given a Ticker to call. A node and its edges take about `node_bytes` bytes
// while they are made.
template <class Make>
MadeData made_graph(const std::string& source, std::size_t nodes, double node_bytes, LoadProgress* progress,
                    Make make) {
  require_memory(source, node_bytes * static_cast<double>(nodes));
  const Ticker tick(progress, nodes);
  MadeData data;
  data.table = table_of_nodes(source, "sample data", make(tick));
  return data;
}

MadeData make_grid_graph(const std::string& source, const Keys& keys, LoadProgress* progress) {
  return made_graph(source, keys.points(), 120, progress,
                    [&](const Ticker& tick) { return grid_graph(keys.points(), tick); });
}

MadeData make_torus_graph(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const std::size_t rows = torus_rows(keys.points());
  if (rows < 3)
    throw input_error(source + ": n: expected a product of two whole numbers of at least 3, found '" + keys.n.text() +
                      "'");
  return made_graph(source, keys.points(), 120, progress,
                    [&](const Ticker& tick) { return torus_graph(rows, keys.points() / rows, tick); });
}

MadeData make_small_world(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto neighbours = static_cast<std::size_t>(keys.k.value());
  if (neighbours % 2 != 0 || neighbours >= keys.points())
    throw input_error(source + ": k: expected an even number less than n, found '" + keys.k.text() + "'");
  return made_graph(source, keys.points(), 40 + 40 * keys.k.value(), progress, [&](const Ticker& tick) {
    return small_world_graph(keys.points(), neighbours, keys.p.value(), keys.random(rewired_edges), tick);
  });
}

MadeData make_tree(const std::string& source, const Keys& keys, LoadProgress* progress) {
  return made_graph(source, keys.points(), 80, progress, [&](const Ticker& tick) {
    return tree_graph(keys.points(), static_cast<std::size_t>(keys.branching.value()), tick);
  });
}

MadeData make_sierpinski(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const int level = static_cast<int>(keys.level.value());
  const auto triangles = static_cast<std::size_t>(std::pow(3, level));
  return made_graph(source, triangles, 160, progress,
                    [&](const Ticker& tick) { return sierpinski_graph(level, tick); });
}

struct Kind {
  std::string_view name;
  long points;  // default number
  MadeData (*make)(const std::string& source, const Keys& keys, LoadProgress* progress);
  std::string_view keys;  // those that may be set, some with a default of their own
  bool graph = false;
};

constexpr Kind kinds[] = {{"grid", 10000, make_grid, "n h noise seed"},
                          {"swissroll", 1089, make_swissroll, "n seed"},
                          {"simplex", 100, make_simplex, "n"},
                          {"colours", 4096, make_colours, "n"},
                          {"gaussians", 500000, make_gaussians, "n k clusters seed"},
                          {"topics", 20000, make_topics, "n h=384 clusters=30 seed"},
                          {"documents", 20000, make_documents, "n h=10000 clusters=9 seed"},
                          {"grid-graph", 2500, make_grid_graph, "n", true},
                          {"torus-graph", 2500, make_torus_graph, "n", true},
                          {"small-world", 1000, make_small_world, "n k=6 p seed", true},
                          {"tree", 1000, make_tree, "n branching", true},
                          {"sierpinski", 0, make_sierpinski, "level", true}};

// Leaves the keys of the kind, with its defaults.
void choose_keys(const Kind& kind, Keys& keys) {
  std::vector<Parameter*> used;
  for (const std::string_view word : words_of(kind.keys)) {
    const std::size_t equals = word.find('=');
    used.push_back(keys.find(word.substr(0, equals)));
    if (equals != std::string_view::npos) used.back()->set(word.substr(equals + 1));
  }
  keys.used = std::move(used);
}

// The name of "synthetic:NAME,key=value", and what follows the comma, if there is one.
std::pair<std::string_view, std::optional<std::string_view>> parts_of(std::string_view source) {
  source.remove_prefix(made_prefix.size());
  const std::size_t comma = source.find(',');
  if (comma == std::string_view::npos) return {source, std::nullopt};
  return {source.substr(0, comma), source.substr(comma + 1)};
}

const Kind& find_kind(const std::string& source, std::string_view name) {
  std::string known;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw input_error(source + ": unknown sample data " + shown(name) + "; available: " + known);
}

// Sets each key of "key=value,key=value", each at most once.
void set_keys(const std::string& source, std::string_view kind, std::string_view assignments, Keys& keys) {
  std::vector<std::string_view> seen;
  for (;;) {
    const std::size_t comma = assignments.find(',');
    const std::string_view assignment = assignments.substr(0, comma);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos)
      throw input_error(source + ": expected key=value, found " + shown(assignment));
    const std::string_view key = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    Parameter* parameter = keys.find(key);
    if (!parameter) {
      std::string known;
      for (const Parameter* p : keys.used) known += (known.empty() ? "" : ", ") + p->name();
      throw input_error(source + ": " + std::string(kind) + " has no " + shown(key) + "; available: " + known);
    }
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      throw input_error(source + ": " + std::string(key) + " is given twice");
    seen.push_back(key);
    try {
      parameter->set(value);
    } catch (const Error& error) {
      throw input_error(source + ": " + error.what());
    }
    if (comma == std::string_view::npos) return;
    assignments.remove_prefix(comma + 1);
  }
}

}  // namespace

bool is_made(std::string_view source) {
  return source.starts_with(made_prefix);
}

bool is_made_graph(std::string_view source) {
  return is_made(source) && std::any_of(std::begin(kinds), std::end(kinds), [&](const Kind& kind) {
           return kind.graph && kind.name == parts_of(source).first;
         });
}

MadeData make_data(const std::string& source, LoadProgress* progress) {
  const auto [name, assignments] = parts_of(source);
  const Kind& kind = find_kind(source, name);
  Keys keys(kind.points);
  choose_keys(kind, keys);
  if (assignments) set_keys(source, kind.name, *assignments, keys);
  MadeData data = kind.make(source, keys, progress);
  if (progress) progress->fraction = 1;
  return data;
}

}  // namespace kinescope::sim
