// Starts a program and lets the N-th call of one kind fail, whoever makes it: the program, a library, or a process that
// it started. Tells then how the program ended.
//
//     inject KIND ERROR N SECONDS REPORT PROGRAM [ARGUMENT...]
//
// KIND is one of `kinds`, or `allocation` or `cuda`, whose calls code inside the program counts (plan.hpp). ERROR is
// the name of an errno, `short` (half of the bytes are read or written) or `usual` (that of the call). N = 0: none
// fails. After SECONDS all processes are killed. REPORT gets lines "name value":
//     status N | signal N | hung 1     how the program ended
//     calls N                          of the kind
//     failed CALL                      the call that failed, if there were so many
//     left COMMAND                     a process that was still there after the program
//
// The kernel stops each system call of the kind (seccomp's user notification) and asks this process, which lets it go
// on or answers with an error. So calls that the C library makes inside itself are seen too. Calls before main() are
// not counted.
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "tests/faults/plan.hpp"

namespace kinescope::tests {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "inject: %s: %s\n", what, std::strerror(errno));
  std::exit(125);
}

// The process of a thread: the kernel opens no other by a number.
int process_of(unsigned thread) {
  int process = 0;
  std::FILE* file = std::fopen(("/proc/" + std::to_string(thread) + "/status").c_str(), "r");
  for (char line[256]; file && process == 0 && std::fgets(line, sizeof line, file);)
    std::sscanf(line, "Tgid: %d", &process);
  if (file) std::fclose(file);
  return process;
}

enum class Names { nothing, file, path };  // what the first argument is; of *at() calls, `path` is the second

struct Call {
  std::string_view kind;
  const char* name;
  long number;
  Names names = Names::nothing;
  int usual = EIO;  // the errno for `usual`
};

