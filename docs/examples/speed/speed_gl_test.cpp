// The panel of docs/adding-a-panel.md: the program has it, and it draws what the snapshots say.
#include <gtest/gtest.h>
#include <imgui.h>

#include "app/features/feature.hpp"
#include "app/runs/registry.hpp"
#include "app/ui/theme.hpp"
#include "kinescope/error.hpp"
#include "render/gl/context.hpp"

namespace kinescope::app::speed_test {
namespace {

struct NoParameters : sim::ParameterSet {
  void visit(const std::function<void(sim::Parameter&)>&) override {}
};

std::shared_ptr<const sim::Snapshot> at(long iteration) {
  auto snapshot = std::make_shared<sim::Snapshot>();
  snapshot->progress.iteration = iteration;
  return snapshot;
}

// How many corners a tab draws.
int drawn(const Tab& tab, Ui& ui) {
  ImGui::NewFrame();
  ImGui::SetNextWindowSize({300, 200});
  ImGui::Begin("tab");
  tab.draw(ui);
  const int corners = ImGui::GetWindowDrawList()->VtxBuffer.Size;
  ImGui::End();
  ImGui::EndFrame();
  return corners;
}

TEST(Speed, DrawsABarForEachReadingAndForgetsThemWithTheRun) {
  std::unique_ptr<render::HeadlessContext> context;
  try {
    context = std::make_unique<render::HeadlessContext>();
  } catch (const sim::Error& error) {
    GTEST_SKIP() << error.what();
  }
  JobQueue jobs;
  std::unique_ptr<Feature> speed;
  for (const FeatureKind& kind : feature_kinds()) {
    if (!kind.make) continue;
    auto made = kind.make({context->opengl(), jobs});
    if (!made->adds().tabs.empty() && made->adds().tabs[0].title == "Speed") speed = std::move(made);
  }
  ASSERT_TRUE(speed) << "the build finds the file";
  ImFontAtlas atlas;
  Ui ui;
  ui.theme = &theme(render::Background::dark);
  ui.fonts = load_fonts(atlas, 1);
  atlas.Build();
  ImGuiContext* gui = ImGui::CreateContext(&atlas);
  ImGui::GetIO().DisplaySize = {640, 480};
  ImGui::GetIO().IniFilename = nullptr;
  const Tab &facts = speed->adds().tabs[0], &plot = speed->adds().plots[0];
  EXPECT_GT(drawn(facts, ui), 0);
  const int before = drawn(plot, ui);
  for (long iteration = 0; iteration < 30; iteration += 3) speed->update({0.3, at(iteration), at(iteration)});
  const int after = drawn(plot, ui);
  EXPECT_GE(after, before + 10 * 4) << "a bar has four corners";
  NoParameters none;
  speed->begin_run({*simulation_kinds().front(), nullptr, {}, none});
  EXPECT_EQ(drawn(plot, ui), before);
  ImGui::DestroyContext(gui);
}

}  // namespace
}  // namespace kinescope::app::speed_test
