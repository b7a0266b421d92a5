#include "sim/data/writers/held_folder.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/core/error.hpp"
#include "sim/data/writers/output_file.hpp"

namespace kinescope::sim {

HeldFolder::HeldFolder(const std::string& path, const std::string& shown) : path_(path) {
  constexpr int how = O_DIRECTORY | O_CLOEXEC;
  folder_ = open(path.c_str(), O_RDONLY | how);
  if (folder_ < 0 && errno == EACCES) folder_ = open(path.c_str(), O_PATH | how);  // it need not be readable
  if (folder_ < 0 && (errno == ENOENT || errno == ENOTDIR)) throw file_error(shown, "its folder does not exist");
  if (folder_ < 0) throw cannot_write(shown, errno);
}

HeldFolder::~HeldFolder() {
  close(folder_);
}

std::string HeldFolder::path_of(const std::string& name) const {
  return path_ == "." ? name : path_ + (path_.ends_with('/') ? "" : "/") + name;
}

void HeldFolder::write_new(const std::string& name, std::string_view bytes) const {
  const std::shared_ptr<const HeldFolder> self(std::shared_ptr<void>(), this);
  OutputFile file(std::make_shared<OutputPlace>(OutputPlace{path_of(name), self, name, Replaces::nothing}));
  file.append(bytes);
  file.keep();
}

void HeldFolder::remove_if_empty() const {
  struct stat own, named;
  if (fstat(folder_, &own) != 0 || stat(path_.c_str(), &named) != 0) return;
  if (own.st_dev == named.st_dev && own.st_ino == named.st_ino) rmdir(path_.c_str());
}

}  // namespace kinescope::sim
