// The landscape's presets: the files of assets/presets, which the build puts into the program.
#pragma once

#include <string>
#include <vector>

namespace kinescope::app {

struct LandscapePreset {
  std::string name, text;  // as in the file
};

const std::vector<LandscapePreset>& landscape_presets();

}  // namespace kinescope::app
