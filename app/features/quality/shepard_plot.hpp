// The Shepard diagram as a small plot: distance in the data to the right, in the layout upwards, pairs as a density.
#pragma once

#include <memory>

#include "app/ui/widgets.hpp"
#include "kinescope/glimmer/shepard.hpp"
#include "render/gl/objects.hpp"

namespace kinescope::app {

class ShepardPlot {
 public:
  // Fills the rest of ImGui's window. Null: nothing is measured yet.
  void draw(Ui& ui, const std::shared_ptr<const sim::glimmer::ShepardDiagram>& diagram);

 private:
  void paint(const Ui& ui);

  std::shared_ptr<const sim::glimmer::ShepardDiagram> painted_;
  render::Background variant_ = render::Background::dark;
  render::Texture texture_;
};

}  // namespace kinescope::app
