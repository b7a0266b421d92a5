// The Gray–Scott simulation for any executor: one launch per time step.
//
//   ∂u/∂t = D_u ∇²u − u v² + F (1 − u)        D_u = 2 D_v, Δt = Δx = 1
//   ∂v/∂t = D_v ∇²v + u v² − (F + k) v        D_u ∇² over nine nodes: weights 1/5 beside, 1/20 at the corners
#pragma once

#include <any>
#include <cmath>
#include <vector>

#include "kinescope/executors/functors.hpp"
#include "kinescope/random.hpp"
#include "kinescope/shell.hpp"
#include "sim/gray_scott/gray_scott.hpp"
#include "sim/gray_scott/gray_scott_parameters.hpp"

namespace kinescope::sim::gray_scott {

struct Cell {
  float u, v;
};

// Below this v only decays, because u v² is negligible. It is set to 0 then: processors compute many times more slowly
// with numbers below 1.2e-38, which v² would soon be.
inline constexpr float negligible = 1e-16f;

struct Rates {
  float feed, kill;
  std::int64_t steps;
};

// The sum of v. The executor adds in a fixed order, so that it is always the same.
struct SumOfV {
  double v = 0;
  KINESCOPE_HD SumOfV operator+(SumOfV other) const { return {v + other.v}; }
};

struct Step {
  const RunState* run;
  const Rates* rates;
  Cell* cells[2];  // the state is in cells[iteration mod 2]
  std::int64_t nodes;

  KINESCOPE_HD SumOfV operator()(std::int64_t i) const {
    const Cell* from = cells[run->iteration & 1];
    Cell* to = cells[1 - (run->iteration & 1)];
    if (run->converged) return {};
    const std::int64_t x = i % nodes, y = i / nodes;
    const std::int64_t left = x > 0 ? x - 1 : nodes - 1, right = x + 1 < nodes ? x + 1 : 0;
    const Cell* rows[3] = {from + (y > 0 ? y - 1 : nodes - 1) * nodes, from + y * nodes,
                           from + (y + 1 < nodes ? y + 1 : 0) * nodes};
    const auto laplacian = [&](float Cell::*part) {
      const float corners = rows[0][left].*part + rows[0][right].*part + rows[2][left].*part + rows[2][right].*part;
      const float beside = rows[0][x].*part + rows[2][x].*part + rows[1][left].*part + rows[1][right].*part;
      return 0.05f * corners + 0.2f * beside - rows[1][x].*part;
    };
    const Cell here = rows[1][x];
    const float reaction = here.u * here.v * here.v;
    const Cell next = {here.u + laplacian(&Cell::u) - reaction + rates->feed * (1 - here.u),
                       here.v + 0.5f * laplacian(&Cell::v) + reaction - (rates->feed + rates->kill) * here.v};
    const Cell kept = {next.u, next.v < negligible ? 0 : next.v};
    to[i] = kept;
    return {double(kept.v)};
  }
};

struct EndStep {
  RunState* run;
  HistoryPoint* history;
  std::int64_t capacity;
  const Rates* rates;
  std::int64_t cells;

  KINESCOPE_HD void operator()(SumOfV sum) const {
    if (run->converged) return;
    run->record(static_cast<float>(sum.v / static_cast<double>(cells)), history, capacity);
    run->converged = run->iteration >= rates->steps;
    run->fraction = static_cast<float>(static_cast<double>(run->iteration) / static_cast<double>(rates->steps));
  }
};

// Paints a disc of u = 0.5, v = 0.25 wherever the brush passes. A brush value of 0 or less restores u = 1, v = 0 there.
struct Paint {
  const RunState* run;
  Cell* cells[2];
  std::int64_t nodes;
  Stimulus brush;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const double x = static_cast<double>(i % nodes) - brush.x, y = static_cast<double>(i / nodes) - brush.y;
    const double length = brush.stroke_x * brush.stroke_x + brush.stroke_y * brush.stroke_y;
    double along = length > 0 ? (x * brush.stroke_x + y * brush.stroke_y) / length : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    const double dx = x - along * brush.stroke_x, dy = y - along * brush.stroke_y;
    if (dx * dx + dy * dy > brush.radius * brush.radius) return;
    cells[run->iteration & 1][i] = brush.value > 0 ? Cell{0.5f, 0.25f} : Cell{1, 0};
  }
};

