// Plants as the window draws them.
#include <cmath>

#include "app/features/plants/plant_preview.hpp"
#include "render/gl/shader.hpp"
#include "sim/landscape/plants/plant_files.hpp"
#include "sim/landscape/plants/plant_mesh.hpp"
#include "sim/landscape/plants/variants.hpp"
#include "tests/render/gl_test.hpp"

namespace kinescope::app::plants_gl_test {
namespace {

using PlantPictures = render::GlTest;

// The shader leans and widens a plant exactly as the simulation does for meshes that are written to files.
TEST_F(PlantPictures, PlantsStandAsTheSimulationSays) {
  render::Shader shader = render::Shader::from_text(
      {{"a/stance_compute.glsl",
        "#version 450\n#include \"landscape/frame.glsl\"\n#include \"landscape/plants/plants.glsl\"\n"
        "layout(local_size_x = 1) in;\nlayout(std430, binding = 7) buffer B { vec4 stood_at[]; };\nvoid main() {\n"
        "  uint i = gl_GlobalInvocationID.x;\n  stood_at[i] = vec4(stood(vec3(1.0, 2.0, 10.0), float(i) * 0.0123), "
        "0.0);\n}\n"}});
  constexpr std::size_t count = 512;
  const render::Buffer buffer(count * 4 * sizeof(float));
  buffer.bind_storage(7);
  shader.use();
  glDispatchCompute(count, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  std::vector<float> at(4 * count);
  buffer.read(0, buffer.bytes(), at.data());
  for (std::size_t i = 0; i < count; ++i) {
    const sim::landscape::Stance stance = sim::landscape::stance_of(float(i) * 0.0123f);
    EXPECT_NEAR(at[4 * i], stance.width + 10 * stance.lean_x, 1e-3) << i;
    EXPECT_NEAR(at[4 * i + 1], 2 * stance.width + 10 * stance.lean_y, 1e-3) << i;
    EXPECT_EQ(at[4 * i + 2], 10) << i;
  }
}

TEST_F(PlantPictures, ThePreviewShowsThePlantAndTurnsIt) {
  PlantPreview preview(context->opengl());
  constexpr glm::ivec2 size{96, 128};
  const auto picture = [&] {
    for (int frame = 0; frame < 4; ++frame) preview.draw({}, size);  // shadows are drawn every other frame
    std::vector<std::uint8_t> rgba(std::size_t(4 * size.x * size.y));
    glGetTextureImage(preview.texture(), 0, GL_RGBA, GL_UNSIGNED_BYTE, GLsizei(rgba.size()), rgba.data());
    return rgba;
  };
  const auto differing = [](const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); i += 4)
      count += std::abs(a[i] - b[i]) + std::abs(a[i + 1] - b[i + 1]) + std::abs(a[i + 2] - b[i + 2]) > 60;
    return count;
  };
  const auto plants = sim::landscape::load_plants();
  const auto empty = picture();
  for (const std::size_t kind : {std::size_t(0), std::size_t(4)}) {
    preview.set_plant(sim::landscape::make_variant(plants[kind], kind, 1, 0));
    const auto before = picture();
    EXPECT_GT(differing(empty, before), 400);
    EXPECT_TRUE(picture() == before) << "it turns when it is told to";
    preview.turn(1);
    EXPECT_GT(differing(picture(), before), 400);
  }
}

}  // namespace
}  // namespace kinescope::app::plants_gl_test
