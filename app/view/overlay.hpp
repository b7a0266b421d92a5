// Draws a picture's overlay (legend, scale bar) off screen, with fonts made for that picture's size, so that text in a
// large screenshot is as sharp as in a small one. Needs ImGui's OpenGL backend; independent of ImGui's frames.
#pragma once

#include <functional>
#include <imgui.h>
#include <imgui_internal.h>
#include <memory>

#include "app/scenes/legend.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/vectors/vector_picture.hpp"

namespace kinescope::app {

class Overlay {
 public:
  // `scale` pixels per pixel of the design.
  explicit Overlay(float scale);
  ~Overlay();

  // Draws onto a whole picture or a tile of one; the canvas must begin at its framebuffer's corner.
  void draw(const render::Canvas& canvas, const Theme& theme, const std::function<void(const PictureArea&)>& draw);
  // Calls `draw` for a picture of this size, and drops what it draws.
  void measure(ImVec2 size, const Theme& theme, const std::function<void(const PictureArea&)>& draw) {
    ImDrawList list(shared_.get());
    fill(list, size, theme, draw);
  }
  // Adds what would be drawn as polygons and texts.
  void add_shapes(render::VectorPicture& picture, const Theme& theme,
                  const std::function<void(const PictureArea&)>& draw);

 private:
  void fill(ImDrawList& list, ImVec2 size, const Theme& theme, const std::function<void(const PictureArea&)>& draw);

  float scale_;
  ImFontAtlas atlas_;
  Fonts fonts_;
  render::Texture texture_;
  std::unique_ptr<ImDrawListSharedData> shared_;
};

}  // namespace kinescope::app
