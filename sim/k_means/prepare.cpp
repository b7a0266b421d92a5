#include "sim/k_means/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/random.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/text.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {
namespace {

std::string plural(std::size_t count, std::string_view noun) {
  std::string text = std::to_string(count);
  text += ' ';
  text += noun;
  if (count != 1) text += 's';
  return text;
}

// What a file of centroids has before the columns that take part: of k-means, of mean shift; none if it is no such
// file.
std::vector<std::string> columns_before(const Table& table, std::size_t dimensions) {
  std::vector<std::string> before = centroid_columns;
  if (table.columns.size() == dimensions + 3) before.emplace_back("density");
  const bool has_all = std::ranges::all_of(before, [&](auto& name) { return table.find(name); });
  return has_all && table.columns.size() == dimensions + before.size() ? before : std::vector<std::string>();
}

// The file's columns in the order of the data's: those with the names that a file of centroids gives the data's
// columns, or with the data's own, if it has them all; else all in their order, but for what a file of centroids has
// besides them.
std::vector<const Column*> coordinates_in(const Table& table, const Dataset& data) {
  const std::vector<std::string> before = columns_before(table, data.dimensions);
  std::vector<std::vector<std::string>> known;
  if (!before.empty()) known.push_back(names_beside(before, column_names(data), before.size()));
  if (table.has_header) known.push_back(column_names(data));
  for (const std::vector<std::string>& names : known) {
    std::vector<const Column*> named;
    for (const std::string& name : names) named.push_back(table.find(name));
    if (std::ranges::find(named, nullptr) == named.end()) return named;
  }
  std::vector<const Column*> all;
  for (const Column& column : table.columns)
    if (std::ranges::find(before, column.name) == before.end()) all.push_back(&column);
  return all;
}

std::vector<float> start_from_file(const Dataset& data, const Scaling& scaling, const std::string& file, int clusters) {
  const Table table = load_table({file});
  const std::size_t rows = static_cast<std::size_t>(clusters), d = data.dimensions;
  const std::vector<const Column*> columns = coordinates_in(table, data);
  for (const Column* column : columns)
    if (column->is_text) throw file_error(file, "column '" + column->name + "' is text; centroids are numbers");
  if (table.rows != rows || columns.size() != d)
    throw file_error(file, "expected " + plural(rows, "row") + " (clusters) of " + plural(d, "column") + ", found " +
                               plural(table.rows, "row") + " of " + plural(columns.size(), "column"));
  std::vector<float> start(rows * d);
  for (std::size_t k = 0; k < rows; ++k)
    for (std::size_t c = 0; c < d; ++c) {
      start[k * d + c] = scaling.scaled(c, columns[c]->numbers[k]);
      if (std::isnan(start[k * d + c])) throw file_error(file, "row " + std::to_string(k + 1) + " has a missing value");
    }
  return start;
}

// The smallest positive difference between two values of a column, over at most 4096 points; 0 if all are equal.
double least_step(const HostPoints& points, std::size_t column) {
  const std::size_t stride = (points.data->points + 4095) / 4096;
  std::vector<double> values;
  for (std::size_t i = 0; i < points.data->points; i += stride) values.push_back(points.exact_value(i, column));
  std::sort(values.begin(), values.end());
  double least = INFINITY;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] > values[i - 1]) least = std::min(least, values[i] - values[i - 1]);
  return least < INFINITY ? least : 0;
}

constexpr std::uint32_t weigh_stream = 0x6B77;  // stream of random numbers

// The point drawn from part j (see most_weighed); point j itself if the points are few enough to use them all.
std::size_t weighed_point(std::size_t points, std::size_t j, std::uint64_t seed) {
  if (points <= most_weighed) return j;
  const std::size_t first = j * points / most_weighed, next = (j + 1) * points / most_weighed;
  const RandomWords words = Random(seed, weigh_stream).words(j);
  return first + uniform_below(words[0], static_cast<std::uint32_t>(next - first));
}

// The number of different points, counted no further than `most`. O(points · dimensions) if there are fewer, and seldom
// more than O(most · dimensions) if there are many.
std::size_t different_points(const HostPoints& points, std::size_t most) {
  const std::size_t d = points.data->dimensions;
  std::vector<float> values(d);
  const auto hash = [&](std::size_t i) {
    for (std::size_t c = 0; c < d; ++c) values[c] = points.value(i, c) + 0.0f;  // −0 becomes 0
    return TextHash()({reinterpret_cast<const char*>(values.data()), sizeof(float) * values.size()});
  };
  const auto equal = [&](std::size_t a, std::size_t b) {
    for (std::size_t c = 0; c < d; ++c)
      if (points.value(a, c) != points.value(b, c)) return false;
    return true;
  };
  std::unordered_set<std::size_t, decltype(hash), decltype(equal)> found(0, hash, equal);
  for (std::size_t i = 0; i < points.data->points && found.size() < most; ++i) found.insert(i);
  return found.size();
}

}  // namespace

float fixed_scale(double magnitude, std::size_t points) {
  const int room = 62 - static_cast<int>(std::ceil(std::log2(static_cast<double>(points))));
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
  return std::ldexp(1.0f, std::clamp(std::min(fixed_bits, room) - exponent, -120, 120));
}

