#include "app/scenes/fields/axon_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>

#include "app/scenes/picture_mouse.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {

namespace published = sim::fitzhugh_nagumo::published;

namespace {

constexpr double w_per_v = 0.2;      // w on the right scale of the axon's plot per v on the left scale
constexpr double usual_reach = 1.2;  // largest |v| that the plots show at first
constexpr std::size_t most_recent = 24;
constexpr float scale_margin = 48;  // right of a plot with a scale there
constexpr const char* along_axon = "x (length)";

struct AxonColours {
  render::Rgb v, w, v2, w2, ink;
};

AxonColours colours_on(render::Background background) {
  const std::vector<render::Rgb> classes = render::class_colours(8, background);
  return {classes[0], classes[1], classes[2], classes[6], render::ink_colour(background)};
}

// Stacks plots in a column from the top; their heights are in proportion to their weights.
void stack(const std::vector<std::pair<Plot*, float>>& plots, const Rectangle& column, float scale) {
  float total = 0;
  for (const auto& [plot, weight] : plots) total += weight;
  float y = column.low.y;
  for (const auto& [plot, weight] : plots) {
    const float height = (column.high.y - column.low.y) * weight / total;
    plot->place({{column.low.x, y}, {column.high.x, y + height}}, scale);
    y += height;
  }
}

}  // namespace

AxonScene::AxonScene(const SceneSetup& setup) : painter_(setup.opengl) {
  adds_ = {.about = "A nerve fibre: voltage v and recovery w along it. Click on the axon to start an impulse.",
           .figures = wave_explanations(),
           .sections = {{Section::Panel::view, [this](Ui& ui) { view_options(ui); }}}};
}

void AxonScene::set_data(const std::shared_ptr<const sim::Dataset>&, sim::ParameterSet& parameters) {
  const auto& own = static_cast<const sim::FitzHughNagumoParameters&>(parameters);
  scheme_ = own.scheme.value();
  compare_ = own.compare.value();
  scheme_name_ = own.scheme.text();
  compare_name_ = own.compare.text();
}

void AxonScene::set_run(const render::DrawnBuffers& buffers, Runner& runner) {
  Scene::set_run(buffers, runner);
  now_ = {};
  reach_ = usual_reach;
  forget();
}

// Forgets what was gathered from an earlier run.
void AxonScene::forget() {
  recent_.clear();
  difference_reach_ = 1e-6;
  newton_low_ = -6;
  newton_columns_ = 3.25;
}

void AxonScene::update(const FrameTime& time, glm::ivec2 picture_size) {
  Scene::update(time, picture_size);
  if (!runner_) return;
  const double before = now_.time;
  now_ = figures_of(*time.drawn);
  const sim::WaveFigures& now = now_;
  if (now.time < before) forget();
  const double largest = time.drawn->progress.figure;
  reach_ = largest > usual_reach * 1.05 && std::isfinite(largest) ? std::max(2.0, round_up(largest)) : usual_reach;
  if (now.largest_difference > difference_reach_ && std::isfinite(now.largest_difference))
    difference_reach_ = round_up(1.1 * now.largest_difference);
  if (now.time == before || now.corrections.empty()) return;
  recent_.push_back(now.corrections);
  if (recent_.size() > most_recent) recent_.pop_front();
  newton_columns_ = std::max(newton_columns_, double(now.corrections.size()) + 0.25);
  for (const float correction : now.corrections)
    if (correction > 0) newton_low_ = std::clamp(std::floor(std::log10(double(correction))), -18.0, newton_low_);
}

AxonScene::Plots AxonScene::lay_out(glm::vec2 size, float scale, render::Background background) const {
  Plots plots = describe(background);
  const float margin = 8 * scale, gutter = 8 * scale;
  const Rectangle all{{margin, margin}, {size.x - margin, size.y - margin}};
  if (size.x >= 560 * scale) {
    const float split = std::round(all.low.x + 0.6f * (all.high.x - all.low.x));
    std::vector<std::pair<Plot*, float>> left{{&plots.axon, 1.f}}, right{{&plots.phase, 1.f}};
    if (two()) left.push_back({&plots.difference, 0.6f});
    left.push_back({&plots.space_time, 1.f});
    if (implicit()) right.push_back({&plots.newton, two() ? 0.625f : 1.f});
    stack(left, {all.low, {split - gutter / 2, all.high.y}}, scale);
    stack(right, {{split + gutter / 2, all.low.y}, all.high}, scale);
  } else {
    // The plots are one below the other; the least important ones are left out if there is no room.
    std::vector<std::pair<Plot*, float>> shown{{&plots.axon, 1.f}};
    const auto rows = std::size_t(std::max(2.f, (all.high.y - all.low.y) / (152 * scale)));
    const std::size_t left = rows - 2;
    if (two() && left > 1) shown.push_back({&plots.difference, 0.8f});
    shown.push_back({&plots.space_time, 1.f});
    if (left > 0) shown.push_back({&plots.phase, 1.f});
    if (implicit() && left > (two() ? 2u : 1u)) shown.push_back({&plots.newton, 0.8f});
    stack(shown, all, scale);
  }
  return plots;
}

