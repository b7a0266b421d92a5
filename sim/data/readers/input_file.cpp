#include "sim/data/readers/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "sim/core/error.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t head_bytes = 64 << 10, packed_bytes = 256 << 10, step_bytes = 1 << 20;

}  // namespace

Error no_such_file(const std::string& path) {
  if (path == "-") return file_error(path, "standard input is not read: give a file");
  if (path.starts_with("file:/")) return file_error(path, "addresses are not read: give the file's path");
  if (path.find("://") != std::string::npos)
    return file_error(path, "web addresses are not read: download the file first");
  return file_error(path, "no such file");
}

InputFile::InputFile(const std::string& path, LoadProgress* progress) : path_(path), progress_(progress) {
  if (path.empty()) throw input_error("the name of the data file is empty");
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without a writer opens at once
  if (descriptor_ < 0) {
    if (errno == ENOENT) throw no_such_file(path);
    throw file_error(path, std::string("cannot be read: ") + std::strerror(errno));
  }
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) == 0) {
      if (S_ISDIR(status.st_mode)) throw file_error(path, "is a directory");
      if (S_ISREG(status.st_mode)) packed_size_ = static_cast<std::uint64_t>(status.st_size);
      may_wait_ = !S_ISREG(status.st_mode);
    }
    read_head();
  } catch (...) {
    if (gzipped_) inflateEnd(&stream_);
    close(descriptor_);
    throw;
  }
}

InputFile::InputFile(const std::string& name, std::unique_ptr<ByteSource> source, LoadProgress* progress)
    : path_(name), progress_(progress), source_(std::move(source)), packed_size_(source_->size()) {
  try {
    read_head();
  } catch (...) {
    if (gzipped_) inflateEnd(&stream_);
    throw;
  }
}

void InputFile::read_head() {
  packed_.resize(packed_bytes);
  const std::size_t first = read_packed(packed_.data(), packed_.size());
  gzipped_ =
      first >= 2 && static_cast<unsigned char>(packed_[0]) == 0x1F && static_cast<unsigned char>(packed_[1]) == 0x8B;
  if (gzipped_) {
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(first);
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw run_error(path_ + ": out of memory");
    head_.resize(head_bytes);
    head_.resize(unpack(head_.data(), head_.size()));
  } else {
    head_.assign(packed_.begin(), packed_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  head_is_all_ = head_.size() < (gzipped_ ? head_bytes : packed_bytes);
  if (head_.empty()) throw file_error(path_, "is empty");
}

InputFile::~InputFile() {
  if (gzipped_) inflateEnd(&stream_);
  if (descriptor_ >= 0) close(descriptor_);
}

// Waits until a pipe has bytes, its writer is gone, or the reading is cancelled.
void InputFile::wait_for_bytes() const {
  pollfd waited{descriptor_, POLLIN, 0};
  constexpr int patience_ms = 50;
  while (poll(&waited, 1, patience_ms) == 0)
    if (progress_ && progress_->cancelled) throw Cancelled{};
}

std::size_t InputFile::read_packed(char* into, std::size_t bytes) {
  std::size_t got = 0;
  while (got < bytes) {
    if (may_wait_) wait_for_bytes();
    const ssize_t count = source_ ? static_cast<ssize_t>(source_->read(into + got, bytes - got))
                                  : ::read(descriptor_, into + got, bytes - got);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) throw file_error(path_, std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  packed_read_ += got;
  return got;
}

// A gzip file is a sequence of members, each a stream of its own.
std::size_t InputFile::unpack(char* into, std::size_t bytes) {
  stream_.next_out = reinterpret_cast<Bytef*>(into);
  stream_.avail_out = static_cast<uInt>(bytes);
  while (stream_.avail_out > 0) {
    if (stream_.avail_in == 0) {
      stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_in = static_cast<uInt>(read_packed(packed_.data(), packed_.size()));
      if (stream_.avail_in == 0) {
        if (between_members_) break;
        throw file_error(path_, "the compressed data are cut off");
      }
    }
    if (between_members_) {
      // Zeros after the last member are padding (tapes, block devices); gzip itself accepts them.
      while (stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
      if (stream_.avail_in == 0) continue;
      inflateReset(&stream_);
      between_members_ = false;
    }
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw run_error(path_ + ": out of memory");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw file_error(path_, "the compressed data are damaged");
    }
  }
  return bytes - stream_.avail_out;
}

double InputFile::part_read() const {
  if (packed_size_ == 0) return 0;
  const std::uint64_t waiting = gzipped_ ? stream_.avail_in : head_.size() - head_taken_;
  return std::min(1.0, static_cast<double>(packed_read_ - waiting) / static_cast<double>(packed_size_));
}

void InputFile::tell_progress() {
  if (!progress_) return;
  if (progress_->cancelled) throw Cancelled{};
  if (packed_size_ > 0) progress_->fraction = static_cast<float>(part_read());
}

// Reads in steps, so that a request to stop is noticed within a few milliseconds.
std::size_t InputFile::read(char* into, std::size_t bytes) {
  std::size_t got = std::min(bytes, head_.size() - head_taken_);
  std::memcpy(into, head_.data() + head_taken_, got);
  head_taken_ += got;
  tell_progress();
  while (got < bytes) {
    const std::size_t wanted = std::min(step_bytes, bytes - got);
    const std::size_t count = gzipped_ ? unpack(into + got, wanted) : read_packed(into + got, wanted);
    got += count;
    tell_progress();
    if (count < wanted) break;
  }
  return got;
}

void InputFile::read_exactly(char* into, std::size_t bytes, const char* what) {
  if (read(into, bytes) != bytes) throw file_error(path_, std::string("the file ends within ") + what);
}

}  // namespace kinescope::sim
