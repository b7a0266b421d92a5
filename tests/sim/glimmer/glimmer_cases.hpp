// Small datasets and runs that Glimmer's tests share.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/glimmer/stress.hpp"
#include "kinescope/random.hpp"
#include "sim/data/text.hpp"
#include "tests/sim/trial.hpp"

namespace kinescope::sim::cases {

inline std::shared_ptr<Dataset> dataset(std::size_t points, std::size_t dimensions, std::vector<float> values) {
  auto data = std::make_shared<Dataset>();
  data->name = "made in a test";
  data->points = points;
  data->dimensions = dimensions;
  data->rows().values.own().assign(values.begin(), values.end());
  return data;
}

// `width`² points of an oblong grid in the first two of `dimensions` columns.
inline std::shared_ptr<Dataset> grid(std::size_t width, std::size_t dimensions = 8) {
  std::vector<float> values(width * width * dimensions, 0.0f);
  for (std::size_t i = 0; i < width * width; ++i) {
    values[i * dimensions] = 1.5f * static_cast<float>(i % width) / static_cast<float>(width);
    values[i * dimensions + 1] = static_cast<float>(i / width) / static_cast<float>(width);
  }
  return dataset(width * width, dimensions, std::move(values));
}

inline std::shared_ptr<Dataset> noise(std::size_t points, std::size_t dimensions, std::uint64_t seed = 5) {
  std::vector<float> values(points * dimensions);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = Random(seed, 9).uniform(i);
  return dataset(points, dimensions, std::move(values));
}

// The same rows in sparse form: only the values that are not 0 are stored.
inline std::shared_ptr<Dataset> made_sparse(const Dataset& dense) {
  auto rows = std::make_shared<SparseRows>();
  rows->columns = dense.dimensions;
  for (std::size_t i = 0; i < dense.points; ++i) {
    for (std::size_t c = 0; c < dense.dimensions; ++c)
      if (const float value = dense.values()[i * dense.dimensions + c]; value != 0) {
        rows->index.push_back(static_cast<std::uint32_t>(c));
        rows->value.push_back(value);
      }
    rows->begin.push_back(rows->index.size());
  }
  auto data = dataset(dense.points, dense.dimensions, {});
  data->numbers = rows;
  return data;
}

// A file of a layout in the plane, read back as the same floats.
inline std::string layout_csv(const std::vector<float>& layout) {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < layout.size(); i += 2)
    text += number_text(layout[i]) + "," + number_text(layout[i + 1]) + "\n";
  return text;
}

struct Trial : TrialOf<GlimmerParameters, glimmer_kind> {
  using TrialOf::TrialOf;

  // The layout after the whole run, row by row.
  std::vector<float> layout() { return rows(finished()->result()); }
  double stress(const std::vector<float>& layout) { return full_stress(*data, parameters, layout).value; }

  static std::vector<float> rows(const Table& table) {
    std::vector<float> rows;
    for (std::size_t i = 0; i < table.rows; ++i)
      for (const Column& column : table.columns)
        if (!column.is_text && column.name != "label") rows.push_back(column.numbers[i]);
    return rows;
  }
};

}  // namespace kinescope::sim::cases
