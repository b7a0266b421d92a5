// The figures of quality that the documents state, which `bench claims` measures again.
#pragma once

#include <vector>

namespace kinescope::app {

// A figure of a run.
struct Claim {
  const char* simulation;
  const char* data;      // a published file's name, or made data; "": none
  const char* settings;  // "a=b c=d"
  const char* figure;    // its key in the report, or agreement
  const char* stated;    // as the documents write it
};

// The share of the points whose class and whose cluster each have most of their points in the other. So two clusters of
// one class, or two classes in one cluster, count once.
inline constexpr const char* agreement = "labels";

// A figure of an experiment: the value of the row with this method and data.
struct ExperimentClaim {
  const char* simulation;
  const char* experiment;
  const char* method;
  const char* data;
  const char* stated;
};

// Claims of one run (simulation, data, settings) stand one after the other.
const std::vector<Claim>& claims();
const std::vector<ExperimentClaim>& experiment_claims();

}  // namespace kinescope::app
