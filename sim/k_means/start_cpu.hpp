// The passes over the points with which the CPU places the first centroids (start.hpp, candidates.hpp): a panel at a
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/candidates.hpp"
#include "sim/k_means/panels_cpu.hpp"
#include "sim/k_means/run_view.hpp"

namespace kinescope::sim::k_means {

// Four sums of lanes: of eight squares, each in quanta.
inline lanes::Double4 quanta(lanes::Float8 squares, lanes::Double4 magic) {
  return to_quanta(lanes::as_double(lanes::low_half(squares)), magic) +
         to_quanta(lanes::as_double(lanes::high_half(squares)), magic);
}

// A panel's squares for reading and writing: where they are, or, of a panel that is not full, a copy with zeros.
class PanelSquares {
 public:
  PanelSquares(const RunView& run, std::int64_t number)
      : kept_(run.squares + number * panel),
        present_(std::min<std::int64_t>(run.points.count - number * panel, panel)) {
    if (present_ < panel) std::copy(kept_, kept_ + present_, copy_);
  }
  PanelSquares(const PanelSquares&) = delete;
  PanelSquares& operator=(const PanelSquares&) = delete;
  float* data() { return present_ < panel ? copy_ : kept_; }
  std::int64_t present() const { return present_; }
  // Notes the sum of the panel's squares.
  void keep(const RunView& run, std::int64_t number) {
    if (present_ < panel) {
      std::copy(copy_, copy_ + present_, kept_);
      std::fill(copy_ + present_, copy_ + panel, 0.0f);
    }
    const float* squares = data();
    const lanes::Double4 magic = lanes::broadcast4(0x1.8p52 * run.quantum());
    lanes::Double4 sum{};
    if (run.weights) {
      const double* weights = run.weights + number * panel;
      for (int i = 0; i < panel; i += 4)
        sum += to_quanta(lanes::load4(weights + i) * lanes::as_double(lanes::load<lanes::Float4>(squares + i)), magic);
    } else {
      for (int i = 0; i < panel; i += 8) sum += quanta(lanes::load<lanes::Float8>(squares + i), magic);
    }
    run.panel_sums[run.points.first / panel + number] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

 private:
  float* kept_;
  std::int64_t present_;
  alignas(32) float copy_[panel];
};

// The squares that each candidate of a draw would leave, which are known once the potentials are, so that the pass
// after the draw need not compute those of the chosen one again.
class DrawnSquares {
 public:
  void forget() { draws_ = -1; }
  void prepare(const RunView& part) {
    if (part.dimensions() < least_columns) return;
    places_ = part.panels() * panel;
    squares_.resize(static_cast<std::size_t>(part.control->candidates * places_));
    draws_ = part.control->draws;
  }
  // Those of candidate j for one panel; null if they are not kept.
  float* of(const RunView& part, int j, std::int64_t number) {
    return draws_ < 0 ? nullptr : squares_.data() + j * places_ + part.points.first + number * panel;
  }
  // Those of the candidate that the latest draw has placed, for the part's points; null if they are not kept.
  const float* chosen(const RunView& part) const {
    const Control& control = *part.control;
    if (draws_ < 0 || control.draws != draws_ + 1 || control.stale_squares || part.candidates <= 1) return nullptr;
    return squares_.data() + control.least_candidate() * places_ + part.points.first;
  }

 private:
  static constexpr int least_columns = 64;  // the squares take at most a sixth of the points' memory

  std::int32_t draws_ = -1;
  std::int64_t places_ = 0;
  std::vector<float> squares_;  // [candidates × panels × 128]
};

struct UpdateSquares {
  RunView run;
  const float* chosen;  // as in DrawnSquares

  void operator()(std::int64_t number) const {
    constexpr int vectors = 8, strip = 8 * vectors;
    const Control& control = *run.control;
    const float* x = run.points.first_column(number * panel);
    const int d = run.dimensions();
    PanelSquares squares(run, number);
    if (control.stale_squares) {
      PanelLabels found;
      nearest_of_panel(x, run.current_centroids(), control.placed, d, found);
      std::copy(found.square, found.square + panel, squares.data());
    } else if (chosen) {
      std::copy_n(chosen + number * panel, squares.present(), squares.data());
    } else {
      const float* centroid = run.current_centroids() + static_cast<std::int64_t>(control.placed - 1) * d;
      for (int i = 0; i < panel; i += strip) {
        lanes::Float8 sum[1][vectors];
        strip_squares(x + i, centroid, d, sum);
        for (int v = 0; v < vectors; ++v) {
          float* square = squares.data() + i + 8 * v;
          lanes::store(square, lanes::min(lanes::load<lanes::Float8>(square), sum[0][v]));
        }
      }
    }
    squares.keep(run, number);
  }
};

struct ComparePanel {
  RunView run;
  KnownRows rows;
  const float* starts;

  void operator()(std::int64_t number) const {
    const float* x = run.points.first_column(number * panel);
    std::uint32_t* nearest = rows.nearest + number * panel;
    PanelSquares squares(run, number);
    PanelLabels found;
    if (rows.first == 0) {
      nearest_of_panel(x, rows.rows, rows.count, run.dimensions(), found);
    } else {
      std::copy(squares.data(), squares.data() + panel, found.square);
      std::copy(nearest, nearest + squares.present(), found.label);
      nearer_of_panel(x, rows.rows, starts, rows.first, rows.count, run.dimensions(), found);
    }
    std::copy(found.square, found.square + panel, squares.data());
    std::copy(found.label, found.label + squares.present(), nearest);
    squares.keep(run, number);
  }
};

struct PotentialsOfPanel {
  RunView run;
  DrawnSquares* drawn;

  Potentials operator()(std::int64_t number) const {
    Potentials potentials;
    alignas(32) float squares[panel] = {};
    const std::int64_t first = number * panel, present = std::min<std::int64_t>(run.points.count - first, panel);
    std::copy(run.squares + first, run.squares + first + present, squares);
    const int candidates = run.control->candidates;
    int j = 0;
    for (; j + 4 <= candidates; j += 4) add<4>(number, squares, j, potentials);
    for (; j + 2 <= candidates; j += 2) add<2>(number, squares, j, potentials);
    if (j < candidates) add<1>(number, squares, j, potentials);
    return potentials;
  }

  template <int rows>
  void add(std::int64_t number, const float* squares, int j, Potentials& potentials) const {
    constexpr int vectors = 8 / rows;  // eight sums
    const std::int64_t d = run.dimensions();
    const lanes::Double4 magic = lanes::broadcast4(0x1.8p52 * run.control->quantum);
    lanes::Double4 left[rows] = {};
    for (int i = 0; i < panel; i += 8 * vectors) {
      lanes::Float8 sum[rows][vectors];
      strip_squares(run.points.first_column(number * panel) + i, run.rows + j * d, d, sum);
      for (int k = 0; k < rows; ++k)
        for (int v = 0; v < vectors; ++v) {
          const lanes::Float8 square = lanes::min(sum[k][v], lanes::load<lanes::Float8>(squares + i + 8 * v));
          if (float* to = drawn->of(run, j + k, number)) lanes::store(to + i + 8 * v, square);
          left[k] += quanta(square, magic);
        }
    }
    for (int k = 0; k < rows; ++k)
      for (int l = 0; l < 4; ++l) potentials.sum[j + k] += left[k][l];
  }
};

}  // namespace kinescope::sim::k_means
