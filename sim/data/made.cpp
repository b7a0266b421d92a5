#include "sim/data/made.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/core/parameter.hpp"
#include "sim/core/permutation.hpp"
#include "sim/core/random.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/graph/made_graphs.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view prefix = "synthetic:";
constexpr long most_points = static_cast<long>(maximum_values) - 1;

// What each stream of random numbers is for. A number must never change, so that the data never change.
enum Stream : std::uint32_t {
  grid_noise = 101,
  swissroll_points = 102,
  gaussian_points = 103,
  gaussian_shapes = 104,
  topic_points = 105,
  topic_centres = 106,
  document_words = 107,
  rewired_edges = 108
};

// The keys of all made data; each kind of data visits its own.
struct Keys : ParameterSet {
  explicit Keys(long points) : n{{"n", "", "number of points"}, points, {1, most_points}} {}

  Integer n;
  Integer h{{"h", "", "number of columns"}, 8, {2, static_cast<long>(maximum_columns)}};
  Real noise{{"noise", "", "standard deviation of the noise in column 2"}, 0, {0, 1e6}};
  Integer k{{"k", "", "number of columns"}, 2, {1, static_cast<long>(maximum_columns)}};
  Integer clusters{{"clusters", "", "number of Gaussians"}, 3, {1, 1'000'000}};
  Real p{{"p", "", "part of the edges that are rewired"}, 0.1, {0, 1}};
  Integer branching{{"branching", "", "number of children of a node"}, 2, {1, 1'000'000}};
  Integer level{{"level", "", "how many times three copies are joined"}, 6, {0, 15}};
  Integer seed{{"seed", "", "seed of the data's own random numbers"}, 1, {0, std::numeric_limits<long>::max()}};
  std::vector<Parameter*> used;

  void visit(const std::function<void(Parameter&)>& f) override {
    std::for_each(used.begin(), used.end(), [&](Parameter* parameter) { f(*parameter); });
  }
  std::size_t points() const { return static_cast<std::size_t>(n.value()); }
  Random random(Stream stream) const { return Random(static_cast<std::uint64_t>(seed.value()), stream); }
};

// Tells the progress and checks the wish to stop, once every few thousand points.
class Ticker {
 public:
  Ticker(LoadProgress* progress, std::size_t points) : progress_(progress), points_(points) {}

  void operator()(std::size_t point) const {
    if (!progress_ || point % 8192 != 0) return;
    if (progress_->cancelled) throw Cancelled{};
    progress_->fraction = static_cast<float>(point) / static_cast<float>(points_);
  }

 private:
  LoadProgress* progress_;
  std::size_t points_;
};

// A table of zeros with columns of these names, within the limits; `extra_bytes` is the cost of a point beside its
// values.
Table zeros(const std::string& source, std::size_t points, const std::vector<std::string>& names,
            double extra_bytes = 0) {
  if (points * static_cast<std::uint64_t>(names.size()) > maximum_values)
    throw input_error(source + ": " + std::to_string(points) + " points × " + std::to_string(names.size()) +
                      " columns are more than 2^31 values");
  // The values exist twice, as columns of the table and as rows of the data set; making the latter also lists the rows.
  const double point_bytes = 2 * sizeof(float) * static_cast<double>(names.size()) + sizeof(std::size_t) + extra_bytes;
  require_memory(source, static_cast<double>(points) * point_bytes);
  Table table;
  table.source = source;
  table.format = "sample data";
  table.rows = points;
  for (const std::string& name : names) table.columns.push_back({name, false, std::vector<float>(points), {}});
  return table;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = numbered_name(i);
  return names;
}

// The smallest m with m^power ≥ n, in whole numbers: floating-point roots are sometimes off by one.
std::size_t root_rounded_up(std::size_t n, int power) {
  const auto raised = [&](std::size_t m) { return power == 2 ? m * m : m * m * m; };
  auto m = static_cast<std::size_t>(std::pow(static_cast<double>(n), 1.0 / power));
  while (raised(m) < n) ++m;
  while (m > 1 && raised(m - 1) >= n) --m;
  return m;
}

