// Pictures of the scene as files.
#pragma once

#include <string>

#include "render/gl/image.hpp"

namespace kinescope::app {

// The bytes of a PNG that carries `state` (picture_state.hpp); "": nothing.
std::string png_of(const render::Image& image, const std::string& state, bool opaque);

// Writes a PNG beside its name and renames it. Throws sim::Error (input) if it cannot be written. `state`: what the
// picture is to carry (picture_state.hpp); "": nothing.
void write_png(const std::string& path, const render::Image& image, const std::string& state = "", bool opaque = true);

// "/data/kinescope-2026-01-31-120000.png": an absolute path that does not exist yet.
std::string new_file_name(const std::string& folder, const std::string& ending);

// The folder of `source` if it is a file in a writable folder, else the current folder.
std::string folder_for_saving(const std::string& source);

}  // namespace kinescope::app
