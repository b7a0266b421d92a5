// Everything that a user meets when a scene starts: each simulation with its cases, dimensions, methods and data.
#pragma once

#include <string>
#include <vector>

namespace kinescope::tests {

struct Variant {
  std::string scene, name;
  std::vector<std::string> arguments;  // after `view SCENE`
  long frames = 12, steps = 5;         // the picture is that of the last of so many frames, of so many iterations each
  bool only_cuda = false;              // there is no such thing on the CPU: the reference leaves the last setting out
};

// `picture` is a picture file for the simulations that take one; `presets` the folder of the landscape's presets.
std::vector<Variant> variants(const std::string& picture, const std::string& presets);

}  // namespace kinescope::tests
