#include "app/features/quality/shepard_plot.hpp"

#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "app/scenes/plot.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

constexpr const char* meaning =
    "Pairs of rows: their distance in the data to the right, in the layout upwards. On the line both are the same; "
    "below it the layout shows a pair too near, above it too far.";

}  // namespace

// The colour scale is logarithmic, so that bins with few pairs are visible beside bins with many. Bins without pairs
// are transparent.
void ShepardPlot::paint(const Ui& ui) {
  constexpr int bins = int(sim::glimmer::ShepardDiagram::bins);
  variant_ = ui.theme->variant;
  const auto table = render::density_table(render::ColourMap::viridis, variant_);
  const std::uint32_t most = *std::max_element(painted_->counts.begin(), painted_->counts.end());
  std::vector<std::uint32_t> pixels(painted_->counts.size(), 0);
  for (std::size_t k = 0; k < pixels.size(); ++k)
    if (const std::uint32_t count = painted_->counts[k]; count > 0)
      pixels[k] = render::pack(
          render::colour_at(table, 0.15f + 0.85f * std::log1p(float(count)) / std::log1p(float(most)), variant_));
  if (!texture_) texture_ = render::Texture::flat({bins, bins}, GL_RGBA8);
  texture_.write(GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
}

void ShepardPlot::draw(Ui& ui, const std::shared_ptr<const sim::glimmer::ShepardDiagram>& diagram) {
  if (diagram && (diagram != painted_ || variant_ != ui.theme->variant)) {
    painted_ = diagram;
    paint(ui);
  }
  if (!diagram) painted_ = nullptr;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Theme& t = *ui.theme;
  ImFont* font = ui.fonts.caption;
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float size = font->FontSize, tick = ui.px(4);
  const double high = painted_ ? painted_->high : 1;
  const float height = room.y - size - tick;
  const AxisTicks up = ticks_within(0, high, std::max(2, int(height / ui.px(28))));
  const float labels = painted_ ? widest_label(font, up) : 0;
  const ImVec2 low{std::round(origin.x + labels + tick + ui.px(4)), std::round(origin.y + 0.5f * size)},
      end{origin.x + room.x, std::round(origin.y + room.y - size - tick)};
  if (end.x - low.x < ui.px(40) || end.y - low.y < ui.px(24)) return;
  button_over(ui, "shepard", low, end);
  ui.ids.state("shepard", painted_ ? std::to_string(painted_->pairs) : "none");
  const float thick = std::max(1.f, std::floor(ui.scale));
  list->AddRectFilled({low.x - thick, low.y}, {low.x, end.y}, t.ink_dim);
  list->AddRectFilled({low.x - thick, end.y}, {end.x, end.y + thick}, t.ink_dim);
  if (!painted_) {
    const std::string text = "Measuring …";
    write_text(list, font, {0.5f * (low.x + end.x - width_of(font, text)), 0.5f * (low.y + end.y - size)}, t.ink_dim,
               text);
    return;
  }
  list->AddImage(reinterpret_cast<ImTextureID>(std::intptr_t(texture_.name())), low, end, {0, 1}, {1, 0});
  // A rim and a plate make the line and the name stand out from the pairs under them.
  const ImU32 plate = with_alpha(t.panel, 200);
  list->AddLine({low.x, end.y}, {end.x, low.y}, plate, 3 * thick);
  list->AddLine({low.x, end.y}, {end.x, low.y}, t.ink, thick);
  for (const double value : up.major) {
    const float y = std::round(end.y - (end.y - low.y) * float(up.place(value)));
    list->AddRectFilled({low.x - tick, y}, {low.x, y + thick}, t.ink_dim);
    const std::string text = tick_label(up, value);
    write_text(list, font, {low.x - tick - ui.px(4) - width_of(font, text), y - 0.5f * size}, t.ink_dim, text);
  }
  // The name of the axis is at its end, where no tick is labelled.
  const std::string across = "in the data", upwards = "distance in the layout";
  const float name_left = end.x - width_of(font, across);
  write_text(list, font, {name_left, end.y + tick}, t.ink, across);
  const ImVec2 name{low.x + ui.px(4), low.y};
  list->AddRectFilled(name, {name.x + width_of(font, upwards) + ui.px(8), name.y + size + ui.px(2)}, plate,
                      ui.px(corner));
  write_text(list, font, {name.x + ui.px(4), name.y + ui.px(1)}, t.ink, upwards);
  const AxisTicks right = ticks_within(0, high, std::max(2, int((end.x - low.x) / ui.px(56))));
  for (const double value : right.major) {
    const float x = std::round(low.x + (end.x - low.x) * float(right.place(value)));
    list->AddRectFilled({x, end.y}, {x + thick, end.y + tick}, t.ink_dim);
    const std::string text = tick_label(right, value);
    const float left = std::max(low.x, x - 0.5f * width_of(font, text));
    if (left + width_of(font, text) < name_left - ui.px(8))
      write_text(list, font, {left, end.y + tick}, t.ink_dim, text);
  }
  std::string help = std::string(meaning) + "\n" + sim::with_commas(painted_->pairs) + " pairs";
  if (painted_->beyond > 0) help += ", of which " + sim::with_commas(painted_->beyond) + " lie beyond the axes";
  ImGui::SetCursorScreenPos(low);
  ImGui::Dummy({end.x - low.x, end.y - low.y});
  help_for_last_item(ui, help.c_str());
}

}  // namespace kinescope::app
