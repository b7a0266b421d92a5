#include "sim/mean_shift/prepare.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "kinescope/error.hpp"
#include "kinescope/permutation.hpp"
#include "sim/mean_shift/bandwidth.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr std::int64_t maximum_nodes = std::int64_t{1} << 25;
constexpr std::uint64_t cost_sample_seed = 20;
constexpr std::size_t exact_pixels = 1 << 14;  // pictures up to this size get exact sums in xyrgb

std::vector<std::int32_t> choose_columns(const Dataset& data, MeanShiftParameters& parameters) {
  const bool colours_only = is_image(data) && parameters.features.value() == Features::rgb;
  std::vector<std::int32_t> columns(data.dimensions - (colours_only ? 2 : 0));
  std::iota(columns.begin(), columns.end(), colours_only ? 2 : 0);
  return columns;
}

// At most `size` points of the data, always the same ones.
std::vector<std::size_t> sample_points(std::size_t points, std::size_t size) {
  const Permutation permutation(points, cost_sample_seed);
  std::vector<std::size_t> sample(std::min(points, size));
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = permutation(i);
  return sample;
}

double median_of_sample(const Dataset& data, std::size_t column) {
  std::vector<float> values;
  for (const std::size_t i : sample_points(data.points, 4096))
    values.push_back(data.values()[i * data.dimensions + column]);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The radius, in bandwidths, beyond which points may be ignored. Even if all N points were at this distance from a
// point whose weight is only its own, they would move it by less than a tenth of the bound: N r exp(−r²/2) ≤ bound /
// 10.
double gaussian_radius(double points, double bound) {
  double radius = 4;
  while (points * radius * std::exp(-0.5 * radius * radius) > 0.1 * bound) radius += 0.01;
  return radius;
}

// The order of interpolation, and the number of nodes per bandwidth along an axis.
struct Resolution {
  std::int32_t order;
  double nodes;
};

// The largest |He_n(r)| for r up to `distance`, where He_n is Hermite's polynomial: the n-th derivative of the gaussian
// is He_n times the gaussian, up to the sign.
double largest_hermite(int n, double distance) {
  double largest = 0;
  for (double r = 0; r <= distance; r += 0.01) {
    double before = 1, value = r;
    for (int i = 1; i < n; ++i) before = std::exchange(value, r * value - i * before);
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

// The nodes s bandwidths apart with which interpolation of order P keeps the bound. It errs by at most Π (m − 1/2)² s^P
// / P! times the P-th derivative, m = 1 … P / 2. It takes place twice: when points are spread, and when sums are read.
// The sums are moments of the first order, so at a distance r from the points that weigh most, the error of a shift is
// He_(P+1)(r) times that.
Resolution resolution(int order, double distance, double bound) {
  double factor = 2 * largest_hermite(order + 1, distance);
  for (int m = 1; m <= order / 2; ++m) factor *= (m - 0.5) * (m - 0.5) / (2 * m * (2 * m - 1));
  return {order, std::pow(factor / bound, 1.0 / order)};
}

// Returns the distinct colours of a picture in ascending order, with r in the lowest byte. Sets owner, the index of
// each pixel's colour, and weight, the number of pixels of each colour. Returns nothing if a colour is not three whole
// numbers from 0 to 255.
std::vector<std::uint32_t> merge_colours(const Dataset& data, Prepared& prepared) {
  std::vector<std::uint32_t> key(data.points), colours;
  std::vector<std::uint64_t> present(1 << 18, 0);  // a bit for each colour
  for (std::size_t i = 0; i < data.points; ++i) {
    const float* rgb = data.values().data() + i * data.dimensions + 2;
    for (int c = 0; c < 3; ++c) {
      if (!(rgb[c] >= 0 && rgb[c] <= 255) || rgb[c] != std::floor(rgb[c])) return {};
      key[i] |= static_cast<std::uint32_t>(rgb[c]) << (8 * c);
    }
    present[key[i] / 64] |= std::uint64_t{1} << (key[i] % 64);
  }
  std::vector<std::uint32_t> before(present.size());  // number of colours in earlier words
  for (std::size_t word = 0; word < present.size(); ++word) {
    before[word] = static_cast<std::uint32_t>(colours.size());
    for (std::uint64_t left = present[word]; left != 0; left &= left - 1)
      colours.push_back(static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left))));
  }
  prepared.owner.resize(data.points);
  prepared.weight.assign((colours.size() + 8 + 63) / 64 * 64, 0.0f);
  for (std::size_t i = 0; i < data.points; ++i) {
    const std::uint64_t below = present[key[i] / 64] & ((std::uint64_t{1} << (key[i] % 64)) - 1);
    const std::uint32_t point = before[key[i] / 64] + static_cast<std::uint32_t>(std::popcount(below));
    prepared.owner[i] = static_cast<std::int32_t>(point);
    prepared.weight[point] += 1;  // exact up to 2^24 pixels of one colour, and close enough beyond
  }
  return colours;
}

