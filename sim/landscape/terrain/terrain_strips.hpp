// Makes one level of midpoint displacement in one pass over the terrain; with the last level also both Gaussians and
// the normals. A warp walks up a strip. Each lane holds one column of the coarse nodes, which makes two columns of the
// finer ones. It holds only the rows that are still needed, and gets neighbouring columns from the lanes beside it.
// Nothing passes through memory in between.
#pragma once

#include "sim/landscape/terrain/terrain_formulas.hpp"
#include "sim/landscape/warps.hpp"

namespace kinescope::sim::landscape {

struct RefineStrip {
  static constexpr int serial_width = 128;
  static constexpr int beside = 2;  // lanes at either end that only provide values to the others

  std::uint64_t seed;
  float roughness, term;  // for the level that is made
  std::int32_t level;
  const float* from;  // [(cells + 1)²], the previous level; if `finer` is false, the nodes of `to` themselves
  std::int32_t cells;
  float* to;               // [(2 cells + 1)²]
  std::uint32_t* normals;  // packed by pack_normal; null: the heights are neither smoothed nor given normals
  float inverse_spacing;   // of `to`
  bool finer = true;       // false: no level is made, the heights are only smoothed
  std::int32_t rows = 32;  // coarse rows that one warp walks

  KINESCOPE_HD static int strips(int cells, int width) { return cells / (width - 2 * beside) + 1; }
  std::int64_t items(int width) const { return std::int64_t{strips(cells, width)} * (cells / rows + 1); }

  template <class Warp>
  KINESCOPE_HD void operator()(Warp& warp, std::int64_t item) const {
    const int across = strips(cells, Warp::width);
    const int strip = static_cast<int>(item) % across, segment = static_cast<int>(item) / across;
    Walker<Warp> walker(*this, warp, strip * (Warp::width - 2 * beside) - beside);
    // Smoothing delays the output by three rows, so a segment is shifted up by one coarse row and begins four rows
    // early.
    const int first = segment * rows + (normals ? 1 : 0), early = normals ? 4 : 1;
    const int end = (segment + 1) * rows < cells + 1 ? first + rows : cells + 1 + (normals ? 1 : 0);
    walker.start(first - early);
    for (int j = first - early; j < first; ++j) walker.template step<false>(j);
    for (int j = first; j < end; ++j) walker.template step<true>(j);
  }

 private:
  template <class Warp>
  class Walker {
    using Floats = typename Warp::template PerLane<float>;
    using Words = typename Warp::template PerLane<std::uint32_t>;
    // A row of the finer nodes: two per lane.
    struct Row {
      Floats even, odd;
    };
    // The state of a Gaussian: the last two rows, each already smoothed along x.
    struct Gaussian {
      Row before, last;
    };

   public:
    KINESCOPE_HD Walker(const RefineStrip& plan, Warp& warp, int first_column)
        : plan_(plan), warp_(warp), first_(first_column) {}

    KINESCOPE_HD void start(int j) {
      warp_.each([&](int lane) {
        load(j, lane);
        centre_[lane] = 0;
        for (Row* row : {&first_gaussian_.before, &first_gaussian_.last, &second_gaussian_.before,
                         &second_gaussian_.last, &under_, &here_})
          row->even[lane] = row->odd[lane] = 0;
      });
    }

    // Makes the finer rows 2j and 2j + 1.
    template <bool stored>
    KINESCOPE_HD void step(int j) {
      Row even, odd;
      if (plan_.finer)
        refine(j, even, odd);
      else
        take(j, even, odd);
      row<stored>(2 * j, even);
      row<stored>(2 * j + 1, odd);
    }

   private:
    KINESCOPE_HD int last() const { return 2 * plan_.cells; }
    KINESCOPE_HD int column(int lane) const { return first_ + lane; }
    KINESCOPE_HD static int inside(int value, int last) { return value < 0 ? 0 : value > last ? last : value; }

    KINESCOPE_HD void load(int j, int lane) {
      const int row = inside(j, plan_.cells) * (plan_.cells + 1);
      coarse_[lane] = plan_.from[row + inside(column(lane), plan_.cells)];
      coarse_right_[lane] = plan_.from[row + inside(column(lane) + 1, plan_.cells)];
    }

    KINESCOPE_HD void refine(int j, Row& even, Row& odd) {
      const float roughness = plan_.roughness, term = plan_.term;
      Words left_word;
      warp_.each([&](int lane) {
        const float a = coarse_[lane], b = coarse_right_[lane];
        load(j + 1, lane);
        const float c = coarse_[lane], d = coarse_right_[lane];
        const RandomWords words = cell_words(plan_.seed, plan_.level, column(lane), j);
        const float under = centre_[lane], centre = midpoint(corners(a, b, c, d), words[0], roughness, term);
        const Corners around = j <= 0             ? corners(a, b, centre)
                               : j >= plan_.cells ? corners(a, b, under)
                                                  : corners(a, b, under, centre);
        even.even[lane] = a;
        even.odd[lane] = midpoint(around, words[1], roughness, term);
        centre_[lane] = odd.odd[lane] = centre;
        left_word[lane] = words[2];
      });
      warp_.each([&](int lane) {
        const int i = column(lane);
        const float a = even.even[lane], b = coarse_[lane];
        const float left = warp_.from_left(centre_, lane), right = centre_[lane];
        const Corners around = i <= 0             ? corners(a, b, right)
                               : i >= plan_.cells ? corners(a, b, left)
                                                  : corners(a, b, left, right);
        odd.even[lane] = midpoint(around, left_word[lane], roughness, term);
      });
    }

