#include "render/landscape/explorer.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

namespace kinescope::render::landscape {
namespace {

constexpr float eye_height = 1.7f, steepest = 1.5f;
constexpr double tour_seconds = 150;  // for one round

glm::vec2 towards(float angle) {
  return {std::sin(angle), std::cos(angle)};
}

}  // namespace

glm::vec3 Explorer::forward() const {
  return {std::sin(yaw_) * std::cos(pitch_), std::cos(yaw_) * std::cos(pitch_), std::sin(pitch_)};
}

void Explorer::place(glm::vec3 position, float yaw, float pitch) {
  travel_ = Travel::fly;
  position_ = position;
  yaw_ = yaw;
  pitch_ = pitch;
  stay_above();
}

float Explorer::floor_at(glm::vec2 p, float above_terrain, float above_water) const {
  return std::max(surroundings_.height_at(p) + above_terrain, surroundings_.sea_level + above_water);
}

void Explorer::look_at(glm::vec3 target) {
  const glm::vec3 to = target - position_;
  yaw_ = std::atan2(to.x, to.y);
  pitch_ = std::clamp(std::atan2(to.z, glm::length(glm::vec2(to))), -steepest, steepest);
}

void Explorer::arrive(const Surroundings& surroundings) {
  surroundings_ = surroundings;
  find_start();
  go_home();
}

// A score for the view of the cabin from a place. The best view is over some water, with high land behind the cabin and
// nothing in between.
float Explorer::seen_well(glm::vec2 p, float eye) const {
  const glm::vec3 home = surroundings_.home;
  const glm::vec2 out = glm::normalize(p - glm::vec2(home));
  float water = 0, hidden = 0, behind = 0;
  for (int k = 1; k < 12; ++k) {
    const float part = float(k) / 12;
    const float height = surroundings_.height_at(glm::mix(glm::vec2(home), p, part));
    water += height < surroundings_.sea_level - 0.1f ? 1.0f / 11 : 0;
    hidden += std::max(0.0f, height - glm::mix(home.z + 2.0f, eye, part));
  }
  for (int k = 1; k <= 10; ++k)
    behind = std::max(behind, (surroundings_.height_at(glm::vec2(home) - out * (60.0f * float(k))) - home.z) /
                                  (60.0f * float(k) + 60));
  return 1.6f * std::min(water, 0.55f) + 2.2f * std::min(behind, 0.4f) - 3 * hidden -
         0.10f * std::max(0.0f, eye - home.z - 4);
}

// A score for the light in that view. The best light is a high sun from the side, or a low sun from ahead, over open
// water and with no hill in front of it.
float Explorer::lit_well(glm::vec2 p, float eye) const {
  const glm::vec3 light = surroundings_.to_light;
  const float across = glm::length(glm::vec2(light));
  if (across < 0.05f) return 0;
  const glm::vec2 ahead = glm::normalize(glm::vec2(surroundings_.home) - p), sunward = glm::vec2(light) / across;
  const float angle = std::acos(std::clamp(glm::dot(ahead, sunward), -1.0f, 1.0f));
  const float low = std::clamp((0.42f - light.z) / 0.15f, 0.0f, 1.0f);
  float water = 0, risen = -1;  // steepest slope from the eye to the hills below the light
  for (float s = 15; s < 2500; s *= 1.25f) {
    const float height = surroundings_.height_at(p + s * sunward);
    water += s < 700 && height < surroundings_.sea_level ? 1.0f / 18 : 0;
    risen = std::max(risen, (std::max(height, surroundings_.sea_level) - eye) / s);
  }
  const float open = std::clamp((light.z / across - risen) * 25 + 0.5f, 0.0f, 1.0f);
  const float into = std::exp(-(angle - 0.33f) * (angle - 0.33f) / 0.08f);
  const float from_side = std::sin(angle) - 0.5f * std::max(0.0f, std::cos(angle));
  return low * open * into * (1.2f + 1.6f * water) + (1 - low) * 0.5f * (from_side + open);
}

// How much trees are in the way: trunks and crowns before the cabin, and those so near to the eye that they fill the
// picture. A tree right before the cabin counts 1.
float Explorer::hidden_by_trees(glm::vec2 p) const {
  const glm::vec2 to_home = glm::vec2(surroundings_.home) - p;
  const float distance = glm::length(to_home);
  const glm::vec2 ahead = to_home / distance;
  float hidden = 0;
  for (const glm::vec2 tree : surroundings_.trees) {
    const glm::vec2 to = tree - p;
    const float along = glm::dot(to, ahead), aside = std::abs(to.x * ahead.y - to.y * ahead.x);
    if (along < distance) hidden += std::clamp(1.6f - aside / (2.0f + 0.12f * std::max(along, 0.0f)), 0.0f, 1.0f);
    if (along > -2) hidden += std::clamp((9 - glm::length(to)) / 5, 0.0f, 1.0f);
  }
  return hidden;
}

void Explorer::find_start() {
  float best = -1e30f;
  const glm::vec3 home = surroundings_.home;
  for (int i = 0; i < 72; ++i)
    for (const float distance : {26.0f, 34.0f, 44.0f, 56.0f}) {
      const float angle = glm::two_pi<float>() * float(i) / 72;
      const glm::vec2 p = glm::vec2(home) + towards(angle) * distance;
      if (p.x < 5 || p.y < 5 || p.x > surroundings_.extent - 5 || p.y > surroundings_.extent - 5) continue;
      const float eye = floor_at(p, 2.2f, 2.4f);
      const float score = seen_well(p, eye) + lit_well(p, eye) + 0.003f * distance - 0.5f * hidden_by_trees(p);
      if (score > best) best = score, start_angle_ = angle, start_distance_ = distance;
    }
}

void Explorer::go_home() {
  path_seconds_ = 0;
  const Travel travel = travel_;
  follow_path();
  travel_ = travel;
  if (travel_ == Travel::orbit) begin_orbit();
}

void Explorer::set_travel(Travel travel) {
  if (travel == travel_) return;
  if (travel == Travel::tour) path_seconds_ = 0;
  travel_ = travel;
  if (travel == Travel::orbit) begin_orbit();
}

// Begins an orbit where the eye is now, turned towards the cabin.
void Explorer::begin_orbit() {
  if (!surroundings_.height_at) return;  // before arrive(), there is no landscape
  orbit_distance_ = std::clamp(glm::length(position_ - surroundings_.home), 12.0f, 1500.0f);
  look_at(orbit_centre());
  go_round();
}

// Puts the eye on its orbit, looking at the cabin, but above the ground and the water.
void Explorer::go_round() {
  position_ = orbit_centre() - forward() * orbit_distance_;
  stay_above();
  position_.z = std::max(position_.z, floor_at(position_, 1.7f, 1.2f));
  look_at(orbit_centre());
}

// Puts the eye on the tour's path: a ring around the cabin that widens and narrows, is higher where it is wider, and
// rises gently over hills.
void Explorer::follow_path() {
  const double turn = path_seconds_ / tour_seconds;
  const auto at = [&](double t) {
    const float wide = 0.5f - 0.5f * float(std::cos(t * glm::two_pi<double>()));
    const float angle = start_angle_ + float(t * glm::two_pi<double>());
    const float distance = start_distance_ + 260 * wide * wide;
    return glm::vec3(glm::vec2(surroundings_.home) + towards(angle) * distance, 2.4f + 38 * wide);
  };
  const glm::vec3 here = at(turn);
  // A smooth maximum of the terrain's height ahead and behind: the logarithm of a weighted mean of exponentials.
  float sum = 0, weights = 0;
  for (int k = -8; k <= 8; ++k) {
    const glm::vec3 q = at(turn + 0.006 * k);
    const float weight = std::exp(-0.06f * float(k * k)),
                height = std::exp(0.08f * (floor_at(q, 2.2f, 2.4f) - surroundings_.sea_level));
    sum += weight * height;
    weights += weight;
  }
  const float floor = surroundings_.sea_level + std::log(sum / weights) / 0.08f;
  position_ = {glm::vec2(here), std::max(floor + here.z - 2.4f, floor_at(here, 2.0f, 1.2f))};
  const glm::vec3 home = surroundings_.home;
  look_at({home.x, home.y, home.z + 4.5f + 0.10f * glm::length(glm::vec2(here) - glm::vec2(home))});
}

void Explorer::update(double seconds, const Input& input) {
  yaw_ = std::remainder(yaw_ + input.turn.x, glm::two_pi<float>());
  pitch_ = std::clamp(pitch_ + input.turn.y, -steepest, steepest);
  const float s = float(seconds);
  if (travel_ == Travel::tour) {
    path_seconds_ += seconds;
    follow_path();
    return;
  }
  if (travel_ == Travel::orbit) {
    orbit_distance_ = std::clamp(orbit_distance_ * std::exp2(-0.2f * input.wheel - s * input.move.y), 8.0f, 3000.0f);
    yaw_ += s * 0.6f * input.move.x;
    pitch_ = std::clamp(pitch_ - s * 0.4f * input.move.z, -steepest, 0.6f);
    go_round();
    return;
  }
  const float speed = (travel_ == Travel::walk ? 4.0f : 28.0f) * (input.fast ? 4.0f : 1.0f);
  const glm::vec3 right{std::cos(yaw_), -std::sin(yaw_), 0};
  const glm::vec3 ahead = travel_ == Travel::walk ? glm::vec3(towards(yaw_), 0) : forward();
  position_ += s * speed * (input.move.x * right + input.move.y * ahead + glm::vec3(0, 0, input.move.z));
  position_ += 0.4f * speed * input.wheel * forward();
  if (travel_ == Travel::walk) position_.z = floor_at(position_, eye_height, 0.4f);
  stay_above();
}

void Explorer::stay_above() {
  const float e = surroundings_.extent;
  position_.x = std::clamp(position_.x, -e, 2 * e);
  position_.y = std::clamp(position_.y, -e, 2 * e);
  position_.z = std::clamp(position_.z, surroundings_.height_at(position_) + 0.6f, 3000.0f);
  // The eye is in the air or in the water, but not between the waves.
  const float from_surface = position_.z - surroundings_.sea_level;
  if (std::abs(from_surface) < 0.35f) position_.z = surroundings_.sea_level + (from_surface < 0 ? -0.35f : 0.35f);
}

}  // namespace kinescope::render::landscape
