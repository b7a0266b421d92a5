#include "app/scenes/fields/field_scene.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace kinescope::app {
namespace {

constexpr float strip_height = 168, legend_width = 144;  // design pixels

}  // namespace

FieldScene::FieldScene(PublishedField published) : published_(std::move(published)), radius_(published_.brush) {
  adds_ = {.about = published_.about,
           .figures = published_.figures,
           .sections = {{Section::Panel::view, [this](Ui& ui) { view_options(ui); }}}};
  kept_buffers_ = {KeptBuffer(published_.values, 1)};
}

render::Bounds FieldScene::bounds() const {
  const auto side = float(sheet_.length());
  // On the surface, the camera leaves room for every viewing angle. The sheet is flat and needs less, so its bounds are
  // cut.
  const float cut = surface() ? 0.1f * side : 0;
  return {{cut, cut, 0}, {side - cut, side - cut, surface() ? height() : 0.f}};
}

FieldScene::SheetPlaces FieldScene::lay_out(glm::vec2 size, float scale) const {
  SheetPlaces layout;
  layout.sheet = glm::ivec2(size);
  // The legend is beside the sheet if the picture is wide enough, else on the sheet.
  if (size.x - legend_width * scale >= 0.8f * size.y) layout.sheet.x -= int(legend_width * scale);
  if (!has_strip() || size.y < 2 * strip_height * scale) return layout;
  layout.sheet.y -= int(strip_height * scale);
  layout.strip = {{8 * scale, float(layout.sheet.y)}, {size.x - 8 * scale, size.y - 8 * scale}};
  return layout;
}

void FieldScene::update(const FrameTime& time, glm::ivec2 picture_size) {
  Scene::update(time, picture_size);
  if (!runner_) return;
  const double length = sheet_.length();
  sheet_ = published_.sheet(*time.drawn);
  if (sheet_.nodes < 2) return;
  // A camera that a session has restored is kept for the first sheet.
  if ((fresh_ || sheet_.length() != length) && !given_camera_) camera().frame_all(bounds(), true);
  fresh_ = given_camera_ = false;
  camera().follow(bounds(), time.seconds);
}

void FieldScene::frame_all(bool at_once) {
  if (at_once && !camera().following()) return;
  camera().frame_all(bounds(), at_once);
}

void FieldScene::draw(const render::Canvas& canvas, render::Background background) {
  if (sheet_.nodes < 2) return;
  const SheetPlaces layout = lay_out(glm::vec2(canvas.whole()), canvas.scale);
  const render::Canvas part = canvas.part({0, 0}, layout.sheet);
  camera().set_size(layout.sheet);
  const FieldColours& colours = published_.colours;
  const int nodes = int(sheet_.nodes);
  const render::BufferView values = shared_->view(published_.values);
  if (part.size.x > 0 && surface()) {
    surface_.draw({.values = values, .nodes = nodes, .spacing = float(sheet_.spacing), .height = height()},
                  camera().clip_from_world(),
                  {.colours = colours.table(background), .low = colours.low(), .high = colours.high()}, part);
  } else if (part.size.x > 0) {
    const auto half = float(0.5 * sheet_.spacing), side = float(sheet_.length());
    field_.draw({.values = values, .size = {nodes, nodes}, .low = glm::vec2(-half), .high = glm::vec2(side + half)},
                camera().clip_from_world(), colours.style(background), part);
    draw_upon(part, background);
  }
  if (layout.strip) draw_strip(*layout.strip, canvas, background);
}

void FieldScene::draw_marks(const PictureArea& area) {
  const render::Background background = area.theme->variant;
  const SheetPlaces layout = lay_out(area.size(), area.scale);
  PictureArea sheet = area;
  sheet.high.y = area.low.y + float(layout.sheet.y);
  camera().set_size(layout.sheet);
  area.list->PushClipRect(sheet.low, sheet.high, true);
  mark(sheet);
  area.list->PopClipRect();
  const FieldColours& colours = published_.colours;
  Legend legend;
  legend.title = fmt::format("{} at t = {:.1f}", published_.symbol, sheet_.time);
  const std::string low = number_text(colours.low(), 2), high = number_text(colours.high(), 2);
  if (layout.sheet.x < int(area.size().x)) {  // it is beside the sheet
    legend.map = colours.table(background).data();
    legend.ticks = {{0, low}, {0.5, number_text(0.5 * double(colours.low() + colours.high()), 2)}, {1, high}};
    if (!surface()) add_to_legend(legend, background);
  } else {
    legend.notes.push_back({low + " … " + high, LegendMark::map, {}, colours.table(background).data()});
  }
  draw_legend(sheet, legend);
  PictureArea beside = sheet;
  beside.low.x = std::max(area.low.x, area.high.x - legend_width * area.scale);
  if (!surface()) draw_scale_bar(beside, camera().units_per_pixel());
  if (layout.strip) mark_strip(*layout.strip, area);
}

