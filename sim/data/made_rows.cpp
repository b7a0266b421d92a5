// Sample data that are rows of numbers; made.hpp says what each holds.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/made_keys.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t most_centre_values = std::size_t{1} << 27;  // columns × clusters or topics

// A table of zeros with columns of these names, if memory suffices; `extra_bytes` is what a point costs in addition to
// its values.
Table zeros(const std::string& source, std::size_t points, const std::vector<std::string>& names,
            double extra_bytes = 0) {
  // The values exist twice, as columns of the table and as rows of the data set; making the data set also lists the
  // rows.
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

}  // namespace

MadeData make_grid(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto columns = static_cast<std::size_t>(keys.h.value());
  const double noise = keys.noise.value();
  if (noise > 0 && columns < 3) throw input_error(source + ": the noise is in column 2, so h must be at least 3");
  MadeData data;
  data.table = zeros(source, keys.points(), numbered(columns));
  const std::size_t width = root_rounded_up(keys.points(), 2);
  const Random random = keys.random(grid_noise);
  const Ticker tick(progress, keys.points());
  for (std::size_t i = 0; i < keys.points(); ++i) {
    tick(i);
    const auto set = [&](std::size_t c, double value) {
      data.table.columns[c].numbers.set(i, static_cast<float>(value));
    };
    set(0, static_cast<double>(i % width) / static_cast<double>(width));
    set(1, static_cast<double>(i / width) / static_cast<double>(width));
    if (noise > 0) set(2, noise * random.normal(i));
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
    data.table.columns[0].numbers.set(i, static_cast<float>(std::numbers::pi * half_turns * direction.cosine));
    data.table.columns[1].numbers.set(i, static_cast<float>(21 * uniform_double(words[2], words[3])));
    data.table.columns[2].numbers.set(i, static_cast<float>(std::numbers::pi * half_turns * direction.sine));
  }
  return data;
}

MadeData make_simplex(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const std::size_t points = keys.points();
  constexpr std::size_t most = 46'340;  // 8.6 GB
  if (points > most)
    throw input_error(source + ": n: expected a whole number from 1 to 46340, found '" + keys.n.text() + "'");
  MadeData data;
  data.table = zeros(source, points, numbered(points));
  const Ticker tick(progress, points);
  for (std::size_t i = 0; i < points; ++i) {
    tick(i);
    data.table.columns[i].numbers.set(i, 1.0f);
  }
  return data;
}

namespace {

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

}  // namespace

// If n is not a cube, takes n points of the next larger lattice, spread evenly over it.
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
    for (int column = 0; column < 3; ++column)
      data.table.columns[column].numbers.set(i, static_cast<float>(lab[column]));
  }
  return data;
}

namespace {

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

// Calls f(column, normal) for each column of a point, with draws from N(0, 1).
template <class F>
void each_normal(const Random& random, std::size_t point, std::size_t columns, F f) {
  for (std::size_t column = 0; column < columns; column += 2) {
    const NormalPair pair = normal_pair(random.words(point, static_cast<std::uint32_t>(column / 2)));
    f(column, pair.first);
    if (column + 1 < columns) f(column + 1, pair.second);
  }
}

}  // namespace

MadeData make_gaussians(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto columns = static_cast<std::size_t>(keys.k.value()),
             clusters = static_cast<std::size_t>(keys.clusters.value());
  if (columns * clusters > most_centre_values)
    throw input_error(source + ": k × clusters must be at most " + std::to_string(most_centre_values));
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
    each_normal(random, i, columns, [&](std::size_t c, double normal) {
      const std::size_t shape = cluster * columns + c;
      data.table.columns[c].numbers.set(
          i, static_cast<float>(gaussians.means[shape] + gaussians.deviations[shape] * normal));
    });
  }
  data.table.columns.push_back(std::move(label));
  data.label = "cluster";
  return data;
}

// Resembles embeddings of texts: a centre for each topic, and noise around it that is narrower in each further column.
MadeData make_topics(const std::string& source, const Keys& keys, LoadProgress* progress) {
  const auto columns = static_cast<std::size_t>(keys.h.value()),
             topics = static_cast<std::size_t>(keys.clusters.value());
  if (columns * topics > most_centre_values)
    throw input_error(source + ": h × clusters must be at most " + std::to_string(most_centre_values));
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
    each_normal(random, i, columns, [&](std::size_t c, double normal) {
      const double width = columns > 1 ? 1 - 0.95 * static_cast<double>(c) / static_cast<double>(columns - 1) : 1;
      data.table.columns[c].numbers.set(i, static_cast<float>(centres[topic * columns + c] + 0.5 * width * normal));
    });
  }
  data.table.columns.push_back(std::move(label));
  data.label = "topic";
  return data;
}

// Resembles texts: a row has few of the words, and most of them belong to its topic.
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

}  // namespace kinescope::sim
