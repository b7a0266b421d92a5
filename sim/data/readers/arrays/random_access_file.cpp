#include "sim/data/readers/arrays/random_access_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "sim/core/error.hpp"

namespace kinescope::sim {

RandomAccessFile::RandomAccessFile(std::string path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw file_error(path_, std::string("cannot be read: ") + std::strerror(errno));
}

RandomAccessFile::~RandomAccessFile() {
  close(descriptor_);
}

void RandomAccessFile::read(std::uint64_t begin, std::span<char> to) const {
  for (std::size_t done = 0; done < to.size();) {
    const ssize_t got = pread(descriptor_, to.data() + done, to.size() - done, static_cast<off_t>(begin + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw file_error(path_, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) throw file_error(path_, "the file ends within its data");
    done += static_cast<std::size_t>(got);
  }
}

}  // namespace kinescope::sim