// The plots without their places.
AxonScene::Plots AxonScene::describe(render::Background background) const {
  const AxonColours c = colours_on(background);
  const sim::WaveFigures& now = now_;
  const double low = reach_ > usual_reach ? -reach_ : -0.5, end = std::max(length(), 1e-9);
  Plots plots;
  plots.axon = {.high_x = end,
                .low_y = low,
                .high_y = reach_,
                .title = fmt::format("Axon at t = {:.1f}", now.time),
                .x_title = along_axon,
                .y_title = "v",
                .right_title = "w",
                .y_colour = c.v,
                .right_colour = c.w,
                .right_margin = scale_margin,
                .right_factor = w_per_v};
  if (two())
    plots.axon.notes = {{scheme_name_, LegendMark::line, c.v, c.w}, {compare_name_, LegendMark::line, c.v2, c.w2}};
  if (adaptive())
    plots.axon.notes.push_back(
        {sim::with_commas(std::size_t(now.nodes_used)) + " of " + sim::with_commas(std::size_t(now.nodes)) + " nodes",
         LegendMark::disc, c.ink});
  plots.difference = {.high_x = end,
                      .low_y = -difference_reach_,
                      .high_y = difference_reach_,
                      .title = "v " + scheme_name_ + " − v " + compare_name_,
                      .x_title = along_axon,
                      .y_title = "Δv",
                      .right_margin = scale_margin,
                      .notes = {{"largest " + number_text(now.largest_difference, 3), std::nullopt, c.ink}}};
  plots.phase = {.low_x = low,
                 .high_x = reach_,
                 .low_y = low * w_per_v,
                 .high_y = reach_ * w_per_v,
                 .title = "Phase plane",
                 .x_title = "v",
                 .y_title = "w",
                 .notes = {{"nodes", LegendMark::disc, c.v}}};
  plots.space_time = {.high_x = end,
                      .low_y = std::max(now.end_time, 1e-9),
                      .high_y = 0,
                      .title = "v in space and time",
                      .x_title = along_axon,
                      .y_title = "t",
                      .right_margin = scale_margin};
  plots.newton = {.low_x = 0.75,
                  .high_x = newton_columns_,
                  .low_y = newton_low_,
                  .high_y = 0,
                  .whole_x = true,
                  .logarithmic_y = true,
                  .title = "Newton's corrections",
                  .x_title = "iteration of the step",
                  .y_title = "‖δv‖",
                  .notes = {{"this step", LegendMark::line, c.v}, {"steps before", LegendMark::line, c.w}}};
  return plots;
}

render::Series AxonScene::along(const sim::Published<float>& buffer) const {
  return {.y = shared_->view(buffer), .count = std::size_t(now_.nodes), .step = now_.dx};
}

void AxonScene::draw(const render::Canvas& canvas, render::Background background) {
  if (now_.nodes < 2) return;
  const Plots plots = lay_out(glm::vec2(canvas.whole()), canvas.scale, background);
  draw_axon(plots.axon, canvas, background);
  draw_phase(plots.phase, canvas, background);
  draw_space_time(plots.space_time, canvas, background);
  if (two()) {
    painter_.grid(plots.difference, canvas, background);
    render::Series difference = along(published::v);
    difference.minus = shared_->view(published::v2);
    painter_.curve(plots.difference, canvas, difference, line_style(colours_on(background).ink, 1.5f));
  }
  if (implicit()) draw_newton(plots.newton, canvas, background);
}

