#include "sim/mean_shift/bandwidth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "kinescope/in_parallel.hpp"
#include "kinescope/permutation.hpp"
#include "kinescope/random.hpp"
#include "sim/mean_shift/formulas.hpp"
#include "sim/mean_shift/prepare.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr std::uint64_t sample_seed = 20;
// Time grows with the square of the number of rows. With 1,000 rows the best factor below gives the right number as
// often, but within a narrower range of factors.
constexpr std::size_t sample_size = 2000;
// Found on 200 generated sets of 3 to 20 clusters (tests/sim/mean_shift/made_clusters.hpp): factors from 2.1 to 2.4
// give the right number in 194 or 195 of them. At 1.9 stragglers count as clusters (183 right), at 2.8 near clusters
// merge (176 right).
constexpr double times_reference = 2.2;
constexpr double bandwidth_step = 1.05;  // from one bandwidth to the next
// Stragglers say nothing about the width of clusters. So only clusters with a hundredth of the points or more count,
// and only once they hold most of the points.
constexpr std::size_t smallest_part = 100;
constexpr double held_part = 0.9;
// The least ratio of a plateau's last bandwidth to its first. With 1.25 the right number has a plateau in all of the
// same 200 sets, and a set has 2.5 plateaus of more than one cluster on average. With 1.15 it has 3.9, the additional
// ones by chance. With 1.33 one set has no plateau at the right number, and with 1.5 four sets have none.
constexpr double least_plateau = 1.25;
constexpr double farthest = 1e18;       // in internal units: squares stay within float32
constexpr int patience = 100;           // iterations at one bandwidth
constexpr float point_at_rest = 1e-4f;  // squared shift in internal units below which a mode has been reached

// Columns in which so many rows share their value with another one have rounded numbers.
constexpr double rounded_part = 0.1;
constexpr std::size_t few_values = 10;
constexpr std::uint32_t stream_rounding = 21;

// Whether all numbers are multiples of `by`.
bool divides_all(const std::vector<double>& numbers, double by) {
  return std::ranges::all_of(numbers, [&](double each) { return std::abs(each / by - std::round(each / by)) < 1e-4; });
}

// The step to which the numbers of a column were rounded: between neighbouring values, in the middle of all. If there
// are few values, they may be far apart: then it is the largest power of ten that divides all of them or, in columns
// that were normalized, the least step if it divides all others, else a part of it. 0: they are not rounded.
double rounding_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto rows = static_cast<double>(values.size());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 2 || static_cast<double>(values.size()) > (1 - rounded_part) * rows) return 0;
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(values[i] - values[i - 1]);
  std::sort(steps.begin(), steps.end());
  if (values.size() >= few_values) return steps[steps.size() / 2];
  const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
  constexpr int least_exponent = -6;
  for (int exponent = static_cast<int>(std::floor(std::log10(largest))); exponent >= least_exponent; --exponent)
    if (const double power = std::pow(10.0, exponent); divides_all(values, power)) return power;
  constexpr std::size_t fewest_of_a_scale = 4;
  return values.size() >= fewest_of_a_scale && divides_all(steps, steps.front()) ? steps.front() : 0.25 * steps.front();
}

template <int K>
struct Mode {
  double place[K];
  double points, mean[K], scatter;  // number, mean and Σ (x − mean)² of the sampled rows that moved here
};

// Computes the sums of add_range over a sample, bit for bit, for a place that moves little. Blocks of eight points that
// are all too far away to have any weight are left out; at small bandwidths these are most blocks.
template <int K>
class NearSample {
 public:
  explicit NearSample(const Cloud& cloud) : cloud_(cloud) {}

  // Omitted blocks stay without weight until the place has moved this far.
  static constexpr float margin = 1.5f;
  static constexpr std::size_t most_blocks = (sample_size + 7) / 8;

  std::size_t blocks() const { return count_; }