struct PublishV {
  const RunState* run;
  const Cell* cells[2];
  float* to;
  KINESCOPE_HD void operator()(std::int64_t i) const { to[i] = cells[run->iteration & 1][i].v; }
};

template <Executor E>
class GrayScottSimulation : public Shell<E, GrayScottParameters> {
  using Base = Shell<E, GrayScottParameters>;
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_;

 public:
  GrayScottSimulation(const Setup& setup, GrayScottParameters& parameters)
      : Base(gray_scott_kind(), setup, parameters, 1 << 16) {
    for (auto& cells : cells_) cells = Array<Cell, E>(executor_, static_cast<std::size_t>(count()));
    rates_ = Array<Rates, E>(executor_, 1);
    Base::begin();
  }

  void receive(const std::any& input) override {
    if (const auto* brush = std::any_cast<Stimulus>(&input))
      executor_.for_each("paint", count(),
                         Paint{stepper_.state(), {cells_[0].data(), cells_[1].data()}, nodes(), *brush});
  }
  Table result() override {
    stepper_.wait();
    const std::vector<Cell> cells = cells_[stepper_.seen().iteration & 1].download();
    Column x{"x"}, y{"y"}, u{"u"}, v{"v"};
    for (std::int64_t i = 0; i < count(); ++i) {
      x.numbers.push_back(static_cast<float>(i % nodes()));
      y.numbers.push_back(static_cast<float>(i / nodes()));
      u.numbers.push_back(cells[static_cast<std::size_t>(i)].u);
      v.numbers.push_back(cells[static_cast<std::size_t>(i)].v);
    }
    Table table;
    table.source = "gray-scott";
    table.rows = cells.size();
    table.columns = {std::move(x), std::move(y), std::move(u), std::move(v)};
    return table;
  }
  Report report() override {
    stepper_.wait();
    Report report;
    report.add("steps", stepper_.seen().iteration);
    report.add("mean_v", static_cast<double>(stepper_.seen().figure));
    return report;
  }

 private:
  std::int64_t nodes() const { return parameters_.nodes.value(); }
  std::int64_t count() const { return nodes() * nodes(); }

  void create_buffers(BufferSource& source) override {
    v_out_.create(source, published::v, static_cast<std::size_t>(count()));
  }
  // Fills the sheet with u = 1, and adds some squares of v, whose places depend on the seed.
  void start() override {
    std::vector<Cell> cells(static_cast<std::size_t>(count()), Cell{1, 0});
    const Random random(setup_.seed, 1);
    const std::int64_t side = std::max<std::int64_t>(2, nodes() / 24);
    for (std::uint64_t square = 0; square < 12; ++square) {
      const RandomWords words = random.words(square);
      for (std::int64_t i = 0; i < side * side; ++i) {
        const std::int64_t x = (words[0] + i % side) % nodes(), y = (words[1] + i / side) % nodes();
        cells[static_cast<std::size_t>(y * nodes() + x)] = {0.5f, 0.25f};
      }
    }
    for (auto& each : cells_) each.upload(cells);
    upload_rates();
    RunState run;
    run.points = count();
    run.figure = NAN;
    stepper_.reset(run);
  }
  void write_buffers() override {
    executor_.for_each("publish", count(),
                       PublishV{stepper_.state(), {cells_[0].data(), cells_[1].data()}, v_out_.address()});
  }
  void change(const GrayScottParameters&) override {
    stepper_.wait();
    upload_rates();
    RunState run = stepper_.seen();
    run.converged = run.iteration >= parameters_.steps.value();
    Base::go_on(run);
  }
  void iterate(std::int32_t) override {
    executor_.reduce("step", count(), SumOfV{},
                     Step{stepper_.state(), rates_.data(), {cells_[0].data(), cells_[1].data()}, nodes()},
                     EndStep{stepper_.state(), stepper_.history(), stepper_.capacity(), rates_.data(), count()});
  }
  void upload_rates() {
    const Rates rates{static_cast<float>(parameters_.feed.value()), static_cast<float>(parameters_.kill.value()),
                      parameters_.steps.value()};
    rates_.upload({&rates, 1});
  }

  Array<Cell, E> cells_[2];
  Array<Rates, E> rates_;
  Outlet<float> v_out_;
};

}  // namespace kinescope::sim::gray_scott
