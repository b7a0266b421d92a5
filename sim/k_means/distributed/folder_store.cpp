// A group's store in a folder that all members see.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {
namespace {

class File {
 public:
  File() = default;
  File(const std::string& path, int flags) : file_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  File(File&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~File() {
    if (file_ >= 0) close(file_);
  }
  int get() const { return file_; }
  bool exists() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

class FolderStore : public Store {
 public:
  explicit FolderStore(std::string folder) : folder_(std::move(folder)) {
    struct stat found;
    if (stat(folder_.c_str(), &found) != 0) throw Lost(folder_ + ": " + std::strerror(errno));
  }

  bool has(const std::string& name) override { return access(path_of(name).c_str(), F_OK) == 0; }

  // Writes to a temporary name and then renames the file, so that nobody reads half a note.
  void write(const std::string& name, const std::string& text) override {
    const std::string path = path_of(name), beside = path + "." + std::to_string(getpid());
    const File file(beside, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.exists() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
        rename(beside.c_str(), path.c_str()) != 0)
      throw Lost(path + ": " + std::strerror(errno));
  }

  bool begin(const std::string& name, const std::string& text) override {
    if (has(name)) return false;  // no race: the process that makes a group has just made its folder
    write(name, text);
    return true;
  }

  std::string read(const std::string& name) override {
    std::ifstream file(path_of(name), std::ios::binary);
    if (!file) throw Lost(path_of(name) + ": " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  bool claim(const std::string& name, const Presence& presence) override {
    own_ = File(path_of(name), O_RDWR | O_CREAT | O_EXCL);
    if (!own_.exists() && errno != EEXIST) throw Lost(path_of(name) + ": " + std::strerror(errno));
    if (own_.exists()) beat(presence);
    own_name_ = name;
    return own_.exists();
  }
  void beat(const Presence& presence) override {
    [[maybe_unused]] const ssize_t written = pwrite(own_.get(), &presence, sizeof presence, 0);
  }
  bool owns() override {
    struct stat own, named;
    return fstat(own_.get(), &own) == 0 && stat(path_of(own_name_).c_str(), &named) == 0 &&
           own.st_ino == named.st_ino && own.st_dev == named.st_dev;
  }
  std::optional<Presence> presence(const std::string& name) override {
    File& file = others_[name];
    if (!file.exists()) file = File(path_of(name), O_RDONLY);
    Presence presence;
    if (!file.exists() || pread(file.get(), &presence, sizeof presence, 0) != ssize_t{sizeof presence})
      return std::nullopt;
    return presence;
  }
  void clear(const std::string& but) override {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error))
      if (but.empty() || entry.path() != path_of(but)) std::filesystem::remove(entry.path(), error);
    others_.clear();
  }

 private:
  std::string path_of(std::string name) const {
    for (char& each : name)
      if (each == '/') each = '-';
    return folder_ + "/" + name;
  }

  const std::string folder_;
  std::string own_name_;
  File own_;
  std::map<std::string, File> others_;  // signs of life that were found
};

}  // namespace

std::unique_ptr<Store> open_redis(const std::string& address);  // redis_store.cpp

std::unique_ptr<Store> open_store(const std::string& address) {
  if (is_redis(address)) return open_redis(address);
  return std::make_unique<FolderStore>(address);
}

}  // namespace kinescope::sim::k_means
