#include "app/scenes/landscape_scene.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "app/scenes/landscape/landscape_shapes.hpp"
#include "kinescope/factory.hpp"
#include "sim/landscape/plants/placement.hpp"

namespace kinescope::app {
namespace {

namespace rl = render::landscape;
namespace published = sim::landscape::published;

constexpr double day_hours_per_degree = 24.0 / 360;

// The registry makes parameter sets of this type for the landscape.
LandscapeViewParameters& own(sim::ParameterSet& parameters) {
  return static_cast<LandscapeViewParameters&>(parameters);
}

rl::Quality quality_for(const render::OpenGl& opengl, DrawnQuality asked) {
  const bool reduced = asked == DrawnQuality::automatic ? opengl.is_software() : asked == DrawnQuality::reduced;
  return reduced ? rl::Quality::reduced_for_software() : rl::Quality::full();
}

}  // namespace

std::optional<EyePlace> eye_of(std::string_view text) {
  float numbers[5];
  for (int i = 0; i < 5; ++i) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc() || !(std::abs(numbers[i]) < 1e5f)) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    if (i == 4 ? !text.empty() : !text.starts_with(',')) return std::nullopt;
    if (i < 4) text.remove_prefix(1);
  }
  return EyePlace{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

rl::Weather weather_of(const LandscapeViewParameters& parameters) {
  rl::Weather weather;
  weather.sun_azimuth = float(parameters.sun_azimuth.value());
  weather.sun_elevation = float(parameters.sun_elevation.value());
  weather.clouds = float(parameters.clouds.value());
  weather.wind_speed = float(parameters.wind_speed.value());
  weather.wind_direction = float(parameters.wind_direction.value());
  weather.sea_level = float(parameters.sea_level.value());
  return weather;
}

SceneKind landscape_scene() {
  return {.make = [](const SceneSetup& setup, int) -> std::unique_ptr<Scene> {
            return std::make_unique<LandscapeScene>(setup);
          },
          .make_parameters = sim::make_parameters<LandscapeViewParameters>};
}

LandscapeScene::LandscapeScene(const SceneSetup& setup)
    : setup_(setup),
      renderer_(std::make_unique<rl::Renderer>(setup.opengl, quality_for(setup.opengl, DrawnQuality::automatic))) {
  using Panel = Section::Panel;
  adds_ = {.about =
               "A computed landscape with smoke from a cabin. Drag to look, W A S D to move, or let the tour show you "
               "round.",
           .figures = {{"Live particles", "Smoke particles in the air now."},
                       {"Iteration", "A step of simulated time, 1/60 s."}},
           .sections = {{Panel::parameters, [this](Ui& ui) { presets(ui); }},
                        {Panel::view, [this](Ui& ui) { view_options(ui); }}},
           .pass_ms = [this] { return pass_ms(); }};
}

void LandscapeScene::set_data(const std::shared_ptr<const sim::Dataset>&, sim::ParameterSet& parameters) {
  read_parameters(own(parameters));
}

void LandscapeScene::set_run(const render::DrawnBuffers& buffers, Runner& runner) {
  Scene::set_run(buffers, runner);
  arrived_ = explored_ = false;
  shown_plants_ = nullptr;
}

void LandscapeScene::take_over_plants() {
  auto plants = time_.now->share<sim::landscape::PlantMeshes>();
  if (plants == shown_plants_) return;
  const render::BufferView instances = shared_->view(published::plants);
  std::vector<rl::PlantInstance> given(instances ? std::size_t(instances.bytes) / sizeof(rl::PlantInstance) : 0);
  instances.read(0, given.size() * sizeof(given[0]), given.data());
  renderer_->plants().set_plants(plant_shapes(plants->meshes), given);
  const glm::vec2 cabin = time_.now->find<sim::landscape::Cabin>()->place.position;
  trees_.clear();
  for (const rl::PlantInstance& plant : given)
    if (glm::distance(glm::vec2(plant.position), cabin) < 70 && plant.scale > 0 &&
        sim::landscape::is_tree(int(plant.shape) / sim::landscape::plant_variants))
      trees_.emplace_back(plant.position);
  shown_plants_ = std::move(plants);
}

void LandscapeScene::read_parameters(const LandscapeViewParameters& parameters) {
  weather_ = weather_of(parameters);
  time_lapse_ = parameters.time_lapse.value();
  butterfly_count_ = int(parameters.butterflies.value());
  smoke_look_ = parameters.smoke_look.value();
  debug_view_ = parameters.show.value();
  set_quality(parameters.quality.value());
  if (const rl::Travel travel = parameters.camera.value(); travel != travel_) {
    travel_ = travel;
    explorer_.set_travel(travel);
  }
  if (parameters.eye.value() == eye_) return;
  eye_ = parameters.eye.value();
  if (!explored_) return;
  if (eye_.empty())
    explorer_.go_home();
  else
    stand_at_eye();
}

// Moves the camera to the place that the parameter `eye` gives, if any; this ends the tour.
void LandscapeScene::stand_at_eye() {
  const auto eye = eye_of(eye_);
  if (!eye) return;
  explorer_.place({eye->x, eye->y, eye->z}, glm::radians(eye->azimuth), glm::radians(eye->elevation));
  if (travel_ == rl::Travel::tour) {
    travel_ = rl::Travel::fly;
    wish("camera", "fly");
  } else {
    explorer_.set_travel(travel_);
  }
}

// Takes about a tenth of a second: tables, materials and all meshes are created again.
void LandscapeScene::set_quality(DrawnQuality choice) {
  if (choice == quality_) return;
  quality_ = choice;
  renderer_.reset();  // frees its memory before the next renderer allocates its own
  renderer_ = std::make_unique<rl::Renderer>(setup_.opengl, quality_for(setup_.opengl, quality_));
  arrived_ = false;
}

// Moves the sun to where it is `hours` into a time lapse that began at the parameters' position. The azimuth turns
// evenly; the elevation follows a sine whose amplitude is the parameters' elevation, at least 20 degrees.
void lapse(rl::Weather& weather, double hours) {
  if (hours == 0) return;
  const double turn = hours / day_hours_per_degree;
  const double highest = std::max(20.0, double(weather.sun_elevation));
  const double phase = std::asin(std::clamp(double(weather.sun_elevation) / highest, -1.0, 1.0));
  weather.sun_elevation = float(highest * std::sin(phase + glm::radians(turn)));
  weather.sun_azimuth = float(std::fmod(weather.sun_azimuth + turn, 360.0));
}

void LandscapeScene::take_over_landscape() {
  const auto* terrain = time_.now->find<sim::landscape::TerrainGrid>();
  const render::BufferView heights = shared_->view(published::heights);
  if (!terrain || !heights) return;
  if (arrived_ && terrain->version == shown_version_) return take_over_plants();
  if (terrain->version != shown_version_) explored_ = false;
  renderer_->terrain().set_heights(heights,
                                   {terrain->size, terrain->extent, terrain->low, terrain->high, terrain->version});
  shown_plants_ = nullptr;
  take_over_plants();
  const auto& [place, cabin] = *time_.now->find<sim::landscape::Cabin>();
  const glm::vec3 out{std::sin(place.yaw), -std::cos(place.yaw), 0};
  renderer_->set_cabin(cabin_mesh(*cabin), {place.position, place.yaw},
                       place.position + out * (place.half_sizes.y + 1.2f) + glm::vec3(0, 0, 2));
  shown_version_ = terrain->version;
  arrived_ = true;
  if (std::exchange(explored_, true)) return;
  explorer_.arrive({[this](glm::vec2 p) { return renderer_->terrain().height_at(p); }, weather_.sea_level,
                    place.position, terrain->extent, rl::heavens_at(weather_.sun_azimuth, weather_.sun_elevation).key,
                    trees_});
  stand_at_eye();
}

void LandscapeScene::update(const FrameTime& time, glm::ivec2 picture_size) {
  Scene::update(time, picture_size);
  parameters_ = time.parameters ? &own(*time.parameters) : nullptr;
  if (setup_.endless && parameters_ && (time.now->progress.converged || time.now->progress.fraction > 0.8) &&
      requests_.wishes.empty())
    wish("duration", fmt::format("{}", std::min(2 * parameters_->duration.value(), 1e5)));
  if (parameters_) read_parameters(*parameters_);
  const double step = setup_.repeatable ? 1.0 / 60 : time.seconds;
  seconds_ += step;
  day_hours_ += time_lapse_ * step / 60;
  if (time_lapse_ == 0) day_hours_ = 0;
  weather_.seconds = seconds_;
  lapse(weather_, day_hours_);
  if (!shared_) return;
  take_over_landscape();
  if (!arrived_) return;
  explorer_.set_sea_level(weather_.sea_level);
  explorer_.update(step, std::exchange(input_, {}));
  ++frame_;
}

void LandscapeScene::draw(const render::Canvas& canvas, render::Background) {
  if (!arrived_) return;
  const sim::landscape::SmokePlace smoke = *time_.drawn->find<sim::landscape::SmokePlace>();
  renderer_->draw({.eye = {explorer_.position(), explorer_.forward()},
                   .weather = weather_,
                   .smoke = {shared_->view(published::smoke_positions),
                             shared_->view(published::smoke_normals),
                             shared_->view(published::smoke_indices),
                             shared_->view(published::smoke_draw),
                             shared_->view(published::smoke_field),
                             {smoke.corner, smoke.side},
                             sim::landscape::field_grid(smoke.grid)},
                   .smoke_look = smoke_look_,
                   .butterflies = shared_->view(published::butterflies),
                   .butterfly_count = std::min(butterfly_count_, sim::landscape::most_butterflies),
                   .debug = debug_view_,
                   .frame = frame_},
                  canvas);
}

std::vector<std::pair<std::string, double>> LandscapeScene::pass_ms() const {
  std::vector<std::pair<std::string, double>> named;
  const auto ms = renderer_->pass_ms();
  for (int i = 0; ms && i < rl::passes; ++i) named.emplace_back(rl::pass_name(rl::Pass(i)), (*ms)[std::size_t(i)]);
  return named;
}

void LandscapeScene::keep_state(KeptState& state) {
  std::string eye;
  if (!state.reads()) {
    if (explorer_.travel() == rl::Travel::tour) return;
    const glm::vec3 at = explorer_.position(), to = explorer_.forward();
    const float azimuth = glm::degrees(std::atan2(to.x, to.y)), elevation = glm::degrees(std::asin(to.z));
    eye = fmt::format("{:.2f},{:.2f},{:.2f},{:.2f},{:.2f}", at.x, at.y, at.z, azimuth < 0 ? azimuth + 360 : azimuth,
                      elevation);
  }
  if (state.text("eye", eye) && eye_of(eye)) wish("eye", eye);
}

}  // namespace kinescope::app
