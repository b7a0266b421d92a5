#include "render/landscape/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <utility>

namespace kinescope::render::landscape {
namespace {

constexpr float near_plane = 0.25f, everything = -1e30f;
constexpr glm::vec4 no_clip{0, 0, 0, 1};

// Sets the state that the passes expect; at its end, restores OpenGL's initial state, whatever the passes have changed.
struct StateGuard {
  StateGuard() {
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
  }
  ~StateGuard() {
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    for (const GLenum capability : {GL_DEPTH_TEST, GL_CULL_FACE, GL_BLEND, GL_CLIP_DISTANCE0, GL_POLYGON_OFFSET_FILL,
                                    GL_SAMPLE_ALPHA_TO_COVERAGE})
      glDisable(capability);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glFrontFace(GL_CCW);
    glCullFace(GL_BACK);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glBlendFunc(GL_ONE, GL_ZERO);
    glBlendColor(0, 0, 0, 0);
    glPolygonOffset(0, 0);
    glUseProgram(0);
    glBindVertexArray(0);
    for (GLuint unit = 0; unit < units; ++unit) glBindTextureUnit(unit, 0);
    for (GLuint block = 0; block < uniform_bindings; ++block) glBindBufferBase(GL_UNIFORM_BUFFER, block, 0);
    for (GLuint block = 0; block < storage_bindings; ++block) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block, 0);
    for (const GLuint unit : {0u, 1u}) glBindImageTexture(unit, 0, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R8);
  }
};

Quality suited(Quality quality, const OpenGl& opengl) {
  // Anisotropic filtering belongs to OpenGL 4.6, but 4.5 drivers offer it as an extension.
  GLfloat anisotropy = 1;
  if (!opengl.is_software() && (opengl.has_extension("GL_ARB_texture_filter_anisotropic") ||
                                opengl.has_extension("GL_EXT_texture_filter_anisotropic")))
    glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY, &anisotropy);
  quality.anisotropy = std::min(quality.anisotropy, int(anisotropy));
  quality.post_by_host = quality.reduced && opengl.is_software();
  quality.wide_atomics =
      opengl.has_extension("GL_ARB_gpu_shader_int64") && opengl.has_extension("GL_NV_shader_atomic_int64");
  return quality;
}

// Reversed depth without a far plane: depth = near / distance.
glm::mat4 projection(float field_of_view, float aspect) {
  const float f = 1 / std::tan(0.5f * glm::radians(field_of_view));
  glm::mat4 p(0);
  p[0][0] = f / aspect;
  p[1][1] = f;
  p[2][3] = -1;
  p[3][2] = near_plane;
  return p;
}

// The part of the clip space that a tile of a large picture shows.
glm::mat4 tile_of(const Canvas& canvas) {
  const glm::vec2 whole(canvas.whole()), scale = whole / glm::vec2(canvas.size);
  const glm::vec2 centre = (2.0f * glm::vec2(canvas.tile_origin) + glm::vec2(canvas.size)) / whole - 1.0f;
  return glm::translate(glm::scale(glm::mat4(1), {scale, 1}), {-centre, 0});
}

}  // namespace

const char* pass_name(Pass pass) {
  constexpr const char* names[passes] = {"tables", "shadow", "reflection", "clear", "terrain", "plants", "grass",
                                         "cabin",  "clouds", "light",      "water", "smoke",   "post"};
  return names[int(pass)];
}

Renderer::Renderer(OpenGl& opengl, const Quality& quality)
    : opengl_(opengl),
      quality_(suited(quality, opengl)),
      sky_(quality_),
      terrain_(quality_),
      water_(quality_),
      post_(quality_),
      clouds_(quality_),
      shadows_(quality_),
      plants_(quality_),
      grass_(quality_),
      cabin_(quality_),
      smoke_(quality_),
      g_buffer_(quality_, quality_.samples),
      mirrored_g_buffer_(quality_, 1),
      debug_shader_({"landscape/screen_vertex.glsl", "landscape/debug_fragment.glsl"}),
      butterfly_shader_({"landscape/butterfly_vertex.glsl", "landscape/butterfly_fragment.glsl"},
                        quality_.definitions()),
      frame_buffer_(sizeof(FrameBlock)),
      view_buffer_(sizeof(ViewBlock)) {
  for (auto& timer : timers_) timer = std::make_unique<GpuTimer>(opengl_.is_software());
}

