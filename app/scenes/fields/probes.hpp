// Probes on a sheet: their places, their readings, and the plot of the readings in the strip.
#pragma once

#include <string>
#include <vector>

#include "app/runs/runner.hpp"
#include "app/scenes/plot.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"

namespace kinescope::app {

class Probes {
 public:
  // Keeps the probes, but forgets their readings.
  void begin_run(Runner& runner) {
    runner_ = &runner;
    tell();
  }
  void place(const sim::ProbePlace& at);
  void clear();
  std::string text() const;  // their places as sessions store them: "20 30, 5.5 7"
  void read(const std::string& text);
  // Call once a frame.
  void update(const sim::WaveFigures& figures);
  bool empty() const { return places_.empty(); }
  const std::vector<sim::ProbePlace>& places() const { return places_; }

  Plot plot(const Rectangle& cell, float scale, render::Background background) const;
  void draw(PlotPainter& painter, const Plot& plot, const render::Canvas& canvas, render::Background background) const;
  static render::Rgb colour(std::size_t probe, render::Background background);

 private:
  void tell();

  Runner* runner_ = nullptr;
  std::vector<sim::ProbePlace> places_;
  std::int64_t set_ = 0;
  std::size_t oldest_ = 0;                      // once all are placed, this one is replaced next
  std::vector<std::vector<glm::vec2>> series_;  // (t, v) of each probe
};

}  // namespace kinescope::app
