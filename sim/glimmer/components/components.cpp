#include "sim/glimmer/components/components.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/glimmer/input_distances.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/core/components.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/data/distance_matrix.hpp"
#include "sim/data/graph/shortest_paths.hpp"
#include "sim/glimmer/coordinates/distance_rows.hpp"
#include "sim/glimmer/quality/pair_sums.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr std::size_t measured_pairs = 2560 * 2560, least_measured_rows = 64;  // for a large component's Σ δ²
constexpr int most_small_steps = 1000;
constexpr std::uint64_t small_starts = 3;  // random ones, beside the classical one

double middle_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The median of the lengths of edges, or of the distances to the nearest point.
double usual_length(const Dataset& data, const DistanceFeeder& feeder) {
  std::vector<double> lengths;
  if (data.graph) {
    lengths.assign(data.graph->lengths.begin(), data.graph->lengths.end());
    if (lengths.empty()) return 1;
  } else {
    constexpr std::size_t most = 1000;
    for (std::size_t i = 0; i < data.points; i += data.points / most + 1) {
      double nearest = std::numeric_limits<double>::infinity();
      std::vector<float> row(data.points);
      feeder.row(i, row);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (std::isnan(row[j])) continue;
        if (const std::string flaw = distance_flaw(i, j, row[j]); !flaw.empty())
          throw input_error(data.name + ": distances: " + flaw);
        if (row[j] > 0) nearest = std::min(nearest, double(row[j]));
      }
      if (std::isfinite(nearest)) lengths.push_back(nearest);
    }
  }
  const double usual = middle_of(lengths);
  return usual > 0 ? usual : 1;
}

std::vector<Graph> split(const Graph& graph, const std::vector<std::uint32_t>& components,
                         const std::vector<std::vector<std::uint32_t>>& members) {
  std::vector<std::uint32_t> number(graph.nodes);  // of each node in its component
  std::vector<Graph> parts(members.size());
  for (std::size_t c = 0; c < members.size(); ++c) {
    parts[c].nodes = members[c].size();
    for (std::size_t k = 0; k < members[c].size(); ++k) number[members[c][k]] = static_cast<std::uint32_t>(k);
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [from, to] = graph.edges[e];
    Graph& part = parts[components[from]];
    part.edges.push_back({number[from], number[to]});
    if (!graph.lengths.empty()) part.lengths.push_back(graph.lengths[e]);
  }
  return parts;
}

// Some points of a feeder, which must outlive this.
class DistancesAmong final : public DistanceFeeder {
 public:
  DistancesAmong(const DistanceFeeder& all, std::vector<std::uint32_t> members)
      : all_(all), members_(std::move(members)) {}
  std::size_t points() const override { return members_.size(); }
  void row(std::size_t from, std::span<float> distances) const override {
    std::vector<float> whole(all_.points());
    all_.row(members_[from], whole);
    for (std::size_t i = 0; i < members_.size(); ++i) distances[i] = whole[members_[i]];
  }
  std::string description() const override { return all_.description(); }

 private:
  const DistanceFeeder& all_;
  const std::vector<std::uint32_t> members_;
};

// Also returns Σ d².
double measure(const InputDistances& distances, ComponentLayout& layout) {
  const std::size_t n = distances.points(), most = std::max(measured_pairs / n, least_measured_rows),
                    step = (n + most - 1) / most;
  std::vector<PairSums> rows((n + step - 1) / step);
  std::vector<double> squares(rows.size());
  const PlacedLayout placed(layout.places, n);
  in_parallel(rows.size(), 1, [&](std::size_t k) {
    std::vector<float> delta(n);
    distances.row(k * step, delta);
    for (std::size_t j = 0; j < n; ++j) {
      const double d = placed.distance(k * step, j);
      rows[k] = rows[k] + pair_sums(d, double(delta[j]));
      if (!std::isnan(delta[j])) squares[k] += d * d;
    }
  });
  PairSums sums;
  for (const PairSums& row : rows) sums = sums + row;
  const double all = double(n) / double(rows.size()) / 2;
  layout.error = all * sums.error, layout.size = all * sums.size, layout.sampled = step > 1;
  return all * std::accumulate(squares.begin(), squares.end(), 0.0);
}

// The components are packed by their first sizes, which shall be near the last ones.
void scale_to_least_stress(double squares, ComponentLayout& layout) {
  const double products = (squares + layout.size - layout.error) / 2;  // Σ d δ
  if (!(squares > 0) || !(products > 0)) return;
  const double scale = products / squares;
  for (float& coordinate : layout.places) coordinate = static_cast<float>(scale * double(coordinate));
  layout.error = layout.size - scale * products;
}

