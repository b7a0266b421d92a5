#include "sim/mean_shift/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/core/groups.hpp"
#include "sim/core/in_parallel.hpp"
#include "sim/mean_shift/screen/places.hpp"

namespace kinescope::sim::mean_shift {
namespace {

constexpr std::int64_t chunk_points = 1 << 16;

// The distinct modes of a sequence of points. Points are the same mode if they are in the same cell of a fine lattice.
class ModeTable {
 public:
  explicit ModeTable(int columns) : columns_(static_cast<std::size_t>(columns)), slots_(64, -1) {}

  std::size_t size() const { return first_.size(); }
  const std::int64_t* place(std::size_t mode) const { return places_.data() + mode * columns_; }
  std::int64_t first(std::size_t mode) const { return first_[mode]; }

  // The number of the mode at this place. If there is none yet, adds one whose first point is `point`.
  std::int32_t find(const std::int64_t* place, std::int64_t point) {
    std::size_t slot = hash(place) & (slots_.size() - 1);
    for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1))
      if (std::equal(place, place + columns_, this->place(static_cast<std::size_t>(slots_[slot])))) return slots_[slot];
    const auto mode = static_cast<std::int32_t>(first_.size());
    slots_[slot] = mode;
    first_.push_back(point);
    places_.insert(places_.end(), place, place + columns_);
    if (2 * first_.size() > slots_.size()) grow();
    return mode;
  }

 private:
  std::size_t hash(const std::int64_t* place) const {
    std::uint64_t mixed = 0;
    for (std::size_t c = 0; c < columns_; ++c) mixed = mix_place(mixed, place[c]);
    return mixed;
  }

  void grow() {
    std::vector<std::int32_t> slots(4 * slots_.size(), -1);
    for (std::size_t mode = 0; mode < first_.size(); ++mode) {
      std::size_t slot = hash(place(mode)) & (slots.size() - 1);
      while (slots[slot] >= 0) slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = static_cast<std::int32_t>(mode);
    }
    slots_ = std::move(slots);
  }

  std::size_t columns_;
  std::vector<std::int32_t> slots_;
  std::vector<std::int64_t> places_, first_;
};

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

// Joins modes within the radius of each other. Modes are put into small cells over all columns, so small that all modes
// in one cell are within the radius. Small cells are put into large cells over the first three columns, so large that
// modes within the radius are in the same or in neighbouring large cells.
class Joiner {
 public:
  Joiner(const ModeTable& modes, std::span<const float> y, std::int64_t stride, int columns, double radius)
      : modes_(modes), y_(y), stride_(stride), columns_(columns), square_(radius * radius), groups_(modes.size()) {
    side_ = radius / std::sqrt(double(columns)) * (1 - 1e-9);
    // With up to three columns so few small cells are within reach that all of them can be searched.
    per_large_ = columns <= 3 ? 1 : static_cast<std::int64_t>(std::ceil(std::sqrt(double(columns)) * (1 + 1e-6)));
    reach_ = columns <= 3 ? static_cast<std::int64_t>(std::ceil(std::sqrt(double(columns)) - 1e-9)) : 1;
    fill_cells();
  }

  DisjointSets& join_all() {
    for (const LargeCell& cell : large_)
      for (std::size_t a = 0; a < cell.small.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) join(cell.small[a], cell.small[b]);
    const std::int64_t reach_y = columns_ > 1 ? reach_ : 0;
    for (std::int64_t dx = 0; dx <= reach_; ++dx)
      for (std::int64_t dy = -reach_y; dy <= reach_y; ++dy) join_neighbours(dx, dy);
    return groups_;
  }

 private:
  using Place = std::array<std::int64_t, 16>;
  using Large = std::array<std::int64_t, 3>;
  struct Small {
    Place place{};
    std::vector<std::size_t> modes;
  };
  struct LargeCell {
    Large place;
    std::span<const std::size_t> small;
  };

  double at(std::size_t mode, int c) const { return y_[static_cast<std::size_t>(c * stride_ + modes_.first(mode))]; }

