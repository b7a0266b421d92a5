// The points in the host's memory, laid out in panels for SIMD lanes: all at once or, if they may not take so much
// memory, one part at a time. Also passes over their columns.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/lanes.hpp"
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
  PointParts(Cpu& cpu, std::shared_ptr<const Dataset> data, std::int64_t megabytes, std::int64_t, Rows rows, int = 1,
             Dataset* given = nullptr)
      : cpu_(cpu), data_(std::move(data)), rows_(rows) {
    all_ = {nullptr, rows.count, static_cast<int>(data_->dimensions), 0, rows.count};
    if (rows.count == 0) return;
    const std::int64_t row = static_cast<std::int64_t>(data_->dimensions * sizeof(float)),
                       all_panels = all_.panels() * panel;
    most_ = all_panels;
    if (megabytes > 0) most_ = std::clamp((megabytes << 20) / row / panel * panel, std::int64_t{panel}, all_panels);
    const auto numbers = static_cast<std::size_t>(most_ * all_.dimensions);
    if (given && most_ == all_panels && given->rest().empty() && !given->values().is_borrowed() &&
        given->rows().values.own().capacity() >= numbers) {
      taken_ = std::move(given->rows().values.own());
      taken_.resize(numbers);
      lay_out_in_place();
      all_.x = taken_.data();
      return;
    }
    panels_ = Array<float, Cpu>(cpu, numbers);
    if (most_ == all_panels) all_.x = part(0).x;
  }

  const Points& all() const { return all_; }
  HostPoints host() const { return {data_.get(), taken_.empty() ? nullptr : taken_.data()}; }
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
    in_chunks(points.panels(), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p)
        lay_out(data_->values().data() + (rows_.first + begin + p * panel) * d,
                std::min<std::int64_t>(panel, points.count - p * panel), d, panels_.data() + p * panel * d);
    });
    return points;
  }
  // A panel has the place of its rows.
  void lay_out_in_place() {
    const std::int64_t d = all_.dimensions;
    in_chunks(all_.panels(), [&](std::int64_t first, std::int64_t last) {
      std::vector<float> rows(static_cast<std::size_t>(panel * d));
      for (std::int64_t p = first; p < last; ++p) {
        float* const place = taken_.data() + p * panel * d;
        const std::int64_t present = std::min<std::int64_t>(panel, all_.count - p * panel);
        std::copy_n(place, present * d, rows.data());
        lay_out(rows.data(), present, d, place);
      }
    });
  }
  template <class F>
  void in_chunks(std::int64_t panels, F f) {
    const std::int64_t chunks = std::clamp<std::int64_t>(panels / 64, 1, 64);
    cpu_.tasks("lay out", chunks,
               [&](std::int64_t chunk) { f(panels * chunk / chunks, panels * (chunk + 1) / chunks); });
  }
  static void lay_out(const float* rows, std::int64_t present, std::int64_t d, float* to) {
    const std::int64_t whole_rows = present / 8 * 8, whole_columns = d / 8 * 8;
    for (std::int64_t i = 0; i < whole_rows; i += 8)
      for (std::int64_t c = 0; c < whole_columns; c += 8) {
        lanes::Float8 block[8];
        for (std::int64_t j = 0; j < 8; ++j) block[j] = lanes::load<lanes::Float8>(rows + (i + j) * d + c);
        lanes::transpose(block);
        for (std::int64_t j = 0; j < 8; ++j) lanes::store(to + (c + j) * panel + i, block[j]);
      }
    for (std::int64_t i = 0; i < panel; ++i)
      for (std::int64_t c = i < whole_rows ? whole_columns : 0; c < d; ++c)
        to[c * panel + i] = i < present ? rows[i * d + c] : 0;
  }

  Cpu& cpu_;
  std::shared_ptr<const Dataset> data_;
  Rows rows_;
  Points all_;
  std::int64_t most_ = 0;  // points in the largest part, a multiple of 128
  Array<float, Cpu> panels_;
  LargeVector<float> taken_;  // instead, where the rows were given
};

// The sum of of(value) over the first `present` values of a panel's column, in eight sums that do not wait for each
// other.
template <class T, class Of>
T over_panel(const float* x, int present, const Of& of) {
  constexpr int width = 8;
  T sums[width] = {};
  int i = 0;
  for (; i + width <= present; i += width)
#pragma GCC unroll 8
    for (int l = 0; l < width; ++l) sums[l] = sums[l] + of(x[i + l]);
  for (; i < present; ++i) sums[0] = sums[0] + of(x[i]);
  for (int l = 1; l < width; ++l) sums[0] = sums[0] + sums[l];
  return sums[0];
}

// As in facts.hpp, but in one launch for all columns: a launch takes as long here as thousands of values.
template <class T, class Of>
std::vector<T> over_columns(Cpu& cpu, PointParts<Cpu>& parts, const char* label, Of of) {
  const auto d = static_cast<std::size_t>(parts.all().dimensions);
  std::vector<T> sums(d), partial;
  parts.for_each([&](const Points& points) {
    const std::int64_t panels = points.panels(), numbers = panels * panel * points.dimensions;
    const std::int64_t chunks = std::clamp<std::int64_t>(numbers >> 16, 1, std::min<std::int64_t>(panels, 64));
    partial.assign(static_cast<std::size_t>(chunks) * d, T{});
    cpu.tasks(label, chunks, [&](std::int64_t chunk) {
      T* own = partial.data() + static_cast<std::size_t>(chunk) * d;
      for (std::int64_t p = panels * chunk / chunks; p < panels * (chunk + 1) / chunks; ++p) {
        const int present = static_cast<int>(std::min<std::int64_t>(panel, points.count - p * panel));
        for (int c = 0; c < points.dimensions; ++c)
          own[c] = own[c] + over_panel<T>(points.first_column(p * panel) + c * panel, present, of(c));
      }
    });
    for (std::size_t e = 0; e < partial.size(); ++e) sums[e % d] = sums[e % d] + partial[e];
  });
  return sums;
}

}  // namespace kinescope::sim::k_means
