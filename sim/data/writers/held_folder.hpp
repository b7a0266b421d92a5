// A folder that is held open while files are written into it.
#pragma once

#include <string>
#include <string_view>

namespace kinescope::sim {

// Whatever its name leads to later, and whoever puts something in its place: the files go into this folder.
class HeldFolder {
 public:
  // Throws Error (input), about `shown`, if `path` is no folder that can be opened.
  HeldFolder(const std::string& path, const std::string& shown);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  int descriptor() const { return folder_; }
  std::string path_of(const std::string& name) const;  // for messages
  // Writes a file that is seen once it is whole. Throws Error, also if there is one of that name already, which stays.
  void write_new(const std::string& name, std::string_view bytes) const;
  // Removes the folder if it is empty and still has its name.
  void remove_if_empty() const;

 private:
  std::string path_;
  int folder_;
};

}  // namespace kinescope::sim
