// Points in the plane or in space: round, antialiased; coloured by class, by number, or each in its own colour; opaque,
// translucent, or shown as a density. No picture depends on the order in which the GPU processes the points.
//
//   PointCloud cloud(context.opengl());
//   cloud.set_classes(labels);                      // when the data change
//   cloud.draw(points, camera.clip_from_world(), style, canvas);   // each frame
//   cloud.request_pick(...) ; if (auto hit = cloud.take_pick()) ...
//
// Draws over what the canvas holds. Leaves blending off, depth test off, scissor off, and no program bound.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/colour_map.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/opengl.hpp"

namespace kinescope::render {

// How a point stands out.
enum class Emphasis : std::uint32_t {
  hidden = 0,  // not drawn, not picked, not part of the bounds
  normal = 1,
  highlighted = 2,  // larger and stronger, with a halo unless tiny; in the plane drawn above the others
};

// The data that change from frame to frame: typically views of SharedBuffers.
struct PointBuffers {
  BufferView positions;  // float32 [count × stride]; a point with a NaN or infinite coordinate is not drawn
  int dimensions = 2;    // 2 or 3
  std::size_t count = 0;
  BufferView emphasis;                  // uint32 [count], an Emphasis for each point; none: all are normal
  int stride = 0;                       // 0: as many as dimensions
  std::array<int, 3> columns{0, 1, 2};  // which of a point's `stride` numbers are x, y and z; −1: 0 for all points
  BufferView classes;                   // uint32 [count], used instead of set_classes(); `no_class`: uniform colour
  std::uint64_t classes_version = 0;    // changes whenever the classes do

  std::size_t row() const { return std::size_t(stride > 0 ? stride : dimensions); }  // floats per point
};

inline constexpr std::uint32_t no_class = 0xFFFFFFFFu;

enum class ColourBy { uniform, classes, numbers, own };

struct PointStyle {
  ColourBy colour_by = ColourBy::uniform;
  Background background = Background::dark;
  Rgb uniform{0x56, 0xb4, 0xe9};
  std::vector<Rgb> class_colours;    // repeated if there are more classes; empty: render::class_colours
  std::vector<bool> hidden_classes;  // true: points of that class are neither drawn nor picked; may be shorter
  std::size_t classes = 0;           // number of classes in PointBuffers::classes
  ColourMap map = ColourMap::cividis;
  float low = 0, high = 1;  // numbers at the ends of the map; a NaN has the colour `missing_colour`

  float diameter = 0;     // pixels of a picture of 1280 × 720; 0: default_diameter(count)
  float opacity = 1;      // below 1: translucent; the order of drawing makes no difference
  float pixel_scale = 0;  // pixels of the picture per pixel of the diameter; 0: by the picture's area (1280 × 720)

  float edge_opacity = 0;  // of the edges under the points, which are lines of one pixel; 0: none are drawn

  bool density = false;            // number of points per pixel, blurred, on a logarithmic scale
  bool density_by_colour = false;  // the points' mean colour instead of the colour map

  bool operator==(const PointStyle&) const = default;
};

// Pixels in a picture of 1280 × 720: from 10 for few points down to 1, by the fourth root of their number.
float default_diameter(std::size_t count);

// An opacity at which single edges are visible, and the points above them too: 0.6 for up to 500 edges, then falling
// with the cube root of their number, to 0.05 for a million.
float default_edge_opacity(std::size_t edges);

// A ring around a point, for the point under the cursor or a single selected point.
struct Marker {
  std::uint32_t index = 0;
  Rgb colour{255, 255, 255};
};

// The numbers of points per pixel at the ends of the logarithmic scale.
struct DensityRange {
  float low = 0, high = 1;
};

struct Pick {
  std::optional<std::uint32_t> index;  // none: nothing is near
  std::uint64_t request = 0;           // the number that request_pick() returned
};

enum class PointPath {
  automatic,  // measures at the first draw which of the two is faster for this kind and number of points
  compute,
  sprites,  // GL_POINTS
};

class PointCloud {
 public:
  // A fixed path always makes the same picture; automatic may choose another path in another run.
  explicit PointCloud(OpenGl& opengl, PointPath path = PointPath::automatic);
  ~PointCloud();
  PointCloud(PointCloud&&) noexcept;
  PointCloud& operator=(PointCloud&&) noexcept;

  // One class for each point, kept on the GPU until the next call; empty removes them. Points past the end have the
  // uniform colour.
  void set_classes(std::span<const std::uint32_t> classes);
  void set_numbers(std::span<const float> numbers);
  void set_colours(std::span<const std::array<std::uint8_t, 4>> colours);  // sRGB; alpha is ignored
  // Selects points by their indices; empty selects none. While any point is selected, the others are dimmed.
  void set_selection(std::span<const std::uint32_t> indices);
  void set_markers(std::span<const Marker> markers);
  // Pairs of indices of points. An edge is drawn while both of its points are.
  void set_edges(std::span<const std::array<std::uint32_t, 2>> edges);

  void draw(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
            const Canvas& canvas);

  // Requests the point that the last draw() shows at the pixel (relative to that canvas's upper left corner, y down).
  // This is the uppermost point whose disc covers the pixel; if there is none, the nearest within `reach` pixels.
  // Returns the number of the request, or 0 if another one is under way or nothing was drawn. The buffers of that
  // draw() must still be the published ones.
  std::uint64_t request_pick(const PointBuffers& points, glm::vec2 pixel, float reach = 6);
  std::optional<Pick> take_pick();  // without waiting
  std::optional<std::uint32_t> pick_now(const PointBuffers& points, glm::vec2 pixel, float reach = 6);

  // The ascending indices of visible points inside a polygon of pixels (a lasso, or a box's four corners). Waits for
  // the GPU: call it once, when the mouse button is released. O(points × corners).
  std::vector<std::uint32_t> points_inside(const PointBuffers& points, std::span<const glm::vec2> polygon);

  PointPath path() const;  // the path in use; automatic before the first draw
  void set_path(PointPath path);
  // Total count over the canvas in the last draw in density mode; waits. For tests.
  std::uint64_t density_total() const;
  // The values at the ends of the colour map in a recent density draw; with `wait`, in the last one.
  std::optional<DensityRange> density_range(bool wait) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kinescope::render
