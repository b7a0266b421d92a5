// What the tests of the landscape's drawing have in common: small pictures of invented heights and plants, with the
// reduced quality of software.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "render/landscape/renderer.hpp"
#include "tests/render/gl_test.hpp"

namespace kinescope::render::landscape {
namespace landscape_gl_test {

constexpr float extent = 2000;
constexpr glm::ivec2 picture_size{160, 120};

class LandscapeTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!context) return;
    renderer = std::make_unique<Renderer>(context->opengl(), small_quality());
  }
  static Quality small_quality() {
    Quality quality = Quality::reduced_for_software();
    quality.scale = 1;
    quality.patch_cells = 16;
    quality.material_size = quality.noise_size = 32;
    quality.cloud_noise_size = 8;
    quality.shadow_size = 128;
    return quality;
  }
  // Draws as on a GPU: stores surfaces first, then lights them with compute shaders.
  static Quality computed_quality(int samples) {
    Quality quality = small_quality();
    quality.reduced = false;
    quality.plants_by_compute = quality.plants_reflected = quality.grass = true;
    quality.samples = samples;
    return quality;
  }
  void TearDown() override {
    renderer.reset();
    heights = {};
    GlTest::TearDown();
  }
  template <class Height>
  void raise(Height height, int heights_size = 257) {
    std::vector<float> values;
    float low = 1e30f, high = -1e30f;
    for (int j = 0; j < heights_size; ++j)
      for (int i = 0; i < heights_size; ++i) {
        values.push_back(height(extent * glm::vec2(i, j) / float(heights_size - 1)));
        low = std::min(low, values.back());
        high = std::max(high, values.back());
      }
    heights = Buffer(values.size() * sizeof(float), values.data());
    renderer->terrain().set_heights({heights.name(), 0, GLsizeiptr(heights.bytes())},
                                    {heights_size, extent, low, high, 1});
  }
  Image draw(const DrawRequest& request) {
    const Framebuffer framebuffer(picture_size);
    framebuffer.clear({0, 0, 0, 1});
    renderer->draw(request, Canvas::all_of(framebuffer));
    return framebuffer.read();
  }
  void add_plants() {
    PlantShape shape;
    shape.radius = 2;
    shape.height = 6;
    for (const float turn : {0.0f, 1.57f}) {
      const glm::vec3 across(2 * std::cos(turn), 2 * std::sin(turn), 0), normal(-std::sin(turn), std::cos(turn), 0);
      const auto base = std::uint32_t(shape.leaves.vertices.size());
      for (const glm::vec2 uv : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)})
        shape.leaves.vertices.push_back(
            {across * (2 * uv.x - 1) + glm::vec3(0, 0, 6 * uv.y), normal, uv, {0.1f, 0.3f, 0.05f}, 0});
      for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) shape.leaves.indices.push_back(base + k);
    }
    std::vector<PlantInstance> instances;
    for (int i = 0; i < 400; ++i) {
      const glm::vec2 p(900 + 9 * (i % 20), 900 + 9 * (i / 20));
      instances.push_back({{p, renderer->terrain().height_at(p)}, float(i), 1, 0, 0.5f, 0.3f});
    }
    renderer->plants().set_plants(std::span(&shape, 1), instances);
  }

  // Makes one plant around the eye, of quads from centimetres to tens of metres in size.
  void scatter_triangles(float kind) {
    PlantShape shape;
    shape.radius = shape.height = 60;
    std::mt19937 random(5);
    const auto number = [&](float low, float high) {
      return low + (high - low) * std::uniform_real_distribution<float>()(random);
    };
    MeshData& mesh = kind < 0 ? shape.branches : shape.leaves;
    for (int i = 0; i < 300; ++i) {
      const glm::vec3 middle(number(-40, 40), number(-40, 40), number(-20, 30));
      const float size = std::exp2(number(-4, i % 20 == 0 ? 5 : 2));
      const glm::vec3 across = size * glm::vec3(number(-1, 1), number(-1, 1), number(-1, 1));
      const glm::vec3 up = size * glm::vec3(number(-1, 1), number(-1, 1), number(-1, 1));
      const glm::vec3 normal = glm::normalize(glm::cross(across, up)), colour(number(0, 1), number(0, 1), number(0, 1));
      const auto base = std::uint32_t(mesh.vertices.size());
      for (const glm::vec2 uv : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)})
        mesh.vertices.push_back({middle + uv.x * across + uv.y * up, normal, uv, colour, kind});
      for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(base + k);
    }
    const PlantInstance instance{{1000, 1000, 20}, 0.7f, 1, 0, 0.5f, 0.3f};
    renderer->plants().set_plants(std::span(&shape, 1), std::span(&instance, 1));
  }

  std::unique_ptr<Renderer> renderer;
  Buffer heights;
};

inline float rough(glm::vec2 p) {
  return 80 * std::sin(0.006f * p.x) * std::cos(0.007f * p.y) + 14 * std::sin(0.05f * p.x) * std::sin(0.06f * p.y) +
         5 * std::sin(0.4f * p.x + 0.3f * p.y);
}

inline glm::vec3 looking(float yaw, float pitch) {
  return {std::sin(yaw) * std::cos(pitch), std::cos(yaw) * std::cos(pitch), std::sin(pitch)};
}

}  // namespace landscape_gl_test
}  // namespace kinescope::render::landscape
