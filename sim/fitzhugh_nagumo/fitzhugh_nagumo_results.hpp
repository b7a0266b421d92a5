// The results of FitzHugh–Nagumo: buffers to draw, figures, tables, files. A part of fitzhugh_nagumo_simulation.hpp,
// which includes it.
#pragma once

#include "kinescope/data/table_writer.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/executor.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_simulation.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <Executor E>
void FitzHughNagumoSimulation<E>::create_buffers(BufferSource& source) {
  const auto field = static_cast<std::size_t>(plan_.points());
  v_out_.create(source, published::v, field);
  w_out_.create(source, published::w, field);
  if (sheet()) return tips_out_.create(source, published::tips, tips_published * 2);
  used_out_.create(source, published::used, field);
  const std::int64_t columns = std::min(plan_.nodes, space_time_columns);
  space_time_out_.create(source, published::space_time, static_cast<std::size_t>(space_time_rows * columns));
  if (solutions_.size() < 2) return;
  v2_out_.create(source, published::v2, field);
  w2_out_.create(source, published::w2, field);
}

template <Executor E>
void FitzHughNagumoSimulation<E>::write_buffers() {
  first().publish(v_out_.address(), w_out_.address());
  if (sheet()) {
    first().publish_tips(tips_out_.address());
  } else {
    solutions_[plan_.on_chosen_nodes()]->publish_used(used_out_.address());
    if (solutions_.size() > 1) {
      solutions_[1]->publish(v2_out_.address(), w2_out_.address());
      note_difference(v_out_.address(), v2_out_.address());
    }
    const std::int64_t columns = std::min(plan_.nodes, space_time_columns);
    executor_.for_each("publish rows", space_time_rows * columns,
                       PublishRows{rows_, march_.data(), space_time_rows, columns, space_time_out_.address()});
  }
  NoteFigures note{nullptr, nullptr, shared_.data(), probes_, v_out_.address(), stepper_.state()};
  for (auto& solution : solutions_)
    if (solution->newton()) note.newton = solution->newton();
  note.used = solutions_[plan_.on_chosen_nodes()]->used();
  executor_.once("figures", note);
  const RunState run = stepper_.seen();
  const SharedFigures shared = *shared_.data();
  figures_.time = time_of(run.iteration);
  figures_.nodes_used = shared.nodes_used;
  figures_.largest_difference = shared.largest_difference.value;
  figures_.probe_set = shared.probe_set;
  figures_.probe_time = time_of(shared.probe_iteration);
  figures_.probes.assign(shared.probes, shared.probes + probes_.count);
  figures_.corrections.clear();
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(shared.newton.iterations, newton_limit); ++i)
    figures_.corrections.push_back(float_of(shared.newton.corrections[i]));
}

template <Executor E>
WaveFigures FitzHughNagumoSimulation<E>::figures() const {
  WaveFigures figures = figures_;
  figures.dt = plan_.constants.dt;
  figures.dx = plan_.constants.dx;
  figures.a = plan_.constants.a;
  figures.gamma = plan_.constants.gamma;
  figures.epsilon = plan_.constants.epsilon;
  figures.end_time = plan_.end_time;
  figures.nodes = plan_.nodes;
  if (plan_.has(Scheme::adaptive)) {
    figures.spacing = adaptive_spacing(plan_);
    figures.rest_below = plan_.rest;
  }
  if (!chooses_nodes(plan_.scheme) && plan_.on_chosen_nodes() == 0) figures.nodes_used = plan_.points();
  return figures;
}

template <Executor E>
void FitzHughNagumoSimulation<E>::set_probes(const ProbeSet& set) {
  const auto node = [this](double place) {
    return static_cast<std::int64_t>(
        std::lround(std::clamp(place / plan_.constants.dx, 0.0, static_cast<double>(plan_.nodes - 1))));
  };
  probes_.count = static_cast<std::int32_t>(std::min(set.places.size(), most_probes));
  for (std::int32_t i = 0; i < probes_.count; ++i) {
    const ProbePlace& place = set.places[static_cast<std::size_t>(i)];
    probes_.nodes[i] = node(place.x) + (sheet() ? node(place.y) * plan_.nodes : 0);
  }
  probes_.set = set.number;
}