void plan_cells(Plan& plan, const Prepared& prepared, std::size_t rows, Kernel kernel) {
  const std::size_t k = prepared.columns.size();
  const double bandwidth = internal_bandwidth(kernel);
  const double radius = kernel == Kernel::gaussian ? gaussian_radius(double(rows), plan.error_bound) : 1.00001;
  const double cutoff = radius * bandwidth;
  std::vector<double> extent(k);
  for (std::size_t c = 0; c < k; ++c) extent[c] = (prepared.maximum[c] - prepared.minimum[c]) * plan.scale[c];
  std::vector<std::int32_t> axes(k);  // the widest columns separate points best
  std::iota(axes.begin(), axes.end(), 0);
  std::stable_sort(axes.begin(), axes.end(),
                   [&](auto a, auto b) { return extent[std::size_t(a)] > extent[std::size_t(b)]; });
  CellGrid& cells = plan.cells;
  cells.dimensions = static_cast<std::int32_t>(std::min<std::size_t>(k, 3));
  double side = 0.5 * cutoff;
  side = std::max(side, extent[std::size_t(axes[0])] / double(1 << 20));
  cells.side = static_cast<float>(side);
  cells.inverse_side = 1.0f / cells.side;
  cells.cutoff_square = static_cast<float>(cutoff * cutoff * (1 + 1e-5));
  cells.points = static_cast<std::int64_t>(prepared.points);
  for (int c = 0; c < cells.dimensions; ++c) {
    const auto axis = static_cast<std::size_t>(axes[static_cast<std::size_t>(c)]);
    cells.axis[c] = axes[static_cast<std::size_t>(c)];
    cells.origin[c] = static_cast<float>(prepared.minimum[axis] * plan.scale[axis]);
    cells.cells[c] = static_cast<std::int64_t>(extent[axis] / side) + 1;
  }
}

// Plans the bins method; false if it cannot be used. The kernel is widened axis by axis, see bins.hpp.
bool plan_bins(const Dataset& data, Plan& plan, const Prepared& prepared, MeanShiftParameters& parameters) {
  const double space = parameters.space_bandwidth.value();
  if (parameters.kernel.value() != Kernel::gaussian || !is_image(data) || prepared.columns.size() != 5) return false;
  if (!make_bins(prepared.raw, prepared.stride, static_cast<std::int64_t>(prepared.points), space, plan.bandwidth,
                 plan.bins))
    return false;
  Bins& bins = plan.bins;
  // x and y are scaled alike, because the search uses circles.
  bins.variance[0] = bins.variance[1] = 0.5 * (bins.variance[0] + bins.variance[1]);
  for (std::size_t c = 0; c < 5; ++c) {
    const double width = c < 2 ? space : plan.bandwidth;
    plan.scale[c] = gaussian_bandwidth / std::sqrt(width * width + bins.variance[c]);
    float* column = bins.x.data() + static_cast<std::int64_t>(c) * bins.stride;
    for (std::int64_t j = 0; j < bins.count; ++j) column[j] *= static_cast<float>(plan.scale[c]);
  }
  CellGrid& cells = plan.cells;
  cells = {};
  cells.dimensions = 2;
  cells.side = static_cast<float>(bins.side * plan.scale[0]);
  cells.inverse_side = 1.0f / cells.side;
  cells.cutoff_square = static_cast<float>(std::pow(bin_radius * gaussian_bandwidth, 2));
  cells.points = bins.count;
  for (int c = 0; c < 2; ++c) {
    cells.axis[c] = c;
    cells.cells[c] = bins.cells[c];
    cells.origin[c] = static_cast<float>(bins.origin[c] * plan.scale[0]);
  }
  return true;
}

double iterations_expected(MeanShiftParameters& parameters) {
  return parameters.iterations.value() > 0 ? double(parameters.iterations.value()) : 50;
}

// The cost in pairs of points, as prepare.hpp defines it.
double field_cost(const FieldGrid& field, double points, double iterations) {
  const double k = field.dimensions, each = 0.5 * std::pow(field.order, k) + 40;
  return points * each * (iterations + 2) + double(field.count()) * k * field.half_width;
}

