// What share_point (mixture.hpp) adds, of eight points at a time on the CPU: the same whole numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/sweep/mixture.hpp"

namespace kinescope::sim::k_means {

class ShareLanes {
 public:
  static constexpr int width = 8;  // points

  explicit ShareLanes(const RunView& run)
      : run_(run), gaussians_(run), scale_(run), parts_(static_cast<std::size_t>(run.clusters + group) * width) {}

  // Adds the terms of the sample's points first … first + count − 1 to `sums` [share_count(run)]. `first` is a multiple
  // of 8, `count` at most 8.
  void add(std::int64_t first, int count, std::int64_t* sums) {
    const int K = run_.clusters;
    const float* x = run_.sample.first_column(first);
    double density[width];
    find_densities(x, density);
    std::int64_t* likelihood = sums + share_count(run_) - 1;
    constexpr double most = ShareScale::most_likelihood;
    for (int lane = 0; lane < count; ++lane)
      *likelihood += to_fixed(density[lane] < -most  ? -most
                              : density[lane] > most ? most
                                                     : density[lane],
                              scale_.likelihood);
    for (int k = 0; k < K; ++k) {
      alignas(32) double share[width] = {};
      bool some = false;
      for (int lane = 0; lane < count; ++lane) {
        const double part = parts_[static_cast<std::size_t>(k * width + lane)];
        if (!(part > density[lane] - negligible)) continue;
        share[lane] = portable_exp(part < density[lane] ? part - density[lane] : 0);
        sums[2 * elements() + k] += to_fixed(share[lane], scale_.share);
        some = true;
      }
      if (some) add_columns(x, count, k, share, sums);
    }
  }

 private:
  static constexpr int group = 4;    // Gaussians whose numbers lie together in memory
  static constexpr int stretch = 8;  // columns between two looks whether all parts are negligible

  std::int64_t elements() const { return static_cast<std::int64_t>(run_.dimensions()) * run_.clusters; }

  // ln of each Gaussian's term at each point, as log_part, and from them the log_density of each point.
  void find_densities(const float* x, double (&density)[width]) {
    const int K = run_.clusters;
    double best[width], sum[width] = {};
    std::fill(best, best + width, -INFINITY);
    for (int k = 0; k < K; k += group) {
      find_parts(x, k, best);
      for (int own = k; own < std::min(k + group, K); ++own)
        for (int lane = 0; lane < width; ++lane) {
          const double part = parts_[static_cast<std::size_t>(own * width + lane)];
          if (!(part > best[lane] - negligible)) continue;
          sum[lane] = part > best[lane] ? sum[lane] * portable_exp(best[lane] - part) + 1
                                        : sum[lane] + portable_exp(part - best[lane]);
          best[lane] = part > best[lane] ? part : best[lane];
        }
    }
    for (int lane = 0; lane < width; ++lane) density[lane] = best[lane] + portable_log(sum[lane]);
  }

  // Writes parts_ of Gaussians k … k + 3 (of the last ones again where there are fewer). Stops where all are
  // negligible.
  void find_parts(const float* x, int k, const double (&best)[width]) {
    using lanes::Double4;
    const std::int64_t K = run_.clusters;
    const int d = run_.dimensions();
    std::int64_t own[group];
    Double4 part[group][2], least[2];
    for (int half = 0; half < 2; ++half) least[half] = lanes::load4(best + 4 * half) - negligible;
    for (int g = 0; g < group; ++g) {
      own[g] = std::min<std::int64_t>(k + g, K - 1);
      part[g][0] = part[g][1] = lanes::broadcast4(gaussians_.constant[own[g]]);
    }
    for (int c = 0; c < d;) {
      for (const int end = std::min(d, c + stretch); c < end; ++c) {
        const lanes::Float8 value = lanes::load<lanes::Float8>(x + c * panel);
        const Double4 at[2] = {lanes::as_double(lanes::low_half(value)), lanes::as_double(lanes::high_half(value))};
        const double *mean = gaussians_.mean + c * K, *precision = gaussians_.precision + c * K;
#pragma GCC unroll 4
        for (int g = 0; g < group; ++g)
#pragma GCC unroll 2
          for (int half = 0; half < 2; ++half) {
            const Double4 offset = at[half] - mean[own[g]];
            part[g][half] -= precision[own[g]] * (offset * offset);
          }
      }
      lanes::Long4 possible{};
      for (int g = 0; g < group; ++g)
        for (int half = 0; half < 2; ++half) possible |= part[g][half] > least[half];
      if (!(possible[0] | possible[1] | possible[2] | possible[3])) break;
    }
    for (int g = 0; g < group; ++g)
      for (int half = 0; half < 2; ++half) lanes::store(parts_.data() + (k + g) * width + 4 * half, part[g][half]);
  }

  // Adds Σ share · offset and Σ share · offset² of Gaussian k along each column.
  void add_columns(const float* x, int count, std::int64_t k, const double (&share)[width], std::int64_t* sums) const {
    using lanes::Double4, lanes::Long4;
    const std::int64_t K = run_.clusters;
    const Double4 magic = lanes::broadcast4(0x1.8p52);  // what is added to it is rounded to a whole number
    const auto whole = [&](Double4 value, double scale) {
      return reinterpret_cast<Long4>(value * scale + magic) - reinterpret_cast<Long4>(magic);
    };
    const Double4 shares[2] = {lanes::load4(share), lanes::load4(share + 4)};
    for (int c = 0; c < run_.dimensions(); ++c) {
      const std::int64_t e = c * K + k;
      const lanes::Float8 value = lanes::keep_first(lanes::load<lanes::Float8>(x + c * panel), count);
      const Double4 first = lanes::as_double(lanes::low_half(value)) - gaussians_.mean[e],
                    second = lanes::as_double(lanes::high_half(value)) - gaussians_.mean[e];
      const Long4 offsets = whole(shares[0] * first, scale_.offset) + whole(shares[1] * second, scale_.offset);
      const Long4 squares =
          whole(shares[0] * (first * first), scale_.square) + whole(shares[1] * (second * second), scale_.square);
      sums[e] += (offsets[0] + offsets[1]) + (offsets[2] + offsets[3]);
      sums[elements() + e] += (squares[0] + squares[1]) + (squares[2] + squares[3]);
    }
  }

  RunView run_;
  Gaussians gaussians_;
  ShareScale scale_;
  std::vector<double> parts_;  // [clusters, a multiple of 4 × 8]
};

}  // namespace kinescope::sim::k_means
