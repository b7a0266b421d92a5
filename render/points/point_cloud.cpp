#include "render/points/point_cloud.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

#include "render/points/point_frame.hpp"
#include "render/points/point_shapes.hpp"
#include "render/vectors/vector_picture.hpp"

namespace kinescope::render {

namespace {

// Uniform random coordinates from -1 to 1, for measuring; the same every time.
std::vector<float> scattered(std::size_t count) {
  std::vector<float> positions(count);
  std::uint32_t state = 1;
  for (float& value : positions) {
    state = state * 1664525u + 1013904223u;
    value = float(state >> 8) / float(1 << 23) - 1;
  }
  return positions;
}

}  // namespace

float default_diameter(std::size_t count) {
  return std::clamp(30 * std::pow(float(std::max<std::size_t>(count, 1)), -0.25f), 1.0f, 10.0f);
}

float default_edge_opacity(std::size_t edges) {
  return 0.6f * std::min(1.0f, std::cbrt(500.0f / float(std::max<std::size_t>(edges, 1))));
}

struct PointCloud::State {
  OpenGl& opengl;
  PointPath wanted, used = PointPath::automatic;
  // The faster path, by binary order of magnitude of the count, dimensions, and translucency.
  std::map<std::tuple<int, int, bool>, PointPath> measured;
  std::optional<ComputePainter> compute;
  std::optional<SpritePainter> sprites;
  std::optional<DensityPainter> density;
  std::optional<EdgePainter> edges;
  std::optional<PointQuery> query;

  // One value for each point, from which its colour is made. `values` is indexed by ColourBy.
  struct Values {
    Buffer buffer;
    std::size_t count = 0;
  };
  std::array<Values, 4> values;
  std::uint32_t largest_class = 0;
  Buffer selection, palette, colours, markers;
  std::size_t selection_words = 0;
  std::vector<Marker> marked;
  bool has_selection = false;
  Shader colour_shader{{"points/colour_compute.glsl"}};
  Shader ring_shader{{"points/ring_vertex.glsl", "points/ring_fragment.glsl"}};
  VertexArray no_attributes;

  // The style for which `colours` was computed.
  std::optional<PointStyle> coloured_by;
  std::size_t coloured_count = 0;
  std::uint64_t coloured_version = 0;  // version of the classes

  PointFrame last;  // the latest draw()

  State(OpenGl& gl, PointPath path) : opengl(gl), wanted(path) {}
  void set_values(ColourBy by, const void* data, std::size_t count);
  void make_palette(const PointStyle& style);
  void make_colours(const PointStyle& style, const PointBuffers& points);
  void paint(PointPath path, const PointFrame& frame);
  PointPath choose(const PointFrame& frame);
  double seconds_to_draw(PointPath path, const PointFrame& frame);
  void draw_markers(const PointFrame& frame, float scale);
  PointFrame frame_of_last(const PointBuffers& points) const;
};

PointCloud::PointCloud(OpenGl& opengl, PointPath path) : state_(std::make_unique<State>(opengl, path)) {}
PointCloud::~PointCloud() = default;
PointCloud::PointCloud(PointCloud&&) noexcept = default;
PointCloud& PointCloud::operator=(PointCloud&&) noexcept = default;

PointPath PointCloud::path() const {
  return state_->used;
}

void PointCloud::set_path(PointPath path) {
  state_->wanted = path;
  state_->used = PointPath::automatic;
}

void PointCloud::State::set_values(ColourBy by, const void* data, std::size_t count) {
  Values& kept = values[std::size_t(by)];
  kept.count = count;
  kept.buffer = count > 0 ? Buffer(4 * count, data) : Buffer();
  coloured_by.reset();
}

void PointCloud::set_classes(std::span<const std::uint32_t> classes) {
  state_->largest_class = classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end());
  state_->set_values(ColourBy::classes, classes.data(), classes.size());
}

void PointCloud::set_numbers(std::span<const float> numbers) {
  state_->set_values(ColourBy::numbers, numbers.data(), numbers.size());
}

void PointCloud::set_colours(std::span<const std::array<std::uint8_t, 4>> colours) {
  state_->set_values(ColourBy::own, colours.data(), colours.size());
}

void PointCloud::set_selection(std::span<const std::uint32_t> indices) {
  state_->has_selection = !indices.empty();
  state_->coloured_by.reset();
  if (indices.empty()) return;
  std::vector<std::uint32_t> bits(*std::max_element(indices.begin(), indices.end()) / 32 + 1);
  for (const std::uint32_t index : indices) bits[index / 32] |= 1u << (index % 32);
  state_->selection_words = bits.size();
  state_->selection = Buffer(4 * bits.size(), bits.data());
}

