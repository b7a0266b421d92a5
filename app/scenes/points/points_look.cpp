// How a scene of points looks and what the user can change about it: style, legend, options of the view.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "app/io/output.hpp"
#include "app/plot/plot_axis.hpp"
#include "app/scenes/points/point_axes.hpp"
#include "app/scenes/points/points.hpp"
#include "app/scenes/points/row_filters.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr float faint = 0.6f;  // opacity of points until their groups are known

constexpr const char* column_keys[3] = {"across", "up", "deep"};

}  // namespace

render::PointStyle PointScene::style(render::Background background) const {
  render::PointStyle style;
  style.colour_by = colouring_.by;
  style.background = background;
  style.uniform = accent_colour(background);
  style.hidden_classes = hidden_;
  style.map = colouring_.is_signed ? render::ColourMap::diverging : render::ColourMap::viridis;
  const Colouring& scale = follows() ? first_->colouring_ : colouring_;  // pictures side by side share one legend
  style.low = scale.low;
  style.high = scale.high;
  style.diameter = float(size_factor_) * render::default_diameter(points());
  if (by_groups() && groups_) {
    style.colour_by = render::ColourBy::classes;
    style.classes = groups_->sizes.size();
    const std::size_t most =
        group_colours_.empty() ? 1 : *std::max_element(group_colours_.begin(), group_colours_.end()) + 1;
    const std::vector<render::Rgb> palette = render::class_colours(most, background);
    for (const std::size_t colour : group_colours_) style.class_colours.push_back(palette[colour]);
  }
  if (!by_groups() && colouring_.last_is_missing) style.class_colours = class_palette(colouring_, background);
  style.opacity = float(opacity_);
  if (published_.faint_until_grouped && !groups_) {
    if (by_groups())
      style.uniform =
          background == render::Background::dark ? render::Rgb{0x6b, 0x72, 0x80} : render::Rgb{0x98, 0xa0, 0xac};
    style.opacity *= faint;
  }
  if (edges_) style.edge_opacity = std::min(1.f, float(edge_factor_) * natural_edge_opacity());
  style.density = mode_ == 1;
  style.density_by_colour = style.colour_by != render::ColourBy::uniform;
  return style;
}

Legend PointScene::legend(render::Background background, bool exact) const {
  Legend legend;
  legend.title = printable(colouring_.title);
  if (by_groups() && groups_) {
    legend.title = published_.group_name;
    const auto colours = style(background).class_colours;
    for (std::size_t place = 0; place < groups_by_size_.size(); ++place) {
      const std::size_t group = groups_by_size_[place];
      legend.entries.push_back(
          {std::to_string(place), colours[group % colours.size()], groups_->sizes[group], !hidden_[group]});
    }
  }
  if (colouring_.by == render::ColourBy::classes) {
    const auto colours = class_palette(colouring_, background);
    for (std::size_t i = 0; i < colouring_.class_names.size(); ++i)
      legend.entries.push_back(
          {printable(colouring_.class_names[i]), colours[i % colours.size()], colouring_.class_counts[i], !hidden_[i]});
  } else if (colouring_.by == render::ColourBy::numbers) {
    legend.map = render::colour_table(style(background).map, background).data();
    legend.ticks = {{0, (colouring_.below ? "≤ " : "") + colouring_.text_of(colouring_.low)},
                    {0.5, colouring_.text_of(0.5 * (double(colouring_.low) + colouring_.high))},
                    {1, (colouring_.above ? "≥ " : "") + colouring_.text_of(colouring_.high)}};
  }
  if (mode_ == 1 && style(background).density_by_colour)
    if (const auto range = cloud_.density_range(exact))
      legend.notes.push_back({"up to " + number_text(range->high, 2) + " points per pixel", LegendMark::none});
  if (mode_ == 1 && colouring_.by != render::ColourBy::numbers && !style(background).density_by_colour) {
    legend.title = "Points per pixel";
    legend.map = render::density_table(render::ColourMap::viridis, background).data();
    if (const auto range = cloud_.density_range(exact)) {
      constexpr int labels = 5;
      const AxisTicks ticks = ticks_within(range->low, range->high, labels, AxisScale::logarithmic);
      for (const double value : ticks.major) legend.ticks.push_back({ticks.place(value), tick_label(ticks, value)});
    }
  }
  if (show_arriving_ && published_.emphasis)
    legend.notes.push_back({published_.arriving, LegendMark::ring, render::ink_colour(background)});
  if (edges_ && edges() > 0)
    legend.notes.push_back({sim::count_of(edges(), "edge"), LegendMark::line, render::ink_colour(background)});
  if (published_.faint_until_grouped && by_groups() && !groups_)
    legend.notes.push_back({"data", LegendMark::disc, style(background).uniform});
  each_layer(background, [&](const PointLayer& layer, const PointView& now) { layer.add_to_legend(now, legend); });
  return legend;
}

