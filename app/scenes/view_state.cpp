#include "app/scenes/view_state.hpp"

#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <sstream>

namespace kinescope::app {

std::string camera_text(const render::Camera& camera) {
  const render::Camera::State& s = camera.state();
  return fmt::format("{} {} {} {} {} {} {}", s.dimensions, s.target.x, s.target.y, s.target.z, s.half_height, s.azimuth,
                     s.elevation);
}

bool read_camera(const Texts& state, render::Camera& camera) {
  const auto found = state.find("camera");
  if (found == state.end()) return false;
  std::istringstream text(found->second);
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
  const auto found = state.find(key);
  if (found != state.end() && (found->second == "on" || found->second == "off")) on = found->second == "on";
}

void read_number(const Texts& state, const char* key, double low, double high, double& value) {
  const auto found = state.find(key);
  if (found == state.end()) return;
  double read = 0;
  const char* end = found->second.data() + found->second.size();
  const auto [stop, error] = std::from_chars(found->second.data(), end, read);
  if (error == std::errc() && stop == end && read >= low && read <= high) value = read;
}

}  // namespace kinescope::app
