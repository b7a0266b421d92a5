#include "app/panels/system_dialog.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "app/runs/programs.hpp"

namespace kinescope::app {
namespace {

// The command that shows a dialog and prints the chosen path to its standard output; empty if no such program is
// installed.
std::vector<std::string> command(const std::string& folder) {
  const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
  const bool kde = desktop && std::string_view(desktop).find("KDE") != std::string_view::npos;
  for (const char* program : {kde ? "kdialog" : "zenity", kde ? "zenity" : "kdialog"}) {
    if (!is_installed(program)) continue;
    if (std::string_view(program) == "zenity")
      return {program, "--file-selection", "--title=Open data", "--filename=" + folder + "/"};
    return {program, "--title", "Open data", "--getopenfilename", folder};
  }
  return {};
}

}  // namespace

SystemDialog::~SystemDialog() {
  if (from_ >= 0) close(from_);
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

bool SystemDialog::open(const std::string& folder) {
  if (shown()) return true;
  const std::vector<std::string> words = command(folder);
  int ends[2];
  if (words.empty() || pipe2(ends, O_CLOEXEC) != 0) return false;
  const int refused = start_program(words.front().c_str(), words, {.out = ends[1]}, process_);
  close(ends[1]);
  said_.clear();
  if (refused != 0) {
    close(ends[0]);
    process_ = 0;
    return false;
  }
  from_ = ends[0];
  fcntl(from_, F_SETFL, O_NONBLOCK);
  return true;
}

void SystemDialog::read_more() {
  char bytes[4096];
  for (ssize_t got = 0; from_ >= 0;) {
    got = read(from_, bytes, sizeof bytes);
    if (got > 0) {
      said_.append(bytes, std::size_t(got));
    } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      return;
    } else {
      close(std::exchange(from_, -1));
    }
  }
}

std::optional<SystemDialog::Answer> SystemDialog::take() {
  if (!shown()) return std::nullopt;
  read_more();
  int status = 0;
  if (from_ >= 0 || waitpid(process_, &status, WNOHANG) == 0) return std::nullopt;
  process_ = 0;
  while (said_.ends_with('\n')) said_.pop_back();
  // Both programs exit with 1 if nothing was chosen, and with higher numbers if the dialog could not be shown.
  const bool asked = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
  if (!asked || WEXITSTATUS(status) == 1) said_.clear();
  return Answer{std::exchange(said_, ""), !asked};
}

}  // namespace kinescope::app
