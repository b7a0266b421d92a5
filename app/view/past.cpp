#include "app/view/past.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kinescope::app {

void Past::begin_run(Scene& scene, Session& session) {
  scene.set_data(session.data(), session.made_parameters());
  buffers_.follow(*session.buffers());
  scene.set_run(buffers_, *session.runner());
  feed_.begin(keeps_ ? scene.kept_buffers() : std::vector<KeptBuffer>());
  session.rewound_to() ? timeline_.forget_from(*session.rewound_to()) : timeline_.clear();
  playback_.go_live();
  shown_.reset();
}

void Past::frame(const render::SharedBuffers& live, const Runner& runner, double seconds, double rate) {
  if (!has_timeline()) return;
  const long before = timeline_.empty() ? 0 : timeline_.latest().iteration();
  feed_.frame(live, runner.published(), runner.published_events(), timeline_);
  if (timeline_.empty() || timeline_.latest().iteration() < before) playback_.go_live();  // the run was restarted
  // A run whose pace is unlimited is played back in about ten seconds.
  constexpr double whole_seconds = 10;
  if (!std::isfinite(rate) && !timeline_.empty()) rate = playback_.end(timeline_) / whole_seconds;
  playback_.advance(seconds, rate, timeline_);

  const std::optional<long> next = wanted();
  if (next == shown_) return;
  shown_ = next;
  if (const Moment* now = moment())
    buffers_.show(*now, feed_.kept());
  else
    buffers_.show_live();
}

std::optional<long> Past::wanted() const {
  const Moment* now = moment();
  return now ? std::optional(now->iteration()) : std::nullopt;
}

const Moment* Past::moment() const {
  const auto index = playback_.shown(timeline_);
  return index ? &timeline_[*index] : nullptr;
}

FrameTime Past::time(double seconds, const Runner* runner, sim::ParameterSet& parameters) const {
  static const auto nothing = std::make_shared<const sim::Snapshot>();
  if (const Moment* earlier = moment()) return {seconds, earlier->snapshot, earlier->snapshot, &parameters, true};
  if (!runner) return {seconds, nothing, nothing, &parameters, false};
  return {seconds, runner->snapshot(), runner->published(), &parameters, false};
}

std::vector<float> Past::values(const std::string& buffer) const {
  const Moment* now = moment();
  for (std::size_t i = 0; now && i < feed_.kept().size(); ++i) {
    if (feed_.kept()[i].name != buffer) continue;
    std::vector<std::uint32_t> words(now->buffers[i].count());
    now->buffers[i].unpack(words);
    std::vector<float> values(words.size());
    std::ranges::transform(words, values.begin(), [](std::uint32_t word) { return std::bit_cast<float>(word); });
    return values;
  }
  return {};
}

}  // namespace kinescope::app