void PointCloud::set_markers(std::span<const Marker> markers) {
  std::vector<std::uint32_t> packed;
  for (const Marker& marker : markers) {
    packed.push_back(marker.index);
    packed.push_back(pack(marker.colour));
  }
  state_->marked.assign(markers.begin(), markers.end());
  if (markers.empty()) return;
  state_->markers.hold(packed);
}

void PointCloud::set_edges(std::span<const std::array<std::uint32_t, 2>> edges) {
  if (edges.empty()) return state_->edges.reset();
  if (!state_->edges) state_->edges.emplace();
  state_->edges->set(edges);
}

void PointCloud::State::make_palette(const PointStyle& style) {
  std::vector<std::uint32_t> numbers;
  if (style.colour_by == ColourBy::classes) {
    const std::size_t classes = std::max<std::size_t>(style.classes > 0 ? style.classes : largest_class + 1, 1);
    std::vector<Rgb> given =
        style.class_colours.empty() ? class_colours(classes, style.background) : style.class_colours;
    const std::size_t different = given.size();
    given.resize(classes);
    for (std::size_t k = different; k < classes; ++k) given[k] = given[k % different];
    numbers = packed(given, style.hidden_classes);
  } else {
    numbers = packed(colour_table(style.map, style.background));
  }
  palette = Buffer(4 * numbers.size(), numbers.data());
}

void PointCloud::State::make_colours(const PointStyle& style, const PointBuffers& points) {
  const std::size_t count = points.count;
  const bool live = style.colour_by == ColourBy::classes && points.classes;
  PointStyle key = style;  // only what matters for colours
  key.diameter = key.opacity = key.pixel_scale = key.edge_opacity = 0;
  key.density = key.density_by_colour = false;
  const bool same = !live || coloured_version == points.classes_version;
  if (coloured_by == key && coloured_count >= count && same) return;
  coloured_by = key;
  coloured_version = points.classes_version;
  coloured_count = count;
  make_palette(style);
  colours.reserve(4 * std::max<std::size_t>(count, 1), opengl.is_software() ? GL_MAP_READ_BIT : 0);
  if (has_selection && selection_words < (count + 31) / 32) {
    std::vector<std::uint32_t> bits((count + 31) / 32);
    selection.read(0, 4 * selection_words, bits.data());
    selection = Buffer(4 * bits.size(), bits.data());
    selection_words = bits.size();
  }
  const Values& given = values[std::size_t(style.colour_by)];
  Shader& shader = colour_shader;
  shader.use();
  shader.set("count", std::uint32_t(count));
  const std::size_t value_count = live ? std::size_t(points.classes.bytes) / 4 : given.count;
  shader.set("value_count", std::uint32_t(value_count));
  shader.set("palette_size", std::uint32_t(palette.bytes() / 4));
  shader.set("colour_by", int(style.colour_by));
  shader.set("uniform_colour", pack(style.uniform));
  shader.set("missing", pack(missing_colour(style.background)));
  shader.set("low", style.low);
  shader.set("high", style.high);
  shader.set("has_selection", has_selection);
  shader.set("background", to_float(background_colour(style.background)));
  const BufferView output = colours.view();
  output.bind_storage(2);
  (live ? points.classes : given.count > 0 ? given.buffer.view() : palette.view()).bind_storage(3);
  palette.bind_storage(4);
  (has_selection ? selection.view() : palette.view()).bind_storage(5);
  shader.dispatch(count);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glUseProgram(0);
}

void PointCloud::State::paint(PointPath path, const PointFrame& frame) {
  if (path == PointPath::sprites) {
    if (!sprites) sprites.emplace();
    sprites->draw(frame);
  } else {
    if (!compute) compute.emplace(opengl.is_software());
    compute->draw(frame);
  }
}

