// How far points are from the sums in double precision after 15 iterations, and what the report says of it.
#include <cstdio>
#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim {
namespace {

using mean_shift_cases::Rows;
using mean_shift_cases::Trial;

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
  return mean_shift_cases::points(columns, std::move(values));
}

const Random random_numbers(31, 5);

double uniform_at(std::size_t i, std::size_t c) {
  return double(random_numbers.uniform(i, static_cast<std::uint32_t>(c)));
}
double normal_at(std::size_t i, std::size_t c) {
  return random_numbers.normal(i, 10 + static_cast<std::uint32_t>(c));
}

// 20,000 points N(0, 0.2²) and 40 more at 2.5 … 7.
double crowd_and_outliers(std::size_t i, std::size_t c) {
  if (i < 20'000) return 0.2 * normal_at(i, c);
  return c == 0 ? 2.5 + 4.5 * uniform_at(i, 0) : normal_at(i, c);
}
double two_scales(std::size_t i, std::size_t c) {
  return (i % 2 == 0 ? 0.01 : 10) * normal_at(i, c);
}
double gaps(std::size_t i, std::size_t c) {
  return 6.0 * double(i % 5) * (c == 0) + uniform_at(i, c);
}
double cauchy(std::size_t i, std::size_t c) {
  return normal_at(i, c) / normal_at(i, c + 5);
}

std::vector<Case> cases() {
  return {{"outliers 1-D", made(20'040, 1, crowd_and_outliers), 1},
          {"outliers 2-D", made(20'040, 2, crowd_and_outliers), 1},
          {"outliers 3-D", made(20'040, 3, crowd_and_outliers), 1},
          {"uniform 1-D", mean_shift_cases::uniform(6'000, 1), 0.3},
          {"uniform 2-D", mean_shift_cases::uniform(6'000, 2), 0.5},
          {"uniform 3-D", mean_shift_cases::uniform(6'000, 3), 1},
          {"two scales 1-D", made(6'000, 1, two_scales), 0.5},
          {"two scales 2-D", made(6'000, 2, two_scales), 1},
          {"duplicates", mean_shift_cases::duplicates(5'400), 0.6},
          {"gaps 1-D", made(6'000, 1, gaps), 1},
          {"gaps 2-D", made(6'000, 2, gaps), 1},
          {"Cauchy 1-D", made(6'000, 1, cauchy), 1},
          {"Cauchy 2-D", made(6'000, 2, cauchy), 1},
          {"paper, 10^6", mean_shift_cases::gaussians(1'000'000), 1.5}};
}

// The points compared: those of the lowest density, the outliers' last 40, and others over all the data.
std::vector<std::size_t> compared(const Case& c) {
  auto which = mean_shift_cases::sample(c.data->points, c.data->points > 100'000 ? 16 : 500);
  if (std::string(c.name).starts_with("outliers"))
    for (std::size_t i = c.data->points - 40; i < c.data->points; ++i) which.push_back(i);
  return which;
}

TEST(MeanShiftErrors, OfEachMethodOnHardData) {
  for (const Case& c : cases()) {
    const std::vector<std::size_t> which = compared(c);
    const Rows reference =
        mean_shift_cases::brute_force(*c.data, which, mean_shift_cases::starts(*c.data), "gaussian", c.bandwidth, 15);
    double all_pairs = 1e-5;
    for (const std::string method : {"tiled", "grid", "field"}) {
      if (c.data->points > 100'000 && method != "field") continue;
      Trial run(c.data, {"method=" + method, "bandwidth=" + std::to_string(c.bandwidth), "iterations=15"});
      const auto simulation = run.finished();
      const auto errors = mean_shift_cases::errors(mean_shift_cases::rows(simulation->result()), reference, which,
                                                   c.data->dimensions, c.bandwidth);
      double reported = NAN, beyond = NAN;
      std::string ran;
      for (const auto& [key, value] : simulation->report().entries) {
        if (key == "largest_error") reported = std::get<double>(value);
        if (key == "beyond_bound") beyond = std::get<double>(value);
        if (key == "method") ran = std::get<std::string>(value);
      }
      std::printf("%-14s %-6s ran %-6s largest %.2g, 99 %% %.2g; reported %.2g, beyond %.2g\n", c.name, method.c_str(),
                  ran.c_str(), errors.back(), errors[errors.size() * 99 / 100], reported, beyond);
      std::fflush(stdout);
      if (method == "tiled") all_pairs = std::max(all_pairs, errors.back());
    }
  }
}

}  // namespace
}  // namespace kinescope::sim
