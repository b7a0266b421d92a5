// Labels that are kept from pass to pass on the CPU, with bounds that tell which points to examine again.
//
// For each point the label, D² as the formula gives it, and `others`, a lower bound of the distance from any other
// centroid. When the centroids move, D² is computed anew if the point's own has moved, and `others` shrinks by at most
// the largest movement of another one (G. Hamerly, "Making k-means even faster", 2010). Often few centroids move, or
// few move far. A point whose bound fails is then compared with these first, and the rest shrink the bound by their
// largest movement only. What still fails is compared with all centroids: by products of whole numbers, where these
// leave a doubt by products of floats, and where these do by the formula.
//
// The bounds are of exact distances. whole_products_cpu.hpp and products_cpu.hpp show what roundings they allow for.
// The centroids of the last pass are kept too, so that nothing is assumed about how a run comes from one set of
// centroids to the next.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/cpu.hpp"
#include "sim/k_means/movements_cpu.hpp"
#include "sim/k_means/panels_cpu.hpp"
#include "sim/k_means/products_cpu.hpp"
#include "sim/k_means/run_view.hpp"
#include "sim/k_means/strips_cpu.hpp"
#include "sim/k_means/whole_products_cpu.hpp"

namespace kinescope::sim::k_means {

// A bound that has shrunk by a movement, rounded down.
inline float shrunk(float bound, float movement) {
  return (bound - movement) * (1 - 0x1p-22f);
}

class KeptLabels {
 public:
  // For fewer columns or clusters, nearest_of_panel is faster.
  static bool serve(int clusters, int d) { return d >= 24 && clusters >= 8; }

  // Computes labels and squares of a part's points for the present centroids. Parts come in ascending order.
  void update(Cpu& cpu, const RunView& part, int clusters) {
    if (part.points.first == 0) begin(cpu, part, clusters);
    const std::int64_t panels = part.points.panels();
    next_ = 0;
    cpu.tasks("label", static_cast<std::int64_t>(tasks_.size()), [&](std::int64_t w) {
      Task& task = *tasks_[static_cast<std::size_t>(w)];
      for (std::int64_t p; (p = next_.fetch_add(grain)) < panels;)
        for (std::int64_t end = std::min(panels, p + grain); p < end; ++p) examine(task, part, p);
      finish(task, part);
    });
    add_changes(cpu);
    if (part.points.first + part.points.count >= part.points.total) end(part);
  }
  const std::uint32_t* labels(const RunView& part) const { return labels_.data() + part.points.first; }
  const float* squares(const RunView& part) const {
    return squares_.data() + part.points.first;
  }  // zeros past the last
  // Σ x_ic over the points of cluster k as whole numbers, and for c = d their number; of all points, once the last part
  // has been updated.
  std::int64_t sum(int k, int c) const {
    return sums_[static_cast<std::size_t>(k) * width() + static_cast<std::size_t>(c)];
  }
  bool complete() const { return !under_way_; }

 private:
  static constexpr std::int64_t grain = 4;      // panels that a task takes at a time
  static constexpr std::int64_t samples = 256;  // points with which Movements::choose estimates work

  // Points to be compared, by number within the part.
  struct Queue {
    int count = 0;
    std::int64_t point[strip];
    bool full() const { return count == strip; }
  };
  struct Doubts : Queue {
    std::uint32_t leader[strip];
    float others[strip], all[strip];  // bounds of the distances from all but the leader, and from all
  };
  // Of a kind of products: how many points were compared by it, and how many it left in doubt.
  struct Tally {
    std::int64_t compared = 0, doubted = 0;
    bool mostly_in_vain() const { return 2 * doubted > compared; }
  };
  struct Task {
    Array<float, Cpu> x, y;          // [d × 32]
    Array<std::int32_t, Cpu> whole;  // [⌈d / 2⌉ × 32]
    std::vector<float> row;          // [d]
    Queue some, all, close;          // close: products of whole numbers have left a doubt
    Doubts doubts;
    bool changed = false;               // whether `changes` are not all zero
    std::vector<std::int64_t> changes;  // [K × (d + 1)]
    Tally whole_tally, tally;
  };
  // The rows that points are compared with, for both kinds of products.
  struct Packed {
    PackedRows rows;
    WholeRows whole;
  };

  std::size_t width() const { return static_cast<std::size_t>(d_) + 1; }

