// Selecting points by dragging a box or a lasso around them.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/scenes/legend.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/dataset.hpp"

namespace kinescope::app {

// A drag that selects. It begins where the left button is pressed, and its outline is drawn while it lasts.
class SelectionDrag {
 public:
  enum Shape : std::size_t {
    none,
    box,
    lasso
  };  // the shape of a drag without Ctrl; with Ctrl it is a box, or a lasso if that is chosen

  // Call once a frame, after the picture's button. When the button is released it returns the outline, in pixels from
  // the picture's upper left corner.
  std::optional<std::vector<glm::vec2>> take(const PictureArea& area);
  bool under_way() const { return !corners_.empty(); }
  void options(Ui& ui);

 private:
  void draw(const PictureArea& area) const;

  std::size_t shape_ = none;
  bool is_box_ = true;
  std::vector<glm::vec2> corners_;  // of the current drag, in pixels of the window
};

// A table of the rows of `data` with these ascending indices, to be saved: the row numbers (from 1), the rows' lines in
// their file if it has lines, then the data's own columns.
sim::Table rows_of(const sim::Dataset& data, const std::vector<std::uint32_t>& rows);

// The data's own table, and whether each row is selected as the last column, 1 or 0. `rows` are ascending.
sim::Table table_with_selection(const sim::Dataset& data, const std::vector<std::uint32_t>& rows);

}  // namespace kinescope::app
