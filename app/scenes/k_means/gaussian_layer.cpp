#include "app/scenes/k_means/gaussian_layer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace kinescope::app {
namespace {

constexpr std::size_t most_drawn = 200;
constexpr int corners = 96;

}  // namespace

void GaussianLayer::draw_overlay(const PointView& view, const PictureArea& area) {
  if (!shown_ || !offered(view)) return;
  const sim::Groups& groups = *view.groups;
  const std::vector<render::Rgb> colours = colours_of(view);
  area.list->PushClipRect(area.low, area.high, true);
  for (std::size_t k = 0; k < std::min(groups.sizes.size(), most_drawn); ++k) {
    if (hides(view, k)) continue;
    trace(view, area, k);
    const int count = int(line_.size());
    area.list->AddPolyline(line_.data(), count, with_alpha(area.theme->background, 176), ImDrawFlags_Closed,
                           4.5f * area.scale);
    area.list->AddPolyline(line_.data(), count, pack(colours[k % colours.size()]), ImDrawFlags_Closed, 2 * area.scale);
  }
  area.list->PopClipRect();
}

void GaussianLayer::add_to_legend(const PointView& view, Legend& legend) const {
  if (shown_ && offered(view))
    legend.notes.push_back({"2 standard deviations", LegendMark::line, render::ink_colour(view.style.background)});
}

// The outline of the Gaussian in the picture. A small step along each column moves its centre by a row of J, so that
// its covariance there is JᵀΣJ.
void GaussianLayer::trace(const PointView& view, const PictureArea& area, std::size_t k) {
  const sim::Groups& groups = *view.groups;
  const std::size_t n = groups.spread_columns;
  const float* spread = groups.spreads.data() + k * n * n;
  std::vector<float> row(groups.centres.begin() + std::ptrdiff_t(k * groups.columns),
                         groups.centres.begin() + std::ptrdiff_t((k + 1) * groups.columns));
  const glm::vec2 centre = pixel_of(view, row.data());
  std::vector<glm::vec2> moves(n);
  for (std::size_t c = 0; c < n; ++c) {
    const float step = std::max(1e-3f * std::sqrt(spread[c * n + c]), 1e-5f * std::abs(row[c]));
    const float place = std::exchange(row[c], row[c] + step);
    if (row[c] != place) moves[c] = (pixel_of(view, row.data()) - centre) / (row[c] - place);
    row[c] = place;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const double part = double(spread[a * n + b]);
      xx += part * double(moves[a].x) * double(moves[b].x);
      xy += part * double(moves[a].x) * double(moves[b].y);
      yy += part * double(moves[a].y) * double(moves[b].y);
    }
  const double l11 = std::sqrt(std::max(xx, 1e-12)), l21 = xy / l11, l22 = std::sqrt(std::max(yy - l21 * l21, 0.0));
  line_.clear();
  for (int corner = 0; corner < corners; ++corner) {
    const double angle = 2 * std::numbers::pi * corner / corners, c = 2 * std::cos(angle), s = 2 * std::sin(angle);
    line_.push_back(area.in_window(centre + glm::vec2(float(l11 * c), float(l21 * c + l22 * s))));
  }
}

}  // namespace kinescope::app
