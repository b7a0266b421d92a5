// The rows of `bench` as a table for people, as the CSV of --csv (docs/manual/command-line.md), and as a plot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/plot/svg_plot.hpp"
#include "kinescope/bench/experiments.hpp"
#include "kinescope/table.hpp"

namespace kinescope::app {

// Lines without their newline; columns keep their widths, so that rows can be printed as they are measured.
std::string bench_head(const std::string& figure);
std::string bench_line(const bench::BenchmarkRow& row);

// All columns as text; numbers have enough digits to be read back unchanged.
sim::Table bench_csv(const std::vector<bench::BenchmarkRow>& rows);

// One panel for each experiment and data set; made data that differ only in their number of points share a panel and
// are joined by lines. One series for each method and backend: colour and marker stand for the method, hollow markers
// for CUDA. For a method with settings ("pivot-mds, 100") a line instead joins its settings on the same data, in the
// order of the rows. `plots` says how each experiment is plotted.
Figure bench_figure(const std::string& title, const std::vector<bench::BenchmarkRow>& rows,
                    const std::map<std::string, bench::BenchmarkPlot>& plots);

}  // namespace kinescope::app
