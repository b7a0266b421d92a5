// The earlier moments of the open run: kept while it runs, shown when a person asks for one.
#pragma once

#include <optional>
#include <string>

#include "app/runs/runner.hpp"
#include "app/runs/session.hpp"
#include "app/runs/timeline/playback.hpp"
#include "app/runs/timeline/shown_buffers.hpp"
#include "app/runs/timeline/timeline_feed.hpp"
#include "app/scenes/scene.hpp"

namespace kinescope::app {

class Past {
 public:
  // `keeps`: whether moments are kept, because somebody can look back at them. `waits`: as for TimelineFeed.
  Past(bool keeps, bool waits) : keeps_(keeps), feed_(waits) {}

  // From now on the scene draws the session's run: live, until a person looks back at an earlier moment. The timeline
  // is cleared, or if the run goes on from an iteration of the previous one, the moments before it stay.
  void begin_run(Scene& scene, Session& session);
  // Call once a frame before the scene's update. `rate`: iterations a second at which the timeline plays at speed 1.
  void frame(const render::SharedBuffers& live, const Runner& runner, double seconds, double rate);

  bool has_timeline() const { return keeps_ && !feed_.kept().empty(); }
  Timeline& timeline() { return timeline_; }
  Playback& playback() { return playback_; }
  // The moment that is shown; null: the live one. Valid until the next frame().
  const Moment* moment() const;
  // What the scene is to show: that moment, or the live run (null: there is none yet).
  FrameTime time(double seconds, const Runner* runner, sim::ParameterSet& parameters) const;
  // The iteration of the earlier moment that is to be shown; none: the live one.
  std::optional<long> wanted() const;
  // The values of that buffer at the earlier moment that is shown; empty if the live moment is shown, or if the buffer
  // is not kept.
  std::vector<float> values(const std::string& buffer) const;
  // True while the next frame will show another moment, or one is on its way into the timeline.
  bool moving() const { return playback_.playing() || feed_.busy() || wanted() != shown_; }

 private:
  const bool keeps_;
  Timeline timeline_;
  Playback playback_;
  ShownBuffers buffers_;
  std::optional<long> shown_;  // the iteration in buffers_
  TimelineFeed feed_;          // declared after the timeline, to which it adds moments
};

}  // namespace kinescope::app
