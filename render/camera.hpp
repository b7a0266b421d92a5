// Cameras for points in the plane (pan, zoom) and in space (orbit, pan, zoom). All cursor positions are in framebuffer
// pixels (not the window manager's logical pixels), relative to the picture's upper left corner, y down.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace kinescope::render {

// Smallest box around points; empty (low > high) around none. Two-dimensional points have z = 0.
struct Bounds {
  glm::vec3 low{1, 1, 1}, high{-1, -1, -1};
  bool empty() const { return low.x > high.x; }
  glm::vec3 centre() const { return 0.5f * (low + high); }
  glm::vec3 extent() const { return high - low; }
  bool operator==(const Bounds&) const = default;
};

class Camera {
 public:
  // The part of a camera that a session saves.
  struct State {
    int dimensions = 2;         // 2 or 3
    glm::vec3 target{0, 0, 0};  // the point at the picture's centre
    float half_height = 1;      // half the height that the picture shows at the target, in the points' units
    float azimuth = 0.6f, elevation = 0.4f;  // 3-D, radians; elevation in (-π/2, π/2)
    bool operator==(const State&) const = default;
  };

  explicit Camera(int dimensions = 2);

  const State& state() const { return state_; }
  void set_state(const State& state);  // takes effect at once, and ends following
  int dimensions() const { return state_.dimensions; }

  // The picture's size in pixels; its aspect is always kept (a square stays a square).
  void set_size(glm::ivec2 size);
  glm::ivec2 size() const { return size_; }

  // Pixels along the picture's edges that framed points do not cover, for axes and a legend.
  struct Margins {
    float left = 0, top = 0, right = 0, bottom = 0;
  };
  void set_margins(const Margins& margins) { margins_ = margins; }
  // Moves what is seen to the right by this many pixels of the present size; in another size, by as large a part of the
  // height. Pictures with one state can so leave room for different things beside the points.
  void set_shift(float pixels) { shift_ = pixels / float(size_.y); }
  float shift() const { return shift_ * float(size_.y); }  // pixels

  // The user's moves; each ends following.
  void pan(glm::vec2 from, glm::vec2 to);    // the point under `from` goes to `to`
  void orbit(glm::vec2 from, glm::vec2 to);  // 3-D; pans in 2-D
  void zoom(float steps, glm::vec2 cursor);  // wheel: + is nearer; the point under the cursor stays there

  // Turns following on, and shows all of `bounds` with a margin: at once, or gradually by later calls of follow().
  void frame_all(const Bounds& bounds, bool at_once = false);

  // Call once a frame: moves towards showing `bounds`, critically damped; any division of time into steps gives the
  // same motion. Does nothing after the user has moved the camera, until frame_all. Jumps to the first bounds, and to
  // bounds of a very different scale or place, because a gradual motion would show nothing for seconds. A box that
  // shrinks a little does not move the camera.
  void follow(const Bounds& bounds, double seconds);
  bool following() const { return following_; }
  // Follows from here on, as if it had come here by following.
  void follow_from(const State& state);
  // True while follow() has not reached its goal. (A window that draws only when something moves must go on drawing.)
  bool moving() const;

  glm::mat4 clip_from_world() const;
  glm::vec2 pixel_of(glm::vec3 point) const;  // where a point is drawn (y down)
  glm::vec3 point_at(glm::vec2 pixel) const;  // on the plane through the target that faces the camera
  float units_per_pixel() const;              // at the target: for scale bars

 private:
  struct Fit {
    glm::vec3 target;
    float half_height;
  };
  Fit fit(const Bounds& bounds) const;
  bool near_goal() const;
  glm::mat4 view_rotation() const;

  State state_;
  glm::ivec2 size_{1280, 720};
  Margins margins_;
  float shift_ = 0;  // in heights of the picture
  bool following_ = true, seen_ = false;
  Fit goal_{{0, 0, 0}, 1}, wanted_{{0, 0, 0}, 1};
  float rest_seconds_ = 0;  // since what is wanted last changed
  glm::vec3 target_speed_{0, 0, 0};
  float log_height_speed_ = 0;
};

}  // namespace kinescope::render
