// Lays out the components of data side by side: each is laid out alone, as any data are, and they are moved so that
// none overlaps another. They are never scaled, so that a unit means the same in all of them.
//
// Small components are laid out at once on the host. Of the others, up to `most_live` are layouts of their own that
// make their iterations in turn; when one has ended, the next begins. A component that waits is shown as its rough
// first layout. So every iteration is a function of the data, the parameters and the seed.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/array.hpp"
#include "kinescope/error.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"
#include "sim/glimmer/components/components.hpp"
#include "sim/glimmer/components/packing.hpp"
#include "sim/glimmer/quality/report.hpp"

namespace kinescope::sim::glimmer {

// The buffers of one component's layout, in the executor's memory.
template <Executor E>
class ComponentBuffers : public BufferSource {
 public:
  explicit ComponentBuffers(E& executor) : executor_(executor) {}
  MemoryKind memory_kind() const override { return E::backend == Backend::cpu ? MemoryKind::host : MemoryKind::device; }
  Id create(std::string_view name, std::size_t bytes) override {
    names_.emplace_back(name);
    buffers_.emplace_back(executor_, bytes);
    return buffers_.size() - 1;
  }
  void* address(Id id) override { return buffers_[id].data(); }
  bool begin(void*) override { return true; }
  void end() override {}

  template <class T>
  std::vector<T> download(const Published<T>& published) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(names_, published.name) - names_.begin());
    const std::vector<std::byte> bytes = buffers_[at].download();
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

 private:
  E& executor_;
  std::vector<std::string> names_;
  std::vector<Array<std::byte, E>> buffers_;
};

template <Executor E>
class ComponentsSimulation : public Simulation {
 public:
  using MakeLayout = std::unique_ptr<Simulation> (*)(const Setup&, GlimmerParameters&);

  // setup.data->components must not be empty. `make` makes the layout of one component.
  ComponentsSimulation(const Setup& setup, GlimmerParameters& parameters, MakeLayout make)
      : setup_(setup),
        executor_(setup),
        make_(make),
        L_(static_cast<std::size_t>(parameters.output_dimensions.value())) {
    parameters_ = parameters;
    data_ = std::make_unique<ComponentData>(*setup_.data, parameters_);
    restart();
  }

  void attach(BufferSource& source) override {
    positions_.create(source, published::positions, points() * L_);
    states_.create(source, published::states, points());
  }

  bool advance(const Budget& budget) override {
    const auto began = Clock::now();
    for (long done = 0; done < budget.iterations && !has_ended(); ++done) {
      const auto before = Clock::now();
      iterate();
      note(since(before));
      if (since(began) >= budget.seconds) break;
    }
    show_present();
    return !has_ended();
  }
  void finish() override {
    for (Live& each : live_) each.layout->finish();
  }
  void publish() override {
    look_at_live();
    write(positions_.address(), arranged());
    write(states_.address(), placed_);
  }

  void apply(const ParameterSet& values) override {
    parameters_.copy_live(static_cast<const GlimmerParameters&>(values));
    for (Live& each : live_) each.layout->apply(values);
    show_present();
  }
  void set(const std::string& name, const std::string& value) override {
    GlimmerParameters values = parameters_;
    values.set(name, value);
    apply(values);
  }
  void restart() override {
    start();
    show_present();
  }

