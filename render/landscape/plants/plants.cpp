#include "render/landscape/plants/plants.hpp"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <string>

#include "kinescope/error.hpp"
#include "render/landscape/frame_block.hpp"

namespace kinescope::render::landscape {
namespace {

constexpr int leaf_layers = 5, sides = 8;
constexpr int outline_levels = 5;  // heights at which software knows how wide a plant is (plants.glsl)

struct DrawElements {
  std::uint32_t count = 0, instances = 0, first_index = 0;
  std::int32_t base_vertex = 0;
  std::uint32_t base_instance = 0;
};

}  // namespace

Plants::Plants(const Quality& quality)
    : quality_(quality),
      cull_shader_({"landscape/plants/plant_cull_compute.glsl"}),
      mesh_shader_({"landscape/plants/plant_vertex.glsl", "landscape/plants/plant_fragment.glsl"},
                   quality.definitions()),
      mesh_shadow_shader_({"landscape/plants/plant_vertex.glsl", "landscape/plants/plant_fragment.glsl"},
                          quality.definitions(1, "SHADOW 1")),
      impostor_shader_({"landscape/plants/impostor_vertex.glsl", "landscape/plants/impostor_fragment.glsl"},
                       quality.definitions()),
      impostor_shadow_shader_({"landscape/plants/impostor_vertex.glsl", "landscape/plants/impostor_fragment.glsl"},
                              quality.definitions(1, "SHADOW 1")),
      capture_shader_({"landscape/plants/plant_capture_vertex.glsl", "landscape/plants/plant_fragment.glsl"},
                      quality.definitions(1, "CAPTURE 1")) {
  glEnableVertexArrayAttrib(array_.name(), 0);  // the instance's entry in the lists
  glVertexArrayAttribIFormat(array_.name(), 0, 1, GL_UNSIGNED_INT, 0);
  glVertexArrayAttribBinding(array_.name(), 0, 0);
  glVertexArrayBindingDivisor(array_.name(), 0, 1);
  if (quality.plants_by_compute) {
    batch_shader_ = Shader({"landscape/plants/plant_cull_compute.glsl"}, {"BY_COMPUTE 1"});
    raster_ = std::make_unique<PlantRaster>(quality, quality.samples);
    mirrored_raster_ = std::make_unique<PlantRaster>(quality, 1);
  }
  const glm::ivec2 size(quality.reduced ? 128 : 256);
  leaf_shapes_ = Texture::layered(size, leaf_layers, GL_RG8, Texture::levels_of(size.x), false);
  for (int shape = 0; shape < leaf_layers; ++shape) {
    Shader shader({"landscape/plants/leaf_shapes_compute.glsl"}, {"SHAPE " + std::to_string(shape)});
    leaf_shapes_.bind_image(0, GL_RG8);
    shader.use();
    glDispatchCompute(GLuint(size.x) / 8, GLuint(size.y) / 8, 1);
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  leaf_shapes_.make_mipmaps();
}

void Plants::set_plants(std::span<const PlantShape> shapes, std::span<const PlantInstance> given) {
  instance_count_ = 0;
  shape_count_ = int(shapes.size());
  if (shapes.empty()) return;
  std::vector<PlantInstance> instances(given.begin(), given.end());
  std::erase_if(instances, [&](const PlantInstance& i) { return !(i.shape >= 0 && i.shape < float(shapes.size())); });
  std::stable_sort(instances.begin(), instances.end(),
                   [](const PlantInstance& a, const PlantInstance& b) { return a.shape < b.shape; });
  std::vector<glm::vec4> facts;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const auto first = std::lower_bound(instances.begin(), instances.end(), float(s),
                                        [](const PlantInstance& i, float shape) { return i.shape < shape; });
    facts.emplace_back(shapes[s].radius, shapes[s].height, 0, float(first - instances.begin()));
  }
  instance_count_ = int(instances.size());
  places_.clear();
  for (const PlantInstance& instance : instances) places_.push_back(instance.position);
  shapes_ = Buffer(facts.size() * sizeof(facts[0]), facts.data());
  instances_ = Buffer(instances.size() * sizeof(PlantInstance), instances.data());
  sways_ = Buffer(std::max<std::size_t>(1, instances.size()) * sizeof(float));
  lists_ = Buffer(std::size_t(slots) * 3 * instances.size() * sizeof(std::uint32_t));
  const std::vector<Range> captured = make_shapes(shapes);
  if (instance_count_ > 0) make_impostors(shapes, captured);
}

std::vector<Plants::Range> Plants::make_shapes(std::span<const PlantShape> shapes) {
  std::vector<Range> captured;
  std::vector<MeshVertex> vertices;
  std::vector<std::uint32_t> indices;
  std::vector<DrawElements> commands(2 * shapes.size() + 1);
  const auto add = [&](const MeshData& mesh, DrawElements& command) {
    const auto base = std::uint32_t(vertices.size());
    vertices.insert(vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const std::uint32_t index : mesh.indices) indices.push_back(base + index);
    command.count += std::uint32_t(mesh.indices.size());
  };
  std::vector<glm::vec4> facts(shapes.size());
  shapes_.read(0, shapes_.bytes(), facts.data());
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    DrawElements& whole = commands[s];
    whole.first_index = std::uint32_t(indices.size());
    add(shapes[s].branches, whole);
    add(shapes[s].leaves, whole);
    add(shapes[s].fruit, whole);
    DrawElements& less = commands[shapes.size() + s];
    less.first_index = std::uint32_t(indices.size());
    add(reduced(shapes[s]), less);
    whole.base_instance = std::uint32_t(facts[s].w);
    less.base_instance = std::uint32_t(instance_count_) + std::uint32_t(facts[s].w);
    captured.push_back({whole.first_index, whole.count});
    if (!quality_.reduced) continue;
    // For software, the pictures are taken of half the leaves. They are so small that they look the same, and software
    // draws them in half the time.
    DrawElements half;
    captured.back().first = indices.size();
    add(reduced(shapes[s], 2, 900), half);
    captured.back().count = half.count;
  }
  // The last command draws the vertices of an impostor, in glDrawArraysIndirect's layout (count, instances, first, base
  // instance): two triangles, or for software a strip along the outline.
  commands.back() = {quality_.reduced ? 2u * outline_levels : 6u, 0, 0, 0, 0};
  if (indices.size() / 3 > PlantRaster::most_triangles)
    throw sim::run_error("the plants' meshes have " + std::to_string(indices.size() / 3) +
                         " triangles, more than can be drawn; use fewer generations in their grammars");
  vertices_ = Buffer(vertices.size() * sizeof(MeshVertex), vertices.data());
  indices_ = Buffer(indices.size() * sizeof(indices[0]), indices.data());
  template_ = Buffer(commands.size() * sizeof(DrawElements), commands.data());
  commands_ = Buffer(slots * template_.bytes());
  glVertexArrayVertexBuffer(array_.name(), 1, vertices_.name(), 0, sizeof(MeshVertex));
  glVertexArrayElementBuffer(array_.name(), indices_.name());
  return captured;
}

