#include "app/view/recording/screenshot.hpp"

#include <ctime>
#include <filesystem>
#include <unistd.h>

#include "render/pictures/picture.hpp"
#include "sim/core/error.hpp"
#include "sim/data/writers/write.hpp"

namespace kinescope::app {

render::Image draw_picture(const Drawing& drawing, const Theme& theme, glm::ivec2 size, float scale) {
  Overlay overlay(scale);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(theme.background);
  return render::render_picture(size, {background.x, background.y, background.z}, [&](render::Canvas canvas) {
    canvas.scale = scale;
    drawing.draw(canvas);
    overlay.draw(canvas, theme, drawing.draw_overlay);
  });
}

void write_png(const std::string& path, const render::Image& image) {
  const std::vector<std::uint8_t> bytes = render::encode_png(image);
  sim::write_bytes(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void write_png(Worker& worker, std::string path, render::Image image,
               std::function<void(const std::string& error)> done) {
  auto shared = std::make_shared<render::Image>(std::move(image));
  worker.post([path = std::move(path), shared, done = std::move(done)]() -> Worker::Then {
    std::string error;
    try {
      write_png(path, *shared);
    } catch (const sim::Error& caught) {
      error = caught.what();
    } catch (const std::exception&) {
      error = path + ": cannot write the picture";
    }
    return [done, error] { done(error); };
  });
}

std::string folder_for_saving(const std::string& source) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (source.empty() || !std::filesystem::is_regular_file(source, error)) return here.string();
  const std::filesystem::path folder = std::filesystem::absolute(source, error).parent_path();
  return error || access(folder.c_str(), W_OK) != 0 ? here.string() : folder.string();
}

std::string new_file_name(const std::string& folder, const std::string& ending) {
  const std::time_t now = std::time(nullptr);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", std::localtime(&now));
  const std::string stem = (std::filesystem::path(folder) / "kinescope-").string() + stamp;
  std::string name = stem + ending;
  for (int i = 2; std::filesystem::exists(name); ++i) name = stem + "-" + std::to_string(i) + ending;
  return name;
}

}  // namespace kinescope::app
