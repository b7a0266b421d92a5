// Plots for print: panels of points and lines over linear or logarithmic axes, written as SVG on a light background.
// Series differ in colour, in marker, and in whether the marker is filled, so that they can be distinguished without
// colours too.
#pragma once

#include <string>
#include <vector>

#include "app/plot/plot_axis.hpp"

namespace kinescope::app {

struct PlotPoint {
  double x = 0, y = 0;  // left out if either is NaN or infinite
};

struct PlotSeries {
  std::string name;               // shown in the legend; series of the same name in several panels share one entry
  std::vector<PlotPoint> points;  // several points are joined by a line in their order
  int style = 0;                  // colour and marker
  bool hollow = false;            // marker outlined only, line dashed
};

struct PlotAxis {
  std::string label;  // with the unit: "time (s)"
  AxisScale scale = AxisScale::linear;
};

struct Panel {
  std::string title, subtitle;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
};

struct Figure {
  std::string title;
  std::vector<std::string> captions;  // lines below the title
  std::vector<Panel> panels;
  bool shared_x = false;  // all panels have the same x axis
};

// A text as the content of an XML element, or an attribute's value.
std::string xml_text(const std::string& text);

// The whole file: well-formed XML 1.0, UTF-8, 880 pixels wide, up to three panels a row.
std::string svg_text(const Figure& figure);

}  // namespace kinescope::app
