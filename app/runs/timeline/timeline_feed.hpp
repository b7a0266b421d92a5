// Keeps what a run publishes: copies it on the GPU, fetches the copy some frames later, and packs it on a thread of its
// own, so that neither the window nor the run waits.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/runs/job_queue.hpp"
#include "app/runs/timeline/timeline.hpp"
#include "render/gl/readback.hpp"
#include "render/shared/drawn_buffers.hpp"

namespace kinescope::app {

class TimelineFeed {
 public:
  // `waits`: frame() waits for copies and for packing, so that a frame depends on its number alone. What is new in one
  // frame is then in the timeline in the next.
  explicit TimelineFeed(bool waits) : waits_(waits) {}

  // Begins with another run, of which these buffers are to be kept.
  void begin(std::vector<KeptBuffer> kept);
  // Call once a frame: `live` shows what was published with `snapshot`, after so many events.
  void frame(const render::DrawnBuffers& live, const std::shared_ptr<const sim::Snapshot>& snapshot, std::size_t events,
             Timeline& timeline);
  const std::vector<KeptBuffer>& kept() const { return kept_; }
  bool busy() const { return fetching_ || packing_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Fetched {
    std::optional<render::Readback> readback;
    std::size_t words = 0;
    std::shared_ptr<const PackedBuffer::Whole> earlier;
  };
  void request(const render::DrawnBuffers& live);
  void fetch(Timeline& timeline);
  Moment pack(const std::vector<const std::uint32_t*>& fetched);

  const bool waits_;
  std::vector<KeptBuffer> kept_;
  std::vector<Fetched> fetched_;
  Moment moment_;                              // whose buffers are being fetched
  std::uint64_t generation_ = 0;               // the latest that was looked at
  std::optional<std::pair<long, bool>> seen_;  // iteration of the latest moment requested, and whether it was the end
  bool fetching_ = false, packing_ = false;
  Clock::time_point due_;  // no moment is requested before this time
  JobQueue jobs_;          // declared last: it ends before what it reads is destroyed
};

}  // namespace kinescope::app
