#include "app/runs/registry.hpp"

#include <cassert>

#include "app/features/feature.hpp"
#include "app/scenes/scene.hpp"
#include "kinescope/data/normalize.hpp"

namespace kinescope::sim {
#define KINESCOPE_SIMULATION(name) const SimulationKind& name##_kind();
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION
}  // namespace kinescope::sim

namespace kinescope::app {

#define KINESCOPE_FEATURE(name) FeatureKind name##_feature();
#include "app/features.inc"
#undef KINESCOPE_FEATURE
#define KINESCOPE_SIMULATION(name) SceneKind name##_scene();
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION

namespace {

struct Entry {
  sim::SimulationKind kind;  // its parameters include those of its scene
  SceneKind scene;

  Entry(const sim::SimulationKind& simulation, const SceneKind& own) : kind(simulation), scene(own) {
    if (own.make_parameters) kind.make_parameters = own.make_parameters;
  }
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> entries = {
#define KINESCOPE_SIMULATION(name) {sim::name##_kind(), name##_scene()},
#include "app/simulations.inc"
#undef KINESCOPE_SIMULATION
  };
  return entries;
}

}  // namespace

const std::vector<FeatureKind>& feature_kinds() {
  static const std::vector<FeatureKind> kinds = {
#define KINESCOPE_FEATURE(name) name##_feature(),
#include "app/features.inc"
#undef KINESCOPE_FEATURE
  };
  return kinds;
}

const std::vector<const sim::SimulationKind*>& simulation_kinds() {
  static const std::vector<const sim::SimulationKind*> kinds = [] {
    std::vector<const sim::SimulationKind*> all;
    for (const Entry& entry : entries()) all.push_back(&entry.kind);
    return all;
  }();
  return kinds;
}

const sim::SimulationKind* find_simulation(std::string_view name) {
  for (const sim::SimulationKind* kind : simulation_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

std::unique_ptr<sim::ParameterSet> first_parameters(const sim::SimulationKind& kind) {
  std::unique_ptr<sim::ParameterSet> parameters = kind.make_parameters();
  if (auto* normalize = parameters->find<sim::NormalizeParameter>()) normalize->assign(sim::Normalization::automatic);
  return parameters;
}

const SceneKind& scene_of(const sim::SimulationKind& kind) {
  for (const Entry& entry : entries())
    if (entry.kind.name == kind.name) return entry.scene;
  assert(!"a simulation without a scene");
  return entries().front().scene;
}

}  // namespace kinescope::app
