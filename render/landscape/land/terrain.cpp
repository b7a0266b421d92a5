#include "render/landscape/land/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "render/landscape/g_buffer.hpp"

namespace kinescope::render::landscape {
namespace {

constexpr int leaf_cells = 32;        // cells along a side of a quadtree's leaf
constexpr int largest_coarse = 1025;  // largest number of heights along a side that are kept for height_at()

std::vector<std::string> terrain_files() {
  return {"landscape/land/terrain_vertex.glsl", "landscape/land/terrain_fragment.glsl"};
}

// Makes the texture sharper at grazing angles; for software, makes lookups quicker.
void sharpen(const Texture& image, const Quality& quality) {
  if (quality.anisotropy > 1) image.set(GL_TEXTURE_MAX_ANISOTROPY, quality.anisotropy);
  if (quality.reduced) image.set(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
}

}  // namespace

Terrain::Terrain(const Quality& quality)
    : quality_(quality),
      heights_shader_({"landscape/land/heights_compute.glsl"}),
      slopes_shader_({"landscape/land/slopes_compute.glsl"}),
      extremes_shader_({"landscape/land/extremes_compute.glsl"}),
      shadow_shader_({"landscape/land/hill_shadow_compute.glsl"}),
      terrain_shader_(terrain_files(), quality.definitions()),
      hill_shadow_(Texture::flat(glm::ivec2(quality.hill_shadow_size), GL_RG32F)) {
  make_materials();
  fine_ = make_grid(quality.patch_cells);
  coarse_ = make_grid(std::max(quality.patch_cells / 2, 2));
}

void Terrain::make_materials() {
  Shader noise({"landscape/noise_map_compute.glsl"}), normal({"landscape/land/material_normal_compute.glsl"});
  const glm::ivec2 noise_size(quality_.noise_size), size(quality_.material_size);
  noise_map_ = Texture::flat(noise_size, GL_RGBA8, Texture::levels_of(noise_size.x), true);
  material_colour_ = Texture::layered(size, 8, GL_RGBA8, Texture::levels_of(size.x), true);
  material_normal_ = Texture::layered(size, 8, GL_RGBA8, Texture::levels_of(size.x), true);
  for (const Texture* image : {&noise_map_, &material_colour_, &material_normal_}) sharpen(*image, quality_);
  noise_map_.bind_image(0, GL_RGBA8);
  noise.use();
  dispatch_over(noise_size);
  material_colour_.bind_image(0, GL_RGBA8);
  for (int layer = 0; layer < 8; ++layer) {
    Shader colour({"landscape/land/material_colour_compute.glsl"}, {"MATERIAL " + std::to_string(layer)});
    colour.use();
    dispatch_over(size);
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  material_colour_.bind(material_colour_unit);
  material_normal_.bind_image(0, GL_RGBA8);
  normal.use();
  dispatch_over(size, 8);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  for (const Texture* image : {&noise_map_, &material_colour_, &material_normal_}) image->make_mipmaps();
}

// The diagonals of a patch alternate, so that no triangle flips over while the patch morphs.
Terrain::Grid Terrain::make_grid(int n) {
  std::vector<std::uint16_t> indices;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const auto corner = [&](int i, int j) { return std::uint16_t((y + j) * (n + 1) + x + i); };
      if ((x + y) % 2 == 0)
        for (const auto c : {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 0), corner(1, 1), corner(0, 1)})
          indices.push_back(c);
      else
        for (const auto c : {corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 0), corner(1, 1), corner(0, 1)})
          indices.push_back(c);
    }
  return {Buffer(indices.size() * sizeof(indices[0]), indices.data()), int(indices.size()), n};
}

void Terrain::set_heights(const BufferView& heights, const TerrainShape& shape) {
  const glm::ivec2 size(shape.size);
  if (shape.size != shape_.size) {
    heights_ = Texture::flat(size, GL_R32F, Texture::levels_of(shape.size));
    slopes_ = Texture::flat(size, GL_RG16F, Texture::levels_of(shape.size));
    sharpen(slopes_, quality_);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) slopes_.set(axis, GL_MIRRORED_REPEAT);
  }
  shape_ = shape;
  heights.bind_storage(0);
  heights_.bind_image(0, GL_R32F);
  heights_shader_.use();
  dispatch_over(size);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  heights_.make_mipmaps();
  heights_.bind(heights_unit);
  slopes_.bind_image(0, GL_RG16F);
  slopes_shader_.set("spacing", shape.extent / float(shape.size - 1));
  slopes_shader_.use();
  dispatch_over(size);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  slopes_.make_mipmaps();
  read_extremes();
  int level = 0;
  while ((shape.size >> level) > largest_coarse) ++level;
  kept_size_ = std::max(1, shape.size >> level);
  kept_heights_.resize(std::size_t(kept_size_) * kept_size_);
  glGetTextureImage(heights_.name(), level, GL_RED, GL_FLOAT, GLsizei(kept_heights_.size() * sizeof(float)),
                    kept_heights_.data());
  shadow_for_.reset();
}

