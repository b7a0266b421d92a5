#include "sim/glimmer/placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kinescope/data/normalize.hpp"
#include "kinescope/error.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"
#include "sim/data/text.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim {
namespace {

using glimmer::InputDistances;

constexpr std::size_t all_anchors = 5'000, drawn_anchors = 2'000, starts = 4, judged = 1'000;
constexpr int most_steps = 300, steps_together = 50;
constexpr std::size_t most_together = std::size_t{1} << 26;  // limit on the distances kept for settle_together
constexpr std::uint64_t anchors_drawn = 407;

// Joins the rows of both, those of `data` first. All are normalized by the columns of `data`.
Dataset joined(const Dataset& data, const Dataset& added, Normalization normalize) {
  if (data.distances() || added.distances())
    throw input_error((data.distances() ? data : added).name +
                      ": --onto can place rows of numbers only, not distances");
  if (static_cast<bool>(data.sparse()) != static_cast<bool>(added.sparse()) ||
      (!data.sparse() && data.dimensions != added.dimensions))
    throw input_error(added.name + ": expected " + count_of(data.dimensions, "column") + " as in " + data.name +
                      ", found " + with_commas(added.dimensions));
  Dataset both;
  both.name = added.name;
  both.points = data.points + added.points;
  both.dimensions = std::max(data.dimensions, added.dimensions);
  if (data.sparse()) {
    SparseRows rows = *data.sparse();
    rows.columns = both.dimensions;
    for (std::size_t i = 0; i < added.points; ++i) {
      const auto index = added.sparse()->index_of(i);
      const auto value = added.sparse()->value_of(i);
      rows.index.insert(rows.index.end(), index.begin(), index.end());
      rows.value.insert(rows.value.end(), value.begin(), value.end());
      rows.begin.push_back(rows.index.size());
    }
    both.numbers = std::make_shared<const SparseRows>(std::move(rows));
    return both;
  }
  const Scaling scaling(data, normalize);
  for (const Dataset* each : {&data, &added})
    for (std::size_t i = 0; i < each->points; ++i)
      for (std::size_t c = 0; c < data.dimensions; ++c)
        both.rows().values.own().push_back(scaling.scaled(c, each->value(i, c) + each->origin_of(c)));
  return both;
}

// Moves one point, x [L], by SMACOF steps to a minimum of its Σ (d − δ)² to the anchors. Returns that sum.
double settle(const std::vector<double>& layout, std::size_t L, const std::vector<std::size_t>& anchors,
              const std::vector<double>& delta, double* x) {
  double before = std::numeric_limits<double>::infinity(), sum = 0;
  for (int step = 0; step < most_steps; ++step) {
    double next[3] = {};
    sum = 0;
    for (const std::size_t j : anchors) {
      const double* place = &layout[j * L];
      double square = 0;
      for (std::size_t l = 0; l < L; ++l) square += (x[l] - place[l]) * (x[l] - place[l]);
      const double d = std::sqrt(square), pull = d > 0 ? delta[j] / d : 0;
      sum += (d - delta[j]) * (d - delta[j]);
      for (std::size_t l = 0; l < L; ++l) next[l] += place[l] + pull * (x[l] - place[l]);
    }
    if (before - sum < 1e-9 * sum) break;
    before = sum;
    for (std::size_t l = 0; l < L; ++l) x[l] = next[l] / static_cast<double>(anchors.size());
  }
  return sum;
}

// Moves all new points at once, in steps against the anchors and against each other, with δ [added × (anchors +
// added)]. In the divisor, pairs of two new points count twice, because both ends move; so the sum never rises
// (majorization.hpp).
void settle_together(std::vector<double>& places, std::size_t old_points, std::size_t L,
                     const std::vector<std::size_t>& anchors, const std::vector<float>& delta) {
  const std::size_t count = places.size() / L - old_points, width = anchors.size() + count;
  std::vector<double> next(count * L);
  for (int step = 0; step < steps_together; ++step) {
    in_parallel(count, 1, [&](std::size_t i) {
      const double* x = &places[(old_points + i) * L];
      double move[3] = {};
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t j = k < anchors.size() ? anchors[k] : old_points + k - anchors.size();
        const double* place = &places[j * L];
        double square = 0;
        for (std::size_t l = 0; l < L; ++l) square += (x[l] - place[l]) * (x[l] - place[l]);
        if (!(square > 0)) continue;
        const double share = 1 - static_cast<double>(delta[i * width + k]) / std::sqrt(square);
        for (std::size_t l = 0; l < L; ++l) move[l] += share * (x[l] - place[l]);
      }
      for (std::size_t l = 0; l < L; ++l)
        next[i * L + l] = x[l] - move[l] / static_cast<double>(anchors.size() + 2 * count);
    });
    std::copy(next.begin(), next.end(), places.begin() + static_cast<std::ptrdiff_t>(old_points * L));
  }
}

}  // namespace

