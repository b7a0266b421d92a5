#include "render/landscape/sky/clouds.hpp"

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {

Clouds::Clouds(const Quality& quality)
    : quality_(quality),
      shader_({"landscape/sky/clouds_compute.glsl"}, quality.definitions()),
      noise_(Texture::solid(glm::ivec3(quality.cloud_noise_size), GL_RGBA8, true)),
      field_(Texture::flat(glm::ivec2(quality.cloud_field_size), GL_R16F, 1, true)) {
  Shader noise({"landscape/sky/cloud_noise_compute.glsl"});
  noise_.bind_image(0, GL_RGBA8);
  noise.use();
  const GLuint groups = GLuint(quality.cloud_noise_size / 4);
  glDispatchCompute(groups, groups, groups);
  Shader field({"landscape/sky/cloud_field_compute.glsl"});
  compute_image(field, field_, GL_R16F);
}

void Clouds::bind() const {
  noise_.bind(cloud_noise_unit);
  field_.bind(cloud_field_unit);
}

void Clouds::draw(bool mirrored, glm::ivec2 picture, int samples) {
  Texture& layer = mirrored ? mirrored_layer_ : layer_;
  const glm::ivec2 size = glm::max(picture / quality_.cloud_divisor, glm::ivec2(1));
  if (layer.size() != size) layer = Texture::flat(size, GL_RGBA16F);
  shader_.set("samples_each", samples);
  shader_.set("divisor", quality_.cloud_divisor);
  shader_.set("steps", quality_.cloud_steps);
  compute_image(shader_, layer, GL_RGBA16F);
  layer.bind(clouds_unit);
}

}  // namespace kinescope::render::landscape