Renderer::~Renderer() = default;

template <class F>
void Renderer::timed(Pass pass, F&& draw) {
  if (timed_) timers_[std::size_t(pass)]->begin();
  draw();
  if (timed_) timers_[std::size_t(pass)]->end();
}

std::optional<std::array<double, passes>> Renderer::pass_ms() {
  times_wanted_ = true;
  if (!timed_) return std::nullopt;
  std::array<double, passes> ms{};
  for (int i = 0; i < passes; ++i) ms[std::size_t(i)] = timers_[std::size_t(i)]->latest_ms().value_or(0);
  return ms;
}

void Renderer::allocate(glm::ivec2 size) {
  if (picture_ && picture_.size() == size) return;
  g_buffer_.resize(size);
  mirrored_g_buffer_.resize(glm::max(size / quality_.water_divisor, glm::ivec2(1)));
  picture_ = Framebuffer::over(g_buffer_.lit(), GL_RGBA16F);
}

void Renderer::set_frame(const DrawRequest& request) {
  const Weather& weather = request.weather;
  const TerrainShape& shape = terrain_.shape();
  heavens_ = heavens_at(weather.sun_azimuth, weather.sun_elevation);
  const float seconds = float(std::fmod(weather.seconds, 3600.0));
  const glm::vec3 from = direction_of(weather.wind_direction, 0);
  const glm::vec2 wind = -glm::vec2(from);
  const bool below = request.eye.position.z < weather.sea_level;
  const float low_sun = 1 - std::clamp(std::abs(weather.sun_elevation - 2) / 16, 0.0f, 1.0f);
  frame_.moon = {heavens_.moon, 0};
  frame_.key = {heavens_.key, heavens_.by_sun ? 1 : 0};
  frame_.wind = {wind, weather.wind_speed, seconds};
  frame_.terrain = {shape.extent, shape.extent / float(std::max(shape.size - 1, 1)), shape.low, shape.high};
  const float snow_line = weather.sea_level + 330;
  frame_.water = {weather.sea_level, below ? 1 : 0, 0.02f + 0.022f * weather.wind_speed, snow_line};
  frame_.sun = {heavens_.sun, exposure(request.eye)};
  frame_.air = {0.85e-4f + 1.2e-4f * low_sun, 420, weather.clouds, heavens_.night};
  const float base = std::max(weather.sea_level + 700, shape.high + 350);
  frame_.clouds = {base, base + 800,
                   wind * float(std::fmod(weather.seconds, 1e5)) * (2.5f + 1.5f * weather.wind_speed)};
  // The lamp is lit at dusk.
  const float lamp = has_cabin_ ? 26 * std::clamp((4 - weather.sun_elevation) / 8, 0.0f, 1.0f) : 0;
  frame_.lamp = {lamp_, lamp};
  frame_.options = {0, float(request.frame % 1024), quality_.reduced ? 0 : 1, float(int(request.debug))};
  glBindBufferBase(GL_UNIFORM_BUFFER, frame_binding, frame_buffer_.name());
  glBindBufferBase(GL_UNIFORM_BUFFER, view_binding, view_buffer_.name());
}

// The exposure that a camera would choose: more in the shade of hills, less where one looks into a low sun.
float Renderer::exposure(const Eye& eye) const {
  const float shade = shade_around(eye), height = heavens_.sun.z;
  const float low = glm::smoothstep(-0.05f, 0.02f, height) * (1 - glm::smoothstep(0.05f, 0.3f, height));
  const float glare = low * glm::smoothstep(0.8f, 1.0f, glm::dot(glm::normalize(eye.forward), heavens_.sun));
  return glm::mix(1 + 0.8f * shade, 0.5f, glare * (1 - 0.6f * shade * shade));
}

