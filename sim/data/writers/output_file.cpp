#include "kinescope/data/output_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <mutex>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "kinescope/data/write.hpp"

namespace kinescope::sim {
namespace {

// What is in the folder under this name. 0, or an errno.
int look(int folder, const char* name, struct statx& found) noexcept {
  return statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &found) == 0 ? 0 : errno;
}

// The time tells a file from one that gets its number after it.
bool is_same(const struct statx& one, const struct statx& other) noexcept {
  return one.stx_dev_major == other.stx_dev_major && one.stx_dev_minor == other.stx_dev_minor &&
         one.stx_ino == other.stx_ino && one.stx_btime.tv_sec == other.stx_btime.tv_sec &&
         one.stx_btime.tv_nsec == other.stx_btime.tv_nsec;
}

bool has_same_content(const struct statx& now, const struct statx& before) noexcept {
  return now.stx_size == before.stx_size && now.stx_mtime.tv_sec == before.stx_mtime.tv_sec &&
         now.stx_mtime.tv_nsec == before.stx_mtime.tv_nsec;
}

// Whether nobody has written into it since.
bool is_unchanged(const struct statx& now, const struct statx& before) noexcept {
  return is_same(now, before) && has_same_content(now, before);
}

// Whether this is what a file system, or a filter of system calls, says that has no such operation.
bool cannot(int failure) {
  return failure == EINVAL || failure == ENOSYS || failure == ENOTSUP || failure == EPERM;
}

// Renames within the folder, but replaces nothing. 0, or an errno.
int give_new_name(int folder, const std::string& from, const std::string& to) {
  if (renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (!cannot(errno)) return errno;
  if (linkat(folder, from.c_str(), folder, to.c_str(), 0) == 0)
    return unlinkat(folder, from.c_str(), 0) == 0 ? 0 : errno;
  if (!cannot(errno)) return errno;
  struct statx found {};
  if (const int failure = look(folder, to.c_str(), found); failure != ENOENT) return failure == 0 ? EEXIST : failure;
  return renameat(folder, from.c_str(), folder, to.c_str()) == 0 ? 0 : errno;
}

// Renames within the folder and replaces only the unchanged file `before`: one that came there meanwhile stays, and
// the failure is EEXIST. 0, or an errno.
int replace(int folder, const std::string& from, const std::string& to, const struct statx& before) {
  struct statx found {};
  if (const int failure = look(folder, to.c_str(), found); failure != 0) return failure;
  if (!is_unchanged(found, before)) return EEXIST;
  if (renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_EXCHANGE) != 0) {
    if (!cannot(errno)) return errno;
    return renameat(folder, from.c_str(), folder, to.c_str()) == 0 ? 0 : errno;
  }
  // On an overlay the exchange itself gives a file of a lower layer another number.
  if (look(folder, from.c_str(), found) == 0 && S_ISREG(found.stx_mode) && has_same_content(found, before))
    return unlinkat(folder, from.c_str(), 0) == 0 ? 0 : errno;
  return renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_EXCHANGE) == 0 ? EEXIST : errno;
}

// Even if the machine stops, a name never leads to less than the whole file. 0, or an errno.
int flush_to_disk(int descriptor) {
  if (fsync(descriptor) == 0) return 0;
  // Some file systems cannot flush, and say so; nor can a folder that may not be read.
  return errno == EINVAL || errno == ENOTSUP || errno == EROFS || errno == EBADF ? 0 : errno;
}

// A program writes few files at a time; those beyond have no place.
std::array<std::atomic<const OutputFile*>, 16> staged_files;
static_assert(std::atomic<const OutputFile*>::is_always_lock_free);

std::shared_ptr<OutputPlace> find_place(const std::string& path) {
  if (path.empty()) throw input_error("the name of the file to write is empty");
  if (path.back() == '/') throw file_error(path, "is the name of a folder");
  const std::filesystem::path file(written_file(path));
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  auto place = std::make_shared<OutputPlace>(
      OutputPlace{path, std::make_shared<HeldFolder>(folder, path), file.filename().string()});
  struct statx found {};
  const int failure = look(place->folder->descriptor(), place->name.c_str(), found);
  if (failure == ENOENT) return place;
  if (failure != 0) throw cannot_write(path, failure);
  if (S_ISDIR(found.stx_mode)) throw file_error(path, "is a directory");
  if (!S_ISREG(found.stx_mode)) throw file_error(path, "is not a regular file");
  if (faccessat(place->folder->descriptor(), place->name.c_str(), W_OK, 0) != 0) throw cannot_write(path, errno);
  place->before = found;
  return place;
}

