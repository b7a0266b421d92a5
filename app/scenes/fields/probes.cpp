#include "app/scenes/fields/probes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <sstream>

namespace kinescope::app {
namespace {

constexpr double shown_time = 200;             // simulated time that the plot shows
constexpr std::size_t most_readings = 20'000;  // of one probe; then the older half is dropped

}  // namespace

// Begins a new set of probes with a new number, so that readings of an earlier set are not mistaken for readings of
// this one.
void Probes::tell() {
  ++set_;
  series_.assign(places_.size(), {});
  if (!runner_) return;
  runner_->send(sim::ProbeSet{set_, places_});
}

void Probes::place(const sim::ProbePlace& at) {
  if (places_.size() < sim::most_probes)
    places_.push_back(at);
  else
    places_[oldest_++ % sim::most_probes] = at;
  tell();
}

void Probes::clear() {
  places_.clear();
  oldest_ = 0;
  tell();
}

std::string Probes::text() const {
  std::string text;
  for (const sim::ProbePlace& place : places_)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", place.x, place.y);
  return text;
}

void Probes::read(const std::string& text) {
  clear();
  std::istringstream places(text);
  for (std::string each; std::getline(places, each, ',');) {
    std::istringstream numbers(each);
    numbers.imbue(std::locale::classic());
    sim::ProbePlace at;
    if (numbers >> at.x >> at.y && std::isfinite(at.x) && std::isfinite(at.y)) place(at);
  }
}

void Probes::update(const sim::WaveFigures& figures) {
  if (figures.probe_set != set_ || figures.probes.size() != places_.size() || places_.empty()) return;
  const auto time = float(figures.probe_time);
  if (!series_[0].empty()) {
    if (series_[0].back().x == time) return;
    if (series_[0].back().x > time) series_.assign(places_.size(), {});  // a new run has begun
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    std::vector<glm::vec2>& readings = series_[i];
    if (readings.size() >= most_readings) readings.erase(readings.begin(), readings.begin() + most_readings / 2);
    readings.push_back({time, figures.probes[i]});
  }
}

render::Rgb Probes::colour(std::size_t probe, render::Background background) {
  return render::class_colours(sim::most_probes, background)[probe];
}

Plot Probes::plot(const Rectangle& cell, float scale, render::Background background) const {
  const double now = series_.empty() || series_[0].empty() ? 0.0 : double(series_[0].back().x),
               end = std::max(now, shown_time);
  Plot plot{.low_x = end - shown_time,
            .high_x = end,
            .low_y = -0.5,
            .high_y = 1.2,
            .title = "Probes",
            .x_title = "t (time)",
            .y_title = "v"};
  for (std::size_t i = 0; i < places_.size(); ++i)
    plot.notes.push_back({std::to_string(i + 1), LegendMark::line, colour(i, background)});
  plot.place(cell, scale);
  return plot;
}

void Probes::draw(PlotPainter& painter, const Plot& plot, const render::Canvas& canvas,
                  render::Background background) const {
  painter.grid(plot, canvas, background);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const auto shown = std::lower_bound(series_[i].begin(), series_[i].end(), float(plot.low_x),
                                        [](glm::vec2 reading, float t) { return reading.x < t; });
    painter.path(plot, canvas, {shown, series_[i].end()}, line_style(colour(i, background), 1.75f));
  }
}

}  // namespace kinescope::app
