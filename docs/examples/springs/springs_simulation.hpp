// The spring layout for any executor: one launch per iteration.
//
//   x_i ← x_i − s · mean over j of (1 − δ_ij/d_ij)(x_i − x_j)        δ, d: distance in the data, in the plane
//   stress = Σ (d_ij − δ_ij)² / Σ δ_ij²                               over the springs of the iteration
//
// Each iteration draws new points j. With all other points as j and s = 1 this is SMACOF's step (J. de Leeuw, 1977),
// which never raises the stress. With a few of them it is noisy, so s falls to 0 at the end of the run.
#pragma once

#include <cmath>
#include <vector>

#include "kinescope/executors/functors.hpp"
#include "kinescope/random.hpp"
#include "kinescope/shell.hpp"
#include "sim/springs/springs.hpp"
#include "sim/springs/springs_parameters.hpp"

namespace kinescope::sim::springs {

enum Stream : std::uint32_t { start_stream = 1, spring_stream };  // what the random numbers are used for

struct Place {
  float x, y;
};

// The live parameters. They are in the executor's memory, where launches read them.
struct Live {
  float strength;
  std::int64_t steps;
};

// Sums over the springs. The executor adds in a fixed order, so that they are always the same.
struct Stress {
  double error = 0, size = 0;
  KINESCOPE_HD Stress operator+(Stress other) const { return {error + other.error, size + other.size}; }
};

struct Pull {
  const RunState* run;
  const Live* live;
  const float* values;  // [points × dimensions]
  Place* places[2];     // the layout is in places[iteration mod 2]
  std::int64_t points, dimensions;
  std::uint32_t springs;
  Random random;

  KINESCOPE_HD Stress operator()(std::int64_t i) const {
    if (run->converged) return {};
    const Place* from = places[run->iteration & 1];
    const Place here = from[i];
    float x = 0, y = 0;
    Stress stress;
    for (std::uint32_t k = 0; k < springs; ++k) {
      const std::int64_t j = other(i, k);
      const float delta = distance_in_data(i, j), dx = here.x - from[j].x, dy = here.y - from[j].y;
      const float d = std::sqrt(dx * dx + dy * dy), part = d > 0 ? 1 - delta / d : 0.0f;
      x += part * dx;
      y += part * dy;
      stress = stress + Stress{double(d - delta) * (d - delta), double(delta) * delta};
    }
    const float done = static_cast<float>(run->iteration) / static_cast<float>(live->steps);
    const float step = live->strength * (1 - done) / static_cast<float>(springs);
    places[1 - (run->iteration & 1)][i] = {here.x - step * x, here.y - step * y};
    return stress;
  }

  // The point at the other end of spring k of point i. Each block of random words has four numbers.
  KINESCOPE_HD std::int64_t other(std::int64_t i, std::uint32_t k) const {
    const auto draw = static_cast<std::uint32_t>(run->iteration) * 16 + k / 4;
    const RandomWords words = random.words(static_cast<std::uint64_t>(i), draw);
    return uniform_below(words[static_cast<int>(k % 4)], static_cast<std::uint32_t>(points));
  }
  KINESCOPE_HD float distance_in_data(std::int64_t i, std::int64_t j) const {
    float square = 0;
    for (std::int64_t c = 0; c < dimensions; ++c) {
      const float difference = values[i * dimensions + c] - values[j * dimensions + c];
      square += difference * difference;
    }
    return std::sqrt(square);
  }
};

struct EndStep {
  RunState* run;
  HistoryPoint* history;
  std::int64_t capacity;
  const Live* live;

  KINESCOPE_HD void operator()(Stress stress) const {
    if (run->converged) return;
    run->record(static_cast<float>(stress.size > 0 ? stress.error / stress.size : 0), history, capacity);
    run->converged = run->iteration >= live->steps;
    run->fraction = static_cast<float>(static_cast<double>(run->iteration) / static_cast<double>(live->steps));
  }
};

struct PublishPlaces {
  const RunState* run;
  const Place* places[2];
  float* to;
  KINESCOPE_HD void operator()(std::int64_t i) const {
    const Place place = places[run->iteration & 1][i];
    to[2 * i] = place.x;
    to[2 * i + 1] = place.y;
  }
};

template <Executor E>
class SpringsSimulation : public Shell<E, SpringsParameters> {
  using Base = Shell<E, SpringsParameters>;
  using Base::setup_, Base::parameters_, Base::executor_, Base::stepper_;

 public:
  SpringsSimulation(const Setup& setup, SpringsParameters& parameters)
      : Base(springs_kind(), setup, parameters, 1 << 16) {
    const Scaling scaling(*setup_.data, parameters_.normalize.value());
    values_ = Array<float, E>(executor_, scaling.apply(setup_.data)->values());
    for (auto& places : places_) places = Array<Place, E>(executor_, setup_.data->points);
    live_ = Array<Live, E>(executor_, 1);
    Base::begin();
  }

  Table result() override {
    stepper_.wait();
    Column x{"x"}, y{"y"};
    for (const Place& place : places_[stepper_.seen().iteration & 1].download()) {
      x.numbers.push_back(place.x);
      y.numbers.push_back(place.y);
    }
    Table table;
    table.source = setup_.data->name;
    table.rows = setup_.data->points;
    table.columns = {std::move(x), std::move(y)};
    return table;
  }
  Report report() override {
    stepper_.wait();
    Report report;
    report.add("steps", stepper_.seen().iteration);
    report.add("stress", static_cast<double>(stepper_.seen().figure));
    return report;
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(setup_.data->points); }

  void create_buffers(BufferSource& source) override {
    positions_out_.create(source, published::positions, setup_.data->points * 2);
  }
  // Places all points at random in the unit square. The size of the square does not matter: the first step finds the
  // scale.
  void start() override {
    std::vector<Place> places(setup_.data->points);
    const Random random(setup_.seed, start_stream);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RandomWords words = random.words(i);
      places[i] = {uniform_float(words[0]), uniform_float(words[1])};
    }
    for (auto& each : places_) each.upload(places);
    upload_live();
    RunState run;
    run.points = count();
    run.figure = NAN;
    stepper_.reset(run);
  }
  void write_buffers() override {
    executor_.for_each(
        "publish", count(),
        PublishPlaces{stepper_.state(), {places_[0].data(), places_[1].data()}, positions_out_.address()});
  }
  void change(const SpringsParameters&) override {
    stepper_.wait();
    upload_live();
    RunState run = stepper_.seen();
    run.converged = run.iteration >= parameters_.steps.value();
    Base::go_on(run);
  }
  void iterate(std::int32_t) override {
    executor_.reduce("pull", count(), Stress{},
                     Pull{stepper_.state(),
                          live_.data(),
                          values_.data(),
                          {places_[0].data(), places_[1].data()},
                          count(),
                          static_cast<std::int64_t>(setup_.data->dimensions),
                          static_cast<std::uint32_t>(parameters_.springs.value()),
                          Random(setup_.seed, spring_stream)},
                     EndStep{stepper_.state(), stepper_.history(), stepper_.capacity(), live_.data()});
  }
  void upload_live() {
    const Live live{static_cast<float>(parameters_.strength.value()), parameters_.steps.value()};
    live_.upload({&live, 1});
  }

  Array<float, E> values_;  // [points × dimensions], normalized
  Array<Place, E> places_[2];
  Array<Live, E> live_;
  Outlet<float> positions_out_;
};

}  // namespace kinescope::sim::springs
