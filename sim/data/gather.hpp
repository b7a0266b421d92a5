// Makes rows of float32 numbers of a table's columns without losing the digits of columns far from zero.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/dataset.hpp"

namespace kinescope::sim {

// Of a column's numbers in the rows 0, step, 2 step, …, without missing ones: what is taken off them so that float32
// keeps their digits. 0 unless they are far from zero in comparison with their spread. Reorders the sample.
double column_origin(std::vector<double>& sample);
std::size_t origin_step(std::size_t rows);

// Sets dataset.values(), origin and rest (dataset.hpp) from these columns and rows; a missing value becomes its
// column's mean. The distances of Reading::matrix and the values of pictures mean something by themselves, so these
// keep the origin 0. Throws Error (input) for a value that is beyond float32 even relative to its column's origin, and
// for a column of numbers below 1e-37. O(rows · columns) on all threads.
//
// `kept`: only the numbers of columns of this name are read afterwards, so that the memory of the others goes back to
// the system while `dataset.values()` grows, or becomes these; null: all are. Kept columns must not be columns of
// the others' rows.
void gather_values(const std::vector<const Column*>& columns, const std::vector<std::size_t>& rows,
                   const DataRequest& request, const Table& table, const std::string* kept, Dataset& dataset);

}  // namespace kinescope::sim
