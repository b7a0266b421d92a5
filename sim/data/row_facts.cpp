#include "sim/data/row_facts.hpp"

#include <cmath>

#include "kinescope/executors/lanes.hpp"
#include "kinescope/in_parallel.hpp"

namespace kinescope::sim {
namespace {

using namespace lanes;

// Sums of four columns.
struct Sums {
  Double4 origin, sum, above, squares;

  void add(Double4 number) {
    const Double4 over = number - origin;
    sum += number;
    above += over;
    squares += over * over;
  }
};

Double4 in_float(Double4 number) {
  return as_double(__builtin_convertvector(number, Float4));
}

}  // namespace

template <class Number>
RowFacts<Number>::RowFacts(const Number* first_row, std::size_t columns)
    : columns_(columns), vectors_((columns + width - 1) / width) {
  for (std::size_t v = 0; v < vectors_; ++v)
    low_.insert(low_.end(), first_row + first_column(v), first_row + first_column(v) + width);
  high_ = low_;
  origin_.assign(low_.begin(), low_.end());
  for (std::vector<double>* each : {&sum_, &above_, &squares_}) each->resize(origin_.size());
  broken_.resize(origin_.size());
  unfit_.resize(origin_.size());
}

template <class Number>
void RowFacts<Number>::look_at(const Number* rows, std::size_t count, std::size_t vector) {
  using Lanes = std::conditional_t<sizeof(Number) == 4, Float8, Double4>;
  using Flags = std::conditional_t<sizeof(Number) == 4, Int8, Long4>;
  constexpr std::size_t parts = width / 4;
  const std::size_t own = vector * width;
  Sums sums[parts];
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t at = own + 4 * p;
    sums[p] = {load4(&origin_[at]), load4(&sum_[at]), load4(&above_[at]), load4(&squares_[at])};
  }
  auto low = load_vector<Lanes>(&low_[own]), high = load_vector<Lanes>(&high_[own]);
  auto broken = load_vector<Flags>(&broken_[own]), unfit = load_vector<Flags>(&unfit_[own]);
  const Number* from = rows + first_column(vector);
  for (std::size_t row = 0; row < count; ++row, from += columns_) {
    const auto numbers = load_vector<Lanes>(from);
    low = numbers < low ? numbers : low;
    high = numbers > high ? numbers : high;
    broken |= round(numbers) != numbers;
    if constexpr (parts == 2) {
      sums[0].add(as_double(low_half(numbers)));
      sums[1].add(as_double(high_half(numbers)));
    } else {
      unfit |= in_float(numbers) != numbers;
      sums[0].add(numbers);
    }
  }
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t at = own + 4 * p;
    store(&sum_[at], sums[p].sum);
    store(&above_[at], sums[p].above);
    store(&squares_[at], sums[p].squares);
  }
  store(&low_[own], low);
  store(&high_[own], high);
  store(&broken_[own], broken);
  store(&unfit_[own], unfit);
}

template <class Number>
void RowFacts<Number>::look_at(const Number* rows, std::size_t count) {
  constexpr std::size_t line = 2;  // vectors, so that each line of the cache is read by one thread
  rows_ += count;
  in_parallel_ranges((vectors_ + line - 1) / line, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = line * begin; v < std::min(line * end, vectors_); ++v) look_at(rows, count, v);
  });
}

// A NaN or an infinity makes its column's sums NaN or infinite for good.
template <class Number>
bool RowFacts<Number>::complete() const {
  const auto all_finite = [](const std::vector<double>& sums) {
    return std::ranges::all_of(sums, [](double sum) { return std::isfinite(sum); });
  };
  return all_finite(sum_) && all_finite(squares_);
}

template <class Number>
NumberFacts RowFacts<Number>::of(std::size_t column, const Numbers& numbers) const {
  const std::size_t at = place_of(column);
  NumberFacts facts;
  facts.low = low_[at];
  facts.high = high_[at];
  facts.whole = broken_[at] == 0;
  choose_zeros(numbers, facts);
  facts.sum = sum_[at];
  facts.variance = variance_of_sums(above_[at], squares_[at], static_cast<double>(rows_));
  return facts;
}

template class RowFacts<float>;
template class RowFacts<double>;

}  // namespace kinescope::sim
