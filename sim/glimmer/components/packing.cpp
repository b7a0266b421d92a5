#include "sim/glimmer/components/packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace kinescope::sim::glimmer {
namespace {

constexpr double aspect = 1.4;  // how many times wider than high the whole is to be
constexpr int tried_widths = 16;
constexpr double taller = 1.25;        // than its row a rectangle may be: a row of rectangles alike is better than two
constexpr std::size_t most_open = 64;  // so that many rectangles cost no more than their number

}  // namespace

Packing::Packing(const std::vector<Size>& estimated) {
  std::vector<std::size_t> order(estimated.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto area_of = [&](std::size_t i) { return estimated[i][0] * estimated[i][1]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return area_of(a) > area_of(b); });
  double area = 0, widest = 0;
  for (const Size& size : estimated) area += size[0] * size[1], widest = std::max(widest, size[0]);
  double best = std::numeric_limits<double>::infinity();
  std::vector<Place> chosen;
  for (int k = 0; k < tried_widths; ++k) {
    fill(estimated, order, std::max(widest, std::sqrt(aspect * area) * (1 + 0.06 * k)));
    const Size whole = size_of(estimated);
    if (const double size = std::max(whole[0] / aspect, whole[1]); size < best) best = size, chosen = places_;
  }
  places_ = std::move(chosen);
}

void Packing::fill(const std::vector<Size>& estimated, const std::vector<std::size_t>& order, double width) {
  struct Region {
    double width, height;  // what is left
    std::size_t before;    // the place to whose right the region is
    std::size_t last;      // the first place of its last row; none: it has no row yet
  };
  places_.clear();
  Region all = {width, std::numeric_limits<double>::infinity(), none, none};
  std::vector<Region> open;  // the spaces to the right of rectangles, the first ones first
  std::vector<Size> least(order.size() + 1, {all.height, all.height});  // of the rectangles from each on
  for (std::size_t k = order.size(); k-- > 0;)
    for (std::size_t side = 0; side < 2; ++side)
      least[k][side] = std::min(least[k + 1][side], estimated[order[k]][side]);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double w = estimated[order[k]][0], h = estimated[order[k]][1];
    const auto fits =
        std::ranges::find_if(open, [&](const Region& each) { return w <= each.width && h <= taller * each.height; });
    Region& region = fits != open.end() ? *fits : all;
    const std::size_t place = places_.size();
    if (region.last != none)
      places_[region.last].below = place;
    else if (region.before != none)
      places_[region.before].right = place;
    region.last = place;
    const Region right = {region.width - w, std::min(h, region.height), place, none};
    region.height -= h;
    places_.push_back({order[k]});
    const auto is_full = [&](const Region& each) {
      return each.width < least[k + 1][0] || taller * each.height < least[k + 1][1];
    };
    if (fits != open.end() && is_full(*fits)) open.erase(fits);
    if (!is_full(right)) open.push_back(right);
    if (open.size() > most_open) {
      std::erase_if(open, is_full);
      if (open.size() > most_open) open.erase(open.begin());
    }
  }
}

Size Packing::size_of(const std::vector<Size>& sizes) const {
  double width = 0, height = 0;
  const std::vector<Size> at = corners(sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    width = std::max(width, 2 * (at[i][0] + sizes[i][0])), height = std::max(height, 2 * at[i][1]);
  return {width, height};
}

std::vector<Size> Packing::corners(const std::vector<Size>& sizes) const {
  const std::size_t n = places_.size();
  std::vector<Size> row(n), block(n), corner(n), result(n);  // block: of the row and those below it
  for (std::size_t k = n; k-- > 0;) {
    const Place& place = places_[k];
    row[k] = sizes[place.item];
    if (place.right != none) row[k] = {row[k][0] + block[place.right][0], std::max(row[k][1], block[place.right][1])};
    block[k] = row[k];
    if (place.below != none) block[k] = {std::max(row[k][0], block[place.below][0]), row[k][1] + block[place.below][1]};
  }
  if (n > 0) corner[0] = {-block[0][0] / 2, block[0][1] / 2};
  for (std::size_t k = 0; k < n; ++k) {
    const Place& place = places_[k];
    if (place.right != none) corner[place.right] = {corner[k][0] + sizes[place.item][0], corner[k][1]};
    if (place.below != none) corner[place.below] = {corner[k][0], corner[k][1] - row[k][1]};
    result[place.item] = corner[k];
  }
  return result;
}

}  // namespace kinescope::sim::glimmer
