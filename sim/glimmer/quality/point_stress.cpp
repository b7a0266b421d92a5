#include "kinescope/glimmer/point_stress.hpp"

#include <algorithm>
#include <array>

#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"
#include "sim/glimmer/quality/pair_sums.hpp"
#include "sim/glimmer/quality/placed_layout.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t every_partner_limit = 8000, most_partners = 1000, fewest_partners = 64, most_pairs = 50'000'000;
constexpr std::size_t block_points = 1024;                // so that a task's sums stay in the L1 cache
constexpr std::size_t fed_values = std::size_t{1} << 24;  // distances that are fed are buffered in about 64 MiB

std::vector<std::uint32_t> partners_of(const std::vector<std::uint32_t>& placed) {
  const std::size_t n = placed.size();
  if (n <= every_partner_limit) return placed;
  const std::size_t count = std::clamp(most_pairs / n, fewest_partners, most_partners);
  const Permutation drawn(n, stream_partners);
  std::vector<std::uint32_t> partners(count);
  for (std::size_t k = 0; k < count; ++k) partners[k] = placed[drawn(k)];
  return partners;
}

}  // namespace

PointStress point_stress(const InputDistances& input, std::span<const float> layout, const std::stop_token& stop) {
  const std::size_t n = input.points();
  const PlacedLayout placed(layout, n);
  const std::vector<std::uint32_t> partners = partners_of(placed.rows);
  std::vector<double> numerator(n), denominator(n);
  const std::size_t batch =
      input.by_rows() ? partners.size() : std::max<std::size_t>(16, fed_values / std::max<std::size_t>(n, 1));
  std::vector<float> fed;
  for (std::size_t begin = 0; begin < partners.size(); begin += batch) {
    const std::size_t count = std::min(batch, partners.size() - begin);
    if (!input.by_rows()) {
      fed.resize(count * n);
      in_parallel(count, 1, [&](std::size_t k) {
        if (!stop.stop_requested()) input.row(partners[begin + k], std::span(fed).subspan(k * n, n));
      });
    }
    in_parallel((n + block_points - 1) / block_points, 1, [&](std::size_t block) {
      const std::size_t first = block * block_points, here = std::min(block_points, n - first);
      std::array<float, block_points> room;
      for (std::size_t k = 0; k < count && !stop.stop_requested(); ++k) {
        const std::size_t j = partners[begin + k];
        const float* delta = room.data();
        if (input.by_rows())
          input.part(j, first, std::span(room).first(here));
        else
          delta = fed.data() + k * n + first;
        for (std::size_t b = 0; b < here; ++b) {
          const std::size_t i = first + b;
          const PairSums sums = pair_sums(placed.distance(i, j), double(delta[b]));
          numerator[i] += sums.error;
          denominator[i] += sums.size;
        }
      }
    });
  }
  PointStress result{{}, partners.size(), partners.size() == placed.rows.size()};
  if (stop.stop_requested()) return result;
  result.value.assign(n, NAN);
  for (const std::uint32_t i : placed.rows)
    result.value[i] = denominator[i] > 0 ? static_cast<float>(numerator[i] / denominator[i]) : 0;
  return result;
}

}  // namespace kinescope::sim::glimmer
