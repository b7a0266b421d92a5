// A layout by stochastic gradient descent: J. X. Zheng, S. Pawar, D. F. M. Goodman, "Graph drawing by stochastic
// gradient descent", 2018. It lowers Σ w (d − δ)² over all pairs, with w = δ⁻², so that near pairs count as much as far
// ones. An iteration takes the pairs one by one, in a random order, and moves both points of a pair along the line
// between them by ½ μ (d − δ), where μ = min(1, w η). The step size η falls from 1 / least w to ε / greatest w, by the
// same factor in each iteration.
//
// The figure is the stress, as of the other layouts: there far pairs count most.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kinescope/permutation.hpp"
#include "sim/glimmer/rivals/all_pairs.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "sim/glimmer/rivals/start.hpp"

namespace kinescope::sim::glimmer {
namespace {

constexpr int iterations = 30;
constexpr double epsilon = 0.1;

class Sgd : public Rival {
 public:
  Sgd(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed)
      : distances_(data, parameters),
        figure_(distances_),
        delta_(all_pairs(distances_, data, "sgd")),
        L_(static_cast<std::size_t>(parameters.output_dimensions.value())),
        seed_(seed) {
    double least = std::numeric_limits<double>::infinity(), greatest = 0;  // δ², 1 / w
    for (const float delta : delta_) {
      const double square = double(delta) * double(delta);
      if (square > 0) least = std::min(least, square), greatest = std::max(greatest, square);
    }
    step_size_ = greatest;
    if (greatest > 0) decay_ = std::pow(epsilon * least / greatest, 1.0 / (iterations - 1));
    layout_ = start_layout(distances_, figure_, data, parameters, seed);
    figure_name_ = figure_.exact() ? "stress, all pairs" : "stress, sampled";
    seen_.figure = figure_.stress(layout_, L_);
  }

  void step() override {
    const Permutation order(delta_.size(), seed_ * iterations + static_cast<std::uint64_t>(steps_));
    for (std::size_t k = 0; k < delta_.size(); ++k) move(order(k));
    step_size_ *= decay_;
    ++steps_;
    seen_.figure = figure_.stress(layout_, L_);
    seen_.fraction = double(steps_) / iterations;
    seen_.converged = steps_ == iterations;
  }

 private:
  // Moves the two points of a pair. Pair i(i − 1)/2 + j is that of i and j < i (all_pairs).
  void move(std::size_t pair) {
    const auto i = static_cast<std::size_t>((1 + std::sqrt(1 + 8 * double(pair))) / 2), j = pair - i * (i - 1) / 2;
    const auto delta = double(delta_[pair]);
    if (std::isnan(delta)) return;  // the pair has no distance
    double* const one = &layout_[i * L_];
    double* const other = &layout_[j * L_];
    double square = 0;
    for (std::size_t l = 0; l < L_; ++l) square += (one[l] - other[l]) * (one[l] - other[l]);
    const double d = std::sqrt(square);
    if (!(d > 0)) return;  // there is no line between them
    const double mu = delta > 0 ? std::min(1.0, step_size_ / (delta * delta)) : 1;
    const double part = mu * (d - delta) / (2 * d);
    for (std::size_t l = 0; l < L_; ++l) {
      const double by = part * (one[l] - other[l]);
      one[l] -= by, other[l] += by;
    }
  }

  InputDistances distances_;
  StressFigure figure_;
  std::vector<float> delta_;  // of all pairs
  std::size_t L_;
  std::uint64_t seed_;
  double step_size_ = 0, decay_ = 1;  // η, and what it is multiplied by after an iteration
  int steps_ = 0;
};

}  // namespace

extern const LayoutMethod sgd_method = {
    .name = "sgd", .label = "SGD", .parameters = "start", .takes_gaps = true, .make = rival_of<Sgd>};

}  // namespace kinescope::sim::glimmer
