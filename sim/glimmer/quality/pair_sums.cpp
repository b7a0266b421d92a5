#include "sim/glimmer/quality/pair_sums.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "kinescope/executors/lanes.hpp"

namespace kinescope::sim::glimmer {
namespace {

using lanes::Double4;
using lanes::Float4;
using lanes::Float8;
using lanes::Long4;

// δ from the sum over the columns, as in Rows::distance.
template <RowFormula F, class Lanes>
Lanes distance_of(Lanes sum, Metric metric) {
  if (F == RowFormula::differences) return lanes::sqrt(sum);
  if (F == RowFormula::manhattan) return sum;
  const Lanes away = lanes::max(1.0f - sum, Lanes{});  // 0 for a NaN
  return metric == Metric::cosine ? away : away * away;
}

// Calls use(formula) with the formula of dense rows as a compile-time constant.
template <class Use>
auto by_formula(Metric metric, Use use) {
  if (metric == Metric::euclidean) return use(std::integral_constant<RowFormula, RowFormula::differences>());
  if (metric == Metric::manhattan) return use(std::integral_constant<RowFormula, RowFormula::manhattan>());
  return use(std::integral_constant<RowFormula, RowFormula::cosine>());
}

}  // namespace

RowSums::RowSums(const InputDistances& input, const PlacedLayout& placed)
    : input_(input), placed_(placed), places_(4 * input.points()) {
  assert(placed.columns <= 3);
  for (std::size_t i = 0; i < input.points(); ++i)
    for (std::size_t l = 0; l < placed.columns; ++l) places_[4 * i + l] = double(placed.layout[i * placed.columns + l]);
}

std::array<PairSums, RowSums::width> RowSums::with_earlier(std::size_t first, std::size_t count) const {
  return by_formula(input_.rows().metric, [&](auto formula) { return with_earlier_by<formula()>(first, count); });
}

// Each lane holds one row; all lanes meet the same partner at a time.
template <RowFormula F>
std::array<PairSums, RowSums::width> RowSums::with_earlier_by(std::size_t first, std::size_t count) const {
  const Rows& rows = input_.rows();
  const auto stride = static_cast<std::size_t>(rows.stride);
  thread_local std::vector<float> transposed;  // [stride × 8]
  transposed.resize(width * stride);
  float* own = transposed.data();
  Double4 here[3][2] = {};
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::size_t i = placed_.rows[first + std::min(lane, count - 1)];
    for (std::size_t h = 0; h < stride; ++h) own[h * width + lane] = rows.values[i * stride + h];
    for (std::size_t l = 0; l < 3; ++l) here[l][lane / 4][lane % 4] = place(i)[l];
  }
  const Double4 unit = lanes::broadcast4(input_.unit());
  Double4 error[2] = {}, size[2] = {};
  const auto meet = [&](std::size_t j, auto later) {
    const float* row = rows.values + placed_.rows[j] * stride;
    const double* there = place(placed_.rows[j]);
    Float8 sums[4] = {};
    for (std::size_t h = 0; h < stride; h += 4)
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] = add_column(F, sums[k], lanes::load<Float8>(own + (h + k) * width), lanes::broadcast(row[h + k]));
    const Float8 distance = distance_of<F>((sums[0] + sums[1]) + (sums[2] + sums[3]), rows.metric);
    const Float4 halves[2] = {lanes::low_half(distance), lanes::high_half(distance)};
    for (int half = 0; half < 2; ++half) {
      const Double4 x = here[0][half] - there[0], y = here[1][half] - there[1], z = here[2][half] - there[2];
      const Double4 d = lanes::sqrt((x * x + y * y) + z * z), delta = unit * lanes::as_double(halves[half]);
      Double4 errors = (d - delta) * (d - delta), sizes = delta * delta;
      if (later) {  // the partner is one of these rows: only the rows after it count
        const Long4 lane = Long4{0, 1, 2, 3} + 4 * half, after = lane > static_cast<std::int64_t>(j - first);
        errors = lanes::keep(errors, after), sizes = lanes::keep(sizes, after);
      }
      error[half] += errors;
      size[half] += sizes;
    }
  };
  for (std::size_t j = 0; j < first; ++j) meet(j, std::false_type());
  for (std::size_t j = first; j + 1 < first + count; ++j) meet(j, std::true_type());
  std::array<PairSums, width> sums;
  for (std::size_t lane = 0; lane < width; ++lane) sums[lane] = {error[lane / 4][lane % 4], size[lane / 4][lane % 4]};
  return sums;
}

void RowSums::of_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                       std::span<PairSums> terms) const {
  by_formula(input_.rows().metric, [&](auto formula) { of_pairs_by<formula()>(a, b, terms); });
}

// Four pairs at a time.
template <RowFormula F>
void RowSums::of_pairs_by(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                          std::span<PairSums> terms) const {
  const Rows& rows = input_.rows();
  const auto stride = static_cast<std::size_t>(rows.stride);
  const Double4 unit = lanes::broadcast4(input_.unit());
  std::size_t k = 0;
  for (; k + 4 <= a.size(); k += 4) {
    Float4 columns[4] = {};
    Double4 squares[4];
    for (std::size_t p = 0; p < 4; ++p) {
      const float *own = rows.values + a[k + p] * stride, *other = rows.values + b[k + p] * stride;
      for (std::size_t h = 0; h < stride; h += 4)
        columns[p] = add_column(F, columns[p], lanes::load<Float4>(own + h), lanes::load<Float4>(other + h));
      const Double4 apart = lanes::load4(place(a[k + p])) - lanes::load4(place(b[k + p]));
      squares[p] = apart * apart;
    }
    const Float4 total = lanes::sums_of(columns[0], columns[1], columns[2], columns[3]);
    const Double4 delta = unit * lanes::as_double(distance_of<F>(total, rows.metric));
    const Double4 d = lanes::sqrt(lanes::sums_of(squares[0], squares[1], squares[2], squares[3]));
    const Double4 error = (d - delta) * (d - delta), size = delta * delta;
    for (std::size_t p = 0; p < 4; ++p) terms[k + p] = {error[p], size[p]};
  }
  for (; k < a.size(); ++k) terms[k] = pair_sums(placed_.distance(a[k], b[k]), input_.pair(a[k], b[k]));
}

}  // namespace kinescope::sim::glimmer
