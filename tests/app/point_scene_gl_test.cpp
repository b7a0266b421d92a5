// The scene of points, with a run that is not as far as the moment shown.
#include <gtest/gtest.h>

#include "app/runs/registry.hpp"
#include "app/runs/runner.hpp"
#include "app/scenes/legend.hpp"
#include "app/scenes/scene.hpp"
#include "app/ui/theme.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "kinescope/groups.hpp"
#include "render/gl/context.hpp"

namespace kinescope::app::point_scene_gl_test {
namespace {

constexpr glm::ivec2 size{640, 480};

// A run that begins anew is behind the moment shown, until the window has heard of it.
TEST(PointScene, PathsEndWithTheRunThoughALaterMomentIsShown) {
  std::unique_ptr<render::HeadlessContext> context;
  try {
    context = std::make_unique<render::HeadlessContext>();
  } catch (const sim::Error& error) {
    GTEST_SKIP() << error.what();
  }
  const sim::SimulationKind& kind = *find_simulation("k-means");
  Worker worker;
  const std::unique_ptr<Scene> scene = scene_of(kind).make({context->opengl(), worker, true}, 0);
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1);
  atlas.Build();
  ImGuiContext* gui = ImGui::CreateContext(&atlas);
  ImGui::GetIO().DisplaySize = {float(size.x), float(size.y)};
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::NewFrame();
  const PictureArea area{.list = ImGui::GetBackgroundDrawList(),
                         .high = {float(size.x), float(size.y)},
                         .theme = &theme(render::Background::dark),
                         .fonts = fonts};

  const auto parameters = kind.make_parameters();
  const auto data = sim::load_dataset({.source = "synthetic:gaussians,n=500,clusters=4,k=2"});
  const auto buffers = render::SharedBuffers::make({.wait_for_copies = true});
  Runner runner(kind.make({.data = data}, *parameters), *buffers, RunnerOptions{.steps = 2});
  scene->set_data(data, *parameters);
  scene->set_run(*buffers, runner);
  std::vector<std::shared_ptr<const sim::Snapshot>> moments;
  for (int i = 0; i < 6; ++i) {
    runner.frame();
    buffers->ready();
    moments.push_back(runner.published());
    scene->update({1.0 / 60, runner.snapshot(), moments.back(), parameters.get()}, size);
    runner.frame_drawn();
  }
  ASSERT_GT(runner.progress().iteration, 1);
  ASSERT_TRUE(moments.back()->find<sim::Groups>());
  const auto begun = std::ranges::find_if(
      moments, [](const auto& each) { return each->progress.iteration > 0 && each->template find<sim::Groups>(); });
  const auto drawn_at = [&](const std::shared_ptr<const sim::Snapshot>& moment) {
    scene->update({1.0 / 60, moment, moment, parameters.get(), true}, size);
    const int before = area.list->VtxBuffer.Size;
    scene->draw_overlay(area);
    return area.list->VtxBuffer.Size - before;
  };
  const int now = drawn_at(moments.back());
  EXPECT_GT(now, drawn_at(*begun));
  EXPECT_EQ(now, drawn_at(moments.back()));
  ImGui::EndFrame();
  ImGui::DestroyContext(gui);
}

}  // namespace
}  // namespace kinescope::app::point_scene_gl_test
