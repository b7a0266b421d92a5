// The distances δ of a dataset, by its own row numbers, for figures that say how well a layout preserves them.
//
// Rows are scaled as for a layout (prepare.hpp), but neither permuted nor projected. So construction costs one pass
// over the data, and distances can be queried again and again while the layout moves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

struct Rows;  // sim/glimmer/dissimilarity.hpp

class InputDistances {
 public:
  // O(points · dimensions) time and memory (4 bytes a value), O(values) for sparse rows, O(1) for distances that are
  // fed. Throws Error (input), as the layout does, for parameters that do not suit the data. `data` must outlive this.
  InputDistances(const Dataset& data, GlimmerParameters& parameters);
  InputDistances(InputDistances&&) noexcept;
  ~InputDistances();

  std::size_t points() const { return points_; }
  // Whether there are rows. Only then can pair(), part() and rows() be used.
  bool by_rows() const { return !feeder_; }
  bool is_sparse() const { return !begin_.empty(); }
  // The rows in internal units, for the library itself; only if by_rows().
  const Rows& rows() const { return *rows_; }
  // X [points × row_stride], dense rows of Euclidean data with zeros past the last column; null for other data. With X
  // in the data's units, which is X times unit(), −½ J δ² J = J X (J X)ᵀ.
  const float* euclidean_rows() const {
    return by_rows() && !is_sparse() && metric_ == Metric::euclidean ? values_.data() : nullptr;
  }
  std::size_t row_stride() const { return stride_; }
  // How many numbers of both rows a distance compares, on average; of distances that are fed a guess.
  double numbers_of_pair() const {
    if (!by_rows()) return 16;
    return is_sparse() ? 2 * double(values_.size()) / double(points_) : double(stride_);
  }
  double unit() const { return unit_; }  // one unit of the rows, in the data's (normalized) units

  // All distances are in the data's (normalized) units. Any number of threads may call these functions at once.
  //
  // δ(i, j); only if by_rows(). O(dimensions), or O(values of both rows).
  double pair(std::size_t i, std::size_t j) const;
  // Writes δ(from, first), δ(from, first + 1), …; only if by_rows(). For sparse rows it uses squared lengths and inner
  // products in double precision, so that these distances differ from pair()'s in the last digits of a float.
  void part(std::size_t from, std::size_t first, std::span<float> distances) const;
  // Writes δ(from, ·), [points], on the calling thread.
  void row(std::size_t from, std::span<float> distances) const;

 private:
  void sparse_part(std::size_t from, std::size_t first, std::span<float> distances) const;

  std::size_t points_ = 0, columns_ = 0, stride_ = 0;
  Metric metric_ = Metric::euclidean;
  std::shared_ptr<const DistanceFeeder> feeder_;
  std::vector<float> values_;  // [points × stride], or the values of sparse rows
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> index_;
  std::vector<double> squares_;  // [points], squared lengths of sparse rows
  std::unique_ptr<Rows> rows_;
  double unit_ = 1;
};

}  // namespace kinescope::sim::glimmer
