// Columns made comparable before distances are taken: a choice that belongs to the data, and is the same in every
// simulation of points.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/core/parameter.hpp"

namespace kinescope::sim {

enum class Normalization {
  none,
  zscore,  // mean 0, standard deviation 1
  minmax   // 0 … 1
};

// The parameter, by the same name wherever there is one.
struct NormalizeParameter : Choice<Normalization> {
  NormalizeParameter()
      : Choice({"normalize", "", "how columns are made comparable before distances are taken"},
               {"none", "zscore", "minmax"}, Normalization::none) {}
};

struct ColumnSums {
  std::vector<double> minimum, maximum, mean, deviation;  // [dimensions]; of the whole population, not of a sample
};
// O(points · dimensions), all threads, the same sums for any number of them. Deviations are left 0 where nobody asks.
ColumnSums sum_columns(const Dataset& data, bool deviations = true);

// A value is scaled to (value − offset) · factor.
struct ColumnScale {
  double offset = 0, factor = 1;
};

// [dimensions]. A column without variance keeps its factor of 1: it says nothing, whatever it is multiplied by.
std::vector<ColumnScale> column_scales(const ColumnSums& sums, Normalization kind);

// From the input's units to those that a simulation computes in, and back. Where nothing is normalized both are the
// same, bit for bit.
class Scaling {
 public:
  Scaling() = default;
  Scaling(const Dataset& data, Normalization kind);

  // The points with their values scaled, without labels and table; `data` itself where nothing is normalized.
  std::shared_ptr<const Dataset> apply(const std::shared_ptr<const Dataset>& data) const;

  float scaled(std::size_t column, float value) const;
  double restored(std::size_t column, double value) const;

 private:
  std::vector<ColumnScale> columns_;  // empty: nothing is normalized
};

}  // namespace kinescope::sim
