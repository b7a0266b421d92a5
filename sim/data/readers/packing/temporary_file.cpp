#include "sim/data/readers/packing/temporary_file.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

#include "kinescope/error.hpp"

namespace kinescope::sim {
namespace {

std::string folder() {
  const char* const named = std::getenv("TMPDIR");
  return named && *named ? named : "/tmp";
}

}  // namespace

std::string make_temporary_folder(const std::string& begin) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(folder(), error);
  if (!is_folder)
    throw run_error("TMPDIR does not name a folder: " + (error ? error.message() : std::strerror(ENOTDIR)));
  std::string name = (std::filesystem::path(folder()) / (begin + "XXXXXX")).string();
  if (!mkdtemp(name.data())) throw run_error(name + ": " + std::strerror(errno));
  return name;
}

int make_own_folder(const std::string& path) {
  return mkdir(path.c_str(), 0700) == 0 ? 0 : errno;
}

void remove_empty_folder(const std::string& path) {
  rmdir(path.c_str());
}

TemporaryFile::TemporaryFile() : folder_(folder()) {
  descriptor_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {  // not all file systems have files without names
    std::string name = folder_ + "/kinescope-XXXXXX";
    descriptor_ = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) unlink(name.c_str());
  }
  if (descriptor_ < 0)
    throw run_error(folder_ + ": no temporary file can be made: " + std::strerror(errno) +
                    "; TMPDIR names another folder");
}

TemporaryFile::~TemporaryFile() {
  close(descriptor_);
}

void TemporaryFile::append(const std::string& source, std::string_view bytes) {
  constexpr std::uint64_t left_free = 64 << 20;  // for others
  struct statvfs space {};
  const bool known = fstatvfs(descriptor_, &space) == 0;
  const bool full = known && std::uint64_t{space.f_bavail} * space.f_frsize < left_free + bytes.size();
  while (!full && !bytes.empty()) {
    const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != ENOSPC && errno != EDQUOT && errno != EFBIG)
      throw run_error(source + ": cannot be unpacked to " + folder_ + ": " + std::strerror(errno));
    if (count <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (!bytes.empty())
    throw run_error(source + ": the disk is full: there is no room in " + folder_ +
                    " to unpack it; TMPDIR names another folder");
}

std::string TemporaryFile::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

}  // namespace kinescope::sim
