#include "sim/glimmer/coordinates/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinescope/in_parallel.hpp"
#include "kinescope/random.hpp"
#include "sim/glimmer/coordinates/slots.hpp"

namespace kinescope::sim::glimmer {
namespace {

// Data have a tail if some point's squared distance from the mean is this many times the average. Normal noise in one
// dimension reaches 24 in a million points, in many dimensions 3; 6,000 points of Cauchy noise reach 110.
constexpr double tail = 32;
// Points whose squared distance exceeds this part of the mean squared distance count as far. If fewer points do, the
// figure for normal noise times 1/u of uniform u is up to 1.4 % off.
constexpr double far_size = 1.0 / 64;

double mean_of(std::span<const float> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
}

template <class Slots>
class Maker {
 public:
  Maker(const Slots& slots, const SlotRows& rows, bool exact, std::uint64_t seed)
      : slots_(slots), rows_(rows), exact_(exact), width_(static_cast<std::size_t>(rows.width)), seed_(seed) {}

  Tail make(const std::vector<std::int64_t>& levels) {
    find_sizes();
    if (!has_tail(sizes_)) return {};
    const double mean = mean_of(sizes_);
    result_.far_each = std::min(most_far_points, levels.front() / 8 * 8);
    result_.far_here.resize(levels.size());
    result_.far.resize(levels.size() * room());
    result_.far_reach.resize(result_.far.size());
    result_.far_delta.resize(levels.size() * room() * room());
    if (!exact_) result_.far_estimate.resize(result_.far_delta.size());
    for (std::size_t level = 0; level < levels.size(); ++level) add_far(level, levels[level], mean);
    if (exact_) return std::move(result_);
    result_.pairs.resize(levels.size() * static_cast<std::size_t>(pairs_with_tail));
    reach_.resize(sizes_.size());
    double sum = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) reach_[i] = sum += radius(sizes_[i], mean);
    for (std::size_t level = 0; level < levels.size(); ++level) draw_pairs(level, levels[level], mean);
    return std::move(result_);
  }

 private:
  const float* row(std::size_t slot) const { return rows_.rows.data() + slot * width_; }

  float estimate(std::size_t i, std::size_t j) const {
    const bool normed = rows_.formula == RowFormula::products;
    return rows_.scale * std::sqrt(estimated_square(rows_.formula, rows_.width, row(i), row(j),
                                                    normed ? rows_.norms[i] : 0.0f, normed ? rows_.norms[j] : 0.0f));
  }

  // Finds the squared distances from the mean.
  void find_sizes() {
    const std::size_t n = rows_.permutation.size();
    if (rows_.formula == RowFormula::products) {
      sizes_.assign(rows_.norms.begin(), rows_.norms.end());
      return;
    }
    std::vector<double> sum(width_);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < width_; ++c) sum[c] += static_cast<double>(row(i)[c]);
    std::vector<float> mean(width_);
    double square = 0;
    for (const double value : sum) square += value * value;
    const double share = !of_angles(rows_.formula) ? 1 / static_cast<double>(n)
                         : square > 0              ? 1 / std::sqrt(square)
                                                   : 0;
    for (std::size_t c = 0; c < width_; ++c) mean[c] = static_cast<float>(sum[c] * share);
    sizes_.resize(n);
    in_parallel(n, 1024, [&](std::size_t i) {
      sizes_[i] = estimated_square(rows_.formula, rows_.width, row(i), mean.data(), 0.0f, 0.0f);
    });
  }

  static double radius(float size, double mean) { return std::sqrt(static_cast<double>(size) / mean) + 0.5; }

  std::size_t room() const { return static_cast<std::size_t>(result_.far_each); }

