// The plot of a sweep's criteria over the number of clusters.
#pragma once

#include "app/scenes/scene.hpp"
#include "kinescope/k_means/k_means.hpp"

namespace kinescope::app {

// Draws it in the picture's lower left corner; nothing while there are fewer than two numbers of clusters, or no room.
void draw_sweep(const PictureArea& area, const sim::Snapshot& run);

}  // namespace kinescope::app
