// The results of mean shift: buffers to draw, clusters, tables, the report. A part of mean_shift_simulation.hpp, which
// includes it.
#pragma once

#include "kinescope/executors/executor.hpp"
#include "sim/data/text.hpp"
#include "sim/mean_shift/mean_shift_simulation.hpp"
#include "sim/mean_shift/measured_error.hpp"

namespace kinescope::sim::mean_shift {

template <Executor E>
void MeanShiftSimulation<E>::create_buffers(BufferSource& source) {
  const std::size_t values = data_rows() * prepared_.columns.size();
  positions_out_.create(source, published::positions, values);
  data_out_.create(source, published::data, values);
  clusters_out_.create(source, published::clusters, data_rows());
  density_out_.create(source, published::density, data_rows());
  if (is_image(*setup_.data)) segmented_out_.create(source, published::segmented, data_rows());
  screen_.reserve_places();
  if (has_map()) map_out_.create(source, published::density_map, std::size_t(map_nodes) * map_nodes);
}

template <Executor E>
PublishRows MeanShiftSimulation<E>::rows(const float* from, RowOrder order, float* to) const {
  PublishRows publish{from, prepared_.stride, order, static_cast<std::int32_t>(prepared_.columns.size()), {}, {}, to};
  for (std::size_t c = 0; c < prepared_.columns.size(); ++c) {
    publish.scale[c] = from == raw_.data() ? 1.0f : static_cast<float>(1 / plan_.scale[c]);
    publish.centre[c] = static_cast<float>(prepared_.centre[c]);
  }
  return publish;
}

template <Executor E>
void MeanShiftSimulation<E>::write_buffers() {
  const auto extent = static_cast<std::int64_t>(data_rows());
  const std::int32_t* owner = owner_.size() > 0 ? owner_.data() : nullptr;
  carry_followers();
  const PublishRows shifted = rows(y_.data(), row_order(), positions_out_.address());
  executor_.for_each("publish", extent, shifted);
  executor_.for_each("publish data", extent, rows(raw_.data(), {nullptr, owner}, data_out_.address()));
  executor_.for_each(
      "publish density", extent,
      PublishValues{weight_.data(), row_order(), 1.0f / static_cast<float>(data_rows()), density_out_.address()});
  if (has_map()) {
    // Only the first publication with a bandwidth computes the map and waits for it, so that opening data does not
    // wait.
    if (std::exchange(map_is_old_, false))
      screen_.build_map(kernels_, prepared_, plan_, parameters_.kernel.value(), cloud());
    screen_.publish_map(map_out_.address());
  }
  publish_clusters();
}

// Publishes clusters and colours; there are no clusters until the run has converged.
template <Executor E>
void MeanShiftSimulation<E>::publish_clusters() {
  const auto extent = static_cast<std::int64_t>(data_rows());
  const std::int32_t* owner = owner_.size() > 0 ? owner_.data() : nullptr;
  const bool labelled = clusters_of_ >= 0 && clusters_of_ == stepper_.seen().iteration;
  std::uint32_t* clusters = clusters_out_.address();
  if (labelled)
    executor_.for_each("publish clusters", extent, Gather<std::uint32_t>{clusters_.data(), owner, clusters});
  else
    executor_.for_each("publish clusters", extent, Fill<std::uint32_t>{clusters, no_cluster});
  if (!is_image(*setup_.data)) return;
  std::uint32_t* segmented = segmented_out_.address();
  if (labelled)
    executor_.for_each("publish colours", extent, Gather<std::uint32_t>{shades_.data(), owner, segmented});
  else
    executor_.for_each("publish colours", extent, PublishColours{rows(y_.data(), row_order(), nullptr), segmented});
}

// Uploads the clusters of a converged run, for publish().
template <Executor E>
void MeanShiftSimulation<E>::upload_labels() {
  fit(clusters_, count());
  clusters_.upload(labels().cluster);
  if (is_image(*setup_.data)) {
    std::vector<std::uint32_t> words;
    for (const GroupColour& colour : cluster_colours()) words.push_back(in_word(in_bytes(colour)));
    std::vector<std::uint32_t> shades(points());
    for (std::size_t i = 0; i < points(); ++i) shades[i] = words[labels_.cluster[i]];
    fit(shades_, count());
    shades_.upload(shades);
  }
  clusters_of_ = labels_of_;
  auto groups = std::make_shared<Groups>();
  groups->columns = prepared_.columns.size();
  groups->sizes.assign(labels_.sizes.begin(), labels_.sizes.end());
  if (is_image(*setup_.data))
    for (const GroupColour& colour : cluster_colours()) groups->colours.push_back(in_bytes(colour));
  for (const std::int64_t i : labels_.centroids)
    for (std::size_t c = 0; c < groups->columns; ++c)
      groups->centres.push_back(static_cast<float>(mode(c, static_cast<std::size_t>(i))));
  groups_ = std::move(groups);
}

template <Executor E>
std::string MeanShiftSimulation<E>::column_name(std::int32_t column) const {
  const std::vector<std::string>& names = setup_.data->value_names;
  const auto at = static_cast<std::size_t>(column);
  return at < names.size() ? names[at] : numbered_name(at);
}

template <Executor E>
std::vector<std::string> MeanShiftSimulation<E>::column_names() const {
  std::vector<std::string> names;
  for (const std::int32_t column : prepared_.columns) names.push_back(column_name(column));
  return names;
}

// The values by column, [columns × points], in the input's order.
template <Executor E>
std::vector<float> MeanShiftSimulation<E>::in_input_order(const Array<float, E>& values, std::size_t columns) const {
  const std::vector<std::int32_t> order = sorted_slots_ ? slot_order_.download() : std::vector<std::int32_t>();
  std::vector<float> ordered(columns * points());
  for (std::size_t c = 0; c < columns; ++c) {
    const std::vector<float> slots = values.download(c * static_cast<std::size_t>(prepared_.stride), points());
    for (std::size_t i = 0; i < points(); ++i)
      ordered[c * points() + (sorted_slots_ ? static_cast<std::size_t>(order[i]) : i)] = slots[i];
  }
  return ordered;
}

// The clusters of the points' present places; recomputed only if the points have moved since the last call.
template <Executor E>
const Labels& MeanShiftSimulation<E>::labels() {
  stepper_.wait();
  const std::int64_t iteration = stepper_.seen().iteration;
  if (labels_of_ == iteration) return labels_;
  const auto began = Clock::now();
  enqueue(false);
  carry_followers();
  modes_ = in_input_order(y_, prepared_.columns.size());
  densities_ = in_input_order(weight_, 1);
  for (float& density : densities_) density = std::fabs(density);
  labels_ = label_modes(modes_, count(), count(), static_cast<int>(prepared_.columns.size()), densities_,
                        parameters_.merge_radius.value() / unit(), prepared_.weight);
  label_seconds_ = Base::since(began);
  labels_of_ = iteration;
  return labels_;
}

template <Executor E>
void MeanShiftSimulation<E>::describe(const RunState& seen, Snapshot& snapshot) const {
  snapshot.progress.seconds += label_seconds_;
  snapshot.progress.second_figure =
      groups_ ? static_cast<double>(groups_->sizes.size()) : static_cast<double>(seen.second_figure);
  snapshot.add(columns_);
  snapshot.add(Bandwidth{plan_.bandwidth, extent()});
  if (screen_.map().rows > 0) snapshot.add(screen_.map());
  snapshot.add(groups_);
}

template <Executor E>
Table MeanShiftSimulation<E>::result() {
  const Dataset& data = *setup_.data;
  const std::vector<std::uint32_t>& cluster = labels().cluster;
  Table table;
  table.source = data.name;
  table.rows = data_rows();
  std::vector<std::string> names;
  for (std::size_t column = 0; column < data.dimensions; ++column)
    names.push_back(column_name(static_cast<std::int32_t>(column)));
  Column label{"cluster"};
  names = names_beside({label.name}, names, 0);
  for (std::size_t column = 0; column < data.dimensions; ++column) {
    const auto used = std::ranges::find(prepared_.columns, static_cast<std::int32_t>(column));
    const auto c = static_cast<std::size_t>(used - prepared_.columns.begin());
    std::vector<double> places(data_rows());
    for (std::size_t i = 0; i < data_rows(); ++i)
      places[i] = used == prepared_.columns.end() ? data.value(i, column) : mode(c, point_of(i));
    table.columns.push_back({names[column], false, scaling_.restored(column, std::move(places))});
  }
  for (std::size_t i = 0; i < data_rows(); ++i) label.numbers.push_back(static_cast<double>(cluster[point_of(i)]));
  table.columns.push_back(std::move(label));
  return table;
}

template <Executor E>
std::vector<std::string> MeanShiftSimulation<E>::endings(const std::string& output) const {
  return endings_for_pictures(Base::endings(output), output, is_image(*setup_.data));
}

template <Executor E>
bool MeanShiftSimulation<E>::write(const std::string& output, const std::string& path) {
  if (output != "out" || !path.ends_with(".png")) return false;
  write_segmented(path, setup_.data->picture, cluster_colours(),
                  [this](std::size_t row) { return labels_.cluster[point_of(row)]; });
  return true;
}

// The colour of each cluster's mode.
template <Executor E>
std::vector<GroupColour> MeanShiftSimulation<E>::cluster_colours() {
  std::vector<GroupColour> colours;
  for (const std::int64_t i : labels().centroids) {
    GroupColour& colour = colours.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) colour[k] = mode(prepared_.columns.size() - 3 + k, static_cast<std::size_t>(i));
  }
  return colours;
}

