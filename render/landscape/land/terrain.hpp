// The terrain: textures of its heights and slopes, its materials, the shadows that hills cast, and its drawing.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/frame_block.hpp"
#include "render/landscape/land/quadtree.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

// The terrain's size and range of heights, as the simulation reports them.
struct TerrainShape {
  int size = 0;  // heights along a side, 2^n + 1
  float extent = 0, low = 0, high = 0;
  std::uint64_t version = 0;
};

class Terrain {
 public:
  explicit Terrain(const Quality& quality);

  // Copies the heights [size × size] and prepares what depends on them. Call once for each version. Waits for the GPU.
  void set_heights(const BufferView& heights, const TerrainShape& shape);
  const TerrainShape& shape() const { return shape_; }
  // Height of the drawn terrain at a place of the map (mirrored outside the square).
  float height_at(glm::vec2 p) const;

  // Binds the terrain's textures for shaders; recomputes the shadows of the hills if the light has moved.
  void prepare(glm::vec3 to_light);
  struct Pass {
    glm::vec3 eye;              // the main view's eye: x, y, and height over the ground
    glm::mat4 clip_from_world;  // of this pass
    float keep_above = -1e30f, sea_level = 0;
    bool coarse = false;  // half as many cells along a side
    bool wireframe = false;
    bool under_water = false;  // the eye is
  };
  // Returns the number of triangles drawn.
  std::size_t draw(const Pass& pass);

 private:
  void make_materials();
  struct Grid {  // one patch
    Buffer indices;
    int index_count = 0, cells = 0;
  };
  static Grid make_grid(int cells);
  void read_extremes();

  Quality quality_;
  TerrainShape shape_;
  Shader heights_shader_, slopes_shader_, extremes_shader_, shadow_shader_, terrain_shader_;
  Shader diving_shader_;  // for software, made when it is needed
  Texture heights_, slopes_, hill_shadow_, noise_map_, material_colour_, material_normal_;
  std::vector<float> kept_heights_;  // [kept_size_²], to place cameras
  int kept_size_ = 0;
  Quadtree quadtree_;
  Grid fine_, coarse_;
  // One for each pass of a frame: with a shared buffer, an H200's driver let a pass see the patches of the pass before.
  std::array<Buffer, 4> patches_;
  std::size_t next_patches_ = 0;
  VertexArray no_vertices_;
  std::vector<Patch> selected_;
  std::optional<glm::vec3> shadow_for_;
};

}  // namespace kinescope::render::landscape
