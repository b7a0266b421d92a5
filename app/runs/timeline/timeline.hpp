// The moments of a run that are kept, thinned evenly to a limit of memory: when it is reached, moments are dropped so
// that twice as many iterations lie between those that remain. The first, the latest, and the first of each level stay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "app/runs/timeline/packed_buffer.hpp"
#include "kinescope/snapshot.hpp"

namespace kinescope::app {

struct Moment {
  std::shared_ptr<const sim::Snapshot> snapshot;
  std::size_t events = 0;  // how many events of the run came before
  std::vector<PackedBuffer> buffers;
  const sim::Progress& progress() const { return snapshot->progress; }
  long iteration() const { return progress().iteration; }
};

class Timeline {
 public:
  static constexpr std::size_t usual_limit_bytes = 256'000'000;

  // Adds a moment after the latest. A moment of the same iteration replaces the latest one. An earlier one clears the
  // timeline first: the run was restarted.
  void add(Moment moment);
  void clear();
  // Forgets the moments from that iteration on.
  void forget_from(long iteration);
  void set_limit(std::size_t bytes);

  bool empty() const { return moments_.empty(); }
  std::size_t size() const { return moments_.size(); }
  const Moment& operator[](std::size_t index) const { return *moments_[index]; }
  const Moment& latest() const { return *moments_.back(); }
  // The latest moment for which `holds`, else the first. It must hold for no moment after one for which it does not.
  // O(log size).
  template <class Holds>
  std::size_t latest_where(Holds&& holds) const {
    const auto after = std::ranges::partition_point(moments_, [&](const auto& moment) { return holds(*moment); });
    return after == moments_.begin() ? 0 : std::size_t(after - moments_.begin()) - 1;
  }
  // The latest moment at or before that iteration, else the first.
  std::size_t index_at(long iteration) const {
    return latest_where([&](const Moment& moment) { return moment.iteration() <= iteration; });
  }
  // The iterations at which levels begin, without the first level.
  std::vector<long> level_iterations() const;

  std::size_t bytes() const { return bytes_; }
  std::size_t limit() const { return limit_; }
  long stride() const { return stride_; }  // the fewest iterations between kept moments, but for those that always stay

 private:
  bool begins_level(std::size_t index) const;
  bool near(std::size_t index) const;
  void account(const Moment& moment, bool added);
  void remove(std::size_t index);
  void thin();
  template <class Stays>
  void keep(Stays&& stays);

  // By pointer: moving moments about while thinning must cost nothing.
  std::vector<std::unique_ptr<Moment>> moments_;
  std::unordered_map<const PackedBuffer::Whole*, std::size_t> users_;  // how many kept buffers share each
  std::size_t limit_ = usual_limit_bytes, bytes_ = 0;
  long stride_ = 1;
};

}  // namespace kinescope::app
