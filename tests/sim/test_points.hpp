// Data that the tests of several simulations are made of.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/random.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim::test_points {

inline std::shared_ptr<Dataset> dataset(std::size_t columns, std::vector<float> values) {
  auto data = std::make_shared<Dataset>();
  data->name = "made in a test";
  data->dimensions = columns;
  data->points = values.size() / columns;
  data->rows().values.own().assign(values.begin(), values.end());
  for (std::size_t c = 0; c < columns; ++c) data->value_names.push_back(numbered_name(c));
  return data;
}

inline std::shared_ptr<const Dataset> gaussians(std::size_t n, int k = 2, int clusters = 3, int seed = 1) {
  return load_dataset({"synthetic:gaussians,n=" + std::to_string(n) + ",k=" + std::to_string(k) +
                       ",clusters=" + std::to_string(clusters) + ",seed=" + std::to_string(seed)});
}

inline std::shared_ptr<Dataset> uniform(std::size_t n, std::size_t columns, float size = 10) {
  std::vector<float> values(n * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = size * Random(7, 3).uniform(i);
  return dataset(columns, std::move(values));
}

}  // namespace kinescope::sim::test_points
