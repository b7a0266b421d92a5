#include "app/scenes/kept_state.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <sstream>

namespace kinescope::app {

bool KeptState::text(const std::string& key, std::string& value) {
  if (!reads_) {
    texts_[key] = value;
    return false;
  }
  const auto found = texts_.find(key);
  if (found == texts_.end()) return false;
  value = found->second;
  return true;
}

void KeptState::number(const char* key, double low, double high, double& value) {
  std::string text = fmt::format("{}", value);
  if (!this->text(key, text)) return;
  double read = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, read);
  if (error == std::errc() && stop == end && read >= low && read <= high) value = read;
}

void KeptState::option(const char* key, const std::vector<std::string>& names, std::size_t& index) {
  std::string name = names[index];
  if (!text(key, name)) return;
  if (const auto at = std::ranges::find(names, name); at != names.end()) index = std::size_t(at - names.begin());
}

void KeptState::on_off(const char* key, bool& on) {
  std::size_t index = on ? 1 : 0;
  option(key, {"off", "on"}, index);
  on = index == 1;
}

bool KeptState::camera(render::Camera& camera) {
  const render::Camera::State& now = camera.state();
  std::string words = fmt::format("{} {} {} {} {} {} {}", now.dimensions, now.target.x, now.target.y, now.target.z,
                                  now.half_height, now.azimuth, now.elevation);
  if (camera.following()) words += " follows";
  if (!text("camera", words)) return false;
  std::istringstream read(words);
  read.imbue(std::locale::classic());
  render::Camera::State s;
  read >> s.dimensions >> s.target.x >> s.target.y >> s.target.z >> s.half_height >> s.azimuth >> s.elevation;
  const bool good = read && s.dimensions == camera.dimensions() && s.half_height > 0 && std::abs(s.elevation) < 1.5707f;
  std::string follows;
  read >> follows;
  if (good) follows == "follows" ? camera.follow_from(s) : camera.set_state(s);
  return good;
}

}  // namespace kinescope::app