    KINESCOPE_HD void take(int j, Row& even, Row& odd) const {
      warp_.each([&](int lane) {
        const int size = last() + 1, x = 2 * column(lane);
        const float* low = plan_.from + std::int64_t{inside(2 * j, last())} * size;
        const float* high = plan_.from + std::int64_t{inside(2 * j + 1, last())} * size;
        even.even[lane] = low[inside(x, last())];
        even.odd[lane] = low[inside(x + 1, last())];
        odd.even[lane] = high[inside(x, last())];
        odd.odd[lane] = high[inside(x + 1, last())];
      });
    }

    // Takes a row; finishes the row three below it or, without smoothing, the row itself.
    template <bool stored>
    KINESCOPE_HD void row(int y, const Row& raw) {
      if (!plan_.normals) {
        if (stored && y >= 0 && y <= last()) store(plan_.to, y, raw);
        return;
      }
      Row once, twice;
      smooth_row(first_gaussian_, y, raw, once);
      smooth_row(second_gaussian_, y - 1, once, twice);
      warp_.each([&](int lane) {
        twice.even[lane] *= 1.0f / 256;
        twice.odd[lane] *= 1.0f / 256;
      });
      if (stored && y - 3 >= 0 && y - 3 <= last()) finish(y - 3, twice);
      under_ = here_;
      here_ = twice;
    }

    // Smooths across the rows, too. Beyond the terrain's border the border's heights continue.
    KINESCOPE_HD void smooth_row(Gaussian& state, int y, const Row& in, Row& out) {
      Row along;
      warp_.each([&](int lane) {
        const int i = column(lane);
        const float even = in.even[lane], odd = in.odd[lane];
        const float left = warp_.from_left(in.odd, lane), right = warp_.from_right(in.even, lane);
        along.even[lane] = smooth(i == 0 ? even : left, even, i == plan_.cells ? even : odd);
        along.odd[lane] = smooth(even, odd, right);
      });
      if (y == 0) state.last = along;
      if (y > last()) along = state.last;
      warp_.each([&](int lane) {
        out.even[lane] = smooth(state.before.even[lane], state.last.even[lane], along.even[lane]);
        out.odd[lane] = smooth(state.before.odd[lane], state.last.odd[lane], along.odd[lane]);
      });
      state.before = state.last;
      state.last = along;
    }

    // Finishes row y, which is here_, between under_ and over.
    KINESCOPE_HD void finish(int y, const Row& over) {
      Words even_normal, odd_normal;
      const float half = 0.5f * plan_.inverse_spacing;
      const float upward = y == 0 || y == last() ? plan_.inverse_spacing : half;
      warp_.each([&](int lane) {
        const int i = column(lane);
        const float even = here_.even[lane], odd = here_.odd[lane];
        const float left = warp_.from_left(here_.odd, lane), right = warp_.from_right(here_.even, lane);
        const bool border = i == 0 || i == plan_.cells;
        const float across =
            ((i == plan_.cells ? even : odd) - (i == 0 ? even : left)) * (border ? plan_.inverse_spacing : half);
        even_normal[lane] = pack_normal(across, rise(y, under_.even, here_.even, over.even, lane) * upward);
        odd_normal[lane] = pack_normal((right - even) * half, rise(y, under_.odd, here_.odd, over.odd, lane) * upward);
      });
      store(plan_.to, y, here_);
      store(plan_.normals, y, Both<Words>{even_normal, odd_normal});
    }

    KINESCOPE_HD float rise(int y, const Floats& under, const Floats& here, const Floats& over, int lane) const {
      return (y == last() ? here : over)[lane] - (y == 0 ? here : under)[lane];
    }

    template <class Values>
    struct Both {
      const Values &even, &odd;
    };

    // Stores pairs of values whose first one is at an even index in memory. Rows have an odd length. Therefore such a
    // pair is a lane's own two nodes in even rows, and in odd rows the lane's even node and the one to its left.
    template <class T, class Values>
    KINESCOPE_HD void store(T* to, int y, const Values& values) const {
      warp_.each([&](int lane) {
        const int i = column(lane);
        T* const place = to + (y * (last() + 1) + 2 * i);
        const T even = values.even[lane], odd = values.odd[lane], left = warp_.from_left(values.odd, lane);
        const int first = (y & 1) == 0 ? beside : beside + 1;
        const bool own = lane >= first && lane < first + Warp::width - 2 * beside && i >= 0 && i <= plan_.cells;
        const bool alone = (y & 1) == 0 ? i == plan_.cells : i == 0;
        if (alone && (own || lane == beside))
          *place = even;
        else if (own && (y & 1) == 0)
          store_pair(place, even, odd);
        else if (own)
          store_pair(place - 1, left, even);
      });
    }

    const RefineStrip& plan_;
    Warp& warp_;
    int first_;  // column of lane 0
    Floats coarse_, coarse_right_, centre_;
    Gaussian first_gaussian_, second_gaussian_;
    Row under_, here_;
  };
};

}  // namespace kinescope::sim::landscape
