#include "app/features/quality/quality_layer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <imgui.h>
#include <limits>
#include <utility>

namespace kinescope::app {
namespace {

constexpr float line_width = 1.5f, ring = 4;  // design pixels

}  // namespace

void QualityLayer::contribute(Contributions& scene) {
  scene.figures.emplace_back(
      point_stress_name,
      "The stress over the pairs of one point. If it is high, do not trust the place of that point.");
  scene.figures.emplace_back(
      "Shepard",
      "A plot of all pairs of rows: their distance in the data to the right, in the layout upwards. "
      "Below the line a pair is shown too near, above it too far.");
  scene.plots.push_back({.title = "Shepard", .draw = [this](Ui& ui) {
                           plot_seen_ = true;
                           plot_.draw(ui, measures_.shepard());
                         }});
  scene.measure = std::bind_front(&QualityLayer::measure, this);
}

std::string QualityLayer::measure(std::vector<sim::HistoryPoint>& curve, sim::Progress& progress) const {
  const auto& stresses = measures_.stresses();
  if (!progress.second_figure_name.empty()) {  // the run has a second curve of its own, but not beside other runs
    if (!compared_) return "";
    for (sim::HistoryPoint& point : curve) point.second_figure = std::numeric_limits<float>::quiet_NaN();
    progress.second_figure = std::numeric_limits<double>::quiet_NaN();
  }
  if (stresses.empty()) return "";
  for (const auto& [iteration, value] : stresses) {
    const auto at = std::ranges::lower_bound(curve, iteration, {}, &sim::HistoryPoint::iteration);
    if (at != curve.end()) at->second_figure = float(value);
  }
  progress.second_figure = stresses.back().second;
  return measures_.stress_is_exact() ? "stress, all pairs" : "stress, sampled";
}

void QualityLayer::begin_run(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& made) {
  // The stress over all pairs is measured without the user asking for it, and to measure it the data are copied. Very
  // large data are therefore left out.
  constexpr std::size_t most_values = std::size_t{1} << 27;
  small_ = data && data->points * data->dimensions <= most_values;
  measures_.set_data(data, made);
  generation_ = 0;
  places_.clear();
  for (render::Readback& each : readbacks_) each.forget();
}

void QualityLayer::stand_beside(PointLayer* first) {
  compared_ = first != nullptr;
  if (const auto* other = dynamic_cast<QualityLayer*>(first)) measures_.share(other->measures_);
}

void QualityLayer::update(const PointView& view) {
  // Layouts by forces report the stress of only the pairs that they fit, which is too low. Pictures side by side must
  // be compared by the same figure. In both cases the stress over all pairs is measured, while the run is live.
  LayoutMeasures::Wanted wanted{};
  wanted[LayoutMeasures::point_stresses] = view.colour_choice == point_stress_name;
  wanted[LayoutMeasures::shepard_diagram] = std::exchange(plot_seen_, false);
  wanted[LayoutMeasures::full_stresses] =
      !view.past && small_ && (compared_ || view.snapshot.progress.figure_name == "sparse stress");
  measures_.update(view, wanted);
  if (view.kept) measures_.ask_nearest(*view.kept);
  if (const NearestRows* nearest = shown(view))
    read_places(view, *nearest);
  else
    places_.clear();
}

const NearestRows* QualityLayer::shown(const PointView& view) const {
  const auto& nearest = measures_.nearest();
  return view.kept && nearest && nearest->of == *view.kept && !nearest->rows.empty() ? nearest.get() : nullptr;
}

// The points move, so their positions are read back from the GPU whenever there are new ones, a frame or two late.
void QualityLayer::read_places(const PointView& view, const NearestRows& nearest) {
  const int columns = int(view.points.row());
  const std::size_t count = nearest.rows.size() + 1;
  if (placed_ != measures_.nearest() || columns_ != columns || readbacks_.size() != count) {
    placed_ = measures_.nearest();
    columns_ = columns;
    readbacks_.clear();
    for (std::size_t k = 0; k < count; ++k) readbacks_.emplace_back(sizeof(float) * std::size_t(columns));
    places_.clear();
    generation_ = 0;
  }
  const auto row = [&](std::size_t k) -> std::size_t { return k == 0 ? nearest.of : nearest.rows[k - 1].point; };
  // While the buffers still belong to an earlier layout with fewer points, nothing is read.
  bool all_there = true;
  for (std::size_t k = 0; k < count; ++k) all_there = all_there && row(k) < view.points.count;
  if (generation_ != view.shared.generation() && !readbacks_.back().under_way() && all_there) {
    generation_ = view.shared.generation();
    for (std::size_t k = 0; k < count; ++k)
      readbacks_[k].request(view.points.positions.buffer,
                            view.points.positions.offset + GLintptr(row(k) * std::size_t(columns) * sizeof(float)));
  }
  // The last request is answered last.
  const std::uint32_t* last = readbacks_.back().take(view.repeatable);
  if (!last) return;
  places_.assign(count, glm::vec3(NAN));
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t* words = k + 1 == count ? last : readbacks_[k].take(true);
    if (!words) continue;
    const auto* at = reinterpret_cast<const float*>(words);
    places_[k] = {at[0], at[1], columns > 2 ? at[2] : 0.f};
  }
}