template <Executor E>
Table MeanShiftSimulation<E>::table(const std::string& output) {
  if (output == "palette")
    return palette_table(setup_.data->name, setup_.data->picture, labels().sizes, cluster_colours());
  return output == "centroids" ? centroids() : Base::table(output);
}

template <Executor E>
Table MeanShiftSimulation<E>::centroids() {
  const Labels& found = labels();
  Table table;
  table.source = setup_.data->name;
  table.rows = found.sizes.size();
  Column cluster{"cluster"}, size{"size"}, density{"density"};
  for (std::size_t k = 0; k < found.sizes.size(); ++k) {
    cluster.numbers.push_back(static_cast<double>(k));
    size.numbers.push_back(static_cast<double>(found.sizes[k]));
    density.numbers.push_back(densities_[static_cast<std::size_t>(found.centroids[k])] /
                              static_cast<float>(data_rows()));
  }
  const std::vector<std::string> names = names_beside({cluster.name, size.name, density.name}, column_names(), 3);
  table.columns = {std::move(cluster), std::move(size), std::move(density)};
  for (std::size_t c = 0; c < prepared_.columns.size(); ++c) {
    std::vector<double> places;
    for (const std::int64_t i : found.centroids) places.push_back(mode(c, static_cast<std::size_t>(i)));
    const auto column = static_cast<std::size_t>(prepared_.columns[c]);
    table.columns.push_back({names[c], false, scaling_.restored(column, std::move(places))});
  }
  return table;
}

template <Executor E>
Report MeanShiftSimulation<E>::report() {
  Report report;
  report.add("normalize_used", normalization_name(normalization()));
  report.add("clusters", static_cast<std::int64_t>(labels().sizes.size()));
  report.add("largest_shift", static_cast<double>(stepper_.seen().figure));
  report.add("method", parameters_.method.options()[static_cast<std::size_t>(plan_.method)]);
  report.add("bandwidth", plan_.bandwidth);
  // After a change of bandwidth without a restart the points did not start at the data.
  const Arrived arrived{modes_, densities_, first_iteration_ > 0 ? 0 : stepper_.seen().iteration};
  const MeasuredError error = measure_error(*setup_.data, prepared_, plan_, parameters_, arrived);
  report.add("largest_error", error.largest);
  report.add("beyond_bound", error.beyond);
  report.add("error_points", static_cast<std::int64_t>(error.points));
  return report;
}

}  // namespace kinescope::sim::mean_shift
