// Axes for points whose coordinates are columns of the data: ticks and names along the picture's edges in the plane,
// and along the edges of the box around the points in space. The scale comes from plot_axis.hpp, as in all plots.
#pragma once

#include <array>
#include <string>

#include "app/scenes/legend.hpp"
#include "render/camera.hpp"

namespace kinescope::app {

// Of x, y and z.
struct PointAxes {
  std::array<std::string, 3> names;
  std::array<double, 3> origins{};  // what a coordinate of 0 stands for, far from zero for some columns
};

// The camera must have the size of the area.
void draw_plane_axes(const PictureArea& area, const render::Camera& camera, const PointAxes& axes);
void draw_box_axes(const PictureArea& area, const render::Camera& camera, const render::Bounds& box,
                   const PointAxes& axes);

// The pixels that draw_plane_axes() needs at the left and at the bottom of the area.
float plane_axes_left(const PictureArea& area, const render::Camera& camera, const PointAxes& axes);
float plane_axes_bottom(const PictureArea& area);

}  // namespace kinescope::app
