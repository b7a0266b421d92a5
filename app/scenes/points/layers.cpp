#include "app/scenes/points/layers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kinescope::app {
namespace {

constexpr std::size_t most_centres = 200;
constexpr std::size_t most_numbered = 64;  // beside small discs; more numbers would hide the points

// The scene's points with the same choice of columns, but with positions from another buffer of the same shape, and
// without emphasis.
render::PointBuffers same_columns(const PointView& view, const sim::Published<float>& buffer) {
  render::PointBuffers points = view.points;
  points.positions = view.shared.view(buffer);
  points.emphasis = {};
  return points;
}

}  // namespace

std::vector<render::Rgb> colours_of(const PointView& view) {
  if (!view.by_groups) return {accent_colour(view.style.background)};
  if (!view.style.class_colours.empty()) return view.style.class_colours;
  return render::class_colours(std::max<std::size_t>(view.style.classes, 1), view.style.background);
}

glm::vec2 pixel_of(const PointView& view, const float* row) {
  const auto coordinate = [&](int axis) {
    const int column = view.points.columns[std::size_t(axis)];
    return axis < view.points.dimensions && column >= 0 ? row[column] : 0.f;
  };
  return view.camera.pixel_of({coordinate(0), coordinate(1), coordinate(2)});
}

bool hides(const PointView& view, std::size_t group) {
  return view.by_groups && group < view.style.hidden_classes.size() && view.style.hidden_classes[group];
}

void FieldLayer::update(const PointView& view) {
  if (view.shared.generation() == generation_) return;
  generation_ = view.shared.generation();
  place_ = find_(view.snapshot);
}

void FieldLayer::draw(const PointView& view, const render::Canvas& canvas) {
  if (look_ == 0 || !shows(view)) return;
  const auto map = render::density_table(render::ColourMap::viridis, view.style.background);
  const bool fill = look_ == 2;
  const render::FieldStyle style{
      .background = view.style.background,
      .colours = {map.begin(), map.end()},
      .high = place_->maximum,
      .gamma = 0.5f,  // the square root spreads low densities: thin clusters stay visible beside a dense one
      .fill = fill,
      .fade_in = true,
      .lines = fill ? 0 : 9,
      .line_colour = render::ink_colour(view.style.background),
      .line_width = 1.25f,
      .opacity = fill ? 0.85f : 0.45f};
  picture_.draw({.values = view.shared.view(buffer_), .size = place_->size, .low = place_->low, .high = place_->high},
                view.camera.clip_from_world(), style, canvas);
}

void FieldLayer::add_to_legend(const PointView& view, Legend& legend) const {
  if (look_ == 0 || !shows(view)) return;
  const std::string text = name_ + " 0 – " + number_text(place_->maximum);
  if (look_ == 1)
    legend.notes.push_back({text, LegendMark::line, render::ink_colour(view.style.background)});
  else
    legend.notes.push_back(
        {text, LegendMark::map, {}, render::density_table(render::ColourMap::viridis, view.style.background).data()});
}

void FieldLayer::view_options(Ui& ui, const PointView& view) {
  if (!shows(view)) return;
  segments(ui, "field", upper_first(name_).c_str(), "Show nothing, lines of equal value, or colours under the points",
           {"Off", "Lines", "Map"}, look_);
}

void MovingPointsLayer::draw(const PointView& view, const render::Canvas& canvas) {
  if (view.groups) return;  // the points have arrived at the centres
  render::PointStyle style = view.style;
  style.colour_by = render::ColourBy::uniform;
  style.uniform = accent_colour(style.background);
  style.opacity = 1;
  style.density = false;
  style.diameter *= 1.15f;
  cloud_.draw(same_columns(view, buffer_), view.camera.clip_from_world(), style, canvas);
}

void MovingPointsLayer::add_to_legend(const PointView& view, Legend& legend) const {
  if (!view.groups) legend.notes.push_back({legend_, LegendMark::disc, accent_colour(view.style.background)});
}

void TrailLayer::begin_run(const std::shared_ptr<const sim::Dataset>&, sim::ParameterSet&) {
  begun_ = false;
  skip_ = 0;
  generation_ = 0;
}