void Plants::make_impostors(std::span<const PlantShape> shapes, const std::vector<Range>& captured) {
  const int cell = quality_.reduced ? 64 : 160;
  const glm::ivec2 size{sides * cell, int(shapes.size()) * cell};
  const int levels = 5;
  impostor_colour_ = Texture::flat(size, GL_RGBA8, levels);
  impostor_normal_ = Texture::flat(size, GL_RGBA8, levels);
  const Texture depth = Texture::flat(size, GL_DEPTH_COMPONENT32F);
  const Handle<DeleteFramebuffer> framebuffer = make_framebuffer();
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, impostor_colour_.name(), 0);
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT1, impostor_normal_.name(), 0);
  glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
  const GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glNamedFramebufferDrawBuffers(framebuffer.name(), 2, buffers);
  const float nothing[4] = {0, 0, 0, 0}, upright[4] = {0.5f, 0.5f, 1, 1}, farthest = 0;
  glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 0, nothing);
  glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 1, upright);
  glClearNamedFramebufferfv(framebuffer.name(), GL_DEPTH, 0, &farthest);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  leaf_shapes_.bind(leaf_shapes_unit);
  glVertexArrayVertexBuffer(array_.name(), 0, lists_.name(), 0, sizeof(std::uint32_t));
  array_.bind();
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    for (int side = 0; side < sides; ++side) {
      glViewport(side * cell, int(s) * cell, cell, cell);
      capture_shader_.set("angle", glm::two_pi<float>() * float(side) / sides);
      capture_shader_.set("thicker", 1.6f / float(cell));
      capture_shader_.set("size", glm::vec2(shapes[s].radius, shapes[s].height));
      capture_shader_.use();
      glDrawElements(GL_TRIANGLES, GLsizei(captured[s].count), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(captured[s].first * sizeof(std::uint32_t)));
    }
  }
  glBindVertexArray(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDisable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  impostor_colour_.make_mipmaps();
  impostor_normal_.make_mipmaps();
  if (quality_.reduced) outline(cell);
}

