// Eigenvectors of symmetric matrices (computed by Eigen), and the first principal axes of rows, by subspace iteration
// (H. Rutishauser, "Computational aspects of F. L. Bauer's simultaneous iteration method", 1969). The iteration stays
// cheap for many rows and for many columns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace kinescope::sim {

inline constexpr std::uint32_t stream_axes = 230;
inline constexpr std::int64_t spare_axes = 6;  // vectors beyond the wanted ones, so that the last of those converge too
inline constexpr int axis_passes = 4;

struct SymmetricEigen {
  std::vector<double> values;   // [n], the largest first
  std::vector<double> vectors;  // [n × n] row-major; column k belongs to values[k]
};

// Eigenvalues and eigenvectors of the symmetric `matrix` [n × n], row-major. O(n³).
SymmetricEigen symmetric_eigen(const std::vector<double>& matrix, std::int64_t n);

// Rayleigh–Ritz step: the eigenvectors of the symmetric `gram` [count × count], row-major, the largest eigenvalue's
// column first.
std::vector<float> principal_turn(const std::vector<double>& gram, std::int64_t count);

// The products with the rows X [rows × columns] that the search for their axes needs. The basis B and the results are
// row-major. Results have the same bits for any number of threads.
class AxisRows {
 public:
  virtual ~AxisRows() = default;
  virtual std::int64_t columns() const = 0;
  // Xᵀ X B [columns × count]
  virtual void multiply(const float* basis, std::int64_t count, float* to) const = 0;
  // (X B)ᵀ X B [count × count]
  virtual void gram(const float* basis, std::int64_t count, double* to) const = 0;
};

// `rows` [count × columns], row-major.
std::unique_ptr<AxisRows> dense_axis_rows(std::vector<float> rows, std::int64_t columns);

class PrincipalAxes {
 public:
  // `rows` are a sample. The axes go through the origin: for axes about the mean, subtract it first.
  explicit PrincipalAxes(std::unique_ptr<AxisRows> rows);

  // Finds at least `wanted` axes, or as many as there are columns, starting from the axes found before. Takes four
  // passes over the sample, O(count · columns · wanted) for dense rows, on all threads; the bits are the same for any
  // number of threads.
  void find(std::int64_t wanted);

  std::int64_t found() const { return found_; }
  // [columns × found] row-major, orthonormal, the longest first; the largest entry of each axis is positive.
  const std::vector<float>& axes() const { return axes_; }
  const std::vector<double>& squares() const { return squares_; }  // [found] Σ (row · axis)² of the sample

 private:
  std::unique_ptr<AxisRows> rows_;
  std::vector<float> axes_;
  std::vector<double> squares_;
  std::int64_t columns_, found_ = 0;
};

}  // namespace kinescope::sim
