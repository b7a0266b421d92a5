// A file without a name in the folder for temporary files; it is gone when this object is.
#pragma once

#include <string>
#include <string_view>

namespace kinescope::sim {

class TemporaryFile {
 public:
  TemporaryFile();  // throws Error (run) if the folder (TMPDIR, else /tmp) takes none
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Throws Error (run) if the disk is full, in the name of `source`, whose bytes they are.
  void append(const std::string& source, std::string_view bytes);
  // Where it can be opened by this process.
  std::string path() const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace kinescope::sim
