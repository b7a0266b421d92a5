// Makes columns comparable before distances are taken: a choice that belongs to the data and is the same in every
// simulation of points.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/executors/host_device.hpp"
#include "kinescope/parameter.hpp"

namespace kinescope::sim {

// The unit of parameters that are lengths in the data as normalized.
inline constexpr const char* data_units = "data units";

enum class Normalization {
  automatic,  // settle_normalize makes zscore or none of it before a simulation is made
  none,
  zscore,  // mean 0, standard deviation 1
  minmax   // 0 … 1
};

// The parameter; it has the same name in every simulation.
struct NormalizeParameter : Choice<Normalization> {
  NormalizeParameter()
      : Choice({"normalize", "",
                "how columns are made comparable before distances are computed; auto: zscore if one makes almost all "
                "of them",
                Change::restart, Role::data},
               {{"auto", "Automatic"}, "none", {"zscore", "Standardize"}, {"minmax", "Scale to 0–1"}},
               Normalization::none) {}
  bool is_automatic() const { return Choice::value() == Normalization::automatic; }
  // What a simulation does; `none` for automatic that was not settled.
  Normalization value() const { return is_automatic() ? Normalization::none : Choice::value(); }
};

// Turns normalize=auto into zscore, if the findings say that scales differ and distances are euclidean or manhattan,
// else into none. Making a simulation calls it. Another value, and a set without
// that parameter, stay as they are. Returns true if the columns are to be standardized and no one has asked for it.
bool settle_normalize(ParameterSet& parameters, const Dataset* data);

// "none", "zscore", "minmax": for reports.
const char* normalization_name(Normalization kind);

struct ColumnSums {
  // [dimensions]; of the whole population, not of a sample. The first three are relative to the columns' origins.
  std::vector<double> minimum, maximum, mean, deviation;
};
// Throws Error (input) for sparse rows. O(points · dimensions) on all threads, with the same sums for any number of
// threads. Deviations stay 0 if they are not requested.
ColumnSums sum_columns(const Dataset& data, bool deviations = true);

// A value relative to its column's origin is scaled to (value − offset) · factor. It is 0 if the value differs from the
// offset by no more than its rounding, which is `precision` of it: of rounded means, which fill missing cells, noise
// would be left, and cosines would see a direction in it.
KINESCOPE_HD inline double scaled(double value, double offset, double factor, double precision) {
  const double away = value - offset;
  return std::fabs(away) <= precision * std::fabs(value) ? 0 : away * factor;
}
struct ColumnScale {
  double offset = 0, factor = 1;
};
// The relative rounding of a dataset's values: of float32, or of two of them.
double precision_of(const Dataset& data);

// [dimensions]. A column without variance keeps the factor 1, because no scaling gives it any information.
std::vector<ColumnScale> column_scales(const ColumnSums& sums, Normalization kind);

// Converts from the input's units to those in which a simulation computes, and back: takes off the columns' origins,
// and normalizes.
class Scaling {
 public:
  Scaling() = default;
  Scaling(const Dataset& data, Normalization kind);

  // The points with scaled values, without labels and table; `data` itself if nothing is normalized.
  std::shared_ptr<const Dataset> apply(const std::shared_ptr<const Dataset>& data) const;

  float scaled(std::size_t column, double value) const;
  double restored(std::size_t column, double value) const;
  // What one scaled unit of a column is in the input's units.
  double unit(std::size_t column) const { return columns_.empty() ? 1 : 1 / columns_[column].factor; }
  // A column of results in the input's units: as float32, unless the column is far from zero, or `exact`: they were
  // computed in double because the input's numbers need it.
  Numbers restored(std::size_t column, std::vector<double> values, bool exact = false) const;

 private:
  std::vector<ColumnScale> columns_;  // empty: nothing is normalized
  std::vector<double> origin_;        // empty: all are 0
  double precision_ = 0;
};

}  // namespace kinescope::sim
