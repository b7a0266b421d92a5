#include "app/runs/session.hpp"

#include <algorithm>
#include <new>
#include <set>

#include "app/runs/memory_advice.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/data/metric.hpp"
#include "kinescope/data/normalize.hpp"
#include "kinescope/data/reading.hpp"
#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

bool takes_data(const sim::SimulationKind* kind) {
  return !kind->default_data.empty();
}

// Forgets the choices of columns when data change from a table to a graph or back: a table's columns are not those of a
// graph's nodes.
void forget_columns(sim::DataRequest& request, sim::ParameterSet& parameters) {
  const sim::Reading reading = sim::choose_reading(request.source, parameters), before = request.reading;
  if (reading == before || (reading != sim::Reading::graph && before != sim::Reading::graph)) return;
  request.label.clear();
  request.columns.clear();
  request.categories.clear();
}

// The value of the parameter of type P; "": the set has none.
template <class P>
std::string text_of(sim::ParameterSet& parameters) {
  const P* found = parameters.find<P>();
  return found ? found->text() : "";
}

// What is shown while a run is computed again up to there.
std::string moment_name(long iteration) {
  return "Iteration " + sim::with_commas(std::size_t(std::max(0L, iteration)));
}

// Rows as float32, and columns as double.
std::size_t bytes_of(const sim::Dataset& data) {
  const std::size_t numbers = data.values().size() * (sizeof(float) + sizeof(double));
  return numbers + (data.sparse() ? data.sparse()->bytes() : 0);
}

// Other data begin with the automatic choice.
void choose_normalize_anew(sim::ParameterSet& parameters) {
  if (auto* normalize = parameters.find<sim::NormalizeParameter>()) normalize->assign(sim::Normalization::automatic);
}

}  // namespace

Session::Session(const sim::SimulationKind& kind, std::unique_ptr<sim::ParameterSet> parameters,
                 const SessionOptions& options)
    : options_(options) {
  current_.kind = &kind;
  current_.seed = options.setup.seed;
  parameters_[&kind] = std::move(parameters);
  const auto& kinds = simulation_kinds();
  latest_of_data_.kind = *std::find_if(kinds.begin(), kinds.end(), takes_data);
}

// Few files hold distances or edges. So other data are first read as rows, even if the present ones are not.
void Session::open(sim::DataRequest request) {
  const sim::Reading reading = current_.request.reading;
  const bool special =
      reading == sim::Reading::matrix || reading == sim::Reading::graph || reading == sim::Reading::degrees;
  const auto* metric = special ? current_.parameters->find<sim::MetricParameter>() : nullptr;
  if (metric && request.source != current_.request.source)
    return open(std::move(request), {{metric->name(), metric->default_text()}});
  const bool here = takes_data(&kind()) || request.source.empty();
  make({here ? &kind() : latest_of_data_.kind, std::move(request), nullptr, nullptr, seed()});
}

void Session::open(const sim::SimulationKind& kind, sim::DataRequest request,
                   std::unique_ptr<sim::ParameterSet> parameters, std::uint64_t seed) {
  const std::string title = request.source.empty() ? kind.title : "";
  make({&kind, std::move(request), nullptr, std::move(parameters), seed}, title);
}

void Session::open(const sim::SimulationKind& kind, sim::DataRequest request, Replay replay, std::uint64_t seed) {
  const std::string title = request.source.empty() ? kind.title : "";
  std::shared_ptr<sim::ParameterSet> parameters = copy_of(kind, *replay.story.values());
  make({&kind, std::move(request), nullptr, std::move(parameters), seed}, title, std::move(replay));
}

void Session::open(sim::DataRequest request, const std::map<std::string, std::string>& values) {
  const auto has_all = [&](const sim::SimulationKind* kind) {
    const auto parameters = kind->make_parameters();
    return std::all_of(values.begin(), values.end(), [&](const auto& value) { return parameters->find(value.first); });
  };
  const auto& kinds = simulation_kinds();
  const auto found = has_all(&kind()) ? std::ranges::find(kinds, &kind()) : std::ranges::find_if(kinds, has_all);
  if (found == kinds.end()) return;
  std::unique_ptr<sim::ParameterSet> parameters = copy_of(**found, parameters_of(**found));
  if (is_other_source(request)) choose_normalize_anew(*parameters);
  for (const auto& [name, value] : values) parameters->set(name, value);
  open(**found, std::move(request), std::move(parameters), seed());
}

