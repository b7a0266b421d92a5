#include "app/features/feature.hpp"

namespace kinescope::app {

#define KINESCOPE_FEATURE(name) FeatureKind name##_feature();
#include "app/features/features.inc"
#undef KINESCOPE_FEATURE

const std::vector<FeatureKind>& feature_kinds() {
  static const std::vector<FeatureKind> kinds = {
#define KINESCOPE_FEATURE(name) name##_feature(),
#include "app/features/features.inc"
#undef KINESCOPE_FEATURE
  };
  return kinds;
}

}  // namespace kinescope::app
