// Says in the picture how the columns were scaled before distances were taken, and offers the raw values.
#pragma once

#include <string>

#include "app/scenes/legend.hpp"
#include "kinescope/data/normalize.hpp"

namespace kinescope::app {

// What distances are measured in, after a number: "standard deviations" ("standard deviation" after 1), "of the range";
// "": the data's own units.
std::string distance_unit(sim::Normalization normalization, double number = 2);

// One line, or two if it is wider than its room. It takes no room if columns are raw.
class ScaleCaption {
 public:
  // `at`: where its text begins; `room`: the width in pixels that it may take there.
  ScaleCaption(const PictureArea& area, sim::Normalization normalization, ImVec2 at, float room);

  bool fits() const { return high_.x <= room_end_; }
  float right() const { return high_.x; }
  float bottom() const { return high_.y; }
  const Rectangle& link() const { return link_; }  // where "use raw values" is; empty for raw columns
  void draw(const PictureArea& area, bool hovered) const;

 private:
  std::string said_;  // before the link
  ImVec2 at_, high_;
  float room_end_ = 0;
  Rectangle link_{};
};

}  // namespace kinescope::app