  void find(const float* y) {
    constexpr float weightless = 126;  // the largest argument for which exp2_negative() is not 0
    static const float reach_square = std::pow(std::sqrt(weightless) + margin, 2.0f) * 1.0001f;
    std::copy_n(y, K, found_at_);
    count_ = 0;
    for (std::int64_t j = 0; j < cloud_.count; j += 8) {
      lanes::Float8 between[K];
      const lanes::Int8 near = square_distance<K>(cloud_, j, y, between) <= reach_square;
      blocks_[count_] = static_cast<std::uint16_t>(j);
      count_ += !lanes::all(~near);
    }
  }

  bool left(const float* y) const {
    float square = 0;
    for (int c = 0; c < K; ++c) square += (y[c] - found_at_[c]) * (y[c] - found_at_[c]);
    return !(square < margin * margin);
  }

  Sums<K> sums(const float* y) const {
    Sums<K> sums;
    for (std::size_t b = 0; b < count_;) {
      lanes::Float8 total = {}, moment[K] = {}, between[K];
      const std::int64_t end = (blocks_[b] / 512 + 1) * std::int64_t{512};  // add_range sums floats up to here
      for (; b < count_ && blocks_[b] < end; ++b) {
        const std::int64_t j = blocks_[b];
        lanes::Float8 w = weight<Kernel::gaussian>(square_distance<K>(cloud_, j, y, between));
        if (cloud_.count - j < 8) w = lanes::keep_first(w, cloud_.count - j);
        total += w;
        for (int c = 0; c < K; ++c) moment[c] = lanes::fma(w, between[c], moment[c]);
      }
      sums.weight += lanes::sum_as_double(total);
      for (int c = 0; c < K; ++c) sums.moment[c] += lanes::sum_as_double(moment[c]);
    }
    return sums;
  }

 private:
  Cloud cloud_;
  float found_at_[K] = {};
  std::size_t count_ = 0;
  std::array<std::uint16_t, most_blocks> blocks_;  // the first point of each block
};