// Turns a layout of few points to its principal axes, the longest along x.
void turn_to_axes(std::vector<float>& places, std::size_t L) {
  const std::size_t n = places.size() / L;
  std::vector<double> mean(L), spread(L * L);
  for (std::size_t e = 0; e < places.size(); ++e) mean[e % L] += double(places[e]) / double(n);
  const auto at = [&](std::size_t i, std::size_t l) { return double(places[i * L + l]) - mean[l]; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < L; ++r)
      for (std::size_t c = 0; c < L; ++c) spread[r * L + c] += at(i, r) * at(i, c);
  const SymmetricEigen axes = symmetric_eigen(spread, static_cast<std::int64_t>(L));
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 3> turned = {};
    for (std::size_t l = 0; l < L; ++l)
      for (std::size_t c = 0; c < L; ++c) turned[l] += at(i, c) * axes.vectors[c * L + l];
    for (std::size_t l = 0; l < L; ++l) places[i * L + l] = static_cast<float>(turned[l]);
  }
}

}  // namespace

ComponentData::ComponentData(const Dataset& data, GlimmerParameters& parameters)
    : whole_(data),
      L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
      members_(members_of(data.components)) {
  const std::shared_ptr<const DistanceFeeder> feeder = feeder_of(data, parameters);
  if (data.graph) graphs_ = split(*data.graph, data.components, members_);
  if (parameters.starts_from_file()) start_ = layout_from_file(parameters.start.value(), data, L_);
  gap_ = usual_length(data, *feeder);
}

std::shared_ptr<const Dataset> ComponentData::data(std::size_t component) const {
  const std::vector<std::uint32_t>& points = members_[component];
  Dataset part;
  part.name = whole_.name;
  part.points = points.size();
  if (whole_.graph) {
    part.graph = std::make_shared<const Graph>(graphs_[component]);
    part.numbers = std::make_shared<const ShortestPaths>(part.graph, whole_.name);
  } else if (whole_.distances()) {
    part.numbers = std::make_shared<const DistancesAmong>(*whole_.distances(), points);
  } else {
    part.dimensions = points.size();
    part.rows().values.own().reserve(points.size() * points.size());
    for (const std::uint32_t i : points)
      for (const std::uint32_t j : points) {
        const float distance = whole_.values()[i * whole_.points + j];
        part.rows().values.own().push_back(distance);
        part.pairs_left_out += j < i && std::isnan(distance);
      }
  }
  if (!start_.empty())
    for (const std::uint32_t i : points) part.start.insert(part.start.end(), &start_[i * L_], &start_[i * L_] + L_);
  return std::make_shared<const Dataset>(std::move(part));
}

ComponentLayout lay_out_small(const Dataset& component, GlimmerParameters& asked, std::uint64_t seed) {
  const auto L = static_cast<std::size_t>(asked.output_dimensions.value());
  ComponentLayout layout;
  layout.places.assign(component.points * L, 0);
  if (component.points < 2) return layout;
  GlimmerParameters parameters;
  parameters.copy_values(asked);
  const InputDistances distances(component, parameters);
  if (component.points == 2) {
    std::vector<float> row(2);
    distances.row(0, row);
    layout.places[0] = -row[1] / 2, layout.places[L] = row[1] / 2;
    layout.size = double(row[1]) * double(row[1]);
    return layout;
  }
  const bool is_rival = asked.algorithm.value().make, given = asked.has_given_start();
  if (!is_rival) parameters.algorithm.set("smacof");
  if (!is_rival && !given) parameters.start.set("auto");
  double best = std::numeric_limits<double>::infinity();
  for (std::uint64_t start = 0; start <= (!is_rival && !given && component.points > 3 ? small_starts : 0); ++start) {
    if (start > 0) parameters.start.set("random");
    const std::unique_ptr<Rival> rival = make_rival(component, parameters, seed + start);
    for (int step = 0; step < most_small_steps && !rival->seen().converged; ++step) rival->step();
    if (rival->seen().figure >= best) continue;
    best = layout.figure = rival->seen().figure;
    layout.places.assign(rival->layout().begin(), rival->layout().end());
  }
  if (!parameters.starts_from_file()) turn_to_axes(layout.places, L);
  measure(distances, layout);
  return layout;
}

ComponentLayout first_layout(const Dataset& component, GlimmerParameters& parameters) {
  ComponentLayout layout;
  layout.places = reference_layout(component, parameters);
  const double squares = measure(InputDistances(component, parameters), layout);
  if (!parameters.has_given_start()) scale_to_least_stress(squares, layout);
  layout.figure = layout.size > 0 ? layout.error / layout.size : 0;
  return layout;
}

}  // namespace kinescope::sim::glimmer
