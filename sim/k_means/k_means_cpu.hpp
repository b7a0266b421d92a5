// k-means' own launches on the CPU. The points are cut into chunks with sums of their own, which are added up
// afterwards.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/candidates.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/kept_labels_cpu.hpp"
#include "sim/k_means/launches.hpp"
#include "sim/k_means/panels_cpu.hpp"
#include "sim/k_means/points_cpu.hpp"
#include "sim/k_means/start.hpp"
#include "sim/k_means/start_cpu.hpp"
#include "sim/k_means/sweep/shares_cpu.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
class KMeansKernels;

// Converts the values of one column of a panel to whole numbers, rounded like to_fixed.
inline void column_to_fixed(const float* x, double scale, std::int64_t* fixed) {
  using lanes::Double4, lanes::Long4;
  const Double4 magic = lanes::broadcast4(0x1.8p52);
  for (int i = 0; i < panel; i += 4) {
    const Double4 value = lanes::as_double(lanes::load<lanes::Float4>(x + i));
    lanes::store(fixed + i, reinterpret_cast<Long4>(value * scale + magic) - reinterpret_cast<Long4>(magic));
  }
}

// The sums over a chunk of points for clusters 0 … K − 2, for few clusters: every lane adds each value, or zero if the
// point belongs to another cluster. The lanes' sums are multiples of 1 / scale, and exact for 2^11 additions.
class FewSums {
 public:
  explicit FewSums(const RunView& run)
      : run_(run), lanes_(run.leaves_last ? static_cast<std::size_t>(run.clusters - 1) * run.dimensions() * 8 : 0) {}

  void add(const float* x, const PanelLabels& labels) {
    for (int k = 0; k < run_.clusters - 1; ++k) add(x, labels, k);
  }
  void flush(std::int64_t* sums) {
    const int K = run_.clusters, d = run_.dimensions();
    for (int k = 0; k < K - 1; ++k)
      for (int c = 0; c < d; ++c) {
        double* lane = lanes_.data() + (k * d + c) * 8;
        for (int l = 0; l < 8; ++l) {
          sums[c * K + k] += static_cast<std::int64_t>(lane[l] * run_.scale[c]);
          lane[l] = 0;
        }
      }
  }

 private:
  void add(const float* x, const PanelLabels& labels, int k) {
    const auto* label = reinterpret_cast<const lanes::Int8*>(labels.label);
    double* lane = lanes_.data() + static_cast<std::ptrdiff_t>(k) * run_.dimensions() * 8;
    for (int c = 0; c < run_.dimensions(); ++c, x += panel, lane += 8) {
      const lanes::Double4 magic = lanes::broadcast4(0x1.8p52 / run_.scale[c]);
      lanes::Double4 low = lanes::load4(lane), high = lanes::load4(lane + 4);
      for (int v = 0; v < panel / 8; ++v) {
        const lanes::Float8 own = lanes::keep(lanes::load<lanes::Float8>(x + 8 * v), label[v] == k);
        low += (lanes::as_double(lanes::low_half(own)) + magic) - magic;
        high += (lanes::as_double(lanes::high_half(own)) + magic) - magic;
      }
      lanes::store(lane, low);
      lanes::store(lane + 4, high);
    }
  }

  const RunView& run_;
  std::vector<double> lanes_;  // [K − 1][d][8]
};

template <>
class KMeansKernels<Cpu> {
 public:
  explicit KMeansKernels(Cpu& cpu) : cpu_(cpu) {}

  // Sets how this backend computes K clusters (leaves_last, keeps_sums).
  void plan(RunView& run) const {
    run.leaves_last = run.clusters <= 4 && !run.drops;
    run.keeps_sums = false;
    run.keeps_labels = true;
  }

  static std::int64_t bytes_a_point(int, int) { return 0; }

  // Updates the squared distances of one part's points to the centroids placed so far, and their panels' sums.
  void update_squares(const RunView& part) {
    if (part.idle(part.drawing) || part.control->placed == 0) return;
    // A thread of its own is worth some microseconds.
    const std::int64_t panels = part.points.panels(), numbers = panels * panel * part.dimensions();
    const std::int64_t chunks = std::clamp<std::int64_t>(numbers >> 16, 1, 64);
    cpu_.tasks("update squares", chunks, [&](std::int64_t chunk) {
      const UpdateSquares update{part, drawn_.chosen(part)};
      for (std::int64_t p = panels * chunk / chunks; p < panels * (chunk + 1) / chunks; ++p) update(p);
    });
  }