// A sample of the data, and its modes at growing bandwidths.
template <int K>
class ModeTree {
 public:
  ModeTree(const Dataset& data, const std::vector<std::int32_t>& columns)
      : columns_(static_cast<double>(columns.size())),
        modes_(std::min(data.points, sample_size)),
        stride_((modes_.size() + 8 + 63) / 64 * 64),
        sample_(K * stride_) {
    const Permutation permutation(data.points, sample_seed);
    const Random random(sample_seed, stream_rounding);
    std::vector<double> rounding;
    for (const std::int32_t column : columns) {
      std::vector<double> values;
      for (std::size_t i = 0; i < modes_.size(); ++i)
        values.push_back(data.value(permutation(i), static_cast<std::size_t>(column)));
      rounding.push_back(rounding_of(std::move(values)));
    }
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      Mode<K>& mode = modes_[i] = {{}, 1, {}, 0};
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto column = static_cast<std::size_t>(columns[c]);
        // A rounded number stands for all those that it may have been. Else each value could seem a cluster.
        const auto word = random.words(i, static_cast<std::uint32_t>(c))[0];
        const double value = data.value(permutation(i), column) - data.value(permutation(0), column) +
                             rounding[c] * (static_cast<double>(uniform_float(word)) - 0.5);
        sample_[c * stride_ + i] = mode.place[c] = mode.mean[c] = value;
      }
    }
    points_ = modes_.size();
  }

  // The middle of the longest stretch of bandwidths with one number of clusters, two at least; `otherwise` without one.
  // The colours of a photograph may be one heap with many humps, but nobody asks for one segment.
  static double of_several(const std::vector<BandwidthCurve::Point>& points, double otherwise) {
    double longest = 0, found = otherwise;
    for (auto first = points.begin(); first != points.end();) {
      const auto end = std::find_if(first, points.end(), [&](const auto& p) { return p.clusters != first->clusters; });
      const double high = (end - 1)->bandwidth, length = high / first->bandwidth;
      if (first->clusters > 1 && length > longest) longest = length, found = std::sqrt(first->bandwidth * high);
      first = end;
    }
    return found;
  }

  // Follows the modes until the bandwidth is estimated or, for the `whole` curve, until one cluster has been left for
  // the length of a plateau.
  BandwidthCurve follow(bool picture, bool whole, const std::stop_token& stop,
                        const std::function<void(double)>& progress) {
    BandwidthCurve curve;
    double bandwidth = median_of_nearest();
    if (!std::isfinite(bandwidth)) return curve;
    bool estimated = false;
    for (double one_since = INFINITY; !stop.stop_requested(); bandwidth *= bandwidth_step) {
      if (modes_.size() > 1) climb(bandwidth, stop), join(bandwidth);
      const Large large = large_clusters();
      if (large.hold_most) curve.points.push_back({bandwidth, large.count});
      if (!estimated && large.hold_most && large.reference > 0 && bandwidth >= times_reference * large.reference)
        curve.estimate = picture && large.count == 1 ? of_several(curve.points, bandwidth) : bandwidth,
        estimated = true;
      one_since = large.hold_most && large.count == 1 ? std::min(one_since, bandwidth) : INFINITY;
      if (estimated && (!whole || bandwidth >= least_plateau * one_since)) break;
      if (progress) progress(1 - static_cast<double>(modes_.size() - 1) / static_cast<double>(points_));
    }
    return curve;
  }

 private:
  static double square_between(const double* a, const double* b) {
    double square = 0;
    for (int c = 0; c < K; ++c) square += (a[c] - b[c]) * (a[c] - b[c]);
    return square;
  }

  // The median over the rows of the distance to the nearest row that differs.
  double median_of_nearest() const {
    std::vector<double> nearest(points_, INFINITY);
    in_parallel(points_, 1, [&](std::size_t i) {
      for (const Mode<K>& other : modes_)
        if (const double square = square_between(modes_[i].place, other.place); square > 0)
          nearest[i] = std::min(nearest[i], square);
    });
    const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(points_ / 2);
    std::nth_element(nearest.begin(), middle, nearest.end());
    return std::sqrt(*middle);
  }

  void climb(double bandwidth, const std::stop_token& stop) {
    const double scale = gaussian_bandwidth / bandwidth;
    const auto internal = [&](double value) {
      return static_cast<float>(std::clamp(value * scale, -farthest, farthest));
    };
    std::vector<float> x(sample_.size());
    std::transform(sample_.begin(), sample_.end(), x.begin(), internal);
    const Cloud cloud{x.data(), static_cast<std::int64_t>(stride_), static_cast<std::int64_t>(points_)};
    in_parallel(modes_.size(), 1, [&](std::size_t i) {
      if (stop.stop_requested()) return;
      float y[K];
      for (int c = 0; c < K; ++c) y[c] = internal(modes_[i].place[c]);
      NearSample<K> near(cloud);
      float square = 1;
      for (int t = 0; t < patience && square > point_at_rest; ++t) {
        if (t == 0 || near.left(y)) near.find(y);
        const Sums<K> sums = near.sums(y);
        square = 0;
        for (int c = 0; c < K && sums.weight > 0; ++c) {
          const auto by = static_cast<float>(sums.moment[c] / sums.weight);
          y[c] += by, square += by * by;
        }
      }
      for (int c = 0; c < K; ++c) modes_[i].place[c] = y[c] / scale;
    });
  }

  // Joins modes within half a bandwidth of each other, as a run does for its clusters.
  void join(double bandwidth) {
    std::vector<Mode<K>> joined;
    for (const Mode<K>& mode : modes_) {
      const auto same = std::find_if(joined.begin(), joined.end(), [&](const Mode<K>& other) {
        return square_between(mode.place, other.place) <= 0.25 * bandwidth * bandwidth;
      });
      if (same == joined.end()) {
        joined.push_back(mode);
        continue;
      }
      const double points = same->points + mode.points, part = mode.points / points;
      same->scatter += mode.scatter + same->points * part * square_between(same->mean, mode.mean);
      for (int c = 0; c < K; ++c) same->mean[c] += part * (mode.mean[c] - same->mean[c]);
      same->points = points;
    }
    modes_.swap(joined);
  }

  struct Large {
    int count = 0;
    double reference = 0;  // reference bandwidth of estimate_bandwidth(): the mean over their points
    bool hold_most = false;
  };
  Large large_clusters() const {
    Large large;
    const double all = static_cast<double>(points_);
    const double least = std::min(all, std::max(3.0, all / smallest_part));
    double points = 0;
    for (const Mode<K>& mode : modes_) {
      if (mode.points < least) continue;
      ++large.count;
      large.reference += mode.points * std::sqrt(mode.scatter / (mode.points * columns_)) *
                         std::pow(4 / ((columns_ + 4) * mode.points), 1 / (columns_ + 6));
      points += mode.points;
    }
    large.hold_most = points >= held_part * all;
    large.reference /= std::max(points, 1.0);
    return large;
  }

  double columns_;  // number of the data's columns, without padding to K
  std::vector<Mode<K>> modes_;
  std::size_t points_ = 0, stride_;
  std::vector<double> sample_;  // [K × stride_] the sampled rows minus the first of them
};

