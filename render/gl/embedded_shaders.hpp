// The shaders' texts, which the build puts into the binary.
#pragma once

#include <string_view>
#include <vector>

namespace kinescope::render {

struct EmbeddedShader {
  std::string_view path;  // relative to shaders/
  std::string_view text;
};

const std::vector<EmbeddedShader>& embedded_shaders();

}  // namespace kinescope::render
