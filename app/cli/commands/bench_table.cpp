#include "app/cli/commands/bench_table.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <functional>
#include <iterator>

#include "app/io/output.hpp"
#include "kinescope/data/made.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

using bench::BenchmarkPlot;
using bench::BenchmarkRow;
using BenchmarkRows = std::vector<BenchmarkRow>;

std::string table_line(const std::vector<std::string>& cells) {
  static constexpr int widths[] = {-25, -34, 9, 5, -7, 7, 9, 9, 9, 4, 10, 9};
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t size = characters(cells[i]), width = static_cast<std::size_t>(std::abs(widths[i]));
    const std::string space(width > size ? width - size : 0, ' ');
    line += (i ? "  " : "") + (widths[i] < 0 ? cells[i] + space : space + cells[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// Three significant digits, never as a power of ten.
std::string milliseconds(double seconds) {
  if (seconds == 0) return "-";  // not measured
  const double ms = 1000 * seconds;
  if (ms >= 100) return fmt::format("{:.0f}", ms);
  return ms >= 10 ? fmt::format("{:.1f}", ms) : ms >= 1 ? fmt::format("{:.2f}", ms) : fmt::format("{:.3f}", ms);
}

std::string shown_data(const std::string& data) {
  return printable(sim::is_made(data) ? data.substr(sim::made_prefix.size()) : data);
}

// The panel to which data belong: their name without ",n=…", the number of points of sample data or of a random sample.
std::string family(const std::string& data) {
  const std::size_t begin = data.find(",n=");
  if (begin == std::string::npos) return data;
  const std::size_t end = data.find_first_of(", ", begin + 1);
  return data.substr(0, begin) + (end == std::string::npos ? "" : data.substr(end));
}

std::vector<std::string> distinct(const BenchmarkRows& rows,
                                  const std::function<std::string(const BenchmarkRow&)>& key) {
  std::vector<std::string> keys;
  for (const BenchmarkRow& row : rows)
    if (std::find(keys.begin(), keys.end(), key(row)) == keys.end()) keys.push_back(key(row));
  return keys;
}

// "dx" and 0.5 for "dx=0.5"; "" if the data are not named like that.
std::pair<std::string, double> parameter_of(const std::string& data) {
  const std::size_t equals = data.find('=');
  double value = 0;
  if (equals == std::string::npos || sim::is_made(data)) return {};
  const char* end = data.data() + data.size();
  const auto [read, error] = std::from_chars(data.data() + equals + 1, end, value);
  return error == std::errc() && read == end ? std::pair(data.substr(0, equals), value)
                                             : std::pair<std::string, double>();
}

// The method's name without its setting.
std::string method_of(const BenchmarkRow& row) {
  return row.method.substr(0, row.method.find(','));
}

// The coordinates of a row's point in its panel.
PlotPoint place_of(const BenchmarkRow& row, BenchmarkPlot plot) {
  switch (plot) {
    case BenchmarkPlot::figure_over_parameter:
      return {parameter_of(row.data).second, row.value};
    case BenchmarkPlot::figure_over_iterations:
      return {double(row.iterations), row.value};
    case BenchmarkPlot::figure_over_points:
      return {double(row.points), row.value};
    case BenchmarkPlot::seconds_and_figure_over_points:
    case BenchmarkPlot::seconds_over_points:
      return {double(row.points), row.median_seconds};
    case BenchmarkPlot::figure_over_seconds:
      break;
  }
  return {row.median_seconds, row.value};
}

void name_axes(Panel& panel, const BenchmarkRow& first, BenchmarkPlot plot) {
  panel.x = {"median time (s)", AxisScale::logarithmic};
  panel.y = {first.figure, AxisScale::logarithmic};
  if (plot == BenchmarkPlot::figure_over_seconds) return;
  panel.title = first.experiment;
  panel.subtitle = shown_data(family(first.data));
  if (plot == BenchmarkPlot::figure_over_parameter) {
    panel.x.label = parameter_of(first.data).first;
    panel.subtitle = first.figure;
  } else if (plot == BenchmarkPlot::figure_over_iterations) {
    panel.x = {"iteration", AxisScale::linear};
  } else if (plot == BenchmarkPlot::seconds_over_points) {
    panel.x.label = sim::is_made(first.data) ? "points" : "nodes";
    panel.y.label = "median time (s)";
  }
}

Panel panel_of(const BenchmarkRows& rows, const std::vector<std::string>& methods, BenchmarkPlot plot) {
  Panel panel;
  const BenchmarkRow& first = rows.front();
  const std::string title = shown_data(family(first.data));
  panel.title = sim::is_made(first.data) ? title.substr(0, title.find(',')) : title.substr(0, title.find(' '));
  const std::string rest =
      sim::is_made(first.data) || panel.title == title ? "" : ", " + title.substr(title.find(' ') + 1);
  const auto [least, most] = std::ranges::minmax_element(rows, {}, &BenchmarkRow::points);
  std::string points = sim::with_commas(static_cast<std::size_t>(least->points));
  if (most->points > least->points) points += " … " + sim::with_commas(static_cast<std::size_t>(most->points));
  panel.subtitle = fmt::format("{} × {}{}", points, first.dimensions, rest);
  name_axes(panel, first, plot);
  for (const std::string& method : methods)
    for (const char* backend : {"cpu", "cuda"}) {
      BenchmarkRows own;
      std::ranges::copy_if(rows, std::back_inserter(own),
                           [&](const BenchmarkRow& row) { return method_of(row) == method && row.backend == backend; });
      // A line joins a method's settings on the same data. For a method without settings it joins the numbers of
      // points.
      const bool settings = std::ranges::any_of(own, [](const auto& row) { return row.method != method_of(row); });
      const auto line = [&](const BenchmarkRow& row) { return settings ? row.data : std::string(); };
      for (const std::string& each : distinct(own, line)) {
        PlotSeries series;
        series.name = method + (std::string_view(backend) == "cuda" ? ", CUDA" : ", CPU");
        series.style = static_cast<int>(std::find(methods.begin(), methods.end(), method) - methods.begin());
        series.hollow = std::string_view(backend) == "cuda";
        for (const BenchmarkRow& row : own)
          if (line(row) == each) series.points.push_back(place_of(row, plot));
        panel.series.push_back(std::move(series));
      }
    }
  return panel;
}

}  // namespace

std::string bench_head(const std::string& figure) {
  return table_line({"method", "data", "points", "dim", "backend", "threads", "median ms", "min ms", "max ms", "runs",
                     "iterations", figure});
}

std::string bench_line(const BenchmarkRow& row) {
  if (row.repetitions == 0) return table_line({row.method, shown_data(row.data)}) + "  not run: " + row.note;
  return table_line({row.method, shown_data(row.data), sim::with_commas(static_cast<std::size_t>(row.points)),
                     fmt::format("{}", row.dimensions), row.backend,
                     row.backend == "cpu" ? fmt::format("{}", row.threads) : "-", milliseconds(row.median_seconds),
                     milliseconds(row.min_seconds), milliseconds(row.max_seconds), fmt::format("{}", row.repetitions),
                     sim::with_commas(static_cast<std::size_t>(row.iterations)),
                     row.note.empty() ? fmt::format("{:.4g}", row.value) : row.note});
}

sim::Table bench_csv(const BenchmarkRows& rows) {
  sim::Table table;
  table.rows = rows.size();
  const auto add = [&](const char* name, const auto& member) {
    sim::Column column{name, true};
    for (const BenchmarkRow& row : rows) column.texts.push_back(fmt::format("{}", row.*member));
    table.columns.push_back(std::move(column));
  };
  const auto add_seconds = [&](const char* name, double BenchmarkRow::*member) {
    add(name, member);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].*member == 0) table.columns.back().texts[i].clear();  // not measured
  };
  add("experiment", &BenchmarkRow::experiment);
  add("method", &BenchmarkRow::method);
  add("data", &BenchmarkRow::data);
  add("points", &BenchmarkRow::points);
  add("dimensions", &BenchmarkRow::dimensions);
  add("backend", &BenchmarkRow::backend);
  add("device", &BenchmarkRow::device);
  add("threads", &BenchmarkRow::threads);
  add("repetitions", &BenchmarkRow::repetitions);
  add_seconds("median_seconds", &BenchmarkRow::median_seconds);
  add_seconds("min_seconds", &BenchmarkRow::min_seconds);
  add_seconds("max_seconds", &BenchmarkRow::max_seconds);
  add("iterations", &BenchmarkRow::iterations);
  add("figure", &BenchmarkRow::figure);
  add("value", &BenchmarkRow::value);
  return table;
}

