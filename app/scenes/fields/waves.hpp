// What the two scenes of FitzHugh–Nagumo share: an axon (axon_scene.hpp) and a sheet (fitzhugh_nagumo_scene.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scenes/fields/field_colours.hpp"
#include "app/scenes/scene.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"

namespace kinescope::app {

// The figures of a run of FitzHugh–Nagumo.
const sim::WaveFigures& figures_of(const sim::Snapshot& run);
// The colour maps: blue and orange about 0, or cividis from a wave's back to its top.
FieldColours wave_colours();

Explanations wave_explanations();
// A later end time for a run that has ended, to be requested when the user applies a stimulus; else nothing.
std::optional<sim::Remedy> longer_run(const sim::Snapshot& now);
// Reports to GUI tests whether anything is excited.
void tell_excitement(Ui& ui, const sim::Progress& progress);

}  // namespace kinescope::app
