#include "sim/data/readers/reader_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "kinescope/error.hpp"

namespace kinescope::sim {
namespace {

[[noreturn]] void run_child(int socket, unsigned seconds, const std::function<void(Channel& channel)>& read) {
  for (const int sign : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM}) std::signal(sign, SIG_DFL);
  sigset_t limit;  // of time
  sigemptyset(&limit);
  sigaddset(&limit, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &limit, nullptr);
  constexpr rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  close(STDERR_FILENO);  // the C library would report the crash there
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(seconds);
  try {
    Channel channel(socket);
    read(channel);
  } catch (...) {
  }
  _exit(0);
}

}  // namespace

Channel::~Channel() {
  close(socket_);
}

void Channel::shut() {
  shutdown(socket_, SHUT_RDWR);
}

void Channel::send(const void* bytes, std::size_t count) {
  constexpr std::size_t enough = 1 << 16;
  if (count < enough) {
    sent_.append(static_cast<const char*>(bytes), count);
    if (sent_.size() >= enough) flush();
  } else {
    flush();
    send_now(static_cast<const char*>(bytes), count);
  }
}

void Channel::flush() {
  send_now(sent_.data(), sent_.size());
  sent_.clear();
}

void Channel::send_now(const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = ::send(socket_, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw Closed{};
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

std::size_t Channel::receive_some(char* into, std::size_t count) {
  for (;;) {
    const ssize_t got = recv(socket_, into, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Closed{};
    return static_cast<std::size_t>(got);
  }
}

void Channel::receive(void* into, std::size_t count) {
  char* at = static_cast<char*>(into);
  while (count > 0) {
    if (begin_ == end_ && count >= received_.size()) {
      const std::size_t got = receive_some(at, count);
      at += got, count -= got;
      continue;
    }
    if (begin_ == end_) begin_ = 0, end_ = receive_some(received_.data(), received_.size());
    const std::size_t part = std::min(count, end_ - begin_);
    std::memcpy(at, received_.data() + begin_, part);
    begin_ += part, at += part, count -= part;
  }
}

unsigned ReaderProcess::patience(const std::string& path) {
  constexpr std::uintmax_t least = 10, bytes_a_second = 1 << 20, most = 24 * 3600;
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(path, none);
  return static_cast<unsigned>(none ? least : std::min(least + bytes / bytes_a_second, most));
}

ReaderProcess::ReaderProcess(std::string path, const char* library, unsigned seconds,
                             const std::function<void(Channel& channel)>& read)
    : path_(std::move(path)), library_(library) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw run_error(path_ + ": no socket: " + std::strerror(errno));
  id_ = fork();
  if (id_ == 0) {
    close(ends[0]);
    run_child(ends[1], seconds, read);
  }
  const int error = errno;
  close(ends[1]);
  channel_.emplace(ends[0]);
  if (id_ < 0) throw run_error(path_ + ": no process can be started: " + std::strerror(error));
}

ReaderProcess::~ReaderProcess() {
  if (id_ > 0) kill(id_, SIGKILL), wait();
}

int ReaderProcess::wait() {
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  id_ = 0;
  return status;
}

void ReaderProcess::finish() {
  if (id_ == 0) return;
  channel_->shut();  // the child may wait for a request that was not sent
  const int status = wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const bool endless = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  throw file_error(path_, endless ? std::string("damaged: reading it does not end")
                                  : std::string("damaged: ") + library_ + " crashes on it");
}

}  // namespace kinescope::sim