  // Adds the farthest points of a level, and all distances between them.
  void add_far(std::size_t level, std::int64_t points, double mean) {
    const auto size = [&](std::int32_t slot) { return static_cast<double>(sizes_[static_cast<std::size_t>(slot)]); };
    std::vector<std::int32_t> slots(static_cast<std::size_t>(points));
    std::iota(slots.begin(), slots.end(), 0);
    const auto beyond =
        std::count_if(slots.begin(), slots.end(), [&](auto slot) { return size(slot) > far_size * mean; });
    const std::int64_t here = std::min(result_.far_each, (beyond + 7) / 8 * 8);
    std::partial_sort(slots.begin(), slots.begin() + here, slots.end(),
                      [&](auto a, auto b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
    result_.far_here[level] = here;
    std::copy_n(slots.begin(), here, result_.far.begin() + static_cast<std::ptrdiff_t>(level * room()));
    const auto count = static_cast<std::size_t>(here);
    for (std::size_t k = 0; k < count; ++k)
      result_.far_reach[level * room() + k] = static_cast<float>((size(slots[k]) + mean) * rows_.scale * rows_.scale);
    const auto whole = slots_.take(std::span(slots).first(count));
    in_parallel(count, 8, [&](std::size_t i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto put = [&](std::vector<float>& matrix, float value) {
          matrix[(level * room() + i) * room() + j] = matrix[(level * room() + j) * room() + i] = value;
        };
        put(result_.far_delta, rows_.scale * whole.distance(i, j));
        if (!exact_)
          put(result_.far_estimate, estimate(static_cast<std::size_t>(slots[i]), static_cast<std::size_t>(slots[j])));
      }
    });
  }

  // Draws the two points of each pair with probabilities proportional to their radii. Pairs that are measured anyway,
  // and draws of one point twice, keep the weight 0.
  void draw_pairs(std::size_t level, std::int64_t points, double mean) {
    const auto each = static_cast<std::size_t>(pairs_with_tail), count = static_cast<std::size_t>(points);
    const std::int64_t far_here = result_.far_here[level];
    std::vector<bool> far(count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(far_here); ++k)
      far[static_cast<std::size_t>(result_.far[level * room() + k])] = true;
    const auto pairs_of = [](double n) { return 0.5 * n * (n - 1); };
    const double rest = pairs_of(static_cast<double>(points)) - pairs_of(static_cast<double>(far_here));
    const double whole = reach_[count - 1];
    const auto draw = [&](const RandomWords& words, int first) {
      const double at = whole * uniform_double(words[first], words[first + 1]);
      const auto end = reach_.begin() + static_cast<std::ptrdiff_t>(count);
      return std::min(count - 1, static_cast<std::size_t>(std::upper_bound(reach_.begin(), end, at) - reach_.begin()));
    };
    const auto chance = [&](std::size_t i) { return radius(sizes_[i], mean) / whole; };
    in_parallel(each, 256, [&](std::size_t k) {
      const RandomWords words = Random(seed_, stream_held_out).words(level * each + k);
      const std::size_t i = draw(words, 0), j = draw(words, 2);
      if (i == j || (far[i] && far[j])) return;
      const auto a = static_cast<std::int32_t>(i), b = static_cast<std::int32_t>(j);
      const double stands_for = 1 / (2 * chance(i) * chance(j) * static_cast<double>(each));
      result_.pairs[level * each + k] = {a, b, rows_.scale * slots_.distance(a, b), estimate(i, j),
                                         static_cast<float>(stands_for / rest)};
    });
  }

  const Slots& slots_;
  const SlotRows& rows_;
  bool exact_;
  std::size_t width_;
  std::uint64_t seed_;
  std::vector<float> sizes_;   // [points] by slot
  std::vector<double> reach_;  // running sums of the radii
  Tail result_;
};

}  // namespace

bool has_tail(std::span<const float> sizes) {
  return !sizes.empty() && *std::max_element(sizes.begin(), sizes.end()) > tail * mean_of(sizes);
}

template <class Slots>
Tail find_tail(const Slots& slots, const SlotRows& rows, bool exact, std::uint64_t seed,
               const std::vector<std::int64_t>& levels) {
  return Maker<Slots>(slots, rows, exact, seed).make(levels);
}
template Tail find_tail(const DenseSlots&, const SlotRows&, bool, std::uint64_t, const std::vector<std::int64_t>&);
template Tail find_tail(const SparseSlots&, const SlotRows&, bool, std::uint64_t, const std::vector<std::int64_t>&);

}  // namespace kinescope::sim::glimmer
