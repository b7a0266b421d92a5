#include "sim/mean_shift/bandwidth.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/in_parallel.hpp"
#include "sim/core/permutation.hpp"
#include "sim/mean_shift/formulas.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr std::uint64_t sample_seed = 20;
// With more rows the time grows with the square; with 1,000 the best factor below is right as often, but in a narrower
// range.
constexpr std::size_t sample_size = 2000;
// Found on 200 made sets of 3 to 20 clusters (tests/sim/mean_shift/made_clusters.hpp): right in 194 or 195 of them from
// 2.1 to 2.4. At 1.9 stragglers count as clusters (183), at 2.8 near clusters merge (176).
constexpr double times_reference = 2.2;
constexpr double step = 1.05;  // from one bandwidth to the next
// Stragglers do not say how wide clusters are: only those with a hundredth of the points or more do, and only once they
// hold most of the points.
constexpr std::size_t smallest_part = 100;
constexpr double most = 0.9;
constexpr double farthest = 1e18;  // in internal units: squares stay within float32
constexpr int patience = 100;      // iterations at one bandwidth
constexpr float at_rest = 1e-4f;   // squared shift in internal units below which a mode has been reached

template <int K>
struct Mode {
  double place[K];
  double points, mean[K], scatter;  // of the sampled rows that came here; scatter: Σ (x − mean)²
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
    const float* first = data.values.data() + permutation(0) * data.dimensions;
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      Mode<K>& mode = modes_[i] = {{}, 1, {}, 0};
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto column = static_cast<std::size_t>(columns[c]);
        const double value = double(data.values[permutation(i) * data.dimensions + column]) - first[column];
        sample_[c * stride_ + i] = mode.place[c] = mode.mean[c] = value;
      }
    }
    points_ = modes_.size();
  }

  double estimate() {
    double bandwidth = median_of_nearest();
    if (!std::isfinite(bandwidth)) return 1;
    for (;; bandwidth *= step) {
      if (modes_.size() > 1) climb(bandwidth), join(bandwidth);
      if (const double reference = mean_reference(); reference > 0 && bandwidth >= times_reference * reference)
        return bandwidth;
    }
  }

 private:
  static double square_between(const double* a, const double* b) {
    double square = 0;
    for (int c = 0; c < K; ++c) square += (a[c] - b[c]) * (a[c] - b[c]);
    return square;
  }

  // The median distance of a row from the nearest that differs from it.
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

  void climb(double bandwidth) {
    const double scale = gaussian_bandwidth / bandwidth;
    const auto internal = [&](double value) {
      return static_cast<float>(std::clamp(value * scale, -farthest, farthest));
    };
    std::vector<float> x(sample_.size());
    std::transform(sample_.begin(), sample_.end(), x.begin(), internal);
    const Cloud cloud{x.data(), static_cast<std::int64_t>(stride_), static_cast<std::int64_t>(points_)};
    in_parallel(modes_.size(), 1, [&](std::size_t i) {
      float y[K];
      for (int c = 0; c < K; ++c) y[c] = internal(modes_[i].place[c]);
      float square = 1;
      for (int t = 0; t < patience && square > at_rest; ++t) {
        Sums<K> sums;
        add_range<Kernel::gaussian, K>(cloud, 0, cloud.count, y, sums);
        square = 0;
        for (int c = 0; c < K && sums.weight > 0; ++c) {
          const auto by = static_cast<float>(sums.moment[c] / sums.weight);
          y[c] += by, square += by * by;
        }
      }
      for (int c = 0; c < K; ++c) modes_[i].place[c] = y[c] / scale;
    });
  }

  // Modes within half a bandwidth of each other become one, as in the clusters of a run.
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

  // Over the points of the large clusters; 0 if these hold too few.
  double mean_reference() const {
    const double all = static_cast<double>(points_);
    const double least = std::min(all, std::max(3.0, all / smallest_part));
    double total = 0, points = 0;
    for (const Mode<K>& mode : modes_) {
      if (mode.points < least) continue;
      total += mode.points * std::sqrt(mode.scatter / (mode.points * columns_)) *
               std::pow(4 / ((columns_ + 4) * mode.points), 1 / (columns_ + 6));
      points += mode.points;
    }
    return points >= most * all ? total / points : 0;
  }

  double columns_;  // without those that are added up to K
  std::vector<Mode<K>> modes_;
  std::size_t points_ = 0, stride_;
  std::vector<double> sample_;  // [K × stride_], less the first row
};

template <int K>
double estimate(const Dataset& data, const std::vector<std::int32_t>& columns) {
  return ModeTree<K>(data, columns).estimate();
}

double for_gaussian(const Dataset& data, const std::vector<std::int32_t>& columns) {
  switch (columns.size()) {
    case 1:
      return estimate<1>(data, columns);
    case 2:
      return estimate<2>(data, columns);
    case 3:
      return estimate<3>(data, columns);
    case 4:
      return estimate<4>(data, columns);
    default:
      return columns.size() <= 8 ? estimate<8>(data, columns) : estimate<16>(data, columns);
  }
}

}  // namespace

double estimate_bandwidth(const Dataset& data, const std::vector<std::int32_t>& columns, Kernel kernel) {
  // Ratios of canonical bandwidths. A run climbs the density of its kernel's shadow: for the epanechnikov kernel the
  // biweight, for the flat one the epanechnikov kernel.
  const double widened = kernel == Kernel::gaussian ? 1 : kernel == Kernel::epanechnikov ? 2.623 : 2.214;
  return widened * for_gaussian(data, columns);
}

}  // namespace kinescope::sim::mean_shift
