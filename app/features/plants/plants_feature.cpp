// A tab in which the plants of a landscape are edited: their grammars, and a plant beside them that grows from the
// text.
#include "app/features/feature.hpp"
#include "app/features/plants/plant_editor.hpp"
#include "app/scenes/landscape/landscape_view.hpp"
#include "kinescope/landscape/landscape.hpp"

namespace kinescope::app {
namespace {

class PlantsFeature : public Feature {
 public:
  explicit PlantsFeature(const SceneSetup& setup) : opengl_(setup.opengl), jobs_(setup.jobs) {
    // Room for the lines of a grammar, and the plant beside them.
    adds_.tabs = {{.title = "Plants",
                   .draw = [this](Ui& ui) { draw(ui); },
                   .offered = [this] { return plants_ != nullptr; },
                   .width = 600}};
  }

  // Another landscape has the plants of the files: those that were applied are applied again.
  void begin_run(const BegunRun& run) override {
    if (editor_ && dynamic_cast<const sim::LandscapeParameters*>(&run.made))
      for (const PlantEditor::Applied& plant : editor_->applied()) grow(plant);
  }

  void update(const FrameTime& time) override {
    plants_ = time.now->share<sim::landscape::PlantMeshes>();
    if (!editor_) return;
    editor_->update(time.seconds);
    for (const PlantEditor::Applied& plant : editor_->take_asked()) grow(plant);
    const auto* parameters = dynamic_cast<const LandscapeViewParameters*>(time.parameters);
    if (!parameters) return;
    seconds_ += time.seconds;
    render::landscape::Weather weather = weather_of(*parameters);
    weather.seconds = seconds_;
    editor_->draw_preview(weather);
  }

 private:
  void grow(const PlantEditor::Applied& plant) {
    requests_.inputs.emplace_back(sim::landscape::PlantChange{plant.kind, plant.grammar});
  }

  void draw(Ui& ui) {
    if (!editor_) try {
        editor_ = std::make_unique<PlantEditor>(opengl_, jobs_);
      } catch (const sim::Error& error) {
        return caption(ui, error.what());
      }
    editor_->draw(ui);
    if (const std::size_t first = editor_->kind() * sim::landscape::plant_variants; first < plants_->meshes.size())
      ui.ids.state("plant.landscape", std::to_string(plants_->meshes[first].triangles()));
  }

  render::OpenGl& opengl_;
  JobQueue& jobs_;
  std::shared_ptr<const sim::landscape::PlantMeshes> plants_;  // of the landscape shown; null: there is none
  std::unique_ptr<PlantEditor> editor_;                        // null until its tab is first drawn
  double seconds_ = 0;
};

}  // namespace

FeatureKind plants_feature() {
  return {.make = [](const SceneSetup& setup) -> std::unique_ptr<Feature> {
    return std::make_unique<PlantsFeature>(setup);
  }};
}

}  // namespace kinescope::app
