#include "app/scenes/sheet_view.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/scenes/view_state.hpp"

namespace kinescope::app {
namespace {

constexpr float strip_height = 168, legend_width = 144;  // pixels of the design

}  // namespace

void SheetView::begin_run(const WaveRun& run) {
  run_ = run;
  probes_.begin_run(run);
}

render::Bounds SheetView::bounds() const {
  const auto side = float(moment_.length());
  // The camera leaves room for every angle; a sheet lies flat, and needs less.
  const float cut = surface() ? 0.1f * side : 0;
  return {{cut, cut, 0}, {side - cut, side - cut, surface() ? height() : 0.f}};
}

SheetView::Layout SheetView::lay_out(glm::vec2 size, float scale) const {
  Layout layout;
  layout.sheet = glm::ivec2(size);
  // Beside a square there is room for the legend; in a narrow picture it lies upon the sheet.
  if (size.x - legend_width * scale >= 0.8f * size.y) layout.sheet.x -= int(legend_width * scale);
  if (probes_.empty() || size.y < 2 * strip_height * scale) return layout;
  layout.has_strip = true;
  layout.sheet.y -= int(strip_height * scale);
  layout.strip = {{8 * scale, float(layout.sheet.y)}, {size.x - 8 * scale, size.y - 8 * scale}};
  return layout;
}

void SheetView::update(const FrameTime& time, const WaveMoment& moment, glm::ivec2) {
  const bool other_size = moment.length() != moment_.length();
  moment_ = moment;
  probes_.update(moment.figures);
  if (moment.figures.nodes < 2) return;
  // A session's camera is of the sheet that comes first.
  if ((fresh_ || other_size) && !given_camera_) camera().frame_all(bounds(), true);
  fresh_ = given_camera_ = false;
  camera().follow(bounds(), time.seconds);
}

void SheetView::frame_all(bool at_once) {
  if (at_once && !camera().following()) return;
  camera().frame_all(bounds(), at_once);
}

void SheetView::draw(const render::Canvas& canvas, render::Ground ground) {
  if (moment_.figures.nodes < 2) return;
  const Layout layout = lay_out(glm::vec2(canvas.whole()), canvas.scale);
  render::Canvas part = canvas.part({0, 0}, layout.sheet);
  camera().set_size(layout.sheet);
  const auto table = colours_.table(ground);
  const int nodes = int(moment_.figures.nodes);
  const render::BufferView v = run_.shared->view("v");
  if (part.size.x > 0 && surface()) {
    surface_.draw({.values = v, .nodes = nodes, .spacing = float(moment_.figures.dx), .height = height()},
                  camera().clip_from_world(), {.colours = table, .low = colours_.low(), .high = colours_.high()}, part);
  } else if (part.size.x > 0) {
    const auto half = float(0.5 * moment_.figures.dx), side = float(moment_.length());
    render::FieldStyle style;
    style.ground = ground;
    style.colours.assign(table.begin(), table.end());
    style.low = colours_.low();
    style.high = colours_.high();
    field_.draw({.values = v, .size = {nodes, nodes}, .low = glm::vec2(-half), .high = glm::vec2(side + half)},
                camera().clip_from_world(), style, part);
    if (show_tips_) draw_tips(part, ground);
  }
  if (layout.has_strip) probes_.draw(painter_, probes_.plot(layout.strip, canvas.scale, ground), canvas, ground);
}

// Discs of ink with a rim of ground, so that they stand out on every colour.
void SheetView::draw_tips(const render::Canvas& canvas, render::Ground ground) {
  render::PointBuffers points;
  points.positions = run_.shared->view("tips");
  if (!points.positions) return;
  points.count = sim::tips_published;
  render::PointStyle style;
  style.pixel_scale = canvas.scale;
  style.diameter = 11;
  style.uniform = render::ground_colour(ground);
  tips_.draw(points, camera().clip_from_world(), style, canvas);
  style.diameter = 7;
  style.uniform = render::ink_colour(ground);
  tips_.draw(points, camera().clip_from_world(), style, canvas);
}

void SheetView::draw_marks(const PictureArea& area) {
  const render::Ground ground = area.theme->variant;
  const Layout layout = lay_out({area.high.x - area.low.x, area.high.y - area.low.y}, area.scale);
  PictureArea sheet = area;
  sheet.high.y = area.low.y + float(layout.sheet.y);
  camera().set_size(layout.sheet);
  const float s = area.scale;
  area.list->PushClipRect(sheet.low, sheet.high, true);
  for (std::size_t i = 0; i < probes_.places().size(); ++i) {
    const sim::ProbePlace& place = probes_.places()[i];
    const glm::vec2 at = camera().pixel_of({place.x, place.y, 0});
    const ImVec2 c{area.low.x + at.x, area.low.y + at.y};
    const render::Rgb colour = Probes::colour(i, ground);
    area.list->AddCircleFilled(c, 10 * s, area.theme->ground, 32);
    area.list->AddCircle(c, 9 * s, pack(colour), 32, 2 * s);
    const std::string number = std::to_string(i + 1);
    ImFont* font = area.fonts.caption;
    const float width = width_of(font, number);
    area.list->AddText(font, font->FontSize, {std::round(c.x - 0.5f * width), std::round(c.y - 0.5f * font->FontSize)},
                       area.theme->ink, number.c_str());
  }
  area.list->PopClipRect();
  Legend legend;
  legend.title = fmt::format("v at t = {:.1f}", moment_.figures.time);
  const std::string low = number_text(colours_.low(), 2), high = number_text(colours_.high(), 2);
  const bool beside_sheet = layout.sheet.x < int(area.high.x - area.low.x);
  if (beside_sheet) {
    legend.map = colours_.table(ground).data();
    legend.ticks = {{0, low}, {0.5, number_text(0.5 * double(colours_.low() + colours_.high()), 2)}, {1, high}};
    if (show_tips_ && !surface())
      legend.notes.push_back({"tip of a spiral", LegendMark::disc, render::ink_colour(ground)});
  } else {
    legend.notes.push_back({low + " … " + high, LegendMark::map, {}, colours_.table(ground).data()});
  }
  draw_legend(sheet, legend);
  PictureArea beside = sheet;
  beside.low.x = std::max(area.low.x, area.high.x - legend_width * s);
  if (!surface()) draw_scale_bar(beside, camera().units_per_pixel());
  if (layout.has_strip) draw_axes(probes_.plot(layout.strip, area.scale, ground), area);
}

void SheetView::draw_overlay(const PictureArea& area) {
  if (moment_.figures.nodes > 1) draw_marks(area);
}

// In the plane Shift-drags and the middle button pan, and the other two paint; in space the left button turns.
void SheetView::move_camera(const PictureMouse& mouse) {
  if (mouse.held && mouse.moved()) {
    const bool left = ImGui::IsMouseDown(0), right = ImGui::IsMouseDown(1), middle = ImGui::IsMouseDown(2);
    if (middle || (left && ImGui::GetIO().KeyShift) || (surface() && right))
      camera().pan(mouse.before, mouse.at);
    else if (surface() && left)
      camera().orbit(mouse.before, mouse.at);
  }
  mouse.zoom(camera());
}

bool SheetView::paint(Ui& ui, const PictureArea& area, glm::vec2 at) {
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec3 place = camera_.point_at(at);
  const auto side = float(moment_.length());
  const bool on_sheet = place.x >= 0 && place.y >= 0 && place.x <= side && place.y <= side;
  const bool let_go = !ImGui::IsItemActive();
  const bool probe = probing_ || io.KeyAlt;
  if (on_sheet && !probe && !io.KeyShift) {
    const float radius = float(radius_) / camera_.units_per_pixel();
    const ImVec2 c{area.low.x + at.x, area.low.y + at.y};
    area.list->AddCircle(c, radius + 1, area.theme->ground, 64, 1.5f * area.scale);
    area.list->AddCircle(c, radius, area.theme->ink, 64, 1.5f * area.scale);
  }
  if (ImGui::IsItemActivated()) {
    painting_ = !io.KeyShift && !probe;
    wiping_ = !ImGui::IsMouseDown(0);
    stroke_ = place;
    if (probe && on_sheet && ImGui::IsMouseDown(0)) {
      probes_.place({place.x, place.y});
      ui.ids.state("probes", std::to_string(probes_.places().size()));
      return false;
    }
  }
  // A hand that is faster than frames still draws a line: each stroke begins where the one before ended, and what the
  // run is too busy for waits.
  if (!painting_ || (run_.runner->busy() && !let_go)) return false;
  painting_ = !let_go;
  const glm::vec2 on = glm::vec2(place) - stroke_;
  if (let_go && on == glm::vec2(0)) return false;
  run_.runner->stimulate({stroke_.x, stroke_.y, radius_, wiping_ ? -1.0 : 1.0, on.x, on.y});
  stroke_ = place;
  return true;
}

bool SheetView::interact(Ui& ui, const PictureArea& area) {
  const PictureMouse mouse = mouse_over(ui, area);
  if (moment_.figures.nodes < 2) return false;
  move_camera(mouse);
  draw_marks(area);
  return (mouse.hovered || mouse.held || painting_) && !surface() && paint(ui, area, mouse.at);
}

void SheetView::view_options(Ui& ui) {
  if (segments(ui, "sheet-look", "", "v as colours to paint on, or as heights", {"Field", "Surface"}, look_))
    camera().frame_all(bounds(), true);
  caption(ui, surface() ? "Drag: turn. Right drag: move. Wheel: zoom."
                        : "Drag: stimulus. Right drag: back to rest. Shift drag: move. Alt click: probe.");
  gap(ui, 4);
  if (!surface()) {
    slider(ui, "stimulus-radius", "Brush radius", "length", "How far the brush reaches", radius_,
           {.low = 1, .high = 100, .logarithmic = true, .initial = 8});
    toggle(ui, "tips", "Tips", "Where v = 1/2 and w is halfway up its cubic nullcline's: the tips of spirals",
           show_tips_);
    toggle(ui, "probing", "Place probes", "A click places a probe, four at most; Alt-click does so at any time",
           probing_);
    if (!probes_.empty() && button(ui, "clear-probes", "Clear probes", "Take all probes away", ButtonKind::plain, -1))
      probes_.clear();
  }
  colours_.options(ui);
}

Texts SheetView::view_state() const {
  Texts state = {{"map", colours_.text()},
                 {"look", surface() ? "surface" : "field"},
                 {"radius", number_state(radius_)},
                 {"tips", switch_state(show_tips_)},
                 {"probes", probes_.text()}};
  if (!camera().following()) state["camera"] = camera_text(camera());
  return state;
}

void SheetView::set_view_state(const Texts& state) {
  colours_.read(state);
  if (const auto look = state.find("look"); look != state.end()) look_ = look->second == "surface" ? 1 : 0;
  read_number(state, "radius", 1, 100, radius_);
  read_switch(state, "tips", show_tips_);
  if (const auto probes = state.find("probes"); probes != state.end()) probes_.read(probes->second);
  given_camera_ = read_camera(state, camera());
}

std::unique_ptr<WaveView> make_sheet_view(const SceneSetup& setup) {
  return std::make_unique<SheetView>(setup);
}

}  // namespace kinescope::app
