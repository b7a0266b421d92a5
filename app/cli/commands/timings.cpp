// kinescope timings: how long the frames of one recording took, or by how much those of another differ.
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>

#include "app/cli/commands/commands.hpp"
#include "app/io/streams.hpp"
#include "app/io/timings/compare_timings.hpp"
#include "app/plot/svg_plot.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

struct Recording {
  std::string name, path;  // "A"
  RecordedTimings recorded;
  std::vector<FrameTiming> frames;  // those in which the simulation moved
};

std::string ms_text(double ms) {
  return fmt::format("{:.{}f}", ms, ms < 0.0995 ? 3 : ms < 99.95 ? 2 : 1);
}

std::string ratio_text(const Ratio& ratio) {
  return ratio.known() ? fmt::format("{:.3f} ({:.3f} … {:.3f})", ratio.value, ratio.low, ratio.high) : "–";
}

// "A: a.csv: 240 frames, 2,000 points"
std::string head_of(const Recording& recording) {
  const std::vector<FrameTiming>& all = recording.recorded.frames;
  const std::size_t left_out = all.size() - recording.frames.size();
  std::string text =
      fmt::format("{}: {}: {}, {}", recording.name, printable(recording.path),
                  sim::count_of(recording.frames.size(), "frame"), sim::count_of(all.back().points, "point"));
  if (left_out > 0)
    text += fmt::format("; {} in which the simulation did not move left out", sim::count_of(left_out, "frame"));
  return text + "\n";
}

std::vector<double> times_in(const Recording& recording, const TimingPart& part) {
  std::vector<double> times;
  for (const FrameTiming& frame : recording.frames) times.push_back(frame.*part.ms);
  return times;
}

std::string times_text(const std::vector<Recording>& recordings) {
  Rows rows = {{"milliseconds"}};
  for (const Recording& recording : recordings)
    for (const char* column : {"median", "p95", "p99"})
      rows[0].push_back(recordings.size() > 1 ? recording.name + " " + column : column);
  for (const TimingPart& part : timing_parts) {
    rows.push_back({part.name});
    for (const Recording& recording : recordings) {
      const Percentiles p = percentiles(times_in(recording, part));
      for (const double ms : {p.p50, p.p95, p.p99}) rows.back().push_back(ms_text(ms));
    }
  }
  return aligned(rows, {1, 2, 3, 4, 5, 6});
}

std::string ratios_text(const TimingsComparison& comparison) {
  Rows rows = {{"B / A", "of medians (95 %)", "of p95 (95 %)", "B takes"}};
  for (const ComparedPart& each : comparison.parts)
    rows.push_back({each.part->name, ratio_text(each.median), ratio_text(each.p95), verdict(each.median, true)});
  return aligned(rows);
}

sim::Table table_of(const std::vector<Recording>& recordings, const TimingsComparison* comparison) {
  sim::Table table;
  table.rows = std::size(timing_parts);
  table.columns.push_back({"part", true});
  for (const TimingPart& part : timing_parts) table.columns[0].texts.emplace_back(part.column);
  const auto add = [&](const std::string& name, const std::function<double(std::size_t)>& value) {
    std::vector<double> values;
    for (std::size_t i = 0; i < table.rows; ++i) values.push_back(value(i));
    table.columns.push_back({name, false, values});
  };
  constexpr std::pair<const char*, double Percentiles::*> percentile_names[] = {
      {"median", &Percentiles::p50}, {"p95", &Percentiles::p95}, {"p99", &Percentiles::p99}};
  for (const Recording& recording : recordings)
    for (const auto& [name, percentile] : percentile_names)
      add(lower_first(recording.name) + "_" + name, [&recording, part = percentile](std::size_t i) {
        return percentiles(times_in(recording, timing_parts[i])).*part;
      });
  if (!comparison) return table;
  constexpr std::pair<const char*, Ratio ComparedPart::*> ratio_names[] = {{"ratio", &ComparedPart::median},
                                                                           {"p95_ratio", &ComparedPart::p95}};
  for (const auto& [name, ratio] : ratio_names) {
    const auto of = [comparison, part = ratio](std::size_t i) { return comparison->parts[i].*part; };
    add(name, [&](std::size_t i) { return of(i).value; });
    add(name + std::string("_low"), [&](std::size_t i) { return of(i).low; });
    add(name + std::string("_high"), [&](std::size_t i) { return of(i).high; });
    add(name + std::string("_block"), [&](std::size_t i) { return of(i).known() ? double(of(i).block) : NAN; });
  }
  return table;
}

// A panel for each part that takes time: how long how many of the frames take at most.
Figure figure_of(const std::vector<Recording>& recordings, const TimingsComparison* comparison) {
  Figure figure;
  figure.title = comparison ? comparison->overall("B's frames") : "Frame times";
  for (const Recording& recording : recordings)
    figure.captions.push_back(recordings.size() > 1 ? recording.name + ": " + recording.path : recording.path);
  for (const TimingPart& part : timing_parts) {
    Panel panel{part.name, "", {"frames (%)"}, {"at most (ms)"}, {}};
    double longest = 0;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
      std::vector<double> times = times_in(recordings[i], part);
      std::ranges::sort(times);
      PlotSeries series{recordings.size() > 1 ? recordings[i].name : "", {}, int(i), i > 0};
      for (int percent = 1; percent <= 99; percent += percent == 1 || percent == 95 ? 4 : 5)
        series.points.push_back({double(percent), times[std::size_t(percent) * (times.size() - 1) / 100]});
      longest = std::max(longest, series.points.back().y);
      panel.series.push_back(std::move(series));
    }
    if (longest > 0) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

void timings_command(const Options& options) {
  choose_processor(options.backend);
  check_output("--csv", options.csv, {".csv"});
  check_output("--plot", options.plot, {".svg"});
  std::vector<NamedFile> inputs;
  for (const std::string& path : options.recordings) inputs.push_back({"timings", path});
  check_apart(inputs, {{"--csv", options.csv}, {"--plot", options.plot}});
  std::vector<Recording> recordings;
  for (const std::string& path : options.recordings) {
    RecordedTimings recorded = read_timings(path);
    std::vector<FrameTiming> frames = moving_frames(recorded.frames);
    recordings.push_back({recordings.empty() ? "A" : "B", path, std::move(recorded), std::move(frames)});
  }
  std::optional<TimingsComparison> comparison;
  if (recordings.size() > 1)
    comparison =
        compare_timings(recordings[0].recorded, recordings[1].recorded, recordings[0].path, recordings[1].path);
  std::string text;
  for (const Recording& recording : recordings) text += head_of(recording);
  text += "\n" + times_text(recordings);
  if (comparison) {
    text += "\n" + ratios_text(*comparison) + "\n" + comparison->overall("B's frames") + "\n";
    for (const std::string& note : comparison->notes) text += note + "\n";
  }
  print_text(text);
  const TimingsComparison* compared = comparison ? &*comparison : nullptr;
  if (!options.csv.empty()) sim::write_csv(options.csv, table_of(recordings, compared));
  if (!options.plot.empty()) sim::write_bytes(options.plot, svg_text(figure_of(recordings, compared)));
}

}  // namespace kinescope::app