// Finds how far the pictures of a shape reach to the left and to the right, so that software need not draw what is
// empty around them. Between two heights the outline runs straight; so at each of them it holds what is seen down to
// the next lower and up to the next higher one.
void Plants::outline(int cell) {
  const std::size_t width = std::size_t(sides) * std::size_t(cell), rows = std::size_t(cell);
  std::vector<std::uint32_t> texels(width * rows * std::size_t(shape_count_));
  glGetTextureImage(impostor_colour_.name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, GLsizei(4 * texels.size()), texels.data());
  std::vector<glm::vec2> outlines(std::size_t(shape_count_) * outline_levels, glm::vec2(0.5f));
  const std::size_t each = (rows + outline_levels - 2) / (outline_levels - 1);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    if (texels[i] >> 24 == 0) continue;
    const std::size_t below = i / width % rows / each;
    const float left = float(i % rows) / float(cell), right = left + 1 / float(cell);
    for (const std::size_t level : {below, below + 1}) {
      glm::vec2& reach = outlines[i / width / rows * outline_levels + level];
      reach = {std::min(reach.x, left), std::max(reach.y, right)};
    }
  }
  outlines_ = Buffer(outlines.size() * sizeof(outlines[0]), outlines.data());
}

PlantRaster* Plants::raster_of(const Pass& pass) const {
  if (pass.by_opengl) return nullptr;
  return pass.use == Use::main ? raster_.get() : pass.use == Use::reflection ? mirrored_raster_.get() : nullptr;
}

void Plants::bind_instances() const {
  instances_.bind_storage(instances_binding);
  shapes_.bind_storage(shapes_binding);
  sways_.bind_storage(sways_binding);
}

void Plants::cull(const Pass& pass) {
  PlantRaster* raster = raster_of(pass);
  if (raster) raster->begin();
  if (instance_count_ == 0) return;
  const auto bytes = GLsizeiptr(template_.bytes());
  glCopyNamedBufferSubData(template_.name(), commands_.name(), 0, pass.slot * bytes, bytes);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  bind_instances();
  lists_.bind_storage(lists_binding);
  commands_.bind_storage(commands_binding);
  Shader& shader = raster ? batch_shader_ : cull_shader_;
  shader.set("clip_from_world", pass.clip_from_world);
  shader.set("eye", pass.eye);
  shader.set("whole_until", pass.whole_until);
  shader.set("reduced_until", pass.reduced_until);
  shader.set("seen_until", pass.seen_until);
  shader.set("fading", pass.use == Use::shadow ? 0.0f : quality_.reduced ? 0.05f : 0.1f);
  shader.set("count", std::uint32_t(instance_count_));
  shader.set("shape_count", std::uint32_t(shape_count_));
  shader.set("first_command", std::uint32_t(std::size_t(pass.slot) * template_.bytes() / 4));
  shader.set("first_list", std::uint32_t(pass.slot * 3 * instance_count_));
  shader.use();
  shader.dispatch(std::size_t(instance_count_), 64);
}

