// FitzHugh–Nagumo's scene: its pictures show the state, and what a person does to it with the mouse.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "app/runs/registry.hpp"
#include "app/runs/runner.hpp"
#include "app/scenes/plot.hpp"
#include "app/scenes/scene.hpp"
#include "kinescope/error.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "render/gl/context.hpp"
#include "render/pictures/picture.hpp"

namespace kinescope::app::wave_scene_gl_test {
namespace {

constexpr glm::ivec2 size{960, 540};

// A run with its scene, advanced frame by frame.
class WaveStage {
 public:
  explicit WaveStage(const std::vector<std::string>& assignments, long steps)
      : kind_(*find_simulation("fitzhugh-nagumo")), parameters_(kind_.make_parameters()) {
    for (const std::string& assignment : assignments) parameters_->set(assignment);
    buffers_ = render::SharedBuffers::make({.wait_for_copies = true});
    runner_ = std::make_unique<Runner>(kind_.make({}, *parameters_), *buffers_, RunnerOptions{.steps = steps});
    const SceneKind& scene = scene_of(kind_);
    scene_ = scene.make({context_.opengl(), jobs_, true}, scene.look(nullptr, *parameters_));
    scene_->set_data(nullptr, *parameters_);
    scene_->set_run(*buffers_, *runner_);
  }

  Runner& runner() { return *runner_; }
  Scene& scene() { return *scene_; }
  sim::WaveFigures figures() const { return *runner_->snapshot()->find<sim::WaveFigures>(); }

  void frame() {
    runner_->frame();
    buffers_->ready();
    scene_->update({1.0 / 60, runner_->snapshot(), runner_->published()}, size);
    runner_->frame_drawn();
  }

  render::Image picture(int largest_tile = 0) {
    const auto draw = [this](const render::Canvas& canvas) { scene_->draw(canvas, render::Background::dark); };
    return render::render_picture(size, render::to_float(render::background_colour(render::Background::dark)), draw,
                                  largest_tile);
  }

 private:
  render::HeadlessContext context_;
  JobQueue jobs_;
  const sim::SimulationKind& kind_;
  std::unique_ptr<sim::ParameterSet> parameters_;
  std::unique_ptr<render::SharedBuffers> buffers_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Scene> scene_;
};

class WaveSceneTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      render::HeadlessContext context;
    } catch (const sim::Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  static std::size_t different(const render::Image& a, const render::Image& b, glm::ivec2 low, glm::ivec2 high) {
    std::size_t count = 0;
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x) count += !std::equal(a.pixel(x, y), a.pixel(x, y) + 3, b.pixel(x, y));
    return count;
  }
  static std::size_t different(const render::Image& a, const render::Image& b) { return different(a, b, {0, 0}, size); }
  static std::size_t of_colour(const render::Image& image, render::Rgb colour, glm::ivec2 low, glm::ivec2 high) {
    std::size_t count = 0;
    for (int y = low.y; y < high.y; ++y)
      for (int x = low.x; x < high.x; ++x) count += std::equal(colour.begin(), colour.end(), image.pixel(x, y));
    return count;
  }
};

TEST_F(WaveSceneTest, TheSameFramesShowTheSamePicture) {
  const std::vector<std::vector<std::string>> runs{
      {"scheme=adaptive"}, {"scheme=implicit", "compare=explicit"}, {"dimensions=2", "nodes=64"}};
  for (const auto& run : runs) {
    std::vector<render::Image> pictures;
    for (int repetition = 0; repetition < 2; ++repetition) {
      WaveStage stage(run, 50);
      for (int i = 0; i < 3; ++i) {
        stage.frame();
        if (i != 1) pictures.push_back(stage.picture());
      }
    }
    EXPECT_EQ(different(pictures[0], pictures[2]), 0u) << run[0];
    EXPECT_EQ(different(pictures[1], pictures[3]), 0u) << run[0];
    EXPECT_GT(different(pictures[0], pictures[1]), 200u) << run[0];
  }
}

TEST_F(WaveSceneTest, TilesShowWhatThePictureShows) {
  WaveStage stage({"scheme=adaptive"}, 100);
  stage.frame();
  stage.frame();
  // Antialiased edges may be rounded differently.
  EXPECT_LT(different(stage.picture(), stage.picture(128)), std::size_t(size.x * size.y / 500));
}

TEST_F(WaveSceneTest, AStimulusRisesWhereItFalls) {
  WaveStage stage({"case=rest"}, 16);
  stage.frame();
  const render::Image before = stage.picture();
  const render::Rgb colour = render::class_colours(8, render::Background::dark)[0];
  // The axon's plot above the lines of v = 0 and w = 0, in its left and its right half.
  const glm::ivec2 low{60, 40}, middle{290, 130}, high{520, 130};
  EXPECT_EQ(of_colour(before, colour, low, high), 0u);
  stage.runner().stimulate({40, 0, 8, 1});
  stage.frame();
  const render::Image after = stage.picture();
  EXPECT_GT(of_colour(after, colour, low, middle), 20u);
  EXPECT_EQ(of_colour(after, colour, {middle.x, low.y}, high), 0u);
  EXPECT_GT(stage.runner().progress().figure, 0.5);
}

