#include "sim/mean_shift/grids/bins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <oneapi/tbb/parallel_sort.h>
#include <utility>

#include "kinescope/in_parallel.hpp"

namespace kinescope::sim::mean_shift {
namespace {

using Keyed = std::pair<std::uint64_t, std::uint32_t>;  // bin, pixel

struct Lattice {
  double origin[5], inverse_side[5];
  std::uint64_t cells[5];

  std::uint64_t cell(int c, double x) const {
    const auto cell = static_cast<std::int64_t>((x - origin[c]) * inverse_side[c]);
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(cell, 0, static_cast<std::int64_t>(cells[c]) - 1));
  }
};

bool make_lattice(const std::vector<float>& columns, std::int64_t stride, std::int64_t points, double space_side,
                  double colour_side, Lattice& lattice) {
  double total = 1;
  for (int c = 0; c < 5; ++c) {
    const auto begin = columns.begin() + c * stride;
    const auto [low, high] = std::minmax_element(begin, begin + points);
    const double side = c < 2 ? space_side : colour_side, cells = std::floor((double(*high) - *low) / side) + 1;
    if (!((total *= cells) < 0x1p62) || (c == 1 && total > double(1 << 26))) return false;
    lattice.origin[c] = *low;
    lattice.inverse_side[c] = 1 / side;
    lattice.cells[c] = static_cast<std::uint64_t>(cells);
  }
  return true;
}

// Pairs of bin and pixel, sorted by the bins' cells in y and x first, so that a row of cells is one sequence of bins.
std::vector<Keyed> sorted_keys(const std::vector<float>& columns, std::int64_t stride, std::int64_t points,
                               const Lattice& lattice) {
  std::vector<Keyed> keys(static_cast<std::size_t>(points));
  in_parallel(keys.size(), 1, [&](std::size_t i) {
    std::uint64_t key = 0;
    for (const int c : {1, 0, 2, 3, 4})
      key = key * lattice.cells[c] + lattice.cell(c, columns[static_cast<std::size_t>(c * stride) + i]);
    keys[i] = {key, static_cast<std::uint32_t>(i)};
  });
  oneapi::tbb::parallel_sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

bool make_bins(const std::vector<float>& columns, std::int64_t stride, std::int64_t points, double space_bandwidth,
               double bandwidth, Bins& bins) {
  Lattice lattice;
  bins.side = space_bandwidth / bins_of_space;
  if (!make_lattice(columns, stride, points, bins.side, bandwidth / bins_of_colour, lattice)) return false;
  const std::vector<Keyed> keys = sorted_keys(columns, stride, points, lattice);
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (i == 0 || keys[i].first != keys[i - 1].first) begins.push_back(i);
  bins.count = static_cast<std::int64_t>(begins.size());
  bins.stride = (bins.count + 8 + 63) / 64 * 64;
  begins.push_back(keys.size());
  bins.x.assign(static_cast<std::size_t>(5 * bins.stride), 0.0f);
  bins.weight.assign(static_cast<std::size_t>(bins.stride), 0.0f);

  // Variances are summed bin by bin in order, so that the result does not depend on the threads.
  std::vector<std::array<float, 5>> scatter(begins.size() - 1);
  in_parallel(scatter.size(), 1, [&](std::size_t bin) {
    const std::size_t begin = begins[bin], end = begins[bin + 1];
    bins.weight[bin] = static_cast<float>(end - begin);
    for (int c = 0; c < 5; ++c) {
      const float* column = columns.data() + c * stride;
      double sum = 0, squares = 0;
      for (std::size_t i = begin; i < end; ++i) sum += column[keys[i].second];
      const double mean = sum / double(end - begin);
      for (std::size_t i = begin; i < end; ++i) squares += std::pow(column[keys[i].second] - mean, 2);
      bins.x[static_cast<std::size_t>(c * bins.stride) + bin] = static_cast<float>(mean);
      scatter[bin][static_cast<std::size_t>(c)] = static_cast<float>(squares);
    }
  });
  for (std::size_t c = 0; c < 5; ++c) {
    double sum = 0;
    for (const auto& each : scatter) sum += each[c];
    bins.variance[c] = sum / double(points);
  }

  const std::uint64_t colours = lattice.cells[2] * lattice.cells[3] * lattice.cells[4];
  for (int c = 0; c < 2; ++c)
    bins.cells[c] = static_cast<std::int64_t>(lattice.cells[c]), bins.origin[c] = lattice.origin[c];
  bins.first.resize(static_cast<std::size_t>(bins.cells[0] * bins.cells[1] + 1));
  std::size_t bin = 0;
  for (std::size_t cell = 0; cell < bins.first.size(); ++cell) {
    while (bin + 1 < begins.size() && keys[begins[bin]].first / colours < cell) ++bin;
    bins.first[cell] = static_cast<std::int32_t>(bin);
  }
  return true;
}

}  // namespace kinescope::sim::mean_shift