Weighed weighed(const HostPoints& points, const Prepared& prepared, std::uint64_t seed, int threads) {
  const std::size_t d = points.data->dimensions, N = points.data->points;
  Weighed weighed;
  weighed.count = std::min(N, most_weighed);
  weighed.panels.resize((weighed.count + panel - 1) / panel * panel * d);
  weighed.least_variance.resize(d);
  Cpu cpu(threads);
  cpu.tasks("weighed columns", static_cast<std::int64_t>(d), [&](std::int64_t column) {
    const std::size_t c = static_cast<std::size_t>(column);
    const double range = prepared.highest[c] - prepared.lowest[c], step = least_step(points, c);
    weighed.least_variance[c] = std::max({1e-12 * range * range, step * step / 12, 1e-300});
    for (std::size_t j = 0; j < weighed.count; ++j)
      weighed.panels[j / panel * panel * d + c * panel + j % panel] = points.value(weighed_point(N, j, seed), c);
  });
  return weighed;
}

UsedPoints::UsedPoints(const std::shared_ptr<const Dataset>& source, const KMeansParameters& parameters)
    : data(with_features(source, parameters.features.value())) {
  if (data == source) normalization = parameters.normalize.value();
  scaling = Scaling(*data, normalization);
  data = scaling.apply(data);
}

Table UsedPoints::centroid_table(const std::vector<std::int64_t>& sizes, const std::vector<double>& centroids) const {
  Table table;
  table.source = data->name;
  table.rows = sizes.size();
  Column cluster{centroid_columns[0]}, size{centroid_columns[1]};
  for (std::size_t k = 0; k < table.rows; ++k) {
    cluster.numbers.push_back(static_cast<double>(k));
    size.numbers.push_back(static_cast<double>(sizes[k]));
  }
  table.columns = {std::move(cluster), std::move(size)};
  const std::vector<std::string> names = names_beside(centroid_columns, column_names(*data), centroid_columns.size());
  for (std::size_t c = 0; c < data->dimensions; ++c) {
    std::vector<double> places;
    for (std::size_t k = 0; k < table.rows; ++k) places.push_back(centroids[k * data->dimensions + c]);
    table.columns.push_back({names[c], false, scaling.restored(c, std::move(places), !data->rest().empty())});
  }
  return table;
}

ColourUnits UsedPoints::colour_units() const {
  ColourUnits units{};
  const std::size_t first = data->dimensions - 3;
  for (std::size_t c = 0; c < 3; ++c) {
    units.zero[c] = static_cast<float>(scaling.restored(first + c, 0));
    units.unit[c] = static_cast<float>(scaling.unit(first + c));
  }
  return units;
}

std::pair<int, int> cluster_range(const HostPoints& points, const KMeansParameters& parameters) {
  const Dataset& data = *points.data;
  const auto sweep = parse_sweep(parameters.sweep.value());
  const int clusters = static_cast<int>(parameters.clusters.value());
  const std::pair<int, int> range = sweep ? *sweep : std::pair(clusters, clusters);
  const auto asked = static_cast<std::size_t>(range.second);
  const bool many = asked <= data.points;
  if (const std::size_t count = many ? different_points(points, asked) : data.points; asked > count) {
    const Error error = input_error(std::string(sweep ? "sweep" : "clusters") + ": " + std::to_string(range.second) +
                                    " clusters are more than " + plural(count, many ? "different point" : "point") +
                                    " of " + data.name);
    throw sweep ? error : error.with({"clusters", std::to_string(count)});
  }
  return range;
}

std::vector<float> given_start(const Dataset& data, const Scaling& scaling, const KMeansParameters& parameters,
                               int clusters) {
  const std::string& start = parameters.start.value();
  return is_file(start) ? start_from_file(data, scaling, start, clusters) : std::vector<float>{};
}

std::string column_name(const Dataset& data, std::size_t column) {
  return column < data.value_names.size() ? data.value_names[column] : numbered_name(column);
}

std::vector<std::string> column_names(const Dataset& data) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < data.dimensions; ++c) names.push_back(column_name(data, c));
  return names;
}

double inertia_limit(const Dataset& data, const Prepared& prepared, const std::vector<float>& given) {
  const std::size_t d = prepared.lowest.size();
  double square = 0;
  for (std::size_t c = 0; c < d; ++c) {
    double lowest = prepared.lowest[c], highest = prepared.highest[c];
    for (std::size_t at = c; at < given.size(); at += d) {
      lowest = std::min<double>(lowest, given[at]);
      highest = std::max<double>(highest, given[at]);
    }
    square += (highest - lowest) * (highest - lowest);
  }
  const std::string range = data.name + ": the range of its points and centroids is too ";
  if (square > std::numeric_limits<float>::max())
    throw input_error(range + "wide for squared distances in float32: divide the columns by a power of ten");
  if (square > 0 && square < 1e-30)
    throw input_error(range + "narrow for squared distances in float32: multiply the columns by a power of ten");
  return std::max(square * static_cast<double>(data.points), least_inertia_limit);
}

}  // namespace kinescope::sim::k_means
