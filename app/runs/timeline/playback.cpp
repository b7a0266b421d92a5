#include "app/runs/timeline/playback.hpp"

#include <algorithm>

namespace kinescope::app {
namespace {

constexpr double steps_beyond = 50;

}  // namespace

double Playback::end(const Timeline& timeline) const {
  return timeline.empty() ? 0 : double(timeline.latest().iteration()) + beyond_;
}

double Playback::beyond(const Timeline& timeline) const {
  if (!iteration_ || timeline.empty()) return 0;
  return std::clamp(*iteration_ - double(timeline.latest().iteration()), 0.0, beyond_);
}

std::optional<std::size_t> Playback::shown(const Timeline& timeline) const {
  if (!iteration_ || timeline.empty()) return std::nullopt;
  return timeline.index_at(long(*iteration_));
}

void Playback::go_live() {
  iteration_.reset();
  playing_ = false;
}

void Playback::show(double iteration) {
  iteration_ = iteration;
  playing_ = false;
}

// From the live moment it goes to the moment before the latest: the latest is taken to show what the live one shows.
void Playback::back(const Timeline& timeline) {
  if (timeline.empty()) return;
  if (const double ahead = live() ? beyond_ : beyond(timeline); ahead > 0)
    return show(double(timeline.latest().iteration()) + std::max(0.0, ahead - beyond_ / steps_beyond));
  const std::size_t now = shown(timeline).value_or(timeline.size() - 1);
  show(double(timeline[now > 0 ? now - 1 : 0].iteration()));
}

void Playback::forward(const Timeline& timeline) {
  const auto now = shown(timeline);
  if (!now) return go_live();
  if (*now + 1 < timeline.size()) return show(double(timeline[*now + 1].iteration()));
  const double ahead = beyond(timeline) + beyond_ / steps_beyond;
  ahead > 0 && ahead <= beyond_ ? show(double(timeline.latest().iteration()) + ahead) : go_live();
}

void Playback::toggle(const Timeline& timeline) {
  if (timeline.empty()) return;
  playing_ = !playing_;
  if (!playing_) return;
  if (!iteration_ || *iteration_ >= end(timeline)) iteration_ = double(timeline[0].iteration());
}

void Playback::advance(double seconds, double rate, const Timeline& timeline) {
  if (!playing_ || !iteration_ || timeline.empty()) return;
  *iteration_ += seconds * rate * speed;
  const double last = end(timeline);
  if (*iteration_ < last) return;
  // A loop stays at the end for a moment, for the eye, before it starts again.
  constexpr double pause_seconds = 0.5;
  if (!loop)
    show(last);
  else if (*iteration_ > last + pause_seconds * rate * speed)
    iteration_ = double(timeline[0].iteration());
}

}  // namespace kinescope::app
