#include "sim/mean_shift/saddles.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "kinescope/in_parallel.hpp"
#include "sim/mean_shift/formulas.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr double pairs_allowed = 1 << 27;
constexpr double step = 0.1 * gaussian_bandwidth;
constexpr std::int64_t smallest_part = 100;  // clusters of at most 1/100 of the points are checked

// The density around a place, in double: that of the points, or of a picture's bins if the points are shifted by these.
class Surroundings {
 public:
  Surroundings(const Prepared& prepared, const Plan& plan)
      : columns_(prepared.columns.size()), binned_(plan.method == Method::bins), cells_(plan.cells) {
    const Bins& bins = plan.bins;
    cells_.first = bins.first.data();  // the plan's own is in the executor's memory
    points_ = binned_ ? static_cast<std::size_t>(bins.count) : prepared.points;
    weight_ = binned_ ? bins.weight : prepared.weight;
    for (std::size_t c = 0; c < columns_; ++c)
      for (std::size_t i = 0; i < points_; ++i)
        x_.push_back(binned_ ? double(bins.x[c * static_cast<std::size_t>(bins.stride) + i])
                             : prepared.raw[c * static_cast<std::size_t>(prepared.stride) + i] * plan.scale[c]);
  }

  // About how many points are looked at for a place.
  double pairs() const {
    const double cells = double(cells_.cells[0]) * double(cells_.cells[1]), disc = std::numbers::pi * cells_in_reach();
    return double(points_) * (binned_ ? std::min(1.0, disc / cells) : 1.0);
  }

  Eigen::VectorXd shift(const Eigen::VectorXd& at) const {
    Eigen::VectorXd moment = Eigen::VectorXd::Zero(at.size());
    double total = 0;
    visit(at, [&](double weight, const Eigen::VectorXd& way) { total += weight, moment += weight * way; });
    return moment / total;
  }

  // The derivative of at + shift(at).
  Eigen::MatrixXd derivative(const Eigen::VectorXd& at) const {
    Eigen::MatrixXd second = Eigen::MatrixXd::Zero(at.size(), at.size());
    Eigen::VectorXd moment = Eigen::VectorXd::Zero(at.size());
    double total = 0;
    visit(at, [&](double weight, const Eigen::VectorXd& way) {
      total += weight, moment += weight * way;
      second.selfadjointView<Eigen::Lower>().rankUpdate(way, weight);
    });
    second.triangularView<Eigen::StrictlyUpper>() = second.transpose();
    moment /= total;
    return (second / total - moment * moment.transpose()) / (gaussian_bandwidth * gaussian_bandwidth);
  }

 private:
  double cells_in_reach() const { return double(cells_.cutoff_square) / std::pow(double(cells_.side), 2); }

  template <class F>
  void visit(const Eigen::VectorXd& at, F f) const {
    constexpr double nothing = 60;  // 2^−60 is beyond a double's digits
    Eigen::VectorXd way(at.size());
    const auto range = [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        for (std::size_t c = 0; c < columns_; ++c) way[Eigen::Index(c)] = x_[c * points_ + i] - at[Eigen::Index(c)];
        const double square = way.squaredNorm();
        if (square < nothing) f((weight_.empty() ? 1 : double(weight_[i])) * std::exp2(-square), way);
      }
    };
    if (!binned_) return range(0, static_cast<std::int64_t>(points_));
    const Eigen::VectorXf y = at.cast<float>();
    cells_.near(y.data(), range);
  }

  std::size_t columns_, points_ = 0;
  bool binned_;
  CellGrid cells_;
  std::vector<float> weight_;
  std::vector<double> x_;  // [columns × points]
};

}  // namespace

std::vector<Departure> departures_from_saddles(const Prepared& prepared, const Plan& plan,
                                               std::span<const float> places, const Labels& labels) {
  const std::size_t columns = prepared.columns.size(), n = prepared.points;
  const auto place = [&](std::int64_t point) {
    Eigen::VectorXd at(columns);
    for (std::size_t c = 0; c < columns; ++c) at[Eigen::Index(c)] = places[c * n + static_cast<std::size_t>(point)];
    return at;
  };
  const std::int64_t all = std::accumulate(labels.sizes.begin(), labels.sizes.end(), std::int64_t{0});
  if (labels.sizes.size() < 2 || labels.sizes.back() * smallest_part > all) return {};
  const Surroundings density(prepared, plan);
  const double each = density.pairs();
  double spent = 0;
  std::vector<std::size_t> checked;  // clusters, the smallest first
  for (std::size_t k = labels.sizes.size(); k-- > 1 && labels.sizes[k] * smallest_part <= all;) {
    if ((spent += each) > pairs_allowed) break;
    checked.push_back(k);
  }
  if (checked.empty()) return {};
  std::vector<Eigen::VectorXd> way_out(labels.sizes.size());  // empty: the cluster is at a mode
  in_parallel(checked.size(), 1, [&](std::size_t j) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        density.derivative(place(labels.centroids[checked[j]])));
    if (solver.eigenvalues()[Eigen::Index(columns) - 1] > 1)
      way_out[checked[j]] = solver.eigenvectors().col(Eigen::Index(columns) - 1);
  });
  std::vector<Departure> departures;
  for (std::size_t i = 0; i < n && spent <= pairs_allowed; ++i)
    if (way_out[labels.cluster[i]].size() > 0) {
      departures.push_back({static_cast<std::int64_t>(i), {}});
      spent += each;
    }
  in_parallel(departures.size(), 1, [&](std::size_t j) {
    const std::int64_t i = departures[j].point;
    const Eigen::VectorXd &way = way_out[labels.cluster[static_cast<std::size_t>(i)]], at = place(i);
    const Eigen::VectorXd to = at + (density.shift(at).dot(way) < 0 ? -step : step) * way;
    departures[j].place.assign(to.begin(), to.end());
  });
  return departures;
}

}  // namespace kinescope::sim::mean_shift
