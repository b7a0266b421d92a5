#include "sim/data/made.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/core/parameter.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/graph/made_graphs.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/made_keys.hpp"
#include "sim/data/made_rows.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// The table of a graph's nodes; `make` is given a NodeTick to call. A node and its edges take about `node_bytes` bytes
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
                    [&](const NodeTick& tick) { return grid_graph(keys.points(), tick); });
}

MadeData make_torus_graph(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const std::size_t rows = torus_rows(keys.points());
  if (rows < 3)
    throw input_error(source + ": n: expected a product of two whole numbers of at least 3, found '" + keys.n.text() +
                      "'");
  return made_graph(source, keys.points(), 120, progress,
                    [&](const NodeTick& tick) { return torus_graph(rows, keys.points() / rows, tick); });
}

MadeData make_small_world(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto neighbours = static_cast<std::size_t>(keys.k.value());
  if (neighbours % 2 != 0 || neighbours >= keys.points())
    throw input_error(source + ": k: expected an even number less than n, found '" + keys.k.text() + "'");
  return made_graph(source, keys.points(), 40 + 40 * keys.k.value(), progress, [&](const NodeTick& tick) {
    return small_world_graph(keys.points(), neighbours, keys.p.value(), keys.random(rewired_edges), tick);
  });
}

MadeData make_tree(const std::string& source, const Keys& keys, LoadProgress* progress) {
  return made_graph(source, keys.points(), 80, progress, [&](const NodeTick& tick) {
    return tree_graph(keys.points(), static_cast<std::size_t>(keys.branching.value()), tick);
  });
}

MadeData make_sierpinski(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const int level = static_cast<int>(keys.level.value());
  const auto triangles = static_cast<std::size_t>(std::pow(3, level));
  return made_graph(source, triangles, 160, progress,
                    [&](const NodeTick& tick) { return sierpinski_graph(level, tick); });
}

struct Kind {
  std::string_view name;
  long points;  // default number
  MadeData (*make)(const std::string& source, const Keys& keys, LoadProgress* progress);
  std::vector<Parameter*> (*keys)(Keys& keys);
  bool graph = false;
};

using Used = std::vector<Parameter*>;

constexpr Kind kinds[] = {{"grid", 10000, make_grid,
                           [](Keys& k) {
                             return Used{&k.n, &k.h, &k.noise, &k.seed};
                           }},
                          {"swissroll", 1089, make_swissroll,
                           [](Keys& k) {
                             return Used{&k.n, &k.seed};
                           }},
                          {"simplex", 100, make_simplex, [](Keys& k) { return Used{&k.n}; }},
                          {"colours", 4096, make_colours, [](Keys& k) { return Used{&k.n}; }},
                          {"gaussians", 500000, make_gaussians,
                           [](Keys& k) {
                             return Used{&k.n, &k.k, &k.clusters, &k.seed};
                           }},
                          {"topics", 20000, make_topics,
                           [](Keys& k) {
                             k.h.set("384");
                             k.clusters.set("30");
                             return Used{&k.n, &k.h, &k.clusters, &k.seed};
                           }},
                          {"documents", 20000, make_documents,
                           [](Keys& k) {
                             k.h.set("10000");
                             k.clusters.set("9");
                             return Used{&k.n, &k.h, &k.clusters, &k.seed};
                           }},
                          {"grid-graph", 2500, make_grid_graph, [](Keys& k) { return Used{&k.n}; }, true},
                          {"torus-graph", 2500, make_torus_graph, [](Keys& k) { return Used{&k.n}; }, true},
                          {"small-world", 1000, make_small_world,
                           [](Keys& k) {
                             k.k.set("6");
                             return Used{&k.n, &k.k, &k.p, &k.seed};
                           },
                           true},
                          {"tree", 1000, make_tree,
                           [](Keys& k) {
                             return Used{&k.n, &k.branching};
                           },
                           true},
                          {"sierpinski", 0, make_sierpinski, [](Keys& k) { return Used{&k.level}; }, true}};

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
  keys.used = kind.keys(keys);
  if (assignments) set_keys(source, kind.name, *assignments, keys);
  MadeData data = kind.make(source, keys, progress);
  if (progress) progress->fraction = 1;
  return data;
}

}  // namespace kinescope::sim
