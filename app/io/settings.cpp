#include "app/io/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

#include "kinescope/data/made.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t most_recent = 10;
constexpr int least_window = 16, most_window = 16384;  // pixels

template <class T>
void read_number(const std::string& text, T& number, T low, T high) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && value >= low && value <= high) number = value;
}

bool still_there(const std::string& source) {
  std::error_code error;
  return sim::is_made(source) ||
         (source.starts_with('/') && std::filesystem::exists(sim::split_inside(source).file, error));
}

}  // namespace

void Settings::remember(const std::string& source) {
  const std::string whole = whole_path(source);
  std::erase(recent, whole);
  recent.insert(recent.begin(), whole);
  if (recent.size() > most_recent) recent.resize(most_recent);
}

std::string whole_path(const std::string& source) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(source, error);
  return error || sim::is_made(source) ? source : path.lexically_normal().string();
}

std::string settings_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state && *state == '/')
    folder = state;
  else if (home && *home == '/')
    folder = std::filesystem::path(home) / ".local" / "state";
  else
    return "";
  return (folder / "kinescope" / "window").string();
}

Settings load_settings(const std::string& path) {
  Settings settings;
  std::error_code error;
  constexpr std::uintmax_t most_bytes = 1 << 20;
  if (!std::filesystem::is_regular_file(path, error)) return settings;  // a pipe would never end
  if (std::filesystem::file_size(path, error) > most_bytes) return settings;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals), value = line.substr(equals + 1);
    if (key == "recent" && still_there(value) && settings.recent.size() < most_recent) settings.recent.push_back(value);
    if (key == "folder") settings.folder = value;
    if (key == "theme") settings.light = value == "light";
    if (key == "scale") read_number(value, settings.scale, least_scale, most_scale);
    if (key == "window_width") read_number(value, settings.window_width, least_window, most_window);
    if (key == "window_height") read_number(value, settings.window_height, least_window, most_window);
    if (key == "window_x") read_number(value, settings.window_x, -most_window, most_window);
    if (key == "window_y") read_number(value, settings.window_y, -most_window, most_window);
    if (key == "maximized") settings.maximized = value == "yes";
    if (key == "left_width") read_number(value, settings.left_width, least_left_width, most_side_width);
    if (key == "right_width") read_number(value, settings.right_width, least_right_width, most_side_width);
    if (key == "bottom_height") read_number(value, settings.bottom_height, least_bottom_height, most_bottom_height);
    if (key == "kept_mb") read_number(value, settings.kept_mb, least_kept_mb, most_kept_mb);
    if (key == "timeline_mb") read_number(value, settings.timeline_mb, least_timeline_mb, most_timeline_mb);
  }
  return settings;
}

bool leads_elsewhere(const std::string& path, std::string_view beginning) {
  std::error_code none;
  if (!std::filesystem::is_symlink(path, none) || !std::filesystem::is_regular_file(path, none)) return false;
  std::string begin(beginning.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), std::streamsize(begin.size()));
  return file.gcount() > 0 && begin.substr(0, std::size_t(file.gcount())) != beginning;
}

bool save_settings(const std::string& path, const Settings& settings) {
  if (path.empty()) return false;
  std::string text = fmt::format(
      "theme={}\nleft_width={}\nright_width={}\nbottom_height={}\ntimeline_mb={}\nkept_mb={}\nscale={}\n"
      "window_width={}\nwindow_height={}\nwindow_x={}\nwindow_y={}\nmaximized={}\n",
      settings.light ? "light" : "dark", settings.left_width, settings.right_width, settings.bottom_height,
      settings.timeline_mb, settings.kept_mb, settings.scale, settings.window_width, settings.window_height,
      settings.window_x, settings.window_y, settings.maximized ? "yes" : "no");
  for (const std::string& source : settings.recent)
    if (source.find('\n') == std::string::npos) text += "recent=" + source + "\n";
  if (!settings.folder.empty() && settings.folder.find('\n') == std::string::npos)
    text += "folder=" + settings.folder + "\n";
  std::error_code ignored;
  if (leads_elsewhere(path, "theme=")) return false;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  try {
    sim::write_bytes(path, text);
  } catch (const sim::Error&) {
    return false;  // a state folder that cannot be written is no reason to complain
  }
  return true;
}

}  // namespace kinescope::app
