// The rows of `bench` as a table for people, as the CSV of --csv (docs/manual/command-line.md), and as a plot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/plot/svg_plot.hpp"
#include "sim/core/benchmark.hpp"
#include "sim/core/table.hpp"

namespace kinescope::app {

// Lines without their newline; columns keep their widths, so that rows can be printed as they are measured.
std::string bench_head(const std::string& figure);
std::string bench_line(const sim::BenchmarkRow& row);

// All columns as text, numbers in as many digits as read back the same.
sim::Table bench_csv(const std::vector<sim::BenchmarkRow>& rows);

// A panel for each experiment and data; made data that differ in their number of points alone share one, joined by
// lines. A series for each method and backend: the colour and the marker are the method's, CUDA's are hollow.
// `plots`: of the experiments by their names.
Figure bench_figure(const std::string& title, const std::vector<sim::BenchmarkRow>& rows,
                    const std::map<std::string, sim::BenchmarkPlot>& plots);

}  // namespace kinescope::app
