#include "sim/mean_shift/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "kinescope/groups.hpp"
#include "kinescope/in_parallel.hpp"
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

// Joins modes within the radius of each other. They are in a k-d tree, whose boxes are compared with each other: too
// far apart to join any pair, so near that all pairs join, or to be taken apart. Boxes whose modes are one group
// already need no comparison, so a dense cloud of modes is no more work than a thin one.
class Joiner {
 public:
  Joiner(const ModeTable& modes, std::span<const float> y, std::int64_t stride, int columns, double radius)
      : columns_(static_cast<std::size_t>(columns)),
        square_(radius * radius),
        mode_(modes.size()),
        groups_(mode_.size()) {
    std::iota(mode_.begin(), mode_.end(), std::size_t{0});
    std::vector<float> places(mode_.size() * columns_);
    for (const std::size_t mode : mode_)
      for (std::size_t c = 0; c < columns_; ++c)
        places[mode * columns_ + c] =
            y[c * static_cast<std::size_t>(stride) + static_cast<std::size_t>(modes.first(mode))];
    add_box(places, 0, mode_.size());
    places_.reserve(places.size());
    for (const std::size_t mode : mode_)
      places_.insert(places_.end(), &places[mode * columns_], &places[mode * columns_] + columns_);
  }

  DisjointSets& join_all() {
    join_within(0);
    return groups_;
  }

 private:
  static constexpr std::size_t leaf_modes = 8;
  struct Box {
    std::size_t begin, end;       // of its modes in mode_
    std::size_t left, right = 0;  // its halves; right is 0 if it has none
    bool one = false;             // its modes are known to be one group
  };

  const float* low(std::size_t box) const { return &bounds_[2 * box * columns_]; }
  const float* high(std::size_t box) const { return low(box) + columns_; }
  const float* place(std::size_t i) const { return &places_[i * columns_]; }

  // Adds the box of the modes from `begin` to `end`, and those of its halves along its longest side.
  std::size_t add_box(const std::vector<float>& places, std::size_t begin, std::size_t end) {
    const std::size_t box = boxes_.size();
    boxes_.push_back({begin, end, 0, 0, end - begin == 1});
    bounds_.resize(bounds_.size() + 2 * columns_);
    std::size_t longest = 0;
    float length = -1;
    for (std::size_t c = 0; c < columns_; ++c) {
      float least = INFINITY, greatest = -INFINITY;
      for (std::size_t i = begin; i < end; ++i) {
        const float at = places[mode_[i] * columns_ + c];
        least = std::min(least, at), greatest = std::max(greatest, at);
      }
      bounds_[2 * box * columns_ + c] = least, bounds_[(2 * box + 1) * columns_ + c] = greatest;
      if (greatest - least > length) length = greatest - least, longest = c;
    }
    if (end - begin <= leaf_modes) return box;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return mode_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::size_t a, std::size_t b) {
      return places[a * columns_ + longest] < places[b * columns_ + longest];
    });
    const std::size_t left = add_box(places, begin, middle), right = add_box(places, middle, end);
    boxes_[box].left = left, boxes_[box].right = right;
    return box;
  }

  // The squares of the smallest and the largest distance that places in two boxes may have; of the largest, in floating
  // point too, no pair exceeds it, and none falls below the smallest.
  double least_square(std::size_t a, std::size_t b) const {
    double square = 0;
    for (std::size_t c = 0; c < columns_; ++c) {
      const double gap = std::max({0.0, double(low(b)[c]) - high(a)[c], double(low(a)[c]) - high(b)[c]});
      square += gap * gap;
    }
    return square;
  }
  double most_square(std::size_t a, std::size_t b) const {
    double square = 0;
    for (std::size_t c = 0; c < columns_; ++c) {
      const double reach = std::max(double(high(b)[c]) - low(a)[c], double(high(a)[c]) - low(b)[c]);
      square += reach * reach;
    }
    return square;
  }

  std::size_t group(std::size_t box) { return groups_.find(mode_[boxes_[box].begin]); }

  // After joining: whether all of a box is one group now.
  void see_if_one(std::size_t box) {
    Box& here = boxes_[box];
    if (here.one) return;
    if (here.right > 0) {
      here.one = boxes_[here.left].one && boxes_[here.right].one && group(here.left) == group(here.right);
    } else {
      here.one = true;
      for (std::size_t i = here.begin; i < here.end && here.one; ++i) here.one = groups_.find(mode_[i]) == group(box);
    }
  }

  void make_one(std::size_t box) {
    const Box& here = boxes_[box];
    if (here.one) return;
    for (std::size_t i = here.begin; i < here.end; ++i) groups_.join(mode_[here.begin], mode_[i]);
    if (here.right > 0) make_one(here.left), make_one(here.right);
    boxes_[box].one = true;
  }

  void join_within(std::size_t box) {
    const Box here = boxes_[box];
    if (here.end - here.begin < 2) return;
    if (most_square(box, box) <= square_) return make_one(box);
    if (here.right > 0) {
      join_within(here.left);
      join_within(here.right);
      join_between(here.left, here.right);
    } else {
      for (std::size_t i = here.begin; i < here.end; ++i)
        for (std::size_t j = i + 1; j < here.end; ++j) join(i, j);
    }
    see_if_one(box);
  }

  void join_between(std::size_t a, std::size_t b) {
    const Box here = boxes_[a], there = boxes_[b];
    if (here.one && there.one && group(a) == group(b)) return;
    if (least_square(a, b) > square_) return;
    if (most_square(a, b) <= square_) {
      make_one(a), make_one(b);
      return groups_.join(mode_[here.begin], mode_[there.begin]);
    }
    const bool split_a = here.right > 0 && (there.right == 0 || here.end - here.begin >= there.end - there.begin);
    if (split_a) {
      join_between(here.left, b);
      join_between(here.right, b);
    } else if (there.right > 0) {
      join_between(a, there.left);
      join_between(a, there.right);
    } else {
      for (std::size_t i = here.begin; i < here.end; ++i)
        for (std::size_t j = there.begin; j < there.end; ++j) join(i, j);
    }
    see_if_one(a), see_if_one(b);
  }

  void join(std::size_t i, std::size_t j) {
    const float *a = place(i), *b = place(j);
    double square = 0;
    for (std::size_t c = 0; c < columns_ && square <= square_; ++c)
      square += (double(a[c]) - b[c]) * (double(a[c]) - b[c]);
    if (square <= square_) groups_.join(mode_[i], mode_[j]);
  }

  std::size_t columns_;
  double square_;
  std::vector<std::size_t> mode_;  // the modes in the order of the tree
  std::vector<float> places_;      // [modes × columns] in that order
  std::vector<Box> boxes_;
  std::vector<float> bounds_;  // [boxes × 2 × columns] the least and the largest coordinates
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
