// The strip below the picture: looks back at earlier moments of the run.
#pragma once

#include <string>

#include "app/runs/timeline/playback.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

inline constexpr float timeline_height = 40;  // unscaled pixels

// `figure`: the name of the run's figure of merit.
void draw_timeline(Ui& ui, const Timeline& timeline, Playback& playback, const std::string& figure);
// How much memory it may take, in megabytes; for the view's options.
void draw_timeline_memory(Ui& ui, const Timeline& timeline, double& megabytes);

}  // namespace kinescope::app