void TrailLayer::update(const PointView& view) {
  const bool anew = view.iteration() < iteration_;
  iteration_ = view.iteration();
  if (!shown_) {
    begun_ = false;
    return;
  }
  if (anew) skip_ = 1;
  if (!begun_ || anew) {
    begun_ = true;
    trails_.clear();
    trails_.push(same_columns(view, start_));
  }
  if (view.shared.generation() == generation_) return;
  generation_ = view.shared.generation();
  if (skip_ > 0)
    --skip_;
  else
    trails_.push(same_columns(view, buffer_));
}

void TrailLayer::draw(const PointView& view, const render::Canvas& canvas) {
  if (!shown_ || trails_.length() < 2) return;
  render::LineStyle style{.uniform = accent_colour(view.style.background),
                          .width = 1.25f,
                          .opacity = view.points.count > 500 ? 0.6f : 0.9f,
                          .tail = 0.3f};
  if (view.groups && view.by_groups) {
    style.class_colours = colours_of(view);
    style.hidden_classes = view.style.hidden_classes;
  }
  lines_.draw(trails_.lines(same_columns(view, buffer_)), view.camera.clip_from_world(), style, canvas);
}

void CentreLayer::draw_overlay(const PointView& view, const PictureArea& area) {
  if (!shown_ || !view.groups) return;
  const sim::Groups& groups = *view.groups;
  const std::vector<render::Rgb> colours = colours_of(view);
  const double total = double(std::accumulate(groups.sizes.begin(), groups.sizes.end(), std::size_t{0}));
  area.list->PushClipRect(area.low, area.high, true);
  // The largest are drawn last, above the others.
  for (std::size_t place = std::min(view.groups_by_size.size(), most_centres); place-- > 0;) {
    const std::size_t group = view.groups_by_size[place];
    if (hides(view, group)) continue;
    const glm::vec2 at = pixel_of(view, groups.centres.data() + group * groups.columns);
    // With an outlier a centre may lie so far outside the picture that ImGui cannot draw it.
    if (!(std::abs(at.x) < 1e5f && std::abs(at.y) < 1e5f)) continue;
    const ImVec2 c = area.in_window(at);
    const float s = area.scale, r = std::max(2.5f, float(18 * std::sqrt(double(groups.sizes[group]) / total))) * s;
    const float rim = r > 5 * s ? 1.5f * s : 0.75f * s;  // there may be many small ones
    const render::Rgb colour = colours[group % colours.size()];
    area.list->AddCircleFilled(c, r + 2 * rim, area.theme->background, 48);
    area.list->AddCircleFilled(c, r + rim, area.theme->ink, 48);
    area.list->AddCircleFilled(c, r, pack(colour), 48);
    const std::string number = std::to_string(place);
    ImFont* font = area.fonts.caption;
    const float width = width_of(font, number), y = std::round(c.y - 0.5f * font->FontSize);
    if (width < 1.5f * r) {
      // Semi-bold: thin digits hardly show on colours that are neither dark nor light.
      const float strong = width_of(area.fonts.strong, number) * font->FontSize / area.fonts.strong->FontSize;
      area.list->AddText(area.fonts.strong, font->FontSize, {std::round(c.x - 0.5f * strong), y},
                         render::relative_luminance(colour) > 0.18 ? IM_COL32(16, 18, 22, 255) : IM_COL32_WHITE,
                         number.c_str());
    } else if (groups.sizes.size() <= most_numbered) {  // the number stands beside a small disc
      const float x = std::round(c.x + r + 2 * rim + 3 * s);
      area.list->AddRectFilled({x - 2 * s, y}, {x + width + 2 * s, y + font->FontSize},
                               with_alpha(area.theme->background, 200), corner * s);
      put_text(area.list, font, {x, y}, area.theme->ink, number);
    }
  }
  area.list->PopClipRect();
}

void CentreLayer::add_to_legend(const PointView& view, Legend& legend) const {
  if (shown_ && view.groups)
    legend.notes.push_back({legend_, LegendMark::ring, render::ink_colour(view.style.background)});
}

}  // namespace kinescope::app
