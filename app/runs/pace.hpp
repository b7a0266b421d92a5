// How fast the open run goes.
#pragma once

#include <utility>

#include "app/runs/session.hpp"

namespace kinescope::app {

struct Pace {
  double now = 0, usual = 0;  // iterations a second; infinity: no limit. `usual`: for the open kind and data
  double budget_ms = 8;       // the most computing between two frames

  // Another pace is usual from now on; one that a person has chosen stays.
  void set_usual(double pace) {
    const double before = std::exchange(usual, pace);
    if (now == before) now = usual;
  }
  // Sets the pace of the session's run and of later ones.
  void give(Session& session) const {
    session.runner()->set_pace(now);
    session.runner()->set_budget(1e-3 * budget_ms);
    session.runner_options().pace = now;
    session.runner_options().budget_seconds = 1e-3 * budget_ms;
  }
};

}  // namespace kinescope::app