  // Compares one part's points with some known rows, and sums their panels' squares.
  void compare(const RunView& part, const KnownRows& rows) {
    starts_.resize(static_cast<std::size_t>(rows.count));
    for (int k = 0; k < rows.count; ++k)
      starts_[static_cast<std::size_t>(k)] =
          start_of_row(rows.rows + std::int64_t{k} * part.dimensions(), part.dimensions());
    cpu_.tasks("compare", part.points.panels(), ComparePanel{part, rows, starts_.data()});
  }
  // With how many rows N points of d columns are compared in a tenth of a second or less.
  static std::int64_t rows_at_once(std::int64_t numbers) {
    return std::max<std::int64_t>(8, (std::int64_t{1} << 30) / numbers);
  }

  // Adds up what each candidate would leave of the potential.
  void add_potentials(const RunView& part) {
    drawn_.forget();
    if (part.idle(part.drawing) || part.control->candidates <= 1) return;
    drawn_.prepare(part);
    cpu_.reduce("add potentials", part.points.panels(), Potentials{}, PotentialsOfPanel{part, &drawn_},
                KeepPotentials{part});
  }

  // Computes labels and sums of one iteration.
  void assign(const RunView& run) {
    if (run.idle(Stage::lloyd)) return;
    drawn_ = {};
    if (!run.leaves_last && KeptLabels::serve(run.clusters, run.dimensions())) return assign_by_kept(run);
    in_chunks("assign", run.points.panels(), run.sum_size(), run.current_sums(),
              [&](std::int64_t begin, std::int64_t end, std::int64_t* sums) { assign_chunk(run, begin, end, sums); });
  }

  // Computes run.labels and run.squares from the centroids placed so far.
  void label(const RunView& run, Stage stage) {
    if (run.idle(stage)) return;
    const int placed = run.control->placed;
    if (!KeptLabels::serve(placed, run.dimensions()))
      return cpu_.for_each("label", run.points.panels(), LabelPanel{run});
    kept_.update(cpu_, run, placed);
    std::copy_n(kept_.labels(run), run.points.count, run.labels);
    std::copy_n(kept_.squares(run), run.points.count, run.squares);
  }
  // Computes run.labels and run.squares for a repair.
  void label_for_repair(const RunView& run) {
    if (run.control->empty > 0 && run.control->moved == 0) label(run, Stage::repair);
  }

  void publish_labels(const RunView& part) { label(part, Stage::lloyd); }

  PassOnHost pass_on_host(const RunView& run, float*) const {
    return {run.state, run.control, run.current_centroids()};
  }
  void add_sums(const RunView& run, const PartialSums& parts) {
    const Answers& others = parts.others;
    cpu_.for_each("add sums", run.sum_size(),
                  AddSums{parts.own, others.first, others.stride, others.workers, run.current_sums()});
  }

  // On CUDA these are launches that copy what look() returns to the host. There is nothing to do here.
  void note(const RunView&) {}
  void forget_note() {}
  // Copies the present state of the run to `found`. Always succeeds here; on CUDA it returns false if no copy has
  // arrived.
  bool look(const RunView& run, bool, Look& found) const {
    const Control& control = *run.control;
    found = {*run.state, control, {}, {}, {}, {}};
    found.curve.assign(run.curve, run.curve + control.finished);
    found.paths.assign(run.present_paths(), run.present_paths() + path_size(*run.state, control, run.dimensions()));
    const float* centroids = run.current_centroids();
    found.centroids.assign(centroids, centroids + static_cast<std::ptrdiff_t>(control.placed) * run.dimensions());
    found.sizes.assign(run.sizes, run.sizes + control.sized);
    return true;
  }

  // Computes run.spreads from run.labels.
  void spread(const RunView& run) {
    if (run.idle(Stage::measure)) return;
    in_chunks("spread", run.points.panels(), run.sum_size() - 1, run.spreads,
              [&](std::int64_t begin, std::int64_t end, std::int64_t* sums) { spread_chunk(run, begin, end, sums); });
  }

  // Computes run.shares of run.gaussians.
  void share(const RunView& run) {
    if (run.idle(Stage::weigh)) return;
    std::fill(run.shares, run.shares + share_count(run), 0);
    in_chunks("share", run.sample.panels(), share_count(run), run.shares,
              [&](std::int64_t begin, std::int64_t end, std::int64_t* sums) {
                ShareLanes lanes(run);
                const std::int64_t last = std::min(run.sample.count, end * panel);
                for (std::int64_t j = begin * panel; j < last; j += ShareLanes::width)
                  lanes.add(j, static_cast<int>(std::min<std::int64_t>(ShareLanes::width, last - j)), sums);
              });
  }

 private:
  struct LabelPanel {
    RunView run;

    void operator()(std::int64_t number) const {
      const std::int64_t first = number * panel, end = std::min(run.points.count, first + panel);
      const int placed = run.control->placed;
      PanelLabels found;
      nearest_of_panel(run.points.first_column(first), run.current_centroids(), placed, run.dimensions(), found);
      for (std::int64_t i = first; i < end; ++i) {
        run.labels[i] = placed > 0 ? static_cast<std::uint32_t>(found.label[i - first]) : no_centroid;
        run.squares[i] = found.square[i - first];
      }
    }
  };