void PointScene::draw_overlay(const PictureArea& area) {
  const glm::ivec2 before = camera_.size();
  camera_.set_size({int(area.high.x - area.low.x), int(area.high.y - area.low.y)});
  draw_marks(area);
  camera_.set_size(before);
  if (follows()) return;
  const Legend shown = legend(area.theme->variant, true);
  const ScaleCaption caption = scale_caption(area, shown);
  draw_legend(legend_area(area, shown), shown);
  caption.draw(area, false);
}

// The part of the picture where the legend may be: below the title that each of several pictures has.
PictureArea PointScene::below_title(const PictureArea& area) const {
  PictureArea rest = area;
  constexpr float above_legend = 16;
  if (first_) rest.low.y += (tile_title_height - above_legend) * area.scale;
  return rest;
}

// In the upper left corner, below the title or the name of an axis: beside the legend, or in a narrow picture above it.
ScaleCaption PointScene::scale_caption(const PictureArea& area, const Legend& shown) const {
  constexpr float margin = 16, below_name = 32;
  const float s = area.scale;
  ImVec2 at{area.low.x + margin * s, area.low.y + (first_ ? tile_title_height : margin) * s};
  if (!column_names_.empty() && dimensions_ == 2 && !bounds_.empty())
    at = {area.low.x + plane_axes_left(area, camera_, axes()) + 8 * s, std::max(at.y, area.low.y + below_name * s)};
  at = {std::round(at.x), std::round(at.y)};
  const float beside = area.high.x - legend_reach(below_title(area), shown) - at.x;
  const ScaleCaption caption(area, normalization_, at, beside);
  return caption.fits() ? caption : ScaleCaption(area, normalization_, at, area.high.x - at.x);
}

PictureArea PointScene::legend_area(const PictureArea& area, const Legend& shown) const {
  PictureArea rest = below_title(area);
  const ScaleCaption caption = scale_caption(area, shown);
  const float legend_left = area.high.x - legend_reach(rest, shown);
  if (caption.right() > legend_left) rest.low.y = std::max(rest.low.y, caption.bottom() - 8 * area.scale);
  return rest;
}

// Keeps the points clear of the legend and the axes if the picture is wide enough.
void PointScene::leave_room(const PictureArea& area, const Legend& shown) {
  render::Camera::Margins margins;
  float shift = 0;  // to the left
  const float reach = legend_reach(area, shown), width = area.high.x - area.low.x;
  if (first_) {
    // Only the first of several pictures has a legend, so only its points are moved. All pictures have one scale. The
    // legend gets at most what is left of the width beside a square.
    margins.top = tile_title_height * area.scale;
    const float room = std::clamp(width - (area.high.y - area.low.y - margins.top), 0.f, reach);
    margins.left = margins.right = shift = 0.5f * room;
  } else if (reach <= 0.5f * width) {
    margins.right = reach;
  }
  if (!column_names_.empty() && dimensions_ == 2 && !bounds_.empty()) {
    margins.left += plane_axes_left(area, camera_, axes());
    margins.bottom = plane_axes_bottom(area);
  }
  camera_.set_margins(margins);
  camera_.set_shift(-shift);
}

void PointScene::draw_marks(const PictureArea& area) {
  each_layer(area.theme->variant, [&](PointLayer& layer, const PointView& now) { layer.draw_overlay(now, area); });
  if (bounds_.empty() || follows()) return;
  // Columns have their own units, so axes show their values. In a layout all directions are alike: a scale bar is
  // enough.
  if (column_names_.empty()) {
    const double bar = scale_bar_length(area, camera_.units_per_pixel());
    return draw_scale_bar(area, camera_.units_per_pixel(), distance_unit(normalization_, bar));
  }
  dimensions_ == 2 ? draw_plane_axes(area, camera_, axes()) : draw_box_axes(area, camera_, bounds_, axes());
}