// Software draws near pictures first, so that it need not light what they hide.
void Plants::sort_pictures(const Pass& pass) {
  std::uint32_t command[2];  // vertices, instances
  commands_.read(std::size_t(pass.slot) * template_.bytes() + 2 * std::size_t(shape_count_) * sizeof(DrawElements),
                 sizeof command, command);
  const std::size_t first = (std::size_t(pass.slot) * 3 + 2) * std::size_t(instance_count_) * sizeof(std::uint32_t);
  std::vector<std::uint32_t> entries(command[1]);
  lists_.read(first, entries.size() * sizeof entries[0], entries.data());
  std::vector<std::pair<float, std::uint32_t>> sorted;
  for (const std::uint32_t entry : entries) {
    const glm::vec3 away = places_[entry & 0xffffffu] - pass.eye;
    sorted.emplace_back(glm::dot(away, away), entry);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = sorted[i].second;
  lists_.write(first, entries.size() * sizeof entries[0], entries.data());
}

void Plants::draw(const Pass& pass) {
  if (instance_count_ == 0) return;
  if (quality_.reduced && pass.use == Use::main) {
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    sort_pictures(pass);
  }
  glMemoryBarrier(GL_COMMAND_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  bind_instances();
  leaf_shapes_.bind(leaf_shapes_unit);
  impostor_colour_.bind(impostor_colour_unit);
  impostor_normal_.bind(impostor_normal_unit);
  const bool shadow = pass.use == Use::shadow;
  const int samples = pass.use == Use::main ? quality_.samples : 1;
  glVertexArrayVertexBuffer(array_.name(), 0, lists_.name(),
                            GLintptr(pass.slot) * 3 * instance_count_ * GLintptr(sizeof(std::uint32_t)),
                            sizeof(std::uint32_t));
  array_.bind();
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands_.name());
  const std::size_t commands = std::size_t(pass.slot) * template_.bytes();
  if (samples > 1) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  if (pass.reduced_until > 0 && !raster_of(pass)) {
    mesh_shader_.set("samples", samples);
    (shadow ? mesh_shadow_shader_ : mesh_shader_).use();
    glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, reinterpret_cast<const void*>(commands),
                                2 * shape_count_, 0);
  }
  Shader& impostor = shadow ? impostor_shadow_shader_ : impostor_shader_;
  impostor.set("samples", samples);
  impostor.set("parallel", shadow);
  impostor.set("shape_count", float(shape_count_));
  impostor.use();
  glVertexArrayVertexBuffer(array_.name(), 0, lists_.name(),
                            (GLintptr(pass.slot) * 3 + 2) * instance_count_ * GLintptr(sizeof(std::uint32_t)),
                            sizeof(std::uint32_t));
  if (quality_.reduced) outlines_.bind_storage(outlines_binding);
  glDrawArraysIndirect(quality_.reduced ? GL_TRIANGLE_STRIP : GL_TRIANGLES,
                       reinterpret_cast<const void*>(commands + 2 * std::size_t(shape_count_) * sizeof(DrawElements)));
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
  glBindVertexArray(0);
}

void Plants::draw_by_compute(const Pass& pass, const GBuffer& g_buffer) {
  PlantRaster* raster = raster_of(pass);
  if (!raster || instance_count_ == 0) return;
  bind_instances();
  vertices_.bind_storage(vertices_binding);
  indices_.bind_storage(indices_binding);
  leaf_shapes_.bind(leaf_shapes_unit);
  raster->draw(g_buffer);
}

}  // namespace kinescope::render::landscape
