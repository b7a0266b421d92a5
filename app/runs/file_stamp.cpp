#include "app/runs/file_stamp.hpp"

#include <chrono>
#include <filesystem>

namespace kinescope::app {

std::optional<FileStamp> file_stamp(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const auto time = std::filesystem::last_write_time(path, error);
  if (error) return std::nullopt;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return std::nullopt;
  return FileStamp{std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count(), bytes};
}

}  // namespace kinescope::app
