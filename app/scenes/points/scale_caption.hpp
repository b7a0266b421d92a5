// Says in the picture how the columns were scaled before distances were taken, and offers the raw values.
#pragma once

#include <string>

#include "app/scenes/legend.hpp"
#include "sim/data/normalize.hpp"

namespace kinescope::app {

// What distances are measured in: "standard deviations", "of the range"; "": the data's own units. For a number of
// them: "1 standard deviation".
std::string distance_unit(sim::Normalization normalization, double number = 2);

// Draws it from `at` on, in one line or, if that is wider than `room` pixels, in two; nothing if columns are raw.
// Returns where "use raw values" is, empty for nothing.
Rectangle draw_scale_caption(const PictureArea& area, ImVec2 at, float room, sim::Normalization normalization,
                             bool hovered = false);
// The same without drawing.
Rectangle raw_values_link(const PictureArea& area, ImVec2 at, float room, sim::Normalization normalization);

}  // namespace kinescope::app
