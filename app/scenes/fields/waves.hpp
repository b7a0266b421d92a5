// What the two scenes of FitzHugh–Nagumo share: an axon (axon_scene.hpp) and a sheet (fitzhugh_nagumo_scene.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scenes/fields/field_colours.hpp"
#include "app/scenes/scene.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo.hpp"

namespace kinescope::app {

// Blue and orange about 0, or cividis from a wave's back to its top.
FieldColours wave_colours();

// What is of use of the wide ranges; 0 as a time step is told as what it stands for.
ParameterHint wave_hint(const sim::WaveFigures& now, const sim::Parameter& parameter);
Explanations wave_explanations();
std::vector<std::string> further_wave_parameters();
// A run that has ended is longer once somebody has touched it.
std::optional<sim::Remedy> longer_run(const sim::WaveFigures& now, const sim::Progress& progress);
// What GUI tests wait for.
void tell_excitement(Ui& ui, const sim::Progress& progress);

std::unique_ptr<Scene> make_axon_scene(const SceneSetup& setup);

}  // namespace kinescope::app
