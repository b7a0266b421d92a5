// The scene of points: a run that is not as far as the moment shown, and points with colours of another column.
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

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
    data_ = sim::load_dataset({.source = "synthetic:gaussians,n=500,clusters=4,k=2"});
    buffers_ = render::SharedBuffers::make({.wait_for_copies = true});
    runner_ = std::make_unique<Runner>(kind.make({.data = data_}, *parameters_), *buffers_, RunnerOptions{.steps = 2});
    scene_->set_data(data_, *parameters_);
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

  Texts kept() {
    KeptState state = KeptState::writing();
    scene_->keep_state(state);
    return state.texts();
  }
  void restore(const Texts& texts) {
    KeptState state = KeptState::reading(texts);
    scene_->keep_state(state);
  }

  std::unique_ptr<render::HeadlessContext> context_;
  std::shared_ptr<const sim::Dataset> data_;
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

TEST_F(PointScene, TheCameraGoesToAKeptRowThatIsOutOfSight) {
  frame();
  const std::string far = "2 1000 1000 0 1 0.6 0.4", above_all = "2 0 0 0 1000 0.6 0.4";
  restore({{"camera", far}});
  scene_->choose_rows({.keep = 7});
  frame();
  EXPECT_EQ(scene_->chosen_rows()->kept, 7u);
  std::istringstream camera(kept().at("camera"));
  float dimensions = 0, x = 0, y = 0;
  camera >> dimensions >> x >> y;
  EXPECT_FLOAT_EQ(x, data_->values()[14]);
  EXPECT_FLOAT_EQ(y, data_->values()[15]);
  restore({{"camera", above_all}});
  scene_->choose_rows({.keep = 8});
  frame();
  EXPECT_EQ(kept().at("camera"), above_all) << "it is in sight already";
  scene_->choose_rows({.keep = 500});
  EXPECT_EQ(scene_->chosen_rows()->kept, 8u) << "there is no such row";
}

TEST_F(PointScene, FiltersSelectRowsAndAreKeptUntilOthersAreSelected) {
  frame();
  const sim::Column& first = data_->table.columns[0];
  const RowFilter high{.column = first.name, .low = first.numbers.front()};
  const std::size_t count = std::size_t(std::ranges::count_if(first.numbers, [&](double x) { return x >= high.low; }));
  ASSERT_TRUE(count > 0 && count < 500);
  scene_->choose_rows({.filters = std::vector{high}});
  EXPECT_EQ(scene_->chosen_rows()->selected->size(), count);
  const Texts filtered = kept();
  EXPECT_FALSE(filtered.contains("selection")) << "the filters say it shorter";
  scene_->choose_rows({.select = std::make_shared<std::vector<std::uint32_t>>(std::vector<std::uint32_t>{3, 5})});
  EXPECT_EQ(scene_->chosen_rows()->selected->size(), 2u);
  EXPECT_TRUE(scene_->chosen_rows()->filters.empty());
  restore(filtered);
  EXPECT_EQ(scene_->chosen_rows()->selected->size(), count);
  EXPECT_EQ(scene_->chosen_rows()->filters, std::vector{high});
  restore({{"filters", ""}, {"selection", "3-5 9"}});
  EXPECT_EQ(*scene_->chosen_rows()->selected, (std::vector<std::uint32_t>{3, 4, 5, 9}));
  EXPECT_TRUE(scene_->chosen_rows()->filters.empty());
}

}  // namespace
}  // namespace kinescope::app::point_scene_gl_test