// The part of the land and water in front of the eye that is in the shade of hills, 0 … 1. A place is wholly in the
// shade if a hill rises 16 m or more above the ray from the place towards the sun. In the open, nothing rises above it.
float Renderer::shade_around(const Eye& eye) const {
  if (!heavens_.by_sun || heavens_.sun.z > 0.8f) return 0;
  const glm::vec2 ahead = glm::normalize(glm::vec2(eye.forward) + glm::vec2(1e-6f, 0)), side{ahead.y, -ahead.x};
  const float sea = frame_.water.x;
  float shade = 0;
  int places = 0;
  for (const float away : {8.0f, 30.0f, 80.0f, 200.0f})
    for (const float aside : {-0.4f, 0.0f, 0.4f}) {
      const glm::vec2 p = glm::vec2(eye.position) + away * (ahead + aside * side);
      const float from = std::max(terrain_.height_at(p), sea) + 1;
      float over = -1e30f;  // metres of hill above the ray towards the sun
      for (float s = 12; s < 1500; s *= 1.3f)
        over = std::max(over, terrain_.height_at(p + s * glm::vec2(heavens_.sun)) - from - s * heavens_.sun.z);
      shade += std::clamp(over / 16, 0.0f, 1.0f);
      ++places;
    }
  return shade / float(places);
}

Renderer::View Renderer::main_view(const DrawRequest& request, const Canvas& canvas) const {
  const Eye& eye = request.eye;
  const glm::ivec2 whole = canvas.whole();
  View view;
  const glm::mat4 look = glm::lookAt(eye.position, eye.position + eye.forward, {0, 0, 1});
  view.block.clip_from_world = tile_of(canvas) * projection(eye.field_of_view, float(whole.x) / float(whole.y)) * look;
  view.block.camera = {eye.position, near_plane};
  const float over = std::max(0.0f, eye.position.z - terrain_.height_at(eye.position));
  view.terrain_eye = {eye.position.x, eye.position.y, over};
  return view;
}

Renderer::View Renderer::mirrored_view(const View& main) const {
  View view = main;
  const float sea = frame_.water.x;
  const glm::mat4 mirror = glm::scale(glm::translate(glm::mat4(1), {0, 0, 2 * sea}), {1, 1, -1});
  view.block.clip_from_world = main.block.clip_from_world * mirror;
  view.block.camera.z = 2 * sea - main.block.camera.z;
  view.mirrored = true;
  return view;
}

void Renderer::look_from(const View& view, glm::vec4 clip_plane, glm::ivec2 size) {
  ViewBlock block = view.block;
  block.world_from_clip = glm::inverse(block.clip_from_world);
  block.clip_plane = clip_plane;
  block.picture = {size, 1.0f / glm::vec2(size)};
  view_buffer_.write(0, sizeof block, &block);
  glFrontFace(view.mirrored ? GL_CW : GL_CCW);
  if (clip_plane == no_clip)
    glDisable(GL_CLIP_DISTANCE0);
  else
    glEnable(GL_CLIP_DISTANCE0);
}

void Renderer::draw_terrain(const View& view, float keep_above, bool wireframe) {
  triangles_ = terrain_.draw({view.terrain_eye, view.block.clip_from_world, keep_above, frame_.water.x, view.mirrored,
                              wireframe, frame_.water.y > 0.5f});
}

void Renderer::set_cabin(const MeshData& mesh, glm::vec4 place, glm::vec3 lamp) {
  cabin_.set(mesh, place);
  lamp_ = lamp;
  has_cabin_ = true;
}

// How far each view sees plants at each level of detail: most detail in the main view, less in reflection and shadows.
Plants::Pass Renderer::plants_seen(const View& view, Plants::Use use, int slot) const {
  const float detail = quality_.plant_detail;
  Plants::Pass pass{use,         slot, view.block.clip_from_world, glm::vec3(view.block.camera), 32 * detail,
                    90 * detail, 2600};
  if (use == Plants::Use::reflection) pass.whole_until = 0, pass.reduced_until = 40 * detail;
  if (use == Plants::Use::shadow) {
    pass.eye = view.terrain_eye;
    pass.whole_until = 0;
    pass.reduced_until = slot == 2 && !quality_.reduced ? 60.0f : 0.0f;
    pass.seen_until = 900;
  }
  return pass;
}

