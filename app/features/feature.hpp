// A feature adds something to the window for all runs that it suits: a plot, a tab, marks on the curve, a layer of
// points. It is the file NAME_feature.cpp, which the build finds anywhere below app/features; no scene knows it. What
// it shows it reads from the run's snapshot and the data, and what it asks for it puts into its requests.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/scenes/contributions.hpp"
#include "app/scenes/kept_state.hpp"
#include "app/scenes/points/point_layer.hpp"
#include "app/scenes/scene.hpp"
#include "kinescope/data/load.hpp"

namespace kinescope::app {

// What a feature is told of a run that begins.
struct BegunRun {
  const sim::SimulationKind& kind;
  const std::shared_ptr<const sim::Dataset>& data;  // null if the simulation takes none
  const sim::DataRequest& request;                  // with which the data were opened
  sim::ParameterSet& made;                          // with which the run was made
};

class Feature {
 public:
  virtual ~Feature() = default;

  // What the feature adds to the window. Set once, when it is made; Tab::offered says whether it suits the run.
  const Contributions& adds() const { return adds_; }
  Requests take_requests() { return std::exchange(requests_, {}); }

  virtual void begin_run(const BegunRun&) {}  // another run is shown from now on
  // Once a frame.
  virtual void update(const FrameTime&) {}
  // True while it will change without new data from the simulation.
  virtual bool moving() const { return false; }
  // What a session keeps of it, under names that nothing else uses.
  virtual void keep_state(KeptState&) {}

 protected:
  Contributions adds_;
  Requests requests_;
};

// A feature's file NAME_feature.cpp defines `FeatureKind NAME_feature()`.
struct FeatureKind {
  // Null: it adds only layers.
  std::unique_ptr<Feature> (*make)(const SceneSetup& setup) = nullptr;
  // A layer for each scene of points; it may return null. A null function: there is none.
  std::unique_ptr<PointLayer> (*make_layer)(const SceneSetup& setup) = nullptr;
};

const std::vector<FeatureKind>& feature_kinds();

}  // namespace kinescope::app
