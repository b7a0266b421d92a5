#include "app/runs/file_watch.hpp"

#include <utility>

namespace kinescope::app {

bool FileWatch::frame(const std::string& path, const std::optional<FileStamp>& read, bool looks, bool tells) {
  jobs_.poll();
  const auto now = std::chrono::steady_clock::now();
  if (looks && read && !jobs_.busy() && now >= looked_ + std::chrono::seconds(1)) {
    looked_ = now;
    jobs_.post([this, path]() -> JobQueue::Then {
      return [this, look = Look{path, file_stamp(path)}] { latest_ = look; };
    });
  }
  const std::optional<Look> look = std::exchange(latest_, std::nullopt);
  if (!look) return false;
  const bool settled = look->stamp == std::exchange(seen_, look->stamp);
  if (!look->stamp || !settled || look->stamp == told_ || look->path != path || !tells) return false;
  told_ = look->stamp;
  return look->stamp != read;
}

}  // namespace kinescope::app
