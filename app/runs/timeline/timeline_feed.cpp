#include "app/runs/timeline/timeline_feed.hpp"

namespace kinescope::app {
namespace {

// Packing takes at most a twentieth of one processor's time. With very many points fewer moments are kept.
constexpr int rest_per_packing = 19;

}  // namespace

void TimelineFeed::begin(std::vector<KeptBuffer> kept) {
  jobs_.drain();
  kept_ = std::move(kept);
  fetched_.clear();
  fetched_.resize(kept_.size());
  generation_ = 0;
  seen_.reset();
  fetching_ = packing_ = false;
  due_ = {};
}

void TimelineFeed::frame(const render::DrawnBuffers& live, const std::shared_ptr<const sim::Snapshot>& snapshot,
                         std::size_t events, Timeline& timeline) {
  waits_ ? jobs_.drain() : jobs_.poll();
  if (fetching_) fetch(timeline);
  if (kept_.empty() || fetching_ || packing_ || live.generation() == generation_ || Clock::now() < due_) return;
  generation_ = live.generation();
  // A publication without a new iteration, because a parameter of the picture changed, is no new moment. The end of the
  // run is one: clusters get their numbers there.
  const std::pair now(snapshot->progress.iteration, snapshot->progress.converged);
  if (std::exchange(seen_, now) == now) return;
  moment_ = {snapshot, events, {}};
  request(live);
  if (waits_) fetch(timeline);
}

void TimelineFeed::request(const render::DrawnBuffers& live) {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const std::optional<render::DrawnBuffers::Id> id = live.find(kept_[i].name);
    const render::BufferView view = id ? live.view(*id) : render::BufferView{};
    const std::size_t words = std::size_t(view.bytes) / sizeof(std::uint32_t);
    if (std::exchange(fetched_[i].words, words) != words) fetched_[i].readback.reset();
    if (words == 0) continue;
    if (!fetched_[i].readback) fetched_[i].readback.emplace(words * sizeof(std::uint32_t));
    fetched_[i].readback->request(view.buffer, view.offset);
  }
  fetching_ = true;
}

// Copies become ready in the order of their requests: once the last is ready, all are.
void TimelineFeed::fetch(Timeline& timeline) {
  std::vector<const std::uint32_t*> fetched(kept_.size(), nullptr);
  for (std::size_t i = kept_.size(); i-- > 0;) {
    if (!fetched_[i].readback || fetched_[i].words == 0) continue;
    fetched[i] = fetched_[i].readback->take(waits_);
    if (!fetched[i]) return;
  }
  fetching_ = false;
  packing_ = true;
  jobs_.post([this, fetched = std::move(fetched), &timeline]() -> JobQueue::Then {
    const auto begin = Clock::now();
    auto packed = std::make_shared<Moment>(pack(fetched));
    return [this, packed, took = Clock::now() - begin, &timeline] {
      packing_ = false;
      due_ = waits_ ? Clock::time_point() : Clock::now() + rest_per_packing * took;
      timeline.add(std::move(*packed));
    };
  });
}

Moment TimelineFeed::pack(const std::vector<const std::uint32_t*>& fetched) {
  Moment moment = moment_;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const std::span<const std::uint32_t> words(fetched[i], fetched[i] ? fetched_[i].words : 0);
    moment.buffers.push_back(PackedBuffer::pack(words, kept_[i], fetched_[i].earlier));
    fetched_[i].earlier = moment.buffers.back().whole();
  }
  return moment;
}

}  // namespace kinescope::app
