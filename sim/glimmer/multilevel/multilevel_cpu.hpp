// Our own Glimmer's launches on the CPU: eight layouts of the population, or eight points, in each vector register.
// The rest of the class is in fit_cpu.hpp, polish_cpu.hpp and round_cpu.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/lanes.hpp"
#include "sim/glimmer/multilevel/multilevel_functors.hpp"
#include "sim/glimmer/multilevel/tile_cpu.hpp"

namespace kinescope::sim::glimmer {

// A team that is one thread.
struct SerialTeam {
  bool first() const { return true; }
  void sync() const {}
  template <class F>
  void for_each(std::int64_t n, F f) const {
    for (std::int64_t k = 0; k < n; ++k) f(k);
  }
  // Uses sixteen running sums, so that the compiler can vectorize.
  template <class F>
  double sum(std::int64_t n, F f) const {
    double sums[16] = {};
    std::int64_t k = 0;
    for (; k + 16 <= n; k += 16)
      for (int lane = 0; lane < 16; ++lane) sums[lane] += f(k + lane);
    for (; k < n; ++k) sums[0] += f(k);
    for (int width = 8; width > 0; width /= 2)
      for (int lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
    return sums[0];
  }
};

template <Executor E, int L>
class MultilevelKernels;

template <int L>
class MultilevelKernels<Cpu, L> {
  using Memory = MultilevelMemory<L>;
  using Vector8 = lanes::Float8;
  static constexpr int C = Memory::coordinates;

 public:
  MultilevelKernels(Cpu& cpu, const Memory& memory) : cpu_(cpu), m_(memory) {}

  // Positions of the population: layout g·8 + lane, slot i, coordinate c at ((g · small_stride + i) · C + c) · 8 +
  // lane.
  float* at(std::int64_t group, std::int64_t i) const { return m_.layouts + (group * m_.small_stride + i) * C * 8; }

  // Puts the picture on the principal axes. Computes δ of all pairs of the first `small_points`, unless the picture's
  // stress is already at the floor.
  void start();

  void enqueue(std::int32_t program) {
    switch (program) {
      case program_search:
        return search();
      case program_rank:
        return rank();
      case program_polish:
        return polish();
      case program_glide:
        return glide();
      case program_place:
        return place();
      case program_round:
        return round();
      case program_finish:
        return finish();
      case program_fit:
        return fit();
    }
  }

 private:
  // Calls f(formula) with the rows' formula as a compile-time constant.
  template <class F>
  void by_formula(F f) {
    switch (m_.formula) {
      case RowFormula::differences:
        return f(std::integral_constant<RowFormula, RowFormula::differences>());
      case RowFormula::products:
        return f(std::integral_constant<RowFormula, RowFormula::products>());
      case RowFormula::manhattan:
        return f(std::integral_constant<RowFormula, RowFormula::manhattan>());
      case RowFormula::cosine:
        return f(std::integral_constant<RowFormula, RowFormula::cosine>());
      case RowFormula::cosine_squared:
        return f(std::integral_constant<RowFormula, RowFormula::cosine_squared>());
      case RowFormula::matrix:
        return f(std::integral_constant<RowFormula, RowFormula::matrix>());
    }
  }

  template <RowFormula F>
  std::int64_t panel_width() const {
    return F == RowFormula::matrix ? 0 : m_.width;
  }

  // Calls use(block, own, other, tile) for each tile in a row of blocks of 64 slots, from the diagonal on.
  template <RowFormula F, class Use>
  void tile_row(std::int64_t row, std::int64_t blocks, Use use) const;
  void fill_matrix();
  bool picture_is_at_floor();
  template <int Extra>
  void anneal();
  void search();
  void start_group(std::int64_t group, bool second);
  void show();
  void hold_out();
  void sum_far();
  double sum_delta_square();
  void rank();
  void polish();
  void glide();
  void finish();
  // Rows i and i + 1 of the pairs' matrix; `end` is 0 for a row that does not exist.
  struct Rows2 {
    const float* x;
    std::int64_t i, end[2];
    const float* delta[2];
    Vector8 a[2][L];
  };
  template <bool Gradient, bool Edge>
  void row_pair(const Rows2& rows, std::int64_t j, float* own, Vector8& errors, Vector8 (&sum)[2][L]) const;
  template <bool Gradient>
  double evaluate(const float* x, float* gradient, bool all_threads);
  template <RowFormula F>
  void gather(Panel& panel, const RoundOrder& order, std::int64_t block) const;
  template <RowFormula F>
  void place_block(std::int64_t block);
  void place();
  template <RowFormula F>
  void measure_task(std::int64_t first, std::int64_t last, std::int64_t task);
  void move();
  void measure();
  void find_directions();
  void round();
  void fit_block(std::int64_t block);
  void fit();

