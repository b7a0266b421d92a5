// Parts of the view as texts, for sessions. Reading leaves a value as it is where the text is missing or is no such
// thing: a session of another version must not spoil a view.
#pragma once

#include "app/scenes/scene.hpp"
#include "render/camera.hpp"

namespace kinescope::app {

std::string camera_text(const render::Camera& camera);
// Under "camera"; not of another number of dimensions. True if it was read.
bool read_camera(const Texts& state, render::Camera& camera);
std::string number_state(double value);
std::string switch_state(bool on);
void read_switch(const Texts& state, const char* key, bool& on);
void read_number(const Texts& state, const char* key, double low, double high, double& value);

}  // namespace kinescope::app
