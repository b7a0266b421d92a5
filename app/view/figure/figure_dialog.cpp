#include "app/view/figure/figure_dialog.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/core.h>

#include "app/ui/dialog.hpp"
#include "app/view/figure/clipboard.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {
namespace {

constexpr float choices_width = 264, actions_height = 72, dialog_width = 944, dialog_height = 640;  // design pixels

}  // namespace

void FigureDialog::draw(Ui& ui) {
  if (!shown_) return;
  const bool stays = begin_dialog(ui, "figure-dialog", {dialog_width, dialog_height}, std::exchange(appeared_, false));
  const ImVec2 top = ImGui::GetCursorScreenPos(), all = ImGui::GetContentRegionAvail();
  heading(ui, "Figure");
  ImGui::SetCursorScreenPos({top.x + all.x - ui.px(32), top.y});
  if (icon_button(ui, "figure-close", Icon::close, "Close (Esc)") || !stays) shown_ = false;
  const float left = top.x + all.x - ui.px(choices_width), y = top.y + ui.px(40);
  draw_preview(ui, {left - ui.px(24) - top.x, top.y + all.y - y});
  ImGui::SetCursorScreenPos({left, y});
  const float bottom = top.y + all.y - ui.px(actions_height);
  ImGui::BeginChild("choices", {ui.px(choices_width), bottom - y});
  draw_choices(ui);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos({left, bottom});
  ImGui::BeginChild("actions", {ui.px(choices_width), ui.px(actions_height)});
  draw_actions(ui);
  ImGui::EndChild();
  end_dialog();
}

void FigureDialog::draw_preview(Ui& ui, ImVec2 room) {
  room_ = room;
  if (preview_size_.x == 0) return;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{float(preview_size_.x), float(preview_size_.y)};
  const ImVec2 low{std::round(at.x + 0.5f * (room.x - size.x)), std::round(at.y + 0.5f * (room.y - size.y))};
  const ImVec2 high{low.x + size.x, low.y + size.y};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddImage(reinterpret_cast<ImTextureID>(std::intptr_t(preview_.name())), low, high);
  list->AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, ui.theme->line);
  ui.ids.widget("figure-preview", low, high);
}

void FigureDialog::draw_choices(Ui& ui) {
  FigureOptions& options = wanted_.options;
  segments(ui, "figure-format", "Format", "SVG and PDF stay sharp at any size and keep text as text",
           {"SVG", "PDF", "PNG"}, format_);
  caption(ui, "Width, height");
  constexpr const char* lengths = "A length: 85mm, 3.3in, 240pt, or pixels";
  text_field(ui, "figure-width", "170mm", lengths, width_);
  text_field(ui, "figure-height", "Three quarters of the width", lengths, height_);
  slider(ui, "figure-font", "Letters", "points", "Size of the letters; lines and margins grow with them",
         options.font_size, {.low = 5, .high = 24, .least = least_font_size, .most = most_font_size, .initial = 8});
  slider(ui, "figure-dpi", "Resolution", "dots per inch",
         "Of a PNG, and of what is no line, point or text in the others", options.dpi,
         {.low = 72,
          .high = 1200,
          .least = least_dpi,
          .most = most_dpi,
          .logarithmic = true,
          .whole = true,
          .initial = 300});
  caption(ui, "Title");
  text_field(ui, "figure-title", "None", "A line above the picture", options.title);
  choice(ui, "figure-legend", "Legend", "Where the legend is",
         {"Upper right", "Upper left", "Lower right", "Lower left", "Beside", "None"}, legend_);
  segments(ui, "figure-ground", "Background",
           "Light suits paper; without a background, what is behind the figure shows", {"Light", "Dark", "None"},
           ground_);
  toggle(ui, "figure-scale-bar", "Scale bar", "Shows how long a distance is", options.scale_bar);
  bool without = !wanted_.with_state;
  toggle(ui, "figure-no-state", "Without state",
         "Else the file opens in Kinescope as what it shows: the data's name and checksum, parameters, view", without);
  wanted_.with_state = !without;
  read_choices();
}

void FigureDialog::draw_actions(Ui& ui) {
  const FigureOptions& options = wanted_.options;
  const glm::ivec2 pixels = options.pixels();
  caption(ui, refused_.empty() ? fmt::format("{:.4g} × {:.4g} mm, {} × {} pixels", options.millimetres().x,
                                             options.millimetres().y, pixels.x, pixels.y)
                                     .c_str()
                               : refused_.c_str());
  ui.ids.state("figure", refused_.empty() ? fmt::format("{}x{}", pixels.x, pixels.y) : "refused");
  gap(ui, 4);
  const bool ready = refused_.empty();
  if (button(ui, "figure-save", "Save", "Writes the file beside the data", ButtonKind::primary, ui.px(96), ready)) {
    taken_ = wanted_;
    shown_ = false;
  }
  ImGui::SameLine();
  const std::string why = why_no_clipboard();
  if (button(ui, "figure-copy", "Copy", why.empty() ? "Copies it as a picture" : why.c_str(), ButtonKind::plain,
             ui.px(96), ready && why.empty())) {
    taken_ = wanted_;
    taken_->copy = true;
  }
}

// Takes over what was typed, if it can be; else what was there stays.
void FigureDialog::read_choices() {
  FigureOptions options = wanted_.options;
  refused_.clear();
  const auto read = [&](const std::string& text, double& millimetres, double none) {
    const std::optional<double> length = text.empty() ? none : length_of(text, options.dpi);
    if (length)
      millimetres = *length;
    else
      refused_ = "'" + text + "' is no length, such as 85mm, 3.3in, 240pt or 1200px";
  };
  read(width_, options.width, 170);
  read(height_, options.height, 0);
  options.legend = LegendPlace(legend_);
  options.transparent = ground_ == 2;
  wanted_.background = ground_ == 1 ? render::Background::dark : render::Background::light;
  wanted_.ending = figure_endings[format_];
  try {
    check(options);
  } catch (const sim::Error& error) {
    refused_ = error.what();
  }
  if (refused_.empty()) wanted_.options = options;
}

void FigureDialog::update(long iteration, const std::function<FigureSource(render::Background)>& source) {
  if (!shown_ || room_.x < 16 || room_.y < 16) return;
  const auto now = std::chrono::steady_clock::now();
  const std::pair wanted(wanted_.options, wanted_.background);
  const bool later = iteration != drawn_iteration_ && now - drawn_at_ > std::chrono::seconds(1);
  if (drawn_ == wanted && !later) return;
  FigureOptions options = wanted_.options;
  const glm::dvec2 pixels(options.pixels());
  options.dpi *= std::min(double(room_.x) / pixels.x, double(room_.y) / pixels.y);
  options.dpi *= std::min(1.0, double(most_figure_scale / options.scale()));  // of a tiny figure
  if (options.pixels().x < 16 || options.pixels().y < 16) return;
  const render::Image image = figure_picture(options, source(wanted_.background));
  preview_size_ = {image.width, image.height};
  preview_ = render::Texture::flat(preview_size_, GL_RGBA8);
  preview_.write(GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  drawn_ = wanted;
  drawn_iteration_ = iteration;
  drawn_at_ = now;
}

}  // namespace kinescope::app
