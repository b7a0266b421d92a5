#include "sim/data/readers/packing/file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <unistd.h>
#include <vector>

#include "kinescope/in_parallel.hpp"
#include "sim/data/readers/packing/temporary_file.hpp"

namespace kinescope::sim {
namespace {

// Bytes of a descriptor that may have to be waited for; it stays open.
bool may_wait(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

// What a call that reads returns, made again if a signal came between.
template <class Read>
std::size_t count_read(int descriptor, const std::string& path, Read read) {
  for (;;) {
    const ssize_t count = read();
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN && !may_wait(descriptor)) throw file_error(path, "cannot be read: it gives nothing now");
    if (errno != EINTR && errno != EAGAIN)
      throw file_error(path, std::string("cannot be read: ") + std::strerror(errno));
  }
}

std::size_t read_some(int descriptor, const std::string& path, char* into, std::size_t bytes) {
  return count_read(descriptor, path, [&] { return ::read(descriptor, into, bytes); });
}

void wait_for(int descriptor, const LoadProgress* progress) {
  pollfd waited{descriptor, POLLIN, 0};
  constexpr int patience_ms = 50;
  while (poll(&waited, 1, patience_ms) == 0)
    if (progress && progress->cancelled) throw Cancelled{};
}

// Where standard input can be read in any order: its own file, if it is one, else a copy.
const std::string& path_of_standard_input(const LoadProgress* progress) {
  static std::mutex mutex;
  static std::unique_ptr<TemporaryFile> copy;  // kept until the program ends
  static std::string path;
  const std::lock_guard lock(mutex);
  if (!path.empty()) return path;
  struct stat status {};
  const int flags = fcntl(STDIN_FILENO, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY || fstat(STDIN_FILENO, &status) != 0)
    throw file_error(standard_input_name, "is closed");
  if (S_ISDIR(status.st_mode)) throw file_error(standard_input_name, "is a directory");
  if (S_ISREG(status.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0) return path = "/proc/self/fd/0";
  if (!copy) copy = std::make_unique<TemporaryFile>();
  std::vector<char> block(1 << 20);
  for (;;) {
    wait_for(STDIN_FILENO, progress);
    const std::size_t count = read_some(STDIN_FILENO, standard_input_name, block.data(), block.size());
    if (count == 0) break;
    copy->append(standard_input_name, {block.data(), count});
    if (progress && progress->cancelled) throw Cancelled{};
  }
  return path = copy->path();
}

// Bytes of the first `size` of a file: of all of it, or of places evenly apart, the first and the last among them.
std::string sample_of(int descriptor, off_t size) {
  constexpr off_t each = 4096, places = 64;
  std::string bytes(static_cast<std::size_t>(std::min(size, places * each)), '\0');
  const off_t taken = static_cast<off_t>(bytes.size()), apart = size > taken ? (size - each) / (places - 1) : each;
  for (off_t at = 0; at < taken; at += each)
    if (pread(descriptor, bytes.data() + at, static_cast<std::size_t>(std::min(each, taken - at)), at / each * apart) <
        0)
      return "";
  return bytes;
}

std::shared_ptr<const int> kept_open(int descriptor) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return nullptr;
  return {new int(copy), [](const int* each) {
            close(*each);
            delete each;
          }};
}

}  // namespace

Error no_such_file(const std::string& path) {
  if (path.starts_with("file:/")) return file_error(path, "addresses are not read: give the file's path");
  if (path.find("://") != std::string::npos)
    return file_error(path, "web addresses are not read: download the file first");
  return file_error(path, "no such file");
}

void FileStamp::require_unchanged(const std::string& name) const {
  struct stat now {};
  if (!descriptor || fstat(*descriptor, &now) != 0) return;
  if (now.st_size < status.st_size) throw file_error(name, "has become shorter while it was read");
  const bool written = now.st_mtim.tv_sec != status.st_mtim.tv_sec || now.st_mtim.tv_nsec != status.st_mtim.tv_nsec;
  const bool grown = now.st_size > status.st_size;
  if (grown ? sample_of(*descriptor, status.st_size) != sample
            : written && now.st_size > 0)  // the system's own files say 0
    throw file_error(name, "was changed while it was read");
}

FileBytes::FileBytes(const std::string& path, LoadProgress* progress)
    : path_(path == standard_input ? standard_input_name : path), progress_(progress) {
  if (path.empty()) throw input_error("the name of the data file is empty");
  const std::string where = path == standard_input ? path_of_standard_input(progress) : path;
  descriptor_ = open(where.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without a writer opens at once
  if (descriptor_ < 0) {
    if (errno == ENOENT) throw no_such_file(path);
    throw file_error(path_, std::string("cannot be read: ") + std::strerror(errno));
  }
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return;
  if (S_ISDIR(status.st_mode)) {
    close(descriptor_);
    throw file_error(path_, "is a directory");
  }
  may_wait_ = !S_ISREG(status.st_mode);
  is_pipe_ = S_ISFIFO(status.st_mode);
  if (may_wait_) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  seekable_path_ = where;
}

FileBytes::~FileBytes() {
  close(descriptor_);
}

FileStamp FileBytes::stamp() const {
  struct stat status {};
  if (seekable_path_.empty() || fstat(descriptor_, &status) != 0) return {};
  return {kept_open(descriptor_), status, sample_of(descriptor_, status.st_size)};
}

// A pipe that nobody has opened for writing looks like one at its end, but poll() waits for the writer.
std::size_t FileBytes::read_first(char* into, std::size_t bytes) {
  using Clock = std::chrono::steady_clock;
  for (const auto begin = Clock::now();;) {
    const ssize_t count = ::read(descriptor_, into, bytes);
    if (count > 0) return static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      throw file_error(path_, std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0 && Clock::now() - begin > std::chrono::seconds(5))
      throw file_error(path_, "nothing writes into this pipe; what was read from a pipe before is gone");
    if (progress_ && progress_->cancelled) throw Cancelled{};
    pollfd waited{descriptor_, POLLIN, 0};
    constexpr int patience_ms = 50;
    if (poll(&waited, 1, patience_ms) > 0 && (waited.revents & POLLIN) == 0) return 0;  // the writer has gone
  }
}

std::size_t FileBytes::read_at(std::uint64_t begin, char* into, std::size_t bytes) const {
  std::size_t got = 0;
  while (got < bytes) {
    const auto at = static_cast<off_t>(begin + got);
    const std::size_t count =
        count_read(descriptor_, path_, [&] { return pread(descriptor_, into + got, bytes - got, at); });
    if (count == 0) break;
    got += count;
  }
  return got;
}

void FileBytes::read_at(std::uint64_t begin, std::span<char> to) const {
  if (read_at(begin, to.data(), to.size()) < to.size()) throw file_error(path_, "the file ends within its data");
}

// Reads much on all threads: copying from the system's cache takes longer than fetching from a fast disk.
std::size_t FileBytes::read_next(char* into, std::size_t bytes) const {
  constexpr std::size_t of_one_thread = 1 << 20, part = 512 << 10;
  if (bytes <= of_one_thread) return read_at(used_, into, bytes);
  std::vector<std::size_t> got((bytes + part - 1) / part);
  in_parallel(got.size(), 1, [&](std::size_t i) {
    got[i] = read_at(used_ + i * part, into + i * part, std::min(part, bytes - i * part));
  });
  std::size_t whole = 0;
  for (std::size_t i = 0; i < got.size() && whole == i * part; ++i) whole += got[i];
  return whole;
}

std::size_t FileBytes::read(char* into, std::size_t bytes) {
  if (is_pipe_ && used_ == 0) return used_ = read_first(into, bytes);
  if (may_wait_) wait_for(descriptor_, progress_);
  // A file that others append to is read as it was when it was opened. The system's own files (/proc) say 0.
  if (size_ > 0) bytes = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, size_ - used_));
  const std::size_t count = size_ > 0 ? read_next(into, bytes) : read_some(descriptor_, path_, into, bytes);
  used_ += count;
  struct stat status {};
  if (count == 0 && used_ < size_ && fstat(descriptor_, &status) == 0 && std::uint64_t(status.st_size) < size_)
    throw file_error(path_, "has become shorter while it was read");
  return count;
}

}  // namespace kinescope::sim
