// What is on the screen as a recording: reads each frame back without stalling and hands it to a recorder.
#pragma once

#include <chrono>
#include <deque>
#include <memory>

#include "app/view/recording/recorder.hpp"
#include "render/gl/framebuffer.hpp"

namespace kinescope::app {

class Recording {
 public:
  // `in_real_time`: a frame lasts as long as it was seen, and none is waited for; else each is one frame of the video.
  Recording(const RecordingPlace& place, glm::ivec2 size, bool in_real_time);

  // A rectangle of a framebuffer, pixels, (left, bottom); after all drawing of the frame.
  void frame(unsigned framebuffer, glm::ivec2 origin, glm::ivec2 size);
  // Fetches what is under way; then only the recorder's finish() is left, on any thread.
  std::shared_ptr<Recorder> end();

  double seconds() const;  // of the video so far
  const std::string& path() const { return recorder_->path(); }

 private:
  void hand_over(bool wait);

  std::shared_ptr<Recorder> recorder_;
  render::PixelReader reader_;
  const bool in_real_time_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::deque<int> times_;  // of the frames under way
  long frames_ = 0;        // of the video, those under way too
  int dropped_ = 0;        // frames of the video that the next picture makes up for
};

}  // namespace kinescope::app
