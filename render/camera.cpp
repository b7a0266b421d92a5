#include "render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace kinescope::render {

namespace {

constexpr float margin = 1.08f;           // factor on the size of the framed box, for an empty border around it
constexpr float shrink_tolerance = 0.8f;  // the camera moves nearer only if the box shrinks below this fraction
constexpr float smooth_seconds = 0.35f;   // time constant of following
constexpr float settle_seconds = 0.5f;    // for which the points rest before the camera shows exactly all of them
constexpr float leap = 100;               // the camera jumps to a box that many times larger, smaller or farther away
constexpr float smallest_half_height = 1e-12f, largest_half_height = 1e15f;

// Critically damped spring, integrated exactly: any division of `seconds` into steps gives the same motion.
template <class T>
void spring(T& value, T& speed, const T& goal, float seconds) {
  const float omega = 2 / smooth_seconds, decay = std::exp(-omega * seconds);
  const T offset = value - goal, push = speed + omega * offset;
  value = goal + (offset + push * seconds) * decay;
  speed = (speed - omega * push * seconds) * decay;
}

bool finite(const Bounds& bounds) {
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(bounds.low[axis]) || !std::isfinite(bounds.high[axis])) return false;
  return !bounds.empty();
}

}  // namespace

Camera::Camera(int dimensions) {
  state_.dimensions = dimensions == 3 ? 3 : 2;
}

void Camera::set_state(const State& state) {
  state_ = state;
  state_.half_height = std::clamp(state.half_height, smallest_half_height, largest_half_height);
  state_.elevation = std::clamp(state.elevation, -1.55f, 1.55f);
  following_ = false;
  seen_ = true;
  target_speed_ = {0, 0, 0};
  log_height_speed_ = 0;
}

void Camera::set_size(glm::ivec2 size) {
  size_ = glm::max(size, glm::ivec2(1));
}

// Rotates the world so that the viewer looks along -z and y is up. In space, the points' z axis points up.
glm::mat4 Camera::view_rotation() const {
  if (state_.dimensions == 2) return glm::mat4(1);
  glm::mat4 rotation = glm::rotate(glm::mat4(1), state_.elevation - glm::half_pi<float>(), glm::vec3(1, 0, 0));
  return glm::rotate(rotation, -state_.azimuth - glm::half_pi<float>(), glm::vec3(0, 0, 1));
}

// In space the projection is orthographic: distances in a layout mean something, and perspective would falsify them.
glm::mat4 Camera::clip_from_world() const {
  const float half_width = state_.half_height * float(size_.x) / float(size_.y);
  const float depth = state_.dimensions == 2 ? 1 : 1 / (64 * state_.half_height);
  glm::mat4 clip(1);
  clip[0][0] = 1 / half_width;
  clip[1][1] = 1 / state_.half_height;
  clip[2][2] = -depth;  // depth grows away from the viewer
  clip[3][0] = 2 * shift() / float(size_.x);
  return clip * glm::translate(view_rotation(), -state_.target);
}

glm::vec2 Camera::pixel_of(glm::vec3 point) const {
  const glm::vec4 clip = clip_from_world() * glm::vec4(point, 1);
  return {(clip.x * 0.5f + 0.5f) * float(size_.x), (0.5f - clip.y * 0.5f) * float(size_.y)};
}

glm::vec3 Camera::point_at(glm::vec2 pixel) const {
  const glm::vec2 from_centre = (pixel - 0.5f * glm::vec2(size_) - glm::vec2(shift(), 0)) * units_per_pixel();
  const glm::vec4 world = glm::transpose(view_rotation()) * glm::vec4(from_centre.x, -from_centre.y, 0, 0);
  return state_.target + glm::vec3(world);
}

float Camera::units_per_pixel() const {
  return 2 * state_.half_height / float(size_.y);
}

void Camera::pan(glm::vec2 from, glm::vec2 to) {
  state_.target += point_at(from) - point_at(to);
  following_ = false;
}

void Camera::orbit(glm::vec2 from, glm::vec2 to) {
  if (state_.dimensions == 2) return pan(from, to);
  const float radians_per_pixel = glm::pi<float>() / float(std::min(size_.x, size_.y));
  state_.azimuth = std::remainder(state_.azimuth - (to.x - from.x) * radians_per_pixel, glm::two_pi<float>());
  state_.elevation = std::clamp(state_.elevation + (to.y - from.y) * radians_per_pixel, -1.55f, 1.55f);
  following_ = false;
}