MadeData make_grid(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto columns = static_cast<std::size_t>(keys.h.value());
  const double noise = keys.noise.value();
  if (noise > 0 && columns < 3) throw input_error(source + ": noise stands in column 2 and needs h of at least 3");
  MadeData data;
  data.table = zeros(source, keys.points(), numbered(columns));
  const std::size_t width = root_rounded_up(keys.points(), 2);
  const Random random = keys.random(grid_noise);
  const Ticker tick(progress, keys.points());
  for (std::size_t i = 0; i < keys.points(); ++i) {
    tick(i);
    data.table.columns[0].numbers[i] = static_cast<float>(static_cast<double>(i % width) / static_cast<double>(width));
    data.table.columns[1].numbers[i] = static_cast<float>(static_cast<double>(i / width) / static_cast<double>(width));
    if (noise > 0) data.table.columns[2].numbers[i] = static_cast<float>(noise * random.normal(i));
  }
  return data;
}

MadeData make_swissroll(const std::string& source, const Keys& keys, LoadProgress* progress) {
  MadeData data;
  data.table = zeros(source, keys.points(), {"x", "y", "z"});
  const Random random = keys.random(swissroll_points);
  const Ticker tick(progress, keys.points());
  for (std::size_t i = 0; i < keys.points(); ++i) {
    tick(i);
    const RandomWords words = random.words(i);
    const double half_turns = 1.5 * (1 + 2 * uniform_double(words[0], words[1]));
    const SineCosine direction = portable_sincospi(half_turns);
    data.table.columns[0].numbers[i] = static_cast<float>(std::numbers::pi * half_turns * direction.cosine);
    data.table.columns[1].numbers[i] = static_cast<float>(21 * uniform_double(words[2], words[3]));
    data.table.columns[2].numbers[i] = static_cast<float>(std::numbers::pi * half_turns * direction.sine);
  }
  return data;
}

MadeData make_simplex(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const std::size_t points = keys.points();
  if (points > maximum_columns || points * points > maximum_values)
    throw input_error(source + ": n: expected a whole number from 1 to 46340, found '" + keys.n.text() + "'");
  MadeData data;
  data.table = zeros(source, points, numbered(points));
  const Ticker tick(progress, points);
  for (std::size_t i = 0; i < points; ++i) {
    tick(i);
    data.table.columns[i].numbers[i] = 1;
  }
  return data;
}

// The p-th root of x in (0, 2] by Newton's iteration, with the same bits on every machine. Starting from above it falls
// monotonically until rounding stops it.
double portable_root(double x, int p) {
  double root = std::max(1.0, x);
  for (;;) {
    double power = 1;
    for (int i = 1; i < p; ++i) power *= root;
    const double next = ((p - 1) * root + x / power) / p;
    if (!(next < root)) return root;
    root = next;
  }
}

// IEC 61966-2-1: c^2.4 = c² · (c²)^(1/5).
double srgb_to_linear(double value) {
  if (value <= 0.04045) return value / 12.92;
  const double base = (value + 0.055) / 1.055;
  return base * base * portable_root(base * base, 5);
}

// CIE 1976.
double lab_response(double ratio) {
  constexpr double edge = 6.0 / 29.0;
  return ratio > edge * edge * edge ? portable_root(ratio, 3) : ratio / (3 * edge * edge) + 4.0 / 29.0;
}

