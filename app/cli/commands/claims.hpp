// The figures of quality that the documents state, which `bench claims` measures again.
#pragma once

#include <vector>

namespace kinescope::app {

struct Claim {
  const char* simulation;
  const char* data;      // a published file's name, or made data; "": none
  const char* settings;  // "a=b c=d"
  const char* figure;    // its key in the report
  const char* stated;    // as the documents write it
};

const std::vector<Claim>& claims();

}  // namespace kinescope::app
