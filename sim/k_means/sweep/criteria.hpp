// Criteria for the number of clusters: those of Schwarz (1978) and Akaike (1974) for a mixture of K Gaussians with
// separate variances along the columns.
//
//   ln L = Σ_i ln Σ_k π_k Π_c N(x_ic; μ_kc, σ²_kc)
//   p    = 2 K d + K − 1                            means, variances, proportions
//   BIC  = p ln N − 2 ln L,   AIC = 2 p − 2 ln L    smaller is better
//
// The mixture begins as the clusters of k-means (their proportions, centroids and variances) and is fitted by steps of
// the EM algorithm (A. Dempster, N. Laird, D. Rubin, 1977), each of which raises L, until one raises ln L by less than
// `least_gain`: k-means cuts halfway between two centroids, and clusters that overlap, or of different widths, look to
// it as if they were others. Only the criteria see the mixture; the clusters stay those of k-means.
//
// The steps lead to one of many maxima of L. Where k-means begins badly at the right K and well at K + 1, the better
// start would win. So K is also weighed by the mixture of K + 1 with two Gaussians made one of the same mean and
// variances, and fitted on: those for which the bound of A. Runnalls ("Kullback-Leibler approach to Gaussian mixture
// reduction", 2007) on what is lost,
//
//   ½ [(π_a + π_b) Σ_c ln σ²_c − π_a Σ_c ln σ²_ac − π_b Σ_c ln σ²_bc],
//
// is least; and if that is the better one, K − 1 by two more of these made one, and so on. The largest likelihood
// counts.
//
// If there are more than `most_weighed` points (prepare.hpp), the mixture sees a sample, and N and L are the sample's.
//
// Equal values would have an infinite likelihood, so σ² is at least `least_variance` of its column: the variance of a
// value that is known to the step between neighbouring values, step² / 12 (W. Sheppard, 1898).
#pragma once

#include <cstdint>

#include "sim/core/executors/host_device.hpp"
#include "sim/core/random.hpp"

namespace kinescope::sim::k_means {

// The least gain of ln L in a step of EM; it grows with the number of points.
KINESCOPE_HD inline double least_gain(std::int64_t points) {
  const double gain = 2e-5 * static_cast<double>(points);
  return gain > 0.1 ? gain : 0.1;
}

// The most steps of EM; fewer if each takes long.
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
