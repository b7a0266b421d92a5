// A group's store in a folder that all its processes see.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <regex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/k_means/distributed/messages.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {
namespace {

class File {
 public:
  File() = default;
  explicit File(int file) : file_(file) {}
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
  // Whether `name` in `folder`, not followed if it is a link, is this file.
  bool is(int folder, const std::string& name) const {
    struct stat own, named;
    return fstat(file_, &own) == 0 && fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           own.st_ino == named.st_ino && own.st_dev == named.st_dev;
  }

 private:
  int file_ = -1;
};

// Closes the folder to what others may put in its place: it is opened once, and everything is named relative to it. No
// link is followed, and only regular files are read.
class FolderStore : public Store {
 public:
  explicit FolderStore(const std::string& folder) : folder_(folder) {
    std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    const std::string parent = path.has_parent_path() ? path.parent_path().string() : ".";
    name_ = path.filename().string();
    parent_ = File(open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (parent_.exists())
      inside_ = File(openat(parent_.get(), name_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    // Opened now: at the end, when the notes are removed, there may be too many open files.
    if (inside_.exists()) entries_.reset(fdopendir(openat(inside_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (!entries_) throw failed(folder_);
    struct stat found;
    if (fstat(inside_.get(), &found) != 0) throw failed(folder_);
    if (found.st_uid != geteuid() || (found.st_mode & 0077) != 0)
      throw StoreLost(folder_ + " must belong to you, and nobody else may be able to open it (chmod 700)");
  }

  bool has(const std::string& name) override { return faccessat(inside_.get(), file_of(name).c_str(), F_OK, 0) == 0; }

  // Writes to a temporary name and then renames the file, so that nobody reads half a note.
  void write(const std::string& name, const std::string& text) override {
    const std::string file_name = file_of(name), beside = file_name + "." + std::to_string(getpid());
    const auto made = [&] { return open_inside(beside, O_WRONLY | O_CREAT | O_EXCL); };
    File file = made();
    if (!file.exists() && errno == EEXIST && unlinkat(inside_.get(), beside.c_str(), 0) == 0) file = made();
    if (!file.exists()) throw failed(path_of(name));
    if (write_whole(file, text) && renameat(inside_.get(), beside.c_str(), inside_.get(), file_name.c_str()) == 0)
      return;
    const StoreLost lost = failed(path_of(name));
    unlinkat(inside_.get(), beside.c_str(), 0);
    throw lost;
  }

  bool begin(const std::string& name, const std::string& text) override {
    if (has(name)) return false;  // no race: the process that makes a group has just made its folder
    write(name, text);
    return true;
  }

  std::string read(const std::string& name) override {
    const File file = open_regular(file_of(name));
    if (!file.exists()) throw failed(path_of(name));
    std::string text;
    char part[1 << 16];
    for (ssize_t count = 0; (count = ::read(file.get(), part, sizeof part)) != 0;) {
      if (count < 0) throw failed(path_of(name));
      text.append(part, static_cast<std::size_t>(count));
      if (text.size() > most_note_bytes) throw StoreLost(path_of(name) + " is larger than any note");
    }
    return text;
  }

  bool claim(const std::string& name, const Presence& presence) override {
    own_ = open_inside(file_of(name), O_RDWR | O_CREAT | O_EXCL);
    if (!own_.exists() && errno != EEXIST) throw failed(path_of(name));
    if (own_.exists()) beat(presence);
    own_name_ = file_of(name);
    return own_.exists();
  }
  void beat(const Presence& presence) override {
    [[maybe_unused]] const ssize_t written = pwrite(own_.get(), &presence, sizeof presence, 0);
  }
  bool owns() override { return own_.is(inside_.get(), own_name_); }
  std::optional<Presence> presence(const std::string& name) override {
    File& file = others_[name];
    if (!file.exists()) file = open_regular(file_of(name));
    std::array<char, sizeof(Presence)> bytes;
    const ssize_t count = file.exists() ? pread(file.get(), bytes.data(), bytes.size(), 0) : 0;
    return presence_of({bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))});
  }

  void clear(const std::set<std::string>& but) override {
    others_.clear();
    for (const std::string& name : notes_among(names(), '-'))
      if (!but.contains(name)) unlinkat(inside_.get(), name.c_str(), 0);
  }
  void remove() override {
    try {
      clear({});
    } catch (const std::bad_alloc&) {  // of one name
      clear({});
    }
    if (inside_.is(parent_.get(), name_)) unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);  // only if it is empty
  }

 private:
  static StoreLost failed(const std::string& path) { return StoreLost(path + ": " + std::strerror(errno)); }

  static bool write_whole(const File& file, std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(file.get(), text.data(), text.size());
      if (count < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  static std::string file_of(std::string name) {
    std::ranges::replace(name, '/', '-');
    return name;
  }
  std::string path_of(const std::string& name) const { return folder_ + "/" + file_of(name); }
  File open_inside(const std::string& name, int flags) const {
    return File(openat(inside_.get(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600));
  }
  File open_regular(const std::string& name) const {
    File file = open_inside(name, O_RDONLY | O_NONBLOCK);  // does not wait for the writer of a pipe
    struct stat found;
    if (!file.exists() || fstat(file.get(), &found) != 0) return {};
    if (S_ISREG(found.st_mode)) return file;
    errno = EINVAL;
    return {};
  }

  std::set<std::string> names() const {
    std::set<std::string> names;
    rewinddir(entries_.get());
    while (const dirent* entry = readdir(entries_.get())) names.emplace(entry->d_name);
    return names;
  }

  const std::string folder_;  // for messages
  std::string name_;          // of the folder in its parent
  struct Close {
    void operator()(DIR* entries) const { closedir(entries); }
  };
  File parent_, inside_;
  std::unique_ptr<DIR, Close> entries_;  // of `inside_`
  std::string own_name_;
  File own_;
  std::map<std::string, File> others_;  // signs of life that were found
};

}  // namespace

std::vector<std::string> notes_among(const std::set<std::string>& names, char slash) {
  const std::string whole = R"(run\.kinescope\.json|secret|coordinator|rows|moment|over|worker-\d+|)",
                    dealt =
                        std::string("(generation|meet|refused)") + slash + R"(\d+|(\d+))" + slash + R"((rank_)?\d+)";
  const bool are_files = slash != '/';
  const std::regex note("(" + whole + dealt + ")" + (are_files ? R"((\.\d+)?)" : ""));  // .PROCESS: while it is written
  // std::regex calls itself for each letter: the long name of a server's key would end the stack.
  constexpr std::size_t longest = 64;
  std::vector<std::string> notes;
  for (const std::string& name : names) {
    std::smatch parts;
    if (name.size() > longest || !std::regex_match(name, parts, note)) continue;
    const std::string generation = parts[3];  // a note G/R is written after generation/G
    if (generation.empty() || names.contains(std::string("generation") + slash + generation)) notes.push_back(name);
  }
  return notes;
}

std::unique_ptr<Store> open_redis(const std::string& address);  // redis_store.cpp

std::unique_ptr<Store> open_store(const std::string& address) {
  if (is_redis(address)) return open_redis(address);
  return std::make_unique<FolderStore>(address);
}

}  // namespace kinescope::sim::k_means
