// Records what is on the screen: reads each frame back without stalling and hands it to a recorder.
#pragma once

#include <chrono>
#include <deque>
#include <memory>

#include "app/view/recording/recorder.hpp"
#include "render/gl/framebuffer.hpp"

namespace kinescope::app {

class Recording {
 public:
  // `in_real_time`: a frame lasts as long as it was seen, and none is waited for; otherwise each is one frame of the
  // video.
  Recording(const RecordingPlace& place, glm::ivec2 size, bool in_real_time);

  // Takes a rectangle of a framebuffer in pixels (left, bottom); call it after all drawing of the frame.
  void frame(unsigned framebuffer, glm::ivec2 origin, glm::ivec2 size);
  // Fetches the frames under way; after that the recorder only needs finish(), on any thread.
  std::shared_ptr<Recorder> end();

 private:
  void hand_over(bool wait);

  std::shared_ptr<Recorder> recorder_;
  render::PixelReader reader_;
  const bool in_real_time_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::deque<int> times_;  // how often each frame under way is repeated
  long frames_ = 0;        // of the video, with those under way
  int dropped_ = 0;        // frames of the video that the next picture stands in for
};

}  // namespace kinescope::app
