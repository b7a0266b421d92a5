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
  hidden = 0,  // not drawn, not picked, not within bounds
  normal = 1,
  highlighted = 2,  // larger and stronger, with a halo unless tiny; in the plane above the others
};

// What changes from frame to frame: typically views of SharedBuffers.
struct PointBuffers {
  BufferView positions;  // float32 [count × stride]; a point with a NaN or infinite coordinate is not drawn
  int dimensions = 2;    // 2 or 3
  std::size_t count = 0;
  BufferView emphasis;                  // uint32 [count], an Emphasis each; none: all normal
  int stride = 0;                       // 0: as many as dimensions
  std::array<int, 3> columns{0, 1, 2};  // which of a point's `stride` numbers are x, y and z; −1: 0 for all points
  BufferView classes;                   // uint32 [count], replaces set_classes'; `no_class` has the uniform colour
  std::uint64_t classes_version = 0;    // changes whenever the classes do

  std::size_t row() const { return std::size_t(stride > 0 ? stride : dimensions); }  // floats a point
};

inline constexpr std::uint32_t no_class = 0xFFFFFFFFu;

enum class ColourBy { uniform, classes, numbers, own };

struct PointStyle {
  ColourBy colour_by = ColourBy::uniform;
  Background background = Background::dark;
  Rgb uniform{0x56, 0xb4, 0xe9};
  std::vector<Rgb> class_colours;    // empty: render::class_colours for the number of classes; more classes start again
  std::vector<bool> hidden_classes;  // true: points of that class are neither drawn nor picked; may be shorter
  std::size_t classes = 0;           // number of classes in PointBuffers::classes
  ColourMap map = ColourMap::cividis;
  float low = 0, high = 1;  // range of the numbers; a NaN has the colour `missing_colour`

  float diameter = 0;     // pixels of a picture 720 pixels high; 0: default_diameter(count)
  float opacity = 1;      // below 1: translucent, whatever the order
  float pixel_scale = 0;  // pixels of the picture per pixel of the diameter; 0: by the picture's area (1280 × 720)

  float edge_opacity = 0;  // of the edges under the points, which are lines of one pixel; 0: none are drawn

  bool density = false;            // number of points per pixel, blurred, on a logarithmic scale
  bool density_by_colour = false;  // the points' mean colour instead of the colour map

  bool operator==(const PointStyle&) const = default;
};

// Pixels in a picture of 1280 × 720: falls with the fourth root of the number of points from 10 to 1.
float default_diameter(std::size_t count);

// The opacity at which so many edges show both single edges and the points above: falls with the cube root of their
// number, from 0.6 up to 500 edges; 0.05 for a million.
float default_edge_opacity(std::size_t edges);

// A ring around a point: hover, selection of one.
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
  std::uint64_t request = 0;           // the number request_pick() gave
};

enum class PointPath {
  automatic,  // at the first draw the faster of the two for this count is measured
  compute,
  sprites,  // GL_POINTS
};

class PointCloud {
 public:
  // A fixed path always makes the same picture; automatic may choose differently another day.
  explicit PointCloud(OpenGl& opengl, PointPath path = PointPath::automatic);
  ~PointCloud();
  PointCloud(PointCloud&&) noexcept;
  PointCloud& operator=(PointCloud&&) noexcept;

  // One class for each point, kept on the GPU until set anew; empty removes them. Points past the end have the uniform
  // colour.
  void set_classes(std::span<const std::uint32_t> classes);
  void set_numbers(std::span<const float> numbers);
  void set_colours(std::span<const std::array<std::uint8_t, 4>> colours);  // sRGB; alpha is ignored
  // While any point is selected, the others are dimmed. Indices of points; empty selects none.
  void set_selection(std::span<const std::uint32_t> indices);
  void set_markers(std::span<const Marker> markers);
  // Pairs of indices of points. An edge is drawn while both of its points are.
  void set_edges(std::span<const std::array<std::uint32_t, 2>> edges);

  void draw(const PointBuffers& points, const glm::mat4& clip_from_world, const PointStyle& style,
            const Canvas& canvas);

  // Asks what the last draw() shows at the pixel (relative to that canvas's upper left corner, y down): the point whose
  // disc covers the pixel, the nearest to the viewer if there are several, else the nearest within `reach` pixels.
  // Returns the number of the request, or 0 if one is under way. The buffers of that draw() must still be the published
  // ones.
  std::uint64_t request_pick(const PointBuffers& points, glm::vec2 pixel, float reach = 6);
  std::optional<Pick> take_pick();  // without waiting
  std::optional<std::uint32_t> pick_now(const PointBuffers& points, glm::vec2 pixel, float reach = 6);

  // The ascending indices of visible points inside a polygon of pixels (a lasso, or a box's four corners). Waits for
  // the GPU: call it once, when the mouse is let go. O(points × corners).
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
