#include "sim/data/gower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/core/by_text.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

// Scales the numbers of the column to 0 … 1; missing ones stay NaN.
void put_numbers(const Column& column, const std::vector<std::size_t>& rows, std::span<float> values) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const std::size_t row : rows) {
    const double value = column.numbers[row];
    if (!std::isnan(value)) least = std::min(least, value), most = std::max(most, value);
  }
  const double range = most > least ? most - least : 1;
  for (std::size_t i = 0; i < rows.size(); ++i)
    values[i] = static_cast<float>((column.numbers[rows[i]] - least) / range);
}

void put_categories(const Column& column, const std::vector<std::size_t>& rows, std::span<float> values) {
  ByTextView<float> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& text = column.texts[rows[i]];
    values[i] = text.empty() ? missing : known.try_emplace(text, static_cast<float>(known.size())).first->second;
  }
}

// The mean of min(|a − b|, 1) over all pairs of values that are present; 0 if there is no pair. With the values in
// ascending order a_0, a_1, …, the sum for numbers is Σ_i (i · a_i − Σ_{j<i} a_j). For categories, each pair of
// different values adds 1.
double mean_of_pairs(std::vector<float> values, bool categories) {
  std::erase_if(values, [](float value) { return std::isnan(value); });
  std::sort(values.begin(), values.end());
  double sum = 0, before = 0;
  std::size_t first = 0;  // index of the first value that equals values[i]
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[first]) first = i;
    sum += categories ? static_cast<double>(first) : static_cast<double>(i) * values[i] - before;
    before += values[i];
  }
  const auto count = static_cast<double>(values.size());
  return count > 1 ? sum / (0.5 * count * (count - 1)) : 0;
}

}  // namespace

Gower::Gower(const std::vector<const Column*>& columns, const std::vector<std::size_t>& rows)
    : points_(rows.size()), values_(columns.size() * rows.size()) {
  double expected = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::span<float> values(values_.data() + k * points_, points_);
    const bool categories = columns[k]->is_text;
    categories ? put_categories(*columns[k], rows, values) : put_numbers(*columns[k], rows, values);
    ++(categories ? of_categories_ : of_numbers_);
    expected += mean_of_pairs({values.begin(), values.end()}, categories);
  }
  expected_ = static_cast<float>(expected / static_cast<double>(columns.size()));
}

// Goes column by column over a block of points, whose sums stay in the nearest cache; the inner loop has no branches.
void Gower::row(std::size_t from, std::span<float> distances) const {
  constexpr std::size_t block = 1024;
  for (std::size_t begin = 0; begin < points_; begin += block) {
    const std::size_t count = std::min(block, points_ - begin);
    std::array<float, block> sum{}, common{};
    for (const float* column = values_.data(); column != values_.data() + values_.size(); column += points_) {
      const float own = column[from];
      if (std::isnan(own)) continue;
      const float* const others = column + begin;
      for (std::size_t i = 0; i < count; ++i) {
        const float apart = std::abs(others[i] - own), at_most_one = apart < 1 ? apart : 1.0f;
        const bool there = apart == apart;
        sum[i] += there ? at_most_one : 0.0f;
        common[i] += there ? 1.0f : 0.0f;
      }
    }
    for (std::size_t i = 0; i < count; ++i) distances[begin + i] = common[i] > 0 ? sum[i] / common[i] : expected_;
  }
  distances[from] = 0;
}

std::string Gower::description() const {
  std::string columns;
  if (of_numbers_ > 0) columns = count_of(of_numbers_, "column") + " of numbers";
  if (of_categories_ > 0)
    columns += (columns.empty() ? count_of(of_categories_, "column") : " and " + std::to_string(of_categories_)) +
               " of categories";
  return "Gower's distances over " + columns;
}

}  // namespace kinescope::sim
