// Distances that are fed, for Glimmer's tests.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/executors/lanes.hpp"

namespace kinescope::sim::cases {

// The Euclidean distances of rows, as if they were available only on request.
struct FedRows : DistanceFeeder {
  explicit FedRows(std::shared_ptr<const Dataset> rows)
      : data(std::move(rows)), columns(data->values().size()), asked(data->points) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      columns[k % data->dimensions * data->points + k / data->dimensions] = data->values()[k];
  }
  std::size_t points() const override { return data->points; }
  void row(std::size_t from, std::span<float> distances) const override {
    ++asked[from];
    const std::size_t n = data->points, whole = n / 8 * 8;
    const auto write = [&]<class Lanes>(std::size_t j, Lanes square) {
      for (std::size_t c = 0; c < data->dimensions; ++c) {
        const Lanes difference = columns[c * n + from] - lanes::load<Lanes>(&columns[c * n + j]);
        square += difference * difference;
      }
      lanes::store(&distances[j], lanes::sqrt(square));
    };
    for (std::size_t j = 0; j < whole; j += 8) write(j, lanes::Float8{});
    for (std::size_t j = whole; j < n; ++j) write(j, 0.0f);
  }
  std::string description() const override { return "distances of rows"; }

  std::shared_ptr<const Dataset> data;
  std::vector<float> columns;                   // [dimensions × points]
  mutable std::vector<std::atomic<int>> asked;  // [points] number of requests for each row
};

inline std::shared_ptr<Dataset> fed(const std::shared_ptr<const FedRows>& rows) {
  auto data = std::make_shared<Dataset>();
  data->name = "fed in a test";
  data->points = rows->points();
  data->numbers = rows;
  return data;
}

}  // namespace kinescope::sim::cases
