// Writes frames into a video, or into numbered pictures, on a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <glm/vec2.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "kinescope/data/output_file.hpp"
#include "kinescope/error.hpp"
#include "render/gl/image.hpp"

namespace kinescope::app {

inline constexpr int video_rate = 60;  // frames a second

// Where a recording goes. FILE.mp4 is a video if ffmpeg is installed, else a folder FILE/ of numbered pictures. DIR/ is
// always such a folder.
struct RecordingPlace {
  std::string path;
  bool video = false;
  std::string notice;  // why it is no video although one was requested; else ""
};
// Throws sim::Error (input) for another ending, or if the folder is not empty.
RecordingPlace recording_place(const std::string& path);

// How long ffmpeg may accept no byte. It accepts a frame in well under a second, even in 4K on a busy laptop. At the
// end it writes the sixty frames inside the encoder in less than three times this. If it takes longer, it hangs and is
// killed.
inline constexpr std::chrono::milliseconds usual_patience{20'000};

class Recorder {
 public:
  // All frames get this size, in pixels. Throws sim::Error (input) if nothing can be written there.
  Recorder(const RecordingPlace& place, glm::ivec2 size, std::chrono::milliseconds patience = usual_patience);
  // If finish() was not called, the video is dropped and no file is left. If ffmpeg failed, the first part stays.
  ~Recorder();

  // Adds the previous frame `times` − 1 times more, then this one, cropped or with margins to fit. If the writer is
  // behind, add() waits; without `wait` it takes nothing and returns false. Throws the writer's error.
  bool add(const render::Image& frame, int times, bool wait);
  // Waits until everything is written. Throws sim::Error.
  void finish();

  const std::string& path() const { return place_.path; }

 private:
  struct Entry {
    render::Image frame;
    int times;
  };
  void write();
  void write_video();
  void write_pictures();
  template <class F>
  void each_frame(F&& consume);  // in order, to the end, or until `consume` returns false
  std::optional<Entry> take();

  const RecordingPlace place_;
  const glm::ivec2 size_;
  const std::chrono::milliseconds patience_;
  std::optional<sim::HeldFolder> folder_;  // of pictures
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  bool finished_ = false, given_up_ = false, made_folder_ = false;
  std::optional<sim::Error> error_;  // set: nothing more is written
  std::thread writer_;
};

}  // namespace kinescope::app
