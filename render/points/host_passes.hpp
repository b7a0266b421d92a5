// ComputePainter's passes on the processor, for software OpenGL, whose compute shaders take many times longer: one
// round over the points finds the uppermost of each pixel, and if there are rims, halos or translucent points, a second
// round sums them. The formulas are those of shaders/points/point.glsl.
#pragma once

#include <cstdint>

#include "kinescope/executors/cpu.hpp"
#include "render/points/point_frame.hpp"

namespace kinescope::render {

class HostPasses {
 public:
  // What the passes write, [pixels] and [pixels × 4], as the shaders do; null: not wanted.
  struct Output {
    std::uint32_t* nearest = nullptr;
    std::uint32_t* winners = nullptr;
    std::uint32_t* sums = nullptr;
    float fixed_point = 1;
  };
  HostPasses() : cpu_(0) {}
  void run(const PointFrame& frame, const Output& output);

 private:
  sim::Cpu cpu_;
  std::vector<std::uint64_t> uppermost_;  // [pixels]: rank, index + 1
};

}  // namespace kinescope::render
