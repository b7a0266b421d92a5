// The Gaussians of a mixture as ellipses.
#pragma once

#include <vector>

#include "app/scenes/points/layers.hpp"

namespace kinescope::app {

// Each Gaussian is drawn where its density is e^-2 of its highest, two standard deviations away.
class GaussianLayer : public SwitchedLayer {
 public:
  GaussianLayer()
      : SwitchedLayer("gaussians", "Gaussians", "Show each Gaussian as an ellipse of two standard deviations") {}

  void draw_overlay(const PointView& view, const PictureArea& area) override;
  void add_to_legend(const PointView& view, Legend& legend) const override;

 private:
  bool offered(const PointView& view) const override { return view.groups && !view.groups->spreads.empty(); }
  void trace(const PointView& view, const PictureArea& area, std::size_t k);

  std::vector<ImVec2> line_;
};

}  // namespace kinescope::app
