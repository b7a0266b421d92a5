// Data, runs and a double-precision reference that mean shift's tests share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <oneapi/tbb/parallel_for.h>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/mean_shift/mean_shift.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"
#include "kinescope/random.hpp"
#include "tests/sim/test_points.hpp"
#include "tests/sim/trial.hpp"

namespace kinescope::sim::mean_shift_cases {

inline Table centroids(Simulation& simulation) {
  return simulation.table("centroids");
}

using Rows = std::vector<double>;  // [points × columns]

inline std::shared_ptr<Dataset> points(std::size_t columns, std::vector<float> values) {
  return test_points::dataset(columns, std::move(values));
}

using test_points::gaussians, test_points::uniform;

// Uniform points, each of them nine times.
inline std::shared_ptr<Dataset> duplicates(std::size_t n) {
  auto data = uniform(n, 2, 6);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < 2; ++c) data->rows().values.own()[i * 2 + c] = data->values()[i / 9 * 18 + c];
  return data;
}

inline std::shared_ptr<Dataset> line(std::size_t n) {
  auto data = uniform(n, 2, 10);
  for (std::size_t i = 0; i < n; ++i) data->rows().values.own()[2 * i + 1] = 0.5f * data->values()[2 * i] + 3;
  return data;
}

// The paper's data and a few points far from everything and from each other.
inline std::shared_ptr<Dataset> outliers(std::size_t n, float distance) {
  auto data = std::make_shared<Dataset>(*gaussians(n));
  for (std::size_t i = 0; i < 8; ++i) {
    data->rows().values.own()[i * 2] = distance * (static_cast<float>(i) - 3.7f);
    data->rows().values.own()[i * 2 + 1] = -distance * (static_cast<float>(i % 3) + 1);
  }
  return data;
}

using Trial = TrialOf<MeanShiftParameters, mean_shift_kind>;

// The shifted points alone.
inline Rows rows(const Table& table) {
  Rows rows;
  for (std::size_t i = 0; i < table.rows; ++i)
    for (const Column& column : table.columns)
      if (column.name != "cluster") rows.push_back(column.numbers[i]);
  return rows;
}

struct BruteSum {
  double weight = 0;
  std::vector<double> moment;
};

template <class Kernel>
BruteSum brute_sum(const Dataset& data, const double* y, double bandwidth, Kernel kernel) {
  const std::size_t k = data.dimensions;
  BruteSum sum{0, std::vector<double>(k)};
  for (std::size_t j = 0; j < data.points; ++j) {
    double square = 0;
    for (std::size_t c = 0; c < k; ++c) square += (data.values()[j * k + c] - y[c]) * (data.values()[j * k + c] - y[c]);
    const double w = kernel(square / (bandwidth * bandwidth));
    if (w == 0) continue;
    sum.weight += w;
    for (std::size_t c = 0; c < k; ++c) sum.moment[c] += w * (data.values()[j * k + c] - y[c]);
  }
  return sum;
}

// Σ K and Σ K (x − y) of all pairs, in double.
inline BruteSum brute_sum(const Dataset& data, const double* y, const std::string& name, double bandwidth) {
  if (name == "gaussian")
    return brute_sum(data, y, bandwidth,
                     [](double square) { return square < 1491 ? std::exp(-0.5 * square) : 0; });  // else it underflows
  if (name == "epanechnikov") return brute_sum(data, y, bandwidth, [](double s) { return std::max(0.0, 1 - s); });
  if (name == "biweight")
    return brute_sum(data, y, bandwidth, [](double s) { return std::pow(std::max(0.0, 1 - s), 2); });
  return brute_sum(data, y, bandwidth, [](double square) { return square <= 1 ? 1.0 : 0.0; });
}

// The places of the points numbered `which` after `iterations` iterations from `start`.
inline Rows brute_force(const Dataset& data, const std::vector<std::size_t>& which, Rows start, const std::string& name,
                        double bandwidth, int iterations) {
  const std::size_t k = data.dimensions;
  Rows result(which.size() * k);
  oneapi::tbb::parallel_for(std::size_t{0}, which.size(), [&](std::size_t s) {
    double* y = start.data() + which[s] * k;
    for (int t = 0; t < iterations; ++t) {
      const BruteSum sum = brute_sum(data, y, name, bandwidth);
      for (std::size_t c = 0; sum.weight > 0 && c < k; ++c) y[c] += sum.moment[c] / sum.weight;
    }
    std::copy(y, y + k, result.begin() + static_cast<std::ptrdiff_t>(s * k));
  });
  return result;
}

inline Rows starts(const Dataset& data) {
  return Rows(data.values().begin(), data.values().end());
}

inline std::vector<std::size_t> sample(std::size_t points, std::size_t size) {
  std::vector<std::size_t> which;
  const std::size_t step = std::max<std::size_t>(1, points / size);
  for (std::size_t i = 0; i < points; i += step) which.push_back(i);
  return which;
}

