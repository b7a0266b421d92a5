// The frames of the window so far, with what happened in each, for the tab that shows them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/io/timings.hpp"

namespace kinescope::app {

// What can make a frame long.
enum class FrameEvent : unsigned {
  took_over = 1,
  restarted = 2,
  resized = 4,
  opening = 8,
  filmed = 16,
  pictured = 32,
};
inline constexpr std::pair<FrameEvent, const char*> frame_events[] = {
    {FrameEvent::took_over, "a run took over"},    {FrameEvent::restarted, "the run restarted"},
    {FrameEvent::pictured, "a picture was saved"}, {FrameEvent::resized, "the picture's size changed"},
    {FrameEvent::opening, "data were being read"}, {FrameEvent::filmed, "a film was recorded"}};

struct RecordedFrame {
  FrameTiming timing;
  double waiting_ms = 0;  // part of the frame in which the window's thread had nothing to do
  unsigned events = 0;
  std::size_t number = 0;  // from 0 when the recording began

  // What the window's thread did besides panels, upload and drawing.
  double other_ms = 0;
  double drawing_ms = 0;  // on the window's thread: with software OpenGL all of the drawing, else its commands
  double work_ms() const { return timing.panels_ms + timing.upload_ms + drawing_ms + other_ms; }
};

class FrameRecord {
 public:
  // Ten minutes of 60 frames a second, in 5 MB. Then the oldest frames are dropped.
  static constexpr std::size_t most = 36'000;
  static constexpr std::size_t most_longest = 5;

  void note(FrameEvent event) { events_ |= static_cast<unsigned>(event); }  // in the frame that add() will end
  void add(RecordedFrame frame) {
    frame.events = std::exchange(events_, 0);
    frame.number = count_++;
    frames_.push_back(frame);
    longest_.insert(std::ranges::upper_bound(longest_, frame.work_ms(), std::greater(), &RecordedFrame::work_ms),
                    frame);
    if (longest_.size() > most_longest) longest_.pop_back();
    if (frames_.size() > most) frames_.pop_front();
  }
  void begin_anew() {
    frames_.clear();
    longest_.clear();
    count_ = 0;
  }
  const std::deque<RecordedFrame>& frames() const { return frames_; }
  // Those with the most work of the window's thread since the recording began, the longest first.
  const std::vector<RecordedFrame>& longest() const { return longest_; }
  std::vector<FrameTiming> timings() const {
    std::vector<FrameTiming> timings;
    for (const RecordedFrame& frame : frames_) timings.push_back(frame.timing);
    return timings;
  }

 private:
  std::deque<RecordedFrame> frames_;
  std::vector<RecordedFrame> longest_;
  unsigned events_ = 0;
  std::size_t count_ = 0;
};

}  // namespace kinescope::app