TEST_F(WaveSceneTest, ASheetIsPaintedAndWiped) {
  WaveStage stage({"dimensions=2", "nodes=128", "case=rest"}, 1);
  stage.frame();
  const render::Image before = stage.picture();
  const glm::ivec2 centre = size / 2;
  stage.runner().stimulate({32, 32, 8, 1});
  stage.frame();
  const render::Image painted = stage.picture();
  EXPECT_GT(different(before, painted, centre - 40, centre + 40), 1000u);
  EXPECT_EQ(different(before, painted, {0, 0}, {size.x / 3, size.y}), 0u);
  stage.runner().stimulate({32, 32, 20, -1});
  stage.frame();
  EXPECT_LT(different(before, stage.picture(), centre - 40, centre + 40), 20u);
}

TEST_F(WaveSceneTest, TheLargestDifferenceIsThatOfTheTwoSolutions) {
  WaveStage one({"dt=0.1125"}, 200), other({"scheme=implicit", "dt=0.1125"}, 200),
      both({"compare=implicit", "dt=0.1125"}, 200);
  for (WaveStage* stage : {&one, &other, &both}) {
    stage->frame();
    stage->frame();
  }
  const float told = both.figures().largest_difference;
  sim::Table a = one.runner().stop().result(), b = other.runner().stop().result();
  float largest = 0;
  for (std::size_t i = 0; i < a.rows; ++i)
    largest = std::max(largest, std::fabs(float(a.columns[1].numbers[i]) - float(b.columns[1].numbers[i])));
  EXPECT_GT(told, 1e-5f);
  EXPECT_FLOAT_EQ(told, largest);
}

TEST_F(WaveSceneTest, ProbesReadTheStateWhereTheyStand) {
  WaveStage stage({"dimensions=2", "nodes=64", "case=divergent"}, 20);
  stage.frame();
  stage.runner().send(sim::ProbeSet{7, {{15.5, 16}, {0, 0}, {1e9, -1e9}}});
  stage.frame();
  const sim::WaveFigures figures = stage.figures();
  ASSERT_EQ(figures.probe_set, 7);
  ASSERT_EQ(figures.probes.size(), 3u);
  EXPECT_EQ(figures.probe_time, figures.time);
  sim::Table table = stage.runner().stop().result();  // x, y, v, w
  EXPECT_EQ(figures.probes[0], table.columns[2].numbers[32 * 64 + 31]);
  EXPECT_EQ(figures.probes[1], table.columns[2].numbers[0]);
  EXPECT_EQ(figures.probes[2], table.columns[2].numbers[63]);
  EXPECT_GT(figures.probes[0], figures.probes[1]);
}

void show_state(Scene& scene, const Texts& texts) {
  KeptState state = KeptState::reading(texts);
  scene.keep_state(state);
}

Texts state_of(Scene& scene) {
  KeptState state = KeptState::writing();
  scene.keep_state(state);
  return state.texts();
}

TEST_F(WaveSceneTest, SessionsKeepTheViewAndItsProbes) {
  const Texts sheet{
      {"camera", "2 20 12.5 0 9 0.6 0.4"}, {"look", "field"}, {"map", "cividis"}, {"radius", "12.5"}, {"tips", "off"},
      {"probes", "15.5 16, 0 0"}};
  WaveStage stage({"dimensions=2", "nodes=64"}, 20);
  const auto open = [&](const Texts& state) {
    show_state(stage.scene(), state);
    stage.frame();
    stage.frame();
  };
  open(sheet);
  EXPECT_EQ(state_of(stage.scene()), sheet);
  EXPECT_EQ(stage.figures().probes.size(), 2u);
  open({{"camera", "2 nonsense"}, {"radius", "-1"}, {"tips", "perhaps"}, {"probes", "1, nan nan, 2 3"}});
  Texts as_before = sheet;
  as_before["probes"] = "2 3";
  EXPECT_EQ(state_of(stage.scene()), as_before);

  WaveStage axon({"scheme=adaptive"}, 20);
  const Texts line{{"map", "cividis"}, {"radius", "4"}, {"nodes", "off"}};
  show_state(axon.scene(), line);
  axon.frame();
  EXPECT_EQ(state_of(axon.scene()), line);
}

TEST(Plot, FindsTheDataUnderAPixel) {
  Plot plot;
  plot.low_x = -3;
  plot.high_x = 17;
  plot.low_y = 300;  // downwards
  plot.high_y = 0;
  plot.place({{10, 20}, {510, 420}}, 1.5f);
  for (const double x : {-3.0, 0.0, 17.0})
    for (const double y : {0.0, 123.0, 300.0}) {
      const glm::dvec2 back = plot.at(plot.pixel_of(x, y));
      EXPECT_NEAR(back.x, x, 1e-3);
      EXPECT_NEAR(back.y, y, 1e-2);
    }
  EXPECT_LT(plot.pixel_of(0, 10).y, plot.pixel_of(0, 200).y);
}

TEST(Plot, TicksAreRoundAndWithinTheRange) {
  for (const double high : {7.3, 200.0, 204.5, 1e6}) {
    const AxisTicks ticks = ticks_within(0, high, 6);
    EXPECT_EQ(ticks.minimum, 0);
    EXPECT_EQ(ticks.maximum, high);
    ASSERT_GE(ticks.major.size(), 2u);
    EXPECT_LE(ticks.major.back(), high);
    EXPECT_GT(ticks.major.back(), 0.5 * high);
  }
}

}  // namespace
}  // namespace kinescope::app::wave_scene_gl_test
