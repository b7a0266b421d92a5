// For layouts: how faithful they are, and where they are wrong.
#include "app/features/feature.hpp"
#include "app/features/quality/quality_layer.hpp"
#include "kinescope/glimmer/glimmer.hpp"

namespace kinescope::app {

FeatureKind quality_feature() {
  return {.make_layer = [](const SceneSetup& setup) -> std::unique_ptr<PointLayer> {
    if (!setup.kind || setup.kind->name != sim::glimmer_kind().name) return nullptr;
    return std::make_unique<QualityLayer>(setup.repeatable);
  }};
}

}  // namespace kinescope::app