void Session::join(const Session& other, std::unique_ptr<sim::ParameterSet> parameters) {
  const Open& open = other.current_;
  make({open.kind, open.request, open.data, std::move(parameters), open.seed, open.stamp}, open.kind->title);
}

void Session::reload() {
  if (current_.data) make({&kind(), current_.request, nullptr, nullptr, seed()});
}

void Session::remake() {
  if (!current_.runner) return;
  Work work = current_;
  work.parameters = nullptr;
  forget_columns(work.request, parameters());
  make(std::move(work), kind().title);
}

void Session::apply_parameters() {
  if (!current_.runner) return;
  std::unique_ptr<sim::ParameterSet> values = copy_of(kind(), made_parameters());
  values->copy_live(*copy_of(kind(), parameters()));
  current_.runner->apply(std::move(values));
}

void Session::rewind(const sim::Progress& moment, std::size_t events) {
  if (!current_.runner) return;
  current_.runner->set_running(false);
  RunStory story = current_.runner->story();
  story.events.resize(std::min(story.events.size(), events));
  Work work = current_;
  work.parameters = copy_of(kind(), *story.values());
  Replay replay{moment.iteration, std::move(story), moment.figure, moment.converged};
  make(std::move(work), moment_name(moment.iteration), std::move(replay), true);
}

Place Session::place_of(const Open& open) {
  if (!open.runner) return {};
  const auto [chapter, events] = open.runner->place();
  return {open.number, chapter, events};
}

bool Session::keeps(const Place& place) const {
  return place == this->place() || std::ranges::any_of(kept_, [&](auto& open) { return place_of(open) == place; });
}

bool Session::go_to(const Place& place) {
  if (place == this->place() && !loading_) return false;
  const auto kept = std::ranges::find_if(kept_, [&](const Open& open) { return place_of(open) == place; });
  if (kept != kept_.end()) {
    Open open = std::move(*kept);
    kept_.erase(kept);
    ++asked_;
    cancel();
    next_ = std::move(open);
    return true;
  }
  const bool is_current = current_.runner && current_.number == place.run;
  const auto left = left_.find(place.run);
  if (!is_current && left == left_.end()) return false;
  Work work = is_current ? Work(current_) : Work(left->second);
  std::vector<Chapter> chapters = is_current ? current_.runner->chapters() : left->second.chapters;
  if (place.chapter >= chapters.size() || place.events > chapters[place.chapter].story.events.size()) return false;
  Chapter& chapter = chapters[place.chapter];
  std::vector<RunEvent>& events = chapter.story.events;
  Replay replay{chapter.end.iteration, {}, chapter.end.figure, chapter.end.converged};
  if (place.events < events.size()) {
    replay = {events[place.events].iteration, {}};
    events.resize(place.events);
  }
  work.parameters = copy_of(*work.kind, *chapter.story.values());
  replay.story = std::move(chapter.story);
  const std::string name = moment_name(replay.iteration);
  make(std::move(work), name, std::move(replay), is_current);
  return true;
}

// The panel's parameters for that kind.
sim::ParameterSet& Session::parameters_of(const sim::SimulationKind& kind) {
  std::unique_ptr<sim::ParameterSet>& shown = parameters_[&kind];
  if (!shown) shown = first_parameters(kind);
  return *shown;
}

// Whether a person opens other data than those that were open last; at the start there were none.
bool Session::is_other_source(const sim::DataRequest& request) const {
  return latest_of_data_.data && !request.source.empty() && request.source != latest_of_data_.request.source;
}

// Normalizing is a property of the data, so all simulations of the same data keep it.
void Session::keep_normalize(const sim::SimulationKind& kind) {
  const auto before = parameters_.find(latest_of_data_.kind);
  if (before == parameters_.end() || !before->second) return;
  const auto* chosen = before->second->find<sim::NormalizeParameter>();
  if (auto* own = parameters_of(kind).find<sim::NormalizeParameter>(); own && chosen) own->copy_value(*chosen);
}

void Session::show(const sim::SimulationKind& kind) {
  if (&kind == current_.kind && !loading_) return;
  keep_normalize(kind);
  const Work& latest = latest_of_data_;
  if (takes_data(&kind) && latest.data && latest.request.source != latest.kind->default_data) {
    Work work{&kind, latest.request, latest.data, nullptr, seed(), latest.stamp};
    forget_columns(work.request, parameters_of(kind));
    return make(std::move(work), kind.title);
  }
  make({&kind, {.source = kind.default_data}, nullptr, nullptr, seed()}, kind.title);
}

