#include "sim/data/readers/rehearsal.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"

namespace kinescope::sim {
namespace {

void write_all(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(pipe, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(0);  // the parent has stopped to listen
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// All that comes through the pipe until its other end is closed.
std::string read_all(int pipe, const std::string& path) {
  std::string told;
  std::array<char, 1 << 16> bytes{};
  for (;;) {
    const ssize_t count = read(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return told;
    const std::size_t needed = told.size() + static_cast<std::size_t>(count);
    if (needed > told.capacity()) {
      require_memory(path, 2 * static_cast<double>(needed));
      told.reserve(2 * needed);
    }
    told.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

// The child process and the pipe from it; ended and closed on every way out.
class Child {
 public:
  Child(pid_t id, int pipe) : id_(id), pipe_(pipe) {}
  ~Child() {
    if (id_ > 0) kill(id_, SIGKILL), wait();
    close(pipe_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int pipe() const { return pipe_; }
  int wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = 0;
    return status;
  }

 private:
  pid_t id_;
  int pipe_;
};

}  // namespace

std::string rehearse(const std::string& path, const char* library,
                     const std::function<void(const std::function<void(std::string_view)>& tell)>& read) {
  constexpr unsigned seconds = 120;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw run_error(path + ": no pipe: " + std::strerror(errno));
  const pid_t id = fork();
  if (id == 0) {
    for (const int sign : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM}) std::signal(sign, SIG_DFL);
    std::signal(SIGPIPE, SIG_IGN);
    constexpr rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    close(STDERR_FILENO);  // the C library would report the crash there
    alarm(seconds);
    try {
      read([&](std::string_view bytes) { write_all(ends[1], bytes); });
    } catch (...) {  // the parent process will get and report the same error
    }
    _exit(0);
  }
  close(ends[1]);
  Child child(id, ends[0]);
  if (id < 0) throw run_error(path + ": no process can be started: " + std::strerror(errno));
  std::string told = read_all(child.pipe(), path);
  const int status = child.wait();
  if (WIFSIGNALED(status))
    throw file_error(path, WTERMSIG(status) == SIGALRM ? std::string("damaged: reading it does not end")
                                                       : std::string("damaged: ") + library + " crashes on it");
  return told;
}

}  // namespace kinescope::sim