  void begin(Cpu& cpu, const RunView& run, int clusters) {
    const std::size_t K = static_cast<std::size_t>(clusters), d = static_cast<std::size_t>(run.dimensions());
    const std::size_t places = static_cast<std::size_t>(run.panels()) * panel;
    const bool goes_on = !under_way_ && clusters_ == clusters && labels_.size() == places;
    const float* centroids = run.current_centroids();
    clusters_ = clusters;
    d_ = run.dimensions();
    error_ = screening_error(d_);
    if (!goes_on) {
      labels_.assign(places, no_centroid);
      squares_.assign(places, 0);
      others_.assign(places, 0);
      sums_.assign(K * width(), 0);
      centroids_.assign(centroids, centroids + K * d);
      make_tasks(cpu, run);
    }
    fresh_ = !goes_on;
    under_way_ = true;
    std::vector<std::int32_t> every(K);
    std::iota(every.begin(), every.end(), 0);
    movements_.measure(centroids_.data(), centroids, clusters, d_);
    if (!fresh_) plan(run);
    // Where most points were in doubt, as among equal centroids, products are work in vain for a pass.
    const Tally whole_tally = total(&Task::whole_tally), tally = total(&Task::tally);
    by_whole_ = d_ <= whole_columns && !whole_tally.mostly_in_vain();
    all_.rows.pack(centroids, every, d_, run.centre);
    if (by_whole_) {
      all_.whole.pack(centroids, every, d_, run.centre);
      some_.whole.pack(centroids, movements_.far(), d_, run.centre);
    } else {
      some_.rows.pack(centroids, movements_.far(), d_, run.centre);
    }
    by_formula_ = !all_.rows.screened() || tally.mostly_in_vain();
  }

  // Adds up and clears a tally of the tasks.
  Tally total(Tally Task::*which) {
    Tally sum;
    for (const auto& task : tasks_) {
      const Tally own = std::exchange((*task).*which, {});
      sum.compared += own.compared;
      sum.doubted += own.doubted;
    }
    return sum;
  }

  void make_tasks(Cpu& cpu, const RunView& run) {
    const std::int64_t size = static_cast<std::int64_t>(sums_.size()), numbers = run.points.total * d_;
    const std::int64_t threads = std::max(1u, std::thread::hardware_concurrency()),
                       useful = std::min(threads, (run.panels() + grain - 1) / grain);
    // The changes take no more memory than half of the points, or than 32 MB.
    const std::int64_t most =
        std::clamp<std::int64_t>(std::max((std::int64_t{1} << 22) / size, numbers / (4 * size)), 1, useful);
    tasks_.clear();
    for (std::int64_t w = 0; w < most; ++w) {
      auto task = std::make_unique<Task>();
      const std::size_t places = static_cast<std::size_t>(d_) * strip;
      task->x = Array<float, Cpu>(cpu, places);
      task->y = Array<float, Cpu>(cpu, places);
      task->whole = Array<std::int32_t, Cpu>(cpu, (places + strip) / 2);
      task->row.resize(static_cast<std::size_t>(d_));
      task->changes.assign(sums_.size(), 0);
      tasks_.push_back(std::move(task));
    }
  }

  // Estimates from some points how far centroids may move without failing the bounds.
  void plan(const RunView& run) {
    std::vector<float> allowed;
    const std::int64_t count = run.points.count, step = std::max<std::int64_t>(1, count / samples);
    for (std::int64_t i = 0; i < count; i += step) {
      const std::uint32_t label = labels_[static_cast<std::size_t>(i)];
      const float square = movements_.of(static_cast<std::int32_t>(label)) > 0
                               ? squared_distance(run.points.first_column(i), centroid(run, label), d_)
                               : squares_[static_cast<std::size_t>(i)];
      allowed.push_back(others_[static_cast<std::size_t>(i)] - std::sqrt(square) * (1 + error_));
    }
    movements_.choose(allowed);
  }

  const float* centroid(const RunView& run, std::uint32_t k) const {
    return run.current_centroids() + static_cast<std::int64_t>(k) * d_;
  }

  // Finds the points of a panel whose bounds fail.
  void examine(Task& task, const RunView& part, std::int64_t number) {
    const std::int64_t first = number * panel, at = part.points.first + first;
    const int present = static_cast<int>(std::min<std::int64_t>(part.points.count - first, panel));
    if (fresh_) {
      for (int i = 0; i < present; ++i) compare_with_all(task, part, first + i);
      return;
    }
    const std::uint32_t* labels = labels_.data() + at;
    float *squares = squares_.data() + at, *others = others_.data() + at;
    update_squares(part, first, present, labels, squares);
    for (int i = 0; i < present; ++i) {
      const float bound = shrunk(others[i], movements_.of_others(static_cast<std::int32_t>(labels[i])));
      if (bound > 0 && is_farther(bound, squares[i], error_)) {
        others[i] = bound;
      } else if (!movements_.far().empty() && all_.rows.screened()) {
        others[i] = shrunk(others[i], movements_.rest());
        compare_with_some(task, part, first + i);
      } else {
        compare_with_all(task, part, first + i);
      }
    }
  }

