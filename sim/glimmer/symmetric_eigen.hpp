// Eigenvalues and eigenvectors of symmetric matrices, through Eigen.
#pragma once

#include <cstdint>
#include <vector>

namespace kinescope::sim::glimmer {

struct SymmetricEigen {
  std::vector<double> values;   // [n], the largest first
  std::vector<double> vectors;  // [n × n] row-major; column k belongs to values[k]
};

// Of `matrix` [n × n]. O(n³).
SymmetricEigen symmetric_eigen(const std::vector<double>& matrix, std::int64_t n);

}  // namespace kinescope::sim::glimmer