void Terrain::read_extremes() {
  const int cells = std::min(leaf_cells, shape_.size - 1), tiles = (shape_.size - 1) / cells;
  std::vector<glm::vec2> extremes(std::size_t(tiles) * tiles);
  const Buffer buffer(extremes.size() * sizeof(glm::vec2));
  buffer.bind_storage(0);
  extremes_shader_.set("tiles", tiles);
  extremes_shader_.set("cells", cells);
  extremes_shader_.use();
  dispatch_over(glm::ivec2(tiles));
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  buffer.read(0, buffer.bytes(), extremes.data());
  quadtree_ = Quadtree(shape_.extent, tiles, std::move(extremes));
}

float Terrain::height_at(glm::vec2 p) const {
  if (kept_heights_.empty()) return 0;
  const float extent = shape_.extent;
  const auto cell = [&](float x) {
    x = std::fmod(std::fmod(x, 2 * extent) + 2 * extent, 2 * extent);
    return std::clamp(std::min(x, 2 * extent - x) / extent, 0.0f, 1.0f) * float(kept_size_ - 1);
  };
  const float x = cell(p.x), y = cell(p.y);
  const int i = std::min(int(x), std::max(kept_size_ - 2, 0)), j = std::min(int(y), std::max(kept_size_ - 2, 0));
  const auto at = [&](int a, int b) {
    return kept_heights_[std::size_t(std::min(b, kept_size_ - 1)) * kept_size_ + std::min(a, kept_size_ - 1)];
  };
  const float fx = x - float(i), fy = y - float(j);
  return (1 - fy) * ((1 - fx) * at(i, j) + fx * at(i + 1, j)) + fy * ((1 - fx) * at(i, j + 1) + fx * at(i + 1, j + 1));
}

void Terrain::prepare(glm::vec3 to_light) {
  heights_.bind(heights_unit);
  slopes_.bind(slopes_unit);
  noise_map_.bind(noise_map_unit);
  material_colour_.bind(material_colour_unit);
  material_normal_.bind(material_normal_unit);
  if (!shadow_for_ || glm::dot(*shadow_for_, to_light) < 0.9999995f) {
    shadow_for_ = to_light;
    hill_shadow_.bind_image(0, GL_RG32F);
    shadow_shader_.set("to_light", to_light);
    shadow_shader_.set("extent", shape_.extent);
    shadow_shader_.set("highest", shape_.high);
    shadow_shader_.set("steps", quality_.hill_shadow_steps);
    shadow_shader_.use();
    dispatch_over(hill_shadow_.size());
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  }
  hill_shadow_.bind(hill_shadow_unit);
}

std::size_t Terrain::draw(const Pass& pass) {
  quadtree_.select({pass.eye, pass.clip_from_world, pass.keep_above, pass.sea_level}, selected_);
  if (selected_.empty()) return 0;
  const std::size_t bytes = selected_.size() * sizeof(Patch);
  Buffer& patches = patches_[next_patches_++ % patches_.size()];
  if (patches.bytes() < bytes) patches = Buffer(2 * bytes);
  patches.write(0, bytes, selected_.data());
  patches.bind_storage(0);
  // In water, light changes so much within a triangle that software cannot find it at the corners.
  const bool diving = quality_.reduced && pass.under_water;
  if (diving && !diving_shader_) diving_shader_ = Shader(terrain_files(), quality_.definitions(1, "UNDER_WATER 1"));
  Shader& shader = diving ? diving_shader_ : terrain_shader_;
  shader.set("eye", pass.eye);
  const Grid& grid = pass.coarse ? coarse_ : fine_;
  shader.set("cells", grid.cells);
  shader.use();
  no_vertices_.bind();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, grid.indices.name());
  glEnable(GL_CULL_FACE);
  const auto colours = GLboolean(quality_.reduced);  // a GPU draws only the depth: the position determines the look
  glColorMask(colours, colours, colours, colours);
  if (pass.wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glDrawElementsInstanced(GL_TRIANGLES, grid.index_count, GL_UNSIGNED_SHORT, nullptr, GLsizei(selected_.size()));
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_CULL_FACE);
  return selected_.size() * std::size_t(grid.index_count) / 3;
}

}  // namespace kinescope::render::landscape