void QualityLayer::draw_overlay(const PointView& view, const PictureArea& area) {
  if (places_.empty() || !shown(view)) return;
  const auto pixel = [&](const glm::vec3& place) {
    return area.in_window(view.camera.pixel_of(view.placed * glm::vec4(place, 1)));
  };
  // ImGui cannot draw at coordinates of millions of pixels. A NaN is not drawable either.
  const auto drawable = [](ImVec2 p) { return std::abs(p.x) < 1e5f && std::abs(p.y) < 1e5f; };
  const ImVec2 from = pixel(places_.front());
  if (!drawable(from)) return;
  const ImU32 ink = area.theme->ink, ground = area.theme->background;
  const float s = area.scale;
  area.list->PushClipRect(area.low, area.high, true);
  for (const bool under : {true, false})
    for (std::size_t k = 1; k < places_.size(); ++k) {
      const ImVec2 to = pixel(places_[k]);
      if (!drawable(to)) continue;
      // A rim in the background's colour makes the lines stand out from the points that they cross.
      area.list->AddLine(from, to, under ? ground : ink, (under ? line_width + 2 : line_width) * s);
      area.list->AddCircle(to, ring * s, under ? ground : ink, 24, (under ? line_width + 2 : line_width) * s);
    }
  area.list->PopClipRect();
}

void QualityLayer::add_to_legend(const PointView& view, Legend& legend) const {
  if (!places_.empty() && shown(view))
    legend.notes.push_back({"nearest rows", LegendMark::line, render::ink_colour(view.style.background)});
}

void QualityLayer::row_details(Ui& ui, std::size_t row) {
  const auto& nearest = measures_.nearest();
  heading(ui, "Nearest rows", "distance in the data");
  const bool known = nearest && nearest->of == row;
  std::string told, names;
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  if (!known)
    caption(ui, "Comparing all rows …");
  else if (nearest->rows.empty())
    caption(ui, "None");
  for (std::size_t k = 0; known && k < nearest->rows.size(); ++k) {
    fact(ui, nearest->names[k].c_str(), number_text(double(nearest->rows[k].distance), 4));
    told += (told.empty() ? "" : " ") + std::to_string(nearest->rows[k].point);
    names += (names.empty() ? "" : "|") + nearest->names[k];
  }
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  ui.ids.last_item("nearest");
  ui.ids.state("nearest", told);
  ui.ids.state("nearest.names", names);
  gap(ui, 16);
}

}  // namespace kinescope::app
