// The pictures of a comparison: where each is drawn, what a person does in one of them, their titles.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <glm/common.hpp>

#include "app/view/comparison.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app {
namespace {

// Numbers of columns and rows that make the pictures, of about 4:3, largest.
glm::ivec2 grid(std::size_t pictures, double width, double height) {
  constexpr double wanted = 4.0 / 3;
  glm::ivec2 best{1, int(pictures)};
  double largest = 0;
  for (int columns = 1; columns <= int(pictures); ++columns) {
    const int rows = (int(pictures) + columns - 1) / columns;
    const double size = std::min(width / columns, wanted * height / rows);
    if (size > largest) largest = size, best = {columns, rows};
  }
  return best;
}

struct Tile {
  glm::ivec2 low, size;
};

// The rectangle of each picture. All have one size, so that one camera suits them; a line of one pixel stays free
// between them.
std::vector<Tile> tiles(std::size_t pictures, glm::ivec2 whole) {
  if (pictures == 1) return {{{0, 0}, whole}};
  const glm::ivec2 cells = grid(pictures, whole.x, whole.y);
  const glm::ivec2 size = glm::max((whole - (cells - 1)) / cells, glm::ivec2(1));
  std::vector<Tile> all;
  for (int i = 0; i < int(pictures); ++i)
    all.push_back({{(i % cells.x) * (size.x + 1), (i / cells.x) * (size.y + 1)}, size});
  return all;
}

}  // namespace

void Comparison::update_scenes(Scene& first, const FrameTime& time, glm::ivec2 picture_size) {
  const glm::ivec2 size = tiles(pictures(), picture_size).front().size;
  first.update(time, size);
  for (const auto& each : companions_) {
    if (!each->scene) continue;
    each->scene->follow(first);
    each->scene->update(each->past.time(time.seconds, each->session.runner(), each->session.parameters()), size);
  }
}

void Comparison::draw(Scene& first, const render::Canvas& canvas, render::Background background) {
  const std::vector<Tile> all = tiles(pictures(), canvas.whole());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Scene* scene = i == 0 ? &first : companions_[i - 1]->scene.get();
    const render::Canvas part = active() ? canvas.part(all[i].low, all[i].size) : canvas;
    if (scene && part.size.x > 0) scene->draw(part, background);
  }
}

std::vector<PictureArea> Comparison::areas(const PictureArea& area) const {
  const glm::ivec2 whole{int(area.high.x - area.low.x), int(area.high.y - area.low.y)};
  std::vector<PictureArea> parts;
  if (!active()) return {area};
  for (const Tile& tile : tiles(pictures(), whole)) {
    PictureArea part = area;
    part.low = {area.low.x + float(tile.low.x), area.low.y + float(tile.low.y)};
    part.high = {part.low.x + float(tile.size.x), part.low.y + float(tile.size.y)};
    part.number = int(parts.size()) + 1;
    parts.push_back(part);
  }
  return parts;
}

void Comparison::draw_overlay(Scene& first, const PictureArea& area) {
  const std::vector<PictureArea> parts = areas(area);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (Scene* scene = i == 0 ? &first : companions_[i - 1]->scene.get()) scene->draw_overlay(parts[i]);
  draw_titles(area);
}

void Comparison::fit_to(Scene& first, const PictureArea* area) {
  const std::vector<PictureArea> parts = area ? areas(*area) : std::vector<PictureArea>();
  for (std::size_t i = 0; i < pictures(); ++i)
    if (Scene* scene = i == 0 ? &first : companions_[i - 1]->scene.get()) scene->fit_to(area ? &parts[i] : nullptr);
}

void Comparison::interact(Scene& first, Ui& ui, const PictureArea& area) {
  const std::vector<PictureArea> parts = areas(area);
  draw_titles(area);
  first.interact(ui, parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Scene* scene = companions_[i - 1]->scene.get();
    if (!scene) continue;
    scene->follow(first);
    scene->interact(ui, parts[i]);
    // What a person does in another run's picture applies to all pictures. That includes the moment when the mouse
    // leaves it.
    if (!scene->led() && scene != leader_) continue;
    first.follow(*scene);
    leader_ = scene->led() ? scene : nullptr;
  }
}

void Comparison::draw_titles(const PictureArea& area) const {
  if (!active()) return;
  const std::vector<PictureArea> parts = areas(area);
  const Theme& t = *area.theme;
  const float s = area.scale;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PictureArea& part = parts[i];
    if (part.high.x < area.high.x - 1)
      area.list->AddRectFilled({part.high.x, part.low.y}, {part.high.x + 1, part.high.y}, t.line);
    if (part.high.y < area.high.y - 1)
      area.list->AddRectFilled({part.low.x, part.high.y}, {part.high.x, part.high.y + 1}, t.line);
    if (i >= shown_.size()) continue;
    const ComparedRun& run = shown_[i];
    std::string figures =
        std::isnan(run.figure) ? "" : fmt::format("{} {} · ", run.figure_name, number_text(run.figure));
    if (counts_iterations_)
      figures += sim::count_of(std::size_t(std::max(0L, run.iteration)), "iteration");
    else
      figures += number_text(run.seconds) + " s";
    if (run.done) figures += " · done";
    if (!run.failure.empty())
      figures = run.failure;
    else if (i > 0 && !companions_[i - 1]->scene)
      figures = "preparing …";
    ImFont* strong = area.fonts.strong;
    ImFont* small = area.fonts.caption;
    const ImVec2 at{std::round(part.low.x + 16 * s), std::round(part.low.y + 12 * s)};
    const float width = part.high.x - at.x - 16 * s;
    const std::string fits = shortened(small, figures, width);
    const float plate = std::max(16 * s + width_of(strong, run.name), width_of(small, fits)) + 16 * s;
    area.list->AddRectFilled({at.x - 8 * s, at.y - 4 * s}, {at.x - 8 * s + plate, at.y + 40 * s},
                             (t.background & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 200), corner * s);
    draw_run_mark(area.list, {at.x + 4 * s, at.y + 0.5f * strong->FontSize}, 4 * s, run_colour(t, i));
    put_text(area.list, strong, {at.x + 16 * s, at.y}, t.ink, run.name);
    put_text(area.list, small, {at.x, at.y + 20 * s}, run.failure.empty() ? t.ink_dim : t.warning, fits);
  }
}

}  // namespace kinescope::app
