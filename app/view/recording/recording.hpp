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
  // `in_real_time`: in the video each picture lasts as long as it was on the screen, and the window never waits for the
  // recorder. Otherwise each picture is one frame of the video.
  Recording(const RecordingPlace& place, glm::ivec2 size, bool in_real_time);

  // Records a rectangle of a framebuffer, in pixels; `origin` is (left, bottom). Call it after all drawing of the
  // frame.
  void frame(unsigned framebuffer, glm::ivec2 origin, glm::ivec2 size);
  // Waits for the frames that are still being read back, and returns the recorder. It then only needs finish(), on any
  // thread.
  std::shared_ptr<Recorder> end();
  // The same without OpenGL, which may be gone: frames that are still being read back are lost.
  std::shared_ptr<Recorder> end_at_once() { return std::move(recorder_); }

 private:
  void hand_over(bool wait);

  std::shared_ptr<Recorder> recorder_;
  render::PixelReader reader_;
  const bool in_real_time_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::deque<int> times_;  // for each frame that is being read back: how many frames of the video it stands for
  long frames_ = 0;        // frames of the video, including those that are still being read back
  int dropped_ = 0;        // frames of the video that the recorder refused; added to those of the next picture
};

}  // namespace kinescope::app
