// The eye that explores a landscape: on foot, in flight, around a place, or along a slow path. It is never below the
// ground; on foot it swims, and in flight it may dive.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace kinescope::render::landscape {

enum class Travel { tour, walk, fly, orbit };

class Explorer {
 public:
  using Height = std::function<float(glm::vec2)>;  // of the terrain

  struct Surroundings {
    Height height_at;
    float sea_level = 0;
    glm::vec3 home{0};  // the cabin
    float extent = 2000;
    glm::vec3 to_light{0, 0, 1};        // the sun, or the moon by night
    std::vector<glm::vec2> trees = {};  // trunks near the cabin
  };
  // The movement that keys and mouse request. The explorer converts it into metres.
  struct Input {
    glm::vec3 move{0};  // to the right, ahead, up; −1 … 1 each
    glm::vec2 turn{0};  // radians to the right, up
    float wheel = 0;    // steps
    bool fast = false;
  };

  // Switches to another landscape, and starts at the place with the best view of its cabin.
  void arrive(const Surroundings& surroundings);
  void set_sea_level(float sea_level) { surroundings_.sea_level = sea_level; }

  Travel travel() const { return travel_; }
  void set_travel(Travel travel);  // continues from the current place; the tour starts from its beginning
  void go_home();                  // returns to the place where it started

  void update(double seconds, const Input& input);
  bool moving() const { return travel_ == Travel::tour; }

  glm::vec3 position() const { return position_; }
  glm::vec3 forward() const;
  void place(glm::vec3 position, float yaw, float pitch);  // flies on from there; radians, yaw clockwise from north

 private:
  float floor_at(glm::vec2 p, float above_terrain, float above_water) const;
  void find_start();
  float seen_well(glm::vec2 p, float eye) const;
  float lit_well(glm::vec2 p, float eye) const;
  float hidden_by_trees(glm::vec2 p) const;
  void follow_path();
  void begin_orbit();
  void go_round();
  glm::vec3 orbit_centre() const { return surroundings_.home + glm::vec3(0, 0, 3); }
  void stay_above();
  void look_at(glm::vec3 target);

  Surroundings surroundings_;
  Travel travel_ = Travel::tour;
  glm::vec3 position_{0, 0, 100};
  float yaw_ = 0, pitch_ = 0;
  float start_angle_ = 0, start_distance_ = 60, orbit_distance_ = 60;
  double path_seconds_ = 0;
};

}  // namespace kinescope::render::landscape
