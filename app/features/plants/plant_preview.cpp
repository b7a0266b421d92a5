#include "app/features/plants/plant_preview.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <vector>

#include "app/scenes/landscape/landscape_shapes.hpp"

namespace kinescope::app {
namespace {

namespace rl = render::landscape;

constexpr float ground = 100, extent = 2000, field_of_view = 32;  // m, m, degrees
constexpr float lowest_sun = 20;                                  // degrees
constexpr int ground_size = 33;

// The quality that is reduced for software, on any GPU: one plant needs no more, and it takes little memory.
rl::Quality preview_quality() {
  rl::Quality quality = rl::Quality::reduced_for_software();
  quality.scale = 1;
  quality.shadow_size = 512;
  quality.shadow_distance = 60;
  quality.plant_detail = 10;  // all details at any distance
  return quality;
}

}  // namespace

PlantPreview::PlantPreview(render::OpenGl& opengl)
    : renderer_(std::make_unique<rl::Renderer>(opengl, preview_quality())) {
  const std::vector<float> flat(std::size_t(ground_size) * ground_size, ground);
  heights_ = render::Buffer(flat.size() * sizeof(float), flat.data());
  renderer_->terrain().set_heights(heights_.view(), {ground_size, extent, ground, ground, 1});
}

void PlantPreview::set_plant(const sim::landscape::PlantMesh& plant) {
  radius_ = std::max(plant.radius, 0.05f);
  height_ = std::max(plant.height, 0.05f);
  const rl::PlantInstance instance{{0.5f * extent, 0.5f * extent, ground}, 0, 1, 0, 0.5f, 0};
  renderer_->plants().set_plants(plant_shapes({plant}), std::span(&instance, 1));
}

void PlantPreview::draw(rl::Weather weather, glm::ivec2 size) {
  size = glm::max(size, glm::ivec2(1));
  if (!picture_ || picture_.size() != size) picture_ = render::Framebuffer(size);
  const float half = std::tan(0.5f * glm::radians(field_of_view)), aspect = float(size.x) / float(size.y);
  const float away = zoom_ * (1.08f * std::max(0.5f * height_ / half, radius_ / (half * aspect)) + 0.3f * radius_);
  const glm::vec3 middle(0.5f * extent, 0.5f * extent, ground + 0.5f * height_);
  const glm::vec3 out(std::sin(angle_), std::cos(angle_), 0.12f);
  rl::DrawRequest request;
  request.eye.position = middle + away * glm::normalize(out);
  request.eye.forward = glm::normalize(middle - request.eye.position);
  request.eye.field_of_view = field_of_view;
  weather.sun_elevation = std::max(weather.sun_elevation, lowest_sun);
  weather.clouds = 0;              // clouds are coarse in this quality
  weather.sea_level = ground - 8;  // the ground is then at a height where grass grows
  request.weather = weather;
  request.frame = frame_++;
  picture_.clear({0, 0, 0, 1});
  renderer_->draw(request, render::Canvas::all_of(picture_));
}

}  // namespace kinescope::app