// Distances of the sampled points from the reference, in bandwidths, ascending. A NaN counts as infinity.
inline std::vector<double> errors(const Rows& found, const Rows& reference, const std::vector<std::size_t>& which,
                                  std::size_t columns, double bandwidth) {
  std::vector<double> errors;
  for (std::size_t s = 0; s < which.size(); ++s) {
    double square = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const double difference = found[which[s] * columns + c] - reference[s * columns + c];
      square += difference * difference;
    }
    errors.push_back(std::isnan(square) ? INFINITY : std::sqrt(square) / bandwidth);
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

// How far each pixel of a picture with places is apart in two results, in bandwidths of places and of colours;
// ascending.
inline std::vector<double> pixels_apart(const Table& a, const Table& b, double of_places, double of_colours) {
  std::vector<double> apart;
  for (std::size_t i = 0; i < a.rows; ++i) {
    double square = 0;
    for (std::size_t c = 0; c < 5; ++c)
      square += std::pow((a.columns[c].numbers[i] - b.columns[c].numbers[i]) / (c < 2 ? of_places : of_colours), 2);
    apart.push_back(std::sqrt(square));
  }
  std::sort(apart.begin(), apart.end());
  return apart;
}

// The error that 99.9 % of the points do not exceed.
inline double nearly_all(const std::vector<double>& errors) {
  return errors[std::min(errors.size() - 1, static_cast<std::size_t>(std::ceil(0.999 * double(errors.size()))) - 1)];
}

inline double adjusted_rand_index(const std::vector<float>& a, const std::vector<float>& b) {
  std::map<std::pair<float, float>, double> both;
  std::map<float, double> in_a, in_b;
  for (std::size_t i = 0; i < a.size(); ++i) ++both[{a[i], b[i]}], ++in_a[a[i]], ++in_b[b[i]];
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  double joint = 0, first = 0, second = 0;
  for (const auto& [key, n] : both) joint += pairs(n);
  for (const auto& [key, n] : in_a) first += pairs(n);
  for (const auto& [key, n] : in_b) second += pairs(n);
  const double expected = first * second / pairs(double(a.size())), most = 0.5 * (first + second);
  return most == expected ? 1 : (joint - expected) / (most - expected);
}

// Data for which errors are large, or were expected to be.
namespace hard {

struct Case {
  const char* name;
  std::shared_ptr<const Dataset> data;
  double bandwidth;
};

template <class Value>
std::shared_ptr<const Dataset> made(std::size_t n, std::size_t columns, Value value) {
  std::vector<float> values;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < columns; ++c) values.push_back(static_cast<float>(value(i, c)));
  return points(columns, std::move(values));
}

inline const Random random_numbers(31, 5);

inline double uniform_at(std::size_t i, std::size_t c) {
  return double(random_numbers.uniform(i, static_cast<std::uint32_t>(c)));
}
inline double normal_at(std::size_t i, std::size_t c) {
  return random_numbers.normal(i, 10 + static_cast<std::uint32_t>(c));
}

// 20,000 points N(0, 0.2²) and 40 more at 2.5 … 7.
inline double crowd_and_outliers(std::size_t i, std::size_t c) {
  if (i < 20'000) return 0.2 * normal_at(i, c);
  return c == 0 ? 2.5 + 4.5 * uniform_at(i, 0) : normal_at(i, c);
}
inline double even_outliers(std::size_t i, std::size_t c) {
  return i < 20'000 ? 0.2 * normal_at(i, c) : 2.5 + 4.5 * (c == 0 ? double(i - 20'000) / 39 : uniform_at(i, c));
}
inline double two_scales(std::size_t i, std::size_t c) {
  return (i % 2 == 0 ? 0.01 : 10) * normal_at(i, c);
}
inline double gaps(std::size_t i, std::size_t c) {
  return 6.0 * double(i % 5) * (c == 0) + uniform_at(i, c);
}
inline double cauchy(std::size_t i, std::size_t c) {
  return normal_at(i, c) / normal_at(i, c + 5);
}

inline std::vector<Case> cases() {
  return {{"outliers 1-D", made(20'040, 1, crowd_and_outliers), 1},
          {"outliers 2-D", made(20'040, 2, crowd_and_outliers), 1},
          {"outliers 3-D", made(20'040, 3, crowd_and_outliers), 1},
          {"even 1-D", made(20'040, 1, even_outliers), 1},
          {"even 2-D", made(20'040, 2, even_outliers), 1},
          {"uniform 1-D", uniform(6'000, 1), 0.3},
          {"uniform 2-D", uniform(6'000, 2), 0.5},
          {"uniform 3-D", uniform(6'000, 3), 1},
          {"two scales 1-D", made(6'000, 1, two_scales), 0.5},
          {"two scales 2-D", made(6'000, 2, two_scales), 1},
          {"duplicates", duplicates(5'400), 0.6},
          {"gaps 1-D", made(6'000, 1, gaps), 1},
          {"gaps 2-D", made(6'000, 2, gaps), 1},
          {"Cauchy 1-D", made(6'000, 1, cauchy), 1},
          {"Cauchy 2-D", made(6'000, 2, cauchy), 1},
          {"paper, 10^6", gaussians(1'000'000), 1.5}};
}

struct Measured {
  double largest = NAN, beyond = NAN;
};

// Runs 15 iterations, and returns the errors from the report.
inline Measured measured(const Case& c, Trial run, const std::string& method) {
  for (const std::string& setting :
       {"method=" + method, "bandwidth=" + std::to_string(c.bandwidth), std::string("iterations=15")})
    run.parameters.set(setting);
  Measured measured;
  for (const auto& [key, value] : run.finished()->report().entries) {
    if (key == "largest_error") measured.largest = std::get<double>(value);
    if (key == "beyond_bound") measured.beyond = std::get<double>(value);
  }
  std::printf("%-14s %-6s largest %.2g, beyond the bound %.2g\n", c.name, method.c_str(), measured.largest,
              measured.beyond);
  return measured;
}

}  // namespace hard

}  // namespace kinescope::sim::mean_shift_cases
