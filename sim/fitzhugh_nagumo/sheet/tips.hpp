// Tips of spirals: the points where the lines v = 1/2 and w = w* cross (tip_levels). Each cell of the grid is searched
// separately, and the tips are gathered in the order of the cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "sim/fitzhugh_nagumo/fields.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

struct TipList {
  std::int32_t count;
  std::int32_t cells[tips_published];  // ascending
};

struct TipLevels {
  float v, w;
};

// The levels of v and w whose crossings are tips: halfway up in v; for w the value at which the cubic nullcline w =
// f(v) passes v = 1/2, which a spiral's core circles.
inline TipLevels tip_levels(const Constants& c) {
  return {0.5f, static_cast<float>(reaction(0.5, c.a))};
}

// Finds where both levels cross in a cell of the sheet. A cell has the number of its lower left node.
struct TipCell {
  const float* v;
  const float* w;
  std::int64_t nodes;
  TipLevels levels;

  // Finds the crossing within cell i, with both fields bilinear. x and y are in cells from its lower left node. Returns
  // false if there is none.
  KINESCOPE_HD bool crossing(std::int64_t i, float& x, float& y) const {
    const std::int64_t at[4] = {i, i + 1, i + nodes, i + nodes + 1};
    float p[4], q[4];
    int above_v = 0, above_w = 0;
    for (int k = 0; k < 4; ++k) {
      p[k] = v[at[k]] - levels.v;
      q[k] = w[at[k]] - levels.w;
      above_v += p[k] > 0;
      above_w += q[k] > 0;
    }
    if (above_v == 0 || above_v == 4 || above_w == 0 || above_w == 4) return false;
    x = y = 0.5f;
    for (int iteration = 0; iteration < 4; ++iteration) {  // Newton's method in the two bilinear functions
      const float p_x = (p[1] - p[0]) * (1 - y) + (p[3] - p[2]) * y, p_y = (p[2] - p[0]) * (1 - x) + (p[3] - p[1]) * x;
      const float q_x = (q[1] - q[0]) * (1 - y) + (q[3] - q[2]) * y, q_y = (q[2] - q[0]) * (1 - x) + (q[3] - q[1]) * x;
      const float here_p = (p[0] * (1 - x) + p[1] * x) * (1 - y) + (p[2] * (1 - x) + p[3] * x) * y;
      const float here_q = (q[0] * (1 - x) + q[1] * x) * (1 - y) + (q[2] * (1 - x) + q[3] * x) * y;
      const float determinant = p_x * q_y - p_y * q_x;
      if (determinant == 0) return false;
      x -= (here_p * q_y - here_q * p_y) / determinant;
      y -= (here_q * p_x - here_p * q_x) / determinant;
    }
    return x >= 0 && x < 1 && y >= 0 && y < 1;
  }
};

struct FindTips {
  Fields<float> fields;
  const March* march;
  std::int64_t nodes;
  TipLevels levels;
  std::int64_t stretch, stretches;  // cells of a row that one call searches; calls per row
  TipList* lists;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const TipCell cell{fields.v[march->current], fields.w[march->current], nodes, levels};
    TipList& list = lists[i];
    list.count = 0;
    const std::int64_t row = i / stretches, first = i % stretches * stretch;
    const std::int64_t end = first + stretch < nodes - 1 ? first + stretch : nodes - 1;
    float x, y;
    for (std::int64_t k = row * nodes + first; k < row * nodes + end; ++k)
      if (list.count < tips_published && cell.crossing(k, x, y))
        list.cells[list.count++] = static_cast<std::int32_t>(k);
  }
};

// Merges `fan` neighbouring lists into one.
struct MergeTips {
  const TipList* from;
  std::int64_t lists, fan;
  TipList* to;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    TipList& merged = to[i];
    merged.count = 0;
    for (std::int64_t k = i * fan; k < (i + 1) * fan && k < lists; ++k)
      for (int tip = 0; tip < from[k].count && merged.count < tips_published; ++tip)
        merged.cells[merged.count++] = from[k].cells[tip];
  }
};

struct PublishTips {
  Fields<float> fields;
  const March* march;
  std::int64_t nodes;
  TipLevels levels;
  float dx;
  const TipList* list;
  float* to;  // [tips_published × 2]

  KINESCOPE_HD void operator()(std::int64_t tip) const {
    to[2 * tip] = to[2 * tip + 1] = NAN;
    if (tip >= list->count) return;
    const TipCell cell{fields.v[march->current], fields.w[march->current], nodes, levels};
    const std::int64_t i = list->cells[tip];
    float x, y;
    if (!cell.crossing(i, x, y)) return;
    to[2 * tip] = (static_cast<float>(i % nodes) + x) * dx;
    to[2 * tip + 1] = (static_cast<float>(i / nodes) + y) * dx;
  }
};

template <Executor E>
class TipFinder {
 public:
  TipFinder(E& executor, std::int64_t nodes)
      : executor_(executor), nodes_(nodes), stretches_((nodes - 2) / stretch + 1) {
    for (std::int64_t lists = (nodes - 1) * stretches_;; lists = (lists - 1) / fan + 1) {
      levels_.emplace_back(executor, static_cast<std::size_t>(lists));
      if (lists == 1) break;
    }
  }

  // Writes the tips' positions, in units of length, to [tips_published × 2] floats. Entries without a tip are NaN.
  void find(const Fields<float>& fields, const March* march, const Constants& constants, float* positions) {
    const TipLevels levels = tip_levels(constants);
    executor_.for_each("find tips", (nodes_ - 1) * stretches_,
                       FindTips{fields, march, nodes_, levels, stretch, stretches_, levels_[0].data()});
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      const auto lists = static_cast<std::int64_t>(levels_[level - 1].size());
      executor_.for_each("merge tips", static_cast<std::int64_t>(levels_[level].size()),
                         MergeTips{levels_[level - 1].data(), lists, fan, levels_[level].data()});
    }
    executor_.for_each(
        "publish tips", tips_published,
        PublishTips{fields, march, nodes_, levels, static_cast<float>(constants.dx), levels_.back().data(), positions});
  }

 private:
  static constexpr std::int64_t stretch = 512, fan = 32;

  E& executor_;
  std::int64_t nodes_, stretches_;
  std::vector<Array<TipList, E>> levels_;
};

}  // namespace kinescope::sim::fitzhugh_nagumo