  Cpu& cpu_;
  const Memory& m_;
  bool has_matrix_ = false;
  double picture_error_ = 0;  // Σ (d − δ)² of a picture whose stress is at the floor
  // For the current round: sums of each block of 64 positions, and of the blocks past the end of each task.
  std::vector<float> sums_, past_;
  std::vector<std::array<double, 2>> task_sums_;
  std::vector<FitSums> fit_sums_;
  std::vector<std::array<std::int64_t, 2>>
      task_ends_;  // the block after each task's last one, and where past_ has its sums
};

template <int L>
template <RowFormula F, class Use>
void MultilevelKernels<Cpu, L>::tile_row(std::int64_t row, std::int64_t blocks, Use use) const {
  const RoundOrder in_order{static_cast<std::uint64_t>(m_.points), 1, 0};
  Panel own(panel_width<F>()), other(panel_width<F>());
  gather<F>(own, in_order, row);
  DistanceTile tile;
  for (std::int64_t block = row; block < blocks; ++block) {
    gather<F>(other, in_order, block);
    fill_tile<F>(m_, own, other, tile);
    use(block, own, other, tile);
  }
}

// Whether the landmarks are already exact on the principal axes, as points of a plane are. Then there is nothing to
// search, and no matrix is needed. It is enough to check all distances from the first 64 landmarks: no other places
// have the same.
template <int L>
bool MultilevelKernels<Cpu, L>::picture_is_at_floor() {
  const std::int64_t n = m_.state().points, blocks = (n + 63) / 64, rows = std::min<std::int64_t>(64, n);
  double error = 0, size = 0;
  cpu_.once("distances", [&] {
    by_formula([&](auto formula) {
      tile_row<decltype(formula)::value>(
          0, blocks, [&](std::int64_t block, const Panel& own, const Panel& other, const DistanceTile& tile) {
            Vector8 error_sum = {}, size_sum = {};
            const auto pairs = [&](auto edge) {
              for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < 64; j += 8) {
                  Vector8 square = Vector8{} + tiny_square;
                  for (int c = 0; c < L; ++c) {
                    const Vector8 between = lanes::broadcast(own.x[c][i]) - lanes::load<Vector8>(other.x[c] + j);
                    square = lanes::fma(between, between, square);
                  }
                  Vector8 delta = lanes::sqrt(lanes::load<Vector8>(tile.row(i) + j)),
                          miss = lanes::sqrt(square) - delta;
                  if (decltype(edge)::value) {
                    const auto low = static_cast<std::int32_t>(i - 64 * block - j),
                               high = static_cast<std::int32_t>(n - 64 * block - j);
                    const auto counts = (lanes::iota() > low) & (lanes::iota() < high);
                    delta = lanes::keep(delta, counts), miss = lanes::keep(miss, counts);
                  }
                  error_sum = lanes::fma(miss, miss, error_sum);
                  size_sum = lanes::fma(delta, delta, size_sum);
                }
            };
            if (block == 0 || block + 1 == blocks)
              pairs(std::true_type());
            else
              pairs(std::false_type());
            error += static_cast<double>(lanes::sum(error_sum));
            size += static_cast<double>(lanes::sum(size_sum));
          });
    });
  });
  if (!(size > 0 && error / size <= floor_stress)) return false;
  const double counted = 0.5 * static_cast<double>(rows) * static_cast<double>(2 * n - rows - 1);
  const double all = Course::pairs_of(n) / counted;  // the counted pairs stand for the others
  picture_error_ = all * error;
  m_.course.state->delta_square = all * size;
  return true;
}

// Computes δ of all pairs of the first `small_points`.
template <int L>
void MultilevelKernels<Cpu, L>::fill_matrix() {
  has_matrix_ = true;
  const std::int64_t n = m_.small_points, stride = m_.small_stride, blocks = (n + 63) / 64;
  by_formula([&](auto formula) {
    constexpr RowFormula F = decltype(formula)::value;
    cpu_.tasks("distances", blocks, [&](std::int64_t task) {
      const std::int64_t i0 = 64 * task;
      tile_row<F>(task, blocks, [&](std::int64_t block, const Panel&, const Panel&, const DistanceTile& tile) {
        const std::int64_t j0 = 64 * block, columns = std::min<std::int64_t>(64, stride - j0);
        for (std::int64_t i = i0; i < std::min(n, i0 + 64); ++i)
          for (std::int64_t j = 0; j < columns; j += 8)
            lanes::store(m_.matrix + i * stride + j0 + j, lanes::sqrt(lanes::load<Vector8>(tile.row(i - i0) + j)));
      });
    });
  });
  for (std::int64_t i = 0; i < n; ++i) {  // nothing below the diagonal is read
    m_.matrix[i * stride + i] = 0;
    std::fill(m_.matrix + i * stride + n, m_.matrix + (i + 1) * stride, 0.0f);
  }
}

// Sets all layouts of a group to their start, `second` to that of the second annealing.
template <int L>
void MultilevelKernels<Cpu, L>::start_group(std::int64_t group, bool second) {
  for (std::int64_t i = 0; i < m_.state().points; ++i) {
    float* x = at(group, i);
    float before[L * group_size];
    std::copy(x, x + L * group_size, before);
    for (int c = 0; c < C; ++c)
      for (int lane = 0; lane < group_size; ++lane) {
        const int layout = static_cast<int>(group) * group_size + lane;
        const int source = m_.state().source[layout] % group_size;
        x[c * group_size + lane] = second
                                       ? m_.second_start(layout, i, c, before[std::min(c, L - 1) * group_size + source])
                                       : m_.first_start(layout, i, c);
      }
  }
}

template <int L>
void MultilevelKernels<Cpu, L>::start() {
  MultilevelState& state = *m_.course.state;
  const PolishVectors v = m_.picture();
  std::fill_n(v.x, v.size, 0.0f);
  for (std::int64_t i = 0; i < state.points; ++i)
    for (int c = 0; c < L; ++c) v.x[c * m_.small_stride + i] = m_.reference_scale * m_.reference[i * L + c];
  show();
  has_matrix_ = false;
  if (picture_is_at_floor()) return;
  fill_matrix();
  state.delta_square = sum_delta_square();
}

// Copies the picture to the layout shown. Used while all pairs of a small level are looked at.
template <int L>
void MultilevelKernels<Cpu, L>::show() {
  const PolishVectors v = m_.picture();
  for (int c = 0; c < L; ++c) std::copy_n(v.x + c * m_.small_stride, m_.state().points, m_.x + c * m_.stride);
}

// Evaluates the layout shown over the pairs whose δ is known exactly.
template <int L>
void MultilevelKernels<Cpu, L>::hold_out() {
  if (m_.held_out)
    cpu_.reduce("held-out pairs", m_.held_out_each, HeldOutSums{}, SumHeldOut<L>{m_},
                Store<HeldOutSums>{&m_.course.state->held_out});
  if (m_.measures_far()) sum_far();
}

// Evaluates all pairs of the far points in a fixed number of tasks. A task takes rows of the matrix, from the vector
// that contains the diagonal on. In that vector each pair occurs twice, so it counts half.
template <int L>
void MultilevelKernels<Cpu, L>::sum_far() {
  constexpr std::int64_t parts = 8;
  const std::int64_t count = m_.course.stage().far;
  cpu_.for_each("far points", count, FindFar<L>{m_});
  const MetBlocks blocks = MetBlocks::of(m_);
  FarSums<double> sums[parts];
  cpu_.tasks("far pairs", parts, [&](std::int64_t part) {
    for (std::int64_t i = part; i < count; i += parts) {
      std::int64_t j = i / 8 * 8;
      const FarSums<Vector8> diagonal = far_terms<L, Vector8>(m_, blocks, i, j);
      FarSums<Vector8> rest;
      for (j += 8; j < count; j += 8) rest = rest + far_terms<L, Vector8>(m_, blocks, i, j);
      const auto sum = [&](auto member) {
        return static_cast<double>(lanes::sum(rest.*member)) + 0.5 * static_cast<double>(lanes::sum(diagonal.*member));
      };
      using Eight = FarSums<Vector8>;
      sums[part] = sums[part] + FarSums<double>{sum(&Eight::error),
                                                sum(&Eight::size),
                                                sum(&Eight::estimated_error),
                                                sum(&Eight::estimated_size),
                                                sum(&Eight::met_error),
                                                sum(&Eight::met_size),
                                                sum(&Eight::met),
                                                sum(&Eight::expected)};
    }
  });
  FarSums<double> total;
  for (const FarSums<double>& part : sums) total = total + part;
  if (m_.in_round())
    for (std::int64_t k = 0; k < count; ++k)
      total.expected += static_cast<double>(m_.far_now[(L + 1) * m_.far_each + k]);
  m_.course.state->far = total;
}

// Makes a step of the picture and computes its stress; then makes a chunk of the population's matchings.
template <int L>
void MultilevelKernels<Cpu, L>::search() {
  const MultilevelState& state = m_.state();
  if (state.batch == 0 && !state.picture_rests) {
    const PolishVectors v = m_.picture();
    if (state.picture_steps > 0) {
      const float step = m_.picture_step();
      for (std::int64_t k = 0; k < v.size; ++k) v.x[k] -= step * v.gradient[k];
    }
    m_.end_picture_step(has_matrix_ ? evaluate<true>(v.x, v.gradient, true) : picture_error_);
    show();
    hold_out();
  }
  if (state.picture > floor_stress || state.batch > 0) anneal<extra_dimensions>();
  m_.end_search();
}

template <int L>
template <int Extra>
void MultilevelKernels<Cpu, L>::anneal() {
  const std::int64_t n = m_.state().points, first = m_.state().t;
  const Annealing timetable = m_.annealing();
  cpu_.tasks("anneal", groups, [&](std::int64_t group) {
    if (Extra > 0 && first == 0) start_group(group, false);
    if (Extra > 0 && timetable.squeezes && first == timetable.second) start_group(group, true);
    double error_sums[group_size] = {}, sizes = 0;
    for (std::int64_t t = first; t < first + timetable.chunk; ++t) {
      const std::int64_t r = m_.rotation(static_cast<int>(group), t);
      const Vector8 eta = lanes::broadcast(timetable.eta(t, static_cast<int>(group)));
      float size = 0;
      Vector8 errors = {};
      const auto pairs = [&](auto extra, std::int64_t i, std::int64_t j) {
        constexpr int D = L + decltype(extra)::value;
        for (; i < j; ++i, --j) {
          const float delta = m_.matrix[i * m_.small_stride + j];
          if (delta != delta) continue;  // a pair without a distance
          size += delta * delta;
          float *own = at(group, i), *other = at(group, j);
          Vector8 a[D], b[D];
          for (int c = 0; c < D; ++c)
            a[c] = lanes::load<Vector8>(own + 8 * c), b[c] = lanes::load<Vector8>(other + 8 * c);
          const Vector8 error = move_pair<D>(lanes::broadcast(delta), eta, a, b);
          errors = lanes::fma(error, error, errors);
          for (int c = 0; c < D; ++c) lanes::store(own + 8 * c, a[c]), lanes::store(other + 8 * c, b[c]);
        }
      };
      const auto matching = [&](auto extra) {
        pairs(extra, 0, r);
        pairs(extra, r + 1, n - 1);
      };
      if (timetable.flat(t))  // the extra coordinates are 0 by now
        matching(std::integral_constant<int, 0>());
      else
        matching(std::integral_constant<int, Extra>());
      for (int lane = 0; lane < group_size; ++lane) error_sums[lane] += static_cast<double>(errors[lane]);
      sizes += static_cast<double>(size);
      if (const float factor = timetable.squeeze(t); Extra > 0 && factor < 1)
        for (std::int64_t i = 0; i < n; ++i)
          for (int c = 8 * L; c < 8 * (L + Extra); ++c) at(group, i)[c] *= factor;
    }
    for (int lane = 0; lane < group_size; ++lane) {
      m_.layout_errors[group * group_size + lane] = error_sums[lane];
      m_.layout_sizes[group * group_size + lane] = sizes;
    }
  });
}

}  // namespace kinescope::sim::glimmer
