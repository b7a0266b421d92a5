// What tells how many clusters to choose: the criteria of Schwarz (1978) and Akaike (1974) for a mixture of Gaussians
// around the centroids, each with a variance of its own along each column, of which every point belongs to one.
//
//   σ²_kc = S_kc / n_k                               S_kc: Σ over the points of Gaussian k of (x_c − centroid_c)²
//   ln L  = Σ_k n_k [ln(n_k / N) − ½ Σ_c (ln(2π σ²_kc) + 1)]
//   p     = 2 K d + K − 1                            centroids, variances, proportions
//   BIC   = p ln N − 2 ln L,   AIC = 2 p − 2 ln L    smaller is better
//
// The points of a Gaussian are not quite those of the cluster: k-means cuts halfway between two centroids, so that a
// narrow cluster gets the outermost points of a wide neighbour. A handful of them multiplies its variance, and another
// centroid that takes them would seem worth its price. So each point goes to the Gaussian that makes it likeliest,
// once, after the variances and proportions of the clusters (a step of the classification EM algorithm, G. Celeux and
// G. Govaert, 1992, with the means held; it never lowers L). Cutting one Gaussian in two across its longest column
// gains n/2 ln(1 / (1 − 2/π)) = 0.51 n, less than the n ln 2 that it costs; one variance for all clusters and columns
// (D. Pelleg and A. Moore, "X-means", 2000) would reward it beside small clusters.
//
// Equal values would have an infinite likelihood: σ² is at least `least_variance` of its column.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/core/host_device.hpp"
#include "sim/core/random.hpp"

namespace kinescope::sim::k_means {

// A cluster's share of ln L, of its size and of one column.
KINESCOPE_HD inline double size_likelihood(std::int64_t size, std::int64_t points) {
  const double n = static_cast<double>(size);
  return size > 0 ? n * portable_log(n / static_cast<double>(points)) : 0;
}
KINESCOPE_HD inline double variance_of(std::int64_t size, double spread, double least_variance) {
  const double variance = spread / static_cast<double>(size);
  return variance > least_variance ? variance : least_variance;
}
KINESCOPE_HD inline double column_likelihood(std::int64_t size, double spread, double least_variance) {
  if (size <= 0) return 0;
  const double kept = variance_of(size, spread, least_variance);
  return -0.5 * static_cast<double>(size) * (portable_log(6.283185307179586 * kept) + 1);
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
