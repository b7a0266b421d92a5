#include "sim/data/writers/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace kinescope::sim {

Error cannot_write(const std::string& path, int code) {
  const bool misfortune = code == ENOSPC || code == EIO || code == EDQUOT || code == EPIPE || code == EFBIG;
  return Error(misfortune ? Fault::run : Fault::input, path + ": cannot be written: " + std::strerror(code));
}

OutputFile::OutputFile(const std::string& path, const std::string& shown_path)
    : shown_path_(shown_path),
      // If the path differs from the one shown it is a temporary file, and must not be a link.
      descriptor_(open(path.c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | (path == shown_path ? 0 : O_NOFOLLOW),
                       0666)) {
  if (descriptor_ < 0) throw cannot_write(shown_path_, errno);  // also of a pipe that nobody reads
  fcntl(descriptor_, F_SETFL, 0);
  buffer_.reserve(capacity);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::close() {
  flush();
  const int status = ::close(descriptor_);
  descriptor_ = -1;
  if (status != 0) throw cannot_write(shown_path_, errno);
}

void OutputFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(shown_path_, errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

}  // namespace kinescope::sim
