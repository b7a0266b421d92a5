#include "render/landscape/water.hpp"

#include <string>
#include <vector>

#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

constexpr float farthest = 30000;  // m: the horizon

}  // namespace

Water::Water(const Quality& quality)
    : shader_({"landscape/water_vertex.glsl", "landscape/water_fragment.glsl"},
              quality.reduced ? std::vector<std::string>{"REDUCED 1"} : std::vector<std::string>{}),
      ripples_(MipTexture::flat(glm::ivec2(256), GL_RG16F, MipTexture::levels_of(256), true)),
      rings_(quality.reduced ? 40 : 200),
      spokes_(quality.reduced ? 72 : 300) {
  std::vector<std::uint32_t> indices;
  for (int r = 0; r + 1 < rings_; ++r)
    for (int s = 0; s < spokes_; ++s) {
      const int t = (s + 1) % spokes_;
      const auto inner = [&](int k) { return std::uint32_t(r * spokes_ + k); };
      const auto outer = [&](int k) { return std::uint32_t((r + 1) * spokes_ + k); };
      // Every second ring is turned by half a spoke.
      if (r % 2 == 0)
        indices.insert(indices.end(), {inner(s), outer(s), inner(t), inner(t), outer(s), outer(t)});
      else
        indices.insert(indices.end(), {inner(s), outer(s), outer(t), inner(s), outer(t), inner(t)});
    }
  index_count_ = int(indices.size());
  indices_ = Buffer(indices.size() * sizeof(indices[0]), 0, indices.data());
  Shader ripples({"landscape/ripples_compute.glsl"});
  ripples_.bind_image(0, GL_RG16F);
  ripples.use();
  glDispatchCompute(32, 32, 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  ripples_.make_mipmaps();
  shader_.set("rings", rings_);
  shader_.set("spokes", spokes_);
  shader_.set("farthest", farthest);
}

void Water::draw(const Target& refraction, const Target& reflection, bool wireframe) {
  refraction.colour().bind(unit::refraction);
  refraction.depth().bind(unit::refraction_depth);
  reflection.colour().bind(unit::reflection);
  ripples_.bind(unit::ripples);
  shader_.use();
  no_vertices_.bind();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.name());
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  if (wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDisable(GL_BLEND);
}

}  // namespace kinescope::render::landscape