  Table result() override {
    look_at_live();
    return layout_table(*setup_.data, arranged(), L_);
  }
  std::vector<std::string> endings(const std::string& output) const override {
    for (const OutputKind& each : glimmer_kind().outputs)
      if (each.option == output) return each.endings;
    return {};
  }
  Table table(const std::string& output) override {
    if (output != "out") throw input_error("this run has no --" + output);
    return result();
  }
  bool write(const std::string&, const std::string&) override { return false; }
  Report report() override { return figures(false); }
  Report summary() override { return figures(true); }
  Report figures(bool brief) {
    look_at_live();
    Report report;
    report.add("normalize_used", normalization_name(parameters_.normalize.value()));
    report.add("components", static_cast<std::int64_t>(data_->count()));
    add_quality(report, *setup_.data, parameters_, arranged(),
                std::vector<float>(data_->start().begin(), data_->start().end()), brief);
    return report;
  }
  Backend backend() const override { return E::backend; }
  void* stream() const override { return executor_.stream(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t small = 40, most_live = 32;

  struct Live {
    std::size_t component = 0;
    std::unique_ptr<ComponentBuffers<E>> buffers;
    std::unique_ptr<Simulation> layout;
    bool ended = false;
  };

  static double since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }
  std::size_t points() const { return setup_.data->points; }
  bool has_ended() const { return live_.empty(); }

  void start() {
    const auto began = Clock::now();
    live_.clear();
    layouts_.assign(data_->count(), {});
    const auto is_small = [&](std::size_t c) { return data_->members(c).size() <= small; };
    std::size_t large = 0;
    while (large < data_->count() && !is_small(large)) ++large;  // the largest are first
    for (std::size_t c = 0; c < large; ++c) layouts_[c] = first_layout(*data_->data(c), parameters_);
    in_parallel(data_->count() - large, 1, [&](std::size_t k) {
      layouts_[large + k] = lay_out_small(*data_->data(large + k), parameters_, setup_.seed);
    });
    placed_.assign(points(), static_cast<std::uint32_t>(PointState::placed));
    large_ = large, next_ = 0, cut_ = false;
    packing_ = std::make_unique<Packing>(sizes());
    fill_live();
    history_.clear();
    shown_ = {};
    shown_.seconds = since(began);
    describe();
  }

  // Begins the layouts of components that wait.
  void fill_live() {
    while (live_.size() < most_live && next_ < large_) {
      Live live;
      live.component = next_;
      Setup setup = setup_;
      setup.data = data_->data(next_++);
      live.buffers = std::make_unique<ComponentBuffers<E>>(executor_);
      live.layout = make_(setup, parameters_);
      live.layout->attach(*live.buffers);
      live_.push_back(std::move(live));
    }
  }

  // One iteration of every layout that has begun; those that have ended make room.
  void iterate() {
    for (Live& each : live_) each.ended = !each.layout->advance({.iterations = 1});
    for (Live& each : live_) {
      if (!each.ended) continue;
      each.layout->finish();
      look_at(each);
      cut_ = cut_ || each.layout->progress().cut;
    }
    std::erase_if(live_, [](const Live& each) { return each.ended; });
    fill_live();
  }

  // Takes over the present layout and figure of a component.
  void look_at(Live& live) {
    live.layout->publish();
    live.layout->finish();
    layouts_[live.component].places = live.buffers->download(published::positions);
    const std::vector<std::uint32_t> states = live.buffers->download(published::states);
    const std::vector<std::uint32_t>& members = data_->members(live.component);
    for (std::size_t k = 0; k < members.size(); ++k) placed_[members[k]] = states[k];
    look_at_figure(live);
  }
  void look_at_live() {
    for (Live& each : live_) look_at(each);
  }
  void look_at_figure(Live& live) {
    const Progress progress = live.layout->progress();
    if (!std::isnan(progress.figure)) layouts_[live.component].figure = progress.figure;
  }

  void show_present() {
    Snapshot snapshot;
    snapshot.progress = shown_;
    snapshot.history = history_.seen();
    snapshot.backend = E::backend;
    show(std::move(snapshot));
  }
  // Updates what is shown after an iteration that took so long.
  void note(double seconds) {
    for (Live& each : live_) look_at_figure(each);
    ++shown_.iteration;
    shown_.seconds += seconds;
    describe();
    const std::vector<std::string>& phases = glimmer_kind().phases;
    const auto phase = std::ranges::find(phases, shown_.phase) - phases.begin();
    const HistoryPoint point{shown_.iteration, static_cast<float>(shown_.figure),
                             static_cast<std::int16_t>(shown_.level), static_cast<std::int16_t>(phase)};
    history_.add({&point, 1});
  }

  void describe() {
    if (!live_.empty()) largest_ = live_.front().layout->progress();
    shown_.phase = largest_.phase.empty() ? "relax" : largest_.phase;
    shown_.level = std::max(1, largest_.level), shown_.levels = std::max(1, largest_.levels);
    const bool ordinal = parameters_.algorithm.value().is_ordinal;
    const bool sampled = std::ranges::any_of(layouts_, [](const ComponentLayout& layout) { return layout.sampled; });
    shown_.figure_name = ordinal                         ? "stress-1"
                         : sampled                       ? "stress, sampled"
                         : !largest_.figure_name.empty() ? largest_.figure_name
                                                         : "stress, all pairs";
    double sum = 0, weight = 0;
    for (const ComponentLayout& each : layouts_) {
      sum += each.size * (ordinal ? each.figure * each.figure : each.figure);
      weight += each.size;
    }
    const double mean = weight > 0 ? sum / weight : 0;
    shown_.figure = ordinal ? std::sqrt(mean) : mean;
    shown_.converged = live_.empty();
    shown_.cut = cut_;
    double left = 0;
    shown_.points = points();
    for (std::size_t c = next_; c < large_; ++c) left += double(data_->members(c).size());
    for (const Live& each : live_) {
      const Progress progress = each.layout->progress();
      const std::size_t size = data_->members(each.component).size();
      left += (1 - progress.fraction) * double(size);
      shown_.points -= size - progress.points;
    }
    shown_.fraction = live_.empty() ? 1 : 1 - left / double(points());
  }

  // The sizes of the components with the gap around each.
  std::vector<Size> sizes() const {
    std::vector<Size> sizes;
    for (const ComponentLayout& each : layouts_) {
      const auto [low, high] = box_of(each);
      sizes.push_back({high[0] - low[0] + data_->gap(), high[1] - low[1] + data_->gap()});
    }
    return sizes;
  }
  std::pair<std::array<double, 3>, std::array<double, 3>> box_of(const ComponentLayout& layout) const {
    constexpr double far = std::numeric_limits<double>::infinity();
    std::array<double, 3> low = {far, far, far}, high = {-far, -far, -far};
    for (std::size_t e = 0; e < layout.places.size(); ++e) {
      if (std::isnan(layout.places[e])) continue;
      low[e % L_] = std::min(low[e % L_], double(layout.places[e]));
      high[e % L_] = std::max(high[e % L_], double(layout.places[e]));
    }
    if (low[0] > high[0]) low = high = {};
    return {low, high};
  }

  // All components side by side, [points × L] in the data's order.
  std::vector<float> arranged() const {
    const std::vector<Size> corners = packing_->corners(sizes());
    std::vector<float> all(points() * L_);
    for (std::size_t c = 0; c < layouts_.size(); ++c) {
      const auto [low, high] = box_of(layouts_[c]);
      const double half = data_->gap() / 2;
      const std::array<double, 3> move = {corners[c][0] + half - low[0], corners[c][1] - half - high[1],
                                          L_ == 3 ? -(low[2] + high[2]) / 2 : 0};
      const std::vector<std::uint32_t>& members = data_->members(c);
      for (std::size_t k = 0; k < members.size(); ++k)
        for (std::size_t l = 0; l < L_; ++l)
          all[members[k] * L_ + l] = static_cast<float>(double(layouts_[c].places[k * L_ + l]) + move[l]);
    }
    return all;
  }

  template <class T>
  void write(T* address, const std::vector<T>& values) {
    executor_.copy_in(address, values.data(), values.size() * sizeof(T));
  }

  Setup setup_;
  GlimmerParameters parameters_;
  mutable E executor_;
  MakeLayout make_;
  std::size_t L_;
  std::unique_ptr<ComponentData> data_;
  std::unique_ptr<Packing> packing_;
  std::vector<ComponentLayout> layouts_;  // of each component, as it was last looked at
  std::vector<std::uint32_t> placed_;     // [points], the states
  std::vector<Live> live_;
  std::size_t large_ = 0, next_ = 0;  // how many components are not small; the first of them that waits
  bool cut_ = false;
  Progress largest_;  // of the largest component whose layout has begun and not ended; it speaks for all
  Outlet<float> positions_;
  Outlet<std::uint32_t> states_;

  Progress shown_;
  Log<HistoryPoint> history_;
};

}  // namespace kinescope::sim::glimmer
