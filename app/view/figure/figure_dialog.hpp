// Choosing what a figure for print is to be, with a preview of it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/ui/widgets.hpp"
#include "app/view/figure/figure.hpp"
#include "app/view/figure/figure_options.hpp"
#include "render/gl/objects.hpp"

namespace kinescope::app {

// What was asked for: a file with this ending, or a copy in the clipboard.
struct WantedFigure {
  FigureOptions options;
  std::string ending;
  render::Background background = render::Background::light;
  bool with_state = true, copy = false;
};

class FigureDialog {
 public:
  void show() {
    shown_ = appeared_ = true;
    drawn_.reset();
  }
  bool shown() const { return shown_; }
  void draw(Ui& ui);
  // Call once a frame, when no panel is being drawn: draws the preview anew if something has changed. `iteration`: of
  // what the picture shows. `source` makes what is drawn for a background.
  void update(long iteration, const std::function<FigureSource(render::Background)>& source);
  std::optional<WantedFigure> take() { return std::exchange(taken_, std::nullopt); }

 private:
  void draw_preview(Ui& ui, ImVec2 room);
  void draw_choices(Ui& ui);
  void draw_actions(Ui& ui);
  void read_choices();

  bool shown_ = false, appeared_ = false;
  WantedFigure wanted_;
  std::string width_ = "170mm", height_, refused_;
  std::size_t format_ = 0, legend_ = std::size_t(LegendPlace::beside), ground_ = 0;
  ImVec2 room_{};  // for the preview, in pixels
  render::Texture preview_;
  glm::ivec2 preview_size_{0, 0};
  // What the preview shows, and since when.
  std::optional<std::pair<FigureOptions, render::Background>> drawn_;
  long drawn_iteration_ = -1;
  std::chrono::steady_clock::time_point drawn_at_;
  std::optional<WantedFigure> taken_;
};

}  // namespace kinescope::app
