// Draws the water's surface over a picture. The water refracts that picture, and reflects one that was drawn before.
#pragma once

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/g_buffer.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Water {
 public:
  explicit Water(const Quality& quality);
  // Draws into `picture`'s colour, for the view whose block is bound: the lit surfaces, and the water over them where
  // it is nearer. `picture` shares the surfaces' depth.
  void draw(const GBuffer& g_buffer, const Framebuffer& reflection, const Framebuffer& picture);
  // Like draw(), but shows the water only as a net of lines.
  void draw_lines(const GBuffer& g_buffer, const Framebuffer& picture);

 private:
  Quality quality_;
  Shader shader_, lines_shader_;
  Texture ripples_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
