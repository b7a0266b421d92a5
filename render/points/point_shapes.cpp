#include "render/points/point_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "render/vectors/vector_picture.hpp"

namespace kinescope::render {
namespace {

#include "shaders/points/reach.glsl"

struct Seen {
  glm::vec2 pixel{};  // of the canvas
  float depth = 0;
  Rgb colour{};
  bool highlighted = false;
};

// Each point of the frame; none if it is hidden. The same rules as in points/point.glsl.
std::vector<std::optional<Seen>> seen_points(const PointFrame& frame) {
  const PointBuffers& points = frame.points;
  const std::size_t row = points.row();
  const auto positions = fetched<float>(points.positions);
  const auto colours = fetched<std::uint32_t>(frame.colours);
  const auto emphases = points.emphasis ? fetched<std::uint32_t>(points.emphasis) : std::vector<std::uint32_t>();
  const glm::vec3 ink = to_float(ink_colour(frame.background));
  std::vector<std::optional<Seen>> all(points.count);
  for (std::size_t i = 0; i < points.count; ++i) {
    const auto emphasis = emphases.empty() ? Emphasis::normal : Emphasis(emphases[i]);
    if (emphasis == Emphasis::hidden || colours[i] >> 24 == 0) continue;
    const auto coordinate = [&](std::size_t axis) {
      const int column = int(axis) < points.dimensions ? points.columns[axis] : -1;
      return column < 0 ? 0.f : positions[i * row + std::size_t(column)];
    };
    const glm::vec4 clip = frame.clip_from_world * glm::vec4(coordinate(0), coordinate(1), coordinate(2), 1);
    const glm::vec2 pixel = (0.5f * glm::vec2(clip) / clip.w + 0.5f) * glm::vec2(frame.canvas.whole()) -
                            glm::vec2(frame.canvas.tile_origin);
    if (!(std::isfinite(pixel.x) && std::isfinite(pixel.y))) continue;
    Seen seen{pixel, clip.z / clip.w, {}, emphasis == Emphasis::highlighted};
    glm::vec3 colour(float(colours[i] & 255), float(colours[i] >> 8 & 255), float(colours[i] >> 16 & 255));
    if (seen.highlighted) colour = 0.6f * colour + 0.4f * 255.f * ink;
    for (int c = 0; c < 3; ++c) seen.colour[std::size_t(c)] = std::uint8_t(std::lround(colour[c]));
    all[i] = seen;
  }
  return all;
}

}  // namespace

glm::vec2 in_vectors(const Canvas& canvas, glm::vec2 pixel) {
  return {float(canvas.origin.x) + pixel.x, float(canvas.vectors->size().y - canvas.origin.y) - pixel.y};
}

void clip_to(const Canvas& canvas) {
  canvas.vectors->clip(in_vectors(canvas, {0, float(canvas.size.y)}), in_vectors(canvas, {float(canvas.size.x), 0}));
}

void add_points(const PointFrame& frame) {
  const std::vector<std::optional<Seen>> seen = seen_points(frame);
  std::vector<std::size_t> order(seen.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // In the plane the later points are above, highlighted ones on top; in space the nearer ones.
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    if (!seen[i]) return 0.f;
    return frame.points.dimensions == 3 ? -seen[i]->depth : float(seen[i]->highlighted);
  });
  clip_to(frame.canvas);
  for (const std::size_t i : order) {
    if (!seen[i]) continue;
    const float radius = seen[i]->highlighted ? highlighted_radius(frame.radius) : frame.radius;
    const glm::vec2 at = in_vectors(frame.canvas, seen[i]->pixel);
    const glm::vec2 low = in_vectors(frame.canvas, {0, float(frame.canvas.size.y)}) - radius;
    const glm::vec2 high = in_vectors(frame.canvas, {float(frame.canvas.size.x), 0}) + radius;
    if (at.x < low.x || at.y < low.y || at.x > high.x || at.y > high.y) continue;
    if (seen[i]->highlighted && radius > highlighted_radius(1.5f) - 1e-3f)
      frame.canvas.vectors->add(Disc{at, 2 * radius, {seen[i]->colour, 0.1f * frame.opacity}});  // its halo
    frame.canvas.vectors->add(Disc{at, radius, {seen[i]->colour, frame.opacity}});
  }
}

// The measures of points/ring_vertex.glsl and ring_fragment.glsl.
void add_rings(const PointFrame& frame, std::span<const Marker> markers, float scale) {
  const std::vector<std::optional<Seen>> seen = seen_points(frame);
  clip_to(frame.canvas);
  for (const Marker& marker : markers) {
    if (marker.index >= seen.size() || !seen[marker.index]) continue;
    const Seen& point = *seen[marker.index];
    const float radius = point.highlighted ? highlighted_radius(frame.radius) : frame.radius;
    const float ring = std::max(radius + 3 * scale, 5 * scale);
    const glm::vec2 at = in_vectors(frame.canvas, point.pixel);
    frame.canvas.vectors->add(Disc{at, ring, {background_colour(frame.background), 1}, 5 * scale});
    frame.canvas.vectors->add(Disc{at, ring, {marker.colour, 1}, 2 * scale});
  }
}

void add_edges(const PointFrame& frame, std::span<const std::array<std::uint32_t, 2>> edges, float width,
               float opacity) {
  const std::vector<std::optional<Seen>> seen = seen_points(frame);
  const Paint paint{ink_colour(frame.background), opacity};
  clip_to(frame.canvas);
  for (const auto& [a, b] : edges)
    if (a < seen.size() && b < seen.size() && seen[a] && seen[b])
      frame.canvas.vectors->add(
          Path{{in_vectors(frame.canvas, seen[a]->pixel), in_vectors(frame.canvas, seen[b]->pixel)}, width, paint});
}

}  // namespace kinescope::render