bool plan_field(Plan& plan, const Prepared& prepared, std::size_t rows, const Resolution& resolution) {
  const std::size_t k = prepared.columns.size();
  FieldGrid& field = plan.field;
  field.order = resolution.order;
  const double spacing = gaussian_bandwidth / resolution.nodes;
  field.dimensions = static_cast<std::int32_t>(k);
  field.spacing = static_cast<float>(spacing);
  field.inverse_spacing = static_cast<float>(1 / spacing);
  double count = 1;
  for (std::size_t c = 0; c < k; ++c) {
    const double extent = (prepared.maximum[c] - prepared.minimum[c]) * plan.scale[c];
    const double nodes = std::ceil(extent / spacing) + field.order + 4,
                 first = prepared.minimum[c] * plan.scale[c] / spacing;
    if ((count *= nodes) > double(maximum_nodes) || std::fabs(first) > 1e8) return false;
    field.nodes[c] = static_cast<std::int32_t>(nodes);
    field.first[c] = static_cast<std::int32_t>(std::floor(first)) - field.order / 2;
  }
  const double radius = gaussian_radius(double(rows), plan.error_bound) * gaussian_bandwidth;
  field.half_width = static_cast<std::int32_t>(std::ceil(radius / spacing));
  plan.taps.assign(2 * (static_cast<std::size_t>(field.half_width) + 1), 0.0f);
  for (std::int32_t m = 0; m <= field.half_width; ++m) {
    const double u = m * double(field.spacing), value = std::exp2(-u * u);
    plan.taps[static_cast<std::size_t>(m)] = static_cast<float>(value);
    plan.taps[static_cast<std::size_t>(field.half_width + 1 + m)] = static_cast<float>(u * value);
  }
  return true;
}

// Plans a field for points at most `distance` bandwidths from those that weigh most, with the cheaper of two orders.
// Returns its cost; infinity if the nodes of neither order fit in memory.
double plan_field_for(double distance, double bound, Plan& plan, const Prepared& prepared, std::size_t rows,
                      MeanShiftParameters& parameters) {
  double least = INFINITY;
  const Plan empty = plan;
  for (const int order : {6, 8}) {
    Plan trial = empty;
    if (!plan_field(trial, prepared, rows, resolution(order, distance, bound))) continue;
    const double cost = field_cost(trial.field, double(prepared.points), iterations_expected(parameters));
    if (cost < least) least = cost, plan = std::move(trial);
  }
  return least;
}

// N points at a distance of √(2 ln N) bandwidths weigh as much as a point itself. That is the worst distance for
// interpolation: nearer points weigh more than the point itself, and farther ones less. Near watersheds 15 iterations
// multiply an error. With 10 times finer shifts the field errs no more than all pairs do in float32, on outliers around
// a crowd (tests/sim/mean_shift/mean_shift_errors_test.cpp). So the first choice is a field for the worst distance with
// a tenth of the bound, and the second one for the worst distance with the bound itself. Either is taken only if it
// costs at most `little`, or a quarter more than a field for `usual_distance`, which is the last choice. With 3 instead
// of 3.8 that one would err by 7e-5 on outliers in three columns.
bool plan_best_field(Plan& plan, const Prepared& prepared, std::size_t rows, MeanShiftParameters& parameters) {
  if (prepared.columns.size() > 3) return false;
  constexpr double multiplied = 10, usual_distance = 3.8, little = 3e8;  // pairs: 0.1 s of one CPU thread
  const double cost = plan_field_for(usual_distance, plan.error_bound, plan, prepared, rows, parameters);
  if (!std::isfinite(cost)) return false;
  const double worst_distance = std::max(usual_distance, std::sqrt(2 * std::log(double(rows))));
  for (const double bound : {plan.error_bound / multiplied, plan.error_bound}) {
    Plan finer = plan;
    if (plan_field_for(worst_distance, bound, finer, prepared, rows, parameters) > std::max(little, 1.25 * cost))
      continue;
    plan = std::move(finer);
    break;
  }
  return true;
}

// The average number of points that a search of the cells visits, estimated from a sample.
double points_searched(const Prepared& prepared, const Plan& plan) {
  const std::vector<std::size_t> sample = sample_points(prepared.points, 512);
  const double reach = std::sqrt(double(plan.cells.cutoff_square)) + 0.5 * plan.cells.side;
  std::size_t near = 0;
  for (const std::size_t a : sample)
    for (const std::size_t b : sample) {
      bool inside = true;
      for (int c = 0; c < plan.cells.dimensions; ++c) {
        const auto axis = static_cast<std::size_t>(plan.cells.axis[c]);
        const float* column = prepared.raw.data() + static_cast<std::int64_t>(axis) * prepared.stride;
        inside = inside && std::fabs(double(column[a]) - column[b]) * plan.scale[axis] < reach;
      }
      near += inside;
    }
  return double(near) / double(sample.size() * sample.size()) * double(prepared.points);
}