void Session::open_refused(const sim::Remedy& remedy) {
  Work work = std::exchange(refused_, {});
  if (!work.kind) return;
  if (!remedy.columns.empty()) work.request.columns = remedy.columns;
  if (remedy.format) work.request.format = *remedy.format;
  if (remedy.similarities) work.request.similarities = true;
  if (remedy.mean_of_halves) work.request.mean_of_halves = true;
  if (remedy.transpose) work.request.transpose = !work.request.transpose;
  if (!remedy.by.empty()) work.request.by = remedy.by;
  make(std::move(work));
}

void Session::cancel() {
  if (loading_) loading_->cancelled = true;
  loading_.reset();
  if (next_.returns)
    kept_.push_back(std::exchange(next_, {}));
  else
    retire(std::move(next_));
}

void Session::request_stop() {
  cancel();
  for (Open& kept : kept_) retire(std::move(kept));
  kept_.clear();
  if (current_.runner) current_.runner->request_stop();
}

bool Session::stopped() {
  jobs_.poll();
  return !jobs_.busy() && (!current_.runner || current_.runner->stopped()) &&
         std::all_of(old_.begin(), old_.end(), [](const Open& old) { return old.runner->stopped(); });
}

// If `work` has no data, its request is loaded first; if it has no parameters, those of the panel are used. The result
// counts only if no later request has replaced this one.
void Session::make(Work work, const std::string& name, std::optional<Replay> replay, bool goes_back) {
  ++asked_;
  cancel();
  rewinding_ = goes_back;
  const bool other = work.kind != current_.kind || work.request.source != current_.request.source;
  loading_ = std::make_shared<sim::LoadProgress>();
  loading_name_ = !name.empty() ? name : work.request.source.empty() ? work.kind->title : work.request.source;
  sim::ParameterSet& shown = parameters_of(*work.kind);
  auto made = std::make_shared<Made>();
  made->starts = other && !options_.runner.running;
  made->brings_parameters = work.parameters != nullptr;
  if (replay) made->begin = copy_of(*work.kind, *replay->story.begin);
  made->replay = std::move(replay);
  made->goes_back = goes_back;
  if (!work.parameters) {
    if (is_other_source(work.request)) choose_normalize_anew(shown);
    work.parameters = copy_of(*work.kind, shown);
  }
  if (!made->replay) work.normalize = text_of<sim::NormalizeParameter>(*work.parameters);
  const std::string asked = text_of<sim::MetricParameter>(*work.parameters);
  const sim::Reading reading = sim::choose_reading(work.request.source, *work.parameters);
  made->brings_parameters = made->brings_parameters ||
                            text_of<sim::MetricParameter>(*work.parameters) != asked;  // the data allow no other metric
  if (std::exchange(work.request.reading, reading) != reading) work.data = nullptr;
  static_cast<Work&>(*made) = std::move(work);
  jobs_.post([this, made, progress = loading_]() -> JobQueue::Then {
    *made = make_now(std::move(*made), options_, *progress);
    return [this, made, progress] {
      if (loading_ != progress) return;
      loading_.reset();
      if (made->error) {
        error_ = made->error;
        refused_ = *made;
      } else {
        take_over(*made);
      }
    };
  });
  if (options_.wait) jobs_.drain();
}

// Runs in the background.
Session::Made Session::make_now(Made made, const SessionOptions& options, sim::LoadProgress& progress) {
  const std::string& source = made.request.source;
  try {
    if (progress.cancelled) return made;
    if (!made.data && !source.empty()) {
      made.stamp = file_stamp(source);
      made.data = sim::load_dataset(made.request, &progress);
    }
    made.standardized = sim::settle_normalize(*made.parameters, made.data.get()) || (made.replay && made.standardized);
    sim::Setup whole = options.setup;
    whole.data = made.data;
    whole.seed = made.seed;
    if (progress.cancelled) return made;
    advise_on_memory(made.kind,
                     [&] { made.simulation = made.kind->make(whole, made.begin ? *made.begin : *made.parameters); });
    if (options.workers)
      made.workers = options.workers(*made.kind, made.request, made.begin ? *made.begin : *made.parameters, made.seed,
                                     *made.simulation, progress.cancelled);
    if (made.replay) catch_up(*made.simulation, *made.replay, progress.fraction, progress.cancelled);
  } catch (const sim::Cancelled&) {
  } catch (const sim::Error& error) {
    made.error = error;
  } catch (const std::bad_alloc&) {
    made.error = out_of_memory(made.kind);
  } catch (const std::exception&) {
    made.error = sim::run_error(source + ": cannot be opened");
  }
  return made;
}

