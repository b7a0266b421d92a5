#include "app/scenes/points/points.hpp"

#include <algorithm>
#include <chrono>

namespace kinescope::app {
namespace {

constexpr double bounds_seconds =
    0.1;  // between two measurements of the layout's size; the camera follows more softly than that

}  // namespace

PointScene::PointScene(const SceneSetup& setup, PublishedPoints published)
    : setup_(setup),
      published_(std::move(published)),
      cloud_(setup.opengl, setup.repeatable ? render::PointPath::compute : render::PointPath::automatic) {
  using Panel = Section::Panel;
  adds_ = {.about = published_.about,
           .figures = published_.figures,
           .phases = published_.phases,
           .sections = {{Panel::data, [this](Ui& ui) { colour_options(ui); }},
                        {Panel::view, [this](Ui& ui) { view_options(ui); }}},
           .tabs = {{.title = "Selection",
                     .draw = [this](Ui& ui) { details(ui); },
                     .offered = [this] { return has_choice(); },
                     .calls = [this] { return calls_; }}},
           .close = [this] { return choose_nothing(); }};
  if (published_.positions_are_result) result_buffer_ = published_.positions.name;
  for (const MakeLayer make : setup.layers)
    if (auto layer = make(setup)) add_over(std::move(layer));
}

void PointScene::set_data(const std::shared_ptr<const sim::Dataset>& data, sim::ParameterSet& parameters) {
  const bool other_data = data != data_;
  for (const auto& layer : layers_) layer->begin_run(data, parameters);
  groups_.reset();
  const auto* normalize = parameters.find<sim::NormalizeParameter>();
  normalization_ = normalize ? normalize->value() : sim::Normalization::none;
  if (const auto* dimensions = dynamic_cast<sim::Integer*>(parameters.find(published_.dimensions_parameter)))
    dimensions_ = int(dimensions->value());
  if (other_data || camera_.dimensions() != dimensions_) {
    camera_ = render::Camera(dimensions_);
    fresh_ = true;
  }
  if (!other_data) return;
  coloured_groups_ = nullptr;
  // What a person has chosen belongs to a file: another one begins with its own label.
  const bool same_file = data_ && data_->table.source == data->table.source;
  const std::string chosen = same_file && colour_choice_ > 0 ? colour_choices_[colour_choice_] : "";
  data_ = data;
  colour_choices_ = colouring_choices(*data_);
  for (const auto& layer : layers_)
    if (!layer->colouring().empty())  // before the columns, of which there may be hundreds
      colour_choices_.insert(colour_choices_.begin() + 1, layer->colouring());
  if (published_.classes) colour_choices_.insert(colour_choices_.begin(), published_.group_name);
  const auto same = std::find(colour_choices_.begin(), colour_choices_.end(), chosen);
  colour_choice_ = same == colour_choices_.end() ? 0 : std::size_t(same - colour_choices_.begin());
  hovered_ = kept_ = std::nullopt;
  cloud_.set_markers({});
  flight_.reset();
  select_rows(std::make_shared<std::vector<std::uint32_t>>());
  cloud_.set_colours(data_->colours);
  cloud_.set_edges(data_->graph ? std::span(data_->graph->edges) : std::span<const std::array<std::uint32_t, 2>>());
  recolour();
}

void PointScene::set_run(const render::DrawnBuffers& buffers, Runner& runner) {
  Scene::set_run(buffers, runner);
  bounded_generation_ = 0;
  bounds_finder_.forget();
  bounds_ = {};  // the camera waits for this run's bounds and then frames them at once
  fresh_ = fresh_ || camera_.following();
  take_columns();
  kept_buffers_.clear();
  if (!published_.positions_stay) kept_buffers_.emplace_back(published_.positions, column_count());
  if (published_.emphasis) kept_buffers_.emplace_back(published_.emphasis);
  if (published_.classes) kept_buffers_.emplace_back(published_.classes);
  for (const auto& layer : layers_) layer->keep(kept_buffers_, column_count());
}

// The chosen columns stay as long as the data have the same columns.
void PointScene::take_columns() {
  const auto* columns = time_.now->find<sim::PublishedColumns>();
  if (!columns) return;
  column_origins_ = columns->origins;
  if (columns->names == column_names_) return;
  column_names_ = columns->names;
  const int count = int(column_names_.size());
  choose_columns({0, count > 1 ? 1 : -1, count == 3 ? 2 : -1});
}

void PointScene::choose_columns(std::array<int, 3> columns) {
  columns_ = columns;
  dimensions_ = columns[2] >= 0 ? 3 : 2;
  camera_ = render::Camera(dimensions_);
  bounds_ = {};
  bounds_finder_.forget();
  bounded_generation_ = 0;
  fresh_ = true;
}

// Takes over the groups that are shown now; groups appear and disappear while the simulation runs.
void PointScene::take_groups() {
  if (!published_.classes || !runner_) return;
  std::shared_ptr<const sim::Groups> found = time_.drawn->share<sim::Groups>();
  if (found == groups_) return;
  groups_went_on_ = groups_ != nullptr;
  if (by_groups() && (!found || found->sizes.size() != hidden_.size()))
    hidden_.assign(found ? found->sizes.size() : 0, false);
  if (by_groups()) hide_later();
  groups_ = std::move(found);
  if (groups_) colour_groups();
  groups_by_size_ = groups_ ? sim::by_size(groups_->sizes) : std::vector<std::size_t>{};
}

// Each group takes the colour of the nearest earlier centre, nearest pairs first; the rest take the first free colours.
void PointScene::colour_groups() {
  const std::shared_ptr<const sim::Groups> before = std::exchange(coloured_groups_, groups_);
  const std::size_t now = groups_->sizes.size(), then = before ? group_colours_.size() : 0, columns = groups_->columns;
  if (then == now && before && before->columns == columns && groups_went_on_) return;
  std::vector<std::size_t> colours(now, SIZE_MAX);
  std::vector<bool> taken(std::max(now, then) + 1, false);
  constexpr std::size_t most_matched = 512;  // beyond that, colours repeat anyway
  if (then > 0 && before->columns == columns && now <= most_matched && then <= most_matched) {
    struct Pair {
      float square;
      std::size_t now, then;
    };
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < now; ++a)
      for (std::size_t b = 0; b < then; ++b) {
        float square = 0;
        for (std::size_t c = 0; c < columns; ++c) {
          const float apart = groups_->centres[a * columns + c] - before->centres[b * columns + c];
          square += apart * apart;
        }
        pairs.push_back({square, a, b});
      }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.square < b.square; });
    std::vector<bool> matched(then, false);
    for (const Pair& pair : pairs) {
      if (colours[pair.now] != SIZE_MAX || matched[pair.then]) continue;
      matched[pair.then] = true;
      colours[pair.now] = group_colours_[pair.then];
      if (colours[pair.now] < taken.size()) taken[colours[pair.now]] = true;
    }
  }
  std::size_t free = 0;
  for (std::size_t& colour : colours) {
    if (colour != SIZE_MAX) continue;
    while (free < taken.size() && taken[free]) ++free;
    colour = free++;
  }
  group_colours_ = std::move(colours);
}

