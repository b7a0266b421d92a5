// Measures in the background, while a layout moves, how faithful it is and where it is wrong: each point's stress, the
// Shepard diagram, the stress over all pairs, and the true nearest rows of one point.
//
// Each measure that is wanted has its own thread, and is taken of the published layout about once a second. The pause
// between two measurements is at least as long as one takes. Once the run has converged, the final layout is measured
// without a pause. Positions are copied back from the GPU without waiting. Other data, or the destruction of the
// object, cancel what is under way.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/runs/job_queue.hpp"
#include "app/scenes/points/point_layer.hpp"
#include "kinescope/glimmer/nearest.hpp"
#include "kinescope/glimmer/shepard.hpp"
#include "render/gl/readback.hpp"

namespace kinescope::app {

inline constexpr const char* point_stress_name = "Stress of each point";

// The rows nearest to one row, by distance in the data.
struct NearestRows {
  std::uint32_t of = 0;
  std::vector<sim::glimmer::Neighbour> rows;  // nearest first
  std::vector<std::string> names;             // their names: texts of a column without repetitions; else row numbers
};

class LayoutMeasures {
 public:
  // `wait`: update() waits for the results, for pictures that must depend on their frame's number alone.
  explicit LayoutMeasures(bool wait) : wait_(wait) {}
  ~LayoutMeasures() { stop_.request_stop(); }

  enum Measure : std::size_t { point_stresses, shepard_diagram, full_stresses, measures };
  using Wanted = std::array<bool, measures>;

  void set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters);
  // Uses the copy of the data that `other` has, if both measure the same data.
  void share(const LayoutMeasures& other);
  // Call once a frame. The points are in the dataset's order, with all columns.
  void update(const PointView& view, const Wanted& wanted);
  // Requests the nearest rows of `row`, unless they are known or already requested.
  void ask_nearest(std::uint32_t row);
  bool moving() const;

  // The latest results; null before the first.
  const std::shared_ptr<const Colouring>& point_stress() const { return point_stress_; }
  const std::shared_ptr<const sim::glimmer::ShepardDiagram>& shepard() const { return shepard_; }
  const std::shared_ptr<const NearestRows>& nearest() const { return nearest_; }
  // Iteration and stress of this run's measured layouts, in ascending order of the iterations.
  const std::vector<std::pair<long, double>>& stresses() const { return stresses_; }
  bool stress_is_exact() const { return stress_is_exact_; }

 private:
  struct Source;
  // One kind of measurement.
  struct Track {
    std::uint64_t measured = 0;  // the generation that was measured last
    bool due = false, underway = false;
    double next_at = 0;
    JobQueue jobs;
  };
  // The layout that is on its way from the GPU.
  struct Reading {
    Wanted wanted{};
    std::uint64_t generation = 0;
    long iteration = 0;
  };
  // Takes a measurement: `work` runs in the background, and the function that it returns runs on the window's thread.
  using Work = std::function<JobQueue::Then(const sim::glimmer::InputDistances&, const std::stop_token&)>;
  void begin_run();  // the run begins again
  void start(Track& track, Work work);
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
  std::uint64_t last_generation_ = 0;
  double now_ = 0;
  int run_ = 0;  // number of the run: late results of earlier runs are dropped

  // Destroyed first, because their jobs use the members above.
  std::array<Track, measures> tracks_;
  JobQueue asked_jobs_;
};

}  // namespace kinescope::app