// CIELAB of an sRGB colour with components 0 … 1. The white point is the matrix's (D65), so that greys have a = b = 0.
std::array<double, 3> srgb_to_lab(const std::array<double, 3>& srgb) {
  constexpr double matrix[3][3] = {
      {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
  const double linear[3] = {srgb_to_linear(srgb[0]), srgb_to_linear(srgb[1]), srgb_to_linear(srgb[2])};
  double response[3];
  for (int row = 0; row < 3; ++row) {
    const double* m = matrix[row];
    response[row] = lab_response((m[0] * linear[0] + m[1] * linear[1] + m[2] * linear[2]) / (m[0] + m[1] + m[2]));
  }
  return {116 * response[1] - 16, 500 * (response[0] - response[1]), 200 * (response[1] - response[2])};
}

// If n is not a cube, n points of the next larger lattice, spread evenly over it.
MadeData make_colours(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const std::size_t points = keys.points();
  MadeData data;
  data.table = zeros(source, points, {"L", "a", "b"}, 4);
  data.colours.resize(points);
  const std::size_t width = root_rounded_up(points, 3), lattice = width * width * width;
  const Ticker tick(progress, points);
  for (std::size_t i = 0; i < points; ++i) {
    tick(i);
    const auto node = static_cast<std::size_t>(static_cast<unsigned __int128>(i) * lattice / points);
    const std::size_t index[3] = {node / (width * width), node / width % width, node % width};
    std::array<double, 3> srgb{};
    for (int channel = 0; channel < 3; ++channel) {
      if (width > 1) srgb[channel] = static_cast<double>(index[channel]) / static_cast<double>(width - 1);
      data.colours[i][channel] = static_cast<std::uint8_t>(srgb[channel] * 255 + 0.5);
    }
    data.colours[i][3] = 255;
    const std::array<double, 3> lab = srgb_to_lab(srgb);
    for (int column = 0; column < 3; ++column) data.table.columns[column].numbers[i] = static_cast<float>(lab[column]);
  }
  return data;
}

struct Gaussians {
  std::vector<double> means, deviations;  // [clusters × columns]
};

Gaussians choose_gaussians(const Keys& keys) {
  const auto columns = static_cast<std::size_t>(keys.k.value()),
             clusters = static_cast<std::size_t>(keys.clusters.value());
  if (columns == 2 && clusters == 3) return {{3, 3, 15, 17, 10.5, 0}, {0.2, 0.5, 1, 0.2, 1.5, 1.5}};
  Gaussians gaussians;
  const Random random = keys.random(gaussian_shapes);
  for (std::size_t i = 0; i < columns * clusters; ++i) {
    const RandomWords words = random.words(i);
    gaussians.means.push_back(20 * uniform_double(words[0], words[1]));
    gaussians.deviations.push_back(0.2 + 1.3 * uniform_double(words[2], words[3]));
  }
  return gaussians;
}

MadeData make_gaussians(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto columns = static_cast<std::size_t>(keys.k.value()),
             clusters = static_cast<std::size_t>(keys.clusters.value());
  if (columns * clusters > maximum_values / 16)
    throw input_error(source + ": k × clusters is at most " + std::to_string(maximum_values / 16));
  MadeData data;
  data.table = zeros(source, keys.points(), numbered(columns), 2 * sizeof(std::string));
  const Gaussians gaussians = choose_gaussians(keys);
  Column label{"cluster", true, {}, std::vector<std::string>(keys.points())};
  const Random random = keys.random(gaussian_points);
  const Ticker tick(progress, keys.points());
  for (std::size_t i = 0; i < keys.points(); ++i) {
    tick(i);
    const std::size_t cluster = i % clusters;
    label.texts[i] = std::to_string(cluster);
    for (std::size_t column = 0; column < columns; column += 2) {
      const NormalPair pair = normal_pair(random.words(i, static_cast<std::uint32_t>(column / 2)));
      const auto place = [&](std::size_t c, double normal) {
        const std::size_t shape = cluster * columns + c;
        data.table.columns[c].numbers[i] =
            static_cast<float>(gaussians.means[shape] + gaussians.deviations[shape] * normal);
      };
      place(column, pair.first);
      if (column + 1 < columns) place(column + 1, pair.second);
    }
  }
  data.table.columns.push_back(std::move(label));
  data.label = "cluster";
  return data;
}

// Like embeddings of texts: a centre for each topic, and noise around it that is narrower in each further column.
MadeData make_topics(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto columns = static_cast<std::size_t>(keys.h.value()),
             topics = static_cast<std::size_t>(keys.clusters.value());
  if (columns * topics > maximum_values / 16)
    throw input_error(source + ": h × clusters is at most " + std::to_string(maximum_values / 16));
  MadeData data;
  data.table = zeros(source, keys.points(), numbered(columns), 2 * sizeof(std::string));
  const Random shapes = keys.random(topic_centres), random = keys.random(topic_points);
  std::vector<double> centres(columns * topics);
  for (std::size_t i = 0; i < centres.size(); ++i) centres[i] = shapes.normal(i);
  Column label{"topic", true, {}, std::vector<std::string>(keys.points())};
  const Ticker tick(progress, keys.points());
  const auto last_draw = static_cast<std::uint32_t>((columns + 1) / 2);
  for (std::size_t i = 0; i < keys.points(); ++i) {
    tick(i);
    const std::size_t topic = uniform_below(random.words(i, last_draw)[0], static_cast<std::uint32_t>(topics));
    label.texts[i] = std::to_string(topic);
    for (std::size_t column = 0; column < columns; column += 2) {
      const NormalPair pair = normal_pair(random.words(i, static_cast<std::uint32_t>(column / 2)));
      const auto place = [&](std::size_t c, double normal) {
        const double width = columns > 1 ? 1 - 0.95 * static_cast<double>(c) / static_cast<double>(columns - 1) : 1;
        data.table.columns[c].numbers[i] = static_cast<float>(centres[topic * columns + c] + 0.5 * width * normal);
      };
      place(column, pair.first);
      if (column + 1 < columns) place(column + 1, pair.second);
    }
  }
  data.table.columns.push_back(std::move(label));
  data.label = "topic";
  return data;
}

// Like texts: a row has few of the words, most of them those of its topic.
MadeData make_documents(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto words = static_cast<std::size_t>(keys.h.value());
  const std::uint64_t topics = static_cast<std::uint64_t>(keys.clusters.value());
  require_memory(source, static_cast<double>(keys.points()) * (24 * (sizeof(float) + sizeof(std::uint32_t)) + 64));
  const Random random = keys.random(document_words);
  auto rows = std::make_shared<SparseRows>();
  rows->columns = words;
  Column label{"topic", true, {}, std::vector<std::string>(keys.points())};
  const Ticker tick(progress, keys.points());
  for (std::size_t i = 0; i < keys.points(); ++i) {
    tick(i);
    const RandomWords first = random.words(i, 0);
    const std::uint32_t topic = uniform_below(first[0], static_cast<std::uint32_t>(topics)),
                        draws = 12 + uniform_below(first[1], 24);
    label.texts[i] = std::to_string(topic);
    std::map<std::uint32_t, double> counted;
    for (std::uint32_t draw = 1; draw <= draws; ++draw) {
      const RandomWords drawn = random.words(i, draw);
      const double u = uniform_double(drawn[0], drawn[1]);
      const auto rank = static_cast<std::uint64_t>(static_cast<double>(words) * u * u * u);
      const std::uint64_t order = uniform_below(drawn[2], 5) < 3 ? 1 + topic : 0;
      const auto seed = static_cast<std::uint64_t>(keys.seed.value()) * (topics + 1) + order;
      counted[static_cast<std::uint32_t>(Permutation(words, seed)(rank))] += std::log(2.0 + static_cast<double>(rank));
    }
    for (const auto& [word, value] : counted) {
      rows->index.push_back(word);
      rows->value.push_back(static_cast<float>(value));
    }
    rows->begin.push_back(rows->index.size());
  }
  MadeData data;
  data.table.source = source;
  data.table.format = "sample data";
  data.table.rows = keys.points();
  data.table.sparse = std::move(rows);
  data.table.columns.push_back(std::move(label));
  data.label = "topic";
  return data;
}

// The table of a graph's nodes; `make` gets a tick. A node and its edges take some `node_bytes` while they are made.
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
  source.remove_prefix(prefix.size());
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
  throw input_error(source + ": there are no sample data " + shown(name) + "; there is " + known);
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
      throw input_error(source + ": " + std::string(kind) + " has no " + shown(key) + "; it has " + known);
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
  return source.starts_with(prefix);
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
