// All that contributes to the window: the scene that is shown, and the features.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/features/feature.hpp"
#include "app/runs/session.hpp"
#include "app/scenes/scene.hpp"
#include "app/view/past.hpp"

namespace kinescope::app {

class Contributors {
 public:
  // Begins with this kind's scene. `setup` is without layers: they come from the features.
  Contributors(SceneSetup setup, const sim::SimulationKind& kind);

  // A part of the window that is a feature too; it must stay while frames are drawn.
  void join(Feature& feature) { features_.push_back(&feature); }

  Scene& scene() { return *scene_; }
  const Scene& scene() const { return *scene_; }
  const SceneSetup& setup() const { return setup_; }

  // Call when another run has taken over: makes the scene that suits it, if it is another one. True if it is the scene
  // of another kind; nothing of the previous one is kept.
  bool choose_scene(Session& session);
  // Call it then: shows the run, whose earlier moments come from `past`.
  void begin_run(Session& session, Past& past);
  void update(const FrameTime& time);  // the features; the scene is updated with those beside it
  bool moving() const;
  std::vector<Requests> take_requests();

  void keep_state(KeptState& state);  // what a session keeps of the view

  std::vector<const Tab*> offered(std::vector<Tab> Contributions::*tabs) const;
  std::vector<CurveMark> marks() const;
  Explanations figures() const;
  std::string meaning_of_phase(const std::string& phase) const;  // "": none is known
  void draw_sections(Ui& ui, Section::Panel panel) const;
  bool find() const;             // begins a search; false if there is nothing to search
  bool close_something() const;  // false if there is nothing that Escape closes

 private:
  // Calls f(contributions) for the scene and each feature.
  template <class F>
  void each(F&& f) const {
    f(scene_->adds());
    for (const Feature* feature : features_) f(feature->adds());
  }

  SceneSetup setup_;
  int look_ = 0;  // of scene_, as SceneKind numbers them
  std::unique_ptr<Scene> scene_;
  std::vector<std::unique_ptr<Feature>> own_;
  std::vector<Feature*> features_;  // own_, and those that have joined
};

}  // namespace kinescope::app
