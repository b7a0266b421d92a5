#include "app/scenes/glimmer/measures.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <unordered_set>

#include "sim/core/error.hpp"
#include "sim/data/text.hpp"
#include "sim/glimmer/glimmer.hpp"
#include "sim/glimmer/quality/point_stress.hpp"
#include "sim/glimmer/stress.hpp"

namespace kinescope::app {
namespace {

constexpr double seconds_between = 1;
constexpr std::size_t listed_rows = 12;  // as many as the report's usual neighbourhood

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The first column of texts that names every row differently; null: there is none.
const sim::Column* naming_column(const sim::Dataset& data) {
  for (const sim::Column& column : data.table.columns) {
    if (!column.is_text || column.texts.size() != data.points) continue;
    std::unordered_set<std::string_view> seen;
    if (std::all_of(column.texts.begin(), column.texts.end(),
                    [&](const std::string& text) { return !text.empty() && seen.insert(text).second; }))
      return &column;
  }
  return nullptr;
}

std::shared_ptr<const Colouring> stress_colours(std::vector<float> stresses) {
  auto colours = std::make_shared<Colouring>(colouring_by_numbers(point_stress_name, std::move(stresses)));
  colours->digits = 3;
  return colours;
}

}  // namespace

// The data with what is made of them once, by whichever job needs it first.
struct LayoutMeasures::Source {
  Source(std::shared_ptr<const sim::Dataset> given, sim::ParameterSet& from)
      : data(std::move(given)), parameters(sim::glimmer_kind().make_parameters()) {
    parameters->copy_values(from);
  }

  // Null if the data cannot be measured.
  const sim::glimmer::InputDistances* distances() {
    const std::lock_guard lock(mutex);
    if (!input && !failed) try {
        input =
            std::make_unique<sim::glimmer::InputDistances>(*data, static_cast<sim::GlimmerParameters&>(*parameters));
      } catch (const std::exception&) {  // no memory for another copy: nothing is measured
        failed = true;
      }
    return input.get();
  }

  const std::shared_ptr<const sim::Dataset> data;
  const std::unique_ptr<sim::ParameterSet> parameters;
  std::mutex mutex;
  std::unique_ptr<sim::glimmer::InputDistances> input;
  bool failed = false;
  std::unique_ptr<sim::glimmer::ShepardSample> sample;  // only the worker uses it
  const sim::Column* names = nullptr;                   // only the worker of questions uses these two
  bool names_known = false;
};

void LayoutMeasures::set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters) {
  stop_.request_stop();
  stop_ = {};
  source_ = data ? std::make_shared<Source>(std::move(data), parameters) : nullptr;
  results_ = {};
  nearest_ = nullptr;
  asked_.reset();
  begin_run();
}

void LayoutMeasures::begin_run() {
  ++run_;
  measured_ = {};
  stresses_.clear();
  if (readback_) readback_->forget();
  reading_for_ = {};
  underway_ = due_ = false;
  last_iteration_ = 0;
  next_at_ = 0;
}

LayoutMeasures::Wanted LayoutMeasures::due(const Moment& moment, const Wanted& wanted) const {
  return {wanted.point_stress && measured_.point_stress != moment.generation,
          wanted.shepard && measured_.shepard != moment.generation,
          wanted.stress && measured_.stress != moment.generation};
}

void LayoutMeasures::update(const Moment& moment, const Wanted& wanted) {
  now_ = moment.now;
  worker_.poll();
  asked_worker_.poll();
  if (!source_) return;
  if (moment.iteration < last_iteration_) begin_run();  // started again
  last_iteration_ = moment.iteration;
  if (readback_ && readback_->under_way()) {
    if (const std::uint32_t* words = readback_->take(wait_)) {
      const auto* first = reinterpret_cast<const float*>(words);
      measure({first, first + readback_bytes_ / sizeof(float)}, reading_for_, reading_generation_, reading_iteration_);
    }
    return;
  }
  const Wanted now = due(moment, wanted);
  due_ = (now.point_stress || now.shepard || now.stress) && moment.points.count == source_->data->points;
  if (!due_ || underway_ || (now_ < next_at_ && !moment.converged)) return;
  const std::size_t bytes = moment.points.count * moment.points.row() * sizeof(float);
  if (!readback_ || readback_bytes_ != bytes) readback_.emplace(readback_bytes_ = bytes);
  readback_->request(moment.points.positions.buffer, moment.points.positions.offset);
  reading_for_ = now;
  reading_generation_ = moment.generation;
  reading_iteration_ = moment.iteration;
  if (wait_) update(moment, wanted);
}

void LayoutMeasures::measure(std::vector<float> layout, const Wanted& wanted, std::uint64_t generation,
                             long iteration) {
  underway_ = true;
  worker_.post([this, run = run_, source = source_, stop = stop_.get_token(), layout = std::move(layout), wanted,
                generation, iteration]() -> Worker::Then {
    const auto begin = Clock::now();
    Results found;
    std::optional<sim::FullStress> stress;
    try {
      const sim::glimmer::InputDistances* input = source->distances();
      if (input && wanted.point_stress && !stop.stop_requested())
        found.point_stress = stress_colours(sim::glimmer::point_stress(*input, layout, stop).value);
      if (input && wanted.shepard && !stop.stop_requested()) {
        if (!source->sample) source->sample = std::make_unique<sim::glimmer::ShepardSample>(*input, stop);
        if (!stop.stop_requested())
          found.shepard = std::make_shared<sim::glimmer::ShepardDiagram>(source->sample->of(layout));
      }
      if (input && wanted.stress) stress = sim::full_stress(*input, layout, stop);
    } catch (
        const std::exception&) {  // no memory: what was not found is asked for again when something new is published
    }
    // A picture that depends on its frame's number must not depend on the clock.
    return [=, this, seconds = wait_ ? 0 : seconds_since(begin)] {
      if (run != run_) return;
      underway_ = false;
      next_at_ = now_ + std::max(seconds_between - seconds, seconds);
      if (found.point_stress) results_.point_stress = found.point_stress;
      if (found.shepard) results_.shepard = found.shepard;
      if (wanted.point_stress) measured_.point_stress = generation;
      if (wanted.shepard) measured_.shepard = generation;
      if (wanted.stress) measured_.stress = generation;
      if (!stress || !std::isfinite(stress->value)) return;
      stress_is_exact_ = stress->exact;
      if (stresses_.empty() || stresses_.back().first < iteration)
        stresses_.emplace_back(iteration, stress->value);
      else
        stresses_.back().second = stress->value;
    };
  });
  if (wait_) worker_.drain();
}

void LayoutMeasures::ask_nearest(std::uint32_t row) {
  if (!source_ || asked_ == row) return;
  asked_ = row;
  asked_worker_.post([this, source = source_, stop = stop_.get_token(), row]() -> Worker::Then {
    auto found = std::make_shared<NearestRows>();
    found->of = row;
    try {
      if (!std::exchange(source->names_known, true)) source->names = naming_column(*source->data);
      if (const auto* input = source->distances()) found->rows = nearest_rows(*input, row, listed_rows, stop);
    } catch (const std::exception&) {  // a list without rows
    }
    for (const sim::glimmer::Neighbour& each : found->rows)
      found->names.push_back(source->names ? source->names->texts[each.point]
                                           : "Row " + sim::with_commas(std::size_t{each.point} + 1));
    return [this, source, found] {
      if (source == source_ && asked_ == found->of) nearest_ = found;
    };
  });
  if (wait_) asked_worker_.drain();
}

}  // namespace kinescope::app
