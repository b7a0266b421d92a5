// Drawn over the points of a layout: lines from the kept point to its true nearest rows. The layer also lists these
// rows, and offers a colouring by each point's stress (measures.hpp).
#pragma once

#include <glm/vec3.hpp>
#include <memory>
#include <vector>

#include "app/scenes/glimmer/measures.hpp"
#include "app/scenes/points/point_layer.hpp"

namespace kinescope::app {

class QualityLayer : public PointLayer {
 public:
  explicit QualityLayer(std::shared_ptr<LayoutMeasures> measures) : measures_(std::move(measures)) {}

  void want(bool shepard, bool stress) { wanted_ = {false, shepard, stress}; }

  void begin_run() override;
  void update(const PointView& view) override;
  void draw_overlay(const PointView& view, const PictureArea& area) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;
  void row_details(Ui& ui, std::size_t row) override;
  bool moving() const override { return measures_->moving(); }
  std::string colouring() const override { return point_stress_name; }
  std::shared_ptr<const Colouring> colours() const override { return measures_->point_stress(); }

 private:
  // The kept point and its nearest rows; null until they are known.
  const NearestRows* shown(const PointView& view) const;
  void read_places(const PointView& view, const NearestRows& nearest);

  std::shared_ptr<LayoutMeasures> measures_;
  LayoutMeasures::Wanted wanted_{};

  std::vector<render::Readback> readbacks_;  // of the kept point, then of its nearest rows
  std::vector<glm::vec3> places_;            // positions of these points; empty: not known yet
  std::shared_ptr<const NearestRows> placed_;
  std::uint64_t generation_ = 0;
  int columns_ = 0;
};

}  // namespace kinescope::app
