#include "app/view/recording/recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "app/runs/interrupt.hpp"
#include "app/runs/programs.hpp"
#include "kinescope/data/output_file.hpp"

namespace kinescope::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_waiting = 8;  // frames

void check_folder(const std::string& path) {
  std::error_code error;
  const std::string name = path.substr(0, path.find_last_not_of('/') + 1);  // "file/" does not exist, "file" does
  if (fs::exists(name, error) && !fs::is_directory(name, error)) throw sim::input_error(path + ": is not a folder");
  if (fs::is_directory(path, error) && !fs::is_empty(path, error))
    throw sim::input_error(path + ": is not empty; a recording needs an empty folder");
}

// Whether a video that was not finished can be played. An MP4 file is a sequence of boxes, each with a size and a name;
// a fragment begins with the box `moof`.
bool has_fragment(int file) {
  unsigned char box[8];
  for (off_t at = 0; pread(file, box, sizeof box, at) == sizeof box;) {
    if (std::memcmp(box + 4, "moof", 4) == 0) return true;
    const std::uint32_t size =
        std::uint32_t{box[0]} << 24 | std::uint32_t{box[1]} << 16 | std::uint32_t{box[2]} << 8 | box[3];
    if (size < sizeof box) return false;
    at += size;
  }
  return false;
}

render::Image fitted(const render::Image& image, glm::ivec2 size) {
  if (image.width == size.x && image.height == size.y) return image;
  render::Image result{size.x, size.y, std::vector<std::uint8_t>(4 * std::size_t(size.x) * std::size_t(size.y))};
  const int width = std::min(image.width, size.x), height = std::min(image.height, size.y);
  for (int y = 0; y < height; ++y)
    std::memcpy(&result.rgba[4 * std::size_t(y) * std::size_t(size.x)], image.pixel(0, y), 4 * std::size_t(width));
  return result;
}

// An ffmpeg process, which reads raw frames from a pipe and writes a video into the file `to`.
class Ffmpeg {
  using Clock = std::chrono::steady_clock;
  static constexpr int look_ms = 50;

 public:
  Ffmpeg(int to, glm::ivec2 size, std::chrono::milliseconds patience) : patience_(patience) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw sim::run_error("the operating system could not open a pipe to ffmpeg");
    const std::string frame_size = fmt::format("{}x{}", size.x, size.y), rate = fmt::format("{}", video_rate);
    const std::vector<std::string> words = {
        "ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", frame_size, "-r", rate, "-i", "-",
        // H.264 halves the resolution of colour, so the sides must be even. Players expect HD colours in BT.709.
        "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709", "-colorspace", "bt709",
        "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p",
        // Fragments of two seconds are each complete, so what has been written stays a video whatever happens.
        "-g", "120", "-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-f", "mp4", "pipe:1"};
    // ffmpeg gets a process group of its own: Ctrl-C must reach only this program, which then finishes the video.
    constexpr short apart = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK;
    const int refused = start_program("ffmpeg", words, {.in = ends[0], .out = to, .flags = apart}, process_);
    close(ends[0]);
    to_ = ends[1];
    fcntl(to_, F_SETFL, O_NONBLOCK);  // a stuck ffmpeg must not block us
    if (refused != 0) {
      close(to_);
      throw sim::run_error(std::string("ffmpeg cannot be started: ") + std::strerror(refused));
    }
  }
  ~Ffmpeg() { end(); }
  Ffmpeg(const Ffmpeg&) = delete;
  Ffmpeg& operator=(const Ffmpeg&) = delete;

  // False if ffmpeg no longer reads.
  bool write(const std::vector<std::uint8_t>& bytes) {
    seen(Clock::now());
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t written = ::write(to_, bytes.data() + at, bytes.size() - at);
      if (written >= 0) {
        at += std::size_t(written);
        seen(Clock::now());
      } else if (errno == EAGAIN) {
        if (!runs()) return false;
        if (is_stuck(patience_)) return give_up();
        pollfd ready{to_, POLLOUT, 0};
        poll(&ready, 1, look_ms);
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  }

  // True if the video is complete.
  bool end() {
    if (to_ < 0) return false;
    close(std::exchange(to_, -1));
    for (seen(Clock::now()); runs() && !is_stuck(3 * patience_);)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (!status_) {
      int status = SIGKILL;
      give_up();
      while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
      }
      status_ = status;
    }
    return WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0;
  }

  // After end(): how it ended, to follow "ffmpeg". It tells nothing of its own where people could read it.
  std::string fate(const std::string& path) const {
    if (hung_) return "took no more frames";
    if (WIFSIGNALED(*status_)) return std::string("was ended by a signal (") + strsignal(WTERMSIG(*status_)) + ")";
    if (WEXITSTATUS(*status_) == 0) return "ended by itself";
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    constexpr std::uintmax_t hardly_any = 1 << 20;
    const bool full = fs::space(folder.empty() ? "." : folder, error).available < hardly_any && !error;
    if (full) return "failed: the disk is full";
    return fmt::format("failed with exit status {}", WEXITSTATUS(*status_));
  }

 private:
  bool give_up() {
    hung_ = true;
    kill(-process_, SIGKILL);  // and what it started, if it is a script
    return false;
  }

  void seen(Clock::time_point when) { taken_ = worked_ = when; }

  // Whether nothing was taken for so long, or whether, after an interrupt, nothing is taken or computed.
  bool is_stuck(std::chrono::milliseconds patience) {
    constexpr std::chrono::seconds idle{1};
    const auto now = Clock::now();
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(process_, &clock) == 0 && clock_gettime(clock, &used) == 0)
      if (const auto ns = used.tv_sec * 1'000'000'000L + used.tv_nsec; std::exchange(used_ns_, ns) != ns) worked_ = now;
    return now - taken_ > patience || (interrupted() && now - worked_ > idle);
  }

  // Whether ffmpeg still runs. If it was stopped from outside (SIGSTOP), continues it: whoever stopped it did not mean
  // the video.
  bool runs() {
    if (status_) return false;
    int status = 0;
    const pid_t changed = waitpid(process_, &status, WNOHANG | WUNTRACED);
    if (changed != process_) return true;
    if (WIFSTOPPED(status)) {
      kill(-process_, SIGCONT);
      return true;
    }
    status_ = status;
    return false;
  }

  const std::chrono::milliseconds patience_;
  pid_t process_ = 0;
  int to_ = -1;
  Clock::time_point taken_, worked_;  // when it last took a byte; when it last did that or used a processor
  long used_ns_ = 0;                  // of processors
  bool hung_ = false;                 // it was ended because it took no frame
  std::optional<int> status_;         // as waitpid() returns it; none while it runs
};

}  // namespace

