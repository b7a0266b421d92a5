// Which moment of a timeline is shown: the live one, one that a person chose, or one after the other.
//
// Other runs beside this one may last longer. Then one can go beyond its latest moment, which stays shown meanwhile.
#pragma once

#include <optional>

#include "app/runs/timeline/timeline.hpp"

namespace kinescope::app {

class Playback {
 public:
  double speed = 1;   // times the rate of advance()
  bool loop = false;  // from the end to the beginning

  // Other runs go on for as long as so many more iterations would take.
  void set_beyond(double iterations) { beyond_ = iterations; }
  // The last place on the strip: an iteration, perhaps beyond the latest.
  double end(const Timeline& timeline) const;
  // How far beyond the latest moment is shown.
  double beyond(const Timeline& timeline) const;

  bool live() const { return !iteration_; }
  bool playing() const { return playing_; }
  // Index of the moment shown; nothing: the live one.
  std::optional<std::size_t> shown(const Timeline& timeline) const;

  void go_live();
  void show(double iteration);
  // One moment back or forward, and beyond the latest one of 50 steps; after all of them comes the live one.
  void back(const Timeline& timeline);
  void forward(const Timeline& timeline);
  // Plays from the moment shown, from the beginning if there is nothing to come; or pauses.
  void toggle(const Timeline& timeline);
  // Moves on while it plays; at the end it pauses or begins anew. `rate`: iterations a second at speed 1.
  void advance(double seconds, double rate, const Timeline& timeline);

 private:
  std::optional<double> iteration_;
  double beyond_ = 0;
  bool playing_ = false;
};

}  // namespace kinescope::app
