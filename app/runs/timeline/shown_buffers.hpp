// What a scene draws from while its run has a timeline: the live buffers, or a kept moment in buffers of its own, while
// the run goes on. What the timeline does not keep is the live buffers' (what never changes during a run).
#pragma once

#include <vector>

#include "app/runs/timeline/timeline.hpp"
#include "render/shared/drawn_buffers.hpp"

namespace kinescope::app {

class ShownBuffers final : public render::DrawnBuffers {
 public:
  using render::DrawnBuffers::view;

  // `live` must outlive this, or the next call.
  void follow(const render::DrawnBuffers& live);
  void show_live() { past_ = false; }
  // `kept` says what the moment's buffers are.
  void show(const Moment& moment, const std::vector<KeptBuffer>& kept);

  std::optional<Id> find(std::string_view name) const override;
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