Table place_onto(const Dataset& added, const Dataset& data, const std::string& layout, ParameterSet& asked,
                 std::uint64_t seed, Report& figures) {
  auto& parameters = dynamic_cast<GlimmerParameters&>(asked);
  const auto L = static_cast<std::size_t>(parameters.output_dimensions.value());
  GlimmerParameters plain;
  plain.copy_values(parameters);
  const Dataset both = joined(data, added, parameters.normalize.value());
  plain.normalize.reset();
  std::vector<double> places = glimmer::layout_from_file(layout, data, L);
  const double scale = [&] {
    const InputDistances old(data, parameters);
    return glimmer::StressFigure(old).of(places, L).scale;
  }();
  const InputDistances distances(both, plain);
  const double unit = 1 / scale;  // one unit of δ, in the layout's units
  std::vector<std::size_t> anchors(data.points);
  std::iota(anchors.begin(), anchors.end(), std::size_t{0});
  if (data.points > all_anchors) {
    const Permutation drawn(data.points, seed + anchors_drawn);
    anchors.resize(drawn_anchors);
    for (std::size_t k = 0; k < drawn_anchors; ++k) anchors[k] = drawn(k);
  }
  places.resize(both.points * L);
  const std::size_t width = anchors.size() + added.points;
  std::vector<float> kept(width * added.points <= most_together ? width * added.points : 0);
  in_parallel(added.points, 1, [&](std::size_t i) {
    std::vector<float> row(both.points);
    distances.row(data.points + i, row);
    std::vector<double> delta(row.begin(), row.end());
    for (double& each : delta) each *= unit;
    if (!kept.empty())
      for (std::size_t k = 0; k < width; ++k)
        kept[i * width + k] =
            static_cast<float>(delta[k < anchors.size() ? anchors[k] : data.points + k - anchors.size()]);
    std::vector<std::size_t> nearest(data.points);
    std::iota(nearest.begin(), nearest.end(), std::size_t{0});
    const auto few = static_cast<std::ptrdiff_t>(std::min(starts, data.points));
    std::partial_sort(nearest.begin(), nearest.begin() + few, nearest.end(),
                      [&](std::size_t a, std::size_t b) { return delta[a] != delta[b] ? delta[a] < delta[b] : a < b; });
    double best = std::numeric_limits<double>::infinity();
    for (std::ptrdiff_t k = 0; k < few; ++k) {
      const double* from = &places[nearest[static_cast<std::size_t>(k)] * L];
      double x[3] = {};
      // Begins a little beside the anchor: exactly on it there is no direction in which to leave.
      for (std::size_t l = 0; l < L; ++l) x[l] = from[l] + (l == 0 ? 1e-3 : 2e-3) * unit;
      const double sum = settle(places, L, anchors, delta, x);
      if (sum < best) {
        best = sum;
        std::copy_n(x, L, places.begin() + static_cast<std::ptrdiff_t>((data.points + i) * L));
      }
    }
  });
  if (!kept.empty()) settle_together(places, data.points, L, anchors, kept);
  double error = 0, size = 0;
  std::vector<float> delta(both.points);
  for (std::size_t i = data.points; i < std::min(both.points, data.points + judged); ++i) {
    glimmer::whole_row(distances, i, delta);
    for (std::size_t j = 0; j < both.points; ++j) {
      double square = 0;
      for (std::size_t l = 0; l < L; ++l)
        square += (places[i * L + l] - places[j * L + l]) * (places[i * L + l] - places[j * L + l]);
      const double wanted = double(delta[j]) * unit;
      error += (std::sqrt(square) - wanted) * (std::sqrt(square) - wanted), size += wanted * wanted;
    }
  }
  const double stress = size > 0 ? error / size : 0.0;
  figures.add("stress", stress);
  Table table;
  static constexpr const char* names[] = {"x", "y", "z"};
  table.source = added.name;
  table.rows = added.points;
  for (std::size_t l = 0; l < L; ++l) {
    Column column{names[l]};
    for (std::size_t i = data.points; i < both.points; ++i)
      column.numbers.push_back(static_cast<float>(places[i * L + l]));
    table.columns.push_back(std::move(column));
  }
  if (const Column* label = added.table.find(added.label_name)) {
    table.columns.push_back(*label);
    table.columns.back().name = "label";
  }
  return table;
}

}  // namespace kinescope::sim
