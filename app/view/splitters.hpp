// The edges between panels and picture, which can be dragged.
#pragma once

#include "app/io/settings.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

// Draws them over the panels, and changes the sizes of the panels in the settings.
void draw_splitters(Ui& ui, const PanelPlaces& layout, Settings& settings);

}  // namespace kinescope::app