void FieldScene::draw_overlay(const PictureArea& area) {
  if (sheet_.nodes > 1) draw_marks(area);
}

// In the plane, a drag with Shift or with the middle button pans, and other drags paint (paint()). On the surface, left
// drags turn and the others pan.
void FieldScene::move_camera(const PictureMouse& mouse) {
  if (mouse.held && mouse.moved()) {
    const bool left = ImGui::IsMouseDown(0), right = ImGui::IsMouseDown(1), middle = ImGui::IsMouseDown(2);
    if (middle || (left && ImGui::GetIO().KeyShift) || (surface() && right))
      camera().pan(mouse.before, mouse.at);
    else if (surface() && left)
      camera().orbit(mouse.before, mouse.at);
  }
  mouse.zoom(camera());
}

bool FieldScene::paint(Ui& ui, const PictureArea& area, glm::vec2 at) {
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec3 place = camera_.point_at(at);
  const auto side = float(sheet_.length());
  const bool on_sheet = place.x >= 0 && place.y >= 0 && place.x <= side && place.y <= side;
  const bool let_go = !ImGui::IsItemActive();
  const bool elsewhere = clicks_elsewhere();
  if (time_.past) return painting_ = false;  // an earlier moment cannot be changed
  if (on_sheet && !elsewhere && !io.KeyShift) {
    const float radius = float(radius_) / camera_.units_per_pixel();
    const ImVec2 c = area.in_window(at);
    area.list->AddCircle(c, radius + 1, area.theme->background, 64, 1.5f * area.scale);
    area.list->AddCircle(c, radius, area.theme->ink, 64, 1.5f * area.scale);
  }
  if (ImGui::IsItemActivated()) {
    painting_ = !io.KeyShift && !elsewhere;
    wiping_ = !ImGui::IsMouseDown(0);
    stroke_ = place;
    if (elsewhere && on_sheet && ImGui::IsMouseDown(0)) {
      click(ui, {place.x, place.y});
      return false;
    }
  }
  // Each stroke begins where the last one ended, so that a fast movement paints a continuous line. While the run is
  // busy, no stroke is sent; the next one covers the whole way.
  if (!painting_ || (runner_->busy() && !let_go)) return false;
  painting_ = !let_go;
  const glm::vec2 on = glm::vec2(place) - stroke_;
  if (let_go && on == glm::vec2(0)) return false;
  runner_->stimulate({stroke_.x, stroke_.y, radius_, wiping_ ? -1.0 : 1.0, on.x, on.y});
  stroke_ = place;
  return true;
}

void FieldScene::interact(Ui& ui, const PictureArea& area) {
  const PictureMouse mouse = mouse_over(ui, area);
  if (!runner_ || sheet_.nodes < 2) return;
  move_camera(mouse);
  draw_marks(area);
  if (!(mouse.hovered || mouse.held || painting_) || surface() || !paint(ui, area, mouse.at)) return;
  if (published_.touched && requests_.wishes.empty())
    if (auto wish = published_.touched(*time_.now)) requests_.wishes.push_back(std::move(*wish));
}

void FieldScene::view_options(Ui& ui) {
  if (segments(ui, "sheet-look", "", (published_.symbol + " as colours that you can paint on, or as heights").c_str(),
               {"Field", "Surface"}, look_))
    camera().frame_all(bounds(), true);
  if (surface())
    caption(ui, "Drag: turn. Right drag: move. Wheel: zoom.");
  else
    caption(ui, ("Drag: " + published_.paint + ". Right drag: " + published_.wipe + ". Shift drag: move." + more_help())
                    .c_str());
  gap(ui, 4);
  if (!surface()) {
    slider(ui, "stimulus-radius", "Brush radius", published_.unit.c_str(), "How far the brush reaches", radius_,
           {.low = published_.smallest_brush,
            .high = published_.largest_brush,
            .logarithmic = true,
            .initial = published_.brush});
    more_options(ui);
  }
  published_.colours.options(ui);
}

void FieldScene::keep_state(KeptState& state) {
  published_.colours.keep_state(state);
  state.option("look", {"field", "surface"}, look_);
  state.number("radius", published_.smallest_brush, published_.largest_brush, radius_);
  if (state.camera(camera())) given_camera_ = true;
}

}  // namespace kinescope::app
