// Everything that a user meets when a scene starts: each simulation with its cases, dimensions, methods and data.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinescope::tests {

struct Variant {
  std::string scene, name;
  std::vector<std::string> arguments;  // after `view SCENE`
  long frames = 12, steps = 5;         // the picture shows the last of `frames` frames, each of `steps` iterations
  bool only_cuda = false;              // the last setting exists on CUDA only: the reference is drawn without it
  std::size_t block = 4;               // pictures are compared by the mean colours of blocks of this many pixels a side
};

// `picture` is a picture file for the simulations that take one ("": none); `presets` is the folder of the landscape's
// presets.
std::vector<Variant> variants(const std::string& picture, const std::string& presets);

}  // namespace kinescope::tests