void Session::take_over(Made& made) {
  try {
    render::SharedBuffersOptions shared;
    shared.memory = made.simulation->backend() == sim::Backend::cuda ? sim::MemoryKind::device : sim::MemoryKind::host;
    shared.cuda_device = options_.setup.device;
    shared.wait_for_copies = options_.runner.steps > 0;
    shared.force_staging = options_.staged;
    Open open{made, made.workers, render::SharedBuffers::make(shared), nullptr, std::nullopt};
    open.number = ++runs_;
    RunnerOptions options = options_.runner;
    options.kind = made.kind;
    open.was_running = options.running;
    options.running = options.running || made.starts;
    RunStory story{copy_of(*made.kind, made.begin ? *made.begin : *made.parameters), {}};
    if (made.replay) {
      options.running = !made.goes_back && (made.replay->converged || options.until == made.replay->iteration);
      story.events = made.replay->story.events;
      open.is_replay = true;
      if (made.goes_back) open.rewound_to = made.replay->iteration;
    }
    open.runner = std::make_unique<Runner>(std::move(made.simulation), *open.buffers, options, std::move(story));
    // A run that ended during the replay has yet to publish what belongs to its end (clusters).
    if (made.replay) open.runner->post([](sim::Simulation& simulation) { simulation.advance({.iterations = 0}); });
    if (made.brings_parameters) {
      sim::ParameterSet& shown = *parameters_.at(made.kind);
      shown.copy_values(*made.parameters);
      if (!made.normalize.empty()) shown.find<sim::NormalizeParameter>()->set(made.normalize);
    }
    retire(std::move(next_));
    next_ = std::move(open);
  } catch (const sim::Error& error) {
    error_ = error;
  }
}

void Session::retire(Open&& open) {
  if (!open.runner) return;
  open.runner->request_stop();
  old_.push_back(std::move(open));
  open = {};
}

// Their simulations' memory, their buffers, and data that nothing else has open. Each run also has a thread, and on a
// GPU streams and graphs.
std::size_t Session::kept_bytes() const {
  constexpr std::size_t each = 8 << 20, slots = 3;  // a ring has three slots
  std::size_t bytes = 0;
  std::set<const sim::Dataset*> counted{nullptr, next_.data.get()};
  for (const Open& open : kept_) {
    bytes += each + open.runner->snapshot()->memory + slots * open.buffers->bytes();
    if (counted.insert(open.data.get()).second) bytes += bytes_of(*open.data);
  }
  return bytes;
}

void Session::keep(Open&& open) {
  if (!open.runner) return;
  Left& left = left_[open.number];
  static_cast<Work&>(left) = open;
  left.chapters = open.runner->chapters();
  if (options_.kept_bytes == 0 || open.workers || open.runner->failed()) {
    left.data = nullptr;
    return retire(std::move(open));
  }
  open.returns = true;
  open.rewound_to = std::nullopt;
  open.ran = open.runner->running();
  open.runner->set_running(false);
  kept_.push_back(std::move(open));
  open = {};
  while (kept_bytes() > options_.kept_bytes) {  // the oldest goes first
    left_[kept_.front().number].data = nullptr;
    retire(std::move(kept_.front()));
    kept_.erase(kept_.begin());
  }
}

bool Session::poll() {
  std::erase_if(old_, [this](Open& old) {
    if (!old.runner->stopped()) return false;
    old.runner.reset();
    // Its processes may take a while to end.
    if (old.workers)
      jobs_.post([workers = std::move(old.workers)]() mutable -> JobQueue::Then {
        workers.reset();
        return [] {};
      });
    return true;
  });
  jobs_.poll();
  if (!next_.runner) return false;
  next_.runner->frame();
  if (auto error = next_.runner->take_error()) {  // a run that fails before its first picture does not take over
    error_ = error;
    refused_ = next_;
    retire(std::move(next_));
    return false;
  }
  if (!next_.buffers->ready()) return false;
  keep(std::move(current_));
  if (next_.returns) next_.runner->set_running(next_.ran);
  // If a person has paused or resumed since this runner was made, that was meant for this run.
  if (next_.was_running != options_.runner.running && !next_.is_replay && !next_.returns)
    next_.runner->set_running(options_.runner.running);
  current_ = std::move(next_);
  next_ = {};
  had_frame_ = true;
  if (current_.data) latest_of_data_ = current_;
  return true;
}

void Session::frame() {
  if (!std::exchange(had_frame_, false)) current_.runner->frame();
  current_.buffers->ready();
}

}  // namespace kinescope::app
