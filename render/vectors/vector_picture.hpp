// A picture as shapes, for files that stay sharp at any size. Painters that know how add shapes to the picture that
// their canvas names (Canvas::vectors) instead of drawing; what the others draw is the image under the shapes.
#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "render/colour_map.hpp"

namespace kinescope::render {

struct Paint {
  Rgb colour{};
  float opacity = 1;
  bool operator==(const Paint&) const = default;
};

// Lengths are pixels of the picture, y down from its upper left corner.
struct Disc {
  glm::vec2 centre{};
  float radius = 0;
  Paint paint;
  float width = 0;  // of a ring's line; 0: filled
};
struct Path {
  std::vector<glm::vec2> corners;
  float width = 0;  // of the line; 0: a filled polygon
  Paint paint;
};
struct Words {
  glm::vec2 begin{};  // on the base line
  float size = 0;     // of the font: pixels an em
  float width = 0;    // of the text
  bool strong = false;
  std::string text;
  Paint paint;
};
using Shape = std::variant<Disc, Path, Words>;

// Shapes of which only what lies within a rectangle is seen.
struct ShapeGroup {
  glm::vec2 low{}, high{};
  std::vector<Shape> shapes;
};

class VectorPicture {
 public:
  // More points or vertices of lines at once are drawn into the image: a file of them would be slow to open.
  static constexpr std::size_t most_points = 50'000, most_vertices = 500'000;

  explicit VectorPicture(glm::ivec2 size) : size_(size) {}
  glm::ivec2 size() const { return size_; }
  // What is added from now on is seen within this rectangle.
  void clip(glm::vec2 low, glm::vec2 high) {
    if (groups_.empty() || groups_.back().low != low || groups_.back().high != high) groups_.push_back({low, high, {}});
  }
  void add(Shape shape) {
    if (groups_.empty()) clip({0, 0}, size_);
    groups_.back().shapes.push_back(std::move(shape));
  }
  const std::vector<ShapeGroup>& groups() const { return groups_; }

 private:
  glm::ivec2 size_;
  std::vector<ShapeGroup> groups_;
};

}  // namespace kinescope::render
