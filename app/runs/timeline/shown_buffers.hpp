// What a scene draws from while its run has a timeline: the live buffers, or a kept moment in buffers of its own, so
// that the run can go on. Buffers that the timeline does not keep, because they never change during a run, are always
// the live ones.
#pragma once

#include <vector>

#include "app/runs/timeline/timeline.hpp"
#include "render/shared/drawn_buffers.hpp"

namespace kinescope::app {

class ShownBuffers final : public render::DrawnBuffers {
 public:
  using render::DrawnBuffers::view;

  // `live` must stay valid until the next call, or until this is destroyed.
  void follow(const render::DrawnBuffers& live);
  void show_live() { past_ = false; }
  // `kept` says which buffers the moment's are, in the same order.
  void show(const Moment& moment, const std::vector<KeptBuffer>& kept);

  std::optional<Id> find(std::string_view name) const override { return live_ ? live_->find(name) : std::nullopt; }
  render::BufferView view(Id id) const override;
  std::uint64_t generation() const override;

 private:
  struct Kept {
    std::optional<Id> id;
    render::Buffer buffer;
  };
  const render::DrawnBuffers* live_ = nullptr;
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> words_;
  std::uint64_t shows_ = 0;
  bool past_ = false;
};

}  // namespace kinescope::app
