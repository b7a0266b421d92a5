#include "app/runs/timeline/shown_buffers.hpp"

namespace kinescope::app {

void ShownBuffers::follow(const render::DrawnBuffers& live) {
  live_ = &live;
  kept_.clear();
  show_live();
}

void ShownBuffers::show(const Moment& moment, const std::vector<KeptBuffer>& kept) {
  kept_.resize(moment.buffers.size());
  for (std::size_t i = 0; i < moment.buffers.size(); ++i) {
    const std::size_t bytes = sizeof(std::uint32_t) * moment.buffers[i].count();
    kept_[i].id = live_->find(kept[i].name);
    if (bytes == 0) continue;
    if (kept_[i].buffer.bytes() != bytes) kept_[i].buffer = render::Buffer(bytes);
    words_.resize(moment.buffers[i].count());
    moment.buffers[i].unpack(words_);
    kept_[i].buffer.write(0, bytes, words_.data());
  }
  past_ = true;
  ++shows_;
}

render::BufferView ShownBuffers::view(Id id) const {
  if (past_)
    for (const Kept& each : kept_)
      if (each.id == id && each.buffer) return each.buffer.view();
  return live_->view(id);
}

// The numbers of earlier moments begin at 2^63: no run publishes so often that a live number reaches them.
std::uint64_t ShownBuffers::generation() const {
  constexpr std::uint64_t past = std::uint64_t(1) << 63;
  if (!live_) return 0;
  return past_ ? past + shows_ : live_->generation();
}

}  // namespace kinescope::app
