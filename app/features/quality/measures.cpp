#include "app/features/quality/measures.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "app/io/timings.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/glimmer/point_stress.hpp"
#include "kinescope/glimmer/stress.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr double seconds_between = 1;
// Up to this many points the stress is exact. They have 10^7 pairs, as many as the sample for more points, so the time
// is the same.
constexpr std::size_t most_exact = 4472;
constexpr std::size_t listed_rows = 12;  // the report's default neighbourhood

using Clock = std::chrono::steady_clock;

// The first column of texts that names every row differently; null: there is none.
const sim::Column* naming_column(const sim::Dataset& data) {
  for (const sim::Column& column : data.table.columns) {
    if (!column.is_text || column.texts.size() != data.points) continue;
    sim::TextViewSet seen;
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

// The data, and what is computed from them only once, by the job that needs it first.
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
      } catch (const std::exception&) {  // out of memory for another copy: nothing is measured
        failed = true;
      }
    return input.get();
  }

  const std::shared_ptr<const sim::Dataset> data;
  const std::unique_ptr<sim::ParameterSet> parameters;
  std::mutex mutex;
  std::unique_ptr<sim::glimmer::InputDistances> input;
  bool failed = false;
  std::unique_ptr<sim::glimmer::ShepardSample> sample;  // only the diagram's queue uses it
  std::once_flag named;
  const sim::Column* names = nullptr;
};

void LayoutMeasures::set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters) {
  stop_.request_stop();
  stop_ = {};
  source_ = data ? std::make_shared<Source>(std::move(data), parameters) : nullptr;
  point_stress_ = nullptr;
  shepard_ = nullptr;
  nearest_ = nullptr;
  asked_.reset();
  begin_run();
}

void LayoutMeasures::share(const LayoutMeasures& other) {
  if (source_ && other.source_ && source_->data == other.source_->data) source_ = other.source_;
}

void LayoutMeasures::begin_run() {
  ++run_;
  for (Track& track : tracks_) {
    track.measured = 0;
    track.due = track.underway = false;
    track.next_at = 0;
  }
  stresses_.clear();
  if (readback_) readback_->forget();
  last_iteration_ = 0;
}

bool LayoutMeasures::moving() const {
  return asked_jobs_.busy() ||
         std::any_of(tracks_.begin(), tracks_.end(), [](const Track& track) { return track.due || track.underway; });
}

void LayoutMeasures::update(const PointView& view, const Wanted& wanted) {
  const std::uint64_t generation = view.shared.generation();
  now_ = view.now;
  for (Track& track : tracks_) track.jobs.poll();
  asked_jobs_.poll();
  if (!source_) return;
  if (!view.past) {
    if (view.iteration() < last_iteration_) {  // started again
      begin_run();
      if (generation == last_generation_)  // the buffers still hold the earlier run's layout
        for (Track& track : tracks_) track.measured = generation;
    }
    last_iteration_ = view.iteration();
    last_generation_ = generation;
  }
  if (readback_ && readback_->under_way()) {
    if (const std::uint32_t* words = readback_->take(wait_)) {
      const auto* first = reinterpret_cast<const float*>(words);
      const auto layout = std::make_shared<const std::vector<float>>(first, first + readback_bytes_ / sizeof(float));
      for (std::size_t k = 0; k < measures; ++k)
        if (reading_.wanted[k]) start(Measure(k), layout);
    }
    return;
  }
  Wanted now{};
  for (std::size_t k = 0; k < measures; ++k) {
    Track& track = tracks_[k];
    track.due = wanted[k] && track.measured != generation && view.points.count == source_->data->points;
    now[k] = track.due && !track.underway && (now_ >= track.next_at || view.snapshot.progress.converged);
  }
  if (now == Wanted{}) return;
  const std::size_t bytes = view.points.count * view.points.row() * sizeof(float);
  if (!readback_ || readback_bytes_ != bytes) readback_.emplace(readback_bytes_ = bytes);
  readback_->request(view.points.positions.buffer, view.points.positions.offset);
  reading_ = {now, generation, view.iteration()};
  if (wait_) update(view, wanted);
}

void LayoutMeasures::start(Track& track, Work work) {
  track.underway = true;
  track.jobs.post([this, &track, generation = reading_.generation, work = std::move(work), run = run_, source = source_,
                   stop = stop_.get_token()]() -> JobQueue::Then {
    const auto begin = Clock::now();
    JobQueue::Then found;
    try {
      const sim::glimmer::InputDistances* input = source->distances();
      if (input && !stop.stop_requested()) found = work(*input, stop);
    } catch (const std::exception&) {  // out of memory: tried again at the next publication
    }
    // Pictures that depend on their frame's number alone must not depend on the clock.
    return [this, &track, generation, run, found, seconds = wait_ ? 0 : seconds_since(begin)] {
      if (run != run_) return;
      track.underway = false;
      track.measured = generation;
      track.next_at = now_ + std::max(seconds_between - seconds, seconds);
      if (found) found();
    };
  });
  if (wait_) track.jobs.drain();
}

void LayoutMeasures::start(Measure which, const std::shared_ptr<const std::vector<float>>& layout) {
  Track& track = tracks_[which];
  if (which == point_stresses)
    start(track, [this, layout](const auto& input, const auto& stop) -> JobQueue::Then {
      auto values = sim::glimmer::point_stress(input, *layout, stop).value;
      if (values.empty()) return {};
      return [this, found = stress_colours(std::move(values))] { point_stress_ = found; };
    });
  if (which == shepard_diagram)
    start(track, [this, layout, source = source_](const auto& input, const auto& stop) -> JobQueue::Then {
      if (!source->sample) source->sample = std::make_unique<sim::glimmer::ShepardSample>(input, stop);
      if (stop.stop_requested()) return {};
      auto found = std::make_shared<const sim::glimmer::ShepardDiagram>(source->sample->of(*layout));
      return [this, found] { shepard_ = found; };
    });
  if (which == full_stresses)
    start(track, [this, layout, iteration = reading_.iteration](const auto& input, const auto& stop) -> JobQueue::Then {
      const sim::FullStress found = sim::full_stress(input, *layout, stop, {.most_exact = most_exact});
      if (!std::isfinite(found.value)) return {};
      return [=, this] { add_stress(iteration, found.value, found.exact); };
    });
}

void LayoutMeasures::add_stress(long iteration, double stress, bool exact) {
  stress_is_exact_ = exact;
  if (stresses_.empty() || stresses_.back().first < iteration)
    stresses_.emplace_back(iteration, stress);
  else
    stresses_.back().second = stress;
}

void LayoutMeasures::ask_nearest(std::uint32_t row) {
  if (!source_ || asked_ == row) return;
  asked_ = row;
  asked_jobs_.post([this, source = source_, stop = stop_.get_token(), row]() -> JobQueue::Then {
    auto found = std::make_shared<NearestRows>();
    found->of = row;
    try {
      std::call_once(source->named, [&] { source->names = naming_column(*source->data); });
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
  if (wait_) asked_jobs_.drain();
}

}  // namespace kinescope::app
