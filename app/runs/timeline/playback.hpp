// Which moment of a timeline is shown: the live one, one that a person chose, or all in turn.
//
// In a comparison other runs may last longer than this one. Playback can then go beyond this run's latest moment, which
// stays shown meanwhile.
#pragma once

#include <optional>

#include "app/runs/timeline/timeline.hpp"

namespace kinescope::app {

class Playback {
 public:
  double speed = 1;   // times the rate of advance()
  bool loop = false;  // from the end to the beginning

  // Other runs last as much longer as so many iterations of this run would take.
  void set_beyond(double iterations) { beyond_ = iterations; }
  // The last place on the strip: an iteration, perhaps beyond the latest moment's.
  double end(const Timeline& timeline) const;
  // How many iterations beyond the latest moment playback is; 0: it is not.
  double beyond(const Timeline& timeline) const;

  bool live() const { return !iteration_; }
  bool playing() const { return playing_; }
  // Index of the moment shown; nothing: the live one.
  std::optional<std::size_t> shown(const Timeline& timeline) const;

  void go_live();
  void show(double iteration);
  // Go one moment back or forward. Beyond the latest moment they go in 50 steps. The live moment comes last.
  void back(const Timeline& timeline);
  void forward(const Timeline& timeline);
  // Starts playing, from the moment shown, or from the first one if the live moment or the end is shown; or pauses.
  void toggle(const Timeline& timeline);
  // Moves on while it plays; at the end it pauses or, with `loop`, starts again. `rate`: iterations a second at speed
  // 1.
  void advance(double seconds, double rate, const Timeline& timeline);

 private:
  std::optional<double> iteration_;
  double beyond_ = 0;
  bool playing_ = false;
};

}  // namespace kinescope::app
