// One of the runs that are compared with the first run (comparison.hpp).
#pragma once

#include <string>
#include <utility>

#include "app/view/comparison.hpp"

namespace kinescope::app {

struct Comparison::Companion {
  Companion(std::string name, const Session& first, const SessionOptions& options, bool keeps)
      : algorithm(std::move(name)),
        session(first.kind(), first.kind().make_parameters(), options),
        past(keeps, options.runner.steps > 0) {}

  const std::string algorithm;
  Session session;
  std::unique_ptr<Scene> scene;  // null before its first picture
  Past past;
  sim::Progress progress;
  sim::History history;
  Clock clock;
  std::string measured, failure;
  bool drawn_to_end = false;
};

}  // namespace kinescope::app
