// One plant that turns, drawn by its own landscape renderer, on flat ground under the sky of the landscape.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "kinescope/landscape/landscape.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/landscape/renderer.hpp"

namespace kinescope::app {

class PlantPreview {
 public:
  explicit PlantPreview(render::OpenGl& opengl);

  void set_plant(const sim::landscape::PlantMesh& plant);
  void turn(float radians) { angle_ += radians; }
  void zoom(float steps) { zoom_ = std::clamp(zoom_ * std::exp(-0.12f * steps), 0.15f, 3.0f); }
  // Draws into the texture, of this size in pixels; a sun that is low or below the horizon is raised to 20 degrees.
  void draw(render::landscape::Weather weather, glm::ivec2 size);
  GLuint texture() const { return picture_.colour().name(); }  // rows from the bottom up

 private:
  std::unique_ptr<render::landscape::Renderer> renderer_;
  render::Buffer heights_;
  render::Framebuffer picture_;
  float radius_ = 1, height_ = 1;  // of the plant, in m
  float angle_ = 0.6f, zoom_ = 1;
  long frame_ = 0;
};

}  // namespace kinescope::app
