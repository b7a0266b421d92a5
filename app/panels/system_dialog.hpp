// The desktop's own dialog for choosing a file, through zenity or kdialog: a process of its own, for which nothing
// waits.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace kinescope::app {

class SystemDialog {
 public:
  SystemDialog() = default;
  ~SystemDialog();  // closes it
  SystemDialog(const SystemDialog&) = delete;
  SystemDialog& operator=(const SystemDialog&) = delete;

  // False if there is none, or if it cannot be started.
  bool open(const std::string& folder);
  bool shown() const { return process_ > 0; }

  struct Answer {
    std::string path;     // "": nothing was chosen
    bool failed = false;  // the dialog could not be shown
  };
  // The answer, once it is there; does not wait.
  std::optional<Answer> take();

 private:
  void read_more();

  pid_t process_ = 0;
  int from_ = -1;  // its standard output
  std::string said_;
};

}  // namespace kinescope::app
