// The field's convolution on the CPU: line by line, eight values at a time, with each of the four sums in an array of
// its own. It computes the same as Convolve (mean_shift_cuda.cuh), but leaves out sums that are still zero. Along the
// first axis there is one sum, along the second there are two, and along the third three.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/lanes.hpp"
#include "sim/mean_shift/grids/field.hpp"

namespace kinescope::sim::mean_shift {

class FieldConvolution {
 public:
  // `taps` as in Convolve.
  FieldConvolution(Cpu& cpu, const FieldGrid& grid, const float* taps) : cpu_(cpu), grid_(grid), taps_(taps) {}

  // Computes all four sums in `to` from the densities in `from` (value[0]). Both may be the same array.
  void run(const Node* from, Node* to) {
    const auto count = static_cast<std::size_t>(grid_.count());
    for (int axis = 0; axis <= grid_.dimensions; ++axis)
      for (auto& side : sums_) side[axis] = Array<float, Cpu>(cpu_, count);
    cpu_.for_each("densities", grid_.count(), TakeDensity{from, sums_[0][0].data()});
    for (int axis = 0; axis < grid_.dimensions; ++axis) {
      convolve(axis);
      std::swap(sums_[0], sums_[1]);
    }
    PutNodes put{{nullptr, nullptr, nullptr, nullptr}, to};
    for (int axis = 0; axis <= grid_.dimensions; ++axis) put.sums[axis] = sums_[0][axis].data();
    cpu_.for_each("nodes", grid_.count(), put);
  }

 private:
  using Float8 = lanes::Float8;
  static constexpr int group = 4;  // number of vectors computed side by side

  struct TakeDensity {
    const Node* from;
    float* to;
    void operator()(std::int64_t i) const { to[i] = from[i].value[0]; }
  };
  struct PutNodes {
    const float* sums[4];
    Node* to;
    void operator()(std::int64_t i) const {
      for (int s = 0; s < 4; ++s) to[i].value[s] = sums[s] ? sums[s][i] : 0.0f;
    }
  };

  // Along the second and third axis, eight lines are computed side by side, and their values at one place are
  // neighbours in memory. Along the first axis one line is computed, and the neighbours are the next places. Either way
  // the next vector is eight floats further on, and the next place is `width` floats further on.
  void convolve(int axis) {
    std::int64_t inner = 1;
    for (int c = 0; c < axis; ++c) inner *= grid_.nodes[c];
    const std::int64_t length = grid_.nodes[axis], width = axis == 0 ? 1 : 8, blocks = (inner + width - 1) / width;
    const std::int64_t outer = grid_.count() / (inner * length);
    cpu_.tasks("convolve", outer * blocks, [=, this](std::int64_t task) {
      const std::int64_t first = task % blocks * width, lines = std::min(width, inner - first);
      for (int sum = 0; sum <= axis; ++sum)
        convolve_lines(axis, sum, task / blocks * length * inner + first, inner, lines, width);
    });
  }

  void convolve_lines(int axis, int sum, std::int64_t begin, std::int64_t inner, std::int64_t lines,
                      std::int64_t width) {
    const std::int64_t length = grid_.nodes[axis], pad = grid_.half_width * width;
    const std::int64_t vectors = (length * width + 7) / 8, rounded = (vectors + group - 1) / group * group;
    thread_local std::vector<float> line, even, odd;
    line.assign(static_cast<std::size_t>(8 * rounded + 2 * pad), 0.0f);
    even.resize(static_cast<std::size_t>(8 * rounded));
    odd.resize(even.size());
    const float* from = sums_[0][sum].data() + begin;
    const auto bytes = static_cast<std::size_t>(lines) * sizeof(float);
    for (std::int64_t p = 0; p < length; ++p) std::memcpy(line.data() + pad + p * width, from + p * inner, bytes);
    if (std::all_of(line.begin(), line.end(), [](float value) { return value == 0; })) {
      std::fill(even.begin(), even.end(), 0.0f);
      std::fill(odd.begin(), odd.end(), 0.0f);
    } else {
      for (std::int64_t v = 0; v < rounded; v += group)
        sum == 0 ? add_taps<true>(line.data() + pad + 8 * v, width, even.data() + 8 * v, odd.data() + 8 * v)
                 : add_taps<false>(line.data() + pad + 8 * v, width, even.data() + 8 * v, nullptr);
    }
    store(even, sums_[1][sum].data() + begin, length, inner, bytes, width);
    if (sum == 0) store(odd, sums_[1][axis + 1].data() + begin, length, inner, bytes, width);
  }

  static void store(const std::vector<float>& values, float* to, std::int64_t length, std::int64_t inner,
                    std::size_t bytes, std::int64_t width) {
    for (std::int64_t p = 0; p < length; ++p) std::memcpy(to + p * inner, values.data() + p * width, bytes);
  }

  template <bool with_odd>
  void add_taps(const float* centre, std::int64_t step, float* even_to, float* odd_to) const {
    const float* moments = taps_ + grid_.half_width + 1;
    Float8 even[group], odd[group];
    for (int g = 0; g < group; ++g) {
      even[g] = lanes::load<Float8>(centre + 8 * g) * taps_[0];
      odd[g] = lanes::broadcast(0);
    }
    for (std::int32_t m = 1; m <= grid_.half_width; ++m) {
      const Float8 tap = lanes::broadcast(taps_[m]), moment = lanes::broadcast(moments[m]);
      for (int g = 0; g < group; ++g) {
        const Float8 ahead = lanes::load<Float8>(centre + 8 * g + m * step),
                     behind = lanes::load<Float8>(centre + 8 * g - m * step);
        even[g] = lanes::fma(tap, ahead + behind, even[g]);
        if constexpr (with_odd) odd[g] = lanes::fma(moment, ahead - behind, odd[g]);
      }
    }
    for (int g = 0; g < group; ++g) {
      lanes::store(even_to + 8 * g, even[g]);
      if constexpr (with_odd) lanes::store(odd_to + 8 * g, odd[g]);
    }
  }

  Cpu& cpu_;
  const FieldGrid& grid_;
  const float* taps_;
  Array<float, Cpu> sums_[2][4];  // the four sums before and after convolving along an axis
};

}  // namespace kinescope::sim::mean_shift