std::mutex places_mutex;
std::map<std::string, std::shared_ptr<OutputPlace>> held_places;

std::shared_ptr<OutputPlace> place_of(const std::string& path) {
  const std::lock_guard lock(places_mutex);
  const auto held = held_places.find(path);
  return held != held_places.end() ? held->second : find_place(path);
}

}  // namespace

HeldFolder::HeldFolder(const std::string& path, const std::string& shown) : path_(path) {
  constexpr int how = O_DIRECTORY | O_CLOEXEC;
  folder_ = open(path.c_str(), O_RDONLY | how);
  if (folder_ < 0 && errno == EACCES) folder_ = open(path.c_str(), O_PATH | how);  // it need not be readable
  if (folder_ < 0 && errno == ENOENT) throw file_error(shown, "its folder does not exist");
  if (folder_ < 0 && errno == ENOTDIR) throw file_error(shown, "its folder is a file");
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

Error cannot_write(const std::string& path, int code) {
  const bool misfortune = code == ENOSPC || code == EIO || code == EDQUOT || code == EPIPE || code == EFBIG;
  return Error(misfortune ? Fault::run : Fault::input, path + ": cannot be written: " + std::strerror(code));
}

bool may_write(const std::string& path) {
  return access(path.c_str(), W_OK) == 0;
}

void hold_output(const std::string& path) {
  const std::shared_ptr<OutputPlace> place = place_of(path);
  {
    OutputFile probe(place);
    if (unlinkat(probe.folder_, probe.temporary_.c_str(), 0) != 0) throw cannot_write(path, errno);
    probe.temporary_.clear();
  }
  place->replaces = Replaces::what_was_there;
  const std::lock_guard lock(places_mutex);
  held_places[path] = place;
}

OutputFile::OutputFile(const std::string& path) : OutputFile(place_of(path)) {}

OutputFile::OutputFile(std::shared_ptr<OutputPlace> place)
    : place_(std::move(place)), folder_(place_->folder->descriptor()) {
  static std::atomic<unsigned> counter{0};
  const std::size_t dot = place_->name.find_last_of('.');
  const std::string ending = dot == std::string::npos || place_->name.size() - dot > 16 ? "" : place_->name.substr(dot);
  const mode_t mode = place_->before ? place_->before->stx_mode & 0700 : 0666;  // the rest in keep_access
  do {
    temporary_ = ".kinescope-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ending;
    descriptor_ = openat(folder_, temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0 && errno == ENOENT)
    throw file_error(place_->shown, "cannot be written: no files can be made there");
  if (descriptor_ < 0) throw cannot_write(place_->shown, errno);
  if (statx(descriptor_, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &own_) != 0) {
    const int failure = errno;
    close(descriptor_);
    unlinkat(folder_, temporary_.c_str(), 0);
    throw cannot_write(place_->shown, failure);
  }
  for (const OutputFile* none = nullptr; listed_ < staged_files.size(); ++listed_, none = nullptr)
    if (staged_files[listed_].compare_exchange_strong(none, this)) break;
}

OutputFile::~OutputFile() {
  if (listed_ < staged_files.size()) staged_files[listed_] = nullptr;
  if (!temporary_.empty()) drop();
  if (descriptor_ >= 0) close(descriptor_);
}

void OutputFile::drop() const noexcept {
  struct statx found {};
  if (look(folder_, temporary_.c_str(), found) == 0 && !is_same(found, own_)) return;  // another's file
  unlinkat(folder_, temporary_.c_str(), 0);
}

void drop_staged_files() {
  for (const std::atomic<const OutputFile*>& each : staged_files)
    if (const OutputFile* const file = each) file->drop();
}

namespace {

// The value of an extended attribute; empty if there is none.
std::vector<char> attribute_of(const std::string& path, const char* name) {
  const ssize_t size = lgetxattr(path.c_str(), name, nullptr, 0);
  std::vector<char> value(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  if (!value.empty() && lgetxattr(path.c_str(), name, value.data(), value.size()) != size) value.clear();
  return value;
}

// Gives the file the user's attributes of the one at `path`, and its list of who may do what. False if there is such a
// list that it cannot have.
bool keep_attributes(int file, const std::string& path) {
  std::vector<char> names(static_cast<std::size_t>(std::max<ssize_t>(0, llistxattr(path.c_str(), nullptr, 0))));
  const ssize_t size = llistxattr(path.c_str(), names.data(), names.size());
  for (const char *name = names.data(), *end = name + std::max<ssize_t>(0, size); name < end; name += strlen(name) + 1)
    if (const std::vector<char> value = attribute_of(path, name); std::string_view(name).starts_with("user."))
      fsetxattr(file, name, value.data(), value.size(), 0);
  constexpr const char* access_list = "system.posix_acl_access";
  const std::vector<char> list = attribute_of(path, access_list);
  if (!list.empty()) return fsetxattr(file, access_list, list.data(), list.size(), 0) == 0;
  return fremovexattr(file, access_list) == 0 || errno == ENODATA || errno == ENOTSUP;  // the folder may have given one
}

// Gives the file the owner, the group and the permissions, which the umask may have narrowed, of the one at `path` that
// it replaces.
void keep_access(int file, const struct statx& before, const std::string& path) {
  const mode_t mode = before.stx_mode & 0777, as_others = (mode & ~mode_t{070}) | (mode & 07) << 3;
  // Only root may give a file to another owner; another group must be one of the user's.
  const bool own_group =
      fchown(file, before.stx_uid, before.stx_gid) == 0 || fchown(file, static_cast<uid_t>(-1), before.stx_gid) == 0;
  fchmod(file, as_others);  // with an access list, the bits of the group are not the group's rights
  if (own_group && keep_attributes(file, path)) fchmod(file, mode);
}

}  // namespace

// Copies what is written so far into a new file: somebody has removed or moved the name of this one.
void OutputFile::keep_copy() {
  OutputFile copy(place_);
  std::vector<char> block(1 << 20);
  off_t at = 0;
  for (ssize_t count = 0; (count = pread(descriptor_, block.data(), block.size(), at)) != 0; at += count) {
    if (count < 0) throw cannot_write(place_->shown, errno);
    copy.append({block.data(), static_cast<std::size_t>(count)});
  }
  temporary_.clear();
  copy.keep();
}

void OutputFile::keep() {
  const auto require = [&](int failure) {
    if (failure != 0) throw cannot_write(place_->shown, failure);
  };
  flush();
  if (place_->before)
    keep_access(descriptor_, *place_->before, "/proc/self/fd/" + std::to_string(folder_) + "/" + place_->name);
  require(flush_to_disk(descriptor_));
  require(statx(descriptor_, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &own_) == 0 ? 0 : errno);
  struct statx found {};
  int failure = look(folder_, temporary_.c_str(), found);
  if (failure == ENOENT || (failure == 0 && !is_same(found, own_))) return keep_copy();
  require(failure);
  require(close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno);
  const Replaces replaces = place_->replaces;
  if (replaces == Replaces::anything)
    failure = renameat(folder_, temporary_.c_str(), folder_, place_->name.c_str()) == 0 ? 0 : errno;
  else if (replaces == Replaces::what_was_there && place_->before)
    failure = replace(folder_, temporary_, place_->name, *place_->before);
  else
    failure = ENOENT;
  if (failure == ENOENT) failure = give_new_name(folder_, temporary_, place_->name);
  if (failure == EEXIST && replaces == Replaces::nothing)
    throw file_error(place_->shown, "is there already, and is not replaced");
  if (failure != EEXIST) require(failure);
  if (listed_ < staged_files.size()) staged_files[std::exchange(listed_, staged_files.size())] = nullptr;
  if (failure == EEXIST) place_->name = temporary_;
  temporary_.clear();
  place_->before = own_;
  require(flush_to_disk(folder_));
  if (failure == EEXIST)
    throw run_error(place_->shown + ": is no longer what it was before the run, and is not replaced; what was to be " +
                    "there is in " + place_->folder->path_of(place_->name));
}

void OutputFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(place_->shown, errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

}  // namespace kinescope::sim