  // Computes D² from the points' own centroids, if these have moved.
  void update_squares(const RunView& part, std::int64_t first, int present, const std::uint32_t* labels,
                      float* squares) {
    const float* rows[panel];
    int vectors[panel / 8], moved = 0;
    for (int i = 0; i < panel; i += 8) {
      bool moves = false;
      for (int j = i; j < i + 8; ++j) {
        const std::uint32_t label = labels[j < present ? j : 0];
        moves |= movements_.of(static_cast<std::int32_t>(label)) > 0;
        rows[j] = centroid(part, label);
      }
      if (moves && i < present) vectors[moved++] = i / 8;
    }
    if (moved == 0) return;
    alignas(32) float own[panel];
    squares_from<panel>(part.points.first_column(first), rows, d_, vectors, moved, own);
    for (int n = 0; n < moved; ++n) {
      const int i = 8 * vectors[n];
      std::copy(own + i, own + std::min(i + 8, present), squares + i);
    }
  }

  void compare_with_some(Task& task, const RunView& part, std::int64_t i) {
    task.some.point[task.some.count++] = i;
    if (task.some.full()) compare_some(task, part);
  }
  void compare_with_all(Task& task, const RunView& part, std::int64_t i) {
    task.all.point[task.all.count++] = i;
    if (task.all.full()) compare_all(task, part);
  }
  void finish(Task& task, const RunView& part) {
    if (task.some.count > 0) compare_some(task, part);
    if (task.all.count > 0) compare_all(task, part);
    if (task.close.count > 0) compare_close(task, part);
    if (task.doubts.count > 0) decide_doubts(task, part);
  }

  // Packs points into task.x and finds their leaders among the rows. square: |y|² [32]
  void lead(Task& task, const RunView& part, const std::int64_t* points, int count, const Packed& among, bool whole,
            float* square, Leaders& leaders) {
    pack_strip(part.points, points, count, task.x.data());
    centre_strip(task.x.data(), part.centre, d_, task.y.data(), square);
    if (!whole) return find_leaders(task.y.data(), d_, among.rows, leaders);
    alignas(32) float unit[strip];
    make_whole(task.y.data(), square, d_, task.whole.data(), unit);
    find_leaders(task.whole.data(), unit, d_, among.whole, leaders);
  }

  // Compares the queued points with the centroids that have moved far.
  void compare_some(Task& task, const RunView& part) {
    const int count = std::exchange(task.some.count, 0);
    alignas(32) float square[strip];
    Leaders leaders;
    lead(task, part, task.some.point, count, some_, by_whole_, square, leaders);
    for (int j = 0; j < count; ++j) {
      const std::int64_t i = task.some.point[j];
      const auto at = static_cast<std::size_t>(part.points.first + i);
      const bool leads =
          static_cast<std::uint32_t>(movements_.far()[static_cast<std::size_t>(leaders.row[j])]) == labels_[at];
      const float least = leads ? leaders.second[j] : leaders.least[j];
      const float bound = std::min(others_[at], distance_at_least(least, square[j], error_));
      others_[at] = bound;
      if (!(bound > 0 && is_farther(bound, squares_[at], error_))) compare_with_all(task, part, i);
    }
  }

  // Compares the queued points with all centroids.
  void compare_all(Task& task, const RunView& part) {
    const int count = std::exchange(task.all.count, 0);
    const std::int64_t* points = task.all.point;
    if (by_formula_) {
      for (int j = 0; j < count; ++j) doubt(task, part, points[j], 0, 0, 0);
    } else if (by_whole_) {
      compare_by_products(task, part, points, count, true, task.whole_tally, [&](int j, const Leaders&, float) {
        task.close.point[task.close.count++] = points[j];
        if (task.close.full()) compare_close(task, part);
      });
    } else {
      compare_by_floats(task, part, points, count);
    }
  }
  void compare_close(Task& task, const RunView& part) {
    compare_by_floats(task, part, task.close.point, std::exchange(task.close.count, 0));
  }
  void compare_by_floats(Task& task, const RunView& part, const std::int64_t* points, int count) {
    compare_by_products(task, part, points, count, false, task.tally, [&](int j, const Leaders& leaders, float square) {
      doubt(task, part, points[j], static_cast<std::uint32_t>(leaders.row[j]),
            distance_at_least(leaders.second[j], square, error_), distance_at_least(leaders.least[j], square, error_));
    });
  }

