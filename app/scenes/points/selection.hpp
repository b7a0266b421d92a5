// Points that a person chooses by dragging around them, as a box or as a lasso.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/scenes/legend.hpp"
#include "app/ui/widgets.hpp"
#include "sim/core/dataset.hpp"

namespace kinescope::app {

// The drag itself: begins where the left button goes down, and draws its outline while it lasts.
class SelectionDrag {
 public:
  enum Shape : std::size_t { none, box, lasso };  // what a drag without Ctrl does; with it a box unless it is a lasso

  // Once a frame, after the picture's button. What was dragged around, in pixels from the picture's upper left corner,
  // when the mouse is let go.
  std::optional<std::vector<glm::vec2>> take(const PictureArea& area);
  bool under_way() const { return !corners_.empty(); }
  void options(Ui& ui);

 private:
  void draw(const PictureArea& area) const;

  std::size_t shape_ = none;
  bool is_box_ = true;
  std::vector<glm::vec2> corners_;  // of the drag under way, on the screen
};

// The rows of `data` as a table like its own, to be written, their numbers (from 1) in front. Ascending indices.
sim::Table rows_of(const sim::Dataset& data, const std::vector<std::uint32_t>& rows);

}  // namespace kinescope::app
