#include "sim/glimmer/rivals/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/glimmer/stress.hpp"
#include "kinescope/random.hpp"
#include "sim/data/text.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/classic_scaling.hpp"
#include "sim/glimmer/rivals/pivot_layouts.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::uint32_t stream_scatter = 405, stream_apart = 406;

// How far points that share a place are moved apart, as a part of the layout's size. It is so far that float32's
// rounding does not decide the direction, and too little to show. The value was found on synthetic:tree,n=5500, whose
// leaves come in fours. There, adding sums in another order changes the layout after ten iterations by 1e-5 of its
// size; with 1e-6 as the value here it changes by 3e-4, with 0 by 8e-2.
constexpr double apart = 1e-5;

// With more points, the stress is sampled, so that a run need not wait for all pairs.
constexpr std::size_t most_exact = 5'000;

// The rows of the data's source that became points, counted from 0.
std::vector<std::size_t> rows_of_points(const Dataset& data) {
  std::vector<std::size_t> rows;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < data.points; ++i) {
    while (left_out < data.rows_left_out.size() && data.rows_left_out[left_out] < data.table.row_lines[i]) ++left_out;
    rows.push_back(i + left_out);
  }
  return rows;
}

std::vector<double> scattered(std::size_t points, std::size_t L, std::uint64_t seed) {
  const Random random(seed, stream_scatter);
  std::vector<double> x(points * L);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t l = 0; l < L; ++l) x[i * L + l] = random.normal(i, static_cast<std::uint32_t>(l));
  return x;
}

// Moves points that share a place apart. Otherwise rounding alone would decide the direction in which they are pushed
// apart, a different one on each backend.
void move_apart(std::span<double> x, std::size_t L, const InputDistances& distances, std::uint64_t seed) {
  const auto place = [&](std::size_t i) { return x.subspan(i * L, L); };
  const auto before = [&](std::size_t i, std::size_t j) {
    return std::ranges::lexicographical_compare(place(i), place(j));
  };
  std::vector<std::size_t> order(distances.points());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<std::size_t> shared;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (!before(order[k - 1], order[k])) shared.push_back(order[k]);
  if (shared.empty()) return;
  double size = 0;
  for (const double coordinate : x) size = std::max(size, std::abs(coordinate));
  if (shared.size() + 1 == order.size()) {  // all points share one place
    std::vector<float> row(distances.points());
    whole_row(distances, 0, row);
    size = static_cast<double>(*std::ranges::max_element(row));
  }
  const Random random(seed, stream_apart);
  for (const std::size_t i : shared)
    for (std::size_t l = 0; l < L; ++l) place(i)[l] += apart * size * random.normal(i, static_cast<std::uint32_t>(l));
}

// What start=auto means: classical scaling for methods that say so, such as SMACOF, which ends far from the best layout
// from some random starts. Where that would need the distances of too many pairs, Pivot MDS takes its place.
std::string own_start(const InputDistances& distances, const Dataset& data, const GlimmerParameters& parameters) {
  if (!parameters.algorithm.value().begins_classic || has_gaps(data)) return "random";
  return distances.euclidean_rows() || data.points <= most_exact ? "classic" : "pivot";
}

}  // namespace

std::vector<double> layout_from_file(const std::string& file, const Dataset& data, std::size_t L) {
  if (!data.start.empty()) return data.start;
  const Table table = load_table({file});
  static constexpr const char* names[] = {"x", "y", "z"};
  std::vector<const Column*> columns;
  for (std::size_t l = 0; l < L; ++l)
    if (const Column* column = table.find(names[l]); column && !column->is_text) columns.push_back(column);
  if (columns.size() < L) {
    columns.clear();
    for (const Column& column : table.columns)
      if (!column.is_text && columns.size() < L) columns.push_back(&column);
  }
  if (columns.size() < L)
    throw file_error(file,
                     "expected " + count_of(L, "column") + " of numbers, found " + std::to_string(columns.size()));
  const bool whole = table.rows == data.points + data.rows_left_out.size() && !data.rows_left_out.empty() &&
                     data.table.row_lines.size() == data.points;
  if (table.rows != data.points && !whole)
    throw file_error(file, "expected " + count_of(data.points, "row") + ", as " + data.name + " has, found " +
                               with_commas(table.rows));
  const std::vector<std::size_t> rows = whole ? rows_of_points(data) : std::vector<std::size_t>();
  std::vector<double> x(data.points * L);
  for (std::size_t i = 0; i < data.points; ++i)
    for (std::size_t l = 0; l < L; ++l) {
      const std::size_t row = whole ? rows[i] : i;
      x[i * L + l] = static_cast<double>(columns[l]->numbers[row]);
      if (std::isnan(x[i * L + l])) throw file_error(file, "row " + std::to_string(row + 1) + " has a missing value");
    }
  return x;
}

std::vector<double> start_layout(const InputDistances& distances, const StressFigure& figure, const Dataset& data,
                                 GlimmerParameters& parameters, std::uint64_t seed) {
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  std::string start = parameters.start.value();
  if (start == "auto") start = own_start(distances, data, parameters);
  std::vector<double> x;
  if (has_gaps(data) && (start == "classic" || start == "pivot"))
    throw input_error(data.name + ": start=" + start + " needs every distance, but some pairs have none")
        .with({.parameter = "start", .value = "random"});
  if (start == "random") {
    x = scattered(data.points, L, seed);
  } else if (start == "classic") {
    ClassicScaling classic(data, parameters, seed);
    while (!classic.seen().converged) classic.step();
    x = classic.layout();
  } else if (start == "pivot") {
    Pivots pivots(distances, seed);
    while (pivots.count() < static_cast<std::size_t>(parameters.pivots.value()) && pivots.add()) continue;
    x = pivot_layout(pivots, data.points, L);
  } else {
    x = layout_from_file(start, data, L);
  }
  for (std::size_t l = 0; l < L; ++l) {
    double mean = 0;
    for (std::size_t i = 0; i < data.points; ++i) mean += x[i * L + l] / static_cast<double>(data.points);
    for (std::size_t i = 0; i < data.points; ++i) x[i * L + l] -= mean;
  }
  const double scale = figure.of(x, L).scale;
  for (double& value : x) value *= scale;
  move_apart(x, L, distances, seed);
  return x;
}

std::optional<GivenStart> given_start(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed) {
  if (!parameters.has_given_start()) return std::nullopt;
  const InputDistances distances(data, parameters);
  const std::vector<double> x = start_layout(distances, StressFigure(distances), data, parameters, seed);
  GivenStart given{{x.begin(), x.end()}, {}};
  given.stress = full_stress(distances, given.layout, {}, {.most_exact = most_exact});
  return given;
}

bool GivenStart::beaten_by(std::span<const float> other, const Dataset& data, GlimmerParameters& parameters) const {
  const FullStress found = full_stress(InputDistances(data, parameters), other, {}, {.most_exact = most_exact});
  return found.value < stress.value - 3 * std::hypot(found.standard_error, stress.standard_error);
}

}  // namespace kinescope::sim::glimmer
