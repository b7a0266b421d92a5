// Draws in which columns the selected rows differ from the rest, the largest differences first.
#pragma once

#include <vector>

#include "app/features/table/differences.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

// Fills the rest of the window.
void draw_differences(Ui& ui, const std::vector<Difference>& all);

}  // namespace kinescope::app
