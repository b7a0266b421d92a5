// The points in the host's memory, laid out in panels for SIMD lanes: all at once or, if they may not take so much
// memory, one part at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "sim/core/array.hpp"
#include "sim/core/executors/cpu.hpp"
#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

template <>
class HostMemory<Cpu> {
 public:
  HostMemory(Cpu&, const std::shared_ptr<SharedMemory>&, bool) {}
  bool registered() const { return false; }
  const float* readable(std::span<const float> values) const { return values.data(); }
  void take(std::span<std::int64_t> to, const std::int64_t* from) { std::copy_n(from, to.size(), to.begin()); }
};

template <>
class PointParts<Cpu> {
 public:
  // The points may take up to `megabytes`; 0: as much as they need.
  PointParts(Cpu& cpu, std::shared_ptr<const Dataset> data, std::int64_t megabytes, std::int64_t, Rows rows, int = 1)
      : cpu_(cpu), data_(std::move(data)), rows_(rows) {
    all_ = {nullptr, rows.count, static_cast<int>(data_->dimensions), 0, rows.count};
    if (rows.count == 0) return;
    const std::int64_t row = static_cast<std::int64_t>(data_->dimensions * sizeof(float)),
                       all_panels = all_.panels() * panel;
    most_ = all_panels;
    if (megabytes > 0) most_ = std::clamp((megabytes << 20) / row / panel * panel, std::int64_t{panel}, all_panels);
    panels_ = Array<float, Cpu>(cpu, static_cast<std::size_t>(most_ * all_.dimensions));
    if (most_ == all_panels) all_.x = part(0).x;
  }

  const Points& all() const { return all_; }
  std::int64_t most() const { return std::min(most_, all_.count); }
  template <class F>
  void for_each(F f) {
    if (all_.x) return f(std::as_const(all_));
    for (std::int64_t done = 0; done < all_.count; done += most_) f(part(done));
  }

 private:
  Points part(std::int64_t begin) {
    const std::int64_t d = all_.dimensions;
    const std::int64_t left = all_.count - begin;
    const Points points{panels_.data(), std::min(most_, left), all_.dimensions, begin, all_.total};
    const std::int64_t chunks = std::clamp<std::int64_t>(points.panels() / 64, 1, 64);
    cpu_.tasks("lay out", chunks, [&](std::int64_t chunk) {
      for (std::int64_t p = points.panels() * chunk / chunks; p < points.panels() * (chunk + 1) / chunks; ++p)
        lay_out(data_->values.data() + (rows_.first + begin + p * panel) * d,
                std::min<std::int64_t>(panel, points.count - p * panel), d, panels_.data() + p * panel * d);
    });
    return points;
  }
  static void lay_out(const float* rows, std::int64_t present, std::int64_t d, float* to) {
    for (std::int64_t i = 0; i < panel; ++i)
      for (std::int64_t c = 0; c < d; ++c) to[c * panel + i] = i < present ? rows[i * d + c] : 0;
  }

  Cpu& cpu_;
  std::shared_ptr<const Dataset> data_;
  Rows rows_;
  Points all_;
  std::int64_t most_ = 0;  // points in the largest part, a multiple of 128
  Array<float, Cpu> panels_;
};

}  // namespace kinescope::sim::k_means