void Renderer::draw_shadows(const View& main) {
  if (heavens_.key.z <= 0.01f) return shadows_.forget();
  glDepthFunc(GL_LESS);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2);
  for (int i = 0; i < shadows_.count(); ++i) {
    if (!shadows_.is_due(i)) continue;
    View view = main;
    view.block.clip_from_world = shadows_.clip_from_world(i);
    view.terrain_eye = glm::vec3(main.block.camera);
    const Plants::Pass pass = plants_seen(view, Plants::Use::shadow, 2 + i);
    plants_.cull(pass);
    shadows_.begin(i);
    look_from(view, no_clip, glm::ivec2(shadows_.size()));
    plants_.draw(pass);
    cabin_.draw(true);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDepthFunc(GL_GREATER);
}

void Renderer::draw_butterflies(const DrawRequest& request) {
  if (!request.butterflies || request.butterfly_count <= 0) return;
  request.butterflies.bind_storage(0);
  butterfly_shader_.use();
  no_vertices_.bind();
  glDrawArraysInstanced(GL_TRIANGLES, 0, 18, request.butterfly_count);
}

void Renderer::draw_reflection(const View& main, const DrawRequest& request) {
  const float sea = frame_.water.x;
  const View mirrored = mirrored_view(main);
  const Framebuffer& reflection = mirrored_g_buffer_.lit();
  mirrored_g_buffer_.begin();
  look_from(mirrored, {0, 0, 1, -sea + 0.1f}, reflection.size());
  draw_terrain(mirrored, sea - 0.1f);
  mirrored_g_buffer_.gather_terrain();
  cabin_.draw(false);
  const Plants::Pass pass = plants_seen(mirrored, Plants::Use::reflection, 1);
  if (quality_.plants_reflected) {
    plants_.cull(pass);
    plants_.draw(pass);
  }
  mirrored_g_buffer_.gather();
  if (quality_.plants_reflected) plants_.draw_by_compute(pass, mirrored_g_buffer_);
  const bool clouds = frame_.air.z > 0 && !quality_.reduced;
  if (clouds) clouds_.draw(true, reflection.size(), 1);
  mirrored_g_buffer_.light(clouds, heavens_.night > 0);
  if (quality_.reduced) return;
  if (request.smoke_look == SmokeLook::volume)
    return smoke_.draw_volume(request.smoke, reflection, mirrored_g_buffer_.depth(), mirrored.block.clip_from_world);
  mirrored_g_buffer_.leave_depth();
  reflection.bind();
  smoke_.draw_surface(request.smoke);
}