  void fill_cells() {
    ModeTable cells(columns_);
    Place place{};
    for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
      for (int c = 0; c < columns_; ++c)
        place[static_cast<std::size_t>(c)] = static_cast<std::int64_t>(std::floor(at(mode, c) / side_));
      const auto cell = static_cast<std::size_t>(cells.find(place.data(), static_cast<std::int64_t>(mode)));
      if (cell == small_.size()) small_.push_back({place, {}});
      std::vector<std::size_t>& members = small_[cell].modes;
      members.push_back(mode);
      groups_.join(members.front(), mode);
    }
    std::vector<std::pair<Large, std::size_t>> sorted;
    for (std::size_t cell = 0; cell < small_.size(); ++cell) sorted.emplace_back(large_of(small_[cell].place), cell);
    std::ranges::sort(sorted);
    for (const auto& [large, cell] : sorted) by_large_.push_back(cell);
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      while (end < sorted.size() && sorted[end].first == sorted[begin].first) ++end;
      large_.push_back({sorted[begin].first, std::span(by_large_).subspan(begin, end - begin)});
    }
  }

  Large large_of(const Place& small) const {
    Large large{};
    for (std::size_t c = 0; c < 3; ++c)
      large[c] = small[c] >= 0 ? small[c] / per_large_ : -((-small[c] + per_large_ - 1) / per_large_);
    return large;
  }

  // Each large cell with those that are so far from it, and within reach in the third column. Cells are sorted, so that
  // one pass finds the neighbours of all.
  void join_neighbours(std::int64_t dx, std::int64_t dy) {
    const std::int64_t reach_z = columns_ > 2 ? reach_ : 0;
    auto first = large_.begin();
    for (const LargeCell& here : large_) {
      const Large low = {here.place[0] + dx, here.place[1] + dy, here.place[2] - reach_z},
                  high = {low[0], low[1], here.place[2] + reach_z};
      while (first != large_.end() && first->place < low) ++first;
      for (auto there = first; there != large_.end() && there->place <= high; ++there) {
        if (there->place <= here.place) continue;  // each pair of cells only once
        for (const std::size_t a : here.small)
          for (const std::size_t b : there->small) join(a, b);
      }
    }
  }

  // The modes of a cell are already one group, so a single near pair joins two cells.
  void join(std::size_t first, std::size_t second) {
    const Small &here = small_[first], &there = small_[second];
    if (groups_.find(here.modes.front()) == groups_.find(there.modes.front())) return;
    double gap_square = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns_); ++c) {
      const double gap = side_ * double(std::max<std::int64_t>(0, std::abs(here.place[c] - there.place[c]) - 1));
      gap_square += gap * gap;
    }
    if (gap_square > square_) return;
    for (const std::size_t a : here.modes)
      for (const std::size_t b : there.modes)
        if (near(a, b)) return groups_.join(a, b);
  }

  bool near(std::size_t a, std::size_t b) const {
    double square = 0;
    for (int c = 0; c < columns_ && square <= square_; ++c) square += (at(a, c) - at(b, c)) * (at(a, c) - at(b, c));
    return square <= square_;
  }

  const ModeTable& modes_;
  std::span<const float> y_;
  std::int64_t stride_;
  int columns_;
  double side_ = 1;
  std::int64_t per_large_ = 1, reach_ = 1;
  double square_;
  std::vector<Small> small_;
  std::vector<std::size_t> by_large_;  // the small cells in the order of their large ones
  std::vector<LargeCell> large_;       // by their places
  DisjointSets groups_;
};

// The mode of each point, as an index into `all`.
std::vector<std::int32_t> find_modes(std::span<const float> y, std::int64_t stride, std::int64_t points, int columns,
                                     double pitch, ModeTable& all) {
  std::vector<std::int32_t> mode_of(static_cast<std::size_t>(points));
  const std::int64_t chunks = (points + chunk_points - 1) / chunk_points;
  std::vector<ModeTable> tables(static_cast<std::size_t>(chunks), ModeTable(columns));
  const auto each_of = [&](std::size_t chunk, auto f) {
    const std::int64_t begin = static_cast<std::int64_t>(chunk) * chunk_points;
    for (std::int64_t i = begin; i < std::min(points, begin + chunk_points); ++i) f(i);
  };
  in_parallel(tables.size(), 1, [&](std::size_t chunk) {
    std::array<std::int64_t, 16> place{};
    each_of(chunk, [&](std::int64_t i) {
      for (int c = 0; c < columns; ++c)
        place[static_cast<std::size_t>(c)] =
            static_cast<std::int64_t>(std::floor(double(y[static_cast<std::size_t>(c * stride + i)]) / pitch));
      mode_of[static_cast<std::size_t>(i)] = tables[chunk].find(place.data(), i);
    });
  });
  std::vector<std::vector<std::int32_t>> renumbered(tables.size());
  for (std::size_t chunk = 0; chunk < tables.size(); ++chunk)
    for (std::size_t mode = 0; mode < tables[chunk].size(); ++mode)
      renumbered[chunk].push_back(all.find(tables[chunk].place(mode), tables[chunk].first(mode)));
  in_parallel(tables.size(), 1, [&](std::size_t chunk) {
    each_of(chunk, [&](std::int64_t i) {
      std::int32_t& mode = mode_of[static_cast<std::size_t>(i)];
      mode = renumbered[chunk][static_cast<std::size_t>(mode)];
    });
  });
  return mode_of;
}

}  // namespace

Labels label_modes(std::span<const float> y, std::int64_t stride, std::int64_t points, int columns,
                   std::span<const float> weights, double radius, std::span<const float> number_of) {
  ModeTable modes(columns);
  const std::vector<std::int32_t> mode_of = find_modes(y, stride, points, columns, radius / 32, modes);
  Joiner joiner(modes, y, stride, columns, radius);
  DisjointSets& groups = joiner.join_all();

  // Modes are numbered by their first point, and groups by their first mode: clusters are ordered by their first
  // points.
  std::vector<std::size_t> group_of(modes.size());
  for (std::size_t mode = 0; mode < modes.size(); ++mode) group_of[mode] = groups.find(mode);
  std::vector<std::int64_t> sizes(modes.size(), 0), best(modes.size(), -1);
  for (std::int64_t i = 0; i < points; ++i) {
    const std::size_t group = group_of[static_cast<std::size_t>(mode_of[static_cast<std::size_t>(i)])];
    sizes[group] += number_of.empty() ? 1 : static_cast<std::int64_t>(number_of[static_cast<std::size_t>(i)]);
    if (best[group] < 0 || weights[static_cast<std::size_t>(i)] > weights[static_cast<std::size_t>(best[group])])
      best[group] = i;
  }
  std::vector<std::size_t> order = by_size(sizes);
  while (!order.empty() && sizes[order.back()] == 0) order.pop_back();
  Labels labels;
  std::vector<std::uint32_t> number(modes.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = static_cast<std::uint32_t>(k);
    labels.sizes.push_back(sizes[order[k]]);
    labels.centroids.push_back(best[order[k]]);
  }
  labels.cluster.resize(static_cast<std::size_t>(points));
  for (std::int64_t i = 0; i < points; ++i)
    labels.cluster[static_cast<std::size_t>(i)] =
        number[group_of[static_cast<std::size_t>(mode_of[static_cast<std::size_t>(i)])]];
  return labels;
}

}  // namespace kinescope::sim::mean_shift
