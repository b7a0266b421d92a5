// What is wrong where in a layout, measured in the background while it moves: each point's stress, the Shepard diagram,
// the stress over all pairs, and the true nearest rows of one point.
//
// What is wanted is measured of the layout as it is published, about once a second, and with at least as long a rest
// between two measurements as one takes; once the run has converged, of its end at once. Positions are copied back from
// the GPU without waiting. Other data, or the end of this, cancel what is under way.
#pragma once

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

  struct Wanted {
    bool point_stress = false, shepard = false, stress = false;
  };
  struct Moment {
    const render::PointBuffers& points;  // in the dataset's order, with all columns
    std::uint64_t generation;            // of the buffers
    long iteration;
    bool converged;
    double now;  // seconds
  };

  void set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters);
  void begin_run();  // another run of them publishes from now on
  // Call once a frame.
  void update(const Moment& moment, const Wanted& wanted);
  // Asks for the nearest rows of this one, unless they are known or being looked for.
  void ask_nearest(std::uint32_t row);
  bool moving() const { return underway_ || due_ || asked_worker_.busy(); }

  // The latest of each; null before the first.
  const std::shared_ptr<const Colouring>& point_stress() const { return results_.point_stress; }
  const std::shared_ptr<const sim::glimmer::ShepardDiagram>& shepard() const { return results_.shepard; }
  const std::shared_ptr<const NearestRows>& nearest() const { return nearest_; }
  // The stress of this run's layouts at some iterations, which ascend.
  const std::vector<std::pair<long, double>>& stresses() const { return stresses_; }
  bool stress_is_exact() const { return stress_is_exact_; }

 private:
  struct Source;
  struct Results {
    std::shared_ptr<const Colouring> point_stress;
    std::shared_ptr<const sim::glimmer::ShepardDiagram> shepard;
  };
  // The generation of which each was measured last.
  struct Generations {
    std::uint64_t point_stress = 0, shepard = 0, stress = 0;
  };
  Wanted due(const Moment& moment, const Wanted& wanted) const;
  void measure(std::vector<float> layout, const Wanted& wanted, std::uint64_t generation, long iteration);

  const bool wait_;
  std::shared_ptr<Source> source_;
  std::stop_source stop_;
  Results results_;
  std::shared_ptr<const NearestRows> nearest_;
  std::optional<std::uint32_t> asked_;
  std::vector<std::pair<long, double>> stresses_;
  bool stress_is_exact_ = true;

  std::optional<render::Readback> readback_;
  std::size_t readback_bytes_ = 0;
  Wanted reading_for_;
  std::uint64_t reading_generation_ = 0;
  long reading_iteration_ = 0, last_iteration_ = 0;
  Generations measured_;
  int run_ = 0;  // number of the run, so that what comes late from an earlier one is dropped
  bool underway_ = false, due_ = false;
  double now_ = 0, next_at_ = 0;

  Worker worker_, asked_worker_;  // destroyed first: their jobs use what stands above
};

}  // namespace kinescope::app
