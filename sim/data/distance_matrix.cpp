#include "sim/data/distance_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

class DistanceMatrix : public DistanceFeeder {
 public:
  explicit DistanceMatrix(const Dataset& data) : data_(data) {}

  std::size_t points() const override { return data_.points; }
  void row(std::size_t from, std::span<float> distances) const override {
    std::copy_n(data_.values().begin() + static_cast<std::ptrdiff_t>(from * data_.points), data_.points,
                distances.begin());
  }
  std::string description() const override { return count_of(data_.points, "row") + " of distances"; }

 private:
  const Dataset& data_;
};

constexpr std::size_t tile = 64;  // rows and columns that are compared at a time, so that both blocks are in the cache

// Says what is wrong with the distances between two blocks of points; "" if nothing is.
std::string complaint(const Dataset& data, std::size_t rows, std::size_t columns, float allowed) {
  const std::size_t n = data.points;
  for (std::size_t i = rows; i < std::min(n, rows + tile); ++i)
    for (std::size_t j = columns; j < std::min(n, columns + tile); ++j) {
      const float value = data.values()[i * n + j], other = data.values()[j * n + i];
      if (std::isnan(value) && std::isnan(other) && i != j && data.pairs_left_out > 0) continue;
      if (std::string flaw = distance_flaw(i, j, value); !flaw.empty()) return flaw;
      if (std::string flaw = distance_flaw(j, i, other); !flaw.empty()) return flaw;
      if (std::abs(value - other) > allowed) return mirror_flaw(i, j);
    }
  return "";
}

std::string place(std::size_t row, std::size_t column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

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
  JoinedNodes joined(table.n);
  for (std::size_t i = 0; i < table.n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (std::isnan(table.at(i, j)))
        ++missing;
      else
        joined.join(std::uint32_t(i), std::uint32_t(j));
    }
  if (missing == 0) return;
  std::vector<std::uint32_t> components = std::move(joined).components();
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
  const Square table{n, dataset.rows().values.own()};
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

std::string distance_flaw(std::size_t from, std::size_t to, float distance) {
  if (distance < 0) return place(from, to) + ": a distance is negative";
  if (!std::isfinite(distance)) return place(from, to) + ": a distance is not a finite number";
  constexpr float largest = 1e18f;  // its square is within float32
  if (distance > largest) return place(from, to) + ": a distance is too large for float32";
  if (from == to && distance != 0) return place(from, to) + ": the distance of a point from itself must be 0";
  return "";
}

std::string mirror_flaw(std::size_t from, std::size_t to) {
  return place(from, to) + " and " + place(to, from) + " differ, but must be the same distance";
}

std::unique_ptr<const DistanceFeeder> distance_matrix(const Dataset& data) {
  const std::size_t n = data.points;
  const auto refuse = [&](const std::string& why) { throw input_error(data.name + ": metric=matrix: " + why); };
  if (data.sparse()) refuse("sparse rows are not a table of distances; save it as an array");
  if (!data.rows_left_out.empty())
    refuse("distances are missing, the first in line " + std::to_string(data.rows_left_out.front()) +
           "; every pair needs a distance");
  if (data.dimensions != n) refuse(count_of(n, "row") + " and " + count_of(data.dimensions, "column") + ", not square");
  float largest = 0;
  for (const float value : data.values()) largest = value > largest ? value : largest;  // not for a NaN
  std::vector<std::string> complaints((n + tile - 1) / tile);
  in_parallel(complaints.size(), 1, [&](std::size_t block) {
    for (std::size_t column = 0; column <= block * tile && complaints[block].empty(); column += tile)
      complaints[block] = complaint(data, block * tile, column, 1e-5f * largest);
  });
  for (const std::string& each : complaints)
    if (!each.empty()) refuse(each);
  return std::make_unique<DistanceMatrix>(data);
}

}  // namespace kinescope::sim
