// Draws a field on a regular grid as a picture in the world: its numbers as colours, as lines of equal value, or as
// both; or a grid of classes in their colours. It reads the buffer itself: nothing is copied.
//
//   FieldPicture picture;
//   picture.draw({.values = view, .size = {columns, rows}, .low = {...}, .high = {...}}, clip_from_world, style,
//   canvas);
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "render/colour_map.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"

namespace kinescope::render {

struct FieldBuffer {
  BufferView values;          // [rows × columns], row 0 at low.y: float32; or classes
  glm::ivec2 size{0, 0};      // columns, rows
  bool classes = false;       // uint32; 0xFFFFFFFF is no class and is not drawn
  glm::vec2 low{0}, high{1};  // the rectangle in the world; a value lies at the middle of its cell
};

struct FieldStyle {
  Background background = Background::dark;
  std::vector<Rgb> colours;  // the map's 256 colours from low to high; or one for each class, repeated if too few
  std::vector<bool> hidden_classes;
  float low = 0, high = 1;     // values at the map's ends; values beyond have the ends' colours, a NaN `missing_colour`
  std::optional<Rgb> missing;  // replaces `missing_colour`
  float gamma = 1;             // below 1, small values use more of the map
  bool smooth = true;          // interpolate between four values; else each cell has one colour
  bool fill = true;
  bool fade_in = false;  // the map's low end is transparent
  int lines = 0;         // number of contour lines, at equal steps of the map; none at its ends
  Rgb line_colour{255, 255, 255};
  float line_width = 1.5f;  // pixels of a picture of 1280 × 720
  float opacity = 1;
  float pixel_scale = 0;  // as in PointStyle
};

class FieldPicture {
 public:
  FieldPicture();
  void draw(const FieldBuffer& field, const glm::mat4& clip_from_world, const FieldStyle& style, const Canvas& canvas);

 private:
  Shader shader_;
  Buffer palette_;
  VertexArray no_attributes_;
};

}  // namespace kinescope::render
