#include "sim/data/distance_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/in_parallel.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

class DistanceMatrix : public DistanceFeeder {
 public:
  explicit DistanceMatrix(const Dataset& data) : data_(data) {}

  std::size_t points() const override { return data_.points; }
  void row(std::size_t from, std::span<float> distances) const override {
    std::copy_n(data_.values.begin() + static_cast<std::ptrdiff_t>(from * data_.points), data_.points,
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
      const float value = data.values[i * n + j], other = data.values[j * n + i];
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

}  // namespace

std::string distance_flaw(std::size_t from, std::size_t to, float distance) {
  if (distance < 0) return place(from, to) + ": a distance is negative";
  if (!std::isfinite(distance)) return place(from, to) + ": a distance is not a finite number";
  if (from == to && distance != 0) return place(from, to) + ": the distance of a point from itself must be 0";
  return "";
}

std::string mirror_flaw(std::size_t from, std::size_t to) {
  return place(from, to) + " and " + place(to, from) + " differ, but must be the same distance";
}

std::unique_ptr<const DistanceFeeder> distance_matrix(const Dataset& data) {
  const std::size_t n = data.points;
  const auto refuse = [&](const std::string& why) { throw input_error(data.name + ": metric=matrix: " + why); };
  if (data.sparse) refuse("sparse rows are not a table of distances; save it as an array");
  if (!data.rows_left_out.empty())
    refuse("distances are missing, the first in line " + std::to_string(data.rows_left_out.front()) +
           "; every pair needs a distance");
  if (data.dimensions != n) refuse(count_of(n, "row") + " and " + count_of(data.dimensions, "column") + ", not square");
  float largest = 0;
  for (const float value : data.values) largest = value > largest ? value : largest;  // not for a NaN
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