void Camera::zoom(float steps, glm::vec2 cursor) {
  const glm::vec3 held = point_at(cursor);
  state_.half_height =
      std::clamp(state_.half_height * std::exp2(-0.25f * steps), smallest_half_height, largest_half_height);
  state_.target += held - point_at(cursor);
  following_ = false;
}

Camera::Fit Camera::fit(const Bounds& bounds) const {
  const glm::vec2 whole(size_),
      inner =
          glm::max(whole - glm::vec2(margins_.left + margins_.right, margins_.top + margins_.bottom), 0.25f * whole);
  const float aspect = inner.x / inner.y;
  float half_height = 0;
  if (state_.dimensions == 2) {
    const glm::vec3 half = 0.5f * bounds.extent();
    half_height = std::max(half.y, half.x / aspect);
  } else {
    half_height = 0.5f * glm::length(bounds.extent()) / std::min(aspect, 1.0f);  // holds for every angle
  }
  if (half_height <= 0) half_height = 1;  // a single point, or none
  half_height = std::clamp(margin * half_height * whole.y / inner.y, smallest_half_height, largest_half_height);
  // The margins may differ, so the middle of the free area is not the picture's middle.
  const float units = half_height / whole.y;  // size of half a pixel, in the points' units
  const glm::vec4 shift((margins_.right - margins_.left) * units, (margins_.top - margins_.bottom) * units, 0, 0);
  return {bounds.centre() + glm::vec3(glm::transpose(view_rotation()) * shift), half_height};
}

void Camera::frame_all(const Bounds& bounds, bool at_once) {
  following_ = true;
  if (!finite(bounds)) return;
  goal_ = wanted_ = fit(bounds);
  if (at_once || !seen_) {
    state_.target = goal_.target;
    state_.half_height = goal_.half_height;
    target_speed_ = {0, 0, 0};
    log_height_speed_ = 0;
  }
  seen_ = true;
}

void Camera::follow_from(const State& state) {
  set_state(state);
  goal_ = {state.target, state.half_height};
  following_ = seen_ = true;
}

void Camera::follow(const Bounds& bounds, double seconds) {
  if (!following_ || !finite(bounds)) return;
  if (!seen_) return frame_all(bounds, true);
  const Fit wanted = fit(bounds);
  const float grown = wanted.half_height / state_.half_height;
  const float away = glm::length(wanted.target - state_.target);
  if (grown > leap || grown < 1 / leap || away > leap * std::max(wanted.half_height, state_.half_height))
    return frame_all(bounds, true);
  const float step = float(std::max(seconds, 0.0));
  const bool same = wanted.target == wanted_.target && wanted.half_height == wanted_.half_height;
  rest_seconds_ = same ? rest_seconds_ + step : 0;
  wanted_ = wanted;
  // Moves nearer only when the points have become clearly smaller than the picture. Otherwise the picture would swing
  // with a layout that grows and shrinks a little. Once it rests, where the camera comes to rest is the same whatever
  // the way.
  const bool rests = rest_seconds_ >= settle_seconds;
  if (rests || wanted.half_height > goal_.half_height || wanted.half_height < shrink_tolerance * goal_.half_height)
    goal_.half_height = wanted.half_height;
  if (rests || glm::length(wanted.target - goal_.target) > 0.02f * goal_.half_height) goal_.target = wanted.target;
  float log_height = std::log(state_.half_height);
  spring(log_height, log_height_speed_, std::log(goal_.half_height), step);
  state_.half_height = std::exp(log_height);
  spring(state_.target, target_speed_, goal_.target, step);
  if (!near_goal()) return;
  state_.target = goal_.target, state_.half_height = goal_.half_height;  // so that where it rests depends on no frame
  target_speed_ = {0, 0, 0}, log_height_speed_ = 0;
}

bool Camera::moving() const {
  if (!following_ || !seen_) return false;
  return rest_seconds_ < settle_seconds || !near_goal();
}

bool Camera::near_goal() const {
  const float still = 0.01f * units_per_pixel();
  return glm::length(goal_.target - state_.target) <= still &&
         std::abs(goal_.half_height - state_.half_height) <= still;
}

}  // namespace kinescope::render
