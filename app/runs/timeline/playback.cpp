#include "app/runs/timeline/playback.hpp"

namespace kinescope::app {

std::optional<std::size_t> Playback::shown(const Timeline& timeline) const {
  if (!iteration_ || timeline.empty()) return std::nullopt;
  return timeline.index_at(long(*iteration_));
}

void Playback::go_live() {
  iteration_.reset();
  playing_ = false;
}

void Playback::show(long iteration) {
  iteration_ = double(iteration);
  playing_ = false;
}

// From the live moment back is the latest that was kept, unless that shows the same.
void Playback::back(const Timeline& timeline) {
  if (timeline.empty()) return;
  const std::size_t now = shown(timeline).value_or(timeline.size() - 1);
  show(timeline[now > 0 ? now - 1 : 0].iteration());
}

void Playback::forward(const Timeline& timeline) {
  const auto now = shown(timeline);
  if (!now || *now + 1 >= timeline.size()) return go_live();
  show(timeline[*now + 1].iteration());
}

void Playback::toggle(const Timeline& timeline) {
  if (timeline.empty()) return;
  playing_ = !playing_;
  if (!playing_) return;
  const auto now = shown(timeline);
  if (!now || *now + 1 >= timeline.size()) iteration_ = double(timeline[0].iteration());
}

void Playback::advance(double seconds, double rate, const Timeline& timeline) {
  if (!playing_ || !iteration_ || timeline.empty()) return;
  *iteration_ += seconds * rate * speed;
  const auto end = double(timeline.latest().iteration());
  if (*iteration_ < end) return;
  // At the end the eye needs a moment before it begins anew.
  constexpr double pause_seconds = 0.5;
  if (!loop)
    show(timeline.latest().iteration());
  else if (*iteration_ > end + pause_seconds * rate * speed)
    iteration_ = double(timeline[0].iteration());
}

}  // namespace kinescope::app
