// What is wrong where in a layout, measured in the background while it moves: each point's stress, the Shepard diagram,
// the stress over all pairs, and the true nearest rows of one point.
//
// What is wanted is measured of the layout as it is published, each on a thread of its own, about once a second, and
// with at least as long a rest between two measurements as one takes; once the run has converged, of its end at once.
// Positions are copied back from the GPU without waiting. Other data, or the end of this, cancel what is under way.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/runs/worker.hpp"
#include "app/scenes/points/colouring.hpp"
#include "render/gl/readback.hpp"
#include "render/points/point_cloud.hpp"
#include "sim/core/simulation.hpp"
#include "sim/glimmer/quality/nearest.hpp"
#include "sim/glimmer/quality/shepard.hpp"

namespace kinescope::app {

inline constexpr const char* point_stress_name = "Stress of each point";

// The rows nearest to one, by the distances of the data.
struct NearestRows {
  std::uint32_t of = 0;
  std::vector<sim::glimmer::Neighbour> rows;  // nearest first
  std::vector<std::string> names;             // of them: from a column that names every row; else row numbers
};

class LayoutMeasures {
 public:
  // `wait`: measures at once and waits (pictures that depend on their frame's number alone).
  explicit LayoutMeasures(bool wait) : wait_(wait) {}
  ~LayoutMeasures() { stop_.request_stop(); }

  enum Measure : std::size_t { point_stresses, shepard_diagram, full_stresses, measures };
  using Wanted = std::array<bool, measures>;
  struct Moment {
    const render::PointBuffers& points;  // in the dataset's order, with all columns
    std::uint64_t generation;            // of the buffers
    long iteration;
    bool converged;
    double now;  // seconds
    bool past;   // the run is further than this
  };

  void set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters);
  // Measures by the same copy of the data as `other`, if these are the same.
  void share(const LayoutMeasures& other);
  void begin_run();  // another run of them publishes from now on
  // Call once a frame.
  void update(const Moment& moment, const Wanted& wanted);
  // Asks for the nearest rows of this one, unless they are known or being looked for.
  void ask_nearest(std::uint32_t row);
  bool moving() const;

  // The latest of each; null before the first.
  const std::shared_ptr<const Colouring>& point_stress() const { return point_stress_; }
  const std::shared_ptr<const sim::glimmer::ShepardDiagram>& shepard() const { return shepard_; }
  const std::shared_ptr<const NearestRows>& nearest() const { return nearest_; }
  // The stress of this run's layouts at some iterations, which ascend.
  const std::vector<std::pair<long, double>>& stresses() const { return stresses_; }
  bool stress_is_exact() const { return stress_is_exact_; }

 private:
  struct Source;
  // One kind of measurement.
  struct Track {
    std::uint64_t measured = 0;  // the generation of which it was taken last
    bool due = false, underway = false;
    double next_at = 0;
    Worker worker;
  };
  // The layout that is on its way from the GPU.
  struct Reading {
    Wanted wanted{};
    std::uint64_t generation = 0;
    long iteration = 0;
  };
  // Takes a measurement in the background: `measure` runs there, and what it returns runs on the window's thread.
  using Work = std::function<Worker::Then(const sim::glimmer::InputDistances&, const std::stop_token&)>;
  void start(Track& track, std::uint64_t generation, Work work);
  void start(Measure which, const std::shared_ptr<const std::vector<float>>& layout);
  void add_stress(long iteration, double stress, bool exact);

  const bool wait_;
  std::shared_ptr<Source> source_;
  std::stop_source stop_;
  std::shared_ptr<const Colouring> point_stress_;
  std::shared_ptr<const sim::glimmer::ShepardDiagram> shepard_;
  std::shared_ptr<const NearestRows> nearest_;
  std::optional<std::uint32_t> asked_;
  std::vector<std::pair<long, double>> stresses_;
  bool stress_is_exact_ = true;

  std::optional<render::Readback> readback_;
  std::size_t readback_bytes_ = 0;
  Reading reading_;
  long last_iteration_ = 0;
  double now_ = 0;
  int run_ = 0;  // number of the run, so that what comes late from an earlier one is dropped

  // Destroyed first, because their jobs use what stands above.
  std::array<Track, measures> tracks_;
  Worker asked_worker_;
};

}  // namespace kinescope::app
