// Points to compute with, and what is known about each of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kinescope/distance_feeder.hpp"
#include "kinescope/graph.hpp"
#include "kinescope/sparse_rows.hpp"
#include "kinescope/table.hpp"
#include "kinescope/values.hpp"

namespace kinescope::sim {

struct Findings;  // sim/data/findings.hpp

// The number of points for which DenseRows::values may keep room: k-means lays panels of 128 points out in place.
inline std::size_t room_for_points(std::size_t points) {
  return (points + 127) / 128 * 128;
}

// [points × dimensions] numbers, row-major, finite.
struct DenseRows {
  Values values;               // each column's numbers minus its origin, so that float32 keeps the digits of columns
                               // far from zero
  std::vector<double> origin;  // [dimensions]; empty: all are 0
  // [points × dimensions], what float32 lost of `values`, if that matters even so (columns of which a part is far from
  // the rest); else empty. Figures are measured with it; steps are computed without it.
  std::vector<float> rest;
};

struct Dataset {
  std::string name;  // for titles: "cancer.csv", "synthetic:colours,n=4096"
  std::size_t points = 0;
  std::size_t dimensions = 0;  // columns that take part in distances; 0 with distances
  // Rows, sparse rows [points] of `dimensions` columns, or distances between points without rows.
  std::variant<DenseRows, std::shared_ptr<const SparseRows>, std::shared_ptr<const DistanceFeeder>> numbers;
  std::vector<std::string> value_names;  // [dimensions]
  std::shared_ptr<const Graph> graph;    // the edges among the points, to be drawn; or null

  // The rows, to be filled; throws std::bad_variant_access if there are none.
  DenseRows& rows() { return std::get<DenseRows>(numbers); }
  // The rows; empty if the numbers are others.
  const DenseRows& rows() const {
    const auto* const dense = std::get_if<DenseRows>(&numbers);
    return dense ? *dense : no_rows();
  }
  const Values& values() const { return rows().values; }
  const std::vector<double>& origin() const { return rows().origin; }
  const std::vector<float>& rest() const { return rows().rest; }
  // Null if the numbers are others.
  const SparseRows* sparse() const { return held<SparseRows>(); }
  const DistanceFeeder* distances() const { return held<DistanceFeeder>(); }

  // The component of each point, [points], numbered as by components_of: no distance leads from one component to
  // another (distances, and rows with metric=matrix, are NaN there). Empty: all points are one component.
  std::vector<std::uint32_t> components;
  std::uint64_t pairs_left_out = 0;  // how many pairs have no distance, within components too
  // Of a component that is laid out alone: its points' places in the layout that the parameter `start` names, [points ×
  // output dimensions]; else empty.
  std::vector<double> start;

  double origin_of(std::size_t column) const { return origin().empty() ? 0 : origin()[column]; }
  // A number of a point minus its column's origin. The number itself is within a double's rounding of this plus the
  // origin.
  double value(std::size_t point, std::size_t column) const {
    const std::size_t at = point * dimensions + column;
    const DenseRows& all = rows();
    return all.rest.empty() ? static_cast<double>(all.values[at])
                            : static_cast<double>(all.values[at]) + static_cast<double>(all.rest[at]);
  }

  // The column that colours the points: each point has the index of its class in label_names, whose order is that of
  // the legend.
  std::string label_name;                // "" if there is none
  std::vector<std::uint32_t> labels;     // [points], or empty
  std::vector<std::string> label_names;  // the distinct labels' texts

  // Each point's own colour (made data, images, columns r, g, b): 8-bit sRGB as in a picture file; empty if there is
  // none.
  std::vector<std::array<std::uint8_t, 4>> colours;
  bool label_before_colours = false;  // the label was asked for, so it colours the points at first

  // The picture if the points are its pixels; `table` then has the columns x, y, r, g, b.
  Picture picture;

  // Every column of the source, without the rows that were left out: hover shows them, and points can be coloured by
  // them.
  Table table;
  std::vector<std::size_t> rows_left_out;  // their line numbers in the file (from 1), ascending

  std::shared_ptr<const Findings>
      findings;  // what was decided when the source was opened, and what might be better; or null

 private:
  template <class T>
  const T* held() const {
    const auto* const pointer = std::get_if<std::shared_ptr<const T>>(&numbers);
    return pointer ? pointer->get() : nullptr;
  }
  static const DenseRows& no_rows();
};

// Throws Error (input) if there are no points or columns, or if arrays are shorter than `points` and `dimensions` say.
// In data that load_dataset did not make (table.source is empty) it also looks for numbers that are not finite, and for
// sparse rows out of order. Making a simulation calls it. O(1), or O(values) on all threads.
//
// `distances_may_lack`: the rows are distances, of which those between components are NaN.
void check(const Dataset& data, bool distances_may_lack = false);

}  // namespace kinescope::sim
