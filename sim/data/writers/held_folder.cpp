#include "sim/data/writers/held_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/core/error.hpp"
#include "sim/data/writers/output_file.hpp"

namespace kinescope::sim {
namespace {

// 0, or an errno.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : errno;
}

// Renames within the folder, but replaces nothing. 0, or an errno.
int give_new_name(int folder, const std::string& from, const std::string& to) {
  if (renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL) return errno;  // of file systems that cannot do that
  if (linkat(folder, from.c_str(), folder, to.c_str(), 0) != 0) return errno;
  return unlinkat(folder, from.c_str(), 0) == 0 ? 0 : errno;
}

}  // namespace

HeldFolder::HeldFolder(const std::string& path)
    : path_(path), folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) throw cannot_write(path_, errno);
}

HeldFolder::~HeldFolder() {
  close(folder_);
}

void HeldFolder::write_new(const std::string& name, std::string_view bytes) const {
  const std::string shown = path_ + (path_.ends_with('/') ? "" : "/") + name,
                    temporary = ".kinescope-" + std::to_string(getpid()) + "-" + name;
  const int file = openat(folder_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) throw cannot_write(shown, errno);
  int failure = write_all(file, bytes);
  close(file);
  if (failure == 0) failure = give_new_name(folder_, temporary, name);
  if (failure == 0) return;
  unlinkat(folder_, temporary.c_str(), 0);
  if (failure == EEXIST) throw file_error(shown, "is there already, and is not replaced");
  throw cannot_write(shown, failure);
}

void HeldFolder::remove_if_empty() const {
  struct stat own, named;
  if (fstat(folder_, &own) != 0 || stat(path_.c_str(), &named) != 0) return;
  if (own.st_dev == named.st_dev && own.st_ino == named.st_ino) rmdir(path_.c_str());
}

}  // namespace kinescope::sim
