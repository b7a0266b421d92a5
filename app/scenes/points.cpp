#include "app/scenes/points.hpp"

#include <algorithm>
#include <chrono>

namespace kinescope::app {
namespace {

constexpr double bounds_seconds = 0.1;  // between two looks at how large the layout is: the camera is softer than that

}  // namespace

PointScene::PointScene(const SceneSetup& setup, PublishedPoints published)
    : setup_(setup),
      published_(std::move(published)),
      cloud_(setup.opengl, setup.repeatable ? render::PointPath::compute : render::PointPath::automatic) {}

void PointScene::set_data(std::shared_ptr<const sim::Dataset> data, sim::ParameterSet& parameters) {
  const bool other_data = data != data_;
  if (const auto* dimensions = dynamic_cast<sim::Integer*>(parameters.find(published_.dimensions_parameter)))
    dimensions_ = int(dimensions->value());
  if (other_data || camera_.dimensions() != dimensions_) {
    camera_ = render::Camera(dimensions_);
    fresh_ = true;
  }
  if (!other_data) return;
  const std::string chosen =
      colour_choice_ < colour_choices_.size() && colour_choice_ > 0 ? colour_choices_[colour_choice_] : "";
  data_ = std::move(data);
  colour_choices_ = colouring_choices(*data_);
  const auto same = std::find(colour_choices_.begin(), colour_choices_.end(), chosen);
  colour_choice_ = same == colour_choices_.end() ? 0 : std::size_t(same - colour_choices_.begin());
  hovered_ = kept_ = std::nullopt;
  cloud_.set_markers({});
  cloud_.set_colours(data_->colours);
  recolour();
}

void PointScene::set_run(render::SharedBuffers& buffers, Runner&) {
  shared_ = &buffers;
  bounded_generation_ = 0;
}

// The colouring is worked out in the background; until it is there, points have one colour.
void PointScene::recolour() {
  const int ticket = ++colouring_ticket_;
  colouring_ = {};
  setup_.background.post([this, ticket, data = data_, choice = colour_choices_[colour_choice_]]() -> Background::Then {
    auto made = std::make_shared<Colouring>(make_colouring(*data, choice));
    return [this, ticket, made] {
      if (ticket == colouring_ticket_) take_colouring(std::move(*made));
    };
  });
  if (setup_.repeatable) setup_.background.drain();
}

void PointScene::take_colouring(Colouring colouring) {
  colouring_ = std::move(colouring);
  hidden_.assign(colouring_.class_names.size(), false);
  if (colouring_.by == render::ColourBy::classes) cloud_.set_classes(colouring_.classes);
  if (colouring_.by == render::ColourBy::numbers) cloud_.set_numbers(colouring_.numbers);
}

render::PointBuffers PointScene::buffers() const {
  render::PointBuffers points;
  if (!shared_ || !data_) return points;
  points.positions = shared_->view(published_.positions);
  if (!published_.emphasis.empty()) points.emphasis = shared_->view(published_.emphasis);
  // The buffers may still be those of another layout: they, and not the data, say how many there are.
  points.dimensions = dimensions_;
  points.count =
      std::min(data_->points, std::size_t(points.positions.bytes) / (sizeof(float) * std::size_t(dimensions_)));
  return points;
}

void PointScene::update_bounds() {
  if (!shared_) return;
  const render::PointBuffers points = buffers();
  if (points.count == 0) return;
  if (setup_.repeatable) {
    if (shared_->generation() != bounded_generation_) bounds_ = bounds_finder_.now(points);
    bounded_generation_ = shared_->generation();
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  if (const auto found = bounds_finder_.take()) bounds_ = *found;
  const bool due = bounds_.empty() || now_ >= bounded_at_ + bounds_seconds;
  if (due && shared_->generation() != bounded_generation_ && bounds_finder_.request(points)) {
    bounded_generation_ = shared_->generation();
    bounded_at_ = now_;
  }
  command_ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void PointScene::update(const FrameTime& time, glm::ivec2 picture_size) {
  now_ += time.seconds;
  camera_.set_size(picture_size);
  update_bounds();
  if (!bounds_.empty()) {
    if (fresh_) camera_.frame_all(bounds_, true);
    fresh_ = false;
    camera_.follow(bounds_, time.seconds);
  }
  show_arriving_ = !time.progress.converged && time.progress.level > 1;
}

bool PointScene::moving() const {
  const bool bounds_due = shared_ && shared_->generation() != bounded_generation_;
  return camera_.moving() || pick_request_ != 0 || bounds_due;
}

void PointScene::frame_all(bool at_once) {
  if (!bounds_.empty()) camera_.frame_all(bounds_, at_once);
}

render::PointStyle PointScene::style(render::Ground ground) const {
  render::PointStyle style;
  style.colour_by = colouring_.by;
  style.ground = ground;
  style.uniform = ground == render::Ground::dark ? render::Rgb{0x6e, 0xa8, 0xfe} : render::Rgb{0x1d, 0x5f, 0xd1};
  style.hidden_classes = hidden_;
  style.map = colouring_.is_signed ? render::ColourMap::diverging : render::ColourMap::viridis;
  style.low = colouring_.low;
  style.high = colouring_.high;
  style.diameter = float(size_factor_) * render::default_diameter(points());
  style.opacity = float(opacity_);
  style.density = mode_ == 1;
  style.density_by_colour = colouring_.by != render::ColourBy::uniform;
  return style;
}

void PointScene::draw(const render::Canvas& canvas, render::Ground ground) {
  ground_ = ground;
  const render::PointBuffers points = buffers();
  if (points.count == 0) return;
  const glm::ivec2 before = camera_.size();
  camera_.set_size(canvas.whole());
  cloud_.draw(points, camera_.clip_from_world(), style(ground), canvas);
  camera_.set_size(before);
}

Legend PointScene::legend(render::Ground ground) const {
  Legend legend;
  legend.title = colouring_.title;
  if (colouring_.by == render::ColourBy::classes) {
    const auto colours = render::class_colours(colouring_.class_names.size(), ground);
    for (std::size_t i = 0; i < colouring_.class_names.size(); ++i)
      legend.entries.push_back(
          {colouring_.class_names[i], colours[i % colours.size()], colouring_.class_counts[i], !hidden_[i]});
  } else if (colouring_.by == render::ColourBy::numbers) {
    legend.map = render::colour_table(style(ground).map, ground).data();
    legend.low = (colouring_.below ? "≤ " : "") + number_text(colouring_.low);
    legend.middle = number_text(0.5 * (double(colouring_.low) + colouring_.high));
    legend.high = (colouring_.above ? "≥ " : "") + number_text(colouring_.high);
  }
  if (show_arriving_ && !published_.emphasis.empty()) legend.note = published_.arriving;
  return legend;
}

void PointScene::draw_overlay(const PictureArea& area) {
  draw_legend(area, legend(area.theme->variant));
  if (dimensions_ == 2 && !bounds_.empty()) {
    const glm::ivec2 before = camera_.size();
    camera_.set_size({int(area.high.x - area.low.x), int(area.high.y - area.low.y)});
    draw_scale_bar(area, camera_.units_per_pixel());
    camera_.set_size(before);
  }
}

void PointScene::colour_options(Ui& ui) {
  if (colour_choices_.empty()) return;
  if (choice(ui, "colour-by", "Colour by", "What colours the points: a class, a number or their own colour",
             colour_choices_, colour_choice_))
    recolour();
}

void PointScene::view_options(Ui& ui) {
  segments(ui, "mode", "", "Each point by itself, or how many lie in a place", {"Points", "Density"}, mode_);
  gap(ui, 4);
  double diameter = size_factor_ * render::default_diameter(points());
  const double natural = render::default_diameter(points());
  if (slider(ui, "point-size", "Point size", "px", "The diameter of a point in a picture of 1280 × 720", diameter,
             {.low = 0.5, .high = 24, .logarithmic = true, .initial = natural})
          .changed)
    size_factor_ = diameter / natural;
  double percent = 100 * opacity_;
  if (slider(ui, "opacity", "Opacity", "%", "Below 100 %, points that lie upon each other add up", percent,
             {.low = 2, .high = 100, .whole = true, .initial = 100})
          .changed)
    opacity_ = percent / 100;
}

}  // namespace kinescope::app
