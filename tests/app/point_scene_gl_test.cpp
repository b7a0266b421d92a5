// The scene of points: a run that is not as far as the moment shown, and points with colours of another column.
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
using Moment = std::shared_ptr<const sim::Snapshot>;

// A scene with a run of k-means on four clusters in two columns.
class PointScene : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = std::make_unique<render::HeadlessContext>();
    } catch (const sim::Error& error) {
      GTEST_SKIP() << error.what();
    }
    atlas_ = std::make_unique<ImFontAtlas>();
    const Fonts fonts = load_fonts(*atlas_, 1);
    atlas_->Build();
    gui_ = ImGui::CreateContext(atlas_.get());
    ImGui::GetIO().DisplaySize = {float(size.x), float(size.y)};
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::NewFrame();
    area_ = {.list = ImGui::GetBackgroundDrawList(),
             .high = {float(size.x), float(size.y)},
             .theme = &theme(render::Background::dark),
             .fonts = fonts};
    const sim::SimulationKind& kind = *find_simulation("k-means");
    parameters_ = kind.make_parameters();
    scene_ = scene_of(kind).make({context_->opengl(), jobs_, true}, 0);
    const auto data = sim::load_dataset({.source = "synthetic:gaussians,n=500,clusters=4,k=2"});
    buffers_ = render::SharedBuffers::make({.wait_for_copies = true});
    runner_ = std::make_unique<Runner>(kind.make({.data = data}, *parameters_), *buffers_, RunnerOptions{.steps = 2});
    scene_->set_data(data, *parameters_);
    scene_->set_run(*buffers_, *runner_);
  }

  void TearDown() override {
    if (!gui_) return;
    ImGui::EndFrame();
    ImGui::DestroyContext(gui_);
  }

  Moment frame() {
    runner_->frame();
    buffers_->ready();
    Moment moment = runner_->published();
    scene_->update({1.0 / 60, runner_->snapshot(), moment, parameters_.get()}, size);
    runner_->frame_drawn();
    return moment;
  }

  // Vertices that the scene draws over its picture.
  int drawn_at(const Moment& moment) {
    scene_->update({1.0 / 60, moment, moment, parameters_.get(), true}, size);
    const int before = area_.list->VtxBuffer.Size;
    scene_->draw_overlay(area_);
    return area_.list->VtxBuffer.Size - before;
  }

  std::unique_ptr<render::HeadlessContext> context_;
  JobQueue jobs_;
  std::unique_ptr<ImFontAtlas> atlas_;
  ImGuiContext* gui_ = nullptr;
  PictureArea area_;
  std::unique_ptr<sim::ParameterSet> parameters_;
  std::unique_ptr<Scene> scene_;
  std::unique_ptr<render::SharedBuffers> buffers_;
  std::unique_ptr<Runner> runner_;
};

// A run that begins anew is behind the moment shown, until the window has heard of it.
TEST_F(PointScene, PathsEndWithTheRunThoughALaterMomentIsShown) {
  std::vector<Moment> moments;
  for (int i = 0; i < 6; ++i) moments.push_back(frame());
  ASSERT_GT(runner_->progress().iteration, 1);
  ASSERT_TRUE(moments.back()->find<sim::Groups>());
  const auto begun = std::ranges::find_if(
      moments, [](const auto& each) { return each->progress.iteration > 0 && each->template find<sim::Groups>(); });
  const int now = drawn_at(moments.back());
  EXPECT_GT(now, drawn_at(*begun));
  EXPECT_EQ(now, drawn_at(moments.back()));
}

TEST_F(PointScene, CentroidsStayWhenAColumnColoursThePoints) {
  Moment last;
  for (int i = 0; i < 6; ++i) last = frame();
  const auto drawn_with = [&](const Texts& choices) {
    KeptState state = KeptState::reading(choices);
    scene_->keep_state(state);
    return drawn_at(last);
  };
  constexpr int of_a_disc = 48;  // at least
  const int with = drawn_with({{"colour_by", "c0"}, {"centres", "on"}, {"paths", "off"}});
  const int without = drawn_with({{"colour_by", "c0"}, {"centres", "off"}, {"paths", "off"}});
  EXPECT_GT(with, without + 4 * of_a_disc);
}

}  // namespace
}  // namespace kinescope::app::point_scene_gl_test