void Renderer::draw_main(const View& main, const DrawRequest& request) {
  look_from(main, no_clip, picture_.size());
  timed(Pass::clear, [&] { g_buffer_.begin(); });
  const bool wireframe = request.debug == DebugView::wireframe;
  const auto in_lines = [&](auto&& draw) {
    if (wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw();
    if (wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  };
  const auto plants = [&] {
    timed(Pass::plants, [&] {
      Plants::Pass pass = plants_seen(main, Plants::Use::main, 0);
      pass.by_opengl = wireframe;
      plants_.cull(pass);
      in_lines([&] { plants_.draw(pass); });
      g_buffer_.gather();
      plants_.draw_by_compute(pass, g_buffer_);
    });
  };
  // Software lights surfaces while it draws them. With the plants drawn first, it need not light what they hide.
  if (quality_.reduced) plants();
  timed(Pass::terrain, [&] {
    draw_terrain(main, everything, wireframe);
    g_buffer_.gather_terrain();
  });
  timed(Pass::grass, [&] {
    if (frame_.water.y < 0.5f) in_lines([&] { grass_.draw(); });
  });
  timed(Pass::cabin, [&] {
    in_lines([&] {
      cabin_.draw(false);
      draw_butterflies(request);
    });
  });
  // On a GPU the plants come last, because compute shaders draw onto what OpenGL has drawn.
  if (!quality_.reduced) plants();
  const bool clouds = frame_.air.z > 0 && frame_.water.y < 0.5f;
  if (clouds)
    timed(Pass::clouds, [&] {
      if (quality_.reduced) g_buffer_.depth().bind(refraction_depth_unit);
      clouds_.draw(false, picture_.size(), quality_.samples);
    });
  timed(Pass::light, [&] { g_buffer_.light(clouds, heavens_.night > 0); });
  timed(Pass::water, [&] {
    if (wireframe) {
      g_buffer_.leave_depth();
      water_.draw_lines(g_buffer_, picture_);
    } else {
      water_.draw(g_buffer_, mirrored_g_buffer_.lit(), picture_);
    }
  });
  timed(Pass::smoke, [&] {
    if (frame_.water.y > 0.5f) return;
    if (request.smoke_look == SmokeLook::volume)
      return smoke_.draw_volume(request.smoke, picture_, g_buffer_.depth(), main.block.clip_from_world);
    g_buffer_.leave_depth();
    picture_.bind();
    smoke_.draw_surface(request.smoke);
  });
}

void Renderer::draw(const DrawRequest& request, const Canvas& canvas) {
  if (terrain_.shape().size == 0 || canvas.size.x < 1 || canvas.size.y < 1) return;
  const StateGuard guard;
  timed_ = std::exchange(times_wanted_, false) || !opengl_.is_software();
  const glm::ivec2 size = glm::max(glm::ivec2(glm::vec2(canvas.size) * quality_.scale), glm::ivec2(1));
  allocate(size);
  set_frame(request);
  const View main = main_view(request, canvas);
  const glm::ivec2 whole = canvas.whole();
  if (std::exchange(shadows_of_, terrain_.shape().version) != terrain_.shape().version) shadows_.forget();
  shadows_.place(
      {request.eye.position, request.eye.forward, request.eye.field_of_view, float(whole.x) / float(whole.y)},
      heavens_.key, request.frame, frame_);
  frame_buffer_.write(0, sizeof frame_, &frame_);
  clouds_.bind();
  timed(Pass::tables, [&] {
    sky_.prepare(heavens_, request.weather.clouds);
    terrain_.prepare(heavens_.key);
    if (frame_.water.y < 0.5f && request.smoke_look == SmokeLook::volume) smoke_.prepare_volume(request.smoke);
  });
  timed(Pass::shadow, [&] {
    draw_shadows(main);
    shadows_.bind();
  });
  if (frame_.water.y < 0.5f) timed(Pass::reflection, [&] { draw_reflection(main, request); });
  draw_main(main, request);
  show(main, request, canvas);
}

void Renderer::show(const View& main, const DrawRequest& request, const Canvas& canvas) {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CLIP_DISTANCE0);
  timed(Pass::post, [&] {
    if (quality_.post_by_host) return host_post_.draw(picture_, canvas, sky_.exposure() * frame_.sun.w, heavens_.sun.z);
    const glm::vec4 sun = main.block.clip_from_world * glm::vec4(main.block.camera.x + heavens_.sun.x * 1e5f,
                                                                 main.block.camera.y + heavens_.sun.y * 1e5f,
                                                                 main.block.camera.z + heavens_.sun.z * 1e5f, 1);
    std::optional<glm::vec2> place;
    float strength = 0;
    if (sun.w > 0 && frame_.water.y < 0.5f) {
      place = 0.5f + 0.5f * glm::vec2(sun) / sun.w;
      const glm::vec2 outside = glm::max(glm::abs(*place - 0.5f) - 0.5f, glm::vec2(0));
      strength = 0.5f * std::clamp(1 - 2.2f * glm::length(outside), 0.0f, 1.0f) *
                 std::clamp((heavens_.sun.z + 0.02f) * 20, 0.0f, 1.0f);
    }
    post_.draw(picture_, g_buffer_.depth(), canvas, place, strength);
  });
  if (request.debug == DebugView::none || request.debug >= DebugView::cascades) return;
  canvas.bind();
  const GBuffer& shown = request.debug == DebugView::reflection ? mirrored_g_buffer_ : g_buffer_;
  (request.debug == DebugView::depth ? shown.depth() : shown.lit().colour()).bind(0);
  debug_shader_.set("is_depth", request.debug == DebugView::depth);
  debug_shader_.use();
  no_vertices_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace kinescope::render::landscape
