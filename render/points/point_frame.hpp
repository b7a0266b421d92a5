// What all shaders of a point cloud need for one draw, and the painters from which the cloud chooses.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>

#include "render/gl/readback.hpp"
#include "render/gl/shader.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::render {

// Sets storage and uniforms of points/coordinates.glsl for the shader in use.
void set_columns(Shader& shader, const PointBuffers& points);

// Sets the uniforms that map the world to the canvas, which may be a tile of a picture: clip_from_world, picture_size,
// tile_origin, canvas_size.
void set_view(Shader& shader, const glm::mat4& clip_from_world, const Canvas& canvas);

// Pixels of the picture per pixel of a style: `asked`, or if that is 0, by the picture's area (1 at 1280 × 720).
float style_scale(const Canvas& canvas, float asked);

struct PointFrame {
  PointBuffers points;  // count clamped to what the buffers hold
  glm::mat4 clip_from_world{1};
  Canvas canvas;
  BufferView colours;  // uint32 [count]: r, g, b, and 0 in the highest byte for hidden
  Background background = Background::dark;
  float radius = 1;  // pixels
  float opacity = 1;

  // Sets the uniforms and storage of points/point.glsl; the shader is in use afterwards.
  void bind(Shader& shader) const;
  // Sets the OpenGL viewport to the canvas, grown by `margin` pixels on each side (drawing stays within the canvas); no
  // depth test; premultiplied blending over what is there.
  void begin_drawing(int margin = 0) const;
  static void end_drawing();
  // Draws a picture of the canvas's size over the canvas, by points/copy_fragment.glsl. Needs any vertex array bound.
  void draw_picture(Shader& copy, const Texture& picture) const;
  // The same frame, but drawn into `own`, which this makes as large as the canvas and clears.
  PointFrame into(Framebuffer& own, const FramebufferOptions& options) const;

  bool single_pixel() const { return radius <= 0.5f; }
  float largest_reach() const;  // pixels from a point to the end of its visible part
  std::size_t pixels() const { return std::size_t(canvas.size.x) * std::size_t(canvas.size.y); }
  // The scale factor of fixed-point sums: the largest, up to 65536, with which a sum stays below `most` even if all
  // points are on one pixel.
  float fixed_point(double most) const;
  PointFrame part(glm::ivec2 origin, glm::ivec2 size) const;  // a part of the canvas
};

class HostPasses;

// Draws opaque and translucent points with compute shaders, or with the processor in their place.
class ComputePainter {
 public:
  explicit ComputePainter(bool on_host);
  ~ComputePainter();
  void draw(const PointFrame& frame);

 private:
  void draw_part(const PointFrame& frame);
  // Both fill `nearest_`, `winners_` and `sums_`.
  void run_shaders(const PointFrame& frame, bool has_sums, float fixed_point);
  void run_on_host(const PointFrame& frame, bool has_sums, float fixed_point);
  std::unique_ptr<HostPasses> on_host_;  // null: compute shaders draw
  struct Programs {
    Shader nearest, blend_opaque, blend_translucent;
  };
  Programs discs_, pixels_;
  Shader resolve_;
  Buffer nearest_, winners_, sums_;
  VertexArray no_attributes_;
  std::size_t most_pixels_ = 0;  // the largest number of pixels that the buffers of one pass can hold
};

// Draws the same picture as ComputePainter, except for rounding, with GL_POINTS.
class SpritePainter {
 public:
  SpritePainter();
  void draw(const PointFrame& frame);

 private:
  void draw_points(const PointFrame& frame, Shader& shader, glm::ivec2 origin, bool normal, bool highlighted);
  void draw_plane(const PointFrame& frame);
  void draw_space(const PointFrame& frame);
  void draw_translucent(const PointFrame& frame);

  Shader flat_, whole_, rim_, gather_, resolve_, copy_;
  Framebuffer space_;  // colour and depth of opaque points in space
  Framebuffer sums_;   // RGBA32F with whole numbers, which are exact up to 2^24
  VertexArray no_attributes_;
};

// Draws the edges between points, as thin lines of one colour.
class EdgePainter {
 public:
  EdgePainter();
  void set(std::span<const std::array<std::uint32_t, 2>> edges);
  std::size_t count() const { return count_; }
  std::vector<std::array<std::uint32_t, 2>> pairs() const;  // waits
  void draw(const PointFrame& frame, float width);          // pixels

 private:
  Shader shader_;
  Buffer edges_;
  std::size_t count_ = 0, most_ = 0;  // most_: the largest number of edges in one draw
  VertexArray no_attributes_;
};

// Draws the blurred number of points per pixel on a logarithmic scale.
class DensityPainter {
 public:
  DensityPainter();
  void draw(const PointFrame& frame, ColourMap map, bool by_colour);
  std::uint64_t total() const;
  std::optional<DensityRange> range(bool wait);

 private:
  void count_and_blur(const PointFrame& frame, bool by_colour);
  void make_kernel(float sigma);
  void choose_map(ColourMap map, Background background);
  void ask();

  Shader count_, blur_x_, blur_y_, paint_;
  Buffer counts_, blurred_x_, blurred_, maximum_, kernel_;
  Texture map_;
  std::optional<std::pair<ColourMap, Background>> map_chosen_;
  VertexArray no_attributes_;
  Readback readback_;
  std::optional<DensityRange> range_;  // from the last draw whose maximum has arrived
  struct Scale {
    float least = 0, per_pixel = 1;
  } drawn_, asked_;  // of the last draw, and of the draw whose maximum is under way
  float sigma_ = 0;
  int pad_ = 0, cell_ = 1;  // cells; pixels
  glm::ivec2 size_{0, 0};   // in cells, with the pad
};

// Finds points by where they were drawn.
class PointQuery {
 public:
  PointQuery();
  // Like PointCloud's request_pick, take_pick and points_inside.
  std::uint64_t request(const PointFrame& frame, glm::vec2 pixel, float reach);
  std::optional<Pick> take(bool wait);
  std::vector<std::uint32_t> inside(const PointFrame& frame, std::span<const glm::vec2> polygon);

 private:
  Shader score_, who_, inside_;
  Buffer best_, mask_, corners_;
  Readback readback_;
  std::uint64_t request_ = 0;
};

}  // namespace kinescope::render
