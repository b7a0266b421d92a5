// Parts of the view as texts, for sessions. A value stays as it is if its text is missing or cannot be read: a session
// of another version must not spoil a view.
#pragma once

#include "app/scenes/scene.hpp"
#include "render/camera.hpp"

namespace kinescope::app {

// The text of a key; "" if it is missing.
std::string text_of(const Texts& state, const char* key);
std::string camera_text(const render::Camera& camera);
// Reads "camera", unless it has another number of dimensions. True if it was read.
bool read_camera(const Texts& state, render::Camera& camera);
std::string number_state(double value);
std::string switch_state(bool on);
void read_switch(const Texts& state, const char* key, bool& on);
void read_number(const Texts& state, const char* key, double low, double high, double& value);

}  // namespace kinescope::app
