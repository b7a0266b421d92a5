// What is known of a run at one moment. The thread that advances a simulation makes a snapshot and publishes it
// (Simulation::snapshot); it never changes afterwards, so any thread may read it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace kinescope::sim {

enum class Backend { cpu, cuda };

struct Progress {
  std::string phase;          // "interpolate", "relax", ... for people
  int level = 0, levels = 0;  // level counts from 1, the coarsest; 0 where there are none
  std::size_t points = 0;     // number of points that take part now
  long iteration = 0;         // since the start
  double figure = 0;          // the figure of merit now (NaN before there is one)
  double fraction = 0;        // estimate of the part done, 0 … 1
  double seconds = 0;         // spent computing
  bool converged = false;     // nothing is left to compute
  bool cut = false;           // a limit on iterations ended the run before it converged
  std::string note;           // a few words beside the figure: "distances sent at 12 GB/s"; or ""
  std::string figure_name;    // the present name of the figure, if it is not SimulationKind::figure_name; or ""
  double second_figure =
      std::numeric_limits<double>::quiet_NaN();  // value of the figure named SimulationKind::second_figure_name
  std::string second_figure_name;                // its present name, if the kind has none; ""
  std::string level_name = "Level";              // what people read before a level's number
  int first_level = 1;                           // the number that people read for level 1
};

// One point of the curves that the window plots.
struct HistoryPoint {
  long iteration = 0;
  float figure = 0;
  std::int16_t level = 0;                                         // as in Progress
  std::int16_t phase = 0;                                         // index of the phase within the level
  float second_figure = std::numeric_limits<float>::quiet_NaN();  // the latest measurement; NaN: none yet
};

// A log as it was at some moment. Its owner goes on writing behind `entries`, never into them.
template <class T>
struct Logged {
  std::shared_ptr<const T[]> memory;
  std::span<const T> entries;
  std::uint64_t version = 0;  // another one begins with other entries
};

// A sequence that only grows until it is cleared, of which other threads may keep what is there by now. Adding is O(1)
// an entry on average.
template <class T>
class Log {
 public:
  void add(std::span<const T> entries) {
    if (count_ + entries.size() > capacity_) {
      capacity_ = std::max(2 * capacity_, count_ + entries.size());
      auto larger = std::make_shared<T[]>(capacity_);
      std::copy_n(memory_.get(), count_, larger.get());
      memory_ = std::move(larger);
    }
    std::ranges::copy(entries, memory_.get() + count_);
    count_ += entries.size();
  }
  void clear() {
    memory_ = nullptr;
    capacity_ = count_ = 0;
    ++version_;
  }
  std::size_t size() const { return count_; }
  Logged<T> seen() const { return {memory_, {memory_.get(), count_}, version_}; }

 private:
  std::shared_ptr<T[]> memory_;
  std::size_t capacity_ = 0, count_ = 0;
  std::uint64_t version_ = 0;
};

using History = Logged<HistoryPoint>;  // the curve since the start

struct Snapshot {
  Progress progress;
  History history;
  Backend backend = Backend::cpu;
  std::size_t memory = 0;  // bytes that the run holds in its executor's memory, without data and what is drawn

  // Facts that only some runs have, each known by its type: find<Groups>(), find<WaveFigures>(). A kind's header says
  // which facts its runs have. Null: this run has no such fact, or not yet.
  template <class T>
  const T* find() const {
    return share<T>().get();
  }
  template <class T>
  std::shared_ptr<const T> share() const {
    for (const auto& [type, fact] : facts_)
      if (type == typeid(T)) return std::static_pointer_cast<const T>(fact);
    return nullptr;
  }
  // Null adds nothing. A fact that did not change is shared by all snapshots.
  template <class T>
  void add(std::shared_ptr<const T> fact) {
    if (fact) facts_.emplace_back(typeid(T), std::move(fact));
  }
  template <class T>
  void add(T fact) {
    add(std::make_shared<const T>(std::move(fact)));
  }

 private:
  std::vector<std::pair<std::type_index, std::shared_ptr<const void>>> facts_;
};

// The columns of the published positions: their names, and what is to be added to the published values.
struct PublishedColumns {
  std::vector<std::string> names;
  std::vector<double> origins;
};

}  // namespace kinescope::sim
