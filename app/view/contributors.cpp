#include "app/view/contributors.hpp"

#include <algorithm>
#include <utility>

#include "app/runs/registry.hpp"

namespace kinescope::app {
namespace {

SceneSetup with_layers(SceneSetup setup, const sim::SimulationKind& kind) {
  setup.kind = &kind;
  for (const FeatureKind& feature : feature_kinds())
    if (feature.make_layer) setup.layers.push_back(feature.make_layer);
  return setup;
}

}  // namespace

Contributors::Contributors(SceneSetup setup, const sim::SimulationKind& kind)
    : setup_(with_layers(std::move(setup), kind)), scene_(scene_of(kind).make(setup_, look_)) {
  for (const FeatureKind& feature : feature_kinds())
    if (feature.make) join(*own_.emplace_back(feature.make(setup_)));
}

bool Contributors::choose_scene(Session& session) {
  const SceneKind& shown = scene_of(session.kind());
  const int look = shown.look ? shown.look(session.data().get(), session.made_parameters()) : 0;
  const bool other_kind = std::exchange(setup_.kind, &session.kind()) != &session.kind();
  const bool other_look = std::exchange(look_, look) != look;
  if (other_kind || other_look) scene_ = shown.make(setup_, look);
  return other_kind;
}

void Contributors::begin_run(Session& session, Past& past) {
  past.begin_run(*scene_, session);
  const auto data = session.data();
  for (Feature* feature : features_)
    feature->begin_run({session.kind(), data, session.request(), session.made_parameters()});
}

void Contributors::update(const FrameTime& time) {
  FrameTime now = time;
  now.rows = scene_->chosen_rows();
  for (Feature* feature : features_) feature->update(now);
}

bool Contributors::moving() const {
  return scene_->moving() || std::ranges::any_of(features_, [](const Feature* feature) { return feature->moving(); });
}

std::vector<Requests> Contributors::take_requests() {
  std::vector<Requests> all{scene_->take_requests()};
  for (Feature* feature : features_) all.push_back(feature->take_requests());
  return all;
}

void Contributors::keep_state(KeptState& state) {
  scene_->keep_state(state);
  for (Feature* feature : features_) feature->keep_state(state);
}

std::vector<const Tab*> Contributors::offered(std::vector<Tab> Contributions::*tabs) const {
  std::vector<const Tab*> all;
  each([&](const Contributions& adds) {
    for (const Tab& tab : adds.*tabs)
      if (!tab.offered || tab.offered()) all.push_back(&tab);
  });
  return all;
}

std::vector<CurveMark> Contributors::marks() const {
  std::vector<CurveMark> all;
  each([&](const Contributions& adds) {
    if (!adds.marks) return;
    for (CurveMark& mark : adds.marks()) all.push_back(std::move(mark));
  });
  return all;
}

Explanations Contributors::figures() const {
  Explanations all;
  each([&](const Contributions& adds) { all.insert(all.end(), adds.figures.begin(), adds.figures.end()); });
  return all;
}

std::string Contributors::meaning_of_phase(const std::string& phase) const {
  std::string meaning;
  each([&](const Contributions& adds) {
    for (const auto& [name, text] : adds.phases)
      if (name == phase) meaning = text;
  });
  return meaning;
}

void Contributors::draw_sections(Ui& ui, Section::Panel panel) const {
  each([&](const Contributions& adds) {
    for (const Section& section : adds.sections)
      if (section.panel == panel) section.draw(ui);
  });
}

bool Contributors::find() const {
  bool found = false;
  each([&](const Contributions& adds) { found = found || (adds.find && adds.find()); });
  return found;
}

bool Contributors::close_something() const {
  bool closed = false;
  each([&](const Contributions& adds) { closed = closed || (adds.close && adds.close()); });
  return closed;
}

}  // namespace kinescope::app
