#include "app/io/timings/recorded_timings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <string_view>

#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

using Words = std::vector<std::string_view>;

Words split_at_commas(std::string_view line) {
  Words words;
  for (std::size_t end = 0; end != std::string_view::npos; line.remove_prefix(std::min(end + 1, line.size()))) {
    end = line.find(',');
    words.push_back(line.substr(0, end));
  }
  return words;
}

void check_columns(const sim::TextLines& lines, const Words& found, const Words& expected) {
  for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
    if (i >= found.size()) throw lines.error(fmt::format("has no column '{}', which --timings writes", expected[i]));
    if (i >= expected.size())
      throw lines.error(fmt::format("has a column {} that --timings does not write", sim::shown(found[i])));
    if (found[i] != expected[i])
      throw lines.error(
          fmt::format("is no file of --timings: column {} is {}, not '{}'", i + 1, sim::shown(found[i]), expected[i]));
  }
}

double time_of(const sim::TextLines& lines, std::string_view cell, std::string_view column) {
  double ms = 0;
  if (sim::parse_cell(cell, ms) != sim::CellKind::number || !std::isfinite(ms) || ms < 0)
    throw lines.error(fmt::format("{}: expected milliseconds, found {}", column, sim::shown(cell)));
  return ms;
}

std::size_t count_in(const sim::TextLines& lines, std::string_view cell, std::string_view column) {
  const auto count = sim::parse_whole(cell);
  if (!count) throw lines.error(fmt::format("{}: expected a whole number, found {}", column, sim::shown(cell)));
  return *count;
}

}  // namespace

RecordedTimings read_timings(const std::string& path) {
  sim::InputFile file(path);
  sim::TextLines lines(file);
  const Words columns = split_at_commas(timings_header);
  lines.next();
  check_columns(lines, split_at_commas(lines.text()), columns);
  RecordedTimings recorded;
  while (lines.next()) {
    const Words cells = split_at_commas(lines.text());
    if (cells.size() != columns.size())
      throw lines.error(fmt::format("expected {} columns, found {}", columns.size(), cells.size()));
    FrameTiming frame;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view column = columns[i], cell = cells[i];
      const auto* part = std::ranges::find(timing_parts, column, &TimingPart::column);
      if (part != std::end(timing_parts))
        frame.*part->ms = time_of(lines, cell, column);
      else if (column == "points")
        frame.points = count_in(lines, cell, column);
      else if (column == "iterations")
        frame.iterations = static_cast<long>(count_in(lines, cell, column));
      else if (column == "timer" && cell != "query" && cell != "finish")
        throw lines.error(fmt::format("timer: expected query or finish, found {}", sim::shown(cell)));
      else if (column == "timer")
        recorded.timer = cell;
    }
    recorded.frames.push_back(frame);
  }
  if (recorded.frames.empty()) throw sim::file_error(path, "holds no frames");
  return recorded;
}

bool any_moves(const std::vector<FrameTiming>& frames) {
  return std::ranges::any_of(frames, [](const FrameTiming& frame) { return frame.iterations > 0; });
}

std::vector<FrameTiming> moving_frames(const std::vector<FrameTiming>& frames) {
  const bool moves = any_moves(frames);
  std::vector<FrameTiming> moving;
  std::ranges::copy_if(frames, std::back_inserter(moving),
                       [&](const FrameTiming& frame) { return !moves || frame.iterations > 0; });
  return moving;
}

}  // namespace kinescope::app
