// The desktop's own dialog for choosing a file, through zenity or kdialog. It is a separate process, and nothing waits
// for it.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace kinescope::app {

class SystemDialog {
 public:
  SystemDialog() = default;
  ~SystemDialog();  // closes the dialog if it is open
  SystemDialog(const SystemDialog&) = delete;
  SystemDialog& operator=(const SystemDialog&) = delete;

  // Returns false if no dialog program is installed, or if it cannot be started.
  bool open(const std::string& folder);
  bool shown() const { return process_ > 0; }

  struct Answer {
    std::string path;     // "": nothing was chosen
    bool failed = false;  // the dialog could not be shown
  };
  // Returns the answer once the dialog has closed; does not wait.
  std::optional<Answer> take();

 private:
  void read_more();

  pid_t process_ = 0;
  int from_ = -1;  // read end of the dialog's standard output; −1: closed
  std::string said_;
};

}  // namespace kinescope::app
