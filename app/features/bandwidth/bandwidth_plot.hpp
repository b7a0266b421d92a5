// The number of clusters against the bandwidth as a small plot, from which a bandwidth can be chosen. The curve is
// computed in the background once the plot is visible, and recomputed for other data, another normalization or another
// kernel.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/runs/job_queue.hpp"
#include "app/ui/widgets.hpp"
#include "kinescope/error.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"
#include "sim/mean_shift/bandwidth.hpp"

namespace kinescope::app {

class BandwidthPlot {
 public:
  ~BandwidthPlot() { stop_.request_stop(); }

  void set_data(std::shared_ptr<const sim::Dataset> data, const sim::MeanShiftParameters& made);
  void update() { jobs_.poll(); }  // once a frame
  bool moving() const { return jobs_.busy(); }
  // Fills the rest of ImGui's window. `present`: the bandwidth in use. Adds to `wishes` the bandwidths that the user
  // chooses.
  void draw(Ui& ui, double present, std::vector<sim::Remedy>& wishes);

 private:
  struct Frame;
  struct Marks;
  void compute();
  void draw_curve(const Ui& ui, const Frame& frame, const sim::mean_shift::Plateau* hovered) const;
  void draw_bandwidths(const Ui& ui, const Frame& frame, double present, Marks& marks) const;
  void number_plateaus(Ui& ui, const Frame& frame, Marks& marks) const;
  void choose(Ui& ui, const Frame& frame, double present, const sim::mean_shift::Plateau* hovered,
              std::vector<sim::Remedy>& wishes);

  std::shared_ptr<const sim::Dataset> data_;
  sim::Normalization normalization_ = sim::Normalization::none;
  sim::mean_shift::Kernel kernel_ = sim::mean_shift::Kernel::gaussian;
  std::shared_ptr<const sim::mean_shift::BandwidthCurve> curve_;  // null: not known yet
  std::vector<sim::mean_shift::Plateau> plateaus_;                // of curve_

  bool asked_ = false;
  std::stop_source stop_;
  std::shared_ptr<std::atomic<double>> part_;  // the part of the curve that is computed, 0 to 1
  JobQueue jobs_;                              // destroyed first, because its jobs use the members above
};

}  // namespace kinescope::app
