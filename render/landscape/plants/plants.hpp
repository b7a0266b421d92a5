// Thousands of plants: culled on the GPU into indirect draws at three levels of detail (whole, reduced, a picture of
// the plant that faces the eye), and moved by the wind. Compute shaders draw the first two levels in the main view and
// in the reflection (plant_raster.hpp). OpenGL draws the pictures and the shadows, and everything for software and for
// the wireframe.
#pragma once

#include <glm/mat4x4.hpp>
#include <memory>
#include <span>
#include <vector>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/mesh.hpp"
#include "render/landscape/plants/plant_raster.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

// One variant of one species.
struct PlantShape {
  MeshData branches, leaves;  // leaves: quads of four vertices and six indices each
  MeshData fruit;             // bodies of 18 vertices each; the first six are an octahedron's ±x, ±y, top and bottom
  float radius = 0, height = 0;  // m, at scale 1
};

// One plant, in the layout in which the simulation publishes it.
struct PlantInstance {
  glm::vec3 position;
  float yaw, scale, shape, tint, phase;
};
static_assert(sizeof(PlantInstance) == 32);

// The plant with fewer triangles. Every `kept_leaf`-th leaf is kept and enlarged, so that the crown stays as dense. Of
// the branches, the `most_triangles` thickest triangles are kept.
MeshData reduced(const PlantShape& shape, std::size_t kept_leaf = 4, std::size_t most_triangles = 420);

class Plants {
 public:
  explicit Plants(const Quality& quality);

  void set_plants(std::span<const PlantShape> shapes, std::span<const PlantInstance> instances);
  bool empty() const { return instance_count_ == 0; }

  enum class Use { main, reflection, shadow };
  struct Pass {
    Use use = Use::main;
    int slot = 0;  // which lists it uses: 0 main, 1 reflection, 2 … cascades
    glm::mat4 clip_from_world{1};
    glm::vec3 eye{0};
    float whole_until = 0, reduced_until = 0, seen_until = 1e9f;  // m from the eye; levels of detail
    bool by_opengl = false;  // OpenGL draws the near plants too, because compute shaders draw no wireframe
  };
  void cull(const Pass& pass);  // call before draw() of the same pass; passes may be culled in any order
  void draw(const Pass& pass);  // draws OpenGL's part into the bound framebuffer
  // Draws the rest onto the gathered samples. Leaves bound the buffers that are needed to light it.
  void draw_by_compute(const Pass& pass, const GBuffer& g_buffer);
  static constexpr int slots = 6;

 private:
  PlantRaster* raster_of(const Pass& pass) const;
  void bind_instances() const;
  struct Range {
    std::size_t first = 0, count = 0;  // of the indices
  };
  std::vector<Range> make_shapes(
      std::span<const PlantShape> shapes);  // returns the indices that the pictures are taken of
  void make_impostors(std::span<const PlantShape> shapes, const std::vector<Range>& captured);
  void outline(int cell);
  void sort_pictures(const Pass& pass);

  Quality quality_;
  Shader cull_shader_, batch_shader_, mesh_shader_, mesh_shadow_shader_, impostor_shader_, impostor_shadow_shader_,
      capture_shader_;
  std::unique_ptr<PlantRaster> raster_, mirrored_raster_;  // if compute shaders draw
  Texture leaf_shapes_, impostor_colour_, impostor_normal_;
  Buffer vertices_, indices_, shapes_, instances_, sways_, lists_, commands_, template_;
  VertexArray array_ = mesh_array();
  std::vector<glm::vec3> places_;  // of the instances, by which software sorts them
  Buffer outlines_;  // for software: (left, right) of each shape at each height, 0 … 1 across its picture
  int shape_count_ = 0, instance_count_ = 0;
};

}  // namespace kinescope::render::landscape
