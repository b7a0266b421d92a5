#include "render/landscape/water/water.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

std::vector<std::string> files_of(const Quality& quality) {
  if (quality.reduced) return {"landscape/water/water_vertex.glsl", "landscape/water/water_fragment.glsl"};
  return {"landscape/water/water_compute.glsl"};
}

void copy_colour(const Framebuffer& from, const Framebuffer& to) {
  const glm::ivec2 size = to.size();
  glBlitNamedFramebuffer(from.name(), to.name(), 0, 0, size.x, size.y, 0, 0, size.x, size.y, GL_COLOR_BUFFER_BIT,
                         GL_NEAREST);
}

}  // namespace

Water::Water(const Quality& quality)
    : quality_(quality),
      shader_(files_of(quality), quality.definitions(quality.samples)),
      lines_shader_({"landscape/water/water_lines_vertex.glsl", "landscape/water/water_lines_fragment.glsl"}),
      ripples_(Texture::flat(glm::ivec2(256), GL_RG16F, Texture::levels_of(256), true)) {
  Shader ripples({"landscape/water/ripples_compute.glsl"});
  compute_image(ripples, ripples_, GL_RG16F, GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  ripples_.make_mipmaps();
}

void Water::draw_lines(const GBuffer& g_buffer, const Framebuffer& picture) {
  constexpr int lines = 129;
  constexpr float spacing = 32;  // metres: as fine as the terrain's triangles at some distance from the eye
  copy_colour(g_buffer.lit(), picture);
  picture.bind();
  lines_shader_.use();
  lines_shader_.set("lines", lines);
  lines_shader_.set("spacing", spacing);
  no_vertices_.bind();
  glDrawArrays(GL_LINES, 0, 2 * 2 * lines);
}

void Water::draw(const GBuffer& g_buffer, const Framebuffer& reflection, const Framebuffer& picture) {
  g_buffer.lit().colour().bind(refraction_unit);
  g_buffer.depth().bind(refraction_depth_unit);
  reflection.colour().bind(reflection_unit);
  ripples_.bind(ripples_unit);
  if (quality_.reduced) {
    copy_colour(g_buffer.lit(), picture);
    picture.bind();
    shader_.use();
    no_vertices_.bind();
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
  } else {
    compute_image(shader_, picture.colour(), GL_RGBA16F, GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
  }
}

}  // namespace kinescope::render::landscape
