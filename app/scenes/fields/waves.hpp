// What the two scenes of FitzHugh–Nagumo share: an axon (axon_scene.hpp) and a sheet (fitzhugh_nagumo_scene.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scenes/fields/field_colours.hpp"
#include "app/scenes/scene.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo.hpp"

namespace kinescope::app {

// Blue and orange about 0, or cividis for a wave from its back to its top.
FieldColours wave_colours();

// The useful part of a wide range; for a time step of 0, the step that it stands for.
ParameterHint wave_hint(const sim::WaveFigures& now, const sim::Parameter& parameter);
Explanations wave_explanations();
std::vector<std::string> further_wave_parameters();
// If somebody touches a run that has ended, it gets a longer duration.
std::optional<sim::Remedy> longer_run(const sim::WaveFigures& now, const sim::Progress& progress);
// Reports what GUI tests wait for.
void tell_excitement(Ui& ui, const sim::Progress& progress);

}  // namespace kinescope::app
