// Draws a landscape: the passes of a frame in order, and what they share.
//
//   Renderer renderer(opengl, quality);
//   renderer.terrain().set_heights(...)             when they have changed
//   each frame: renderer.draw(request, canvas)
// When draw() returns, all OpenGL state that it changes has its initial value again.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "render/gl/framebuffer.hpp"
#include "render/gl/opengl.hpp"
#include "render/gl/timer.hpp"
#include "render/landscape/cabin.hpp"
#include "render/landscape/frame_block.hpp"
#include "render/landscape/g_buffer.hpp"
#include "render/landscape/host_post.hpp"
#include "render/landscape/land/grass.hpp"
#include "render/landscape/land/terrain.hpp"
#include "render/landscape/plants/plants.hpp"
#include "render/landscape/post.hpp"
#include "render/landscape/quality.hpp"
#include "render/landscape/shadows.hpp"
#include "render/landscape/sky/clouds.hpp"
#include "render/landscape/sky/sky.hpp"
#include "render/landscape/smoke.hpp"
#include "render/landscape/water/water.hpp"

namespace kinescope::render::landscape {

struct Eye {
  glm::vec3 position{0}, forward{0, 1, 0};
  float field_of_view = 55;  // degrees, vertically
};

struct Weather {
  float sun_azimuth = 135, sun_elevation = 35;  // degrees: clockwise from north, above the horizon
  float clouds = 0.4f;                          // cover, 0 … 1
  float wind_speed = 3, wind_direction = 250;   // m/s; degrees, the direction it comes from
  float sea_level = 60;                         // m
  double seconds = 0;                           // everything that moves by itself depends on this time
};

enum class DebugView { none, refraction, reflection, depth, cascades, wireframe };
// The passes in the order of drawing. The water refracts the picture that the pass `light` makes.
enum class Pass { tables, shadow, reflection, clear, terrain, plants, grass, cabin, clouds, light, water, smoke, post };
inline constexpr int passes = 13;
const char* pass_name(Pass pass);

enum class SmokeLook { surface, volume };

struct DrawRequest {
  Eye eye;
  Weather weather;
  SmokeBuffers smoke;
  SmokeLook smoke_look = SmokeLook::volume;
  BufferView butterflies;  // 8 numbers each: place, heading, pitch, wing angle, look, size
  int butterfly_count = 0;
  DebugView debug = DebugView::none;
  long frame = 0;
};

class Renderer {
 public:
  Renderer(OpenGl& opengl, const Quality& quality);
  ~Renderer();

  Terrain& terrain() { return terrain_; }
  Plants& plants() { return plants_; }
  // `lamp`: the place of the light in front of the windows.
  void set_cabin(const MeshData& mesh, glm::vec4 place, glm::vec3 lamp);
  const Quality& quality() const { return quality_; }
  void draw(const DrawRequest& request, const Canvas& canvas);

  // Milliseconds of each pass in the latest measured frame. Software is measured by glFinish and a clock. Because this
  // slows it down, software measures a frame only if pass_ms() has been called since the frame before.
  std::optional<std::array<double, passes>> pass_ms();
  std::size_t triangles() const { return triangles_; }  // of the terrain, in the latest frame's main view

 private:
  struct View {
    ViewBlock block;
    glm::vec3 terrain_eye;  // distances for the terrain's level of detail are measured from here
    bool mirrored = false;
  };
  void allocate(glm::ivec2 size);
  void set_frame(const DrawRequest& request);
  float exposure(const Eye& eye) const;
  float shade_around(const Eye& eye) const;
  View main_view(const DrawRequest& request, const Canvas& canvas) const;
  View mirrored_view(const View& main) const;
  void look_from(const View& view, glm::vec4 clip_plane, glm::ivec2 size);
  Plants::Pass plants_seen(const View& view, Plants::Use use, int slot) const;
  void draw_shadows(const View& main);
  void draw_butterflies(const DrawRequest& request);
  void draw_reflection(const View& main, const DrawRequest& request);
  void draw_main(const View& main, const DrawRequest& request);
  void show(const View& main, const DrawRequest& request, const Canvas& canvas);
  void draw_terrain(const View& view, float keep_above, bool wireframe = false);

  template <class F>
  void timed(Pass pass, F&& draw);

  OpenGl& opengl_;
  Quality quality_;
  Sky sky_;
  Terrain terrain_;
  Water water_;
  Post post_;
  HostPost host_post_;
  Clouds clouds_;
  Shadows shadows_;
  Plants plants_;
  Grass grass_;
  Cabin cabin_;
  Smoke smoke_;
  GBuffer g_buffer_, mirrored_g_buffer_;
  Shader debug_shader_, butterfly_shader_;
  Buffer frame_buffer_, view_buffer_;
  FrameBlock frame_;
  Heavens heavens_;
  glm::vec3 lamp_{0};
  bool has_cabin_ = false;
  std::uint64_t shadows_of_ = 0;  // version of the terrain for which the shadow maps were drawn
  Framebuffer picture_;           // the lit surfaces with water and smoke
  VertexArray no_vertices_;
  std::array<std::unique_ptr<GpuTimer>, passes> timers_;
  bool timed_ = false, times_wanted_ = false;  // for this frame, and for the next one
  std::size_t triangles_ = 0;
};

}  // namespace kinescope::render::landscape