double PointCloud::State::seconds_to_draw(PointPath path, const PointFrame& frame) {
  paint(path, frame);  // compiles, allocates, warms up
  glFinish();
  const auto start = std::chrono::steady_clock::now();
  paint(path, frame);
  glFinish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Measures both paths once for each kind of cloud and binary order of magnitude of its count. It draws points scattered
// over a picture of the canvas's size, so that the choice does not depend on where the simulation's points happen to
// be.
PointPath PointCloud::State::choose(const PointFrame& frame) {
  if (wanted != PointPath::automatic) return wanted;
  const auto kind = std::tuple(int(std::bit_width(frame.points.count)), frame.points.dimensions, frame.opacity < 1);
  if (const auto known = measured.find(kind); known != measured.end()) return known->second;
  constexpr std::size_t enough = 1 << 17;
  PointFrame trial = frame;
  trial.points.count = std::min(frame.points.count, enough);
  trial.points.emphasis = {};
  trial.points.stride = 0;
  trial.points.columns = {0, 1, 2};
  const std::vector<float> data = scattered(trial.points.count * std::size_t(trial.points.dimensions));
  const Buffer positions(sizeof(float) * data.size(), data.data());
  trial.points.positions = positions.view();
  trial.clip_from_world = glm::mat4(1);
  const Framebuffer scratch(frame.canvas.size);
  trial.canvas = Canvas::all_of(scratch);
  const double by_compute = seconds_to_draw(PointPath::compute, trial);
  const double by_sprites = seconds_to_draw(PointPath::sprites, trial);
  return measured[kind] = by_sprites < by_compute ? PointPath::sprites : PointPath::compute;
}

void PointCloud::State::draw_markers(const PointFrame& frame, float scale) {
  if (marked.empty()) return;
  const float ring_scale = std::max(scale, 1.0f);
  const int margin = int(std::ceil(frame.largest_reach() + 8 * ring_scale));
  frame.begin_drawing(margin);
  frame.bind(ring_shader);
  ring_shader.set("margin", float(margin));
  ring_shader.set("ring_scale", ring_scale);
  ring_shader.set("background", to_float(background_colour(frame.background)));
  markers.bind_storage(3);
  glEnable(GL_PROGRAM_POINT_SIZE);
  no_attributes.bind();
  glDrawArrays(GL_POINTS, 0, GLsizei(marked.size()));
  glDisable(GL_PROGRAM_POINT_SIZE);
  PointFrame::end_drawing();
}

void PointCloud::draw(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
                      const Canvas& canvas) {
  State& state = *state_;
  PointFrame frame{points, clip_from_world, canvas, {}, style.background};
  const std::size_t held = points.positions ? std::size_t(points.positions.bytes) / (4 * points.row()) : 0;
  frame.points.count = std::min(points.count, held);
  if (points.emphasis)
    frame.points.count = std::min<std::size_t>(frame.points.count, std::size_t(points.emphasis.bytes) / 4);
  const float scale = style_scale(canvas, style.pixel_scale);
  const float diameter = style.diameter > 0 ? style.diameter : default_diameter(frame.points.count);
  frame.radius = 0.5f * std::max(diameter * scale, 1.0f);
  frame.opacity = std::clamp(style.opacity, 0.0f, 1.0f);
  state.last = frame;
  if (frame.points.count == 0 || canvas.size.x < 1 || canvas.size.y < 1) return;

  state.make_colours(style, frame.points);
  frame.colours = state.colours.view();
  state.last = frame;
  if (canvas.vectors && !style.density && frame.points.count <= VectorPicture::most_points) {
    if (state.edges && style.edge_opacity > 0)
      add_edges(frame, state.edges->pairs(), std::max(scale, 1.0f), std::min(style.edge_opacity, 1.0f));
    add_points(frame);
    return add_rings(frame, state.marked, std::max(scale, 1.0f));
  }
  if (state.edges && style.edge_opacity > 0) {
    PointFrame under = frame;
    under.opacity = std::min(style.edge_opacity, 1.0f);
    state.edges->draw(under, std::max(scale, 1.0f));
  }
  if (style.density) {
    if (!state.density) state.density.emplace();
    state.density->draw(frame, style.map, style.density_by_colour);
  } else {
    state.used = state.choose(frame);
    state.paint(state.used, frame);
  }
  state.draw_markers(frame, scale);
}

PointFrame PointCloud::State::frame_of_last(const PointBuffers& points) const {
  PointFrame frame = last;
  frame.points.positions = points.positions;
  frame.points.emphasis = points.emphasis;
  frame.points.count = std::min(last.points.count, points.count);
  return frame;
}

std::uint64_t PointCloud::request_pick(const PointBuffers& points, glm::vec2 pixel, float reach) {
  State& state = *state_;
  if (state.last.points.count == 0 || !points.positions) return 0;
  if (!state.query) state.query.emplace();
  return state.query->request(state.frame_of_last(points), pixel, reach);
}

std::optional<Pick> PointCloud::take_pick() {
  return state_->query ? state_->query->take(false) : std::nullopt;
}

std::optional<std::uint32_t> PointCloud::pick_now(const PointBuffers& points, glm::vec2 pixel, float reach) {
  if (state_->query) state_->query->take(true);  // drops an earlier request, whose answer nobody will take
  if (request_pick(points, pixel, reach) == 0) return std::nullopt;
  return state_->query->take(true)->index;
}

std::vector<std::uint32_t> PointCloud::points_inside(const PointBuffers& points, std::span<const glm::vec2> polygon) {
  State& state = *state_;
  if (state.last.points.count == 0 || !points.positions) return {};
  if (!state.query) state.query.emplace();
  return state.query->inside(state.frame_of_last(points), polygon);
}

std::uint64_t PointCloud::density_total() const {
  return state_->density ? state_->density->total() : 0;
}
std::optional<DensityRange> PointCloud::density_range(bool wait) const {
  return state_->density ? state_->density->range(wait) : std::nullopt;
}

}  // namespace kinescope::render
