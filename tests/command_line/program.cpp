#include "tests/command_line/program.hpp"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <signal.h>
#include <sstream>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace kinescope::tests {
namespace {

void redirect(const std::string& path, int flags, int descriptor) {
  if (path == closed) {
    close(descriptor);
    return;
  }
  if (path == without_reader) {
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], descriptor) < 0) _exit(126);
    close(ends[0]);
    close(ends[1]);
    return;
  }
  const int opened = open(path.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
  if (opened != descriptor) close(opened);  // it may have taken the number of a stream that is to be closed
}

[[noreturn]] void become_program(std::vector<char*> arguments, const Start& start, const std::string& out,
                                 const std::string& errors) {
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(126);
  redirect(start.input, O_RDONLY, STDIN_FILENO);
  redirect(out, O_WRONLY, STDOUT_FILENO);
  redirect(errors, O_WRONLY, STDERR_FILENO);
  if (start.address_space_bytes > 0) {
    const rlimit limit{start.address_space_bytes, start.address_space_bytes};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(126);
  }
  if (start.file_size_bytes > 0) {
    const rlimit limit{start.file_size_bytes, start.file_size_bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
  }
  signal(SIGHUP, SIG_DFL);  // a test that was started with nohup would pass its ignored SIGHUP on
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Whether the child has come so far that it acts on the signal; before that the signal kills it, or is lost if whoever
// started the tests ignores it.
bool catches(pid_t child, int signal) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  constexpr std::string_view mask = "SigCgt:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(mask)) return std::stoull(line.substr(mask.size()), nullptr, 16) >> (signal - 1) & 1;
  return false;
}

// Waits, interrupts and ends the child as `start` says; returns its exit status, and what it used.
int wait_for(pid_t child, const Start& start, const std::string& out, rusage& used) {
  const auto begin = std::chrono::steady_clock::now();
  const bool by_time = start.interrupt_after_seconds > 0;
  const bool by_file = !start.interrupt_after_file.empty();
  bool interrupted = !by_time && !by_file && start.interrupt_after.empty(), ended = false;
  std::optional<std::chrono::steady_clock::time_point> heeds;
  for (int status = 0;;) {
    if (wait4(child, &status, WNOHANG, &used) == child) {
      if (ended) return 124;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (!heeds && catches(child, start.signal)) heeds = std::chrono::steady_clock::now();
    const std::chrono::duration<double> heeded = std::chrono::steady_clock::now() - heeds.value_or(begin);
    if (!interrupted && (by_time   ? heeds && heeded.count() > start.interrupt_after_seconds
                         : by_file ? std::filesystem::exists(start.interrupt_after_file)
                                   : read_file(out).find(start.interrupt_after) != std::string::npos)) {
      kill(child, start.signal);
      interrupted = true;
    }
    if (!ended && passed.count() > start.limit_seconds) {
      kill(child, SIGKILL);
      ended = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments, const Start& start) {
  const Folder streams;
  const std::string out = start.out.empty() ? streams.write("out", "") : start.out,
                    errors = start.errors.empty() ? streams.write("errors", "") : start.errors;
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), program_path());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become_program(pointers, start, out, errors);
  rusage used{};
  const int status = wait_for(child, start, out, used);
  return {status, start.out.empty() ? read_file(out) : "", start.errors.empty() ? read_file(errors) : "",
          static_cast<std::size_t>(used.ru_maxrss) * 1024};
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "kinescope-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder can be made");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return file(name);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string flaw_of_error(const Outcome& outcome, int status) {
  const std::string seen =
      "\nstatus " + std::to_string(outcome.status) + "\nstdout: " + outcome.out + "\nstderr: " + outcome.errors;
  if (outcome.status != status) return "expected status " + std::to_string(status) + seen;
  if (!outcome.out.empty()) return "expected nothing on stdout" + seen;
  if (!outcome.errors.starts_with("kinescope: error: ") || outcome.errors.size() < 25)
    return "expected an error" + seen;
  if (std::count(outcome.errors.begin(), outcome.errors.end(), '\n') != 1 || outcome.errors.back() != '\n')
    return "expected one line" + seen;
  return "";
}

}  // namespace kinescope::tests
