// Drawn over the points of a layout: lines from the kept point to its true nearest rows. The layer also lists these
// rows, offers a colouring by each point's stress, and adds the Shepard diagram and the stress over all pairs
// (measures.hpp).
#pragma once

#include <glm/vec3.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/features/quality/measures.hpp"
#include "app/features/quality/shepard_plot.hpp"
#include "app/scenes/points/point_layer.hpp"

namespace kinescope::app {

class QualityLayer : public PointLayer {
 public:
  // `wait`: as for LayoutMeasures.
  explicit QualityLayer(bool wait) : measures_(wait) {}

  void contribute(Contributions& scene) override;
  void begin_run(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& made) override;
  void stand_beside(PointLayer* first) override;
  void update(const PointView& view) override;
  void draw_overlay(const PointView& view, const PictureArea& area) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;
  void row_details(Ui& ui, std::size_t row) override;
  bool moving() const override { return measures_.moving(); }
  std::string colouring() const override { return point_stress_name; }
  std::shared_ptr<const Colouring> colours() const override { return measures_.point_stress(); }

 private:
  // The kept point and its nearest rows; null until they are known.
  const NearestRows* shown(const PointView& view) const;
  void read_places(const PointView& view, const NearestRows& nearest);
  std::string measure(std::vector<sim::HistoryPoint>& curve, sim::Progress& progress) const;

  LayoutMeasures measures_;
  ShepardPlot plot_;
  bool plot_seen_ = false;  // since the last update
  bool small_ = true;       // the data are small enough to be measured unasked
  bool compared_ = false;   // the scene is one of several side by side

  std::vector<render::Readback> readbacks_;  // of the kept point, then of its nearest rows
  std::vector<glm::vec3> places_;            // positions of these points; empty: not known yet
  std::shared_ptr<const NearestRows> placed_;
  std::uint64_t generation_ = 0;
  int columns_ = 0;
};

}  // namespace kinescope::app