template <int K>
using Size = std::integral_constant<int, K>;

BandwidthCurve follow(const Dataset& data, Kernel kernel, bool whole, const std::stop_token& stop = {},
                      const std::function<void(double)>& progress = {}) {
  // For a picture, only the colours, which are the last columns.
  std::vector<std::int32_t> columns(is_image(data) ? 3 : data.dimensions);
  std::iota(columns.begin(), columns.end(), static_cast<std::int32_t>(data.dimensions - columns.size()));
  const auto in = [&](auto size) {
    return ModeTree<size()>(data, columns).follow(is_image(data), whole, stop, progress);
  };
  const std::size_t k = columns.size();
  BandwidthCurve curve = k == 1   ? in(Size<1>())
                         : k == 2 ? in(Size<2>())
                         : k == 3 ? in(Size<3>())
                         : k == 4 ? in(Size<4>())
                         : k <= 8 ? in(Size<8>())
                                  : in(Size<16>());
  // The ratios of canonical bandwidths. A run climbs the density of its kernel's shadow: the biweight kernel for the
  // epanechnikov kernel, the epanechnikov kernel for the flat one.
  const double widened = kernel == Kernel::gaussian ? 1 : kernel == Kernel::epanechnikov ? 2.623 : 2.214;
  curve.estimate *= widened;
  for (BandwidthCurve::Point& point : curve.points) point.bandwidth *= widened;
  return curve;
}

}  // namespace

double estimate_bandwidth(const Dataset& data, Kernel kernel) {
  return follow(data, kernel, false).estimate;
}

BandwidthCurve bandwidth_curve(const std::shared_ptr<const Dataset>& data, Normalization normalization, Kernel kernel,
                               const std::stop_token& stop, const std::function<void(double)>& progress) {
  const Scaling scaling(*data, is_image(*data) ? Normalization::none : normalization);
  return follow(*scaling.apply(data), kernel, true, stop, progress);
}

std::vector<Plateau> BandwidthCurve::plateaus() const {
  std::vector<Plateau> found;
  for (auto first = points.begin(); first != points.end();) {
    const auto end = std::find_if(first, points.end(), [&](const Point& p) { return p.clusters != first->clusters; });
    if (const double high = (end - 1)->bandwidth; high >= least_plateau * first->bandwidth)
      found.push_back({first->bandwidth, high, first->clusters});
    first = end;
  }
  return found;
}

}  // namespace kinescope::sim::mean_shift