  // Keeps the labels that products prove; calls in_doubt(j, leaders, |y|²) for the other points.
  template <class InDoubt>
  void compare_by_products(Task& task, const RunView& part, const std::int64_t* points, int count, bool whole,
                           Tally& tally, const InDoubt& in_doubt) {
    tally.compared += count;
    alignas(32) float square[strip], own[strip];
    Leaders leaders;
    lead(task, part, points, count, all_, whole, square, leaders);
    const float* rows[strip];
    for (int j = 0; j < strip; ++j) rows[j] = centroid(part, static_cast<std::uint32_t>(leaders.row[j]));
    constexpr int vectors[] = {0, 1, 2, 3};
    squares_from<strip>(task.x.data(), rows, d_, vectors, strip / 8, own);
    bool sure[strip];
    for (int j = 0; j < count; ++j) {
      sure[j] = square[j] < most_screened && leaders.second[j] >= least_score(own[j], square[j], error_);
      if (sure[j])
        keep(task, part, j, points[j], static_cast<std::uint32_t>(leaders.row[j]), own[j],
             distance_at_least(leaders.second[j], square[j], error_));
    }
    for (int j = 0; j < count; ++j) {
      if (sure[j]) continue;
      ++tally.doubted;
      in_doubt(j, leaders, square[j]);
    }
  }

  void doubt(Task& task, const RunView& part, std::int64_t i, std::uint32_t leader, float others, float all) {
    Doubts& doubts = task.doubts;
    const int j = doubts.count++;
    doubts.point[j] = i;
    doubts.leader[j] = leader;
    doubts.others[j] = others;
    doubts.all[j] = all;
    if (doubts.full()) decide_doubts(task, part);
  }

  // Compares the queued points with all centroids by the formula.
  void decide_doubts(Task& task, const RunView& part) {
    Doubts& doubts = task.doubts;
    const int count = std::exchange(doubts.count, 0);
    pack_strip(part.points, doubts.point, count, task.x.data());
    alignas(32) float square[strip];
    alignas(32) std::int32_t label[strip];
    nearest_of_strip<strip>(task.x.data(), part.current_centroids(), clusters_, d_, square, label);
    for (int j = 0; j < count; ++j) {
      const auto own = static_cast<std::uint32_t>(label[j]);
      keep(task, part, j, doubts.point[j], own, square[j], own == doubts.leader[j] ? doubts.others[j] : doubts.all[j]);
    }
  }

  // Keeps what has been found about a point, number j of the strip in task.x.
  void keep(Task& task, const RunView& part, int j, std::int64_t i, std::uint32_t label, float square, float others) {
    const auto at = static_cast<std::size_t>(part.points.first + i);
    squares_[at] = square;
    others_[at] = others;
    const std::uint32_t before = std::exchange(labels_[at], label);
    if (before == label) return;
    task.changed = true;
    for (int c = 0; c < d_; ++c) task.row[static_cast<std::size_t>(c)] = task.x.data()[c * strip + j];
    std::int64_t* to = task.changes.data() + label * width();
    std::int64_t* from = before == no_centroid ? nullptr : task.changes.data() + before * width();
    move_row(task.row.data(), part.scale, d_, from, to);
    ++to[d_];
    if (from) --from[d_];
  }

  void add_changes(Cpu& cpu) {
    cpu.for_each("combine", clusters_, [&](std::int64_t k) {
      const std::size_t first = static_cast<std::size_t>(k) * width();
      for (const auto& task : tasks_) {
        if (!task->changed) continue;
        for (std::size_t e = first; e < first + width(); ++e) sums_[e] += std::exchange(task->changes[e], 0);
      }
    });
    for (const auto& task : tasks_) task->changed = false;
  }

  void end(const RunView& run) {
    std::copy_n(run.current_centroids(), centroids_.size(), centroids_.begin());
    under_way_ = false;
  }

  int clusters_ = 0, d_ = 0;
  float error_ = 0;
  bool fresh_ = true, under_way_ = false, by_whole_ = false, by_formula_ = false;
  std::vector<std::uint32_t> labels_;  // [panels × 128]
  std::vector<float> squares_, others_;
  std::vector<float> centroids_;    // [K × d] of the last pass
  std::vector<std::int64_t> sums_;  // [K × (d + 1)]
  Movements movements_;
  Packed all_, some_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::atomic<std::int64_t> next_ = 0;
};

}  // namespace kinescope::sim::k_means