template <Executor E>
Table FitzHughNagumoSimulation<E>::result() {
  stepper_.wait();
  const std::int32_t current = march_.download()[0].current;
  return table_of(first().read_v(current), first().read_w(current), plan_.dimensions, plan_.nodes, plan_.constants.dx);
}

template <Executor E>
std::vector<std::string> FitzHughNagumoSimulation<E>::endings(const std::string& output) const {
  if (output == "out") return sheet() ? std::vector<std::string>{".npy", ".png"} : table_endings();
  if (output == "history" && keeps_rows()) return {".npy"};
  return {};
}

template <Executor E>
Table FitzHughNagumoSimulation<E>::table(const std::string& output) {
  return output == "history" ? history_table() : Base::table(output);
}

template <Executor E>
bool FitzHughNagumoSimulation<E>::write(const std::string& output, const std::string& path) {
  if (!sheet() || (output != "out" && output != "history")) return false;
  stepper_.wait();
  if (output == "history") {
    const std::vector<float> values = row_values_.download();
    const March march = march_.download()[0];
    const auto rows = static_cast<std::size_t>(std::min(march.row, march.rows));
    const auto side = static_cast<std::size_t>(rows_.side);
    write_npy(path, {rows, side, side}, std::span(values).first(rows * side * side));
    return true;
  }
  const std::int32_t current = march_.download()[0].current;
  if (path.ends_with(".png"))
    write_sheet_picture(path, first().read_v(current), plan_.nodes);
  else
    write_sheet_array(path, first().read_v(current), first().read_w(current), plan_.nodes);
  return true;
}

template <Executor E>
double FitzHughNagumoSimulation<E>::bytes_of(const std::string& output, const std::string& /*path*/) const {
  return output == "history" ? static_cast<double>(rows_for(plan_.steps) * rows_.columns) * sizeof(float) : 0;
}

// The kept rows that the run has reached so far: [time × space].
template <Executor E>
Table FitzHughNagumoSimulation<E>::history_table() {
  stepper_.wait();
  const March march = march_.download()[0];
  const std::vector<float> values = row_values_.download();
  Table table;
  table.rows = static_cast<std::size_t>(std::min(march.row, march.rows));
  table.columns.resize(static_cast<std::size_t>(rows_.columns));
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::span<float> column = table.columns[c].numbers.write_floats(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) column[row] = values[row * table.columns.size() + c];
  }
  return table;
}

template <Executor E>
Report FitzHughNagumoSimulation<E>::report() {
  stepper_.wait();
  const RunState run = stepper_.seen();
  Report report;
  report.add("time", time_of(run.iteration));
  report.add("steps", run.iteration);
  report.add("dt", plan_.constants.dt);
  report.add("dx", plan_.constants.dx);
  if (keeps_rows()) {
    const March march = march_.download()[0];
    Report kept;
    kept.add("rows", std::min(march.row, march.rows));
    kept.add("time_step", march.row_time);
    kept.add("columns", sheet() ? rows_.side : rows_.columns);
    kept.add("x_step", static_cast<double>(rows_.stride) * plan_.constants.dx);
    report.add("history", std::move(kept));
  }
  if (plan_.has(Scheme::implicit)) {
    report.add("newton_iterations", march_.download()[0].newton_iterations);
    report.add("solver_used", parameters_.solver.options()[static_cast<std::size_t>(plan_.solver)]);
  }
  const bool part = chooses_nodes(plan_.scheme) && run.iteration > 0;
  const auto mean = [&](std::int64_t steps) {
    return (static_cast<std::int64_t>(first().nodes_used().sum) + steps / 2) / steps;
  };
  report.add("nodes_used", part ? mean(run.iteration) : plan_.points());
  return report;
}

}  // namespace kinescope::sim::fitzhugh_nagumo
