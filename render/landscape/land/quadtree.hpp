// Decides which squares of the terrain and of its mirrored continuations are drawn, and how finely, by a quadtree
// (Strugar 2010, "Continuous distance-dependent level of detail"). Knows no OpenGL.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace kinescope::render::landscape {

// The layout that terrain_vertex.glsl reads.
struct Patch {
  glm::vec2 origin;
  float size;   // m
  float range;  // beyond this distance the next coarser level is drawn; the patch has morphed into it by then
};

class Quadtree {
 public:
  Quadtree() = default;
  // `extremes` are the lowest and highest heights of [tiles × tiles] leaves, row by row; tiles is a power of two.
  Quadtree(float extent, int tiles, std::vector<glm::vec2> extremes);

  // Selects the terrain that is seen from `eye` through `clip_from_world`, without patches that are wholly below
  // `keep_above`; the nearest patches come first. O(patches), and sorting them.
  struct Request {
    glm::vec3 eye{0};
    glm::mat4 clip_from_world{1};
    float keep_above = -1e30f;
    float sea_level = 0;
  };
  void select(const Request& request, std::vector<Patch>& patches) const;

  static constexpr float range_in_leaves =
      6;  // reach of the finest level: large enough that neighbours differ by one level
  static constexpr int mirrored_tiles = 2;  // number of mirrored squares on each side of the terrain

 private:
  struct Visit {
    const Request& request;
    std::vector<Patch>& patches;
    glm::vec4 planes[4];
  };
  void visit(const Visit& visit, int level, glm::ivec2 index) const;
  glm::vec2 extremes_of(int level, glm::ivec2 index, const Request& request) const;

  float extent_ = 0;
  int levels_ = 0;                                // of one square of terrain: level 0 are the leaves
  std::vector<std::vector<glm::vec2>> extremes_;  // [level][tiles >> level]²
};

}  // namespace kinescope::render::landscape
