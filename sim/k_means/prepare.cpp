#include "sim/k_means/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/executors/cpu.hpp"
#include "sim/data/load.hpp"
#include "sim/data/text.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {
namespace {

// Facts about one column, over some of the points.
struct ColumnFacts {
  double lowest = INFINITY, highest = -INFINITY, sum = 0;
};

// 2^e such that N values of at most `magnitude` have fixed_bits bits, or as many as let the sum fit in 64 bits.
float fixed_scale(double magnitude, std::size_t points) {
  const int room = 62 - static_cast<int>(std::ceil(std::log2(static_cast<double>(points))));
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
  return std::ldexp(1.0f, std::clamp(std::min(fixed_bits, room) - exponent, -120, 120));
}

std::string plural(std::size_t count, std::string_view noun) {
  std::string text = std::to_string(count);
  text += ' ';
  text += noun;
  if (count != 1) text += 's';
  return text;
}

std::vector<float> start_from_file(const Dataset& data, const Scaling& scaling, const std::string& file, int clusters) {
  const Table table = load_table(file);
  const std::size_t rows = static_cast<std::size_t>(clusters), d = data.dimensions;
  for (const Column& column : table.columns)
    if (column.is_text) throw file_error(file, "column '" + column.name + "' is text; centroids are numbers");
  if (table.rows != rows || table.columns.size() != d)
    throw file_error(file, "expected " + plural(rows, "row") + " (clusters) of " + plural(d, "column") + ", found " +
                               plural(table.rows, "row") + " of " + plural(table.columns.size(), "column"));
  std::vector<float> start(rows * d);
  for (std::size_t k = 0; k < rows; ++k)
    for (std::size_t c = 0; c < d; ++c) {
      start[k * d + c] = scaling.scaled(c, table.columns[c].numbers[k]);
      if (std::isnan(start[k * d + c])) throw file_error(file, "row " + std::to_string(k + 1) + " has a missing value");
    }
  return start;
}

// The smallest difference between values of a column, over at most 4096 points; 0 if all are equal.
double least_step(const Dataset& data, std::size_t column) {
  const std::size_t stride = (data.points + 4095) / 4096;
  std::vector<float> values;
  for (std::size_t i = 0; i < data.points; i += stride) values.push_back(data.values[i * data.dimensions + column]);
  std::sort(values.begin(), values.end());
  double least = INFINITY;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] > values[i - 1]) least = std::min(least, static_cast<double>(values[i]) - values[i - 1]);
  return least < INFINITY ? least : 0;
}

// Totals of one column, over some of the points.
struct Totals {
  std::int64_t sum = 0;
  double square = 0;
};

// Computes the sums that need scales and centre; `for_points(chunk, act)` visits the points of one of many parts.
template <class ForPoints>
void add_totals(const Dataset& data, Cpu& cpu, std::int64_t chunk_count, const ForPoints& for_points,
                Prepared& prepared) {
  const std::size_t d = data.dimensions;
  std::vector<Totals> totals(static_cast<std::size_t>(chunk_count) * d);
  cpu.tasks("totals", chunk_count, [&](std::int64_t chunk) {
    Totals* own = totals.data() + static_cast<std::size_t>(chunk) * d;
    for_points(chunk, [&](std::size_t i) {
      for (std::size_t c = 0; c < d; ++c) {
        const float x = data.values[i * d + c];
        const double offset = static_cast<double>(x) - prepared.centre[c];
        own[c].sum += to_fixed(x, prepared.scale[c]);
        own[c].square += offset * offset;
      }
    });
  });
  prepared.totals.assign(d, 0);
  for (std::size_t t = 0; t < totals.size(); ++t) {
    prepared.totals[t % d] += totals[t].sum;
    prepared.total_square += totals[t].square;
  }
}

}  // namespace

Prepared prepare(const Dataset& data, int threads) {
  const std::size_t N = data.points, d = data.dimensions;
  if (d == 0) throw input_error(data.name + ": no column of numbers is used");
  Cpu cpu(threads);
  const std::int64_t panels = static_cast<std::int64_t>((N + panel - 1) / panel);
  const std::int64_t chunk_count = std::clamp<std::int64_t>(panels / 64, 1, 64);
  Prepared prepared;
  prepared.panels.resize(static_cast<std::size_t>(panels) * panel * d);
  std::vector<ColumnFacts> facts(static_cast<std::size_t>(chunk_count) * d);
  const auto for_points = [&](std::int64_t chunk, auto act) {
    const std::size_t begin = static_cast<std::size_t>(panels * chunk / chunk_count) * panel;
    const std::size_t end = std::min(N, static_cast<std::size_t>(panels * (chunk + 1) / chunk_count) * panel);
    for (std::size_t i = begin; i < end; ++i) act(i);
  };
  cpu.tasks("panels", chunk_count, [&](std::int64_t chunk) {
    ColumnFacts* own = facts.data() + static_cast<std::size_t>(chunk) * d;
    for_points(chunk, [&](std::size_t i) {
      for (std::size_t c = 0; c < d; ++c) {
        const float x = data.values[i * d + c];
        prepared.panels[i / panel * panel * d + c * panel + i % panel] = x;
        own[c].lowest = std::min<double>(own[c].lowest, x);
        own[c].highest = std::max<double>(own[c].highest, x);
        own[c].sum += x;
      }
    });
  });
  double rounding = 0;  // Σ over the columns of (mean − centre)²
  for (std::size_t c = 0; c < d; ++c) {
    ColumnFacts whole;
    for (std::int64_t chunk = 0; chunk < chunk_count; ++chunk) {
      const ColumnFacts& own = facts[static_cast<std::size_t>(chunk) * d + c];
      whole = {std::min(whole.lowest, own.lowest), std::max(whole.highest, own.highest), whole.sum + own.sum};
    }
    prepared.lowest.push_back(whole.lowest);
    prepared.highest.push_back(whole.highest);
    const double mean = whole.sum / static_cast<double>(N);
    prepared.centre.push_back(static_cast<float>(mean));
    rounding += (mean - prepared.centre[c]) * (mean - prepared.centre[c]);
    prepared.scale.push_back(fixed_scale(std::max(std::fabs(whole.lowest), std::fabs(whole.highest)), N));
    const double range = whole.highest - whole.lowest, step = least_step(data, c);
    prepared.least_variance.push_back(std::max({1e-12 * range * range, step * step / 12, 1e-300}));
  }
  add_totals(data, cpu, chunk_count, for_points, prepared);
  prepared.mean_variance =
      std::max(0.0, prepared.total_square / static_cast<double>(N) - rounding) / static_cast<double>(d);
  return prepared;
}

std::pair<int, int> cluster_range(const Dataset& data, const KMeansParameters& parameters) {
  const auto sweep = parse_sweep(parameters.sweep.value());
  const int clusters = static_cast<int>(parameters.clusters.value());
  const std::pair<int, int> range = sweep ? *sweep : std::pair(clusters, clusters);
  if (static_cast<std::size_t>(range.second) > data.points) {
    const Error error = input_error(std::string(sweep ? "sweep" : "clusters") + ": " + std::to_string(range.second) +
                                    " clusters are more than " + plural(data.points, "point") + " of " + data.name);
    throw sweep ? error : error.with({"clusters", std::to_string(data.points)});
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
  return std::max(square * static_cast<double>(data.points), 1e-280);
}

}  // namespace kinescope::sim::k_means
