#include "app/runs/programs.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace kinescope::app {

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  std::error_code none;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = folder + "/" + program;
        access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file, none))
      return true;
  return false;
}

int start_program(const char* program, std::vector<std::string> words, const ProgramSetup& setup, pid_t& process) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const auto& [given, as] : {std::pair(setup.in, 0), {setup.out, 1}, {setup.errors, 2}})
    if (given < 0)
      posix_spawn_file_actions_addopen(&files, as, "/dev/null", as == 0 ? O_RDONLY : O_WRONLY, 0);
    else if (given != as)
      posix_spawn_file_actions_adddup2(&files, given, as);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, static_cast<short>(setup.flags | POSIX_SPAWN_SETSIGDEF));
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);  // which this program ignores
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int refused = posix_spawnp(&process, program, &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return refused;
}

}  // namespace kinescope::app