PointAxes PointScene::axes() const {
  PointAxes axes;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const int column = columns_[axis]; column >= 0 && column < int(column_names_.size())) {
      axes.names[axis] = column_names_[std::size_t(column)];
      axes.origins[axis] = column_origins_[std::size_t(column)];
    }
  // The principal axes of many columns have long names already; the caption tells their unit.
  if (normalization_ != sim::Normalization::none && data_)
    for (std::string& name : axes.names)
      if (std::ranges::find(data_->value_names, name) != data_->value_names.end())
        name += " (" + distance_unit(normalization_) + ")";
  return axes;
}

void PointScene::colour_options(Ui& ui) {
  if (colour_choices_.empty()) return;
  if (choice(ui, "colour-by", "Colour by", "What colours the points: a class, a number or their own colour",
             colour_choices_, colour_choice_)) {
    hidden_later_.clear();
    recolour();
  }
}

// Draws the choice of the columns for x, y and z, if there are more than two columns; z may have none.
void PointScene::column_options(Ui& ui) {
  if (column_names_.size() < 3) return;
  std::array<int, 3> chosen = columns_;
  const char* const ids[] = {"column-x", "column-y", "column-z"};
  const char* const labels[] = {"X axis", "Y axis", "Z axis"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<std::string> options = column_names_;
    if (axis == 2) options.insert(options.begin(), "none");
    const int shift = axis == 2 ? 1 : 0;
    std::size_t index = std::size_t(chosen[axis] + shift);
    if (choice(ui, ids[axis], labels[axis],
               axis == 2 ? "The column shown along this axis; none: a picture in two dimensions"
                         : "The column shown along this axis",
               options, index))
      chosen[axis] = int(index) - shift;
  }
  if (chosen != columns_) choose_columns(chosen);
  gap(ui, 4);
}

// While only a part of the points has arrived, about the square of that part of the edges is drawn.
float PointScene::natural_edge_opacity() const {
  const std::size_t present = time_.drawn ? time_.drawn->progress.points : 0;
  const double part = points() > 0 && present > 0 ? double(present) / double(points()) : 1;
  return render::default_edge_opacity(std::size_t(double(edges()) * std::min(1.0, part * part)));
}

void PointScene::edge_options(Ui& ui) {
  if (edges() == 0) return;
  toggle(ui, "edges", "Edges", "Show the edges of the graph as lines under the points", edges_);
  if (!edges_) return;
  const double natural = 100 * double(natural_edge_opacity());
  double percent = std::min(100.0, edge_factor_ * natural);
  if (slider(ui, "edge-opacity", "Opacity of edges", "%", "The default is fainter the more edges there are", percent,
             {.low = 1, .high = 100, .logarithmic = true, .initial = natural})
          .changed)
    edge_factor_ = percent / natural;
}

void PointScene::view_options(Ui& ui) {
  column_options(ui);
  selection_drag_.options(ui);
  segments(ui, "mode", "", "Show each point, or how many points there are in each area", {"Points", "Density"}, mode_);
  gap(ui, 4);
  double diameter = size_factor_ * render::default_diameter(points());
  const double natural = render::default_diameter(points());
  if (slider(ui, "point-size", "Point size", "px", "The diameter of a point, for a picture of 1280 × 720", diameter,
             {.low = 0.5, .high = 24, .logarithmic = true, .initial = natural})
          .changed)
    size_factor_ = diameter / natural;
  double percent = 100 * opacity_;
  if (slider(ui, "opacity", "Opacity", "%", "Below 100 %, overlapping points look denser", percent,
             {.low = 2, .high = 100, .whole = true, .initial = 100})
          .changed)
    opacity_ = percent / 100;
  edge_options(ui);
  each_layer(ui.theme->variant, [&](PointLayer& layer, const PointView& now) { layer.view_options(ui, now); });
}