// The colouring is computed in the background; until it is known, all points have one colour.
void PointScene::recolour() {
  const int ticket = ++colouring_ticket_;
  colouring_ = {};
  hidden_.assign(by_groups() && groups_ ? groups_->sizes.size() : 0, false);
  layer_colours_ = nullptr;
  if (by_groups() || colouring_layer()) return;
  setup_.jobs.post(alive_, [this, ticket, data = data_, choice = colour_choices_[colour_choice_]]() -> JobQueue::Then {
    auto made = std::make_shared<Colouring>(make_colouring(*data, choice));
    return [this, ticket, made] {
      if (ticket == colouring_ticket_) take_colouring(std::move(*made));
    };
  });
  if (setup_.repeatable) setup_.jobs.drain();
}

// The layer whose colours were chosen; null: none.
const PointLayer* PointScene::colouring_layer() const {
  if (colour_choice_ >= colour_choices_.size()) return nullptr;
  for (const auto& layer : layers_)
    if (layer->colouring() == colour_choices_[colour_choice_]) return layer.get();
  return nullptr;
}

// A layer's colours change while the points move.
void PointScene::take_layer_colours() {
  const PointLayer* layer = colouring_layer();
  if (!layer || layer->colours() == layer_colours_ || !layer->colours()) return;
  layer_colours_ = layer->colours();
  take_colouring(*layer_colours_);
}

void PointScene::take_colouring(Colouring colouring) {
  colouring_ = std::move(colouring);
  hidden_.assign(colouring_.class_names.size(), false);
  hide_later();
  if (colouring_.by == render::ColourBy::classes) cloud_.set_classes(colouring_.classes);
  if (colouring_.by == render::ColourBy::numbers) cloud_.set_numbers(colouring_.numbers);
}

// Hides the classes that a session had hidden, once these classes exist.
void PointScene::hide_later() {
  for (const std::size_t hidden : hidden_later_)
    if (hidden >= hidden_.size()) return;
  for (const std::size_t hidden : hidden_later_) hidden_[hidden] = true;
  hidden_later_.clear();
}

PointView PointScene::view(const Shown& shown) const {
  return {*shared_,
          *time_.drawn,
          shown.points,
          shown.style,
          groups_,
          by_groups(),
          groups_by_size_,
          camera_,
          kept_,
          *selected_,
          colour_choices_[colour_choice_],
          now_,
          setup_.repeatable,
          time_.past,
          aligner_.matrix()};
}

