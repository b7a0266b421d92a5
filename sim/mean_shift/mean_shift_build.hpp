// Computes what an iteration of mean shift reads, for one bandwidth: the data in internal units, sorted cells, the
// field. A part of mean_shift_simulation.hpp, which includes it.
#pragma once

#include "kinescope/executors/executor.hpp"
#include "sim/mean_shift/mean_shift_simulation.hpp"

namespace kinescope::sim::mean_shift {

// Finds the slot of each row's point, if rows share points. Uses keys_ as scratch memory; its content is no longer
// needed.
template <Executor E>
void MeanShiftSimulation<E>::order_rows() {
  if (owner_.size() == 0) return;
  const auto rows = static_cast<std::int64_t>(data_rows());
  Gather<std::int32_t> slots{owner_.data(), nullptr, fit(row_slots_, rows)};
  if (sorted_slots_) {
    auto* slot_of_point = reinterpret_cast<std::int32_t*>(fit(keys_, count()));
    executor_.for_each("slots", count(), InvertOrder{slot_order_.data(), slot_of_point});
    slots = {slot_of_point, owner_.data(), slots.to};
  }
  executor_.for_each("rows", rows, slots);
}

template <Executor E>
void MeanShiftSimulation<E>::plan() {
  if (planned_for_ == parameters_.bandwidth.value()) return;
  plan_ = make_plan(*setup_.data, prepared_, parameters_);
  planned_for_ = parameters_.bandwidth.value();
}

template <Executor E>
void MeanShiftSimulation<E>::build() {
  plan();
  map_is_old_ = true;
  sorted_ = false;
  if (plan_.method == Method::bins) return build_bins();
  fit(x_, static_cast<std::int64_t>(prepared_.raw.size()));
  if (!prepared_.weight.empty()) {
    fit(x_weight_, prepared_.stride);
    x_weight_.upload(prepared_.weight);
  }
  ScaleColumns scale = scaled(x_.data());
  executor_.for_each("scale", prepared_.stride, scale);
  const bool grid = plan_.method == Method::grid, field = plan_.method == Method::field;
  sorted_ = grid || (field && kernels_.sorts_field(plan_.field, count()));
  if (sorted_) {
    fit(keys_, count());
    fit(x_order_, count());
    if (grid)
      build_cells();
    else
      sort_by_cell(plan_.field);
    scale.order = x_order_.data();
    executor_.for_each("gather", count(), scale);
    if (!prepared_.weight.empty()) {
      fit(gathered_, prepared_.stride);
      gathered_.upload(prepared_.weight);  // kernels may read past the last point
      executor_.for_each("gather weights", count(), Gather<float>{x_weight_.data(), x_order_.data(), gathered_.data()});
      gathered_.swap(x_weight_);
    }
  }
  if (field) build_field();
  executor_.wait();
}

template <Executor E>
void MeanShiftSimulation<E>::build_bins() {
  const Bins& bins = plan_.bins;
  fit(x_, static_cast<std::int64_t>(bins.x.size()));
  x_.upload(bins.x);
  fit(x_weight_, bins.stride);
  x_weight_.upload(bins.weight);
  fit(cell_first_, static_cast<std::int64_t>(bins.first.size()));
  cell_first_.upload(bins.first);
  plan_.cells.first = cell_first_.data();
}

template <Executor E>
void MeanShiftSimulation<E>::build_cells() {
  CellGrid& cells = plan_.cells;
  const double total = double(cells.cells[0]) * double(cells.cells[1]) * double(cells.cells[2]);
  sort_by_cell(cells);
  cells.keys = keys_.data();
  cells.first = nullptr;
  if (total > double(table_limit) || total > 16.0 * double(count()) + 1e5) return;
  executor_.for_each("cell starts", count() + 1,
                     CellStarts{keys_.data(), count(), cells.count(), fit(cell_first_, cells.count() + 1)});
  cells.first = cell_first_.data();
}

template <Executor E>
template <class Grid>
void MeanShiftSimulation<E>::sort_by_cell(const Grid& grid) {
  executor_.for_each("cells", count(),
                     CellKeys<Grid>{grid, x_.data(), prepared_.stride, keys_.data(), x_order_.data()});
  kernels_.sort(keys_, x_order_, grid.count());
}

template <Executor E>
void MeanShiftSimulation<E>::build_field() {
  const FieldGrid& grid = plan_.field;
  for (auto& nodes : nodes_) fit(nodes, grid.count());
  fit(taps_, static_cast<std::int64_t>(plan_.taps.size()));
  taps_.upload(plan_.taps);
  kernels_.spread(grid, cloud(), nodes_[0].data());
  field_ = kernels_.convolve(grid, nodes_[0].data(), nodes_[1].data(), taps_.data());
}

}  // namespace kinescope::sim::mean_shift
