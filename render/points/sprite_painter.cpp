#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

#include "kinescope/error.hpp"
#include "render/points/point_frame.hpp"

namespace kinescope::render {

SpritePainter::SpritePainter()
    : flat_({"points/sprite_vertex.glsl", "points/sprite_fragment.glsl"}),
      whole_({"points/sprite_vertex.glsl", "points/sprite_fragment.glsl"}, {"WHOLE"}),
      rim_({"points/sprite_vertex.glsl", "points/sprite_fragment.glsl"}, {"RIM"}),
      gather_({"points/sprite_vertex.glsl", "points/sprite_fragment.glsl"}, {"GATHER"}),
      resolve_({"points/screen_vertex.glsl", "points/resolve_fragment.glsl"}, {"FROM_TEXTURE"}),
      copy_({"points/screen_vertex.glsl", "points/copy_fragment.glsl"}) {}

void SpritePainter::draw(const PointFrame& frame) {
  glEnable(GL_PROGRAM_POINT_SIZE);
  no_attributes_.bind();
  if (frame.opacity < 1)
    draw_translucent(frame);
  else if (frame.points.dimensions == 3)
    draw_space(frame);
  else
    draw_plane(frame);
  glDisable(GL_PROGRAM_POINT_SIZE);
  PointFrame::end_drawing();
}

void SpritePainter::draw_points(const PointFrame& frame, Shader& shader, glm::ivec2 origin, bool normal,
                                bool highlighted) {
  frame.bind(shader);
  shader.set("canvas_origin", origin);
  shader.set("margin", std::ceil(frame.largest_reach()));
  shader.set("want_normal", normal);
  shader.set("want_highlighted", highlighted);
  glDrawArrays(GL_POINTS, 0, GLsizei(frame.points.count));
}

// OpenGL blends points in the order of their indices. Later points are thus drawn above earlier ones, which is the
// order that points in the plane should have.
void SpritePainter::draw_plane(const PointFrame& frame) {
  frame.begin_drawing(int(std::ceil(frame.largest_reach())));
  draw_points(frame, flat_, frame.canvas.origin, true, !frame.points.emphasis);
  if (frame.points.emphasis) draw_points(frame, flat_, frame.canvas.origin, false, true);
}

// Draws discs with the depth test, then their rims over everything that is not nearer. Uses a framebuffer of its own,
// because the canvas's framebuffer may have no depth.
void SpritePainter::draw_space(const PointFrame& frame) {
  const PointFrame own = frame.into(space_, {.depth = true});
  own.begin_drawing(int(std::ceil(frame.largest_reach())));
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  draw_points(own, whole_, {0, 0}, true, true);
  glDepthMask(GL_FALSE);
  draw_points(own, rim_, {0, 0}, true, true);
  glDepthMask(GL_TRUE);
  glDisable(GL_DEPTH_TEST);

  frame.draw_picture(copy_, space_.colour());
}

// Sums of whole numbers below 2^24 are exact in 32-bit floats, whatever their order.
void SpritePainter::draw_translucent(const PointFrame& frame) {
  const PointFrame own = frame.into(sums_, {.format = GL_RGBA32F});
  const float fixed_point = frame.fixed_point(16777216.0);
  own.begin_drawing(int(std::ceil(frame.largest_reach())));
  glBlendFunc(GL_ONE, GL_ONE);
  gather_.set("fixed_point", fixed_point);
  draw_points(own, gather_, {0, 0}, true, true);

  frame.begin_drawing();
  frame.bind(resolve_);
  resolve_.set("has_discs", false);
  resolve_.set("has_sums", true);
  resolve_.set("fixed_point", fixed_point);
  sums_.colour().bind(0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace kinescope::render