Figure bench_figure(const std::string& title, const BenchmarkRows& all,
                    const std::map<std::string, BenchmarkPlot>& plots) {
  Figure figure;
  figure.title = title;
  const auto plot_of = [&](const BenchmarkRow& row) {
    const auto found = plots.find(row.experiment);
    return found == plots.end() ? BenchmarkPlot::figure_over_seconds : found->second;
  };
  BenchmarkRows rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows), [&](const BenchmarkRow& row) {
    return plot_of(row) != BenchmarkPlot::seconds_over_points || row.method.find(": ") == std::string::npos;
  });
  figure.shared_x = std::all_of(rows.begin(), rows.end(), [&](const BenchmarkRow& row) {
    return plot_of(row) == BenchmarkPlot::figure_over_seconds;
  });
  const auto device = [](const BenchmarkRow& row) {
    const std::string threads = fmt::format(", {} thread{}", row.threads, row.threads == 1 ? "" : "s");
    return row.backend == "cpu" ? "CPU: " + row.device + threads : "CUDA: " + row.device;
  };
  figure.captions = distinct(rows, device);
  const std::vector<std::string> methods = distinct(rows, method_of);
  const auto panel = [&](const BenchmarkRow& row) {
    const bool parameter = plot_of(row) == BenchmarkPlot::figure_over_parameter;
    return row.experiment + "\n" + (parameter ? parameter_of(row.data).first : family(row.data)) + "\n" + row.figure;
  };
  for (const std::string& key : distinct(rows, panel)) {
    BenchmarkRows own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const BenchmarkRow& row) { return panel(row) == key; });
    if (plot_of(own.front()) == BenchmarkPlot::figure_over_parameter && parameter_of(own.front().data).first.empty())
      continue;  // rows that belong to no value of a parameter, such as slopes
    const BenchmarkPlot plot = plot_of(own.front());
    if (plot != BenchmarkPlot::seconds_and_figure_over_points) {
      figure.panels.push_back(panel_of(own, methods, plot));
      continue;
    }
    for (const BenchmarkPlot each : {BenchmarkPlot::seconds_over_points, BenchmarkPlot::figure_over_points}) {
      figure.panels.push_back(panel_of(own, methods, each));
      figure.panels.back().x.label = "points";
    }
  }
  return figure;
}

}  // namespace kinescope::app
