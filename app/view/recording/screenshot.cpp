#include "app/view/recording/screenshot.hpp"

#include <ctime>
#include <filesystem>
#include <fmt/core.h>

#include "app/io/picture_state.hpp"
#include "kinescope/data/output_file.hpp"
#include "kinescope/data/write.hpp"

namespace kinescope::app {

std::string png_of(const render::Image& image, const std::string& state, bool opaque) {
  const std::vector<std::uint8_t> bytes = render::encode_png(image, opaque);
  return with_state({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, state);
}

void write_png(const std::string& path, const render::Image& image, const std::string& state, bool opaque) {
  sim::write_bytes(path, png_of(image, state, opaque));
}

std::string folder_for_saving(const std::string& source) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (source.empty() || !std::filesystem::is_regular_file(source, error)) return here.string();
  const std::filesystem::path folder = std::filesystem::absolute(source, error).parent_path();
  return error || !sim::may_write(folder) ? here.string() : folder.string();
}

std::string new_file_name(const std::string& folder, const std::string& ending) {
  timespec now{};  // milliseconds too: two windows save at the same second
  clock_gettime(CLOCK_REALTIME, &now);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", std::localtime(&now.tv_sec));
  const std::string stem =
      (std::filesystem::path(folder) / fmt::format("kinescope-{}-{:03}", stamp, now.tv_nsec / 1'000'000)).string();
  std::string name = stem + ending;
  for (int i = 2; std::filesystem::exists(name); ++i) name = stem + "-" + std::to_string(i) + ending;
  return name;
}

}  // namespace kinescope::app