render::PointBuffers PointScene::buffers() const {
  render::PointBuffers points;
  if (!shared_ || !data_) return points;
  points.positions = shared_->view(published_.positions);
  if (published_.emphasis) points.emphasis = shared_->view(published_.emphasis);
  // The buffers may still belong to an earlier layout with fewer points, so the number of points depends on them too.
  points.dimensions = dimensions_;
  points.stride = int(column_names_.size());
  if (points.stride > 0) points.columns = columns_;
  points.count = std::min(data_->points, std::size_t(points.positions.bytes) / (sizeof(float) * points.row()));
  if (by_groups() && groups_) {
    points.classes = shared_->view(published_.classes);
    points.classes_version = shared_->generation();
  }
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
  Scene::update(time, picture_size);
  now_ += time.seconds;
  camera_.set_size(picture_size);
  update_bounds();
  take_groups();
  each_layer(background_, [](PointLayer& layer, const PointView& now) { layer.update(now); });
  take_layer_colours();
  fly();
  if (follows()) lie_over_first();
  if (!bounds_.empty() && !follows()) {
    if (fresh_) camera_.frame_all(framed(), true);
    fresh_ = false;
    camera_.follow(framed(), time.seconds);
    beside_ = {};
  }
  const sim::Progress& progress = time.drawn->progress;
  show_arriving_ = !progress.converged && progress.level > 1;
}

void PointScene::stand_beside(Scene* first) {
  first_ = dynamic_cast<PointScene*>(first);
  beside_ = {};
  if (!follows()) aligner_.forget();
  for (std::size_t i = 0; i < layers_.size(); ++i)
    layers_[i]->stand_beside(first_ ? first_->layers_[i].get() : nullptr);
}

void PointScene::lie_over_first() {
  if (!shared_ || !first_->shared_) return;
  aligner_.update({buffers(), shared_->generation()}, {first_->buffers(), first_->shared_->generation()}, now_,
                  setup_.repeatable);
  first_->beside_ = united(first_->beside_, transformed(aligner_.matrix(), bounds_));
}

void PointScene::follow(const Scene& leader) {
  const auto* from = dynamic_cast<const PointScene*>(&leader);
  if (!from || from == this) return;
  const float shift = camera_.shift();  // the legend of this picture, which the other one may lack
  camera_ = from->camera_;
  camera_.set_shift(shift);
  size_factor_ = from->size_factor_;
  opacity_ = from->opacity_;
  edge_factor_ = from->edge_factor_;
  edges_ = from->edges_;
  mode_ = from->mode_;
  if (colour_choice_ != from->colour_choice_) {
    colour_choice_ = from->colour_choice_;
    recolour();
  }
  if (hidden_.size() == from->hidden_.size()) hidden_ = from->hidden_;
  if (choices_ < from->choices_) select_rows(from->selected_, from->filters_);
  const bool marked = hovered_ != from->hovered_ || kept_ != from->kept_;
  hovered_ = from->hovered_;
  kept_ = from->kept_;
  choices_ = std::max(choices_, from->choices_);
  calls_ = std::max(calls_, from->calls_);
  if (marked) mark();
}

// The bounds of the points, of the points in the pictures beside, and of what layers draw around the points in the
// plane.
render::Bounds PointScene::framed() const {
  float reach = 0;
  each_layer(background_,
             [&](const PointLayer& layer, const PointView& now) { reach = std::max(reach, layer.reach(now)); });
  // Layers may reach far beyond the points (a bandwidth as wide as the data): at least half of the picture is for the
  // points.
  reach = std::min(reach, 0.5f * std::max(bounds_.extent().x, bounds_.extent().y));
  const glm::vec3 around(reach, reach, 0);
  return united({bounds_.low - around, bounds_.high + around}, beside_);
}

bool PointScene::moving() const {
  const bool bounds_due = shared_ && shared_->generation() != bounded_generation_;
  return camera_.moving() || flight_ || filtering_ || aligner_.moving() || pick_request_ != 0 || bounds_due ||
         std::any_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->moving(); });
}

void PointScene::frame_all(bool at_once) {
  if (at_once && !camera_.following()) return;
  if (!bounds_.empty()) camera_.frame_all(framed(), at_once);
}

void PointScene::fit_to(const PictureArea* area) {
  if (window_camera_) camera_ = *std::exchange(window_camera_, std::nullopt);
  if (!area) return;
  window_camera_ = camera_;
  const glm::vec2 before = camera_.size(), now = area->size();
  camera_.set_size(glm::ivec2(now));
  if (camera_.following() && !bounds_.empty()) {
    leave_room(*area, legend(area->theme->variant, true));
    return camera_.frame_all(framed(), true);
  }
  render::Camera::State state = camera_.state();
  state.half_height *= std::max(1.f, before.x / before.y * now.y / now.x);
  camera_.set_state(state);
}

void PointScene::draw(const render::Canvas& canvas, render::Background background) {
  background_ = background;
  const Shown now = shown(background);
  if (now.points.count == 0) return;
  const glm::ivec2 before = camera_.size();
  camera_.set_size(canvas.whole());
  for (const auto& layer : std::span(layers_).first(under_)) layer->draw(view(now), canvas);
  cloud_.draw(now.points, camera_.clip_from_world() * aligner_.matrix(), now.style, canvas);
  for (const auto& layer : std::span(layers_).subspan(under_)) layer->draw(view(now), canvas);
  camera_.set_size(before);
}

}  // namespace kinescope::app
