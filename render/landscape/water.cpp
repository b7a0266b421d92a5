#include "render/landscape/water.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

std::vector<std::string> files_of(const Quality& quality) {
  if (quality.reduced) return {"landscape/water_vertex.glsl", "landscape/water_fragment.glsl"};
  return {"landscape/water_compute.glsl"};
}

}  // namespace

Water::Water(const Quality& quality)
    : quality_(quality),
      shader_(files_of(quality), shading_definitions(quality, quality.samples)),
      ripples_(MipTexture::flat(glm::ivec2(256), GL_RG16F, MipTexture::levels_of(256), true)) {
  Shader ripples({"landscape/ripples_compute.glsl"});
  ripples_.bind_image(0, GL_RG16F);
  ripples.use();
  dispatch_over(ripples_.size());
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  ripples_.make_mipmaps();
}

void Water::draw(const Surfaces& surfaces, const Target& reflection, const Target& picture) {
  const glm::ivec2 size = picture.size();
  surfaces.lit().colour().bind(unit::refraction);
  surfaces.lit().depth().bind(unit::refraction_depth);
  reflection.colour().bind(unit::reflection);
  ripples_.bind(unit::ripples);
  if (quality_.reduced) {
    glBlitNamedFramebuffer(surfaces.lit().name(), picture.name(), 0, 0, size.x, size.y, 0, 0, size.x, size.y,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
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
    picture.colour().bind_image(0, GL_RGBA16F);
    shader_.use();
    dispatch_over(size);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
  }
}

}  // namespace kinescope::render::landscape
