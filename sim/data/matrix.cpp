#include "sim/data/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "sim/core/components.hpp"
#include "sim/core/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr double rounding = 1e-6;   // of the largest value
constexpr double same_half = 1e-5;  // two distances that differ by less are the same
constexpr double little = 0.01;     // by so much halves may differ without a question

// The table, square.
struct Square {
  std::size_t n;
  std::span<float> values;
  float& at(std::size_t i, std::size_t j) const { return values[i * n + j]; }
  float largest() const {
    float most = -std::numeric_limits<float>::infinity();
    for (const float value : values) most = value > most ? value : most;  // not for a NaN
    return most;
  }
};

// True if all of the diagonal has the largest value, which is above 0, and not all other values have it.
bool looks_like_similarities(const Square& table, float largest) {
  if (!(largest > 0) || table.n < 2) return false;
  bool below = false;
  for (std::size_t i = 0; i < table.n; ++i) {
    if (!(table.at(i, i) >= largest * float(1 - rounding))) return false;
    for (std::size_t j = 0; j < i; ++j) below = below || table.at(i, j) < largest * float(1 - rounding);
  }
  return below;
}

void take_similarities(const Square& table, const std::string& name, std::vector<std::string>& remarks) {
  const float largest = table.largest();
  for (std::size_t i = 0; i < table.n; ++i)
    if (table.at(i, i) < largest * float(1 - rounding))
      throw input_error(name + ": metric=matrix: row " + std::to_string(i + 1) + ", column " + std::to_string(i + 1) +
                        ": the similarity of a row with itself must be the largest, " + number_text(largest));
  for (float& value : table.values) value = largest - value;
  remarks.push_back("similarities: the distance of two rows is " + number_text(largest) + " minus their similarity");
}

// Whether a half has nothing but missing values and zeros; above: the one above the diagonal.
bool is_blank(const Square& table, bool above) {
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const float value = above ? table.at(j, i) : table.at(i, j); value != 0 && !std::isnan(value)) return false;
  return true;
}

void complete_triangle(const Square& table, std::vector<std::string>& remarks) {
  const bool upper = is_blank(table, true), lower = is_blank(table, false);
  if (upper == lower) return;
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      (upper ? table.at(j, i) : table.at(i, j)) = upper ? table.at(i, j) : table.at(j, i);
  remarks.push_back(std::string("only the half ") + (upper ? "below" : "above") +
                    " the diagonal has distances; the other is completed");
}

// Makes the halves equal. A pair of which one distance is missing has the other.
void join_halves(const Square& table, bool asked, const std::string& name, std::vector<std::string>& remarks) {
  const double largest = table.largest();
  double most = 0;
  std::size_t row = 0, column = 0;
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      float &here = table.at(i, j), &across = table.at(j, i);
      if (std::isnan(here)) here = across;
      if (std::isnan(across)) across = here;
      const double difference = std::abs(double(here) - double(across));
      if (difference > most) most = difference, row = j, column = i;
    }
  if (most <= same_half * largest) return;  // their mean is taken where distances are read
  const std::string where = "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) + " is " +
                            number_text(table.at(row, column)) + ", and row " + std::to_string(column + 1) +
                            ", column " + std::to_string(row + 1) + " is " + number_text(table.at(column, row));
  if (most > little * largest && !asked)
    throw input_error(name + ": metric=matrix: the halves differ: " + where +
                      "; `--mean-of-halves` takes the mean of both")
        .with({.text = "Take the mean of both halves", .mean_of_halves = true});
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      table.at(i, j) = table.at(j, i) = float((double(table.at(i, j)) + double(table.at(j, i))) / 2);
  remarks.push_back("the halves differ, so that each distance is the mean of both (at most: " + where + ")");
}

void note_missing(const Square& table, Dataset& dataset, std::vector<std::string>& remarks) {
  std::uint64_t missing = 0;
  std::vector<std::uint32_t> parent(table.n);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t point) {
    while (parent[point] != point) point = parent[point] = parent[parent[point]];
    return point;
  };
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (std::isnan(table.at(i, j))) {
        ++missing;
        continue;
      }
      const std::uint32_t a = root(std::uint32_t(i)), b = root(std::uint32_t(j));
      parent[std::max(a, b)] = std::min(a, b);
    }
  if (missing == 0) return;
  for (std::uint32_t point = 0; point < table.n; ++point) parent[point] = root(point);
  std::vector<std::uint32_t> components = largest_first(std::move(parent));
  const std::size_t count = 1 + *std::max_element(components.begin(), components.end());
  if (missing == std::uint64_t{table.n} * (table.n - 1) / 2)
    throw input_error(dataset.name + ": metric=matrix: no pair of rows has a distance");
  dataset.pairs_left_out = missing;
  if (count > 1) dataset.components = std::move(components);
  remarks.push_back(count_of(missing, "pair") + (missing == 1 ? " has" : " have") + " no distance and " +
                    (missing == 1 ? "takes" : "take") + " no part" +
                    (count > 1 ? "; " + count_of(count, "component") + " side by side" : ""));
}

}  // namespace

void tidy_distances(const DataRequest& request, Dataset& dataset, std::vector<std::string>& remarks) {
  const std::size_t n = dataset.points;
  if (dataset.dimensions != n)
    throw input_error(dataset.name + ": metric=matrix: " + count_of(n, "row") + " and " +
                      count_of(dataset.dimensions, "column") +
                      ", not square; a table of distances has a column for each row");
  const Square table{n, dataset.values};
  const float largest = table.largest();
  if (request.similarities) {
    complete_triangle(table, remarks);
    take_similarities(table, dataset.name, remarks);
  } else if (looks_like_similarities(table, largest)) {
    throw input_error(dataset.name + ": metric=matrix: these seem to be similarities, with " + number_text(largest) +
                      " on the diagonal and nothing above; `--similarities` makes them distances, " +
                      number_text(largest) + " minus each")
        .with({.text = "Use as similarities", .similarities = true});
  }
  const double rounded = rounding * double(std::abs(table.largest()));
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(table.at(i, i))) table.at(i, i) = 0;
    for (std::size_t j = 0; j < n; ++j)
      if (float& value = table.at(i, j); value < 0 || i == j)
        if (std::abs(double(value)) <= rounded) value = 0;
  }
  complete_triangle(table, remarks);
  join_halves(table, request.mean_of_halves, dataset.name, remarks);
  note_missing(table, dataset, remarks);
}

}  // namespace kinescope::sim