void PointScene::keep_state(KeptState& state) {
  state.number("point_size", 0.01, 100, size_factor_);
  state.number("opacity", 0.02, 1, opacity_);
  if (state.reads() || edges() > 0) {
    state.on_off("edges", edges_);
    state.number("edge_opacity", 0.001, 1000, edge_factor_);
  }
  state.option("mode", {"points", "density"}, mode_);
  keep_columns(state);
  keep_colours(state);
  if (state.camera(camera_)) fresh_ = false;
  keep_hidden(state);
  keep_selection(state);
  for (const auto& layer : layers_) layer->keep_state(state);
}

void PointScene::keep_columns(KeptState& state) {
  std::array<int, 3> columns = columns_;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(3, column_names_.size()); ++axis) {
    std::string name = columns_[axis] < 0 ? "" : column_names_[std::size_t(columns_[axis])];
    if (!state.text(column_keys[axis], name)) continue;
    const auto at = std::ranges::find(column_names_, name);
    if (at != column_names_.end())
      columns[axis] = int(at - column_names_.begin());
    else if (axis == 2)
      columns[2] = -1;
  }
  if (columns != columns_) choose_columns(columns);
}

void PointScene::keep_colours(KeptState& state) {
  if (colour_choice_ >= colour_choices_.size()) return;
  const std::size_t before = colour_choice_;
  state.option("colour_by", colour_choices_, colour_choice_);
  if (colour_choice_ != before) recolour();
}

// The filters, or rows as ranges, "3-17 40"; and the row whose details stay in sight.
void PointScene::keep_selection(KeptState& state) {
  std::string filters = text_of(filters_), ranges, row = kept_ ? std::to_string(*kept_) : "";
  const std::vector<std::uint32_t>& selected = *selected_;
  for (std::size_t i = 0; i < selected.size() && filters_.empty();) {
    std::size_t last = i;
    while (last + 1 < selected.size() && selected[last + 1] == selected[last] + 1) ++last;
    ranges += std::to_string(selected[i]) + (last > i ? "-" + std::to_string(selected[last]) : "") + " ";
    i = last + 1;
  }
  if (!state.reads() && !filters.empty()) state.text("filters", filters);
  if (!state.reads() && !ranges.empty()) state.text("selection", ranges);
  if (!state.reads() && !row.empty()) state.text("row", row);
  if (!state.reads() || !data_) return;
  if (state.text("filters", filters)) {
    std::vector<RowFilter> read = filters_of(filters, data_->table);
    if (read != filters_) select_by(std::move(read));
  }
  if (filters_.empty() && state.text("selection", ranges)) {
    std::vector<std::uint32_t> rows;
    std::istringstream words(ranges);
    for (std::string word; words >> word;) {
      std::uint32_t low = 0, high = 0;
      const char* const end = word.data() + word.size();
      auto [at, error] = std::from_chars(word.data(), end, low);
      high = low;
      if (error == std::errc() && at != end && *at == '-') {
        const auto second = std::from_chars(at + 1, end, high);
        at = second.ptr, error = second.ec;
      }
      if (error != std::errc() || at != end || low > high || high >= data_->points ||
          (!rows.empty() && low <= rows.back()))
        continue;
      for (std::uint32_t i = low; i <= high; ++i) rows.push_back(i);
    }
    if (rows != *selected_) ++calls_, select_rows(std::make_shared<std::vector<std::uint32_t>>(std::move(rows)));
  }
  if (!state.text("row", row)) return;
  std::uint32_t number = 0;
  const auto [at, error] = std::from_chars(row.data(), row.data() + row.size(), number);
  const bool is_row = error == std::errc() && number < data_->points;
  kept_ = is_row ? std::optional(number) : std::nullopt;
  mark();
}

void PointScene::keep_hidden(KeptState& state) {
  std::string numbers;
  for (std::size_t c = 0; c < hidden_.size(); ++c)
    if (hidden_[c]) numbers.append(std::to_string(c)).append(" ");
  for (const std::size_t c : hidden_later_) numbers.append(std::to_string(c)).append(" ");
  if (!state.reads() && numbers.empty()) return;
  if (state.reads()) numbers.clear();
  state.text("hidden", numbers);
  if (!state.reads()) return;
  hidden_later_.clear();
  hidden_.assign(hidden_.size(), false);
  std::istringstream hidden(numbers);
  for (std::size_t c = 0; hidden >> c;) hidden_later_.push_back(c);
  hide_later();
}

}  // namespace kinescope::app
