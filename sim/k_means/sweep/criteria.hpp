// Criteria for the number of clusters: those of Schwarz (1978) and Akaike (1974) for a mixture of K Gaussians with
// separate variances along the columns.
//
//   ln L = Σ_i ln Σ_k π_k Π_c N(x_ic; μ_kc, σ²_kc)
//   p    = 2 K d + K − 1                            means, variances, proportions
//   BIC  = p ln N − 2 ln L,   AIC = 2 p − 2 ln L    smaller is better
//
// The mixture starts from the clusters of k-means (their proportions, centroids and variances). It is fitted by steps
// of the EM algorithm (A. Dempster, N. Laird, D. Rubin, 1977), each of which raises L, until one raises ln L by less
// than `least_gain` or `most_steps` are done. Why a mixture: k-means cuts halfway between two centroids, so it
// misjudges clusters that overlap or have different widths. Only the criteria use the mixture; the clusters stay those
// of k-means.
//
// The steps lead to one of many local maxima of L. If k-means started badly at the right K and well at K + 1, the
// better start would win. So K is also weighed by a reduced mixture of K + 1: two of its Gaussians are merged into one
// with the same overall mean and variances, and the result is fitted again. The pair merged is the one for which the
// bound of A. Runnalls ("Kullback-Leibler approach to Gaussian mixture reduction", 2007) on what is lost,
//
//   ½ [(π_a + π_b) Σ_c ln σ²_c − π_a Σ_c ln σ²_ac − π_b Σ_c ln σ²_bc],
//
// is least. If the reduced mixture is better than the one known for K, K − 1 is weighed in the same way by merging two
// more, and so on. The largest likelihood found for a number of clusters counts.
//
// If there are more than `most_weighed` points (prepare.hpp), the mixture is fitted to a sample, and N and L are those
// of the sample.
//
// Equal values would give an infinite likelihood, so σ² is at least `least_variance` of its column: the variance of a
// value known only to the step between neighbouring values, step² / 12 (W. Sheppard, 1898).
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"
#include "kinescope/random.hpp"

namespace kinescope::sim::k_means {

// A step of EM that raises ln L by less than this is the last; it grows with the number of points.
KINESCOPE_HD inline double least_gain(std::int64_t points) {
  const double gain = 2e-5 * static_cast<double>(points);
  return gain > 0.1 ? gain : 0.1;
}

// The most steps of EM: 20, or fewer if each step takes long.
KINESCOPE_HD inline std::int32_t most_steps(int clusters, int dimensions, std::int64_t points) {
  const double affordable = 0x1p28 / (static_cast<double>(points) * clusters * dimensions);
  return affordable < 20 ? static_cast<std::int32_t>(affordable) : 20;
}

KINESCOPE_HD inline double free_parameters(int clusters, int dimensions) {
  return 2.0 * clusters * dimensions + clusters - 1;
}
KINESCOPE_HD inline double bic(double log_likelihood, int clusters, int dimensions, std::int64_t points) {
  return free_parameters(clusters, dimensions) * portable_log(static_cast<double>(points)) - 2 * log_likelihood;
}
KINESCOPE_HD inline double aic(double log_likelihood, int clusters, int dimensions) {
  return 2 * free_parameters(clusters, dimensions) - 2 * log_likelihood;
}

}  // namespace kinescope::sim::k_means