#define CALL(kind, name, ...) \
  { kind, #name, SYS_##name, __VA_ARGS__ }
const Call calls[] = {
    CALL("write", write, Names::file),
    CALL("write", pwrite64, Names::file),
    CALL("write", writev, Names::file),
    CALL("write", pwritev, Names::file),
    CALL("write", sendfile, Names::file),
    CALL("write", copy_file_range, Names::file),
    CALL("write", fallocate, Names::file),
    CALL("write", ftruncate, Names::file),
    CALL("fsync", fsync, Names::file),
    CALL("fsync", fdatasync, Names::file),
    CALL("fsync", msync),
    CALL("close", close, Names::file),
    CALL("rename", rename, Names::path),
    CALL("rename", renameat, Names::path),
    CALL("rename", renameat2, Names::path),
    CALL("rename", link, Names::path),
    CALL("rename", linkat, Names::path),
    CALL("rename", symlink, Names::path),
    CALL("rename", mkdir, Names::path),
    CALL("rename", mkdirat, Names::path),
    CALL("rename", chmod, Names::path),
    CALL("rename", fchmod, Names::file),
    CALL("open", open, Names::path),
    CALL("open", openat, Names::path),
    CALL("open", creat, Names::path),
    CALL("open", pipe2),
    CALL("open", dup, Names::file),
    CALL("open", eventfd2),
    CALL("open", epoll_create1),
    CALL("open", memfd_create),
    CALL("read", read, Names::file),
    CALL("read", pread64, Names::file),
    CALL("read", readv, Names::file),
    CALL("read", preadv, Names::file),
    CALL("read", getdents64, Names::file),
    CALL("stat", stat, Names::path),
    CALL("stat", lstat, Names::path),
    CALL("stat", fstat, Names::file),
    CALL("stat", newfstatat, Names::path),
    CALL("stat", statx, Names::path),
    CALL("stat", access, Names::path),
    CALL("stat", faccessat, Names::path),
    CALL("stat", statfs, Names::path),
    CALL("stat", readlink, Names::path),
    CALL("mapping", mmap),
    CALL("mapping", mremap),
    CALL("fork", fork),
    CALL("fork", vfork),
    CALL("fork", clone),
    CALL("fork", execve, Names::path),
    CALL("thread", clone),
    CALL("socket", socket, Names::nothing, EMFILE),
    CALL("socket", socketpair, Names::nothing, EMFILE),
    CALL("socket", connect, Names::file, ECONNREFUSED),
    CALL("socket", bind, Names::file, EADDRINUSE),
    CALL("socket", listen, Names::file, EADDRINUSE),
    CALL("socket", accept, Names::file, ECONNABORTED),
    CALL("socket", accept4, Names::file, ECONNABORTED),
    CALL("socket", sendto, Names::file, ECONNRESET),
    CALL("socket", sendmsg, Names::file, ECONNRESET),
    CALL("socket", recvfrom, Names::file, ECONNRESET),
    CALL("socket", recvmsg, Names::file, ECONNRESET),
    CALL("socket", read, Names::file, ECONNRESET),
    CALL("socket", write, Names::file, ECONNRESET),
    CALL("socket", writev, Names::file, ECONNRESET),
    CALL("socket", poll, Names::nothing, EINTR),
    CALL("socket", ppoll, Names::nothing, EINTR),
    CALL("socket", epoll_wait, Names::nothing, EINTR),
    CALL("socket", epoll_ctl, Names::file, ENOMEM),
    CALL("socket", getsockopt, Names::file, EINVAL),
    CALL("socket", setsockopt, Names::file, EINVAL),
    CALL("socket", getsockname, Names::file, EINVAL),
};
#undef CALL

int errno_named(std::string_view name) {
  for (int code = 1; code < 200; ++code)
    if (const char* known = strerrorname_np(code); known && name == known) return code;
  std::fprintf(stderr, "inject: there is no error %s\n", std::string(name).c_str());
  std::exit(125);
}

// The calls of these kinds that are stopped. Returns the file descriptor on which the kernel asks, or -1.
int install_filter(std::string_view kind) {
  std::vector<sock_filter> filter = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  const auto answer = [&](long number, std::uint32_t action) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, action));
  };
  for (const Call& call : calls)
    if (call.kind == kind) answer(call.number, SECCOMP_RET_USER_NOTIF);
  for (const long number : {SYS_execve, SYS_prctl}) answer(number, SECCOMP_RET_USER_NOTIF);
  // Without it the C library uses clone, whose flags are no structure in the program's memory.
  answer(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

std::string link_text(const std::string& path) {
  char text[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  return length < 0 ? "" : std::string(text, static_cast<std::size_t>(length));
}

std::string text_at(int process, std::uint64_t address) {
  char text[PATH_MAX] = {};
  iovec here = {text, sizeof text - 1};
  // A page at a time: the next one may not exist.
  iovec there = {reinterpret_cast<void*>(address), 4096 - address % 4096};
  process_vm_readv(process, &here, 1, &there, 1, 0);
  return text;
}

// Whether a file of a process was opened for writing.
bool can_write(int process, int file) {
  std::FILE* info = std::fopen(("/proc/" + std::to_string(process) + "/fdinfo/" + std::to_string(file)).c_str(), "r");
  unsigned flags = 0;
  if (info && std::fscanf(info, "pos: %*d flags: %o", &flags) != 1) flags = 0;
  if (info) std::fclose(info);
  return (flags & O_ACCMODE) != O_RDONLY;
}

class Supervisor {
 public:
  Supervisor(std::string_view kind, std::string_view error, long fails)
      : kind_(kind),
        error_(error),
        fails_(fails),
        code_(error == "short" || error == "usual" ? 0 : errno_named(error)) {}

  void starts(int process) { loading_.insert(process); }

  // Answers a call that the kernel has stopped.
  void answer(int listener) {
    seccomp_notif asked{};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return;  // the process is gone
    seccomp_notif_resp response{};
    response.id = asked.id;
    if (!fail(asked, response)) response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }

  long count() const { return count_; }
  const std::string& failed() const { return failed_; }

 private:
  bool fail(const seccomp_notif& asked, seccomp_notif_resp& response) {
    const int process = static_cast<int>(asked.pid), number = asked.data.nr;
    const auto& arguments = asked.data.args;
    if (number == SYS_prctl) {
      if (static_cast<int>(arguments[0]) == main_marker) loading_.erase(process);
      return false;
    }
    if (loading_.contains(process)) return false;
    const Call* call = nullptr;
    for (const Call& each : calls)
      if (each.kind == kind_ && each.number == number) call = &each;
    bool counts = call != nullptr;
    std::string name;
    if (counts && (kind_ == "fork" || kind_ == "thread") && number == SYS_clone)
      counts = ((arguments[0] & CLONE_THREAD) != 0) == (kind_ == "thread");
    if (counts && call->names == Names::file) {
      name = link_text("/proc/" + std::to_string(process) + "/fd/" + std::to_string(static_cast<int>(arguments[0])));
      // What goes over a network has a kind of its own; eventfd and the like cannot fail.
      const bool is_socket = name.starts_with("socket:"), is_file = name.starts_with('/') || name.starts_with("pipe:");
      // Of a file that was only read, close() has nothing to tell. Of a pipe that stays open, as it does here, no
      // reader would see the end.
      if (number == SYS_close) counts = name.starts_with('/') && can_write(process, static_cast<int>(arguments[0]));
      if (number == SYS_read || number == SYS_write || number == SYS_writev)
        counts = kind_ == "socket" ? is_socket : is_file;
    }
    if (counts && ++count_ == fails_) {
      if (call->names == Names::path) {
        const bool at = std::string_view(call->name).find("at") != std::string_view::npos && number != SYS_creat &&
                        number != SYS_stat && number != SYS_lstat && number != SYS_statfs;
        name = text_at(process, arguments[at || number == SYS_statx ? 1 : 0]);
      }
      if (code_ != 0 || error_ == "usual")
        response.error = -(code_ != 0 ? code_ : call->usual);
      else if (!shorten(asked, response))
        return false;
      failed_ = std::string(call->name) + " " + name;
      return true;
    }
    if (number == SYS_execve) loading_.insert(process);
    return false;
  }

  // Reads or writes half of the bytes in the program's place.
  static bool shorten(const seccomp_notif& asked, seccomp_notif_resp& response) {
    const int number = asked.data.nr;
    const auto& arguments = asked.data.args;
    const std::size_t bytes = static_cast<std::size_t>(arguments[2]) / 2;
    if ((number != SYS_read && number != SYS_write) || bytes == 0) return false;
    const int process = static_cast<int>(syscall(SYS_pidfd_open, process_of(asked.pid), 0));
    const int file = static_cast<int>(syscall(SYS_pidfd_getfd, process, static_cast<int>(arguments[0]), 0));
    std::vector<char> buffer(bytes);
    iovec here = {buffer.data(), bytes}, there = {reinterpret_cast<void*>(arguments[1]), bytes};
    ssize_t done = -1;
    const int id = static_cast<int>(asked.pid);
    if (number == SYS_write && process_vm_readv(id, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes))
      done = write(file, buffer.data(), bytes);
    if (number == SYS_read && (done = read(file, buffer.data(), bytes)) > 0) {
      here.iov_len = there.iov_len = static_cast<std::size_t>(done);
      process_vm_writev(id, &here, 1, &there, 1, 0);
    }
    response.error = done < 0 ? -errno : 0;
    response.val = done < 0 ? 0 : done;
    close(file);
    close(process);
    return true;
  }

  const std::string kind_, error_;
  const long fails_;
  const int code_;
  long count_ = 0;
  std::string failed_;
  std::set<int> loading_;  // processes before their main()
};

std::vector<int> children() {
  std::vector<int> found;
  std::FILE* file = std::fopen(("/proc/self/task/" + std::to_string(getpid()) + "/children").c_str(), "r");
  for (int process = 0; file && std::fscanf(file, "%d", &process) == 1;) found.push_back(process);
  if (file) std::fclose(file);
  return found;
}

std::string command_of(int process) {
  std::FILE* file = std::fopen(("/proc/" + std::to_string(process) + "/cmdline").c_str(), "r");
  std::string text;
  for (int c = 0; file && (c = std::fgetc(file)) != EOF;) text += c == 0 ? ' ' : static_cast<char>(c);
  if (file) std::fclose(file);
  return text;
}

int run(int, char** arguments) {
  const std::string_view kind = arguments[1], error = arguments[2];
  const long fails = std::atol(arguments[3]);
  const auto until = Clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * std::atof(arguments[4])));
  const char* report_path = arguments[5];
  const std::string beside = link_text("/proc/self/exe");
  setenv("LD_PRELOAD", (beside.substr(0, beside.find_last_of('/') + 1) + "libinject_preloaded.so").c_str(), 1);

  // Code inside the program counts calls of these kinds.
  const bool counts_itself = kind == "allocation" || kind == "cuda";
  Plan* plan = nullptr;
  if (counts_itself) {
    const int file = memfd_create("plan", 0);
    if (file < 0 || ftruncate(file, sizeof(Plan)) != 0) give_up("memfd_create");
    // By the name in this process: the program closes the file, and its own children start without it.
    setenv(plan_variable(kind).c_str(), ("/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file)).c_str(),
           1);
    if (!(plan = open_plan(kind))) give_up("mmap");
    plan->fails = fails;
    fcntl(file, F_SETFD, FD_CLOEXEC);
  }

  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // processes that the program leaves become children of this one
  int ready[2];
  void* shared = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pipe2(ready, O_CLOEXEC) != 0 || shared == MAP_FAILED) give_up("pipe2");
  auto& installed = *new (shared) std::atomic<int>(-1);
  // The child shares the table of files until it becomes the program: so its listener is also this process's.
  const int child = static_cast<int>(syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0));
  if (child < 0) give_up("clone");
  if (child == 0) {
    if (!counts_itself && (installed = install_filter(kind)) < 0) give_up("seccomp");
    // With a filter the call waits until the parent answers, so it has the listener by then.
    execvp(arguments[6], arguments + 6);
    give_up(arguments[6]);
  }
  close(ready[0]);
  close(ready[1]);
  while (!counts_itself && installed < 0 && waitpid(child, nullptr, WNOHANG) == 0) usleep(100);
  const int listener = counts_itself ? -1 : installed.load(),
            process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  Supervisor supervisor(kind, counts_itself ? "usual" : error, fails);
  supervisor.starts(child);

  // Until the program has ended, and for a while until what it started has.
  constexpr auto patience = std::chrono::seconds(3);
  int status = 0;
  bool ended = false, hung = false;
  auto last = until;
  std::string left;
  for (;;) {
    pollfd awaited[] = {{ended ? -1 : process, POLLIN, 0}, {listener, POLLIN, 0}};
    poll(awaited, 2, 20);
    if ((awaited[1].revents & POLLIN) != 0) supervisor.answer(listener);
    for (int each = 0, how = 0; (each = waitpid(-1, &how, WNOHANG)) > 0;)
      if (each == child) {
        ended = true;
        status = how;
        last = Clock::now() + patience;
      }
    const std::vector<int> still = children();
    if (ended && still.empty()) break;
    if (Clock::now() < last) continue;
    if (!ended && !hung) {
      kill(child, SIGABRT);  // it then tells where it is
      last = Clock::now() + std::chrono::seconds(1);
      hung = true;
      continue;
    }
    for (const int each : still) {
      if (!hung) left += "left " + command_of(each) + "\n";
      kill(each, SIGKILL);
    }
  }

  std::FILE* report = std::fopen(report_path, "w");
  if (!report) give_up(report_path);
  if (hung)
    std::fprintf(report, "hung 1\n");
  else
    std::fprintf(report, WIFSIGNALED(status) ? "signal %d\n" : "status %d\n",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  std::fprintf(report, "calls %ld\n", plan ? plan->calls.load() : supervisor.count());
  if (plan && fails > 0 && plan->calls >= fails) std::fprintf(report, "failed %s\n", std::string(kind).c_str());
  if (!supervisor.failed().empty()) std::fprintf(report, "failed %s\n", supervisor.failed().c_str());
  std::fputs(left.c_str(), report);
  return std::fclose(report) == 0 ? 0 : 125;
}

}  // namespace
}  // namespace kinescope::tests

int main(int count, char** arguments) {
  if (count < 7) {
    std::fputs("usage: inject KIND ERROR N SECONDS REPORT PROGRAM [ARGUMENT...]\n", stderr);
    return 125;
  }
  return kinescope::tests::run(count, arguments);
}