void AxonScene::draw_axon(const Plot& plot, const render::Canvas& canvas, render::Background background) {
  const AxonColours c = colours_on(background);
  painter_.grid(plot, canvas, background);
  // The two solutions may coincide, so the second is a thin line on top of the broad first one.
  painter_.curve(plot, canvas, along(published::w), two() ? line_style(c.w, 4, 0.6f) : line_style(c.w, 1.75f), w_per_v);
  painter_.curve(plot, canvas, along(published::v), two() ? line_style(c.v, 4, 0.7f) : line_style(c.v, 2));
  if (two()) {
    painter_.curve(plot, canvas, along(published::w2), line_style(c.w2, 1.5f), w_per_v);
    painter_.curve(plot, canvas, along(published::v2), line_style(c.v2, 1.5f));
  }
  // The nodes lie on the curve of the solution to which they belong.
  if (adaptive() && show_nodes_)
    painter_.dots(plot, canvas, along(sim::fitzhugh_nagumo::chooses_nodes(scheme_) ? published::v : published::v2),
                  shared_->view(published::used), c.ink, 3);
}

void AxonScene::draw_phase(const Plot& plot, const render::Canvas& canvas, render::Background background) {
  const AxonColours c = colours_on(background);
  const sim::WaveFigures& now = now_;
  painter_.grid(plot, canvas, background);
  std::vector<glm::vec2> cubic;
  constexpr int samples = 200;
  for (int i = 0; i <= samples; ++i) {
    const double v = plot.low_x + (plot.high_x - plot.low_x) * i / samples;
    cubic.push_back({v, v * (1 - v) * (v - now.a)});
  }
  painter_.path(plot, canvas, cubic, line_style(c.ink, 1.25f, 0.7f));
  const double steep = 1e3;  // if w does not decay, the nullcline dw/dt = 0 is the line v = 0
  const double slope = now.gamma > 1 / steep ? 1 / now.gamma : steep;
  const std::array<glm::vec2, 2> straight{{{plot.low_x, plot.low_x * slope}, {plot.high_x, plot.high_x * slope}}};
  // If epsilon is 0, w never changes and has no nullcline.
  if (now.epsilon > 0) painter_.path(plot, canvas, straight, line_style(c.w, 1.25f, 0.7f));
  render::Series states = along(published::w);
  states.x = shared_->view(published::v);
  painter_.curve(plot, canvas, states, line_style(c.v, 1.5f, 0.5f));
  painter_.dots(plot, canvas, states, {}, c.v, 4);
  if (!two()) return;
  states.y = shared_->view(published::w2);
  states.x = shared_->view(published::v2);
  painter_.curve(plot, canvas, states, line_style(c.v2, 1));
}

void AxonScene::draw_space_time(const Plot& plot, const render::Canvas& canvas, render::Background background) {
  const render::Canvas part = plot.canvas(canvas);
  if (part.size.x == 0) return;
  const auto columns = std::min(now_.nodes, sim::space_time_columns), rows = sim::space_time_rows;
  const double half_x = 0.5 * length() / double(columns - 1), half_t = 0.5 * now_.end_time / double(rows - 1);
  render::FieldStyle style = colours_.style(background);
  style.missing = render::background_colour(background);
  field_.draw({.values = shared_->view(published::space_time),
               .size = {int(columns), int(rows)},
               .low = {-half_x, -half_t},
               .high = {length() + half_x, now_.end_time + half_t}},
              plot.clip_from_data(), style, part);
}

void AxonScene::draw_newton(const Plot& plot, const render::Canvas& canvas, render::Background background) {
  const AxonColours c = colours_on(background);
  painter_.grid(plot, canvas, background);
  for (std::size_t i = 0; i < recent_.size(); ++i) {
    const bool latest = i + 1 == recent_.size();
    std::vector<glm::vec2> places;
    for (std::size_t k = 0; k < recent_[i].size(); ++k)
      places.push_back({1 + k, std::log10(std::max(double(recent_[i][k]), 1e-30))});
    const float age = float(i + 1) / float(recent_.size());
    painter_.path(plot, canvas, places, latest ? line_style(c.v, 2) : line_style(c.w, 1, 0.1f + 0.4f * age));
    if (latest) painter_.marks(plot, canvas, places, c.v, 7);
  }
}

