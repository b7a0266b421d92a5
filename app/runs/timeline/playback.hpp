// Which moment of a timeline is shown: the live one, one that a person chose, or one after the other.
#pragma once

#include <optional>

#include "app/runs/timeline/timeline.hpp"

namespace kinescope::app {

class Playback {
 public:
  double speed = 1;   // times the rate of advance()
  bool loop = false;  // from the end to the beginning

  bool live() const { return !iteration_; }
  bool playing() const { return playing_; }
  // Index of the moment shown; nothing: the live one.
  std::optional<std::size_t> shown(const Timeline& timeline) const;

  void go_live();
  void show(long iteration);
  // One moment back or forward; beyond the latest lies the live one.
  void back(const Timeline& timeline);
  void forward(const Timeline& timeline);
  // Plays from the moment shown, from the beginning if there is nothing to come; or pauses.
  void toggle(const Timeline& timeline);
  // Moves on while it plays; at the end it pauses or begins anew. `rate`: iterations a second at speed 1.
  void advance(double seconds, double rate, const Timeline& timeline);

 private:
  std::optional<double> iteration_;
  bool playing_ = false;
};

}  // namespace kinescope::app
