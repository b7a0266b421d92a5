// Pictures of the scene as files: drawn here, encoded and written in the background.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <string>

#include "app/runs/worker.hpp"
#include "app/ui/theme.hpp"
#include "app/view/overlay.hpp"
#include "render/gl/image.hpp"

namespace kinescope::app {

// What a picture is made of: the scenes, and the overlay drawn over them.
struct Drawing {
  std::function<void(const render::Canvas&)> draw;
  std::function<void(const PictureArea&)> draw_overlay;
};

// Draws at `size` pixels; text and lines have `scale` pixels per pixel of the design.
render::Image draw_picture(const Drawing& drawing, const Theme& theme, glm::ivec2 size, float scale);

// Writes a PNG beside its name and renames it. Throws sim::Error (input) if it cannot be written.
void write_png(const std::string& path, const render::Image& image);

// The same in the background; then calls `done` on the window's thread with "" or the error.
void write_png(Worker& worker, std::string path, render::Image image,
               std::function<void(const std::string& error)> done);

// "/data/kinescope-2026-01-31-120000.png": an absolute path that does not exist yet.
std::string new_file_name(const std::string& folder, const std::string& ending);

// The folder of `source` if it is a file in a writable folder, else the current folder.
std::string folder_for_saving(const std::string& source);

}  // namespace kinescope::app
