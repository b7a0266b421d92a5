// The strip below the picture, with which the user looks back at earlier moments of the run.
#pragma once

#include "app/runs/session.hpp"
#include "app/runs/timeline/playback.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

inline constexpr float timeline_height = 40;  // design pixels

// `session` has the run to which the timeline belongs; the Rewind button asks it to go back to the moment shown.
void draw_timeline(Ui& ui, const Timeline& timeline, Playback& playback, Session& session);
// Draws the slider of the memory that the timeline may take, in megabytes; belongs to the options of the view.
void draw_timeline_memory(Ui& ui, const Timeline& timeline, double& megabytes);

}  // namespace kinescope::app
