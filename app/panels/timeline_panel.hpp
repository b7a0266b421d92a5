// The strip below the picture: looks back at earlier moments of the run.
#pragma once

#include "app/runs/session.hpp"
#include "app/runs/timeline/playback.hpp"
#include "app/ui/widgets.hpp"

namespace kinescope::app {

inline constexpr float timeline_height = 40;  // unscaled pixels

// `session`: of the run whose timeline it is, which may be asked to go back to the moment shown.
void draw_timeline(Ui& ui, const Timeline& timeline, Playback& playback, Session& session);
// How much memory it may take, in megabytes; for the view's options.
void draw_timeline_memory(Ui& ui, const Timeline& timeline, double& megabytes);

}  // namespace kinescope::app
