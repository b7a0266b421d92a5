// Files and folders in the folder for temporary ones: TMPDIR, or /tmp if that is not set or empty. Also other folders
// that are made for a while.
#pragma once

#include <string>
#include <string_view>

namespace kinescope::sim {

// Makes a folder there that is this user's alone; its name is `begin` and six letters. Whoever makes it removes it.
// Throws Error (run).
std::string make_temporary_folder(const std::string& begin);
// Makes a folder that is this user's alone. 0, or an errno.
int make_own_folder(const std::string& path);
// Removes a folder if it is empty.
void remove_empty_folder(const std::string& path);

// A file without a name there; it is gone when this object is.
class TemporaryFile {
 public:
  TemporaryFile();  // throws Error (run) if the folder takes none
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