// Writes the nullclines' names at negative w, where no wave passes.
void AxonScene::name_nullclines(const Plot& plot, const PictureArea& area) const {
  if (!plot.shown() || reach_ > usual_reach) return;
  const double lower = 0.85 * plot.low_y, upper = 0.6 * plot.low_y, a = now_.a;
  double inside = 1, outside = plot.high_x;  // values of v: between them the cubic falls below `upper`
  for (int i = 0; i < 30; ++i) {
    const double v = 0.5 * (inside + outside);
    (v * (1 - v) * (v - a) > upper ? inside : outside) = v;
  }
  draw_label(area, plot, inside, upper, "dv/dt = 0", true);
  if (now_.epsilon <= 0) return;
  // The name is to the left of the line, away from the axis and the cubic. If the line is so flat that there is no
  // room, the name is to the right of its point and below the line.
  const char* name = "dw/dt = 0";
  const ImFont* font = area.fonts.caption;
  const double v = std::max(0.85 * plot.low_x, lower * now_.gamma), w = now_.gamma > 0 ? v / now_.gamma : lower;
  const bool before = plot.pixel_of(v, w).x - plot.frame.low.x > width_of(area.fonts.caption, name) + 12 * plot.scale;
  const double line = font->FontSize * (plot.high_y - plot.low_y) / (plot.frame.high.y - plot.frame.low.y);
  draw_label(area, plot, v, before ? w : std::max(w - line, plot.low_y + 0.7 * line), name, before);
}

void AxonScene::draw_plots(const Plots& plots, const PictureArea& area) const {
  draw_axes(plots.axon, area);
  draw_axes(plots.phase, area);
  draw_axes(plots.space_time, area);
  if (two()) draw_axes(plots.difference, area);
  if (implicit()) draw_axes(plots.newton, area);
  name_nullclines(plots.phase, area);
  if (!plots.space_time.shown()) return;
  draw_colour_scale(area, plots.space_time, colours_.table(area.theme->variant), colours_.low(), colours_.high());
}

void AxonScene::draw_overlay(const PictureArea& area) {
  if (now_.nodes < 2) return;
  draw_plots(lay_out(area.size(), area.scale, area.theme->variant), area);
}

// Shows where a stimulus would be applied.
void AxonScene::draw_brush(const Plot& plot, const PictureArea& area, double x) const {
  const ImVec2 low = area.in_window(plot.frame.low), high = area.in_window(plot.frame.high);
  const auto pixel = [&](double at) { return area.in_window(plot.pixel_of(at, 0)).x; };
  area.list->AddRectFilled({std::max(low.x, pixel(x - radius_)), low.y}, {std::min(high.x, pixel(x + radius_)), high.y},
                           with_alpha(area.theme->accent, 40));
}

void AxonScene::interact(Ui& ui, const PictureArea& area) {
  tell_excitement(ui, time_.now->progress);
  if (stimulate(ui, area) && requests_.wishes.empty())
    if (auto wish = longer_run(*time_.now)) requests_.wishes.push_back(std::move(*wish));
}

// Draws the plots and handles the mouse; returns true if a stimulus was applied.
bool AxonScene::stimulate(Ui& ui, const PictureArea& area) {
  const PictureMouse mouse = mouse_over(ui, area);
  if (!runner_ || now_.nodes < 2) return false;
  const Plots plots = lay_out(area.size(), area.scale, area.theme->variant);
  draw_plots(plots, area);
  ui.ids.widget("plot.axon", area.in_window(plots.axon.frame.low), area.in_window(plots.axon.frame.high));
  ui.ids.state("plots", std::string("axon") + (plots.phase.shown() ? " phase" : "") +
                            (two() && plots.difference.shown() ? " difference" : "") +
                            (plots.space_time.shown() ? " space-time" : "") +
                            (implicit() && plots.newton.shown() ? " newton" : ""));
  if (!(mouse.hovered || mouse.held) || !plots.axon.holds(mouse.at)) return false;
  const double x = plots.axon.at(mouse.at).x;
  draw_brush(plots.axon, area, x);
  const bool left = ImGui::IsMouseDown(0), right = ImGui::IsMouseDown(1);
  if (!mouse.held || !(left || right) || runner_->busy()) return false;
  if (ImGui::IsItemActivated()) stroke_ = x;
  runner_->stimulate({stroke_, 0, radius_, left ? 1.0 : -1.0, x - stroke_});
  stroke_ = x;
  return true;
}

void AxonScene::view_options(Ui& ui) {
  caption(ui, "Click or drag on the axon to stimulate it; with the right button, to bring it back to rest.");
  gap(ui, 4);
  slider(ui, "stimulus-radius", "Stimulus radius", "length", "How far a stimulus reaches to each side", radius_,
         {.low = 0.5, .high = 50, .logarithmic = true, .initial = 8});
  if (adaptive()) toggle(ui, "nodes", "Nodes", "Show a dot at each node of the adaptive scheme", show_nodes_);
  colours_.options(ui);
}

void AxonScene::keep_state(KeptState& state) {
  colours_.keep_state(state);
  state.number("radius", 0.5, 50, radius_);
  state.on_off("nodes", show_nodes_);
}

}  // namespace kinescope::app
