#include "app/view/recording/recording.hpp"

namespace kinescope::app {

Recording::Recording(const RecordingPlace& place, glm::ivec2 size, bool in_real_time)
    : recorder_(std::make_shared<Recorder>(place, size)), in_real_time_(in_real_time) {}

void Recording::frame(unsigned framebuffer, glm::ivec2 origin, glm::ivec2 size) {
  hand_over(!in_real_time_);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  const long due = in_real_time_ ? long(passed.count() * video_rate) + 1 : frames_ + 1;
  if (due <= frames_ || !reader_.request(framebuffer, origin, size)) return;
  times_.push_back(int(due - frames_));
  frames_ = due;
}

void Recording::hand_over(bool wait) {
  while (const auto image = reader_.take(wait)) {
    const int times = times_.front() + std::exchange(dropped_, 0);
    times_.pop_front();
    if (!recorder_->add(*image, times, wait)) dropped_ = times;
  }
}

std::shared_ptr<Recorder> Recording::end() {
  hand_over(true);
  return std::move(recorder_);
}

}  // namespace kinescope::app