  void assign_by_kept(const RunView& run) {
    kept_.update(cpu_, run, run.clusters);
    const std::int64_t K = run.clusters;
    std::int64_t* sums = run.current_sums();
    const double scale = run.square_scale();
    cpu_.reduce(
        "inertia", run.points.panels(), std::int64_t{0},
        [&](std::int64_t p) { return to_fixed(sum_of(kept_.squares(run) + p * panel), scale); },
        [&](std::int64_t found) { sums[K * (run.dimensions() + 1)] += found; });
    if (kept_.complete())
      cpu_.for_each("sums", K, [&](std::int64_t k) {
        for (int c = 0; c <= run.dimensions(); ++c) sums[c * K + k] += kept_.sum(static_cast<int>(k), c);
      });
  }

  static constexpr std::int64_t block = 32;  // panels for which the lanes' sums are exact

  static void assign_chunk(const RunView& run, std::int64_t begin, std::int64_t end, std::int64_t* sums) {
    const int K = run.clusters, d = run.dimensions();
    const double square_scale = run.square_scale();
    std::int64_t* counts = sums + static_cast<std::int64_t>(d) * K;
    FewSums few(run);
    PanelLabels found;
    for (std::int64_t p = begin; p < end; ++p) {
      const float* x = run.points.x + p * panel * d;
      const int present = static_cast<int>(std::min<std::int64_t>(panel, run.points.count - p * panel));
      nearest_of_panel(x, run.current_centroids(), K, d, found);
      for (int i = present; i < panel; ++i) found.label[i] = -1, found.square[i] = 0;
      counts[K] += to_fixed(sum_of(found.square), square_scale);
      for (int i = 0; i < present; ++i) ++counts[found.label[i]];
      if (run.leaves_last) {
        few.add(x, found);
        if (p + 1 == end || (p - begin) % block == block - 1) few.flush(sums);
      } else {
        add_columns(x, d, present, found.label, K, run.scale, sums);
      }
    }
  }

  static void add_columns(const float* x, int d, int present, const std::int32_t* label, int K, const float* scale,
                          std::int64_t* sums) {
    std::int64_t fixed[panel];
    for (int c = 0; c < d; ++c, x += panel, sums += K) {
      column_to_fixed(x, scale[c], fixed);
      for (int i = 0; i < present; ++i) sums[label[i]] += fixed[i];
    }
  }

  static void spread_chunk(const RunView& run, std::int64_t begin, std::int64_t end, std::int64_t* sums) {
    const int K = run.clusters, d = run.dimensions();
    const double scale = run.square_scale();
    const float* centroids = run.current_centroids();
    for (std::int64_t i = begin * panel; i < std::min(run.points.count, end * panel); ++i) {
      const std::uint32_t k = run.labels[i];
      const float *x = run.points.first_column(i), *centroid = centroids + static_cast<std::int64_t>(k) * d;
      for (int c = 0; c < d; ++c) {
        const double offset = static_cast<double>(x[c * panel]) - centroid[c];
        sums[static_cast<std::int64_t>(c) * K + k] += to_fixed(offset * offset, scale);
      }
      ++sums[static_cast<std::int64_t>(d) * K + k];
    }
  }

  static double sum_of(const float* squares) {
    double lane[8] = {};
    for (int i = 0; i < panel; i += 8)
      for (int l = 0; l < 8; ++l) lane[l] += squares[i + l];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }

  // Cuts the panels into chunks; `add` adds what a chunk contributes to sums of its own, and these are then added to
  // `total`. The sums are whole numbers, so it does not matter how the panels are cut.
  template <class Add>
  void in_chunks(const char* label, std::int64_t panels, std::int64_t size, std::int64_t* total, Add add) {
    const std::int64_t chunks =
        std::clamp<std::int64_t>(std::min((std::int64_t{1} << 22) / size, panels / block), 1, 64);
    partial_.resize(static_cast<std::size_t>(chunks * size));
    cpu_.tasks(label, chunks, [&](std::int64_t chunk) {
      std::int64_t* own = partial_.data() + chunk * size;
      std::fill(own, own + size, 0);
      add(panels * chunk / chunks, panels * (chunk + 1) / chunks, own);
    });
    cpu_.for_each("combine", size, [&](std::int64_t e) {
      std::int64_t sum = 0;
      for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += partial_[static_cast<std::size_t>(chunk * size + e)];
      total[e] += sum;
    });
  }

  Cpu& cpu_;
  KeptLabels kept_;
  DrawnSquares drawn_;
  std::vector<float> starts_;          // [rows] for nearer_of_panel
  std::vector<std::int64_t> partial_;  // [chunks × size]
};

}  // namespace kinescope::sim::k_means