Method cheapest(const Prepared& prepared, const Plan& plan, MeanShiftParameters& parameters, bool field) {
  const double n = double(prepared.points), iterations = iterations_expected(parameters);
  const double tiled = n * n * iterations;
  const double grid = n * iterations * (points_searched(prepared, plan) + 50);
  const double by_field = field ? field_cost(plan.field, n, iterations) : INFINITY;
  if (by_field <= std::min(tiled, grid)) return Method::field;
  return grid < tiled ? Method::grid : Method::tiled;
}

}  // namespace

Prepared prepare(const Dataset& data, MeanShiftParameters& parameters) {
  Prepared prepared;
  prepared.columns = choose_columns(data, parameters);
  const std::size_t k = prepared.columns.size(), n = data.points;
  if (k == 0 || n == 0)
    throw input_error(data.name + ": mean shift needs at least one point and one column of numbers");
  if (k > maximum_dimensions)
    throw input_error(
        data.name + ": " + std::to_string(k) +
        " columns are used, but mean shift takes at most 16: choose fewer columns (in the window under Columns, "
        "else with --columns)");
  std::vector<std::uint32_t> colours;
  if (is_image(data) && k == 3) colours = merge_colours(data, prepared);
  prepared.points = colours.empty() ? n : colours.size();
  prepared.stride = static_cast<std::int64_t>((prepared.points + 8 + 63) / 64 * 64);
  prepared.weight.resize(colours.empty() ? 0 : static_cast<std::size_t>(prepared.stride), 0.0f);
  prepared.raw.assign(k * static_cast<std::size_t>(prepared.stride), 0.0f);
  prepared.centre.assign(k, 0), prepared.minimum.assign(k, 0), prepared.maximum.assign(k, 0);
  for (std::size_t c = 0; c < k; ++c) {
    const auto column = static_cast<std::size_t>(prepared.columns[c]);
    prepared.centre[c] = median_of_sample(data, column);
    float* raw = prepared.raw.data() + static_cast<std::int64_t>(c) * prepared.stride;
    float low = INFINITY, high = -INFINITY;
    for (std::size_t i = 0; i < prepared.points; ++i) {
      const double value = colours.empty() ? data.value(i, column) : static_cast<double>(colours[i] >> (8 * c) & 255);
      raw[i] = static_cast<float>(value - prepared.centre[c]);
      low = std::min(low, raw[i]), high = std::max(high, raw[i]);
    }
    if (!std::isfinite(low) || !std::isfinite(high))
      throw input_error(data.name + ": the range of a column is beyond float32");
    prepared.minimum[c] = low, prepared.maximum[c] = high;
  }
  return prepared;
}

Plan make_plan(const Dataset& data, const Prepared& prepared, MeanShiftParameters& parameters) {
  Plan plan;
  const Kernel kernel = parameters.kernel.value();
  const double asked = parameters.bandwidth.value();
  plan.bandwidth = asked > 0 ? asked : estimate_bandwidth(data, kernel);
  plan.error_bound = parameters.error_bound.value();
  plan.scale.assign(prepared.columns.size(), internal_bandwidth(kernel) / plan.bandwidth);
  if (is_image(data) && prepared.columns.size() == 5)
    plan.scale[0] = plan.scale[1] = internal_bandwidth(kernel) / parameters.space_bandwidth.value();
  for (std::size_t c = 0; c < plan.scale.size(); ++c)
    if (!(std::max(-prepared.minimum[c], prepared.maximum[c]) * plan.scale[c] < 1e12))
      throw input_error(data.name + ": the bandwidth " + parameters.bandwidth.text() +
                        " is too small for the data's range");
  for (const double scale : plan.scale)
    if (!(scale < 1e37 && scale > 1e-37))
      throw input_error(data.name + ": its numbers are too close together or too far apart for float32; try --set " +
                        "normalize=zscore");
  double farthest_square = 0;
  for (std::size_t c = 0; c < plan.scale.size(); ++c) {
    const double farthest = std::max(-prepared.minimum[c], prepared.maximum[c]) * plan.scale[c];
    farthest_square += farthest * farthest;
  }
  plan.farthest_square = static_cast<float>(farthest_square);
  plan_cells(plan, prepared, data.points, kernel);
  const bool field = kernel == Kernel::gaussian && plan_best_field(plan, prepared, data.points, parameters);
  plan.method = parameters.method.value();
  const bool big = plan.method == Method::automatic && data.points > exact_pixels;
  if (plan.method == Method::bins || big) {
    if (plan_bins(data, plan, prepared, parameters)) {
      plan.method = Method::bins;
      return plan;
    }
    if (plan.method == Method::bins) plan.method = Method::grid;
  }
  if (plan.method == Method::field && !field) plan.method = Method::grid;
  if (plan.method == Method::automatic) plan.method = cheapest(prepared, plan, parameters, field);
  return plan;
}

}  // namespace kinescope::sim::mean_shift
