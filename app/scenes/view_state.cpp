#include "app/scenes/view_state.hpp"

#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <sstream>

namespace kinescope::app {

std::string text_of(const Texts& state, const char* key) {
  const auto found = state.find(key);
  return found == state.end() ? "" : found->second;
}

std::string camera_text(const render::Camera& camera) {
  const render::Camera::State& s = camera.state();
  return fmt::format("{} {} {} {} {} {} {}", s.dimensions, s.target.x, s.target.y, s.target.z, s.half_height, s.azimuth,
                     s.elevation);
}

bool read_camera(const Texts& state, render::Camera& camera) {
  std::istringstream text(text_of(state, "camera"));
  text.imbue(std::locale::classic());
  render::Camera::State s;
  text >> s.dimensions >> s.target.x >> s.target.y >> s.target.z >> s.half_height >> s.azimuth >> s.elevation;
  const bool good = text && s.dimensions == camera.dimensions() && s.half_height > 0 && std::abs(s.elevation) < 1.5707f;
  if (good) camera.set_state(s);
  return good;
}

std::string number_state(double value) {
  return fmt::format("{}", value);
}

std::string switch_state(bool on) {
  return on ? "on" : "off";
}

void read_switch(const Texts& state, const char* key, bool& on) {
  const std::string text = text_of(state, key);
  if (text == "on" || text == "off") on = text == "on";
}

void read_number(const Texts& state, const char* key, double low, double high, double& value) {
  const std::string text = text_of(state, key);
  double read = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, read);
  if (error == std::errc() && stop == end && read >= low && read <= high) value = read;
}

}  // namespace kinescope::app