RecordingPlace recording_place(const std::string& path) {
  const fs::path given(path);
  std::error_code error;
  if (given.extension() == ".mp4" && !fs::is_directory(path, error)) {
    if (is_installed("ffmpeg")) return {path, true, ""};
    if (given.has_parent_path() && !fs::is_directory(given.parent_path(), error))
      throw sim::file_error(path, given.parent_path().string() + " does not exist");
    RecordingPlace place{(given.parent_path() / given.stem()).string() + "/", false, ""};
    check_folder(place.path);
    place.notice = "ffmpeg is not installed: the frames are saved as numbered pictures in " + place.path;
    return place;
  }
  if (path.back() != '/' && !fs::is_directory(path, error))
    throw sim::input_error("--record: expected FILE.mp4 or DIR/, found '" + path + "'");
  check_folder(path);
  return {path.back() == '/' ? path : path + "/", false, ""};
}

Recorder::Recorder(const RecordingPlace& place, glm::ivec2 size, std::chrono::milliseconds patience)
    : place_(place), size_(size), patience_(patience) {
  std::error_code error;
  if (!place.video) made_folder_ = fs::create_directories(place.path, error);
  if (error) throw sim::input_error(place.path + ": the folder cannot be made: " + error.message());
  if (!place.video) folder_.emplace(place.path, place.path);
  writer_ = std::thread([this] { write(); });
}

Recorder::~Recorder() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = !finished_;
    finished_ = true;
  }
  changed_.notify_all();
  if (writer_.joinable()) writer_.join();
}

bool Recorder::add(const render::Image& frame, int times, bool wait) {
  std::unique_lock lock(mutex_);
  const auto room = [&] { return error_ || waiting_.size() < most_waiting; };
  if (!wait && !room()) return false;
  changed_.wait(lock, room);
  if (error_) throw *error_;
  waiting_.push_back({fitted(frame, size_), times});
  changed_.notify_all();
  return true;
}

void Recorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (writer_.joinable()) writer_.join();
  if (error_) throw *error_;
}

std::optional<Recorder::Entry> Recorder::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return finished_ || !waiting_.empty(); });
  if (waiting_.empty() || given_up_) return std::nullopt;
  Entry entry = std::move(waiting_.front());
  waiting_.pop_front();
  changed_.notify_all();
  return entry;
}

template <class F>
void Recorder::each_frame(F&& consume) {
  std::optional<render::Image> last;
  while (std::optional<Entry> entry = take()) {
    if (!last) last = entry->frame;
    for (int n = 1; n < entry->times; ++n)
      if (!consume(*last)) return;
    last = std::move(entry->frame);
    if (!consume(*last)) return;
  }
}

void Recorder::write() try {
  // A broken pipe must be an error, not a signal.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  place_.video ? write_video() : write_pictures();
} catch (const std::exception& caught) {
  const auto* error = dynamic_cast<const sim::Error*>(&caught);
  const std::lock_guard lock(mutex_);
  error_ = error ? *error : sim::run_error(place_.path + ": the recording cannot be written");
  changed_.notify_all();
  if (made_folder_) folder_->remove_if_empty();
}

void Recorder::write_video() {
  sim::OutputFile file(place_.path);
  Ffmpeg ffmpeg(file.descriptor(), size_, patience_);
  long written = 0;
  bool whole = true;
  each_frame([&](const render::Image& frame) {
    whole = whole && ffmpeg.write(frame.rgba);
    written += whole;
    return whole;
  });
  whole = ffmpeg.end() && whole;
  std::unique_lock lock(mutex_);
  if ((written == 0 && whole) || given_up_) throw sim::run_error(place_.path + ": no frame was recorded");
  if (!has_fragment(file.descriptor()))
    throw sim::run_error(place_.path + ": the video cannot be written: ffmpeg " + ffmpeg.fate(place_.path));
  // The part written so far is a video too, and gets the name.
  if (!whole)
    error_ = sim::run_error(place_.path + ": ffmpeg " + ffmpeg.fate(place_.path) +
                            " before the recording ended; the file has the frames up to then");
  changed_.notify_all();
  lock.unlock();
  file.keep();
}

void Recorder::write_pictures() {
  long number = 0;
  std::optional<render::Image> encoded;
  std::vector<std::uint8_t> bytes;
  each_frame([&](const render::Image& frame) {
    // A window that draws slowly gives dozens of equal frames, and encoding them all would take minutes.
    if (!encoded || frame.rgba != encoded->rgba) {
      encoded = frame;
      bytes = render::encode_png(frame);
    }
    folder_->write_new(fmt::format("{:06}.png", number++), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return true;
  });
}

}  // namespace kinescope::app
